"""The laws of every engine's targets, on generated ones; an engine joins with tests/properties/<engine>.py."""

from importlib import import_module
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keywright.engines.interface import Engine
from keywright.engines.plan import State
from keywright.engines.registry import ENGINES

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
    assert {engine.probe(step, description) for step in engine.create(placed)} <= {State.PRESENT}


@every_engine
@some
@given(data=st.data())
def test_an_empty_store_needs_every_step(engine: Engine[Any, Any], data: st.DataObject) -> None:
    placed = engine.place(a_target(engine, data), an_environment(engine, data))
    assert {engine.probe(step, None) for step in engine.create(placed)} <= {State.ABSENT}


@every_engine
@some
@given(data=st.data())
def test_a_target_manages_all_that_it_says(engine: Engine[Any, Any], data: st.DataObject) -> None:
    placed = engine.place(a_target(engine, data), an_environment(engine, data))
    assert engine.describe(engine.managed(placed, placed))["native"] == engine.describe(placed)["native"]
