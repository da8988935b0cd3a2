"""CAS005: rows that are too old are deleted, where a time to live would let them go."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw, Whole
from keywright.engines.flaws.rates import calls

from ..tables import entities


def models(whole: Whole) -> Iterator[Flaw]:
    """Every deletion because of age; counters cannot expire and are left out."""
    for target, binding, known in entities(whole):
        has_windows = target.environment.flavour != "keyspaces"
        if known.counters:
            continue
        for plan, _ in calls(whole, binding, "delete"):
            if plan.pattern.because == "expiry":
                windows = ", which also keeps them in windows of time that are dropped as a whole"
                yield Flaw(
                    problem=f'rows of "{binding.name}" are deleted because they are old, and each leaves a '
                    "tombstone that later reads walk over",
                    help=f"say ttl=timedelta(...) on the table{windows if has_windows else ''}",
                    subject=plan.pattern.name,
                    at=plan.pattern.at,
                )
