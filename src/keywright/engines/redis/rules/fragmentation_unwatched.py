"""RED013: a server has reserved memory that it cannot use, because its free memory is fragmented.

https://redis.io/docs/latest/operate/oss_and_stack/management/optimization/memory-optimization/ (2026-11-22); the
thresholds are keywright's
"""

from collections.abc import Iterator

from keywright.engines.findings.context import FindingDraft
from keywright.engines.findings.observation import LiveTarget
from keywright.ir.text import counted


def live(live_target: LiveTarget, *, max_ratio: float = 1.5, max_mb: int = 100) -> Iterator[FindingDraft]:
    """A running server with more fragmentation, by ratio and by size: the ratio of little memory means nothing.

    max_ratio: reserved memory divided by used memory. max_mb: megabytes that a server may waste.
    """
    ratio, wasted = (live_target.observation.figure(f"mem_fragmentation_{name}") for name in ("ratio", "bytes"))
    if ratio is not None and wasted is not None and ratio > max_ratio and wasted > max_mb * 2**20:
        yield FindingDraft(
            problem=f'server "{live_target.name}" has taken {counted(ratio, "time", spec=".2f")} the memory that it '
            f"uses, {wasted / 2**20:,.0f} "
            f"MiB more; {max_ratio} and {counted(max_mb, 'is recommended', 'are recommended')}",
            help='say settings={"activedefrag": "yes"}, or restart it when nobody needs it',
            subject=live_target.name,
        )
