"""Declarations that would let an unserved pattern be served."""

from collections.abc import Iterator

from keywright.access.path import Fix
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern

from .target import DatabaseTarget


def fixes(target: DatabaseTarget, binding: Binding, pattern: Pattern) -> Iterator[Fix[DatabaseTarget]]:
    """See `Engine.fixes`."""
    yield from ()
