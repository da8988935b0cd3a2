"""Counts: stored data that blocks a change, items that a new index would omit, the size of a table or collection."""

from typing import Literal, TypeAlias

from keywright.ir.json import Json
from keywright.record import Record

CountKind: TypeAlias = Literal["violations", "duplicates", "expired", "misfits", "other types"]
"""The counted items: documents that break a validator, items that share a unique key, items that would expire at once,
items that an index would omit, keys of another type."""


class BlockingCount(Record):
    """One count to make."""

    kind: CountKind
    """The counted items."""
    object: str
    """The table, collection or server, as for `Driver.load`."""
    about: Json
    """The described validator, index or expiry; for keys their pattern and type."""


class Counted(Record):
    """The result of a count; it contains no data of items."""

    count: int
    """The number of counted items."""
    read: int | None = None
    """The size of the sample; None if all items were read."""
    is_more: bool = False
    """Whether the count stopped early, so that there may be more."""

    def __str__(self) -> str:
        """The count for messages: `12 or more of 1,000 sampled`."""
        return f"{self.count:,}{' or more' if self.is_more else ''}{self.among}"

    @property
    def among(self) -> str:
        """The sample size for messages; empty if all items were read."""
        return "" if self.read is None else f" of {self.read:,} sampled"


class Misfit(Record):
    """An item with a value that an index does not accept."""

    key: Json
    """The key of the item."""
    why: str
    """The attribute and the mistake in its value, without the value."""


class MisfitPage(Record):
    """One page of items."""

    read: int
    """The number of items that were read."""
    misfits: tuple[Misfit, ...]
    """The misfits among them."""
    cursor: Json
    """The end of the page; None after the last page."""


class StoreSize(Record):
    """The size of a table or collection by the server's statistics."""

    items: int
    """Number of items; approximate if there is a remark."""
    bytes: int
    """Bytes of the items, without indexes."""
    noun: str = "item"
    """The noun for an item."""
    remark: str = ""
    """The reason why the count is not current; empty if it is."""


class Units(Record):
    """Billed capacity that a pass over a table or collection takes."""

    read: int
    """Read units."""
    write: int
    """Write units."""
