"""Rate limit of a pass: a token bucket with one token per item."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from keywright.record import Record


class Clock(Record):
    """Clock of a process; tests replace it."""

    now: Callable[[], float] = time.monotonic
    """Monotonic seconds."""
    sleep: Callable[[float], None] = time.sleep
    """Wait for some seconds."""


@dataclass
class Throttle:
    """Bucket shared by all workers of a process; a page may overdraw it, and the next page waits for that."""

    clock: Clock
    """Clock of the bucket."""
    rate: float | None = None
    """Items a second; None for no limit."""
    _tokens: float = 0
    _filled_at: float = 0
    _mutex: threading.Lock = field(default_factory=threading.Lock)

    def limit(self, most: int, seconds: float) -> int:
        """Size of the next page: at most the items of so many seconds, for an even rate and frequent heartbeats."""
        return most if self.rate is None else max(1, min(most, int(self.rate * seconds)))

    def spend(self, items: int) -> float:
        """Take tokens; returns the seconds by which the bucket is then overdrawn."""
        with self._mutex:
            if self.rate is None:
                return 0
            now = self.clock.now()
            if self._filled_at:
                self._tokens = min(self.rate, self._tokens + (now - self._filled_at) * self.rate)
            self._filled_at = now
            self._tokens -= items
            return max(0.0, -self._tokens / self.rate)
