"""Gets, pages and counts: combines the streams of a planned read."""

import heapq
import itertools
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

from keywright.access.search import Planned
from keywright.declare.answers import Page
from keywright.engines.cassandra.access.calls import Select
from keywright.engines.cassandra.access.layout import Layout, layout
from keywright.engines.cassandra.schema.target import KeyspaceTarget
from keywright.ir.attribute import Scalar
from keywright.record import replace
from keywright.runtime.items.codec import Codec, PatternFunction
from keywright.runtime.validate.arguments import Arguments

from ..client_types import CassandraSession, Future
from . import session as sessions
from .cursor import PageEnd, StreamPosition, read, written
from .filled import BoundColumn
from .nearest import prepare_nearest
from .residual_filter import residual_filter
from .session import Row
from .streams import StreamReader, Streams, check_limit

AHEAD = 8
"""Partitions that are read at the same time if there is no limit."""


class Reads:
    """A planned read."""

    def __init__(self, planned: Planned[KeyspaceTarget], call: Select, codec: Codec[Any]) -> None:
        self._pattern, self._call, self._streams = planned.pattern, call, Streams(call)
        self._make = codec.from_part if call.partial else codec.from_item
        self._judge = residual_filter(call.residual, _exact_fields(layout(planned.target, planned.binding)))
        self._order = _sort_key(call)

    def get(self, session: CassandraSession, arguments: Arguments) -> Any:
        """The first item, or None."""
        arguments = replace(arguments, limit=1, cursor=None, now=arguments.now or datetime.now(UTC))
        items = next(self._items(session, arguments, PageEnd(_now(arguments)), 1), None)
        return None if items is None else items[0]

    def page(self, session: CassandraSession, arguments: Arguments) -> Page[Any]:
        """A page, with the cursor of the next page."""
        check_limit(arguments.limit)
        page_end = PageEnd(_now(arguments))
        if arguments.cursor is not None:
            types, protocol = self._streams.types(session, arguments)
            page_end = read(arguments.cursor, self._pattern, types, protocol)
        arguments = replace(arguments, now=page_end.now)
        items: list[Any] = []
        read_limit = None if arguments.limit is None else arguments.limit + 1
        for item, item_end in self._items(session, arguments, page_end, read_limit):
            if arguments.limit is not None and len(items) == arguments.limit:
                return Page(tuple(items), self._cursor(session, arguments, page_end))
            items.append(item)
            page_end = item_end
        return Page(tuple(items))

    def count(self, session: CassandraSession, arguments: Arguments) -> int:
        """Number of items. With residual filters, items are counted after reading."""
        arguments = replace(arguments, now=_now(arguments), limit=None)
        if self._call.counted is None:
            return sum(1 for _ in self._items(session, arguments, PageEnd(_now(arguments)), None))
        ranges = self._streams.ranges(arguments)
        futures = (
            self._counting(session, stream, ranges) for group in self._streams.groups(arguments) for stream in group
        )
        return sum(next(iter(row.values())) for future in sessions.drained(futures) for row in sessions.rows(future))

    def _counting(self, session: CassandraSession, stream: list[BoundColumn], ranges: list[BoundColumn]) -> Future:
        conditions = [*stream, *ranges]
        text = self._streams.text(conditions, limited=False)
        return sessions.send(session, text, [value for _, _, value in conditions], self._call.level)

    def _cursor(self, session: CassandraSession, arguments: Arguments, page_end: PageEnd) -> str:
        return written(page_end, self._pattern, *self._streams.types(session, arguments))

    def _items(
        self, session: CassandraSession, arguments: Arguments, page_end: PageEnd, limit: int | None
    ) -> Iterator[tuple[Any, PageEnd]]:
        """Items after a page end, each with the page end after it. limit: most items."""
        is_match = self._judge(arguments) if self._judge else None
        groups, ranges = self._streams.groups(arguments), self._streams.ranges(arguments)
        remaining = limit
        readers: list[list[StreamReader]] = []
        for number in range(page_end.group, len(groups)):
            positions = dict(page_end.positions) if number == page_end.group else {}
            if not readers:
                last = number + 1 if limit is not None else min(number + AHEAD, len(groups))
                readers = [
                    self._begun(
                        session, groups[next_number], ranges, positions if next_number == number else {}, remaining
                    )
                    for next_number in range(number, last)
                ]
            for row, stream in self._merged(readers.pop(0)):
                item = self._make(row)
                if is_match is not None and not is_match(item):
                    continue
                positions[stream] = tuple(row[name] for name in self._streams.position)
                yield item, PageEnd(page_end.now, number, dict(positions))
                remaining = None if remaining is None else remaining - 1
            if remaining is not None and remaining <= 0:
                return

    def _begun(
        self,
        session: CassandraSession,
        group: list[list[BoundColumn]],
        ranges: list[BoundColumn],
        positions: dict[int, StreamPosition],
        limit: int | None,
    ) -> list[StreamReader]:
        readers: list[StreamReader] = []
        for number, stream in enumerate(group):
            position = positions.get(number)
            if position == ():
                readers.append(StreamReader(self._streams, session, [], limit))  # its only row was returned
                continue
            readers.append(self._streams.reader(session, stream, ranges, position, limit))
        for reader in readers:
            reader.begin()
        return readers

    def _merged(self, readers: list[StreamReader]) -> Iterator[tuple[Row, int]]:
        """The rows of a group in the requested order, each with the number of its stream."""
        if len(readers) == 1:
            return ((row, 0) for row in readers[0])
        numbered = [zip(reader, itertools.repeat(number)) for number, reader in enumerate(readers)]
        order = self._order
        if order is None:
            return itertools.chain.from_iterable(numbered)
        return heapq.merge(*numbered, key=lambda numbered_row: order(numbered_row[0]))


