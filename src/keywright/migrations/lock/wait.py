"""Acquiring a lock: at once if it is free, else when it is released or its lease expires."""

import time
from collections.abc import Callable
from random import uniform
from typing import TypeAlias

from keywright.engines.contract.ledger import UNHELD, Ledger, Lock
from keywright.engines.interface import StatementFailed
from keywright.errors import Blocked
from keywright.record import Record

from .lease import Lease, now

FAILURES = 5
"""Failed statements that are tolerated while a lock is acquired."""

LOOKS = 20
"""Smallest number of reads of the lock per lease."""


class LockWait(Record):
    """State of a lock that another process holds, reported at each read."""

    place: str
    """Location of the lock."""
    owner: str
    """Holder of the lock."""
    held_seconds: float
    """Time since it was acquired, by its heartbeats."""
    left_seconds: float
    """Time until it is taken over if no further heartbeat arrives."""


Notify: TypeAlias = Callable[[LockWait], None]


def advice(owner: str) -> str:
    """Help text for a lock that another process holds."""
    return f"try again later; if that process is dead, release its lock: keywright migrate unlock --owner {owner}"


class LockAttempt:
    """An attempt to acquire a lock."""

    def __init__(self, ledger: Ledger, owner: str, lease: Lease) -> None:
        self._ledger, self.owner, self._lease = ledger, owner, lease
        self._seen: Lock | None = None
        self._since = self._unchanged = 0.0
        self._refused: Lock | None = None
        self.has_tried = False

    def acquire(self, wait_seconds: float, tell: Notify) -> tuple[Lock, float]:
        """The acquired lock, and the time of the request by `now`.

        A failed swap may have taken effect. The next read shows it, because the owner's name is unique.
        """
        ends, failures = time.monotonic() + wait_seconds, 0
        while True:
            try:
                lock = self.look()
                left_seconds = self._left(lock)
                if left_seconds > 0:
                    waiting = LockWait(self._ledger.place, lock.owner or "", self._held_seconds(lock), left_seconds)
                    self._wait(waiting, ends - time.monotonic(), tell)
                elif (taken := self._take(lock)) is not None:
                    return taken
            except StatementFailed:
                failures += 1
                if failures > FAILURES or self._seen is None:
                    raise
                time.sleep(self._pause())

    def look(self) -> Lock:
        """Read the lock, and note for how long it has certainly been unchanged."""
        requested_at, lock = time.monotonic(), self._ledger.lock()
        if lock == self._refused:
            raise StatementFailed(f"{self._ledger.place}: the lock is unchanged, but its update was rejected")
        if lock != self._seen:
            self._seen, self._since, self._unchanged = lock, time.monotonic(), 0.0
        self._unchanged = max(0.0, requested_at - self._since)
        return lock

    def _left(self, lock: Lock) -> float:
        """Seconds until the lock may be taken."""
        return 0 if lock.owner in (None, self.owner) else self._lease.takeover_seconds - self._unchanged

    def _held_seconds(self, lock: Lock) -> float:
        return lock.beat * self._lease.beat_seconds + self._unchanged

    def _take(self, lock: Lock) -> tuple[Lock, float] | None:
        """The lock and the time of the request; None if another process was faster."""
        if lock == UNHELD:
            self._ledger.prepare()
        is_mine = lock.owner == self.owner
        new = Lock(self.owner, lock.fence, lock.beat + 1) if is_mine else Lock(self.owner, lock.fence + 1, 0)
        self.has_tried, requested_at = True, now()
        if self._ledger.swap(lock, new):
            return new, requested_at
        self._refused = lock
        return None

    def _wait(self, waiting: LockWait, rest_seconds: float, tell: Notify) -> None:
        if rest_seconds <= 0:
            raise Blocked(
                f'{waiting.place}: "{waiting.owner}" has held the lock for {_duration_text(waiting.held_seconds)}',
                advice(waiting.owner),
            )
        tell(waiting)
        time.sleep(min(self._pause(), rest_seconds, waiting.left_seconds))

    def _pause(self) -> float:
        """Seconds until the next read; random, so that many watchers do not read at once."""
        return self._lease.seconds / LOOKS * uniform(0.5, 1)


def _duration_text(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
