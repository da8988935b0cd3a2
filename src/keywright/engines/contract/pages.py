"""Stored items page by page, for the passes of `migrations`: read, written if unchanged, or changed by the server."""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from typing import Any, Literal, TypeAlias

from keywright.ir.apply_transform import ChangedValues
from keywright.ir.json import Json
from keywright.ir.transform import Transform
from keywright.record import Record, field

from .shape import Discriminator

MARK = "_kw_m"
"""Stored attribute with the last pass that processed an item, if no version records it; readers ignore it."""


class Work(Record, kw_only=True):
    """The items of a pass and the transform that it applies."""

    object: str
    """The physical table, collection or server, as in `Engine.object_of`."""
    reads: tuple[str, ...]
    """Stored paths of the values that determine the written values."""
    writes: tuple[str, ...]
    """Stored paths that may be written or removed."""
    types: Mapping[str, str] = field(default_factory=dict)
    """Known native types by stored path, as in `FieldShape`."""
    key_attributes: tuple[str, ...] = ()
    """Stored names of further attributes of items: keys of the table and of its indexes."""
    version: int | None = None
    """Schema version of written items; None keeps their versions."""
    once: str = ""
    """The mark of items that the pass has processed, such as `0008_bump/20`, if no version records it and no item may
    be processed twice; empty if a second write is harmless."""
    attribute: str = ""
    """Stored name of the version or mark; empty for the engine's own."""
    transform: Transform | None = None
    """The declared transform; None for a transform in Python."""
    discriminator: Discriminator | None = None
    """The discriminator of the items, among other items in the same place."""
    keys: tuple[tuple[str, str], ...] = ()
    """(argument, template) of the key templates that identify the entity of an item without such an attribute; in
    Redis with the prefix of the server's generation."""
    others: tuple[tuple[tuple[str, str], ...], ...] = ()
    """The key templates of the other entities in the same place: the most specific match gives an item's entity."""
    kind: str = ""
    """The kind of the structure that contains the items, in Redis; a hash by default."""
    value: str = ""
    """The field that is stored as the whole value, if there is one."""

    @property
    def stamp(self) -> int | str | None:
        """The version or mark that each written item gets, which identifies processed items."""
        return self.once or None if self.version is None else self.version

    def is_processed(self, stamp: Any) -> bool:
        """Whether the pass has processed an item, by the plain value in the place of its stamp."""
        if self.version is None:
            return bool(self.once) and stamp == self.once
        is_number = isinstance(stamp, (int, float, Decimal)) and not isinstance(stamp, bool)
        return is_number and bool(stamp >= self.version)

    @property
    def guarded(self) -> tuple[str, ...]:
        """Paths whose values a write compares with the values that were read.

        Without a version, written paths are compared too, because nothing else reveals a concurrent write.
        """
        return self.reads if self.version is not None else tuple(sorted({*self.reads, *self.writes}))

    @property
    def read_paths(self) -> tuple[str, ...]:
        """Paths whose values the pass reads."""
        return tuple(sorted({*self.reads, *self.writes}))


class StoredItem(Record):
    """The part of a stored item that a pass reads."""

    key: Json
    """Its key."""
    values: Mapping[str, Any]
    """Plain Python values by stored name."""
    is_new: bool = False
    """Whether the pass has processed it already, by its version or mark."""
    poison: str = ""
    """The reason why it cannot be read; empty if it can."""
    handle: Any = None
    """Data that the driver needs to write it, such as the values in native form."""


class ItemChange(Record):
    """The values to write to one item, together with the stamp of the pass."""

    item: StoredItem
    """The item as it was read."""
    values: ChangedValues
    """New values by path; may be empty if only the stamp is written."""


OutcomeKind: TypeAlias = Literal["written", "contended", "rejected"]


class ChangeOutcome(Record):
    """The outcome of a change."""

    kind: OutcomeKind
    """`written`; `contended` if the item has changed since it was read; `rejected` if the server does not accept it."""
    reason: str = ""
    """The reason of a rejection, without values of the item."""


WRITTEN, CONTENDED = ChangeOutcome("written"), ChangeOutcome("contended")


class ServerSideBatch(Record):
    """The result of a server-side transform of the items from one cursor to the next."""

    cursor: Json
    """The end of the batch; None at the end of the segment."""
    written: int
    """The number of changed items."""
    already_new: int
    """The number of items that needed no change."""
    left: tuple[StoredItem, ...]
    """Unchanged items for which the server cannot evaluate the transform exactly."""


class Marks(Record, kw_only=True):
    """The preparation and the removal of marks, before the first and after the last write of a pass; repeatable."""

    admit: Callable[[], None] = lambda: None
    """Makes the store accept items with the mark."""
    clear: Callable[[Json, Json, int], Json] = lambda segment, cursor, limit: None
    """(segment, cursor, limit): removes the mark from the next items that still have it; returns the cursor after
    them, None at the end."""
    dismiss: Callable[[], None] = lambda: None
    """Reverts `admit`, after no item has the mark."""


class Pages(Record, kw_only=True):
    """The items of one pass; every function raises StatementFailed if the server cannot be reached. Segments, cursors
    and keys are JSON, so that another process can continue.
    """

    split: Callable[[int], tuple[Json, ...]]
    """About this number of segments; each item that exists from now to the end of the pass is in exactly one."""
    page: Callable[[Json, Json, int], tuple[tuple[StoredItem, ...], Json]]
    """(segment, cursor, limit): the next items, about as many as the limit, and the cursor after them, None at the
    end; a cursor of None starts. An empty page need not be the last."""
    find: Callable[[Sequence[Json]], tuple[StoredItem | None, ...]]
    """The items under some keys, by a strongly consistent read; None for a missing item."""
    write: Callable[[Sequence[ItemChange]], tuple[ChangeOutcome, ...]]
    """Writes changes, each if its item exists, is unprocessed and unchanged since it was read; returns the outcomes."""
    form: Callable[[str, Any], Any]
    """The stored form of a value at a path, as in `page`; raises ValueError for a value that cannot be stored."""
    server_side: Callable[[Json, Json, int], ServerSideBatch] | None = None
    """(segment, cursor, limit): transforms the next items on the server; None if it cannot express the transform."""
    marks: Marks = field(default_factory=Marks)
    """The preparation and removal of marks, for a pass with marks."""
    estimate: Callable[[], int | None] = lambda: None
    """The approximate number of items; None if unknown."""
    keyed_by: tuple[str, ...] = ()
    """Stored names of the key attributes of an item; `key` in Redis, whose keys are not attributes."""
    put: Callable[[Mapping[str, Any]], Json] = lambda item: None
    """Stores an item, plain values with its key, without comparing it with an existing one; returns the key for `find`.
    Raises ValueError for a value that cannot be stored, or an item of another entity. For tests only."""
    remove: Callable[[Json], None] = lambda key: None
    """Removes the item under a key. For tests only."""
