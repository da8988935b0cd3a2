"""Gets, pages and counts: the streams of a planned read as one answer."""

import heapq
import itertools
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from keywright.access.search import Planned
from keywright.declare.answers import Page
from keywright.engines.cassandra.access.calls import Select
from keywright.engines.cassandra.access.layout import Layout, layout
from keywright.engines.cassandra.target import KeyspaceTarget
from keywright.ir.attribute import Scalar
from keywright.runtime.codec import Call, Codec
from keywright.runtime.given import Given

from . import session as sessions
from .cursor import Place, Position, read, written
from .filled import Condition
from .judged import judge
from .session import Row
from .streams import Reader, Streams, check_limit

AHEAD = 8
"""Partitions that are asked at once where all rows are wanted."""


class Reads:
    """One planned read."""

    def __init__(self, planned: Planned[KeyspaceTarget], call: Select, codec: Codec[Any]) -> None:
        self._pattern, self._call, self._streams = planned.pattern, call, Streams(call)
        self._make = codec.from_part if call.partial else codec.from_item
        self._judge = judge(call.residual, _exact(layout(planned.target, planned.binding)))
        self._order = _comparing(call)

    def get(self, session: Any, given: Given) -> Any:
        """The first item, or None."""
        given = replace(given, limit=1, cursor=None, now=given.now or datetime.now(UTC))
        found = next(self._items(session, given, Place(_now(given)), 1), None)
        return None if found is None else found[0]

    def page(self, session: Any, given: Given) -> Page[Any]:
        """A page, with the cursor of the next one."""
        check_limit(given.limit)
        place = Place(_now(given))
        if given.cursor is not None:
            types, protocol = self._streams.types(session, given)
            place = read(given.cursor, self._pattern, types, protocol)
        given = replace(given, now=place.now)
        items: list[Any] = []
        ahead = None if given.limit is None else given.limit + 1
        for item, here in self._items(session, given, place, ahead):
            if given.limit is not None and len(items) == given.limit:
                return Page(tuple(items), self._cursor(session, given, place))
            items.append(item)
            place = here
        return Page(tuple(items))

    def count(self, session: Any, given: Given) -> int:
        """How many items there are; what is judged after reading is counted as it is read."""
        given = replace(given, now=_now(given), limit=None)
        if self._call.counted is None:
            return sum(1 for _ in self._items(session, given, Place(_now(given)), None))
        ranges = self._streams.ranges(given)
        futures = (self._counting(session, stream, ranges) for group in self._streams.groups(given) for stream in group)
        return sum(next(iter(row.values())) for one in sessions.drained(futures) for row in sessions.rows(one))

    def _counting(self, session: Any, stream: list[Condition], ranges: list[Condition]) -> Any:
        conditions = [*stream, *ranges]
        text = self._streams.text(conditions, limited=False)
        return sessions.send(session, text, [value for _, _, value in conditions], self._call.level)

    def _cursor(self, session: Any, given: Given, place: Place) -> str:
        return written(place, self._pattern, *self._streams.types(session, given))

    def _items(self, session: Any, given: Given, place: Place, limit: int | None) -> Iterator[tuple[Any, Place]]:
        """Items behind a place, each with the place behind it; limit: so many are wanted at the most."""
        holds = self._judge(given) if self._judge else None
        groups, ranges = self._streams.groups(given), self._streams.ranges(given)
        left = limit
        waiting: list[list[Reader]] = []
        for at in range(place.group, len(groups)):
            positions = dict(place.positions) if at == place.group else {}
            if not waiting:
                last = at + 1 if limit is not None else min(at + AHEAD, len(groups))
                waiting = [
                    self._begun(session, groups[one], ranges, positions if one == at else {}, left)
                    for one in range(at, last)
                ]
            for row, stream in self._merged(waiting.pop(0)):
                item = self._make(row)
                if holds is not None and not holds(item):
                    continue
                positions[stream] = tuple(row[name] for name in self._streams.position)
                yield item, Place(place.now, at, dict(positions))
                left = None if left is None else left - 1
            if left is not None and left <= 0:
                return

    def _begun(
        self,
        session: Any,
        group: list[list[Condition]],
        ranges: list[Condition],
        positions: dict[int, Position],
        limit: int | None,
    ) -> list[Reader]:
        readers: list[Reader] = []
        for number, stream in enumerate(group):
            position = positions.get(number)
            if position == ():
                readers.append(Reader(self._streams, session, [], limit))  # its only row was returned
                continue
            readers.append(self._streams.reader(session, stream, ranges, position, limit))
        for reader in readers:
            reader.begin()
        return readers

    def _merged(self, readers: list[Reader]) -> Iterator[tuple[Row, int]]:
        """The rows of a group in the wanted order, each with the number of its stream."""
        if len(readers) == 1:
            return ((row, 0) for row in readers[0])
        numbered = [zip(reader, itertools.repeat(number)) for number, reader in enumerate(readers)]
        order = self._order
        if order is None:
            return itertools.chain.from_iterable(numbered)
        return heapq.merge(*numbered, key=lambda one: order(one[0]))


def _now(given: Given) -> datetime:
    return given.now or datetime.now(UTC)


def _exact(known: Layout | None) -> frozenset[str]:
    """Fields whose times are kept to the microsecond."""
    parts = known.parts.items() if known else ()
    return frozenset(
        name
        for name, part in parts
        if isinstance(part.cell.type, Scalar) and part.cell.type.kind == "datetime" and part.cell.native != "timestamp"
    )


class _Falling:
    """A value of which the largest comes first."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __lt__(self, other: "_Falling") -> bool:
        return bool(other.value < self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Falling) and bool(other.value == self.value)

    __hash__ = None  # type: ignore[assignment]  # it is compared, and never kept


def _comparing(call: Select) -> Callable[[Row], tuple[Any, ...]] | None:
    """What rows of several streams are compared by."""
    if not call.sorted:
        return None
    parts = [(one.column, one.is_descending, _moment if one.is_timed else _same) for one in call.sorted]
    return lambda row: tuple(_Falling(of(row[name])) if falls else of(row[name]) for name, falls, of in parts)


def _same(value: Any) -> Any:
    return value


def _moment(value: Any) -> tuple[int, bytes]:
    """What the server compares of an uuid with a moment in it: that, then the other half as signed bytes."""
    return value.time, bytes(byte ^ 0x80 for byte in value.bytes[8:])


def prepare_read(planned: Planned[KeyspaceTarget], call: Select, codec: Codec[Any]) -> Call:
    """A get, a read or a count as a function of a session and a call."""
    reads = Reads(planned, call, codec)
    match planned.pattern.kind:
        case "get":
            return reads.get
        case "count":
            return reads.count
        case _:
            return reads.page
