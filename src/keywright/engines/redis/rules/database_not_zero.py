"""RED106: keys are in logical databases beside the first, which no cluster has and no module looks into.

https://redis.io/docs/latest/commands/select/ (2026-11-22)
"""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.observation import Seen


def live(seen: Seen) -> Iterator[Flaw]:
    """A running server with keys in another logical database than the first."""
    told = seen.found.figures.get("databases")
    others = [number for number in str(told or "").split() if number != "0"]
    if others:
        word = "database" if len(others) == 1 else "databases"
        yield Flaw(
            problem=f'server "{seen.name}" holds keys in logical {word} {", ".join(others)}: they share its memory, '
            "its thread and its eviction, and a cluster has the first alone",
            help="keep what is of another purpose on a server of its own, or under a prefix of its own",
            subject=seen.name,
        )
