"""Calls of served patterns: everything about a request that does not depend on the caller's values."""

from typing import Literal, TypeAlias

from keywright.access.fill import Filled
from keywright.access.key_range import Reading
from keywright.access.partial_write import Versions
from keywright.access.query import Condition, Ordering
from keywright.engines.contract.shape import Discriminator
from keywright.ir.template import Template
from keywright.record import Record


class Filling(Record):
    """One attribute of a key with the template that fills it."""

    attribute: str
    """Stored name."""
    native: str
    """S, N or B."""
    filled: Filled
    """Template and sources of its values; a lone placeholder keeps its native value."""


class Span(Record):
    """Range of a sort key attribute: one text, the texts with a prefix, or those between two bounds."""

    attribute: str
    """Stored name."""
    native: str
    """S, N or B."""
    reading: Reading
    """Part of its template's texts; a placeholder with several values makes one span for each."""

    @property
    def dropped_ends(self) -> int:
        """Excluded ends that a request reads, because a key condition between two values includes both.

        If other text follows the value in the key, the condition begins or ends beside it.
        """
        if self.reading.template.parts[-1] is not self.reading.next:
            return 0
        first = any(condition.excludes_first for condition in self.reading.range)
        return first + any(condition.kind == "below" or condition.excludes_last for condition in self.reading.range)


class ItemKey(Record):
    """Table of a call, and the key of one item or several items in it."""

    table: str
    """Physical name."""
    key: tuple[Filling, ...]
    """Its key attributes, partition key first."""
    copies: int = 1
    """Items that store each instance: a read draws one of them, a write changes all."""


class GetItem(Record):
    """One item by its key."""

    place: ItemKey
    """Table and key."""
    attributes: tuple[str, ...] = ()
    """Stored names of the requested attributes; empty for all."""
    is_strong: bool = False
    """Whether the read is consistent."""


class BatchGetItem(Record):
    """Items by their keys, 100 in a request."""

    place: ItemKey
    """Table and key."""
    attributes: tuple[str, ...] = ()
    """Stored names of the requested attributes; empty for all."""
    is_strong: bool = False
    """Whether the read is consistent."""
    order: tuple[Ordering, ...] = ()
    """Order of the result."""


class QueryItems(Record):
    """Items of one partition, or of several partitions read in sequence or merged."""

    table: str
    """Physical name."""
    index: str
    """Name of the index; empty for the table."""
    key: tuple[Filling, ...]
    """Partition key."""
    equal: tuple[Filling, ...] = ()
    """Leading attributes of the sort key with one value each."""
    span: Span | None = None
    """Range of the sort key attribute after `equal`."""
    sorts: tuple[str, ...] = ()
    """Attributes of the sort key, by which items of several partitions are merged."""
    is_backward: bool = False
    """Whether items are read in descending order."""
    filters: tuple[Condition, ...] = ()
    """Conditions that the server checks after reading."""
    share: float | None = None
    """Share of items that passes the filters, as declared by fields; None if it is unknown or there are no filters."""
    discriminator: Discriminator | None = None
    """The discriminator, if other entities share the partition."""
    head: tuple[str, str] | None = None
    """(attribute, prefix) of the entity's key in the table, if the index does not contain the discriminator."""
    is_one: bool = False
    """Whether each partition returns one item at most."""
    attributes: tuple[str, ...] = ()
    """Stored names of the requested attributes, without keys; empty for all in the index."""
    keys: tuple[str, ...] = ()
    """Attributes of the index's and the table's key, from which the next page starts."""
    table_key: tuple[str, ...] = ()
    """Attributes of the table's key, by which items are fetched."""
    is_strong: bool = False
    """Whether the read is consistent."""
    fetches: bool = False
    """Whether items are read from the table by the keys in the index entries."""
    is_completed: bool = False
    """Whether the server itself fetches items from the table, as for a local index."""
    is_narrow: bool = False
    """Whether the entries of the index are smaller than items."""
    copies: int = 1
    """Items that store each instance; a read draws one of them."""
    merges: bool = False
    """Whether items of several partitions are merged by their sort keys; else partitions are read in sequence."""
    walked: str = ""
    """Field whose time buckets are read in sequence, whether or not partitions of a bucket are merged."""
    limit: int | None = None
    """The pattern's `limit`: items of a page."""
    counts: bool = False
    """Whether the call returns only the number of items."""
    scans: bool = False
    """Whether it reads a whole table or index, by a scan without a key."""


