"""GEN019: a stored version of an entity has no upgrade, so that nobody can read its items."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole


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
