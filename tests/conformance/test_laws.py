"""The laws of every engine's targets, on generated ones; an engine joins with tests/properties/<engine>.py."""

import json
from collections.abc import Iterator, Sequence
from copy import deepcopy
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engines.toy.keywright_toy.engine import ENGINE as TOY
from tests.properties.near import changes, pairs, version_of

from keywright.engines.contract.change import KINDS, Change, inverse, path_of
from keywright.engines.contract.classes import row_of
from keywright.engines.contract.diff import diff, patch
from keywright.engines.contract.parts import Part
from keywright.engines.contract.plan import ObjectState, Statement, probe, probe_among
from keywright.engines.interface import Engine
from keywright.engines.registry import ENGINES
from keywright.ir.json import canonical
from keywright.provider.wire import plain, struct

every_engine = pytest.mark.parametrize("engine", [*ENGINES, TOY], ids=lambda engine: engine.name)
some = settings(max_examples=20, deadline=None)


def a_target(engine: Engine[Any, Any], data: st.DataObject) -> Any:
    return data.draw(import_module(f"tests.properties.{engine.name}").targets(), label="target")


def an_environment(engine: Engine[Any, Any], data: st.DataObject) -> Any:
    return data.draw(import_module(f"tests.properties.{engine.name}").environments(), label="environment")


@every_engine
@some
@given(data=st.data())
def test_a_declared_target_is_parsed_from_its_description(engine: Engine[Any, Any], data: st.DataObject) -> None:
    target = a_target(engine, data)
    assert engine.parse(engine.describe(target)) == target


@every_engine
@some
@given(data=st.data())
def test_a_placed_target_is_parsed_from_its_description(engine: Engine[Any, Any], data: st.DataObject) -> None:
    placed = engine.place(a_target(engine, data), an_environment(engine, data))
    assert engine.parse(engine.describe(placed)) == placed


@every_engine
@some
@given(data=st.data())
def test_unplacing_undoes_placing(engine: Engine[Any, Any], data: st.DataObject) -> None:
    target, environment = a_target(engine, data), an_environment(engine, data)
    assert engine.unplace(engine.place(target, environment), environment) == target


@every_engine
@some
@given(data=st.data())
def test_rendering_twice_gives_the_same_bytes(engine: Engine[Any, Any], data: st.DataObject) -> None:
    target, environment = a_target(engine, data), an_environment(engine, data)
    placed = engine.place(target, environment)
    assert engine.render(target, placed, environment) == engine.render(target, placed, environment)


@every_engine
@some
@given(data=st.data())
def test_a_store_that_holds_the_target_needs_no_step(engine: Engine[Any, Any], data: st.DataObject) -> None:
    placed = engine.place(a_target(engine, data), an_environment(engine, data))
    description = engine.describe(placed)
    assert {probe(statement, description) for statement in engine.create(placed)} <= {ObjectState.PRESENT}


@every_engine
@some
@given(data=st.data())
def test_an_empty_store_needs_every_step(engine: Engine[Any, Any], data: st.DataObject) -> None:
    placed = engine.place(a_target(engine, data), an_environment(engine, data))
    assert {probe(statement, None) for statement in engine.create(placed)} <= {ObjectState.ABSENT}


@every_engine
@some
@given(data=st.data())
def test_a_target_manages_all_that_it_says(engine: Engine[Any, Any], data: st.DataObject) -> None:
    placed = engine.place(a_target(engine, data), an_environment(engine, data))
    assert engine.describe(engine.managed(placed, placed))["native"] == engine.describe(placed)["native"]


def described(engine: Engine[Any, Any], target: Any) -> dict[str, Any]:
    """A target as a snapshot holds it: keys sorted, its name outside."""
    document: dict[str, Any] = json.loads(canonical(engine.describe(target)))
    return {key: value for key, value in document.items() if key not in ("name", "declared", "chosen")}


def parsed(engine: Engine[Any, Any], description: dict[str, Any]) -> Any:
    return engine.parse({"name": "it", **json.loads(canonical(description))})


def changes_of(engine: Engine[Any, Any], before: Any, after: Any) -> tuple[Change, ...]:
    return tuple(diff("store", engine.parts, before, after, ("it",)))


@every_engine
@some
@given(data=st.data())
def test_a_patched_target_is_the_other_one(engine: Engine[Any, Any], data: st.DataObject) -> None:
    a, b = (described(engine, a_target(engine, data)) for _ in range(2))
    assert parsed(engine, patch({"it": a}, changes_of(engine, a, b))["it"]) == parsed(engine, b)


