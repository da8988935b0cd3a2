"""Results of pattern calls, and the protocol of an open database; for every engine."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from types import TracebackType
from typing import Any, Generic, Literal, Protocol, TypeAlias, TypeVar, overload

from keywright.errors import UsageError

M_co = TypeVar("M_co", covariant=True)


OnInvalid: TypeAlias = Literal["raise", "skip"] | Callable[[Any], object]
"""Handling of a stored item that does not match its model: raise `InvalidItem`, skip the item, or call a function
with the error and skip the item."""


class Runs(Protocol):
    """An open database: what `runtime.open` returns."""

    def run(self, pattern: Any, *subjects: Any, **values: Any) -> Any:
        """Run a pattern."""


@dataclass(frozen=True, slots=True)
class Page(Generic[M_co]):
    """Items of one call, in the order of the pattern."""

    items: tuple[M_co, ...]
    """The items."""
    cursor: str | None = None
    """Cursor of the next page, for a call of the same pattern with the same values; None on the last page."""

    def __iter__(self) -> Iterator[M_co]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


@dataclass(frozen=True, slots=True)
class Around(Generic[M_co]):
    """Neighbouring members of a ranking, in the order of the pattern; the requested one is among them."""

    items: tuple[M_co, ...]
    """The members."""
    ranks: tuple[int, ...]
    """The rank of each member, from 0."""
    position: int
    """The index of the requested member."""

    @property
    def rank(self) -> int:
        """The rank of the requested member, from 0."""
        return self.ranks[self.position]

    def __iter__(self) -> Iterator[M_co]:
        return iter(self.items)

    def __len__(self) -> int:
        return len(self.items)


class Taken(Sequence[M_co]):
    """Entries of a stream that a call took for a consumer group, in order.

    They stay with the group until they are acknowledged. After `claim_after`, an unacknowledged entry goes to another
    consumer. A `with` block acknowledges all entries at its end, and no further ones if it raises.
    """

    __slots__ = ("_acknowledge", "_deliveries", "_items", "_open", "_release", "set_aside")

    set_aside: int
    """Number of entries moved to the dead letters by the call: unreadable ones, and those with too many deliveries."""

    def __init__(
        self,
        items: Sequence[M_co],
        acknowledge: Callable[[Sequence[int]], None],
        set_aside: int = 0,
        *,
        release: Callable[[Sequence[int], timedelta], None],
        deliveries: Sequence[int],
    ) -> None:
        self._items, self._acknowledge, self.set_aside = tuple(items), acknowledge, set_aside
        self._release, self._deliveries = release, deliveries
        self._open = set(range(len(self._items)))

    def ack(self, *items: Any) -> None:
        """Acknowledge some of the entries, or all. A second acknowledgement has no effect.

        Raises UsageError for an object that is not one of the entries; an equal instance is not an entry.
        """
        if indexes := self._chosen(items):
            self._acknowledge(indexes)
            self._open -= set(indexes)

    def nack(self, *items: Any, after: timedelta = timedelta(0)) -> None:
        """Return some of the entries, or all that are not acknowledged, to the group, which gets them again.

        after: the least time before, at most `claim_after`. The entries count as delivered, so that they become dead
        letters after `max_deliveries`. Raises UsageError for an object that is not one of the entries.
        """
        if indexes := self._chosen(items):
            self._release(indexes, after)
            self._open -= set(indexes)

    def deliveries(self, item: Any) -> int:
        """The number of times that an entry has been delivered to the group, this one included."""
        return self._deliveries[self._index(item)]

    def _chosen(self, items: Sequence[object]) -> list[int]:
        """The indexes of some entries, or of all, without those that are acknowledged or returned."""
        return sorted(self._open & ({self._index(item) for item in items} if items else self._open))

    def _index(self, item: object) -> int:
        for index, taken_item in enumerate(self._items):
            if taken_item is item:
                return index
        raise UsageError("an item is none that this call took", "pass the taken instances themselves")

    def __enter__(self) -> "Taken[M_co]":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None:
            self.ack()

    def __len__(self) -> int:
        return len(self._items)

    @overload
    def __getitem__(self, at: int) -> M_co: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[M_co]: ...
    def __getitem__(self, at: int | slice) -> M_co | Sequence[M_co]:
        return self._items[at]

    def __repr__(self) -> str:
        return f"Taken({list(self._items)!r})"
