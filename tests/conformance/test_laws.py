"""The laws of every engine's targets, on generated ones; an engine joins with tests/properties/<engine>.py."""

import json
from collections.abc import Iterator, Sequence
from copy import deepcopy
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.properties.near import VERSIONS, changes, pairs

from keywright.engines.change import KINDS, Change, inverse, path_of
from keywright.engines.classes import row_of
from keywright.engines.diff import diff, patch
from keywright.engines.interface import Engine
from keywright.engines.parts import Part
from keywright.engines.plan import State, Step, probe, probe_among
from keywright.engines.registry import ENGINES
from keywright.ir.json import canonical
from keywright.provider.wire import plain, struct

every_engine = pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
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
    assert {probe(step, description) for step in engine.create(placed)} <= {State.PRESENT}


@every_engine
@some
@given(data=st.data())
def test_an_empty_store_needs_every_step(engine: Engine[Any, Any], data: st.DataObject) -> None:
    placed = engine.place(a_target(engine, data), an_environment(engine, data))
    assert {probe(step, None) for step in engine.create(placed)} <= {State.ABSENT}


@every_engine
@some
@given(data=st.data())
def test_a_target_manages_all_that_it_says(engine: Engine[Any, Any], data: st.DataObject) -> None:
    placed = engine.place(a_target(engine, data), an_environment(engine, data))
    assert engine.describe(engine.managed(placed, placed))["native"] == engine.describe(placed)["native"]


def described(engine: Engine[Any, Any], target: Any) -> dict[str, Any]:
    """A target as a snapshot holds it: keys sorted, its name outside."""
    told: dict[str, Any] = json.loads(canonical(engine.describe(target)))
    return {key: value for key, value in told.items() if key not in ("name", "declared", "chosen")}


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


def after(step: Step, description: dict[str, Any] | None) -> dict[str, Any] | None:
    """What a store that holds a description holds once a step is done."""
    if not step.object:
        native: Any = (description or {"native": {}})["native"]
        return None if step.wants is None else {**(description or {}), "native": {**native, **step.wants}}  # type: ignore[dict-item]
    made = deepcopy(description)
    assert made is not None
    holder = made["native"]
    for key in step.object[:-1]:
        holder = holder.setdefault(key, {})
    holder.pop(step.object[-1], None)
    if step.wants is not None:
        holder[step.object[-1]] = step.wants
    return made


def rerun(steps: Sequence[Step], description: dict[str, Any] | None) -> dict[str, Any] | None:
    """What a store holds once a plan was begun again on what it held then."""
    for at, step in enumerate(steps):
        state = probe_among(steps, at, description)
        assert state in (State.ABSENT, State.PRESENT), step.summary
        if state is State.ABSENT:
            description = after(step, description)
    return description


def is_there(engine: Engine[Any, Any], wanted: Any, description: dict[str, Any] | None) -> bool:
    """Whether a store with a description holds a target."""
    if description is None:
        return wanted is None
    found = engine.managed(engine.parse({**description, "shape": {}}), wanted)
    return bool(engine.describe(found)["native"] == engine.describe(wanted)["native"])


@every_engine
@some
@given(data=st.data())
def test_each_step_finds_what_it_changes_and_the_last_one_leads_to_the_other_target(
    engine: Engine[Any, Any], data: st.DataObject
) -> None:
    a, b = a_pair(engine, data)
    steps, description = engine.migrate(a, b), engine.describe(a)
    for at, step in enumerate(steps):
        assert probe(step, description) is State.ABSENT, step.summary
        assert probe_among(steps, at, description) is State.ABSENT, step.summary
        description = after(step, description)
        assert probe(step, description) is State.PRESENT, step.summary
    assert is_there(engine, b, description)


@every_engine
@some
@given(data=st.data())
def test_a_plan_that_was_broken_off_anywhere_is_gone_on_with(engine: Engine[Any, Any], data: st.DataObject) -> None:
    a, b = a_pair(engine, data)
    steps, description = engine.migrate(a, b), engine.describe(a)
    for step in (None, *steps):
        description = after(step, description) if step else description
        assert is_there(engine, b, rerun(steps, description))
    assert rerun(steps, description) == description


@every_engine
@some
@given(data=st.data())
def test_what_goes_is_gone_and_a_second_run_finds_it_so(engine: Engine[Any, Any], data: st.DataObject) -> None:
    here = engine.localise(None, VERSIONS[engine.name])
    a = engine.place(parsed(engine, described(engine, a_target(engine, data))), here)
    steps, description = engine.migrate(a, None), engine.describe(a)
    for at, step in enumerate(steps):
        assert probe_among(steps, at, description) is State.ABSENT
        description = after(step, description)
    assert {probe_among(steps, at, description) for at in range(len(steps))} <= {State.PRESENT}


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
    here = engine.localise(None, VERSIONS[engine.name])
    a, b = (engine.place(parsed(engine, described(engine, a_target(engine, data))), here) for _ in range(2))
    old, new = ({"native": engine.describe(one)["native"]} for one in (a, b))
    possible = list(changes(engine, old["native"], new["native"]))
    is_rebuilt = [*diff("store", engine.parts, old, new, ("generated",))] != possible
    if is_rebuilt or a.generation != b.generation or a.name != b.name or changes_kind(old["native"], new["native"]):
        with pytest.raises(ValueError, match="in place"):
            engine.migrate(a, b)
    else:
        engine.migrate(a, b)


def changes_kind(old: Any, new: Any) -> bool:
    """Whether a column of Cassandra becomes static, or no longer is."""
    known = new.get("tables", {})
    tables = ((one, known[name]) for name, one in old.get("tables", {}).items() if name in known)
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
    told = getattr(import_module(f"tests.properties.{engine.name}"), "told", lambda target: target)(placed)
    assert engine.describe(engine.from_resources(resources))["native"] == engine.describe(told)["native"]
    for one in resources:
        (again,) = engine.to_resources(target.name, engine.from_resources([one]))
        assert (again.id, again.inputs) == (one.id, one.inputs)
        assert plain(struct(one.inputs)) == one.inputs


@every_engine
@some
@given(data=st.data())
def test_a_resource_that_goes_takes_nothing_else_along(engine: Engine[Any, Any], data: st.DataObject) -> None:
    target = a_target(engine, data)
    placed = engine.place(target, an_environment(engine, data))
    resources = engine.to_resources(target.name, placed)
    for one in resources:
        if any(other.within == one.name for other in resources):
            continue  # what holds others goes with them, and is asked about before
        for step in engine.migrate(engine.from_resources([one]), None):
            rest = [step.target, *step.object]
            assert set(one.id.split("/")) <= set(rest) or step.object[:1] in (("indexes",), ("views",)), step
