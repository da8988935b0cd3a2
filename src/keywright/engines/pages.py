"""Stored items page by page, as a driver gives them to `history`: read, written if unchanged, or done by the server."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from keywright.ir.json import Json
from keywright.ir.transform import Transform
from keywright.ir.transformed import Values


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """Which items a pass is about, and what it does to them."""

    object: str
    """The physical thing that holds them, as `Engine.object_of` names it."""
    reads: tuple[str, ...]
    """Stored paths of the values that decide what is written."""
    writes: tuple[str, ...]
    """Stored paths that may be written or removed."""
    types: Mapping[str, str] = field(default_factory=dict)
    """Native types by stored path, as far as they are known: those that `FieldShape` tells."""
    version: int | None = None
    """Schema version that written items get; None leaves versions alone."""
    attribute: str = ""
    """Stored name of the version; empty for the engine's own."""
    transform: Transform | None = None
    """What is done, if that is declared; None where Python decides."""
    mark: tuple[str, str] | None = None
    """(attribute, value) by which the items are told from others in the same place."""
    keys: tuple[tuple[str, str], ...] = ()
    """(argument, template) of the key templates by which they are told where there is no mark; in Redis with the prefix
    of the server's generation."""
    others: tuple[tuple[tuple[str, str], ...], ...] = ()
    """The same of the other entities in the same place: an item is its whose templates say the most about it."""
    kind: str = ""
    """What the items are kept in, where an engine has several: the kind of a Redis structure; a hash by default."""
    value: str = ""
    """The field that is the whole of what is kept, where one is."""

    @property
    def guarded(self) -> tuple[str, ...]:
        """Paths whose values must still be what was read for a write to happen.

        Without a version, what is written counts too: nothing else tells that somebody else wrote it meanwhile.
        """
        return self.reads if self.version is not None else tuple(sorted({*self.reads, *self.writes}))

    @property
    def looked_at(self) -> tuple[str, ...]:
        """Paths whose values are read."""
        return tuple(sorted({*self.reads, *self.writes}))


@dataclass(frozen=True, slots=True)
class Item:
    """A stored item, as far as it is looked at."""

    key: Json
    """What it is found by again."""
    values: Mapping[str, Any]
    """Plain Python values by stored name."""
    is_new: bool = False
    """Whether its version says that it has been written already."""
    poison: str = ""
    """Why it cannot be looked at; empty where it can."""
    handle: Any = None
    """What the driver keeps to write it, such as the values in native form."""


@dataclass(frozen=True, slots=True)
class Change:
    """What is to be written to one item, together with the version."""

    item: Item
    """The item as it was read."""
    values: Values
    """New values by path; may be empty where only the version rises."""


OutcomeKind: TypeAlias = Literal["written", "contended", "rejected"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a change."""

    kind: OutcomeKind
    """Written; or the item was not as it was read; or the server takes no such item."""
    reason: str = ""
    """Why it was rejected, without any value of the item."""


WRITTEN, CONTENDED = Outcome("written"), Outcome("contended")


@dataclass(frozen=True, slots=True)
class Ahead:
    """What the server did by itself to the items from one cursor to the next."""

    cursor: Json
    """Where it stopped; None at the end of the segment."""
    written: int
    """Items that it changed."""
    already_new: int
    """Items that needed no change."""
    left: tuple[Item, ...]
    """Items that it left alone since it cannot say for sure what the transform means for them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pages:
    """The items of one pass; every function raises StatementFailed if the server cannot be reached. Segments, cursors
    and keys are JSON, so that another process can go on.
    """

    split: Callable[[int], tuple[Json, ...]]
    """About so many segments, which hold every item that is there from now to the end of the pass, each in one."""
    page: Callable[[Json, Json, int], tuple[tuple[Item, ...], Json]]
    """(segment, cursor, limit): the next items, about as many as the limit, and the cursor behind them, None at the
    end; a cursor of None begins. An empty page need not be the last."""
    find: Callable[[Sequence[Json]], tuple[Item | None, ...]]
    """The items under some keys, read from where writes are decided; None for what is gone."""
    write: Callable[[Sequence[Change]], tuple[Outcome, ...]]
    """Write changes, each if its item is still there, still old and still as it was read; what became of each."""
    form: Callable[[str, Any], Any]
    """The form in which a value is stored at a path, as `page` would give it; ValueError for one that is not held."""
    server_side: Callable[[Json, Json, int], Ahead] | None = None
    """(segment, cursor, limit): let the server transform the next items; None where it cannot say the transform."""
    estimate: Callable[[], int | None] = lambda: None
    """About how many items there are; None where nobody knows."""
    keyed_by: tuple[str, ...] = ()
    """Stored names of what makes up the key of an item; in Redis, where the key is no value, `key`."""
    put: Callable[[Mapping[str, Any]], Json] = lambda item: None
    """Store a whole item, plain values with its key, in the place of what is there; returns the key as `find` takes it.
    ValueError for what is not held, or is no item of the entity. For tests alone: nothing is compared."""
    remove: Callable[[Json], None] = lambda key: None
    """Remove the item under a key. For tests alone."""
