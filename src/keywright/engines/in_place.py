"""What no statement can change in place is refused by name before any step is made."""

from .change import Change
from .classes import Class, Rows, row_of
from .diff import diff
from .interface import Description
from .parts import Part


def refuse_rebuilds(store: str, parts: Part, rows: Rows, before: Description, after: Description) -> None:
    """Raise ValueError where two descriptions of a target differ in what only a new generation can change.

    The half that only declarations know is not judged: what becomes of it is the concern of a version, not of a server.
    """
    if before["name"] != after["name"]:
        raise ValueError(f'{store}: "{after["name"]}" is not "{before["name"]}": nothing is renamed in place')
    old, new = ({half: one[half] for half in ("native", "generation")} for one in (before, after))
    found = [one for one in diff(store, parts, old, new, (str(after["name"]),)) if is_rebuild(rows, one)]
    if found:
        told = "; ".join(f"{'/'.join(one.path[1:])} ({row_of(rows, one).why})" for one in found)
        raise ValueError(f"{store}: {after['name']} cannot change in place: {told}")


def is_rebuild(rows: Rows, change: Change) -> bool:
    """Whether a change is impossible in place."""
    return Class.REBUILD.value in row_of(rows, change).classes
