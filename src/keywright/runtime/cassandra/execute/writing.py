"""Puts, updates, increments, deletes and transactions: statements with the values of a call."""

import itertools
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from math import ceil
from typing import Any

from keywright.access.search import Planned
from keywright.engines.cassandra.access import dml
from keywright.engines.cassandra.access.calls import FixedColumn
from keywright.engines.cassandra.access.calls_write import (
    Assignment,
    Batch,
    DeleteRows,
    Guard,
    IncrementCounter,
    Insert,
    Lifetime,
    UpdateRow,
    is_conditional,
)
from keywright.engines.cassandra.declare.options import SCHEMA_VERSION
from keywright.engines.cassandra.schema.capabilities import TTL_SECONDS
from keywright.engines.cassandra.schema.cql import identifier
from keywright.engines.cassandra.schema.row import ttl_of
from keywright.engines.cassandra.schema.target import KeyspaceTarget
from keywright.errors import UsageError
from keywright.ir.text import counted
from keywright.runtime.errors import Unstorable, wrong_version
from keywright.runtime.items import text as forms
from keywright.runtime.items.codec import Codec, PatternFunction
from keywright.runtime.items.fill import texts
from keywright.runtime.validate.arguments import Arguments, ConditionFailed, argument

from ..client_types import CassandraSession
from ..values import to_epoch
from ..write import native_writer
from . import session as sessions
from .filled import values_of

BoundStatement = tuple[str, list[Any], tuple[Any, ...]]
"""CQL text, values, and the values of the partition key."""

Making = Callable[[Arguments], Iterator[BoundStatement]]
"""The statements of one call of a write."""


def prepare_write(planned: Planned[KeyspaceTarget], codec: Codec[Any]) -> PatternFunction:
    """A write as a function of a session and a call."""
    call, name = planned.access_path.call, planned.pattern.name
    assert isinstance(call, (Insert, UpdateRow, IncrementCounter, DeleteRows))
    statements_of = _statement_maker(call, codec)
    if is_conditional(call):
        refuses = not isinstance(call, DeleteRows) or call.refuses

        def send_conditionally(session: CassandraSession, arguments: Arguments) -> None:
            for text, values, _ in statements_of(arguments):
                refusal = sessions.refusal(sessions.send(session, text, values, call.level))
                if refusal and refuses:
                    _check_version(refusal, planned.binding.name, call)
                    raise ConditionFailed(_message(name, call))

        return send_conditionally

    def send_all(session: CassandraSession, arguments: Arguments) -> None:
        futures = (sessions.send(session, text, values, call.level) for text, values, _ in statements_of(arguments))
        for future in sessions.drained(futures):
            future.result()

    return send_all


def prepare_batch(planned: Planned[KeyspaceTarget], call: Batch, codecs: list[Codec[Any]]) -> PatternFunction:
    """A transaction as a function of a session and a call."""
    writers = [_statement_maker(write, codec) for write, codec in zip(call.writes, codecs, strict=True)]
    name = planned.pattern.name

    def send_batch(session: CassandraSession, arguments: Arguments) -> None:
        statements = [
            statement
            for statements_of, calls in zip(writers, arguments.parts, strict=True)
            for part in calls
            for statement in statements_of(part)
        ]
        if not statements:
            return
        if call.is_conditional and any(key != statements[0][2] for _, _, key in statements):
            problem = f'the writes of "{name}" are in several partitions, and one of them has a condition'
            raise UsageError(problem, "pass values of one partition, or remove the condition")
        bound = [sessions.bound(session, text, values, call.level) for text, values, _ in statements]
        answer = sessions.batch(session, bound, call.level)
        if call.is_conditional and (refusal := sessions.refusal(answer)):
            for part in planned.parts:
                _check_version(refusal, part.binding.name, part.access_path.call)
            raise ConditionFailed(f'"{name}": a condition of one of its writes is not met')
        answer.result()

    return send_batch


def _check_version(rows: list[sessions.Row], entity: str, call: object) -> None:
    """Raise WrongVersion if a row that rejected an update has another version. A missing row has none."""
    if not isinstance(call, UpdateRow) or call.versions is None:
        return
    for row in rows:
        if SCHEMA_VERSION in row and (error := wrong_version(entity, call.versions, row[SCHEMA_VERSION])):
            raise error


def _message(name: str, call: Insert | UpdateRow | IncrementCounter | DeleteRows) -> str:
    match call:
        case Insert():
            return f'"{name}": the key exists already'
        case UpdateRow(guards=()):
            return f'"{name}": no such item exists'
        case _:
            return f'"{name}": no such item exists, or its condition is not met'


def _statement_maker(call: Insert | UpdateRow | IncrementCounter | DeleteRows, codec: Codec[Any]) -> Making:
    match call:
        case Insert():
            return _inserts(call, codec)
        case UpdateRow():
            return _updates(call)
        case IncrementCounter():
            return _increments(call)
        case DeleteRows():
            return _deletes(call)


def _inserts(call: Insert, codec: Codec[Any]) -> Making:
    marks = ["?"] * len(call.columns)
    timestamp = None if call.timestamp is None else "?"
    plain, expiring = dml.insert(call, marks, None, timestamp), dml.insert(call, marks, "?", timestamp)
    lifetime = call.lifetime
    removal = DeleteRows(call.keyspace, call.table, (), call.partition)
    removed = dml.delete(removal, [(identifier(name), "=", "?") for name in call.keys], [])

    def statements(arguments: Arguments) -> Iterator[BoundStatement]:
        fixed = None if lifetime is None else _seconds(lifetime, arguments)
        for item in arguments.items:
            written_at = [] if call.timestamp is None else [to_epoch(getattr(item, call.timestamp))]
            for row in codec.to_items(item):
                key = tuple(row[name] for name in call.keys)
                values = [row.get(name) for name in call.columns]
                partition = key[: call.partition]
                seconds = ttl_of(row) if fixed is None else fixed
                if seconds is None:
                    yield plain, [*values, *written_at], partition
                elif seconds > 0 or call.if_absent or written_at:  # a deletion has no time of its own
                    yield expiring, [*values, max(1, seconds), *written_at], partition
                else:
                    yield removed, list(key), partition  # it has expired, so the row that it replaces is deleted

    return statements


