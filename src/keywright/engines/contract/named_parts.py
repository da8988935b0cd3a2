"""The parts of a declaration that have names: what it lists of indexes, views and groups."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from keywright.errors import NOWHERE, Place
from keywright.ir.binding import Binding
from keywright.ir.physical import Physical

Owner: TypeAlias = Binding | Physical
"""What declares parts."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One part."""

    name: str
    """Its name, as declared or as the server would give it."""
    argument: str
    """The argument of the declaration that lists it."""
    position: int
    """Its place there, from 0."""
    spec: Any
    """The user's declaration of it."""

    @property
    def at(self) -> Place:
        """Where it is declared; nowhere if that is not known."""
        found: Place = getattr(self.spec, "at", NOWHERE)
        return found


def by_names(owner: Owner) -> Iterator[Listed]:
    """The parts that are declared with a name, or refer to something that is."""
    return listed(owner, lambda part: str(getattr(getattr(part, "gsi", part), "name", None) or ""))


def listed(owner: Owner, name: Callable[[Any], str]) -> Iterator[Listed]:
    """The parts of a declaration that have a name.

    name: tells the name of a part; empty for what has none.
    """
    for argument, value in vars(owner.spec).items():
        for position, part in enumerate(value if isinstance(value, list) else ()):
            if called := name(part):
                yield Listed(called, argument, position, part)
