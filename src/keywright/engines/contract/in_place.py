"""Rejects changes that no statement can make in place, before any statement is created."""

from keywright.errors import UsageError

from .change import Change
from .classes import Class, Rows, row_of
from .diff import diff
from .parts import Description, Part


class CannotChange(UsageError, ValueError):
    """Two targets differ in a part that no server changes in place."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem, "declare generation= and rebuild=kw.Rebuild(from_generation=...), or undo the change")


def refuse_rebuilds(store: str, parts: Part, rows: Rows, before: Description, after: Description) -> None:
    """Raise CannotChange if two descriptions of a target differ in a part that only a new generation can change.

    The shape half is not compared, because migrations, not servers, change it.
    """
    if before["name"] != after["name"]:
        raise CannotChange(f'{store}: "{after["name"]}" is not "{before["name"]}": a target cannot be renamed in place')
    old, new = ({part: side[part] for part in ("native", "generation")} for side in (before, after))
    changes = [change for change in diff(store, parts, old, new, (str(after["name"]),)) if is_rebuild(rows, change)]
    if changes:
        text = "; ".join(f"{'/'.join(change.path[1:])} ({row_of(rows, change).why})" for change in changes)
        name = after["name"] or "it"  # a keyspace has no name before it is placed
        raise CannotChange(f"{store.rstrip('/')}: {name} cannot change in place: {text}")


def is_rebuild(rows: Rows, change: Change) -> bool:
    """Whether a change is impossible in place."""
    return Class.REBUILD.value in row_of(rows, change).classes
