"""Calls of planned reads as data. `dml` writes their CQL, and `runtime.cassandra` executes them."""

from typing import Literal, TypeAlias

from keywright.access.fill import Filled
from keywright.access.key_range import Reading
from keywright.access.query import Condition
from keywright.ir.attribute import Type
from keywright.record import Record

Level: TypeAlias = Literal["LOCAL_ONE", "LOCAL_QUORUM"]
"""Consistency level: the number of copies in the caller's data centre that answer."""

PartitionWalk: TypeAlias = Literal["chain", "buckets", "merge"]
"""Combination of the rows of several partitions: `chain` reads partitions in any order, `buckets` reads time buckets in
order and merges the shards of each, `merge` merges all partitions."""


class Cell(Record):
    """A column and its content."""

    name: str
    """Stored name."""
    native: str
    """Native type."""
    field: str
    """The stored field as a dotted path; the column's own name if a template computes it."""
    type: Type | None = None
    """The logical type of that field; None if a template computes a text."""


class FixedColumn(Record):
    """A key column that has one value in each statement."""

    cell: Cell
    """The column."""
    filled: Filled
    """The source of its values. A statement is sent for each value."""


class RangeCondition(Record):
    """A condition that the server compares by order: a range or a text prefix."""

    cell: Cell
    """The column."""
    condition: Condition
    """The condition."""
    reading: Reading | None = None
    """The parts of a text that a template computes; None for other columns."""


class IndexCondition(Record):
    """A condition that an index answers."""

    cell: Cell
    """The indexed column."""
    condition: Condition
    """The condition."""
    operator: Literal["=", "CONTAINS"]
    """The operator in CQL. A comparison by order is a `RangeCondition`."""
    index: str
    """Name of the index."""


class NearestVectors(Record):
    """The order of a read by similarity with a vector. The server finds the nearest rows approximately."""

    cell: Cell
    """The column of the vector."""
    condition: Condition
    """The condition with the vector of the call."""
    index: str
    """Name of the index."""


class Open(Record):
    """A clustering column that has several values in a statement."""

    cell: Cell
    """The column."""
    is_descending: bool
    """Whether the answer has its largest value first."""


class MergeOrder(Record):
    """A column of the order in which streams are merged."""

    column: str
    """The column."""
    is_descending: bool
    """Whether the largest value is first."""
    is_timed: bool = False
    """Whether values are compared by the moment in them."""


class Select(Record):
    """A read of rows of a table or view."""

    keyspace: str
    """The keyspace."""
    relation: str
    """The table or view."""
    columns: tuple[str, ...]
    """Columns to read."""
    partition: tuple[FixedColumn, ...] = ()
    """The complete partition key; empty if only an index selects the rows."""
    clustering: tuple[FixedColumn, ...] = ()
    """Leading clustering columns that have one value each."""
    bounds: tuple[RangeCondition, ...] = ()
    """Ranges on the next clustering column and on indexed columns."""
    matches: tuple[IndexCondition, ...] = ()
    """Conditions that indexes answer."""
    open: tuple[Open, ...] = ()
    """The other clustering columns."""
    keys: tuple[Cell, ...] = ()
    """The partition key if only an index selects the rows: pages are resumed by its token."""
    orders: bool = False
    """Whether the statement has ORDER BY; otherwise rows are returned in the order of the table."""
    walk: PartitionWalk = "chain"
    """Combination of several partitions."""
    walked: int | None = None
    """Position in `partition` of the buckets that are read in order."""
    is_backward: bool = False
    """Whether buckets are read from the newest."""
    sorted: tuple[MergeOrder, ...] = ()
    """The requested order, for a merge."""
    counted: str | None = None
    """The argument of COUNT if only the number of rows is requested: `*`, or a column that a row always has."""
    partial: bool = False
    """Whether the model has columns that are not read."""
    residual: tuple[Condition, ...] = ()
    """Conditions that are checked after reading."""
    level: Level = "LOCAL_ONE"
    """Consistency level."""
    nearest: NearestVectors | None = None
    """The vector whose nearest rows are read, in one statement without further pages."""

    @property
    def is_row(self) -> bool:
        """Whether a statement reads at most one row."""
        return not self.open and not self.keys

    @property
    def fan_out(self) -> int | None:
        """Most statements for a first page; None if it depends on the lengths of the caller's lists."""
        matched = self.matched if self.matches else 1
        for terms in (self.partition, self.clustering):
            for term in terms:
                for slot in term.filled.slots:
                    if slot.count is None:
                        return None
                    matched *= slot.count
        return matched or None

    @property
    def matched(self) -> int:
        """Number of values that indexes look up, one statement each; 0 if it depends on the caller's list."""
        count = 1
        for match in self.matches:
            if match.condition.kind == "one_of":
                count *= len(match.condition.constants or ())
        return count
