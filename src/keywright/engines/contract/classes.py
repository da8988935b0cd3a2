"""What a change does to a running system: classes, which each engine assigns in a table of its own."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from fnmatch import fnmatchcase
from typing import Any, TypeAlias

from keywright.ir.json import Json

from .change import Change


class Class(Enum):
    """One thing that a change does; the worst comes last."""

    SAFE = "S"
    """Metadata only: at once, and nobody notices."""
    ONLINE = "O"
    """Built while the store is in use; takes time and work of the server."""
    BACKFILL = "B"
    """Stored data must follow before anybody may rely on it."""
    BREAKS = "K"
    """Code that runs now would fail: its deployment comes first."""
    DESTROYS = "D"
    """Data is gone afterwards."""
    REBUILD = "R"
    """Impossible in place: a new generation, and a copy."""


Test: TypeAlias = Callable[[Any, Any], bool]
"""Of a change's values before and after."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table of classes."""

    kind: type[Change]
    """The type of change."""
    classes: str
    """Letters of `Class`, in their order there."""
    why: str
    """What happens, in a few words."""
    path: str = "*"
    """Pattern of the path below the target, `*` for anything: `shape/*/key/pk`."""
    when: Test = lambda before, after: True
    """Whether it applies to these values."""


Rows: TypeAlias = tuple[Row, ...]
"""A table of classes: the first row that fits a change counts, and some row fits each."""


def row_of(rows: Rows, change: Change) -> Row:
    """The first row that fits; each table ends with one for every type that its engine has."""
    path = "/".join(change.path[1:])
    return next(
        row
        for row in rows
        if row.kind is type(change) and fnmatchcase(path, row.path) and row.when(change.before, change.after)
    )


def is_added(before: Json, after: Json) -> bool:
    """Whether something was not there."""
    return before is None


def is_dropped(before: Json, after: Json) -> bool:
    """Whether something goes."""
    return after is None


def is_added_field_needed(before: Json, after: Json) -> bool:
    """Whether an added field is one that every item must have."""
    return isinstance(after, dict) and bool(after.get("required"))


def is_loosened(before: Json, after: Json) -> bool:
    """Whether a field is only no longer required."""
    assert isinstance(before, dict)
    assert isinstance(after, dict)
    return {**before, "required": False} == after


def is_tightened(before: Json, after: Json) -> bool:
    """Whether a field is only required from now on."""
    return is_loosened(after, before)
