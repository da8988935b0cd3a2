"""Classes: the effects of a change on a running system, which each engine assigns in its own table."""

from collections.abc import Callable
from enum import Enum
from fnmatch import fnmatchcase
from typing import Any, TypeAlias

from keywright.ir.json import Json
from keywright.record import Record

from .change import Change


class Class(Enum):
    """An effect of a change, from harmless to worst."""

    SAFE = "S"
    """Metadata only: immediate, without effect on applications."""
    ONLINE = "O"
    """Built while the store is in use; takes time and work of the server."""
    BACKFILL = "B"
    """Stored data must be converted before applications rely on the change."""
    BREAKS = "K"
    """Running code would fail, so that new code is deployed first."""
    DESTROYS = "D"
    """Data is lost."""
    REBUILD = "R"
    """Impossible in place: it needs a new generation and a copy."""


ChangeTest: TypeAlias = Callable[[Any, Any], bool]
"""A test of a change's values before and after."""


class ClassRule(Record):
    """One row of a table of classes."""

    kind: type[Change]
    """The type of change."""
    classes: str
    """Letters of `Class`, in their order there."""
    why: str
    """The effect in a few words."""
    path: str = "*"
    """Pattern of the path below the target, `*` for anything: `shape/*/key/pk`."""
    when: ChangeTest = lambda before, after: True
    """Whether the row applies to these values."""


Rows: TypeAlias = tuple[ClassRule, ...]
"""A table of classes: the first matching row applies, and every change matches a row."""


def row_of(rows: Rows, change: Change) -> ClassRule:
    """The first matching row; each table ends with a row for every type of change of its engine."""
    path = "/".join(change.path[1:])
    return next(
        row
        for row in rows
        if row.kind is type(change) and fnmatchcase(path, row.path) and row.when(change.before, change.after)
    )


def is_added(before: Json, after: Json) -> bool:
    """Whether the part is added."""
    return before is None


def is_dropped(before: Json, after: Json) -> bool:
    """Whether the part is dropped."""
    return after is None


def is_added_field_needed(before: Json, after: Json) -> bool:
    """Whether an added field is required."""
    return isinstance(after, dict) and bool(after.get("required"))


def is_loosened(before: Json, after: Json) -> bool:
    """Whether the only difference is that a field is no longer required."""
    assert isinstance(before, dict)
    assert isinstance(after, dict)
    return {**before, "required": False} == after


def is_extended(before: Json, after: Json) -> bool:
    """Whether a list only gets further elements, or its elements another order after the first one."""
    if not isinstance(before, list) or not isinstance(after, list):
        return False
    return before[:1] == after[:1] and all(value in after for value in before)


def is_tightened(before: Json, after: Json) -> bool:
    """Whether the only difference is that a field becomes required."""
    return is_loosened(after, before)
