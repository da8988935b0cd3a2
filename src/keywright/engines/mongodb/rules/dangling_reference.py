"""MDB008: a field contains another entity's key, and no Ref declares the effect of a missing document.

https://www.mongodb.com/docs/manual/reference/database-references/ (2026-11-22): the server checks no references.
"""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext, fields
from keywright.engines.findings.expiry import expiring_fields
from keywright.engines.findings.fix import AddFact, Fix
from keywright.engines.findings.observation import LiveTarget
from keywright.engines.findings.pattern_facts import single
from keywright.engines.mongodb.declare.options import AnyCollection, TimeSeries
from keywright.engines.mongodb.schema.fields import id_attribute
from keywright.ir.attribute import Attribute, Many, Scalar
from keywright.ir.binding import Binding
from keywright.ir.text import counted

_ENDING = ("event", "reading", "analytics", "session", "token", "cache", "feed")
"""Kinds of entities that record what was, or end themselves."""
_SOON = 90 * 86_400
"""Seconds after a time of their own in which documents end themselves."""


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Every field without `Ref` whose name is that of the `_id` of one other entity whose documents are removed.

    Events, sessions and others that end keep the key of what was.
    """
    deleted = {pattern.binding for pattern in single(context.design) if pattern.kind == "delete"}
    design = context.design.of_engine("mongodb")
    for physical in design.physicals:
        bindings = design.bindings_in(physical)
        keys = _keys(tuple(item for item in bindings if item.name in deleted or expiring_fields(item)), bindings)
        for binding in bindings:
            if binding.spec.kind in _ENDING or any(
                0 < end <= _SOON for end in expiring_fields(binding, with_partial=False).values()
            ):
                continue
            yield from _dangling(binding, keys)


def _dangling(binding: Binding[AnyCollection], keys: dict[str, Binding[AnyCollection]]) -> Iterator[FindingDraft]:
    for path, attribute in fields(binding.entity.attributes):
        owner = keys.get(attribute.name) or keys.get(attribute.name.removesuffix("s"))
        kind = _single(attribute)
        if owner is None or owner is binding or kind is None:
            continue
        if attribute is id_attribute(binding) or attribute.copied_from is not None:
            continue
        if isinstance(binding.spec, TimeSeries) and attribute.name == binding.spec.meta:
            continue  # the source of measurements, which stay when it is removed
        key = id_attribute(owner)
        if kind.facts.reference is None and key is not None and kind.kind == getattr(key.type, "kind", ""):
            yield FindingDraft(
                problem=f'"{path}" is the key of {owner.entity.name} by its name, and no Ref says what it means '
                "when that one is gone",
                help=f'say Ref({owner.entity.name}, on_missing="ignore"), "hide" or "fail" in its Annotated',
                subject=binding.name,
                field=path.partition(".")[0],
                fix=_fix(binding, owner) if path == attribute.name and isinstance(attribute.type, Scalar) else None,
            )


def _fix(binding: Binding[AnyCollection], owner: Binding[AnyCollection]) -> Fix:
    """The fact that declares the present behaviour of readers: they return the key."""
    is_above = owner.at.file == binding.at.file and owner.at.line < binding.at.line
    name = owner.entity.name if is_above else f'"{owner.entity.name}"'
    return Fix((AddFact(f'kw.Ref({name}, on_missing="ignore")'),), is_safe=True)


def _keys(
    leaving: tuple[Binding[AnyCollection], ...], bindings: tuple[Binding[AnyCollection], ...]
) -> dict[str, Binding[AnyCollection]]:
    """Some entities of a database by the names of their `_id` fields; ambiguous names, and references, are omitted."""
    owners_by_name: dict[str, list[Binding[AnyCollection]]] = {}
    for binding in bindings:
        key = id_attribute(binding)
        kind = _single(key) if key is not None else None
        if key is not None and key.name.endswith("_id") and not (kind and kind.facts.reference):
            owners_by_name.setdefault(key.name, []).append(binding)
    return {name: owners[0] for name, owners in owners_by_name.items() if len(owners) == 1 and owners[0] in leaving}


def _single(attribute: Attribute) -> Scalar | None:
    """The value of a field, or of each element."""
    kind = attribute.type.element if isinstance(attribute.type, Many) else attribute.type
    return kind if isinstance(kind, Scalar) else None


def live(live_target: LiveTarget) -> Iterator[FindingDraft]:
    """Every reference without a target in some sampled document, if readers then fail."""
    for binding, items in live_target.items():
        for path, attribute in fields(binding.entity.attributes):
            missing, checked = items.orphans.get(path, (0, 0))
            kind = _single(attribute)
            reference = kind.facts.reference if kind else None
            if missing and reference is not None and reference.on_missing == "fail":
                yield FindingDraft(
                    problem=f'"{path}" leads nowhere for {missing:,} of {counted(checked, "value", spec=",")} '
                    f"looked up, {items.sample}, "
                    'and its Ref says on_missing="fail"',
                    help=f"restore what is gone of {reference.entity}, or have readers pass over it: "
                    'on_missing="ignore" or "hide"',
                    subject=binding.name,
                    field=path.partition(".")[0],
                )
