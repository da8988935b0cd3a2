"""Sends statements through an application's session without changing it, and reads rows of any row factory."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any
from weakref import WeakKeyDictionary

from cassandra import ConsistencyLevel
from cassandra.query import BatchStatement, BatchType

from keywright.engines.cassandra.access.calls import Level
from keywright.engines.cassandra.access.calls_write import SERIAL_LEVEL
from keywright.engines.cassandra.schema.capabilities import KEY_BYTES
from keywright.ir.text import counted
from keywright.runtime.errors import Unstorable

from ..client_types import BoundStatement, CassandraSession, Future, PreparedStatement

Row = dict[str, Any]
"""Values by column."""

AT_ONCE = 64
"""Statements that are pending at the same time."""

_LEVELS = {name: getattr(ConsistencyLevel, name) for name in ("LOCAL_ONE", "LOCAL_QUORUM", SERIAL_LEVEL)}

_prepared: WeakKeyDictionary[CassandraSession, dict[str, PreparedStatement]] = WeakKeyDictionary()
"""Prepared statements by session and text, which are released together with their session."""


def prepared(session: CassandraSession, text: str) -> PreparedStatement:
    """A prepared statement, which is prepared once for each session."""
    statements = _prepared.get(session)
    if statements is None:
        statements = _prepared[session] = {}
    statement = statements.get(text)
    if statement is None:
        statement = statements[text] = session.prepare(text)
    return statement


def bound(
    session: CassandraSession, text: str, values: Iterable[Any], level: Level, *, fetch_size: int | None = None
) -> BoundStatement:
    """A statement with its values and levels."""
    statement = prepared(session, text).bind(tuple(values))
    if (positions := statement.prepared_statement.routing_key_indexes) is not None:
        _check_key_size(statement.values, positions)
    statement.consistency_level = _LEVELS[level]
    statement.serial_consistency_level = _LEVELS[SERIAL_LEVEL]
    if fetch_size is not None:
        statement.fetch_size = fetch_size
    return statement


def _check_key_size(values: Sequence[Any], positions: Iterable[int]) -> None:
    """Raise Unstorable for a partition key that is too long. Each of several parts needs 3 additional bytes."""
    sizes = [len(values[position]) for position in positions if isinstance(values[position], bytes)]
    size = sum(sizes) + (3 * len(sizes) if len(sizes) > 1 else 0)
    if size > KEY_BYTES.value:
        allowed = f"Cassandra allows {KEY_BYTES.value:,}"
        raise Unstorable(f"the partition key has {counted(size, 'byte', spec=',')}, and {allowed}", "", "key")


def send(
    session: CassandraSession, text: str, values: Iterable[Any], level: Level, *, fetch_size: int | None = None
) -> Future:
    """Send a statement and return the future of its answer."""
    return session.execute_async(bound(session, text, values, level, fetch_size=fetch_size))


def rows(future: Future) -> Iterator[Row]:
    """The rows of an answer. Further pages are fetched on demand."""
    answer = future.result()
    names = answer.column_names
    for row in answer:
        yield row if isinstance(row, dict) else _named(names, row)


def _named(names: list[str], row: Any) -> Row:
    """A row by column name. Values are taken by position, because named tuples change names that Python forbids."""
    if isinstance(row, tuple):
        return dict(zip(names, row, strict=True))
    return dict(row) if isinstance(row, Mapping) else {name: getattr(row, name) for name in names}


def refusal(future: Future) -> list[Row]:
    """The columns in the conditions of rows that rejected a lightweight transaction; empty if it was applied."""
    answer = list(rows(future))
    return [] if not answer or answer[0].get("[applied]", True) else answer


def batch(session: CassandraSession, statements: Iterable[BoundStatement], level: Level) -> Future:
    """Send statements as a logged batch and return the future of its answer."""
    batch_statement = BatchStatement(BatchType.LOGGED, None, _LEVELS[level], _LEVELS[SERIAL_LEVEL])
    for statement in statements:
        batch_statement.add(statement)
    return session.execute_async(batch_statement)


def drained(futures: Iterator[Future]) -> Iterator[Future]:
    """The futures of statements in order, with a limit of pending ones. Taking a future sends its statement."""
    waiting: list[Future] = []
    for future in futures:
        waiting.append(future)
        if len(waiting) >= AT_ONCE:
            yield waiting.pop(0)
    yield from waiting
