"""GEN019: a stored schema version has no upgrade, so its items cannot be read."""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft, RuleContext
from keywright.engines.findings.observation import LiveTarget

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
        elif items.misfits:
            worst = max(items.misfits.values())
            text = "; ".join(
                f"{misfit} ({count:,}{items.such_as('misfits', misfit)})"
                for misfit, count in list(items.misfits.items())[:_EXAMPLES]
            )
            more = f"; and {len(items.misfits) - _EXAMPLES} more" if len(items.misfits) > _EXAMPLES else ""
            yield FindingDraft(
                problem=f"at least {items.sample.of(worst, 'does', 'do')} not match the model: {text}{more}",
                help="adapt the model to the stored items, or correct the items by a backfill",
                subject=binding.name,
            )
