"""Steps that create a keyspace. Each has one CQL statement, which all nodes have before the next one runs."""

import re
from collections.abc import Iterator

from keywright.engines.contract.plan import Statement
from keywright.ir.json import Json

from ..schema.codec import describe_index, describe_placement, describe_table, describe_type, describe_view
from ..schema.cql import plain
from ..schema.statements import create_index, create_keyspace, create_table, create_type, create_view
from ..schema.target import KeyspaceTarget, TypeTarget

_IDENTIFIER = re.compile(r'"(?:[^"]|"")+"|\w+')


def store(keyspace: KeyspaceTarget) -> str:
    """See `Engine.store`."""
    return f"cassandra/{keyspace.name}"


def create(keyspace: KeyspaceTarget) -> tuple[Statement, ...]:
    """See `Engine.create`: the keyspace, then types in order of dependency, tables, indexes and views.

    `IF NOT EXISTS` makes the file for cqlsh rerunnable. The server ignores an existing object of that name even if it
    differs, so only the description shows whether an object exists.
    """
    return tuple(_statements(keyspace))


def _statements(keyspace: KeyspaceTarget) -> Iterator[Statement]:
    name = keyspace.name

    def statement(object: tuple[str, ...], label: str, statement: str, wants: Json) -> Statement:
        return Statement(store(keyspace), name, object, f"create {label}", statement, wants)

    if keyspace.placement:
        yield statement((), f'keyspace "{name}"', create_keyspace(keyspace), describe_placement(keyspace.placement))
    for type in by_dependency(keyspace.types):
        yield statement(("types", type.name), f'type "{type.name}"', create_type(name, type), describe_type(type))
    for table in keyspace.tables:
        yield statement(
            ("tables", table.name), f'table "{table.name}"', create_table(name, table), describe_table(table)
        )
    for index in keyspace.indexes:
        label = f'index "{index.name}" of table "{index.table}"'
        yield statement(("indexes", index.name), label, create_index(name, index), describe_index(index))
    for view in keyspace.views:
        label = f'view "{view.name}" of table "{view.table}"'
        yield statement(("views", view.name), label, create_view(name, view), describe_view(view))


def by_dependency(types: tuple[TypeTarget, ...]) -> Iterator[TypeTarget]:
    """Types in order of dependency, then by name. No type can contain itself."""
    waiting = {type.name: type for type in types}
    dependencies = {
        name: {plain(word) for field in type.fields for word in _IDENTIFIER.findall(field.type)}
        for name, type in waiting.items()
    }
    while waiting:
        ready = [name for name in waiting if not dependencies[name] & waiting.keys() - {name}]
        yield from (waiting.pop(name) for name in ready)
