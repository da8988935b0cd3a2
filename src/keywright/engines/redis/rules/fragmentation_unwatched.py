"""RED013: memory that a server has taken and does not use, since what was freed lies in pieces.

https://redis.io/docs/latest/operate/oss_and_stack/management/optimization/memory-optimization/ (2026-11-22); the
numbers are ours
"""

from collections.abc import Iterator

from keywright.engines.flaws.context import Flaw
from keywright.engines.flaws.observation import Seen


def live(seen: Seen, *, max_ratio: float = 1.5, max_mb: int = 100) -> Iterator[Flaw]:
    """A running server with more of it than that, by share and by size: of little memory the share says nothing.

    max_ratio: memory that it has taken, by what it uses. max_mb: megabytes that it may waste.
    """
    ratio, wasted = (seen.found.figure(f"mem_fragmentation_{name}") for name in ("ratio", "bytes"))
    if ratio is not None and wasted is not None and ratio > max_ratio and wasted > max_mb * 2**20:
        yield Flaw(
            problem=f'server "{seen.name}" has taken {ratio:.2f} times the memory that it uses, {wasted / 2**20:,.0f} '
            f"MiB more; {max_ratio} and {max_mb} are good bounds",
            help='say settings={"activedefrag": "yes"}, or restart it when nobody needs it',
            subject=seen.name,
        )
