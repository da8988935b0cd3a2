"""The keyspaces of schema files while their statements are read."""

from keywright.engines.contract.adoption import NotExpressed

from .cql_keyspace import KeyspaceState
from .cql_tokens import Cursor


class Scope:
    """The keyspaces so far, and the place of the current statement."""

    def __init__(self, keyspace: str) -> None:
        """keyspace: the name of the keyspace where the files name none."""
        self.keyspaces: dict[str, KeyspaceState] = {}
        self.problems: list[NotExpressed] = []
        self.current = keyspace
        self.at = ""
        self.subject = ""

    def problem(self, reason: str) -> None:
        """Add a part of the current statement that is not expressed."""
        self.problems.append(NotExpressed(self.at, reason))

    def keyspace(self, name: str) -> KeyspaceState:
        """A keyspace; the current one for an empty name."""
        return self.keyspaces.setdefault(name or self.current, KeyspaceState())

    def named(self, cursor: Cursor) -> tuple[KeyspaceState, str]:
        """(keyspace, object) after an optional IF [NOT] EXISTS."""
        cursor.skips("if", "not", "exists")
        cursor.skips("if", "exists")
        keyspace, name = cursor.qualified_name()
        self.subject = f'"{name}"'
        return self.keyspace(keyspace), name
