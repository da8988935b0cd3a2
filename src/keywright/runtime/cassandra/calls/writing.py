"""Puts, updates, increments, deletes and transactions: statements with the values of a call."""

import itertools
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from math import ceil
from typing import Any

from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.engines.cassandra.access import dml
from keywright.engines.cassandra.access.calls import Term
from keywright.engines.cassandra.access.calls_write import (
    Assignment,
    Batch,
    Delete,
    Guard,
    Increment,
    Insert,
    Update,
    is_conditional,
)
from keywright.engines.cassandra.cql import identifier
from keywright.engines.cassandra.row import ttl_of
from keywright.engines.cassandra.target import KeyspaceTarget
from keywright.errors import UsageError
from keywright.runtime import text as forms
from keywright.runtime.codec import Call, Codec
from keywright.runtime.fill import texts
from keywright.runtime.given import ConditionFailed, Given, argument

from ..write import native_writer
from . import session as sessions
from .filled import values_of

Statement = tuple[str, list[Any], tuple[Any, ...]]
"""Text, values, and the values of the partition key."""

Making = Callable[[Given], Iterator[Statement]]
"""The statements of one call of a write."""


def prepare_write(planned: Planned[KeyspaceTarget], codec: Codec[Any]) -> Call:
    """A write as a function of a session and a call."""
    assert isinstance(planned.path, AccessPath)
    call, name = planned.path.call, planned.pattern.name
    assert isinstance(call, (Insert, Update, Increment, Delete))
    making = _making(call, codec)
    if is_conditional(call):
        refuses = not isinstance(call, Delete) or call.refuses

        def agreed(session: Any, given: Given) -> None:
            for text, values, _ in making(given):
                applied = sessions.is_applied(sessions.send(session, text, values, call.level))
                if not applied and refuses:
                    raise ConditionFailed(_words(name, call))

        return agreed

    def sent(session: Any, given: Given) -> None:
        futures = (sessions.send(session, text, values, call.level) for text, values, _ in making(given))
        for future in sessions.drained(futures):
            future.result()

    return sent


def prepare_batch(planned: Planned[KeyspaceTarget], call: Batch, codecs: list[Codec[Any]]) -> Call:
    """A transaction as a function of a session and a call."""
    makings = [_making(write, codec) for write, codec in zip(call.writes, codecs, strict=True)]
    name = planned.pattern.name

    def sent(session: Any, given: Given) -> None:
        statements = [
            one for making, calls in zip(makings, given.parts, strict=True) for part in calls for one in making(part)
        ]
        if not statements:
            return
        if call.is_conditional and any(key != statements[0][2] for _, _, key in statements):
            problem = f'the writes of "{name}" are in several partitions, and one of them has a condition'
            raise UsageError(problem, "give values of one partition, or leave out the condition")
        bound = [sessions.bound(session, text, values, call.level) for text, values, _ in statements]
        answer = sessions.batch(session, bound, call.level)
        if call.is_conditional and not sessions.is_applied(answer):
            raise ConditionFailed(f'"{name}": a condition of one of its writes does not hold')
        answer.result()

    return sent


def _words(name: str, call: Insert | Update | Increment | Delete) -> str:
    match call:
        case Insert():
            return f'"{name}": the key is taken'
        case Update(guards=()):
            return f'"{name}": there is no such item'
        case _:
            return f'"{name}": there is no such item, or its condition does not hold'


def _making(call: Insert | Update | Increment | Delete, codec: Codec[Any]) -> Making:
    match call:
        case Insert():
            return _inserting(call, codec)
        case Update():
            return _updating(call)
        case Increment():
            return _incrementing(call)
        case Delete():
            return _deleting(call)


def _inserting(call: Insert, codec: Codec[Any]) -> Making:
    marks = ["?"] * len(call.columns)
    plain, kept = dml.insert(call, marks), dml.insert(call, marks, "?")
    removal = Delete(call.keyspace, call.table, (), call.partition)
    removed = dml.delete(removal, [(identifier(name), "=", "?") for name in call.keys], [])

    def made(given: Given) -> Iterator[Statement]:
        for item in given.items:
            for row in codec.to_items(item):
                key = tuple(row[name] for name in call.keys)
                values = [row.get(name) for name in call.columns]
                partition = key[: call.partition]
                seconds = ttl_of(row)
                if seconds is None:
                    yield plain, values, partition
                elif seconds > 0 or call.if_absent:
                    yield kept, [*values, max(1, seconds)], partition
                else:
                    yield removed, list(key), partition  # it is gone already, and so is what it replaces

    return made