@every_engine
@some
@given(data=st.data())
def test_nothing_changes_between_equal_targets_only(engine: Engine[Any, Any], data: st.DataObject) -> None:
    a, b = (described(engine, a_target(engine, data)) for _ in range(2))
    assert changes_of(engine, a, a) == ()
    assert (changes_of(engine, a, b) == ()) == (a == b)


@every_engine
@some
@given(data=st.data())
def test_inverses_newest_first_lead_back(engine: Engine[Any, Any], data: st.DataObject) -> None:
    a, b = (described(engine, a_target(engine, data)) for _ in range(2))
    undone = [inverse(change) for change in reversed(changes_of(engine, a, b))]
    assert parsed(engine, patch({"it": b}, undone)["it"]) == parsed(engine, a)


@every_engine
@some
@given(data=st.data())
def test_every_change_has_a_class_and_survives_a_file(engine: Engine[Any, Any], data: st.DataObject) -> None:
    a, b = (described(engine, a_target(engine, data)) for _ in range(2))
    for change in (*changes_of(engine, a, b), *changes_of(engine, None, b), *changes_of(engine, a, None)):
        assert row_of(engine.classes, change).classes
        assert KINDS[change.kind](change.store, path_of(change.object), change.before, change.after) == change


def a_pair(engine: Engine[Any, Any], data: st.DataObject) -> tuple[Any, Any]:
    return data.draw(pairs(engine), label="pair")


def after(statement: Statement, description: dict[str, Any] | None) -> dict[str, Any] | None:
    """What a store that holds a description holds once a step is done."""
    if not statement.object:
        native: Any = (description or {"native": {}})["native"]
        return None if statement.wants is None else {**(description or {}), "native": {**native, **statement.wants}}  # type: ignore[dict-item]
    created = deepcopy(description)
    assert created is not None
    holder = created["native"]
    for key in statement.object[:-1]:
        holder = holder.setdefault(key, {})
    was = holder.pop(statement.object[-1], None)
    if statement.is_partial:
        (before,), wants = statement.before, statement.wants
        assert isinstance(before, dict)
        assert isinstance(wants, dict)
        kept = {key: value for key, value in was.items() if key not in before}
        holder[statement.object[-1]] = kept | wants
    elif statement.wants is not None:
        holder[statement.object[-1]] = statement.wants
    return created


def rerun(statements: Sequence[Statement], description: dict[str, Any] | None) -> dict[str, Any] | None:
    """What a store holds once a plan was begun again on what it held then."""
    for at, statement in enumerate(statements):
        state = probe_among(statements, at, description)
        assert state in (ObjectState.ABSENT, ObjectState.PRESENT), statement.summary
        if state is ObjectState.ABSENT:
            description = after(statement, description)
    return description


def is_there(engine: Engine[Any, Any], wanted: Any, description: dict[str, Any] | None) -> bool:
    """Whether a store with a description holds a target."""
    if description is None:
        return wanted is None
    around = engine.around(engine.parse({**description, "shape": {}}), wanted)
    return bool(engine.describe(around)["native"] == engine.describe(wanted)["native"])


@every_engine
@some
@given(data=st.data())
def test_each_step_finds_what_it_changes_and_the_last_one_leads_to_the_other_target(
    engine: Engine[Any, Any], data: st.DataObject
) -> None:
    a, b = a_pair(engine, data)
    statements, description = engine.migrate(a, b), engine.describe(a)
    for at, statement in enumerate(statements):
        assert probe(statement, description) is ObjectState.ABSENT, statement.summary
        assert probe_among(statements, at, description) is ObjectState.ABSENT, statement.summary
        description = after(statement, description)
        assert probe(statement, description) is ObjectState.PRESENT, statement.summary
    assert is_there(engine, b, description)


@every_engine
@some
@given(data=st.data())
def test_a_plan_that_was_broken_off_anywhere_is_gone_on_with(engine: Engine[Any, Any], data: st.DataObject) -> None:
    a, b = a_pair(engine, data)
    statements, description = engine.migrate(a, b), engine.describe(a)
    for statement in (None, *statements):
        description = after(statement, description) if statement else description
        assert is_there(engine, b, rerun(statements, description))
    assert rerun(statements, description) == description


