"""GEN042: an index contains personal data that no query needs there."""

import re
from collections.abc import Iterator

from keywright.access.path import AccessPath
from keywright.declare.names import names
from keywright.engines.contract.named_parts import Listed
from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.personal import personal_fields
from keywright.engines.registry import engine_named
from keywright.ir.binding import Binding, Physical
from keywright.ir.entity import element, resolve
from keywright.ir.personal import is_personal_path

_SENSITIVE = re.compile(
    r"(?:^|_)(?:health|medical|diagnos[ei]s|diagnoses|disabilit(?:y|ies)|allerg(?:y|ies)|medications?|religion|ethnicity|"
    r"notes?|remarks?|comments?)(?:$|_)"
)
"""Words of names for sensitive texts, which are no names of persons."""


def models(context: RuleContext, *, free_text: int = 254) -> Iterator[FindingDraft]:
    """Report text indexes over sensitive texts, Cassandra's indexes of personal columns, and projected personal fields.

    free_text: characters above which a personal text is more than a name or an address.
    """
    for binding in context.design.bindings:
        for part in engine_named(binding.engine).listed(binding):
            yield from _of_text(binding, part, free_text)
        for index in getattr(binding.spec, "indexes", ()):
            yield from _of_column(binding, index)
    for physical in context.design.physicals:
        for part in engine_named(physical.engine).listed(physical):
            if getattr(part.spec, "project", "keys") != "keys":
                yield from _projected(context, physical, part)


def _of_text(binding: Binding, part: Listed, free_text: int) -> Iterator[FindingDraft]:
    """Sensitive fields of a text index with several fields."""
    paths = names(part.spec.fields) if hasattr(part.spec, "weights") else []
    for path in paths:
        if len(paths) > 1 and is_personal_path(binding, path) and _is_sensitive(binding, path, free_text):
            yield FindingDraft(
                problem=f'the text index contains the personal text "{path}": each of its words is stored a second '
                "time, and every search can find it",
                help=f'remove "{path}" from the index',
                subject=binding.name,
                part=part.name,
            )


def _is_sensitive(binding: Binding, path: str, free_text: int) -> bool:
    attribute = (resolve(binding.entity.attributes, path) or ())[-1]
    longest = getattr(element(attribute.type), "max_length", None)
    return longest is None or longest > free_text or bool(_SENSITIVE.search(attribute.name))


def _of_column(binding: Binding, index: object) -> Iterator[FindingDraft]:
    """An index on a column of a table that is distributed by another key."""
    path = getattr(index, "on", "") if hasattr(index, "using") else ""
    if path and is_personal_path(binding, path):
        yield FindingDraft(
            problem=f'the index stores the personal column "{path}" a second time, and a lookup by it asks the nodes '
            "all over the cluster",
            help=f'remove the index, and look up by a table whose partition key is a keyed hash of "{path}"',
            subject=binding.name,
            field=path,
        )


def _projected(context: RuleContext, physical: Physical, part: Listed) -> Iterator[FindingDraft]:
    """An index of whole items whose queries need none of the personal fields."""
    plans = [
        plan
        for plan in context.plans
        if plan.binding.physical.name == physical.name
        and isinstance(plan.path, AccessPath)
        and plan.path.by.name == part.name
    ]
    if not plans or any(not plan.pattern.fields and plan.pattern.kind != "count" for plan in plans):
        return
    for binding in {plan.binding.name: plan.binding for plan in plans}.values():
        read = {path for plan in plans for path in (*plan.pattern.fields, *plan.pattern.eq, *plan.pattern.order)}
        held = personal_fields(binding)
        if part.spec.project != "all":
            held = [path for path in held if path.partition(".")[0] in part.spec.project]
        unread = [path for path in held if path not in read and path.partition(".")[0] not in read]
        if unread:
            listed = ", ".join(f'"{path}"' for path in unread[:3])
            yield FindingDraft(
                problem=f"the index copies the personal fields {listed} of {binding.name}, which none of its queries "
                "returns: every reader of the index can read them",
                help="write project=[...] with the fields that its queries read",
                subject=physical.name,
                part=part.name,
            )
            return
