"""Order of changes in a migration: early, waiting and late changes, and changes that belong together."""

from collections.abc import Sequence

from keywright.engines.contract.change import (
    AddField,
    AddIndex,
    AddTable,
    AddType,
    AlterIndex,
    AlterType,
    AlterValidator,
    Change,
    DropIndex,
)

from ..migration import NumberedChange

WARN = "warn"
"""First action for documents that break a new validator: the server logs a warning."""


def is_new_refusal(change: Change) -> bool:
    """Whether a collection gets its first validator, which would reject documents at once."""
    return change.path[-1] == "validationAction" and change.before is None and change.after == "error"


def is_after(change: Change, first: Change) -> bool:
    """Whether a change is a different change of the same collection."""
    return change is not first and is_beside(change, first)


def is_beside(change: Change, other: Change) -> bool:
    """Whether two changes belong to the same collection."""
    return (change.store, change.path[:-1]) == (other.store, other.path[:-1])


def is_moved(change: NumberedChange) -> bool:
    """Whether the change is possible only in a new generation."""
    return not change.change.is_native and "R" in change.classes


def has_step(change: NumberedChange) -> bool:
    """Whether the change needs a statement in a store."""
    return change.change.is_native


def is_late(numbered_change: NumberedChange) -> bool:
    """Whether the change waits until nothing needs the former state."""
    change = numbered_change.change
    if isinstance(change, AlterValidator):
        is_admitting = isinstance(change.before, dict) and "$or" in change.before
        return is_admitting or (change.path[-1] == "validationAction" and change.before == WARN)
    return not isinstance(change, (AddTable, AddIndex, AddField)) and bool({"K", "D"} & set(numbered_change.classes))


def rests_on(group: Sequence[NumberedChange]) -> int:
    """Rank by dependencies: a column needs its type, an index its column."""
    change = group[0].change
    if isinstance(change, (AddType, AlterType)):
        return 0
    return 2 if isinstance(change, (AddIndex, AlterIndex)) else 1


def is_beneath(group: Sequence[NumberedChange]) -> bool:
    """Whether indexes and views may depend on the changed object, so that they are altered or dropped before it."""
    return not isinstance(group[0].change, (AlterIndex, DropIndex))


def is_gated(change: NumberedChange) -> bool:
    """Whether the change exists only in declarations, and running code would miss what it removes."""
    return not change.change.is_native and "K" in change.classes


def waits(change: NumberedChange, filled: set[tuple[str, str]]) -> bool:
    """Whether an index waits until stored items have its fields."""
    return isinstance(change.change, AddIndex) and (change.change.store, change.change.path[0]) in filled


def belongs(change: Change, table: Change) -> bool:
    """Whether an object is added or dropped with a table: its path or its `table` key names the table."""
    if change is table or change.path[0] != table.path[0] or change.store != table.store or len(table.path) < 4:
        return False
    if change.kind[:3] != table.kind[:3]:
        return False
    value = change.after if change.before is None else change.before
    owner = value.get("table") if isinstance(value, dict) else None
    return (len(change.path) > 4 and change.path[3] == table.path[3]) or owner == table.path[3]
