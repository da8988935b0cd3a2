"""A held lock: sends heartbeats while its holder works, rejects late writes, and is released at the end."""

import sys
import threading
import time

from keywright.engines.contract.ledger import Ledger, Lock
from keywright.engines.interface import StatementFailed
from keywright.errors import Blocked
from keywright.ir.json import Json
from keywright.ir.text import figure
from keywright.record import Record

ATTEMPTS = 3
"""Attempts to release a lock; a concurrent heartbeat can make an attempt fail."""

PATIENCE_SECONDS = 5
"""Longest time for releasing when the server does not answer, because it delays the end of the program."""


class Lease(Record):
    """Time after which a holder without heartbeats counts as dead; all times of the protocol derive from it."""

    seconds: float = 60
    """Base of the other times; all processes that use a lock must have the same value."""

    @property
    def beat_seconds(self) -> float:
        """Time between two heartbeats."""
        return self.seconds / 4

    @property
    def limit_seconds(self) -> float:
        """Time that a holder continues after its last successful heartbeat; shorter than `takeover_seconds`."""
        return self.seconds * 2 / 3

    @property
    def takeover_seconds(self) -> float:
        """Time that a watcher must see the same heartbeat before it takes over."""
        return self.seconds * 7 / 6


class LockLost(Blocked):
    """The lock is lost or may be lost: its former holder starts nothing and writes nothing."""

    def __init__(self, place: str, why: str) -> None:
        super().__init__(
            f"{place}: the lock was lost: {why}", "run the same command again; it continues from the recorded state"
        )
        self.place, self.why = place, why


def now() -> float:
    """Seconds on a clock that continues while the machine sleeps, if available, because the lock expires meanwhile."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if sys.platform == "linux" else time.monotonic()


class HeldLock:
    """A lock from its holder's side, as `locking` yields it."""

    fence: int
    """Fence of the lock."""

    def __init__(self, ledger: Ledger, lease: Lease, lock: Lock, since: float) -> None:
        """Start the heartbeats.

        lock: the acquired lock. since: time of the request, by `now`.
        """
        self.fence = lock.fence
        self._ledger, self._lease, self._owner = ledger, lease, lock.owner or ""
        self._seen: Lock | None = lock  # None while it is unknown whether the last heartbeat took effect
        self._good, self._lost = since, ""
        self._ends = threading.Event()
        self._heart = threading.Thread(target=self._live, name=f"lock in {ledger.place}", daemon=True)
        self._heart.start()

    def check(self) -> None:
        """Raise LockLost if another process took over, or if heartbeats have failed for so long that one may have.

        Call it before every effect that `put` does not guard.
        """
        if self._is_over(now()):
            raise LockLost(self._ledger.place, self._lost)

    def put(self, key: str, row: Json) -> None:
        """Write a row of the history; raises LockLost if the store's lock has another fence."""
        self.check()
        if not self._ledger.put(key, row, self.fence):
            self._lost = "another process has taken over"
            self.check()

    def end(self) -> None:
        """Stop the heartbeats and release the lock."""
        self._ends.set()
        let_go(self._ledger, self._owner)
        self._heart.join(self._lease.beat_seconds)

    def _is_over(self, time_now: float) -> bool:
        """Whether the lock is lost; a lost lock stays lost, even if a later heartbeat would succeed."""
        if not self._lost and time_now - self._good > self._lease.limit_seconds:
            self._lost = f"no heartbeat succeeded for {figure(self._lease.limit_seconds)} s"
        return bool(self._lost)

    def _live(self) -> None:
        pause = self._lease.beat_seconds
        while not self._lost and not self._ends.wait(pause):
            pause = self._beat()

    def _beat(self) -> float:
        """Send a heartbeat; returns seconds until the next one, fewer after a failure."""
        requested_at = now()
        if self._is_over(requested_at):
            return 0
        try:
            lock = self._seen or self._ledger.lock()
            if (lock.owner, lock.fence) != (self._owner, self.fence):
                self._lost = f'"{lock.owner}" has taken over' if lock.owner else "it was released"
                return 0
            self._seen, beat = None, Lock(lock.owner, lock.fence, lock.beat + 1)
            if self._ledger.swap(lock, beat):
                self._seen, self._good = beat, requested_at
                return self._lease.beat_seconds
        except StatementFailed:
            pass  # retried until the limit
        return self._lease.beat_seconds / 8


def let_go(ledger: Ledger, owner: str) -> None:
    """Release the lock if this owner has it; if that fails, the next holder waits until the lease expires.

    Ctrl-C is raised only afterwards, because an interrupted release would make the next holder wait.
    """
    ends, interrupt = time.monotonic() + PATIENCE_SECONDS, None
    for _ in range(ATTEMPTS):
        try:
            lock = ledger.lock()
            if lock.owner != owner or ledger.swap(lock, Lock(None, lock.fence, lock.beat)):
                break
        except KeyboardInterrupt as pressed:
            interrupt = pressed
        except StatementFailed:
            if time.monotonic() > ends:
                break
    if interrupt is not None:
        raise interrupt
