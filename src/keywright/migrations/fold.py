"""Folding: the snapshot of a migration is the snapshot of the previous migration with its changes applied."""

from collections.abc import Iterable, Mapping

from keywright.engines.contract.change import Change
from keywright.ir.json import Json
from keywright.record import Record, field

from .snapshot import Snapshot, applied


class Notes(Record):
    """Changed notes of a snapshot; None for a removed note."""

    access: Mapping[str, str | None] = field(default_factory=dict)
    """Access path of each access pattern."""
    renamed: Mapping[str, str | None] = field(default_factory=dict)
    """Former names by store and object."""


NOTHING = Notes()
"""Notes of a migration that changes no notes."""


def notes_between(before: Snapshot, after: Snapshot) -> Notes:
    """Notes that differ between two snapshots."""
    return Notes(_changed(before.access, after.access), _changed(before.renamed, after.renamed))


def folded(before: Snapshot, number: str, changes: Iterable[Change], notes: Notes) -> Snapshot:
    """Snapshot after a migration; it shares unchanged parts with the snapshot before.

    number: the migration's number, which the graveyard records for each dropped object.
    """
    changes = tuple(changes)
    graves = (_grave(change, number) for change in changes if change.kind in ("DropField", "DropTable"))
    return Snapshot(
        applied(before.stores, changes),
        (*before.graveyard, *graves),
        _with(before.access, notes.access),
        _with(before.renamed, notes.renamed),
    )


def _grave(change: Change, number: str) -> dict[str, Json]:
    """Graveyard entry of a dropped object: its name and type."""
    before = change.before
    type = before["type"] if isinstance(before, dict) and "type" in before else before
    dropped_type = type if isinstance(type, str) else "table"
    return {"object": f"{change.store}/{change.object}", "type": dropped_type, "dropped_in": number, "purged": False}


def _changed(before: Mapping[str, str], after: Mapping[str, str]) -> dict[str, str | None]:
    return {key: after.get(key) for key in sorted(before.keys() | after.keys()) if before.get(key) != after.get(key)}


def _with(before: Mapping[str, str], changed: Mapping[str, str | None]) -> Mapping[str, str]:
    if not changed:
        return before
    return {key: value for key, value in {**before, **changed}.items() if value is not None}
