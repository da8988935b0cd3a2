"""What `up` and `down` tell while they work: one small value per thing that happens, for whoever prints it."""

from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Literal

Phase = Literal["wait", "licence", "fetch", "start", "ready", "skip", "stop"]


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened to one server."""

    engine: str
    """Engine of the server; empty for what concerns all of them."""
    name: str
    """Name of the server, as in `Instance`; empty while its program is still being looked for."""
    phase: Phase
    """What happens: waiting for another command, showing a licence, fetching, starting, ready, skipped, stopped."""
    text: str
    """One sentence, or the licence note."""
    seconds: float = 0
    """How long it took; 0 for what only begins."""


Tell = Callable[[Event], None]


def one_at_a_time(tell: Tell) -> Tell:
    """The same listener, never called by two threads at once."""
    lock = Lock()

    def told(event: Event) -> None:
        with lock:
            tell(event)

    return told
