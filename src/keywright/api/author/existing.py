"""Descriptions of existing stores for a migration: the live state of declared parts, without other parts."""

from collections.abc import Mapping
from typing import Any

from keywright.compiler import Placed
from keywright.engines.contract.change import Path
from keywright.engines.interface import Description
from keywright.ir.design import Design
from keywright.migrations.run.store import StoreConnection
from keywright.migrations.snapshot import described, key_of, target_of


def as_existing(target: Placed, design: Design, connection: StoreConnection, live: Description) -> dict[str, Any]:
    """Description of a declared target with the native half of the live target, for a snapshot.

    Implied parts that differ in the live target are left out, because keywright does not manage them.
    """
    engine, parsed = target.engine, target.engine.parse(live)
    placed = engine.with_live_names(engine.place(target.declared, connection.environment), parsed)
    unplaced = engine.unplace(engine.managed(parsed, placed), connection.environment)
    declared: dict[str, Any] = described(engine, target.declared)
    description = {**declared, "native": described(engine, unplaced)["native"]}
    for group in engine.implied(design.of_engine(engine.name), target.declared):
        if any(_value_at(description, path) != _value_at(declared, path) for path in group):
            _drop(description, group)
    return description


def as_managed(placed: Placed, design: Design, before: Mapping[str, Any]) -> dict[str, Any]:
    """Description of a declared target for the next snapshot.

    before: the targets of its store in the last snapshot. Indexes keep their names from there, and implied parts that
    the last snapshot leaves out stay unmanaged.
    """
    engine, key = placed.engine, key_of(placed.engine, placed.declared)
    if key not in before:
        return described(engine, placed.declared)
    description = described(engine, engine.with_live_names(placed.declared, target_of(engine, key, before[key])))
    for group in engine.implied(design.of_engine(engine.name), placed.declared):
        if _value_at(before[key], group[0][:-1]) is not None and _value_at(before[key], group[0]) is None:
            _drop(description, group)
    return description


def _value_at(description: Mapping[str, Any], path: Path) -> Any:
    """Value at a path of the native half; None if there is none."""
    return _container(description, path).get(path[-1])


def _drop(description: dict[str, Any], group: tuple[Path, ...]) -> None:
    for path in group:
        _container(description, path).pop(path[-1], None)


def _container(description: Mapping[str, Any], path: Path) -> dict[str, Any]:
    native: dict[str, Any] = description["native"]
    for key in path[:-1]:
        native = native.get(key, {})
    return native
