"""RED102: keys whose value is written by SET have lost their expiry to it."""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.observation import Seen

from ..kept import endless
from ..layout import VALUE_KINDS


def live(seen: Seen) -> Iterator[Flaw]:
    """Every entity of single values of which some stay though all should go."""
    for one, kept in endless(seen):
        if one.kind in VALUE_KINDS:
            yield Flaw(
                problem=f"{kept} have lost their expiry, as SET leaves none",
                help="find out who writes them past keywright: SET takes EX, or KEEPTTL; give those that are there one",
                subject=one.entity,
            )
