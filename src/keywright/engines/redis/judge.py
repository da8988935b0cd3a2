"""Whether the server's own evidence of a call agrees with the path that was planned."""

from collections.abc import Iterator

from keywright.access.search import Planned
from keywright.engines.interface import Event

from .target import ServerTarget


def judge(planned: Planned[ServerTarget], events: tuple[Event, ...], returned: int) -> Iterator[str]:
    """See `Engine.judge`."""
    yield from ()