class ScanItems(Record):
    """Items of a whole table or index, segment by segment."""

    query: QueryItems
    """The request, without a key."""
    segments: int = 1
    """Parts of the table that callers read at the same time; the read of all is one after the other."""


class TemplateAttribute(Record):
    """Attributes that an update recomputes from templates."""

    index: str
    """Index whose key they are; empty for a computed attribute or an expiry time."""
    attributes: tuple[tuple[str, str, Template], ...]
    """(stored name, native type, template) of each."""
    where: tuple[Condition, ...] = ()
    """Conditions; if one does not hold, the attributes are removed."""
    optional: tuple[str, ...] = ()
    """Optional fields; if one is absent, the attributes are removed."""
    after_seconds: int | None = None
    """For an expiry time: seconds after the field's time."""
    is_kept: bool = False
    """Whether the attributes are never recomputed: the stored item has the right ones, or must lose them."""

    @property
    def names(self) -> tuple[str, ...]:
        """Stored names of the attributes."""
        return tuple(name for name, _, _ in self.attributes)


class PutItems(Record):
    """Whole items."""

    place: ItemKey
    """Table and key; the items are computed from the instances."""
    if_absent: bool = False
    """Whether the write fails if an item with the key exists."""


class UpdateItem(Record):
    """Changes of one existing item."""

    place: ItemKey
    """Table and key."""
    sets: tuple[str, ...] = ()
    """Fields that are set to a value of the caller."""
    removes: tuple[str, ...] = ()
    """Fields that are removed."""
    pushes: str | None = None
    """List or set field that receives an element of the caller."""
    most: int | None = None
    """Most elements of that field."""
    adds: str | None = None
    """Numeric field that is incremented."""
    template_attributes: tuple[TemplateAttribute, ...] = ()
    """Attributes that depend on the changed fields."""
    guards: tuple[Condition, ...] = ()
    """Conditions that the item must fulfil."""
    versions: Versions | None = None
    """Schema versions that the item may have; None for any."""


class DeleteItem(Record):
    """Deletes one item, or the item in every shard."""

    place: ItemKey
    """Table and key."""
    guards: tuple[Condition, ...] = ()
    """Conditions that the item must fulfil."""


Write: TypeAlias = PutItems | UpdateItem | DeleteItem
"""Calls that change items."""


class TransactWrite(Record):
    """Several writes in one transaction."""

    parts: tuple[Write, ...]
    """The writes in order."""


class QueryTogether(Record):
    """Items of several entities in one partition; the paths of the entities have the query of each one alone."""

    query: QueryItems
    """The request, without the range of the sort key, which covers the ranges of all entities."""
    drops: bool = False
    """Whether the range contains items of none of the entities that no filter of the server can exclude."""


class TransactGet(Record):
    """Several items at one moment."""

    parts: tuple[GetItem, ...]
    """The reads in order."""


Call: TypeAlias = GetItem | BatchGetItem | QueryItems | ScanItems | QueryTogether | TransactGet | Write | TransactWrite
"""All calls of access paths."""

Operation: TypeAlias = Literal[
    "GetItem",
    "BatchGetItem",
    "QueryItems",
    "PutItem",
    "UpdateItem",
    "DeleteItem",
    "BatchWriteItem",
    "TransactWriteItems",
]
"""Operation names of the service."""
