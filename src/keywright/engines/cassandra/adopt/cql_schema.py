"""Reads schema files of CQL: applies their statements in order."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import PurePath

from keywright.engines.contract.adoption import Sample, Schema

from . import cql_index as index
from . import cql_table as table
from . import cql_udt as udt
from .cql_scope import Scope
from .cql_tokens import Cursor, UnexpectedToken, placeholder_names, statements

_IGNORED = frozenset((
    "apply", "begin", "capture", "clear", "consistency", "copy", "delete", "desc", "describe", "exit", "expand",
    "grant", "insert", "list", "login", "paging", "quit", "restrict", "revoke", "select", "serial", "show", "source",
    "tracing", "truncate", "unicode", "update",
))  # fmt: skip
"""First words of statements that change no schema."""

DEFAULT_KEYSPACE = "app"
"""The keyspace of files that name none."""

_NAME = re.compile(r"[a-z]\w{0,47}")
_FOLDERS = frozenset((
    "cassandra", "cql", "database", "db", "ddl", "migration", "migrations", "resources", "schema", "schemas", "scripts",
    "sql", "src", "templates", "tmp",
))  # fmt: skip
"""Names of folders that do not say what the files in them describe."""

SUFFIXES = (".cql", ".cql.tmpl")
"""Suffixes of CQL files; templates have placeholders."""


def read_schema(paths: Mapping[str, str]) -> Schema | None:
    """See `Adoption.read_schema`: files of CQL."""
    if not all(path.endswith(SUFFIXES) for path in paths):
        return None
    scope = Scope(DEFAULT_KEYSPACE)
    placeholders = frozenset(name for text in paths.values() for name in placeholder_names(text))
    for path, text in paths.items():
        for statement in statements(text):
            scope.at = f"{path}:{statement.line}"
            scope.subject = "statement"
            cursor = Cursor(statement.tokens)
            try:
                _apply(scope, cursor)
            except (UnexpectedToken, KeyError) as error:
                unknown = error if isinstance(error, UnexpectedToken) else f'"{error.args[0]}" does not exist here'
                scope.problem(f"{scope.subject} not read: {unknown}")
    named = {_keyspace_name(name, placeholders, paths): keyspace for name, keyspace in scope.keyspaces.items()}
    keyspaces = sorted((name, keyspace) for name, keyspace in named.items() if keyspace.tables)
    targets = tuple(keyspace.target(name) for name, keyspace in keyspaces)
    comments = {name: Sample(comments=keyspace.comments) for name, keyspace in keyspaces}
    return Schema(targets, comments, tuple(scope.problems))


def _keyspace_name(name: str, placeholders: Collection[str], paths: Iterable[str]) -> str:
    """The name of a keyspace; for a placeholder of a template, the name of the folder that contains the file."""
    if name not in placeholders:
        return name
    folders = (folder.lower() for path in paths for folder in reversed(PurePath(path).parts[:-1]))
    return next((folder for folder in folders if _NAME.fullmatch(folder) and folder not in _FOLDERS), name)


def _apply(scope: Scope, cursor: Cursor) -> None:
    for words, read in _STATEMENTS.items():
        if cursor.skips(*words):
            read(scope, cursor)
            return
    if cursor.peek() not in _IGNORED:
        raise UnexpectedToken(f'no schema statement begins with "{cursor.peek()}"')


def _no_word(scope: Scope, cursor: Cursor) -> None:
    """A function, an aggregate, a trigger, a role: nothing that a declaration has."""
    cursor.skips("or", "replace")
    scope.problem(f'"{cursor.peek()}": functions, triggers and roles have no declaration')


def _pass_over(scope: Scope, cursor: Cursor) -> None:
    """A statement about settings of the environment."""


_STATEMENTS: Mapping[tuple[str, ...], Callable[[Scope, Cursor], None]] = {
    ("use",): udt.use,
    ("create", "keyspace"): udt.create_keyspace,
    ("drop", "keyspace"): udt.drop_keyspace,
    ("alter", "keyspace"): _pass_over,
    ("create", "type"): udt.create_type,
    ("alter", "type"): udt.alter_type,
    ("drop", "type"): udt.drop_type,
    ("create", "table"): table.create_table,
    ("create", "columnfamily"): table.create_table,
    ("alter", "table"): table.alter_table,
    ("alter", "columnfamily"): table.alter_table,
    ("drop", "table"): table.drop_table,
    ("drop", "columnfamily"): table.drop_table,
    ("create", "index"): index.create_index,
    ("create", "custom", "index"): index.create_index,
    ("drop", "index"): index.drop_index,
    ("create", "materialized", "view"): index.create_view,
    ("alter", "materialized", "view"): _pass_over,
    ("drop", "materialized", "view"): index.drop_view,
    ("create",): _no_word,
    ("alter",): _no_word,
    ("drop",): _no_word,
}
"""The reader of each kind of statement by its first words, longer ones first."""
