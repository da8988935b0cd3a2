"""A lock that is held: it beats while its holder works, refuses what comes too late, and is let go at the end."""

import sys
import threading
import time
from dataclasses import dataclass

from keywright.engines.interface import StatementFailed
from keywright.engines.ledger import Ledger, Lock
from keywright.errors import Blocked
from keywright.ir.json import Json

ATTEMPTS = 3
"""How often a lock is tried to be let go: a beat may be on its way at the same time."""

PATIENCE_SECONDS = 5
"""How long that is tried where the server does not answer: whoever waits for the end of the program waits for it."""


@dataclass(frozen=True, slots=True)
class Lease:
    """How long a holder that gives no sign is believed to live; all times of the protocol follow from it."""

    seconds: float = 60
    """The length that the others are shares of; all who use a lock have the same one."""

    @property
    def beat_seconds(self) -> float:
        """From one beat to the next."""
        return self.seconds / 4

    @property
    def limit_seconds(self) -> float:
        """How long a holder works on after its last good beat: it ends well before anybody takes over."""
        return self.seconds * 2 / 3

    @property
    def takeover_seconds(self) -> float:
        """How long a watcher sees one and the same beat before it takes over."""
        return self.seconds * 7 / 6


class LockLost(Blocked):
    """The lock was held and is not any more, or may not be: its holder starts nothing and writes nothing."""

    def __init__(self, place: str, why: str) -> None:
        super().__init__(
            f"{place}: the lock was lost: {why}", "run the same command again; it goes on from what was recorded"
        )
        self.place, self.why = place, why


def now() -> float:
    """Seconds on a clock that goes on while the machine sleeps, where there is one: a lock is lost meanwhile."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if sys.platform == "linux" else time.monotonic()


class Holding:
    """A lock in the hands of its holder, as `held` gives it."""

    fence: int
    """The number of this holding."""

    def __init__(self, ledger: Ledger, lease: Lease, lock: Lock, since: float) -> None:
        """Begin to beat.

        lock: as it was acquired. since: when that was asked for, by `now`.
        """
        self.fence = lock.fence
        self._ledger, self._lease, self._owner = ledger, lease, lock.owner or ""
        self._seen: Lock | None = lock  # None while nobody knows whether the last beat took effect
        self._good, self._lost = since, ""
        self._ends = threading.Event()
        self._heart = threading.Thread(target=self._live, name=f"lock in {ledger.place}", daemon=True)
        self._heart.start()

    def check(self) -> None:
        """Raise LockLost if somebody took over, or if beats have failed for so long that somebody may.

        To be called before anything that `put` does not guard.
        """
        if self._is_over(now()):
            raise LockLost(self._ledger.place, self._lost)

    def put(self, key: str, row: Json) -> None:
        """Write a row of the history; raises LockLost if the store's lock has another fence by now."""
        self.check()
        if not self._ledger.put(key, row, self.fence):
            self._lost = "somebody else has taken over"
            self.check()

    def end(self) -> None:
        """Stop beating and release the lock."""
        self._ends.set()
        let_go(self._ledger, self._owner)
        self._heart.join(self._lease.beat_seconds)

    def _is_over(self, at: float) -> bool:
        """Whether the lock is lost; it stays so, even if a beat would be taken again."""
        if not self._lost and at - self._good > self._lease.limit_seconds:
            self._lost = f"no beat was taken for {self._lease.limit_seconds:.3g} s"
        return bool(self._lost)

    def _live(self) -> None:
        pause = self._lease.beat_seconds
        while not self._lost and not self._ends.wait(pause):
            pause = self._beat()

    def _beat(self) -> float:
        """Beat once; returns seconds until the next time, which comes soon after a failure."""
        asked = now()
        if self._is_over(asked):
            return 0
        try:
            seen = self._seen or self._ledger.lock()
            if (seen.owner, seen.fence) != (self._owner, self.fence):
                self._lost = f'"{seen.owner}" has taken over' if seen.owner else "somebody has released it"
                return 0
            self._seen, beat = None, Lock(seen.owner, seen.fence, seen.beat + 1)
            if self._ledger.swap(seen, beat):
                self._seen, self._good = beat, asked
                return self._lease.beat_seconds
        except StatementFailed:
            pass  # tried again until the limit
        return self._lease.beat_seconds / 8


def let_go(ledger: Ledger, owner: str) -> None:
    """Release the lock if this owner has it; one that cannot be released is waited out by the next."""
    ends = time.monotonic() + PATIENCE_SECONDS
    for _ in range(ATTEMPTS):
        try:
            seen = ledger.lock()
            if seen.owner != owner or ledger.swap(seen, Lock(None, seen.fence, seen.beat)):
                return
        except StatementFailed:
            if time.monotonic() > ends:
                return
