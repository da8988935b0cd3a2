"""Statements about keyspaces and user-defined types."""

from .cql_scope import Scope
from .cql_table import renames
from .cql_tokens import Cursor
from .cql_types import native_type


def use(scope: Scope, cursor: Cursor) -> None:
    """USE keyspace."""
    scope.current = cursor.name()


def create_keyspace(scope: Scope, cursor: Cursor) -> None:
    """CREATE KEYSPACE: its replication belongs to the environment. It becomes the current one, if none was named."""
    cursor.skips("if", "not", "exists")
    scope.keyspace(cursor.name())


def drop_keyspace(scope: Scope, cursor: Cursor) -> None:
    """DROP KEYSPACE."""
    cursor.skips("if", "exists")
    scope.keyspaces.pop(cursor.name(), None)


def create_type(scope: Scope, cursor: Cursor) -> None:
    """CREATE TYPE."""
    keyspace, name = scope.named(cursor)
    fields: dict[str, str] = {}
    comments: dict[tuple[str, str], str] = {}
    cursor.expect("(")
    while not cursor.skips(")"):
        field = cursor.name()
        fields[field] = native_type(cursor)
        comments[name, field] = cursor.comment_at_end()
    if name not in keyspace.types:
        keyspace.types[name] = fields
        keyspace.comments |= comments


def alter_type(scope: Scope, cursor: Cursor) -> None:
    """ALTER TYPE: ADD or RENAME."""
    keyspace, name = scope.named(cursor)
    fields = keyspace.types[name]
    if cursor.skips("add"):
        cursor.skips("if", "not", "exists")
        field = cursor.name()
        fields[field] = native_type(cursor)
        return
    cursor.expect("rename")
    cursor.skips("if", "exists")
    renamed = dict(renames(cursor))
    keyspace.types[name] = {renamed.get(field, field): type for field, type in fields.items()}


def drop_type(scope: Scope, cursor: Cursor) -> None:
    """DROP TYPE."""
    keyspace, name = scope.named(cursor)
    keyspace.types.pop(name, None)
