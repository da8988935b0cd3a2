"""GEN019: a stored schema version has no upgrade, so its items cannot be read."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext, fields
from keywright.engines.findings.observation import Items, LiveTarget
from keywright.engines.registry import engine_named
from keywright.ir.attribute import Many
from keywright.ir.binding import Binding
from keywright.ir.text import counted

_EXAMPLES = 5
"""Number of kinds of misfits in a message, most frequent first."""


def models(context: RuleContext) -> Iterator[FindingDraft]:
    """Report every earlier schema version without an upgrade."""
    for binding in context.design.bindings:
        version, upgrades = binding.spec.schema_version, binding.spec.upgrades
        missing = [number for number in range(1, version) if number not in upgrades]
        if missing:
            text = ", ".join(map(str, missing))
            yield FindingDraft(
                problem=f"stored items may have version {text}, but no upgrade leads to version {version}",
                help=f"add upgrades={{{missing[0]}: kw.Upgrade(...)}}, or confirm by kw.ignore that none are left",
                subject=binding.name,
            )


def live(live_target: LiveTarget) -> Iterator[FindingDraft]:
    """Report every entity with stored items in versions without an upgrade, or that its model rejects."""
    for binding, items in live_target.items():
        version, upgrades = binding.spec.schema_version, binding.spec.upgrades
        lost = {old: count for old, count in items.versions.items() if old != version and old not in upgrades}
        if lost:
            text = ", ".join(f"{count:,} of version {old}" for old, count in lost.items())
            yield FindingDraft(
                problem=f"{items.sample.of(sum(lost.values()), 'has', 'have')} a version without an upgrade: {text}",
                help=f"declare upgrades= from them to version {version}, or convert them by a backfill",
                subject=binding.name,
            )
            continue
        longer = dict(_longer_lists(binding, items))
        if not engine_named(binding.engine).traits.has_own_list_rules:
            for misfit, (path, bound) in longer.items():
                longest = max(items.lists.get(path, ()), default=0)
                many = f"up to {counted(longest, 'element', spec=',')}" if longest > bound else "more elements"
                yield FindingDraft(
                    problem=f'"{path}" has {many} in '
                    f"{items.sample.of(items.misfits[misfit])}{items.such_as('misfits', misfit)}, and its bound is "
                    f"{bound:,}: the model rejects such {items.sample.noun}s",
                    help="find the process that writes past the model; then raise max_length, or shorten the lists by "
                    "a backfill",
                    subject=binding.name,
                    field=path.partition(".")[0],
                )
        misfits = {misfit: count for misfit, count in items.misfits.items() if misfit not in longer}
        if misfits:
            worst = max(misfits.values())
            text = "; ".join(
                f"{misfit} ({count:,}{items.such_as('misfits', misfit)})"
                for misfit, count in list(misfits.items())[:_EXAMPLES]
            )
            more = f"; and {len(misfits) - _EXAMPLES} more" if len(misfits) > _EXAMPLES else ""
            yield FindingDraft(
                problem=f"at least {items.sample.of(worst, 'does', 'do')} not match the model: {text}{more}",
                help="adapt the model to the stored items, or correct the items by a backfill",
                subject=binding.name,
            )


def _longer_lists(binding: Binding, items: Items) -> Iterator[tuple[str, tuple[str, int]]]:
    """(misfit, (path, bound)) of each list that is longer than its bound."""
    for path, attribute in fields(binding.entity.attributes):
        bound = attribute.type.max_items if isinstance(attribute.type, Many) else None
        for misfit in items.misfits:
            if bound is not None and misfit.replace("[]", "") == f'"{path}": too long':
                yield misfit, (path, bound)
