"""GEN007: a copied field declares no source, or no mechanism that keeps it up to date."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.copies import Copy, copies
from keywright.engines.findings.observation import LiveTarget
from keywright.engines.findings.pattern_facts import changed, identity, single
from keywright.ir.binding import Binding
from keywright.ir.text import counted


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Report every such field; a copy that is only inferred from its name is at most a warning."""
    for copy in copies(context.design):
        binding = next((binding for binding in context.design.bindings if binding.entity is copy.entity), None)
        if binding is None:
            continue
        if copy.declared is None:
            yield _undeclared(binding, copy)
        elif copy.declared.sync == "never" and (other := _kept_current(context, copy)) is not None:
            yield FindingDraft(
                problem=f'"{copy.path}" keeps the first value of "{copy.source}.{copy.attribute}", which changes, '
                f'while the copy "{other.entity.name}.{other.path}" is updated: the two contradict each other',
                help=f'use sync="{other.declared.sync if other.declared else "stream"}" here, too; for a value of the '
                "past, keep it with the time at which it held",
                subject=binding.name,
                field=copy.path.partition(".")[0],
                severity="warning",
            )
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


def _kept_current(context: RuleContext, copy: Copy) -> Copy | None:
    """Another copy of the same field that is updated, if the field changes and items with the first copy are written
    again."""
    holders = {binding.name for binding in context.design.bindings if binding.entity is copy.entity}
    owners = [binding for binding in context.design.bindings if binding.entity.name == copy.source]
    if any(copy.attribute in identity(owner) for owner in owners):
        return None
    owner_names = {owner.name for owner in owners}
    writes = [pattern for pattern in single(context.design) if pattern.kind in ("put", "update", "increment")]
    is_rewritten = any(pattern.binding in holders and not pattern.if_absent for pattern in writes)
    is_changed = any(
        pattern.binding in owner_names
        and (copy.attribute in changed(pattern) or (pattern.kind == "put" and not pattern.if_absent))
        for pattern in writes
    )
    others = (
        other
        for other in copies(context.design)
        if other.declared is not None
        and other.declared.sync != "never"
        and (other.source, other.attribute) == (copy.source, copy.attribute)
    )
    return next(others, None) if is_rewritten and is_changed else None


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
