"""What would heal a flaw, as edits of a declaration: data, which `edit` carries out on the model files."""

from dataclasses import dataclass
from typing import TypeAlias

from keywright.errors import NOWHERE, Place


@dataclass(frozen=True, slots=True)
class SetArgument:
    """An argument of the declaration that the flaw is about: added, or given another value."""

    argument: str
    """Its name, such as `limit`."""
    source: str
    """Its value as Python source, such as `100` or `timedelta(days=30)`."""


@dataclass(frozen=True, slots=True)
class AddElement:
    """A further element of a list argument of the declaration that the flaw is about."""

    argument: str
    """Name of the argument, such as `indexes`."""
    source: str
    """The element as Python source, such as `kw.Index("tags")`."""


@dataclass(frozen=True, slots=True)
class AddFact:
    """A fact of the field that the flaw is about, in its `Annotated`."""

    source: str
    """As Python source, such as `Field(max_length=100)`."""


@dataclass(frozen=True, slots=True)
class Retype:
    """Another type of the field that the flaw is about."""

    before: str
    """The name to be replaced, such as `float`."""
    after: str
    """What stands there then, such as `Decimal`."""


@dataclass(frozen=True, slots=True)
class DropPart:
    """The index, view or group that the flaw is about goes."""


Edit: TypeAlias = SetArgument | AddElement | AddFact | Retype | DropPart
"""One change of a declaration; what it needs of imports is added with it."""


@dataclass(frozen=True, slots=True)
class Fix:
    """What would heal a flaw."""

    edits: tuple[Edit, ...]
    """All of it; the subject, part and field are those of the flaw."""
    is_safe: bool = False
    """Whether stored data and every query stay valid; else keys, data, answers or cost change."""


@dataclass(frozen=True, slots=True)
class Spot:
    """Where a fix is to be carried out; places are absolute."""

    declaration: Place
    """The declaration: a statement in this line makes it, by a call."""
    part: tuple[str, int] | None = None
    """The list argument and the position in it of the part that is meant; an empty name for the first argument."""
    model: str = ""
    """Name of the class, where a field is meant."""
    field: str = ""
    """Name of the field; empty where none is meant."""
    field_at: Place = NOWHERE
    """Where it stands."""
