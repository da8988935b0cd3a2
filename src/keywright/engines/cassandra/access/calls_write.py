"""What is sent for a planned write, as data."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from keywright.access.fill import Filled
from keywright.access.request import Asked

from .calls import Cell, Level, Term


@dataclass(frozen=True, slots=True)
class Insert:
    """Whole rows."""

    keyspace: str
    """The keyspace."""
    table: str
    """The table."""
    columns: tuple[str, ...]
    """Every column of the entity, the primary key first."""
    keys: tuple[str, ...]
    """The primary key, by which a row that has expired already is removed."""
    partition: int
    """How many of its columns are the partition key."""
    if_absent: bool = False
    """Whether a key that is taken refuses the row."""
    expires: bool = False
    """Whether each row tells when it is gone."""
    level: Level = "LOCAL_QUORUM"
    """Consistency level."""


@dataclass(frozen=True, slots=True)
class Guard:
    """A condition of a lightweight transaction."""

    cell: Cell
    """The column."""
    asked: Asked | None = None
    """The condition; None for one that the column is there."""
    element: int | None = None
    """A place of a list that must be free, so that the list keeps its bound."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """What an update does to one column."""

    cell: Cell
    """The column."""
    kind: Literal["value", "template", "none", "push"]
    """It gets the call's value, the text of a template, nothing, or a further element."""
    part: Cell | None = None
    """The field of an unfrozen type that is set alone."""
    filled: Filled | None = None
    """What makes the text."""


@dataclass(frozen=True, slots=True)
class Update:
    """A change of one row that is there."""

    keyspace: str
    """The keyspace."""
    table: str
    """The table."""
    key: tuple[Term, ...]
    """The primary key in full."""
    partition: int
    """How many of its columns are the partition key."""
    assignments: tuple[Assignment, ...]
    """What changes."""
    guards: tuple[Guard, ...] = ()
    """What must hold; nothing means that the row exists."""
    ttl: Cell | None = None
    """The field that tells when the row is gone, where one does."""
    ttl_seconds: int = 0
    """Seconds after that time."""
    level: Level = "LOCAL_QUORUM"
    """Consistency level."""


@dataclass(frozen=True, slots=True)
class Increment:
    """A step of a counter."""

    keyspace: str
    """The keyspace."""
    table: str
    """The table."""
    key: tuple[Term, ...]
    """The primary key in full."""
    column: str
    """The counter."""
    level: Level = "LOCAL_QUORUM"
    """Consistency level."""


@dataclass(frozen=True, slots=True)
class Delete:
    """The rows under a key, or under its beginning."""

    keyspace: str
    """The keyspace."""
    table: str
    """The table."""
    key: tuple[Term, ...]
    """The partition key and clustering columns from the left; a statement is sent for each of their values."""
    partition: int
    """How many of its columns are the partition key."""
    guards: tuple[Guard, ...] = ()
    """What must hold of the row."""
    refuses: bool = False
    """Whether it is an error where they do not; else the row is another one, and stays."""
    level: Level = "LOCAL_QUORUM"
    """Consistency level."""


Write: TypeAlias = Insert | Update | Increment | Delete
"""Any write."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Writes that happen together or not at all: a logged batch."""

    writes: tuple[Write, ...]
    """The writes in order."""
    is_conditional: bool = False
    """Whether one of them has a condition: then all must be in one partition."""
    level: Level = "LOCAL_QUORUM"
    """Consistency level."""


SERIAL_LEVEL = "LOCAL_SERIAL"
"""Consistency level of the agreement in a lightweight transaction."""


def is_conditional(write: Write) -> bool:
    """Whether a write is a lightweight transaction."""
    match write:
        case Insert():
            return write.if_absent
        case Update():
            return True
        case Delete():
            return bool(write.guards)
        case Increment():
            return False
