"""Comparison of stores with the expected state after a step or a migration."""

from collections.abc import Mapping
from typing import Any

from keywright.engines.contract.change import Change
from keywright.engines.contract.diff import ValueDifference
from keywright.errors import Blocked
from keywright.ir.json import shortened

from ..migration import Migration, Step
from ..snapshot import Stores
from .conflict import Differs
from .store import StoreConnection


def arrived(connections: Mapping[str, StoreConnection], what: str, stores: Stores) -> None:
    """Raise Differs if a live store differs from the expected state.

    what: the applied migration or step, as messages call it.
    """
    texts: list[str] = []
    for store, connection in connections.items():
        for name, difference in connection.differences(stores.get(store, {})):
            place = ".".join((name, *difference.path))
            texts.append(
                f"{store} {place}: expected {shortened(difference.expected)}, found {shortened(difference.actual)}"
            )
    if texts:
        more = f" (and {len(texts) - 3} more)" if len(texts) > 3 else ""
        raise Differs(f"{what} is applied, but {'; '.join(texts[:3])}{more}")


def once_stable(connection: StoreConnection, migration: Migration, step: Step, expected: Mapping[str, Any]) -> None:
    """Raise Blocked if a person must make a step's change, such as a setting that the server reads only at start."""
    remaining = [
        difference
        for name, difference in connection.differences(expected)
        for change in migration.changes_of(step)
        if _is_about(change, difference)
    ]
    if remaining:
        differences = "; ".join(
            f"{'.'.join(difference.path)} is {shortened(difference.actual)}, not {shortened(difference.expected)}"
            for difference in remaining
        )
        raise Blocked(
            f"{migration.number}/{step.n}: {step.store} must be changed by hand: {differences}",
            "change it in the server's file or parameter group and restart it, then run the same command again",
        )


def _is_about(change: Change, difference: ValueDifference) -> bool:
    """Whether a difference concerns the part that a change alters."""
    path = change.path[2:]
    return change.is_native and (
        difference.path[: len(path)] == path or path[: len(difference.path)] == difference.path
    )
