"""Streams of rows of partitions: their statements, and the conditions that resume them."""

import itertools
from collections.abc import Iterator
from typing import Any

from keywright.engines.cassandra.access import dml
from keywright.engines.cassandra.access.calls import Select
from keywright.engines.cassandra.schema.cql import identifier
from keywright.errors import UsageError
from keywright.runtime.validate.arguments import Arguments

from ..client_types import CassandraSession, Future
from . import session as sessions
from .cursor import StreamPosition
from .filled import BoundColumn, matched, range_of, values_of
from .session import Row

PAGE = 5_000
"""Rows to fetch in one answer without a limit. Source: the default of the driver."""


class Streams:
    """A planned read as streams of rows, prepared once and read with the values of each call."""

    def __init__(self, call: Select) -> None:
        self.call = call
        terms = (*call.partition, *call.clustering)
        self._columns = [identifier(term.cell.name) for term in terms]
        self._values = [values_of(term, is_backward=call.is_backward) for term in terms]
        self._matches = [(identifier(match.cell.name), match.operator, matched(match)) for match in call.matches]
        self._range = range_of(call.bounds)
        self._open = [identifier(column.cell.name) for column in call.open]
        self._keys = [identifier(cell.name) for cell in call.keys]
        self.position = tuple(cell.name for cell in call.keys) + tuple(column.cell.name for column in call.open)

    def ranges(self, arguments: Arguments) -> list[BoundColumn]:
        """The conditions that all streams of a call share. Raises UsageError if an index has no condition."""
        ranges = self._range(arguments)
        if not ranges and self.call.keys and not self.call.matches and not self.call.nearest:
            fields = " and ".join(f'"{bound.condition.field}"' for bound in self.call.bounds)
            raise UsageError(
                f"the range of {fields} has no limits, so that all rows would be read", "pass at least one limit"
            )
        return ranges

    def groups(self, arguments: Arguments) -> list[list[list[BoundColumn]]]:
        """The streams of a call as conditions. Streams in a group are merged; groups are read in order."""
        alternatives = [
            [(column, "=", value) for value in values(arguments)]
            for column, values in zip(self._columns, self._values, strict=True)
        ]
        alternatives += [
            [(column, operator, value) for value in values(arguments)] for column, operator, values in self._matches
        ]
        match self.call.walk:
            case "merge":
                return [[list(stream) for stream in itertools.product(*alternatives)]]
            case "buckets":
                walked = self.call.walked
                assert walked is not None
                return [
                    [
                        list(stream)
                        for stream in itertools.product(*alternatives[:walked], [bucket], *alternatives[walked + 1 :])
                    ]
                    for bucket in alternatives[walked]
                ]
            case "chain":
                return [[list(stream)] for stream in itertools.product(*alternatives)]

    def steps(
        self, stream: list[BoundColumn], ranges: list[BoundColumn], position: StreamPosition | None
    ) -> list[list[BoundColumn]]:
        """The conditions of each statement that reads a stream from its beginning, or after a position."""
        if position is None:
            return [[*stream, *ranges]]
        keys = position[: len(self._keys)]
        partition = [(column, "=", value) for column, value in zip(self._keys, keys, strict=True)]
        steps = [[*partition, *step] for step in self._behind(stream, ranges, position[len(keys) :])]
        if keys:
            marks = ", ".join("?" for _ in keys)
            next_partitions = (f"token({', '.join(self._keys)})", f"> token({marks})", keys)
            steps.append([*stream, *ranges, next_partitions])
        return steps

    def _behind(
        self, stream: list[BoundColumn], ranges: list[BoundColumn], position: StreamPosition
    ) -> Iterator[list[BoundColumn]]:
        """Conditions of the rows after a position: first those that share all but the last column, then fewer."""
        for index in range(len(position) - 1, -1, -1):
            column = self._open[index]
            fixed = [(self._open[leading], "=", position[leading]) for leading in range(index)]
            operator = "<" if self.call.open[index].is_descending else ">"
            # The beginning of a range is before the position, and a column accepts only one condition per end.
            remaining = [bound for bound in ranges if bound[0] not in self._open[: index + 1]]
            remaining += [bound for bound in ranges if bound[0] == column and bound[1][0] != operator]
            yield [*stream, *fixed, (column, operator, position[index]), *remaining]

    def text(self, conditions: list[BoundColumn], *, limited: bool) -> str:
        """The CQL of a statement, with marks for values."""
        marked = [
            (column, operator, "" if isinstance(value, tuple) and "?" in operator else "?")
            for column, operator, value in conditions
        ]
        return dml.select(self.call, marked, "?" if limited else None)

    def types(self, session: CassandraSession, arguments: Arguments) -> tuple[list[Any], int]:
        """The driver's types of the columns of a position, and its protocol version."""
        streams = self.groups(arguments)
        first = next((stream for group in streams for stream in group), None)
        if first is None or not self.position:
            return [], 5
        statement = sessions.prepared(
            session, self.text(self.steps(first, self.ranges(arguments), None)[0], limited=True)
        )
        types = {name: kind for _, _, name, kind in statement.result_metadata}
        return [types[name] for name in self.position], statement.protocol_version

    def reader(
        self,
        session: CassandraSession,
        stream: list[BoundColumn],
        ranges: list[BoundColumn],
        position: StreamPosition | None,
        limit: int | None,
    ) -> "StreamReader":
        """The rows of a stream, at most `limit` of them."""
        return StreamReader(self, session, self.steps(stream, ranges, position), limit)


class StreamReader:
    """The rows of a stream. `begin` sends its first statement before the rows are read."""

    def __init__(
        self, streams: Streams, session: CassandraSession, steps: list[list[BoundColumn]], limit: int | None
    ) -> None:
        self._streams, self._session, self._steps, self._limit = streams, session, steps, limit
        self._sent: Any = None

    def begin(self) -> None:
        """Send the first statement."""
        if self._sent is None and self._steps:
            self._sent = self._send(self._steps[0], self._limit)

    def __iter__(self) -> Iterator[Row]:
        self.begin()
        remaining, call = self._limit, self._streams.call
        first_column = call.open[0].cell.name if call.open else None
        for number, step in enumerate(self._steps):
            if remaining is not None and remaining <= 0:
                return
            future = self._sent if number == 0 else self._send(step, remaining)
            for row in sessions.rows(future):
                if first_column is not None and row[first_column] is None:
                    continue  # a partition with static columns and no row
                yield row
                if remaining is not None and not call.residual:  # else not every row is an item
                    remaining -= 1

    def _send(self, step: list[BoundColumn], remaining: int | None) -> Future:
        # Residual filters need an unknown number of rows beyond the limit.
        has_limit = remaining is not None and not self._streams.call.is_row and not self._streams.call.residual
        text = self._streams.text(step, limited=has_limit)
        values = list(_parameters(step))
        if has_limit:
            values.append(remaining)
        size = PAGE if remaining is None else max(2, min(remaining, PAGE))
        return sessions.send(self._session, text, values, self._streams.call.level, fetch_size=size)


def _parameters(conditions: list[BoundColumn]) -> Iterator[Any]:
    for _, operator, value in conditions:
        if isinstance(value, tuple) and "?" in operator:
            yield from value
        else:
            yield value


def check_limit(limit: int | None) -> None:
    """Raise UsageError for a page without space for an item."""
    if limit is not None and limit < 1:
        raise UsageError(f"limit={limit} allows no item", "pass 1 or more, or omit it")
