"""Statements about tables."""

from collections.abc import Mapping

from keywright.errors import did_you_mean

from ..schema.capabilities import REMOVED_OPTIONS, TABLE_OPTIONS
from ..schema.masks import normal
from .cql_keyspace import TableState
from .cql_scope import Scope
from .cql_tokens import Cursor, UnexpectedToken
from .cql_types import Value, native_type, option_value

_NUMBERS = ("int", "seconds", "float")

_OLD_COMPRESSION: Mapping[str, str] = {"sstable_compression": "class", "chunk_length_kb": "chunk_length_in_kb"}
"""Names of options before Cassandra 3.0. Source:
https://github.com/apache/cassandra/blob/trunk/NEWS.txt, 2026-11-24."""


def create_table(scope: Scope, cursor: Cursor) -> None:
    """CREATE TABLE."""
    keyspace, name = scope.named(cursor)
    table = TableState()
    comments: dict[tuple[str, str], str] = {}
    cursor.expect("(")
    while not cursor.skips(")"):
        if cursor.skips("primary", "key"):
            table.partition, table.clustering = primary_key(cursor)
            cursor.skips(",")
        else:
            column = _column(scope, cursor, table)
            comments[name, column] = cursor.comment_at_end()
    table_options(scope, cursor, table)
    if name not in keyspace.tables:
        keyspace.tables[name] = table
        keyspace.comments |= comments


def alter_table(scope: Scope, cursor: Cursor) -> None:
    """ALTER TABLE: ADD, DROP, RENAME, WITH."""
    keyspace, name = scope.named(cursor)
    table = keyspace.tables[name]
    if cursor.skips("add"):
        cursor.skips("if", "not", "exists")
        is_list = cursor.skips("(")
        while not cursor.is_at_end and not (is_list and cursor.skips(")")):
            _column(scope, cursor, table)
            cursor.skips(",")
    elif cursor.skips("drop", "compact", "storage"):
        return
    elif cursor.skips("drop"):
        cursor.skips("if", "exists")
        for column in cursor.names():
            table.columns.pop(column, None)
            table.static.discard(column)
            table.masks.pop(column, None)
    elif cursor.skips("rename"):
        cursor.skips("if", "exists")
        for before, after in renames(cursor):
            table.rename(before, after)
    elif cursor.skips("alter"):
        column = cursor.name()
        if cursor.skips("type"):
            table.columns[column] = native_type(cursor)
        elif cursor.skips("drop", "masked"):
            table.masks.pop(column, None)
        else:
            _mask(cursor, table, column)
    else:
        table_options(scope, cursor, table)


def drop_table(scope: Scope, cursor: Cursor) -> None:
    """DROP TABLE."""
    keyspace, name = scope.named(cursor)
    keyspace.drop_table(name)


def _column(scope: Scope, cursor: Cursor, table: TableState) -> str:
    """Read a column; its name."""
    name = cursor.name()
    table.columns[name] = native_type(cursor)
    if cursor.skips("static"):
        table.static.add(name)
    if cursor.skips("primary", "key"):
        table.partition = [name]
    if cursor.peek() not in ("masked", ",", ")", ""):
        raise UnexpectedToken(f'"{cursor.peek()}" after column "{name}"')
    if cursor.peek() == "masked":
        _mask(cursor, table, name)
    if cursor.skips("primary", "key"):
        table.partition = [name]
    return name


def _mask(cursor: Cursor, table: TableState, column: str) -> None:
    """MASKED WITH a function, or with DEFAULT."""
    cursor.expect("masked", "with")
    if cursor.skips("default"):
        table.masks[column] = "mask_default()"
        return
    keyspace, function = cursor.qualified_name()
    written = f"{keyspace}.{function}" if keyspace else function
    mask = normal(f"{written}({' '.join(cursor.group())})")
    if mask is None:
        raise UnexpectedToken(f'the mask of "{column}"')
    table.masks[column] = mask


def table_options(scope: Scope, cursor: Cursor, table: TableState) -> None:
    """Read an optional WITH."""
    if not cursor.skips("with"):
        return
    while True:
        if cursor.skips("clustering", "order", "by"):
            _clustering_order(cursor, table.descending)
        elif cursor.skips("compact", "storage"):
            scope.problem("COMPACT STORAGE was removed in Cassandra 4.0")
        else:
            _option(scope, cursor, table.options)
        if not cursor.skips("and"):
            break


def _option(scope: Scope, cursor: Cursor, options: dict[str, Value]) -> None:
    name = cursor.name()
    cursor.expect("=")
    value = option_value(cursor)
    if name == "id":
        return
    if name == "extensions":
        if value:
            scope.problem(f'table option "{name}": only the product that wrote it knows its meaning')
        return
    option = TABLE_OPTIONS.get(name)
    if option is None:
        removed = REMOVED_OPTIONS.get(name)
        reason = f"removed in Cassandra {removed}" if removed else did_you_mean(name, TABLE_OPTIONS)
        scope.problem(f'table option "{name}": {reason}')
    elif option.kind in _NUMBERS and not isinstance(value, (int, float)):
        scope.problem(f'table option "{name}" is {value!r}, not a number')
    elif option.kind == "map" and not isinstance(value, dict):
        scope.problem(f'table option "{name}" is {value!r}, not a map')
    elif isinstance(value, dict) and name == "compression":
        options[name] = {_OLD_COMPRESSION.get(key, key): text for key, text in value.items()}
    else:
        options[name] = value


def primary_key(cursor: Cursor) -> tuple[list[str], list[str]]:
    """(partition key, clustering columns)."""
    cursor.expect("(")
    partition = cursor.names()
    clustering: list[str] = []
    while cursor.skips(","):
        clustering.append(cursor.name())
    cursor.expect(")")
    return partition, clustering


def _clustering_order(cursor: Cursor, descending: set[str]) -> None:
    cursor.expect("(")
    while not cursor.skips(")"):
        column = cursor.name()
        if cursor.skips("desc"):
            descending.add(column)
        cursor.skips("asc")
        cursor.skips(",")


def renames(cursor: Cursor) -> list[tuple[str, str]]:
    """(former, new) names after RENAME."""
    pairs: list[tuple[str, str]] = []
    while not cursor.is_at_end:
        before = cursor.name()
        cursor.expect("to")
        pairs.append((before, cursor.name()))
        cursor.skips("and")
    return pairs
