"""GEN007: a copied field declares no source, or no mechanism that keeps it up to date."""

import re
from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext, fields, scalar_of
from keywright.engines.findings.copies import Copy, copies
from keywright.engines.findings.observation import LiveTarget
from keywright.engines.findings.pattern_facts import changed, identity, single
from keywright.ir.binding import Binding
from keywright.ir.text import counted

_CURRENT = re.compile(r"(?:^|[_.])(?:current|latest|present|actual)_")
"""Beginnings of names of present values."""
_PRESENT = ("session", "cache", "feed")
"""Kinds of entities that show the present, not a past moment."""


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Report every such field; a copy that is only inferred from its name is at most a warning."""
    for copy in copies(context.design):
        binding = next((binding for binding in context.design.bindings if binding.entity is copy.entity), None)
        if binding is None:
            continue
        if copy.declared is None:
            yield _undeclared(binding, copy)
        elif copy.declared.sync == "never":
            yield from _outdated(context, binding, copy)
        elif copy.declared.sync == "stream" and not _has_stream(context, copy.source):
            yield FindingDraft(
                problem=f'"{copy.path}" is updated from "{copy.source}.{copy.attribute}" by a stream, but no store of '
                f'"{copy.source}" declares one',
                help="add stream=kw.Stream(consumers=[kw.Consumer(...)]) there, or declare another mechanism by sync=",
                subject=binding.name,
                field=copy.path.partition(".")[0],
            )


def live(live_target: LiveTarget) -> Iterator[FindingDraft]:
    """Report every synchronised copy that differs from its source in a sampled item."""
    for binding, items in live_target.items():
        for path, (stale, compared) in items.stale.items():
            if stale:
                yield FindingDraft(
                    problem=f'"{path}" differs from its source in {stale:,} of '
                    f"{counted(compared, 'item', spec=',')} compared, {items.sample}",
                    help="check the mechanism that updates it: a stopped consumer, or a writer that omits it",
                    subject=binding.name,
                    field=path.partition(".")[0],
                    severity="warning",  # a recent change may still be in progress
                )


def _outdated(context: RuleContext, binding: Binding, copy: Copy) -> Iterator[FindingDraft]:
    """A finding about a copy that keeps its first value, although the field changes and its present value is needed.

    It is if another copy is updated and the item is written again, or if the item is no record of a past moment: it is
    of a kind that ends, or it has no time, and updates change it.
    """
    owners = [owner for owner in context.design.bindings if owner.entity.name == copy.source]
    if any(copy.attribute in identity(owner) for owner in owners):
        return
    names = {owner.name for owner in owners}
    writes = [pattern for pattern in single(context.design) if pattern.kind in ("put", "update", "increment")]
    changes = [pattern for pattern in writes if pattern.binding in names and copy.attribute in changed(pattern)]
    puts = [pattern for pattern in writes if pattern.binding in names and pattern.kind == "put"]
    own = [pattern for pattern in writes if pattern.binding == binding.name]
    other = next((other for other in copies(context.design) if _is_updated(other, copy)), None)
    is_mutable = any(pattern.kind != "put" or not pattern.if_absent for pattern in own)
    problem = ""
    if other is not None and (changes or not all(put.if_absent for put in puts)):
        if not all(pattern.if_absent for pattern in own):
            problem = f'while the copy "{other.entity.name}.{other.path}" is updated: the two contradict each other'
    elif changes and _CURRENT.search(copy.path):
        problem = "and its name promises the present one: readers see an outdated value"
    elif changes and binding.spec.kind in _PRESENT:
        problem = f'and an item of kind "{binding.spec.kind}" is about the present: it shows an outdated value'
    elif changes and binding.spec.kind == "record" and not _has_time(binding) and is_mutable:
        problem = f"and {binding.name} has no time of which it keeps the values: readers see an outdated one"
    if problem:
        sync = other.declared.sync if other is not None and other.declared else "stream"
        yield FindingDraft(
            problem=f'"{copy.path}" keeps the first value of "{copy.source}.{copy.attribute}", which changes, '
            f"{problem}",
            help=f'use sync="{sync}", or read the field of {copy.source}; for a value of the past, keep its time, too',
            subject=binding.name,
            field=copy.path.partition(".")[0],
            severity="warning",
        )


def _is_updated(copy: Copy, other: Copy) -> bool:
    """Whether a copy is kept up to date with the same field as another one."""
    is_same = (copy.source, copy.attribute) == (other.source, other.attribute)
    return is_same and copy.declared is not None and copy.declared.sync != "never"


def _has_time(binding: Binding) -> bool:
    """Whether an item contains a time or a date."""
    kinds = (scalar_of(attribute.type) for _, attribute in fields(binding.entity.attributes))
    return any(kind is not None and kind.kind in ("datetime", "date") for kind in kinds)


def _undeclared(binding: Binding, copy: Copy) -> FindingDraft:
    fact = f'kw.CopiedFrom({copy.source}, "{copy.attribute}", sync="never")'
    return FindingDraft(
        problem=f'"{copy.path}" copies "{copy.source}.{copy.attribute}" by its name, but declares no synchronisation',
        help=f'declare {fact}, which keeps the original value, or use sync="stream", "transaction" or "job"',
        subject=binding.name,
        field=copy.path.partition(".")[0],
        severity="warning",
    )


def _has_stream(context: RuleContext, source: str) -> bool:
    bindings = (binding for binding in context.design.bindings if binding.entity.name == source)
    return any(getattr(spec, "stream", None) for binding in bindings for spec in (binding.spec, binding.physical.spec))
