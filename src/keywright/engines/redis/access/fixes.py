"""Declarations that would let an unserved pattern be served."""

from collections.abc import Iterator

from keywright.access.path import Fix
from keywright.ir.binding import Binding
from keywright.ir.pattern import Pattern

from ..target import ServerTarget


def fixes(target: ServerTarget, binding: Binding, pattern: Pattern) -> Iterator[Fix[ServerTarget]]:
    """See `Engine.fixes`: there are none.

    Redis has no indexes. Another way to find an entity is another structure with a key of its own, which is another
    entity that the application writes too, not an element of a list in the declaration of the first: so the reasons
    of `paths` say which structure that would be.
    """
    yield from ()