def _updates(call: UpdateRow) -> Making:
    keys = _keys(call.key)
    values_of_assignment = [_assigned_values(assignment) for assignment in call.assignments]
    assigned = [dml.assignment(assignment, "?") for assignment in call.assignments]
    guards = [dml.guard(guard, _mark(guard)) for guard in call.guards]
    condition_values = [_condition_values(guard) for guard in call.guards]
    plain = dml.update(call, assigned, _equal(call.key), guards)
    expiring = dml.update(call, assigned, _equal(call.key), guards, "?")
    remaining_seconds = _remaining_seconds(call)

    def statements(arguments: Arguments) -> Iterator[BoundStatement]:
        (key,) = keys(arguments)
        seconds = remaining_seconds(arguments)
        changed = [value for values in values_of_assignment for value in values(arguments)]
        parameters = [*changed, *key, *(value for values in condition_values for value in values(arguments))]
        partition = key[: call.partition]
        yield (plain, parameters, partition) if seconds is None else (expiring, [seconds, *parameters], partition)

    return statements


def _seconds(lifetime: Lifetime, arguments: Arguments) -> int:
    """The time to live of a call."""
    if lifetime.seconds is not None:
        return lifetime.seconds
    assert arguments.ttl is not None
    seconds = ceil(arguments.ttl.total_seconds())
    if seconds > TTL_SECONDS.value:
        allowed = counted(TTL_SECONDS.value, "second", spec=",")
        raise Unstorable(f"Cassandra allows a time to live of up to {allowed}", "ttl", "timedelta")
    return seconds


def _increments(call: IncrementCounter) -> Making:
    keys, text = _keys(call.key), dml.increment(call, "?", _equal(call.key))

    def statements(arguments: Arguments) -> Iterator[BoundStatement]:
        (key,) = keys(arguments)
        yield text, [arguments.by, *key], key

    return statements


def _deletes(call: DeleteRows) -> Making:
    keys = _keys(call.key)
    guards = [dml.guard(guard, _mark(guard)) for guard in call.guards]
    condition_values = [_condition_values(guard) for guard in call.guards]
    text = dml.delete(call, _equal(call.key), guards)

    def statements(arguments: Arguments) -> Iterator[BoundStatement]:
        for key in keys(arguments):
            yield (
                text,
                [*key, *(value for values in condition_values for value in values(arguments))],
                key[: call.partition],
            )

    return statements


def _keys(terms: tuple[FixedColumn, ...]) -> Callable[[Arguments], list[tuple[Any, ...]]]:
    """A function from a call to every key."""
    fillers = [values_of(term) for term in terms]
    return lambda arguments: list(itertools.product(*(values(arguments) for values in fillers)))


def _equal(terms: tuple[FixedColumn, ...]) -> list[dml.ShownCondition]:
    return [(identifier(term.cell.name), "=", "?") for term in terms]


def _assigned_values(assignment: Assignment) -> Callable[[Arguments], list[Any]]:
    """A function from a call to the value of an assignment; an empty list for an assignment without one."""
    cell = assignment.part or assignment.cell
    if assignment.kind == "none":
        return lambda arguments: []
    if assignment.filled is not None and cell.type is None:
        texts_of = texts(assignment.filled)
        return lambda arguments: texts_of(arguments)[:1]
    assert cell.type is not None
    path = cell.field
    if assignment.filled is not None and assignment.filled.template.lone is not None:
        path = assignment.filled.template.lone.path
    write = native_writer(cell.type, cell.native)
    if assignment.kind == "push":
        return lambda arguments: [write([_argument(arguments, path)])]
    return lambda arguments: [write(_argument(arguments, path))]


def _argument(arguments: Arguments, path: str) -> Any:
    try:
        return arguments.values[path]
    except KeyError:
        raise UsageError(f'the call has no value for "{path}"', f"add {argument(path)}=...") from None


def _mark(guard: Guard) -> str:
    return "null" if guard.condition is not None and guard.condition.constants == (None,) else "?"


def _condition_values(guard: Guard) -> Callable[[Arguments], list[Any]]:
    """A function from a call to the values of a condition."""
    condition, cell = guard.condition, guard.cell
    if condition is None or condition.kind == "present" or condition.constants == (None,):
        return lambda arguments: []
    write = forms.text if cell.type is None else native_writer(cell.type, cell.native)
    if condition.kind == "one_of":
        return lambda arguments: [[write(value) for value in arguments.of(condition)]]
    return lambda arguments: [write(arguments.of(condition)[0])]


def _remaining_seconds(call: UpdateRow) -> Callable[[Arguments], int | None]:
    """A function from a call to the remaining seconds of a row or values that expire, at least one."""
    if (lifetime := call.lifetime) is not None:
        return lambda arguments: _seconds(lifetime, arguments)
    if call.ttl is None:
        return lambda arguments: None
    path, delay = call.ttl.field, timedelta(seconds=call.ttl_seconds)

    def seconds(arguments: Arguments) -> int | None:
        moment = _argument(arguments, path)
        if moment is None:
            return None
        now = forms.utc(arguments.now) if arguments.now else datetime.now(UTC)
        return max(1, ceil((forms.utc(moment) + delay - now).total_seconds()))

    return seconds
