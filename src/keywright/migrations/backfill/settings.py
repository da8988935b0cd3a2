"""Settings of a pass over stored items, its progress and its result."""

from collections.abc import Callable
from typing import Literal, TypeAlias

from keywright.record import Record, field

from .segments import Counts
from .throttle import Clock

PassEnd: TypeAlias = Literal["done", "failed", "aborted"]


def _goes_on() -> None:
    """Check of a pass that runs without a lock; a named function, because settings are sent to other processes."""


class BackfillSettings(Record, kw_only=True):
    """Settings of a pass."""

    segments: int = 64
    """Approximate number of segments; fixed when the pass begins."""
    workers: int = 2
    """Threads of this process, so that one computes while the server writes for another; processes may join."""
    page: int = 2000
    """Maximum of items that a worker holds at once."""
    ahead: int = 20_000
    """Maximum of items per request that the server itself transforms."""
    rate: float | None = None
    """Items a second of this process; None for no limit."""
    max_failed: int = 0
    """Number of items in quarantine that do not block the following steps."""
    tries: int = 3
    """Number of times that a contended item is read again."""
    kept: int = 1000
    """Items of one segment in quarantine after which the segment fails, because the transform must be wrong."""
    lease_seconds: float = 60
    """Time without progress after which another worker takes a segment over."""
    poll_seconds: float = 5
    """Interval between two reads of the control row."""
    is_alone: bool = False
    """Whether no worker of an earlier run can be alive, which the store's lock guarantees: its segments are free."""
    restart: bool = False
    """Restart the pass, also with another transform."""
    fence: int | None = None
    """Fence of the store's lock for the pass; None for the fence of the current holder."""
    check: Callable[[], None] = _goes_on
    """Raises once the lock is lost; called before each page and while waiting."""
    clock: Clock = field(default_factory=Clock)
    """Clock of the pass."""


class PassProgress(Record):
    """Progress of a pass, over the workers of all processes."""

    counts: Counts
    """Counts so far."""
    segments_done: int
    """Finished segments."""
    segments: int
    """All segments."""
    per_second: float
    """Items a second that this process has read since its start."""
    seconds_left: float | None
    """Estimated remaining time; None if the number of items is unknown."""


class PassReport(Record):
    """Result of a pass."""

    ended: PassEnd
    """`done` if every segment is finished."""
    counts: Counts
    """Counts over all runs of the pass since it began."""
    quarantined: int
    """Items in quarantine."""
    problems: tuple[str, ...]
    """Reasons of failed segments."""
    is_blocked: bool
    """Whether the following steps must wait: the pass is not finished, or too many items failed."""
