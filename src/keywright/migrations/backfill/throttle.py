"""How fast a pass may go: a bucket of tokens that fills at a rate, one token an item."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Clock:
    """Time, as a process sees it; tests have one of their own."""

    now: Callable[[], float] = time.monotonic
    """Seconds since some moment, which only rise."""
    sleep: Callable[[float], None] = time.sleep
    """Wait for some seconds."""


@dataclass
class Throttle:
    """A bucket that all workers of a process share; it may be overdrawn by one page, which the next one waits for."""

    clock: Clock
    """Time."""
    rate: float | None = None
    """Items a second; None for as fast as it goes."""
    _tokens: float = 0
    _filled_at: float = 0
    _mutex: threading.Lock = field(default_factory=threading.Lock)

    def limit(self, most: int, seconds: float) -> int:
        """The size of the next page: no more than so many seconds are worth: it goes evenly, and others see it."""
        return most if self.rate is None else max(1, min(most, int(self.rate * seconds)))

    def spend(self, items: int) -> float:
        """Take tokens; returns for how many seconds the bucket is overdrawn then."""
        with self._mutex:
            if self.rate is None:
                return 0
            now = self.clock.now()
            if self._filled_at:
                self._tokens = min(self.rate, self._tokens + (now - self._filled_at) * self.rate)
            self._filled_at = now
            self._tokens -= items
            return max(0.0, -self._tokens / self.rate)
