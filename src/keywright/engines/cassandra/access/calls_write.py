"""Calls of planned writes as data."""

from typing import Literal, TypeAlias

from keywright.access.fill import Filled
from keywright.access.partial_write import Versions
from keywright.access.query import Condition
from keywright.record import Record

from .calls import Cell, FixedColumn, Level


class Lifetime(Record):
    """Lifetime of written values, instead of the time to live of the table."""

    seconds: int | None
    """Seconds; None if each call passes them."""


class Insert(Record):
    """An insert of whole rows."""

    keyspace: str
    """Name of the keyspace."""
    table: str
    """Name of the table."""
    columns: tuple[str, ...]
    """Every column of the entity, the primary key first."""
    keys: tuple[str, ...]
    """The primary key, to delete a row that has already expired."""
    partition: int
    """Number of its columns in the partition key."""
    if_absent: bool = False
    """Whether the row is rejected if its key exists."""
    expires: bool = False
    """Whether each row has an expiry of its own."""
    level: Level = "LOCAL_QUORUM"
    """Consistency level."""
    lifetime: Lifetime | None = None
    """Lifetime of the rows; None for the table's time to live, or an expiry of their own."""
    timestamp: str | None = None
    """The field with the time of the write; None for the time at which it is sent."""


class Guard(Record):
    """A condition of a lightweight transaction."""

    cell: Cell
    """The column."""
    condition: Condition | None = None
    """The condition; None to require that the column has a value."""
    element: int | None = None
    """An index of a list that must be free, so that the list does not exceed its bound."""


class Assignment(Record):
    """A change of one column in an update."""

    cell: Cell
    """The column."""
    kind: Literal["value", "template", "none", "push"]
    """The new content: the call's value, the text of a template, nothing, or an additional element."""
    part: Cell | None = None
    """The field of an unfrozen type if only that field is set."""
    filled: Filled | None = None
    """The template that computes the text, with its values."""


class UpdateRow(Record):
    """A change of an existing row."""

    keyspace: str
    """Name of the keyspace."""
    table: str
    """Name of the table."""
    key: tuple[FixedColumn, ...]
    """The complete primary key."""
    partition: int
    """Number of its columns in the partition key."""
    assignments: tuple[Assignment, ...]
    """Changes of columns."""
    guards: tuple[Guard, ...] = ()
    """Conditions of the change; if there are none, the row must exist."""
    ttl: Cell | None = None
    """The field with the time of expiry; None if the model has none."""
    ttl_seconds: int = 0
    """Seconds from that time to the expiry."""
    level: Level = "LOCAL_QUORUM"
    """Consistency level."""
    versions: Versions | None = None
    """The schema versions that the row may have; None for any, if the table has no column for versions."""
    sets_version: bool = False
    """Whether it writes the version again, because the last upgrade converts a column that it changes."""
    lifetime: Lifetime | None = None
    """Lifetime of the changed values; None as for an insert."""


class IncrementCounter(Record):
    """An increment of a counter."""

    keyspace: str
    """Name of the keyspace."""
    table: str
    """Name of the table."""
    key: tuple[FixedColumn, ...]
    """The complete primary key."""
    column: str
    """Name of the counter."""
    level: Level = "LOCAL_QUORUM"
    """Consistency level."""


class DeleteRows(Record):
    """A deletion of the rows with a key, or with a prefix of a key."""

    keyspace: str
    """Name of the keyspace."""
    table: str
    """Name of the table."""
    key: tuple[FixedColumn, ...]
    """The partition key and leading clustering columns. A statement is sent for each of their values."""
    partition: int
    """Number of its columns in the partition key."""
    guards: tuple[Guard, ...] = ()
    """Conditions on the row."""
    refuses: bool = False
    """Whether a condition that is not met is an error; otherwise the row is a different one and is kept."""
    level: Level = "LOCAL_QUORUM"
    """Consistency level."""


Write: TypeAlias = Insert | UpdateRow | IncrementCounter | DeleteRows
"""Any write."""


class Batch(Record):
    """A logged batch: writes that are all applied or none."""

    writes: tuple[Write, ...]
    """The writes in order."""
    is_conditional: bool = False
    """Whether a write has a condition; then all must be in one partition."""
    level: Level = "LOCAL_QUORUM"
    """Consistency level."""


SERIAL_LEVEL = "LOCAL_SERIAL"
"""Consistency level of the consensus in a lightweight transaction."""


def lifetime_of(write: Write) -> Lifetime | None:
    """Lifetime of the values that the pattern writes."""
    return write.lifetime if isinstance(write, (Insert, UpdateRow)) else None


def is_conditional(write: Write) -> bool:
    """Whether a write is a lightweight transaction."""
    match write:
        case Insert():
            return write.if_absent
        case UpdateRow():
            return True
        case DeleteRows():
            return bool(write.guards)
        case IncrementCounter():
            return False