@every_engine
@some
@given(data=st.data())
def test_what_goes_is_gone_and_a_second_run_finds_it_so(engine: Engine[Any, Any], data: st.DataObject) -> None:
    here = engine.localise(None, version_of(engine))
    a = engine.place(parsed(engine, described(engine, a_target(engine, data))), here)
    statements, description = engine.migrate(a, None), engine.describe(a)
    for at, statement in enumerate(statements):
        assert probe_among(statements, at, description) is ObjectState.ABSENT
        description = after(statement, description)
    assert {probe_among(statements, at, description) for at in range(len(statements))} <= {ObjectState.PRESENT}


@every_engine
@some
@given(data=st.data())
def test_a_target_that_stays_the_same_needs_no_step(engine: Engine[Any, Any], data: st.DataObject) -> None:
    placed = engine.place(a_target(engine, data), an_environment(engine, data))
    assert engine.migrate(placed, placed) == ()
    assert engine.migrate(None, placed) == engine.create(placed)
    assert engine.migrate(None, None) == ()


@every_engine
@some
@given(data=st.data())
def test_what_cannot_change_in_place_is_refused(engine: Engine[Any, Any], data: st.DataObject) -> None:
    here = engine.localise(None, version_of(engine))
    a, b = (engine.place(parsed(engine, described(engine, a_target(engine, data))), here) for _ in range(2))
    old, new = ({"native": engine.describe(entry)["native"]} for entry in (a, b))
    possible = list(changes(engine, old["native"], new["native"]))
    is_rebuilt = [*diff("store", engine.parts, old, new, ("generated",))] != possible
    # Generations of a Redis server are key patterns that stand side by side.
    is_generation = a.generation != b.generation and engine.name != "redis"
    if is_rebuilt or is_generation or a.name != b.name or changes_kind(old["native"], new["native"]):
        with pytest.raises(ValueError, match="in place"):
            engine.migrate(a, b)
    else:
        engine.migrate(a, b)


def changes_kind(old: Any, new: Any) -> bool:
    """Whether a column of Cassandra becomes static, or no longer is."""
    known = new.get("tables", {})
    tables = ((entry, known[name]) for name, entry in old.get("tables", {}).items() if name in known)
    return any(
        were.get(part, {}).keys() & are.get(other, {}).keys()
        for were, are in tables
        for part, other in (("static", "columns"), ("columns", "static"))
    )


@every_engine
def test_classes_are_told_for_every_change_that_the_parts_allow(engine: Engine[Any, Any]) -> None:
    assert {row.kind for row in engine.classes} == set(kinds_of(engine.parts))


def kinds_of(part: Part) -> Iterator[type[Change]]:
    if part.noun:
        verbs = part.noun.value
        adds_and_drops = (verbs.add, verbs.drop, verbs.rename)
        yield from (kind for kind in (*adds_and_drops, None if part.parts else verbs.alter) if kind)
    for inner in part.parts.values():
        yield from kinds_of(inner)


@every_engine
@some
@given(data=st.data())
def test_resources_tell_the_native_half(engine: Engine[Any, Any], data: st.DataObject) -> None:
    target = a_target(engine, data)
    placed = engine.place(target, an_environment(engine, data))
    resources = engine.to_resources(target.name, placed)
    if not resources:
        return  # a database without collections
    output = getattr(import_module(f"tests.properties.{engine.name}"), "told", lambda target: target)(placed)
    assert engine.describe(engine.from_resources(resources))["native"] == engine.describe(output)["native"]
    for stack_resource in resources:
        (again,) = engine.to_resources(target.name, engine.from_resources([stack_resource]))
        assert (again.id, again.inputs) == (stack_resource.id, stack_resource.inputs)
        assert plain(struct(stack_resource.inputs)) == stack_resource.inputs


@every_engine
@some
@given(data=st.data())
def test_a_resource_that_goes_takes_nothing_else_along(engine: Engine[Any, Any], data: st.DataObject) -> None:
    target = a_target(engine, data)
    placed = engine.place(target, an_environment(engine, data))
    resources = engine.to_resources(target.name, placed)
    for stack_resource in resources:
        if any(other.within == stack_resource.name for other in resources):
            continue  # what holds others goes with them, and is asked about before
        for statement in engine.migrate(engine.from_resources([stack_resource]), None):
            rest = [statement.target, *statement.object]
            assert set(stack_resource.id.split("/")) <= set(rest) or statement.object[:1] in (
                ("indexes",),
                ("views",),
            ), statement
