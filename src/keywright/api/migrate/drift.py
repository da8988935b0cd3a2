"""Differences between live stores and their positions."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from keywright.engines.contract.change import AddTable, Change
from keywright.engines.contract.diff import ValueDifference
from keywright.engines.contract.plan import Statement
from keywright.errors import NoHistory
from keywright.migrations.run.accepted import covers
from keywright.migrations.run.records import AcceptedDifference, is_begun, is_step_done
from keywright.migrations.run.store import StoreConnection
from keywright.migrations.snapshot import applied
from keywright.project.migrations.folder import read_folder
from keywright.record import Record

from ..live.connect import StoreSelector, opened
from ..live.local_servers import answering
from ..live.unmanaged import UnmanagedObject, called, unmanaged_objects
from .locate import located
from .position import Position, position_of, stores_of


class Drift(Record):
    """Drift of live stores."""

    differences: tuple[tuple[str, str, ValueDifference], ...]
    """(store, physical name, difference)."""
    repairs: tuple[Statement, ...]
    """Steps that would remove the drift; only a person runs them."""
    unmanaged: tuple[UnmanagedObject, ...] = ()
    """Unmanaged objects of the stores."""
    accepted: tuple[AcceptedDifference, ...] = ()
    """Accepted differences that still hold."""
    objects: tuple[str, ...] = ()
    """Names of the differing objects on the command line, without targets that are missing as a whole."""
    located: str = ""
    """Other migration whose snapshot the stores equal, with the command for that case; else empty."""


def drift(where: StoreSelector) -> Drift:
    """Differences between the stores and their positions, including settings of the environment."""
    folder = read_folder(where.settings)
    if folder.head is None:
        raise NoHistory("there is no migration, so there is no history to compare with", _BEGIN)
    with opened(where, stores_of(folder)) as connections:
        now = position_of(folder, connections)
        if now.is_without_history:
            raise NoHistory("no store has a history: no migration has been applied", _APPLY)
        differences = drift_of(connections, now)
        stores = dict.fromkeys(store for store, _, _ in differences)
        repairs: list[Statement] = []
        for store in stores:
            with answering(store):
                repairs += connections[store].repairs(now.stores.get(store, {}))
        all_differences = (*differences, *unset(connections, now))
        accepted = tuple(
            difference
            for connection in connections.values()
            for key in sorted(connection.accepted)
            for difference in connection.accepted[key]
        )
        objects = dict.fromkeys(
            object_of(connections[entry[0]], now, entry) for entry in all_differences if entry[2].path
        )
        unmanaged = tuple(unmanaged_objects(connections, now.stores))
        other_position = located(folder, connections) if differences else ""
        return Drift(all_differences, tuple(repairs), unmanaged, accepted, tuple(objects), other_position)


TargetDifferences: TypeAlias = tuple[str, str, ValueDifference]
"""(store, physical name, difference)."""


def object_of(connection: StoreConnection, now: Position, target_difference: TargetDifferences) -> str:
    """Name on the command line of the smallest object around a difference, in the form of unmanaged objects."""
    store, name, difference = target_difference
    part, path = connection.engine.parts.at("native"), list[str]()
    for key in difference.path:
        path.append(key)
        part = part.at(key)
        if not part.parts:
            break
    return called(store, key_of_name(connection, now.stores.get(store, {}), name), path)


def key_of_name(connection: StoreConnection, expected: Mapping[str, Any], name: str) -> str:
    """Key of a target in a snapshot, by its physical name; the name itself if no target has it."""
    return next((key for key in sorted(expected) if connection.place(key, expected[key]).name == name), name)


_BEGIN = (
    "write the first with `keywright migrate diff -m TEXT`; for stores with existing data, with `keywright migrate "
    "baseline --from live`"
)
_APPLY = (
    "`keywright migrate apply` applies them; `keywright migrate baseline` records those whose objects already exist"
)


def unset(connections: Mapping[str, StoreConnection], now: Position) -> Iterator[tuple[str, str, ValueDifference]]:
    """(store, name, difference) of settings of the environment."""
    for store, connection in connections.items():
        with answering(store):
            yield from ((store, *difference) for difference in connection.unset(once_stable(store, now)))


def once_stable(store: str, now: Position) -> dict[str, Any]:
    """Targets of a store that no started step changes, because a step that drops a table may have unprotected it."""
    begun = {change.path[0] for change in _started_changes(now) if change.store == store}
    return {key: description for key, description in now.stores.get(store, {}).items() if key not in begun}


def drift_of(connections: Mapping[str, StoreConnection], now: Position) -> tuple[tuple[str, str, ValueDifference], ...]:
    """Differences from the position, except those of a started step, which may be anywhere up to its end."""
    begun = _started_changes(now)
    ends = applied(now.stores, begun)
    result: list[tuple[str, str, ValueDifference]] = []
    for store, connection in connections.items():
        with answering(store):
            differing = list(connection.differences(now.stores.get(store, {})))
            if differing and any(change.store == store for change in begun):
                before, after = now.stores.get(store, {}), ends.get(store, {})
                touched = [(statement.target, statement.object) for statement in connection.statements(before, after)]
                at_end = [(name, difference.path) for name, difference in connection.differences(after)]
                differing = [
                    (name, difference)
                    for name, difference in differing
                    if not _is_among((name, difference.path), touched) and _is_among((name, difference.path), at_end)
                ]
            differing += _conflicting(connection, now)
            result += ((store, *difference) for difference in differing)
    return tuple(result)


def _conflicting(connection: StoreConnection, now: Position) -> Iterator[tuple[str, ValueDifference]]:
    """Unmanaged parts that conflict with parts of pending migrations.

    An existing table is compared only when its step runs, because the environment's settings are known then.
    """
    pending_parts = {
        change.path: change.after
        for migration in now.pending
        for change in (numbered_change.change for numbered_change in migration.changes)
        if change.store == connection.store and change.is_native and not isinstance(change, AddTable)
    }
    if not pending_parts:
        return
    for key, name, unmanaged in connection.unmanaged(now.stores.get(connection.store, {})):
        declared = pending_parts.get((key, "native", *unmanaged.path))
        is_accepted = any(
            covers(difference, unmanaged.path, declared) for difference in connection.accepted.get(key, ())
        )
        if declared is not None and declared != unmanaged.description and not is_accepted:
            yield name, ValueDifference(unmanaged.path, declared, unmanaged.description)


def drifted(differences: Sequence[tuple[str, str, ValueDifference]]) -> tuple[str, str]:
    """Problem and help line for stores that differ from their history."""
    store, name, difference = differences[0]
    more = f" (and {len(differences) - 1} more)" if len(differences) > 1 else ""
    place = ".".join((name, *difference.path))
    return (
        f"{store} does not match its history: {place} differs{more}",
        "`keywright drift` shows all differences, with statements that correct them; `keywright migrate accept OBJECT "
        "--reason TEXT` accepts the live object; to adopt the store's state in the models, change them, then "
        "`keywright migrate diff` and `keywright migrate resolve NUMBER --as applied --reason TEXT`",
    )


def _started_changes(now: Position) -> list[Change]:
    """Changes of started steps."""
    return [
        change
        for migration in now.pending
        for step in migration.steps
        if not is_step_done(migration, step, now.histories) and is_begun(migration, step, now.histories)
        for change in migration.changes_of(step)
        if change.is_native
    ]


_Location: TypeAlias = tuple[str, tuple[str, ...]]
"""A physical name, and a path in the native half of its description."""


def _is_among(location: _Location, others: Iterable[_Location]) -> bool:
    """Whether a location equals, contains or is inside one of others."""
    name, path = location
    return any(name == other and path[: len(other_path)] == other_path[: len(path)] for other, other_path in others)
