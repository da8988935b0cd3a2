"""Fixes: edits of a declaration that remove a finding, as data that `edit` applies to model files."""

from typing import TypeAlias

from keywright.errors import NOWHERE, Place
from keywright.record import Record


class SetArgument(Record):
    """Adds an argument to the declaration, or changes its value."""

    argument: str
    """Its name, such as `limit`."""
    source: str
    """Its value as Python source, such as `100` or `timedelta(days=30)`."""


class AddElement(Record):
    """Appends an element to a list argument of the declaration."""

    argument: str
    """Name of the argument, such as `indexes`."""
    source: str
    """The element as Python source, such as `kw.Index("tags")`."""


class AddFact(Record):
    """Adds a fact to the `Annotated` of the field."""

    source: str
    """As Python source, such as `Field(max_length=100)`."""


class Retype(Record):
    """Changes the type of the field."""

    before: str
    """The name of the old type, such as `float`."""
    after: str
    """The name of the new type, such as `Decimal`."""


class DropPart(Record):
    """Removes the index, view or group."""


FixEdit: TypeAlias = SetArgument | AddElement | AddFact | Retype | DropPart
"""One change of a declaration; `edit` adds the necessary imports."""


class Fix(Record):
    """An edit that removes a finding."""

    edits: tuple[FixEdit, ...]
    """All its edits; they apply to the subject, part and field of the finding."""
    is_safe: bool = False
    """Whether stored data and every query stay valid; otherwise keys, data, results or costs change."""


class FixLocation(Record):
    """The location of a fix; places are absolute."""

    declaration: Place
    """The line of the statement with the call that makes the declaration."""
    part: tuple[str, int] | None = None
    """(list argument, position) of the part, if the fix changes a part; an empty name for the first argument."""
    model: str = ""
    """Name of the class, if the fix changes a field."""
    field: str = ""
    """Name of the field; empty if the fix changes no field."""
    field_at: Place = NOWHERE
    """The place of the field."""
    class_name: str = ""
    """Name of the called class, such as `Collection`; calls of other names are not changed."""
