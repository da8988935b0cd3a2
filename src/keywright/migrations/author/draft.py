"""The input of a migration: two snapshots, with hints and transforms, and the changes between them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from keywright.engines.contract.change import Change, Path
from keywright.engines.contract.diff import diff
from keywright.engines.contract.parts import Part
from keywright.engines.interface import Engine
from keywright.ir.json import Json
from keywright.record import Record, field

from ..snapshot import EMPTY, Snapshot

Engines = Callable[[str], Engine[Any, Any]]
"""The engine of a store."""


class Draft(Record, kw_only=True):
    """Input of a migration."""

    before: Snapshot = EMPTY
    """Snapshot before the migration."""
    after: Snapshot
    """Snapshot after the migration; the graveyard entries of dropped objects are added by `author`."""
    hints: Mapping[tuple[str, Path], str] = field(default_factory=dict)
    """Former names by store and path."""
    transforms: Mapping[tuple[str, Path], Sequence[Mapping[str, Json]]] = field(default_factory=dict)
    """Backfill passes over the stored items of an entity, by store and the entity's path."""


def changes(draft: Draft, engines: Engines) -> tuple[Change, ...]:
    """Changes between the two snapshots, stores in the order of their names."""
    result: list[Change] = []
    for store in sorted(draft.before.stores.keys() | draft.after.stores.keys()):
        hints = {path: old for (hint_store, path), old in draft.hints.items() if hint_store == store}
        old, new = draft.before.stores.get(store, {}), draft.after.stores.get(store, {})
        result += diff(store, Part(parts={"*": engines(store).parts}), old, new, (), hints)
    return tuple(result)