def _now(arguments: Arguments) -> datetime:
    return arguments.now or datetime.now(UTC)


def _exact_fields(entity_layout: Layout | None) -> frozenset[str]:
    """Fields whose times are stored with microseconds."""
    parts = entity_layout.parts.items() if entity_layout else ()
    return frozenset(
        name
        for name, part in parts
        if isinstance(part.cell.type, Scalar) and part.cell.type.kind == "datetime" and part.cell.native != "timestamp"
    )


class _Descending:
    """A value that sorts in descending order."""

    __slots__ = ("value",)

    def __init__(self, value: Any) -> None:
        self.value = value

    def __lt__(self, other: "_Descending") -> bool:
        return bool(other.value < self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Descending) and bool(other.value == self.value)

    __hash__ = None  # type: ignore[assignment]  # it is only compared


def _sort_key(call: Select) -> Callable[[Row], tuple[Any, ...]] | None:
    """The sort key for rows of several streams; None if rows have no order."""
    if not call.sorted:
        return None
    parts = [(order.column, order.is_descending, _uuid_key if order.is_timed else _identity) for order in call.sorted]
    return lambda row: tuple(
        _Descending(key(row[name])) if is_descending else key(row[name]) for name, is_descending, key in parts
    )


def _identity(value: Any) -> Any:
    return value


def _uuid_key(value: Any) -> tuple[int, bytes]:
    """The server's sort key of a time-based UUID: its time, then the other half as signed bytes."""
    return value.time, bytes(byte ^ 0x80 for byte in value.bytes[8:])


def prepare_read(planned: Planned[KeyspaceTarget], call: Select, codec: Codec[Any]) -> PatternFunction:
    """A get, a read or a count as a function of a session and a call."""
    if call.nearest is not None:
        return prepare_nearest(planned, call, call.nearest, codec)
    reads = Reads(planned, call, codec)
    match planned.pattern.kind:
        case "get":
            return reads.get
        case "count":
            return reads.count
        case _:
            return reads.page
