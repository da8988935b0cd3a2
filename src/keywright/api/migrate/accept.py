"""Accepted differences: an object of one store stays as it is, although it differs from the migrations."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from keywright.errors import Blocked, UsageError, did_you_mean
from keywright.migrations.run.execute import Execution
from keywright.migrations.run.records import AcceptedDifference, acceptance_key, row
from keywright.migrations.run.store import StoreConnection
from keywright.project.migrations.folder import read_folder
from keywright.record import replace

from ..live.connect import StoreSelector
from ..live.unmanaged import called, unmanaged_objects
from .drift import TargetDifferences, drift_of, key_of_name, object_of, unset
from .locks import ApplyOptions, CommandWatcher, executing
from .position import Position, position_of

_OWNERS = ("collections", "tables")
_OWNED = ("indexes", "views")


def accept(
    where: StoreSelector, objects: Iterable[str], reason: str, options: ApplyOptions, watcher: CommandWatcher
) -> tuple[AcceptedDifference, ...]:
    """Record, in the history of its store, that each of these objects may stay as it is.

    objects: names as in `drift`, or a collection or table that contains some. UsageError for an object that does not
    differ, Blocked if a stack would reset it, or if the whole target is missing.
    """
    folder = read_folder(where.settings)
    with executing(where, folder, options, watcher) as execution:
        now = position_of(folder, execution.stores)
        differences = (*drift_of(execution.stores, now), *unset(execution.stores, now))
        chosen = [(name, _differing(execution, now, differences, name)) for name in dict.fromkeys(objects)]
        accepted: list[AcceptedDifference] = []
        for name, differing in chosen:
            store = differing[0][0]
            connection = execution.stores[store]
            _reject(connection, name, differing)
            accepted_difference = AcceptedDifference(
                object=name,
                key=key_of_name(connection, now.stores[store], differing[0][1]),
                parts=[
                    {"path": list(difference.path), "wanted": difference.expected, "found": difference.actual}
                    for _, _, difference in differing
                ],
                reason=reason,
                actor=execution.signature.actor,
                at=_now(),
                tool=execution.signature.tool,
            )
            execution.holders[store].put(acceptance_key(name), row(accepted_difference))
            accepted.append(accepted_difference)
        return tuple(accepted)


def withdraw(
    where: StoreSelector, objects: Iterable[str], reason: str, options: ApplyOptions, watcher: CommandWatcher
) -> tuple[str, ...]:
    """Record that objects are no longer accepted; returns their names. UsageError for any other object."""
    folder = read_folder(where.settings)
    with executing(where, folder, options, watcher) as execution:
        accepted = {
            difference.object: (store, difference)
            for store, history in execution.read().items()
            for difference in history.accepted
        }
        names = tuple(dict.fromkeys(objects))
        for name in names:
            if name not in accepted:
                help = did_you_mean(name, accepted) or "`keywright drift` lists the accepted objects"
                raise UsageError(f'"{name}" is not accepted in any store', help)
        for name in names:
            store, difference = accepted[name]
            withdrawn = replace(
                difference, state="withdrawn", reason=reason, actor=execution.signature.actor, at=_now(),
                tool=execution.signature.tool,
            )  # fmt: skip
            execution.holders[store].put(acceptance_key(name), row(withdrawn))
        return names


def _differing(
    execution: Execution, now: Position, differences: Iterable[TargetDifferences], name: str
) -> list[TargetDifferences]:
    """Differences of an object and of its indexes and views; UsageError if there are none."""
    placed = [(difference, _place(execution, now, difference)) for difference in differences]
    differing = [
        difference
        for difference, place in placed
        if f"{place}/".startswith(f"{name}/") or _belongs(name, place, difference)
    ]
    if differing:
        return differing
    if any(unmanaged.object == name for unmanaged in unmanaged_objects(execution.stores, now.stores)):
        help = "it stays as it is; with `keywright migrate take-over`, migrations manage it"
        raise UsageError(f'"{name}" is unmanaged: no migration contains it', help)
    objects = [object_of(execution.stores[difference[0]], now, difference) for difference in differences]
    raise UsageError(
        f'"{name}" does not differ', did_you_mean(name, objects) or "`keywright drift` shows the differences"
    )


def _place(execution: Execution, now: Position, target_difference: TargetDifferences) -> str:
    """Path of a difference on the command line."""
    store, name, difference = target_difference
    return called(store, key_of_name(execution.stores[store], now.stores.get(store, {}), name), difference.path)


def _belongs(name: str, place: str, difference: TargetDifferences) -> bool:
    """Whether a difference concerns an index or view of a collection or table."""
    owner, part = name.split("/"), place.split("/")
    if len(owner) < 4 or owner[-2] not in _OWNERS or owner[:-2] != part[: len(owner) - 2]:
        return False
    expected: Any = difference[2].expected
    table = expected.get("table") if isinstance(expected, dict) else None
    return part[len(owner) - 2] in _OWNED and owner[-1] in (part[len(owner) - 1], table)


def _reject(connection: StoreConnection, name: str, differing: Iterable[TargetDifferences]) -> None:
    """Raise Blocked if the difference cannot be accepted."""
    if connection.by == "pulumi":
        problem = f"{name} belongs to a stack, whose next update would revert it"
        raise Blocked(problem, "change the models or the stack file, or run `pulumi up`, which restores the object")
    if any(not difference.path for _, _, difference in differing):
        problem = f"{name} does not exist"
        raise Blocked(
            problem,
            "`keywright drift` shows statements that create it; or remove it from the models, then `keywright migrate "
            "diff` and `keywright migrate resolve NUMBER --as applied --reason TEXT`",
        )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
