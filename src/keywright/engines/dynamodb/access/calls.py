"""What a served pattern sends: everything that is decided before a call gives its values."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from keywright.access.fill import Filled
from keywright.access.reading import Reading
from keywright.access.request import Asked, Ordering
from keywright.ir.template import Template


@dataclass(frozen=True, slots=True)
class Filling:
    """One attribute of a key and what fills it."""

    attribute: str
    """Stored name."""
    native: str
    """S, N or B."""
    filled: Filled
    """Where its values come from; a lone placeholder keeps its native value."""


@dataclass(frozen=True, slots=True)
class Span:
    """The values of a sort key attribute that are read: one text, those with a beginning, those between two."""

    attribute: str
    """Stored name."""
    native: str
    """S, N or B."""
    reading: Reading
    """Which part of its template's texts; a placeholder with several values makes one span of each."""


@dataclass(frozen=True, slots=True)
class Place:
    """The table that a call is sent to, and the key of one item or several in it."""

    table: str
    """Physical name."""
    key: tuple[Filling, ...]
    """Its key attributes, partition key first."""
    copies: int = 1
    """Items that each instance is stored as: a read draws one, a write writes all."""


@dataclass(frozen=True, slots=True)
class GetItem:
    """One item by its key."""

    place: Place
    """Where."""
    attributes: tuple[str, ...] = ()
    """Stored names of what is wanted; empty for all."""
    is_strong: bool = False
    """Whether the read is consistent."""


@dataclass(frozen=True, slots=True)
class BatchGetItem:
    """Items by their keys, 100 in a request."""

    place: Place
    """Where."""
    attributes: tuple[str, ...] = ()
    """Stored names of what is wanted; empty for all."""
    is_strong: bool = False
    """Whether the read is consistent."""
    order: tuple[Ordering, ...] = ()
    """How what was read is sorted."""


@dataclass(frozen=True, slots=True)
class Query:
    """Items of one partition, or of several, one after the other or merged."""

    table: str
    """Physical name."""
    index: str
    """Name of the index; empty for the table."""
    key: tuple[Filling, ...]
    """The partition half of the key."""
    equal: tuple[Filling, ...] = ()
    """Leading attributes of the sort half with one value each."""
    span: Span | None = None
    """What is read of the attribute behind them."""
    sorts: tuple[str, ...] = ()
    """Attributes of the sort half, by which items of several partitions are merged."""
    is_backward: bool = False
    """Whether the last item comes first."""
    filters: tuple[Asked, ...] = ()
    """Conditions that the server judges after reading."""
    mark: tuple[str, str] | None = None
    """(attribute, value) that items must have, where others share the partition."""
    head: tuple[str, str] | None = None
    """(attribute, text) with which their key in the table must begin, where the index does not hold the mark."""
    is_one: bool = False
    """Whether each partition gives one item at the most."""
    attributes: tuple[str, ...] = ()
    """Stored names of what is wanted, keys apart; empty for all that is there."""
    keys: tuple[str, ...] = ()
    """Attributes of the index's and the table's key, by which a page is resumed."""
    table_key: tuple[str, ...] = ()
    """Attributes of the table's key, by which items are fetched."""
    is_strong: bool = False
    """Whether the read is consistent."""
    fetches: bool = False
    """Whether the items are read from the table by the keys that the index gives."""
    is_completed: bool = False
    """Whether the server does so by itself, as it does for a local index."""
    is_narrow: bool = False
    """Whether the entries of the index are smaller than items."""
    copies: int = 1
    """Items that each instance is stored as, of which one is drawn."""
    merges: bool = False
    """Whether items of several partitions are merged by their sort keys; else one partition follows the other."""
    walked: str = ""
    """The field whose buckets of time are asked one after the other, whether or not they are merged inside."""
    limit: int | None = None
    """Items of a page by the pattern's own word."""
    counts: bool = False
    """Whether only their number is wanted."""


@dataclass(frozen=True, slots=True)
class Made:
    """Attributes that templates make of fields, as an update writes them anew."""

    index: str
    """The index that they are the key of; empty for a computed attribute or an expiry."""
    attributes: tuple[tuple[str, str, Template], ...]
    """(stored name, native type, template) of each."""
    where: tuple[Asked, ...] = ()
    """Conditions without which the attributes are removed."""
    optional: tuple[str, ...] = ()
    """Fields without which they are removed."""
    after_seconds: int | None = None
    """For an expiry: how long after the field's time it is."""


@dataclass(frozen=True, slots=True)
class Put:
    """Whole items."""

    place: Place
    """Where; what is written is made of the instances."""
    if_absent: bool = False
    """Whether it fails when the key is taken."""


@dataclass(frozen=True, slots=True)
class Update:
    """Changes of one item that is there."""

    place: Place
    """Where."""
    sets: tuple[str, ...] = ()
    """Fields that get a given value."""
    removes: tuple[str, ...] = ()
    """Fields that are removed."""
    pushes: str | None = None
    """List or set field that gets a given element."""
    most: int | None = None
    """Elements that it holds at the most."""
    adds: str | None = None
    """Number that is incremented."""
    made: tuple[Made, ...] = ()
    """What else follows from these changes."""
    guards: tuple[Asked, ...] = ()
    """What must hold of the item."""


@dataclass(frozen=True, slots=True)
class Delete:
    """Removes one item, or the one in every shard."""

    place: Place
    """Where."""
    guards: tuple[Asked, ...] = ()
    """What must hold of the item."""


Write: TypeAlias = Put | Update | Delete
"""What changes items."""


@dataclass(frozen=True, slots=True)
class TransactWrite:
    """Several writes together or none."""

    parts: tuple[Write, ...]
    """The writes in order."""


Call: TypeAlias = GetItem | BatchGetItem | Query | Write | TransactWrite
"""Whatever a path sends."""

Operation: TypeAlias = Literal[
    "GetItem", "BatchGetItem", "Query", "PutItem", "UpdateItem", "DeleteItem", "BatchWriteItem", "TransactWriteItems"
]
"""What the service calls it."""
