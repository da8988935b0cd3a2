"""Getting a lock: at once where nobody holds it, else when it is released or its holder gives no sign any more."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from random import uniform
from typing import TypeAlias

from keywright.engines.interface import StatementFailed
from keywright.engines.ledger import UNHELD, Ledger, Lock
from keywright.errors import Blocked

from .holding import Lease, now

FAILURES = 5
"""How many statements may fail while one lock is acquired."""

LOOKS = 20
"""How often a watcher looks during a lease, at the least."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """What is told of a lock that somebody else holds, at each look at it."""

    place: str
    """Where the lock is."""
    owner: str
    """Who holds it."""
    held_seconds: float
    """For how long, by its beats."""
    left_seconds: float
    """After how long it is taken over if no other beat comes."""


Tell: TypeAlias = Callable[[Waiting], None]


def advice(owner: str) -> str:
    """What to do about a lock that somebody else holds."""
    return f"try again later; if that process is dead, release its lock: keywright migrate unlock --owner {owner}"


class Watch:
    """One attempt to get a lock."""

    def __init__(self, ledger: Ledger, owner: str, lease: Lease) -> None:
        self._ledger, self.owner, self._lease = ledger, owner, lease
        self._seen: Lock | None = None
        self._since = self._unchanged = 0.0
        self._refused: Lock | None = None
        self.has_tried = False

    def acquire(self, wait_seconds: float, tell: Tell) -> tuple[Lock, float]:
        """The lock as it was acquired, and when that was asked for, by `now`.

        A swap that failed may have taken effect: the next look tells, as no other holding has this owner.
        """
        ends, failures = time.monotonic() + wait_seconds, 0
        while True:
            try:
                seen = self.look()
                left = self._left(seen)
                if left > 0:
                    waiting = Waiting(self._ledger.place, seen.owner or "", self._held(seen), left)
                    self._wait(waiting, ends - time.monotonic(), tell)
                elif (taken := self._take(seen)) is not None:
                    return taken
            except StatementFailed:
                failures += 1
                if failures > FAILURES or self._seen is None:
                    raise
                time.sleep(self._pause())

    def look(self) -> Lock:
        """The lock as it is; notes for how long it has surely been so."""
        asked, seen = time.monotonic(), self._ledger.lock()
        if seen == self._refused:
            raise StatementFailed(f"{self._ledger.place}: the lock is as it was read, and cannot be changed")
        if seen != self._seen:
            self._seen, self._since, self._unchanged = seen, time.monotonic(), 0.0
        self._unchanged = max(0.0, asked - self._since)
        return seen

    def _left(self, seen: Lock) -> float:
        """Seconds until it may be taken."""
        return 0 if seen.owner in (None, self.owner) else self._lease.takeover_seconds - self._unchanged

    def _held(self, seen: Lock) -> float:
        return seen.beat * self._lease.beat_seconds + self._unchanged

    def _take(self, seen: Lock) -> tuple[Lock, float] | None:
        """The lock and when it was asked for; None if somebody else was faster."""
        if seen == UNHELD:
            self._ledger.prepare()
        is_mine = seen.owner == self.owner
        new = Lock(self.owner, seen.fence, seen.beat + 1) if is_mine else Lock(self.owner, seen.fence + 1, 0)
        self.has_tried, asked = True, now()
        if self._ledger.swap(seen, new):
            return new, asked
        self._refused = seen
        return None

    def _wait(self, waiting: Waiting, rest_seconds: float, tell: Tell) -> None:
        if rest_seconds <= 0:
            raise Blocked(
                f'{waiting.place}: "{waiting.owner}" has held the lock for {_spoken(waiting.held_seconds)}',
                advice(waiting.owner),
            )
        tell(waiting)
        time.sleep(min(self._pause(), rest_seconds, waiting.left_seconds))

    def _pause(self) -> float:
        """Seconds until the next look, different each time so that many do not look at once."""
        return self._lease.seconds / LOOKS * uniform(0.5, 1)


def _spoken(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 120 else f"{seconds / 60:.0f} min"
