"""Steps that make a keyspace; each statement is one piece of CQL, run alone and settled before the next."""

import re
from collections.abc import Iterator

from keywright.engines.plan import Step
from keywright.ir.json import Json

from .codec import describe_index, describe_placement, describe_table, describe_type, describe_view
from .cql import plain
from .statements import create_index, create_keyspace, create_table, create_type, create_view
from .target import KeyspaceTarget, TypeTarget

_IDENTIFIER = re.compile(r'"(?:[^"]|"")+"|\w+')


def store(keyspace: KeyspaceTarget) -> str:
    """See `Engine.store`."""
    return f"cassandra/{keyspace.name}"


def create(keyspace: KeyspaceTarget) -> tuple[Step, ...]:
    """See `Engine.create`: the keyspace, then types before those that hold them, tables, indexes and views.

    `IF NOT EXISTS` in a statement keeps the file for cqlsh rerunnable; the server takes it silently where an object of
    that name differs, so what is there is decided by the description alone.
    """
    return tuple(_steps(keyspace))


def _steps(keyspace: KeyspaceTarget) -> Iterator[Step]:
    name = keyspace.name

    def step(object: tuple[str, ...], what: str, statement: str, wants: Json) -> Step:
        return Step(store(keyspace), name, object, f"create {what}", statement, wants)

    if keyspace.placement:
        yield step((), f'keyspace "{name}"', create_keyspace(keyspace), describe_placement(keyspace.placement))
    for type in by_dependency(keyspace.types):
        yield step(("types", type.name), f'type "{type.name}"', create_type(name, type), describe_type(type))
    for table in keyspace.tables:
        yield step(("tables", table.name), f'table "{table.name}"', create_table(name, table), describe_table(table))
    for index in keyspace.indexes:
        what = f'index "{index.name}" of table "{index.table}"'
        yield step(("indexes", index.name), what, create_index(name, index), describe_index(index))
    for view in keyspace.views:
        what = f'view "{view.name}" of table "{view.table}"'
        yield step(("views", view.name), what, create_view(name, view), describe_view(view))


def by_dependency(types: tuple[TypeTarget, ...]) -> Iterator[TypeTarget]:
    """Types after all that they hold, else by name; no type can hold itself."""
    waiting = {type.name: type for type in types}
    held = {
        name: {plain(word) for one in type.fields for word in _IDENTIFIER.findall(one.type)}
        for name, type in waiting.items()
    }
    while waiting:
        ready = [name for name in waiting if not held[name] & waiting.keys() - {name}]
        yield from (waiting.pop(name) for name in ready)
