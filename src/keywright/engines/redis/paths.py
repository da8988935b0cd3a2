"""Which keys and indexes serve a pattern, with the native query, or why they do not."""

from collections.abc import Iterator

from keywright.access.path import By, Candidate, Rejected
from keywright.access.search import Planned
from keywright.ir.binding import Binding
from keywright.ir.json import Json
from keywright.ir.pattern import Pattern

from .target import ServerTarget


def key_fields(target: ServerTarget, binding: Binding) -> tuple[str, ...]:
    """See `Engine.key_fields`."""
    return ()


def paths(target: ServerTarget, binding: Binding, pattern: Pattern) -> Iterator[Candidate]:
    """See `Engine.paths`."""
    yield from ()


def together(target: ServerTarget, parts: tuple[Planned[ServerTarget], ...]) -> Candidate:
    """See `Engine.together`."""
    return Rejected(By("table", target.name), "not planned yet")


def query(planned: Planned[ServerTarget]) -> Json:
    """See `Engine.query`."""
    return None
