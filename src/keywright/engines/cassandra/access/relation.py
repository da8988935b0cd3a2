"""Tables, views and indexes with their columns mapped to fields."""

from typing import Literal

from keywright.access.path import Similarity
from keywright.ir.template import Template
from keywright.record import Record

from .calls import Cell


class RelationColumn(Record):
    """A column with the template that computes it."""

    cell: Cell
    """The column."""
    template: Template | None = None
    """The template of a computed column; None if the column stores a field."""
    is_descending: bool = False
    """Whether the table has its largest value first."""

    @property
    def name(self) -> str:
        """Stored name."""
        return self.cell.name


class Relation(Record):
    """A table or view."""

    kind: Literal["table", "view"]
    """Kind of relation."""
    name: str
    """Stored name."""
    partition: tuple[RelationColumn, ...]
    """Partition key."""
    clustering: tuple[RelationColumn, ...]
    """Clustering columns."""
    columns: frozenset[str]
    """Names of all columns."""
    lacks: str = ""
    """The reason why it does not contain all rows; empty if it does."""


class Indexed(Record):
    """An index on a column of the entity."""

    name: str
    """Name of the index."""
    part: RelationColumn
    """The column."""
    of: Literal["", "values", "keys", "entries", "full"]
    """The indexed part of a collection."""
    is_attached: bool
    """Whether it is a storage-attached index."""
    folds: bool
    """Whether it ignores case, accents or Unicode forms."""
    similarity: Similarity | None = None
    """The measure by which it finds vectors; None for other columns."""