def _updating(call: Update) -> Making:
    keys = _keys(call.key)
    values_of_assignment = [_assigned(one) for one in call.assignments]
    assigned = [dml.assignment(one, "?") for one in call.assignments]
    guards = [dml.guard(one, _mark(one)) for one in call.guards]
    held = [_held(one) for one in call.guards]
    plain = dml.update(call, assigned, _equal(call.key), guards)
    kept = dml.update(call, assigned, _equal(call.key), guards, "?")
    lives = _lives(call)

    def made(given: Given) -> Iterator[Statement]:
        (key,) = keys(given)
        seconds = lives(given)
        changed = [value for values in values_of_assignment for value in values(given)]
        rest = [*changed, *key, *(value for values in held for value in values(given))]
        partition = key[: call.partition]
        yield (plain, rest, partition) if seconds is None else (kept, [seconds, *rest], partition)

    return made


def _incrementing(call: Increment) -> Making:
    keys, text = _keys(call.key), dml.increment(call, "?", _equal(call.key))

    def made(given: Given) -> Iterator[Statement]:
        (key,) = keys(given)
        yield text, [given.by, *key], key

    return made


def _deleting(call: Delete) -> Making:
    keys = _keys(call.key)
    guards = [dml.guard(one, _mark(one)) for one in call.guards]
    held = [_held(one) for one in call.guards]
    text = dml.delete(call, _equal(call.key), guards)

    def made(given: Given) -> Iterator[Statement]:
        for key in keys(given):
            yield text, [*key, *(value for values in held for value in values(given))], key[: call.partition]

    return made


def _keys(terms: tuple[Term, ...]) -> Callable[[Given], list[tuple[Any, ...]]]:
    """A function from a call to every key."""
    fillers = [values_of(term) for term in terms]
    return lambda given: list(itertools.product(*(values(given) for values in fillers)))


def _equal(terms: tuple[Term, ...]) -> list[dml.Condition]:
    return [(identifier(term.cell.name), "=", "?") for term in terms]


def _assigned(one: Assignment) -> Callable[[Given], list[Any]]:
    """A function from a call to the value of an assignment; none for one that takes nothing."""
    cell = one.part or one.cell
    if one.kind == "none":
        return lambda given: []
    if one.filled is not None and cell.type is None:
        made = texts(one.filled)
        return lambda given: made(given)[:1]
    assert cell.type is not None
    path = cell.field
    if one.filled is not None and one.filled.template.lone is not None:
        path = one.filled.template.lone.path
    write = native_writer(cell.type, cell.native)
    if one.kind == "push":
        return lambda given: [write([_said(given, path)])]
    return lambda given: [write(_said(given, path))]


def _said(given: Given, path: str) -> Any:
    try:
        return given.values[path]
    except KeyError:
        raise UsageError(f'the call does not give "{path}"', f"add {argument(path)}=...") from None


def _mark(guard: Guard) -> str:
    return "null" if guard.asked is not None and guard.asked.constants == (None,) else "?"


def _held(guard: Guard) -> Callable[[Given], list[Any]]:
    """A function from a call to the values of a condition."""
    asked, cell = guard.asked, guard.cell
    if asked is None or asked.how == "present" or asked.constants == (None,):
        return lambda given: []
    write = forms.text if cell.type is None else native_writer(cell.type, cell.native)
    if asked.how == "one_of":
        return lambda given: [[write(value) for value in given.of(asked)]]
    return lambda given: [write(given.of(asked)[0])]


def _lives(call: Update) -> Callable[[Given], int | None]:
    """A function from a call to the seconds that are left of a row that expires; at least one."""
    if call.ttl is None:
        return lambda given: None
    path, after = call.ttl.field, timedelta(seconds=call.ttl_seconds)

    def seconds(given: Given) -> int | None:
        moment = _said(given, path)
        if moment is None:
            return None
        now = forms.utc(given.now) if given.now else datetime.now(UTC)
        return max(1, ceil((forms.utc(moment) + after - now).total_seconds()))

    return seconds
