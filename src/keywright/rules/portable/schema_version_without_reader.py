"""GEN019: a stored version of an entity has no upgrade, so that nobody can read its items."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.observation import Seen

_TOLD = 3
"""Kinds of misfits that are told, those of most items first."""


def models(whole: Whole) -> Iterator[Flaw]:
    """Every version below the present one that leads nowhere."""
    for binding in whole.design.bindings:
        version, upgrades = getattr(binding.spec, "schema_version", 1), getattr(binding.spec, "upgrades", {})
        missing = [one for one in range(1, version) if one not in upgrades]
        if missing:
            told = ", ".join(map(str, missing))
            yield Flaw(
                problem=f"items of version {told} may be stored, and nothing leads from there to {version}",
                help=f"say upgrades={{{missing[0]}: kw.Upgrade(...)}}; or that none are left, by kw.ignore",
                subject=binding.name,
            )


def live(seen: Seen) -> Iterator[Flaw]:
    """Every entity of which items are stored in versions that nothing leads from, or that its model does not take."""
    for binding, items in seen.items():
        version, upgrades = getattr(binding.spec, "schema_version", 1), getattr(binding.spec, "upgrades", {})
        lost = {one: count for one, count in items.versions.items() if one != version and one not in upgrades}
        if lost:
            told = ", ".join(f"{count:,} of version {one}" for one, count in lost.items())
            yield Flaw(
                problem=f"{items.sample.of(sum(lost.values()))} are of versions that nothing leads from: {told}",
                help=f"say upgrades= from them to {version}, or rewrite them by a backfill",
                subject=binding.name,
            )
        elif items.misfits:
            worst = max(items.misfits.values())
            told = "; ".join(f"{what} ({count:,})" for what, count in list(items.misfits.items())[:_TOLD])
            yield Flaw(
                problem=f"at least {items.sample.of(worst)} are not what the model takes: {told}",
                help="say in the model what is stored, or put the items right by a backfill",
                subject=binding.name,
            )
