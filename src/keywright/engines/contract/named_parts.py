"""The named parts of a declaration: indexes, views and groups."""

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from keywright.errors import NOWHERE, Place
from keywright.ir.binding import Binding, Physical
from keywright.record import Record

PartOwner: TypeAlias = Binding[Any] | Physical[Any]
"""A declaration with parts."""


class Listed(Record):
    """One part."""

    name: str
    """Its declared name, or the name that the server gives it."""
    argument: str
    """The argument of the declaration that lists it."""
    position: int
    """Its position in that list, from 0."""
    spec: Any
    """The user's declaration of it."""

    @property
    def at(self) -> Place:
        """The place of its declaration; NOWHERE if unknown."""
        place: Place = getattr(self.spec, "at", NOWHERE)
        return place


def by_names(owner: PartOwner) -> Iterator[Listed]:
    """The parts with a declared name, or with a reference to a named part."""
    return listed(owner, lambda part: str(getattr(getattr(part, "gsi", part), "name", None) or ""))


def listed(owner: PartOwner, name: Callable[[Any], str]) -> Iterator[Listed]:
    """The parts of a declaration with a name.

    name: returns the name of a part; empty for a part without a name.
    """
    for argument, value in vars(owner.spec).items():
        for position, part in enumerate(value if isinstance(value, list) else ()):
            if part_name := name(part):
                yield Listed(part_name, argument, position, part)
