"""Where a change stands among the others of a version: what comes early, what waits, what goes last, and with what."""

from collections.abc import Sequence

from keywright.engines.change import (
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

from .version import Landing


def is_moved(one: Landing) -> bool:
    """Whether it is possible in a new generation only."""
    return not one.change.is_native and "R" in one.classes


def has_step(one: Landing) -> bool:
    """Whether a store must do something for it."""
    return one.change.is_native


def is_late(one: Landing) -> bool:
    """Whether it waits until nothing needs what was before."""
    change = one.change
    if isinstance(change, AlterValidator):
        return isinstance(change.before, dict) and "$or" in change.before
    return not isinstance(change, (AddTable, AddIndex, AddField)) and bool({"K", "D"} & set(one.classes))


def rests_on(group: Sequence[Landing]) -> int:
    """How much must be there before what comes: a column needs its type, an index its column."""
    change = group[0].change
    if isinstance(change, (AddType, AlterType)):
        return 0
    return 2 if isinstance(change, (AddIndex, AlterIndex)) else 1


def is_beneath(group: Sequence[Landing]) -> bool:
    """Whether indexes and views may rest on what goes, so that they are altered or dropped before it."""
    return not isinstance(group[0].change, (AlterIndex, DropIndex))


def is_gated(one: Landing) -> bool:
    """Whether only declarations know it, and code that runs would miss what it takes away."""
    return not one.change.is_native and "K" in one.classes


def waits(one: Landing, filled: set[tuple[str, str]]) -> bool:
    """Whether an index waits until stored items have what it is about."""
    return isinstance(one.change, AddIndex) and (one.change.store, one.change.path[0]) in filled


def belongs(change: Change, table: Change) -> bool:
    """Whether something comes or goes with a table: it stands under its name, or says that it is of it."""
    if change is table or change.path[0] != table.path[0] or change.store != table.store or len(table.path) < 4:
        return False
    if change.kind[:3] != table.kind[:3]:
        return False
    value = change.after if change.before is None else change.before
    owner = value.get("table") if isinstance(value, dict) else None
    return (len(change.path) > 4 and change.path[3] == table.path[3]) or owner == table.path[3]
