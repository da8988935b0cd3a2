"""What is sent for a planned pattern, as data: `dml` writes its CQL, `runtime.cassandra` carries it out."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from keywright.access.fill import Filled
from keywright.access.reading import Reading
from keywright.access.request import Asked
from keywright.ir.attribute import Type

Level: TypeAlias = Literal["LOCAL_ONE", "LOCAL_QUORUM"]
"""How many copies answer, of those in the data centre of the caller."""

Walk: TypeAlias = Literal["chain", "buckets", "merge"]
"""How the rows of several partitions become one answer: one partition after the other in any order; one bucket of time
after the other, the shards in it merged; all of them merged."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A column and what is in it."""

    name: str
    """Its name."""
    native: str
    """Its native type."""
    field: str
    """The field that it holds, as a dotted path; its own name where a template makes it."""
    type: Type | None = None
    """The logical type of that field; None where a template makes a text."""


@dataclass(frozen=True, slots=True)
class Term:
    """A key column that has one value in each statement."""

    cell: Cell
    """The column."""
    filled: Filled
    """What gives its values: a statement is sent for each."""


@dataclass(frozen=True, slots=True)
class Bound:
    """A condition that a column is compared with by order: a range or the beginning of a text."""

    cell: Cell
    """The column."""
    asked: Asked
    """The condition."""
    reading: Reading | None = None
    """How the texts of a column that a template makes are read."""


@dataclass(frozen=True, slots=True)
class Match:
    """A condition that an index answers."""

    cell: Cell
    """The indexed column."""
    asked: Asked
    """The condition."""
    operator: Literal["=", "CONTAINS"]
    """How it is written; an order is a `Bound`."""
    index: str
    """Name of the index."""


@dataclass(frozen=True, slots=True)
class Open:
    """A clustering column that has several values in a statement."""

    cell: Cell
    """The column."""
    is_descending: bool
    """Whether the answer holds its largest value first."""


@dataclass(frozen=True, slots=True)
class Sorted:
    """A part of the order in which streams are merged."""

    column: str
    """The column."""
    is_descending: bool
    """Whether the largest comes first."""
    is_timed: bool = False
    """Whether the moment in its values counts."""


@dataclass(frozen=True, slots=True)
class Select:
    """Rows of one table or view."""

    keyspace: str
    """The keyspace."""
    relation: str
    """The table or view."""
    columns: tuple[str, ...]
    """The columns that are read."""
    partition: tuple[Term, ...] = ()
    """The partition key in full; nothing where only an index says which rows."""
    clustering: tuple[Term, ...] = ()
    """Clustering columns from the left that have one value each."""
    bounds: tuple[Bound, ...] = ()
    """Ranges on the clustering column behind them, and on indexed columns."""
    matches: tuple[Match, ...] = ()
    """What indexes answer."""
    open: tuple[Open, ...] = ()
    """The other clustering columns."""
    keys: tuple[Cell, ...] = ()
    """The partition key, where only an index says which rows: pages are resumed by its token."""
    orders: bool = False
    """Whether the order is said; else rows come as the table keeps them."""
    walk: Walk = "chain"
    """How several partitions become one answer."""
    walked: int | None = None
    """Which part of `partition` holds the buckets that are walked."""
    is_backward: bool = False
    """Whether buckets are walked from the newest."""
    sorted: tuple[Sorted, ...] = ()
    """The wanted order, for a merge."""
    counted: str | None = None
    """What is counted, where only the number of rows is wanted: `*`, or a column that rows have and partitions lack."""
    partial: bool = False
    """Whether columns are missing that the model has."""
    residual: tuple[Asked, ...] = ()
    """Conditions judged on the items that were read."""
    level: Level = "LOCAL_ONE"
    """Consistency level."""

    @property
    def is_row(self) -> bool:
        """Whether a statement reads one row at the most."""
        return not self.open and not self.keys

    @property
    def fan_out(self) -> int | None:
        """Statements for one page at the most, none resumed; None where the caller's lists say how many."""
        found = self.matched if self.matches else 1
        for terms in (self.partition, self.clustering):
            for term in terms:
                for slot in term.filled.slots:
                    if slot.count is None:
                        return None
                    found *= slot.count
        return found or None

    @property
    def matched(self) -> int:
        """Values for which indexes are asked, one by one; 0 where the caller's list says how many."""
        found = 1
        for match in self.matches:
            if match.asked.how == "one_of":
                found *= len(match.asked.constants or ())
        return found
