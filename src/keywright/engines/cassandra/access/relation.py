"""Tables, views and indexes as patterns speak of them."""

from dataclasses import dataclass
from typing import Literal

from keywright.ir.template import Template

from .calls import Cell


@dataclass(frozen=True, slots=True)
class Part:
    """A column as patterns speak of it."""

    cell: Cell
    """The column."""
    template: Template | None = None
    """What makes its value, where no field is it."""
    is_descending: bool = False
    """Whether the table holds its largest value first."""

    @property
    def name(self) -> str:
        """Its name."""
        return self.cell.name


@dataclass(frozen=True, slots=True)
class Relation:
    """A table or view."""

    kind: Literal["table", "view"]
    """Which."""
    name: str
    """Its name."""
    partition: tuple[Part, ...]
    """Its partition key."""
    clustering: tuple[Part, ...]
    """Its clustering columns."""
    columns: frozenset[str]
    """Names of all its columns."""
    lacks: str = ""
    """Why it does not hold all rows; empty where it does."""


@dataclass(frozen=True, slots=True)
class Indexed:
    """An index on a column of the entity."""

    name: str
    """Its name."""
    part: Part
    """The column."""
    of: Literal["", "values", "keys", "entries", "full"]
    """What of a collection is in it."""
    is_attached: bool
    """Whether it is a storage-attached one."""
    folds: bool
    """Whether it finds texts that are written otherwise too."""
