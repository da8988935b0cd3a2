"""Statements about indexes and materialized views."""

from ..schema.capabilities import INDEX_OPTIONS
from ..schema.cql import identifier
from ..schema.introspect import index_option
from ..schema.table_options import short_class
from ..schema.target import IndexTarget, ViewTarget
from .cql_keyspace import TableState, ViewState
from .cql_scope import Scope
from .cql_table import primary_key, table_options
from .cql_tokens import Cursor
from .cql_types import option_value

_SAI = ("sai", "storageattachedindex")


def create_index(scope: Scope, cursor: Cursor) -> None:
    """CREATE INDEX and CREATE CUSTOM INDEX."""
    cursor.skips("if", "not", "exists")
    index = "" if cursor.peek() == "on" else cursor.name()
    cursor.expect("on")
    keyspace_name, table_name = cursor.qualified_name()
    keyspace = scope.keyspace(keyspace_name)
    cursor.expect("(")
    part, column = "", cursor.name()
    if cursor.skips("("):
        part, column = column, cursor.name()
        cursor.expect(")")
    cursor.expect(")")
    used = short_class(cursor.next().value) if cursor.skips("using") else "legacy"
    options = option_value(cursor) if cursor.skips("with", "options", "=") else {}
    type = keyspace.tables[table_name].columns[column]
    if not part and type.partition("<")[0] in ("list", "set", "map"):
        part = "values"
    is_attached = used.lower() in _SAI
    pairs = {key: index_option(key, value) for key, value in options.items()} if isinstance(options, dict) else {}
    name = index or keyspace.index_name(table_name, column)
    keyspace.indexes[name] = IndexTarget(
        name=name,
        table=table_name,
        target=f"{part}({identifier(column)})" if part else identifier(column),
        using="sai" if is_attached else used,
        options=tuple(
            sorted(pair for pair in pairs.items() if not is_attached or INDEX_OPTIONS.get(pair[0]) != pair[1])
        ),
    )


def drop_index(scope: Scope, cursor: Cursor) -> None:
    """DROP INDEX."""
    keyspace, name = scope.named(cursor)
    keyspace.indexes.pop(name, None)


def create_view(scope: Scope, cursor: Cursor) -> None:
    """CREATE MATERIALIZED VIEW."""
    keyspace, name = scope.named(cursor)
    cursor.expect("as", "select")
    columns = None if cursor.skips("*") else _column_list(cursor)
    cursor.expect("from")
    table = cursor.qualified_name()[1]
    not_null, condition = _condition(cursor)
    cursor.expect("primary", "key")
    partition, clustering = primary_key(cursor)
    view = TableState(partition=partition, clustering=clustering)
    table_options(scope, cursor, view)
    has_more = bool(condition) or not_null != {*partition, *clustering}
    target = ViewTarget(
        name=name,
        table=table,
        partition=tuple(partition),
        clustering=tuple((column, "DESC" if column in view.descending else "ASC") for column in clustering),
        columns=None if columns is None else tuple(sorted({*columns, *partition, *clustering})),
        where=condition or "a column that may be null" if has_more else "",
    )
    keyspace.views[name] = ViewState(target, view.options)


def drop_view(scope: Scope, cursor: Cursor) -> None:
    """DROP MATERIALIZED VIEW."""
    keyspace, name = scope.named(cursor)
    keyspace.views.pop(name, None)


def _column_list(cursor: Cursor) -> list[str]:
    columns = [cursor.name()]
    while cursor.skips(","):
        columns.append(cursor.name())
    return columns


def _condition(cursor: Cursor) -> tuple[set[str], str]:
    """(columns that are not null, further condition as text) of a view."""
    not_null: set[str] = set()
    others: list[str] = []
    cursor.skips("where")
    while cursor.peek() not in ("primary", ""):
        token = cursor.next()
        if cursor.skips("is", "not", "null"):
            not_null.add(token.value)
        elif token.value != "and":
            others.append(token.text)
    return not_null, " ".join(others)
