"""The rows of one partition after the other: which statements they take, and where they are resumed."""

import itertools
from collections.abc import Iterator
from typing import Any

from keywright.engines.cassandra.access import dml
from keywright.engines.cassandra.access.calls import Select
from keywright.engines.cassandra.cql import identifier
from keywright.errors import UsageError
from keywright.runtime.given import Given

from . import session as sessions
from .cursor import Position
from .filled import Condition, matched, range_of, values_of
from .session import Row

PAGE = 5_000
"""Rows that are fetched at once where no limit says how many: the driver's own figure."""


class Streams:
    """A planned read as streams of rows: prepared once, asked with each call's values."""

    def __init__(self, call: Select) -> None:
        self.call = call
        terms = (*call.partition, *call.clustering)
        self._columns = [identifier(term.cell.name) for term in terms]
        self._values = [values_of(term, is_backward=call.is_backward) for term in terms]
        self._matches = [(identifier(one.cell.name), one.operator, matched(one)) for one in call.matches]
        self._range = range_of(call.bounds)
        self._open = [identifier(one.cell.name) for one in call.open]
        self._keys = [identifier(cell.name) for cell in call.keys]
        self.position = tuple(cell.name for cell in call.keys) + tuple(one.cell.name for one in call.open)

    def ranges(self, given: Given) -> list[Condition]:
        """The conditions that all streams of a call share; UsageError where nothing would be left to look for."""
        found = self._range(given)
        if not found and self.call.keys and not self.call.matches:
            fields = " and ".join(f'"{bound.asked.field}"' for bound in self.call.bounds)
            raise UsageError(f"the range of {fields} has no end, and all rows would be read", "give one end of it")
        return found

    def groups(self, given: Given) -> list[list[list[Condition]]]:
        """The streams of a call, each as its conditions; those in one group are merged, groups follow one another."""
        found = [
            [(column, "=", value) for value in values(given)]
            for column, values in zip(self._columns, self._values, strict=True)
        ]
        found += [[(column, how, value) for value in values(given)] for column, how, values in self._matches]
        match self.call.walk:
            case "merge":
                return [[list(one) for one in itertools.product(*found)]]
            case "buckets":
                at = self.call.walked
                assert at is not None
                return [
                    [list(one) for one in itertools.product(*found[:at], [bucket], *found[at + 1 :])]
                    for bucket in found[at]
                ]
            case "chain":
                return [[list(one)] for one in itertools.product(*found)]

    def steps(
        self, stream: list[Condition], ranges: list[Condition], position: Position | None
    ) -> list[list[Condition]]:
        """The conditions of each statement that reads a stream from its beginning, or from behind a position."""
        if position is None:
            return [[*stream, *ranges]]
        keys = position[: len(self._keys)]
        inside = [(column, "=", value) for column, value in zip(self._keys, keys, strict=True)]
        found = [[*inside, *step] for step in self._behind(stream, ranges, position[len(keys) :])]
        if keys:
            marks = ", ".join("?" for _ in keys)
            behind = (f"token({', '.join(self._keys)})", f"> token({marks})", keys)
            found.append([*stream, *ranges, behind])
        return found

    def _behind(
        self, stream: list[Condition], ranges: list[Condition], position: Position
    ) -> Iterator[list[Condition]]:
        """Rows behind one: those that share all columns but the last with it, then all but the last two, and so on."""
        for at in range(len(position) - 1, -1, -1):
            column = self._open[at]
            fixed = [(self._open[before], "=", position[before]) for before in range(at)]
            operator = "<" if self.call.open[at].is_descending else ">"
            # The beginning of a range lies behind the position already, and a column takes one end of a kind.
            rest = [one for one in ranges if one[0] not in self._open[: at + 1]]
            rest += [one for one in ranges if one[0] == column and one[1][0] != operator]
            yield [*stream, *fixed, (column, operator, position[at]), *rest]

    def text(self, conditions: list[Condition], *, limited: bool) -> str:
        """The CQL of a statement; values stand in it as marks."""
        marked = [
            (column, operator, "" if isinstance(value, tuple) and "?" in operator else "?")
            for column, operator, value in conditions
        ]
        return dml.select(self.call, marked, "?" if limited else None)

    def types(self, session: Any, given: Given) -> tuple[list[Any], int]:
        """The driver's own types of the columns of a position, and its protocol."""
        streams = self.groups(given)
        first = next((stream for group in streams for stream in group), None)
        if first is None or not self.position:
            return [], 5
        statement = sessions.prepared(session, self.text(self.steps(first, self.ranges(given), None)[0], limited=True))
        known = {name: kind for _, _, name, kind in statement.result_metadata}
        return [known[name] for name in self.position], statement.protocol_version

    def reader(
        self,
        session: Any,
        stream: list[Condition],
        ranges: list[Condition],
        position: Position | None,
        limit: int | None,
    ) -> "Reader":
        """The rows of a stream, at most `limit` of them."""
        return Reader(self, session, self.steps(stream, ranges, position), limit)


class Reader:
    """The rows of one stream; its first statement may be sent before they are wanted."""

    def __init__(self, streams: Streams, session: Any, steps: list[list[Condition]], limit: int | None) -> None:
        self._streams, self._session, self._steps, self._limit = streams, session, steps, limit
        self._sent: Any = None

    def begin(self) -> None:
        """Send the first statement."""
        if self._sent is None and self._steps:
            self._sent = self._send(self._steps[0], self._limit)

    def __iter__(self) -> Iterator[Row]:
        self.begin()
        left, call = self._limit, self._streams.call
        first = call.open[0].cell.name if call.open else None
        for at, step in enumerate(self._steps):
            if left is not None and left <= 0:
                return
            future = self._sent if at == 0 else self._send(step, left)
            for row in sessions.rows(future):
                if first is not None and row[first] is None:
                    continue  # a partition that has static columns and no row
                yield row
                if left is not None and not call.residual:  # else not every row is an item
                    left -= 1

    def _send(self, step: list[Condition], left: int | None) -> Any:
        # What is judged after reading needs more rows than are wanted: how many, nobody knows.
        limited = left is not None and not self._streams.call.is_row and not self._streams.call.residual
        text = self._streams.text(step, limited=limited)
        values = list(_flat(step))
        if limited:
            values.append(left)
        size = PAGE if left is None else max(2, min(left, PAGE))
        return sessions.send(self._session, text, values, self._streams.call.level, fetch_size=size)


def _flat(conditions: list[Condition]) -> Iterator[Any]:
    for _, operator, value in conditions:
        if isinstance(value, tuple) and "?" in operator:
            yield from value
        else:
            yield value


def check_limit(limit: int | None) -> None:
    """UsageError for a page that has no place for an item."""
    if limit is not None and limit < 1:
        raise UsageError(f"limit={limit} leaves no place for an item", "ask for 1 or more, or leave it out")
