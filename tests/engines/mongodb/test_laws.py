"""Laws of every target, on generated ones."""

from hypothesis import given, settings
from tests.properties.mongodb import environments, targets

from keywright.engines.mongodb.engine import ENGINE
from keywright.engines.mongodb.settings import MongoEnvironment
from keywright.engines.mongodb.target import DatabaseTarget
from keywright.engines.plan import State


@settings(max_examples=15, deadline=None)
@given(targets(), environments())
def test_a_description_is_parsed_back_to_its_target(target: DatabaseTarget, environment: MongoEnvironment) -> None:
    placed = ENGINE.place(target, environment)
    assert ENGINE.parse(ENGINE.describe(target)) == target
    assert ENGINE.parse(ENGINE.describe(placed)) == placed


@settings(max_examples=15, deadline=None)
@given(targets(), environments())
def test_unplace_takes_off_what_place_added(target: DatabaseTarget, environment: MongoEnvironment) -> None:
    assert ENGINE.unplace(ENGINE.place(target, environment), environment) == target


@settings(max_examples=15, deadline=None)
@given(targets(), environments())
def test_render_says_the_same_twice(target: DatabaseTarget, environment: MongoEnvironment) -> None:
    placed = ENGINE.place(target, environment)
    assert ENGINE.render(target, placed, environment) == ENGINE.render(target, placed, environment)


@settings(max_examples=15, deadline=None)
@given(targets(), environments())
def test_every_step_is_present_in_the_description_of_its_target(
    target: DatabaseTarget, environment: MongoEnvironment
) -> None:
    placed = ENGINE.place(target, environment)
    states = {ENGINE.probe(step, ENGINE.describe(placed)) for step in ENGINE.create(placed)}
    assert states <= {State.PRESENT}
