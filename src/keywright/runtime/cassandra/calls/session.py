"""Statements sent through an application's own session, whose settings stay: rows are read whatever it makes them."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from weakref import WeakKeyDictionary

from cassandra import ConsistencyLevel
from cassandra.query import BatchStatement, BatchType

from keywright.engines.cassandra.access.calls import Level
from keywright.engines.cassandra.access.calls_write import SERIAL_LEVEL

Row = dict[str, Any]
"""Values by column."""

AT_ONCE = 64
"""Statements that are on their way at once."""

_LEVELS = {name: getattr(ConsistencyLevel, name) for name in ("LOCAL_ONE", "LOCAL_QUORUM", SERIAL_LEVEL)}

_prepared: WeakKeyDictionary[Any, dict[str, Any]] = WeakKeyDictionary()
"""Prepared statements by session and text; a session takes its own along when it goes."""


def prepared(session: Any, text: str) -> Any:
    """A prepared statement, prepared once for each session."""
    known = _prepared.get(session)
    if known is None:
        known = _prepared[session] = {}
    found = known.get(text)
    if found is None:
        found = known[text] = session.prepare(text)
    return found


def bound(session: Any, text: str, values: Iterable[Any], level: Level, *, fetch_size: int | None = None) -> Any:
    """A statement with its values and levels."""
    statement = prepared(session, text).bind(tuple(values))
    statement.consistency_level = _LEVELS[level]
    statement.serial_consistency_level = _LEVELS[SERIAL_LEVEL]
    if fetch_size is not None:
        statement.fetch_size = fetch_size
    return statement


def send(session: Any, text: str, values: Iterable[Any], level: Level, *, fetch_size: int | None = None) -> Any:
    """Sends a statement; the answer is waited for when it is asked for."""
    return session.execute_async(bound(session, text, values, level, fetch_size=fetch_size))


def rows(future: Any) -> Iterator[Row]:
    """The rows of an answer, further pages fetched when they are wanted."""
    answer = future.result()
    names = answer.column_names
    for row in answer:
        yield row if isinstance(row, dict) else _named(names, row)


def _named(names: list[str], row: Any) -> Row:
    """The driver's own tuples change names that are no Python names, so values are taken by their place."""
    if isinstance(row, tuple):
        return dict(zip(names, row, strict=True))
    return dict(row) if isinstance(row, Mapping) else {name: getattr(row, name) for name in names}


def is_applied(future: Any) -> bool:
    """Whether a lightweight transaction was carried out."""
    found = next(rows(future), None)
    return found is None or bool(found.get("[applied]", True))


def batch(session: Any, statements: Iterable[Any], level: Level) -> Any:
    """Sends statements as one logged batch."""
    whole = BatchStatement(BatchType.LOGGED, None, _LEVELS[level], _LEVELS[SERIAL_LEVEL])
    for statement in statements:
        whole.add(statement)
    return session.execute_async(whole)


def drained(futures: Iterator[Any]) -> Iterator[Any]:
    """The answers of statements in order, so many on their way at once; futures are sent as they are taken."""
    waiting: list[Any] = []
    for future in futures:
        waiting.append(future)
        if len(waiting) >= AT_ONCE:
            yield waiting.pop(0)
    yield from waiting
