"""Events that `up` and `down` report during their work, and the cancellation of work on several servers."""

import threading
from collections.abc import Callable
from typing import Literal

from keywright.record import Record

Phase = Literal["wait", "licence", "fetch", "start", "ready", "skip", "stop"]


class ServerEvent(Record):
    """One event of one server."""

    engine: str
    """Engine of the server; empty for events of all servers."""
    name: str
    """Name of the server, as in `WantedServer`; empty before its program is located."""
    phase: Phase
    """The event: waiting for another command, showing a licence, fetching, starting, ready, skipped, stopped."""
    text: str
    """One sentence, or the licence note."""
    seconds: float = 0
    """The duration; 0 for the start of an operation."""


Tell = Callable[[ServerEvent], None]


def one_at_a_time(tell: Tell) -> Tell:
    """The listener with a lock, so that two threads never call it at once."""
    lock = threading.Lock()

    def locked_tell(event: ServerEvent) -> None:
        with lock:
            tell(event)

    return locked_tell


NEVER = threading.Event()
"""An event that is never set, for work without cancellation; each wait checks such an event."""


class Cancelled(Exception):
    """The work was cancelled; its caller cleans up."""
