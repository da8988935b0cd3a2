"""The laws that hold for every server and environment."""

from hypothesis import given, settings
from tests.properties.redis import environments, targets

from keywright.engines.redis.engine import ENGINE
from keywright.engines.redis.settings import RedisEnvironment
from keywright.engines.redis.target import ServerTarget

few = settings(max_examples=50, deadline=None)


@few
@given(targets())
def test_a_declared_server_is_what_its_description_says(server: ServerTarget) -> None:
    assert ENGINE.parse(ENGINE.describe(server)) == server


@few
@given(targets(), environments())
def test_a_placed_server_is_what_its_description_says(server: ServerTarget, environment: RedisEnvironment) -> None:
    placed = ENGINE.place(server, environment)
    assert ENGINE.parse(ENGINE.describe(placed)) == placed


@few
@given(targets(), environments())
def test_an_environment_comes_off_again(server: ServerTarget, environment: RedisEnvironment) -> None:
    assert ENGINE.unplace(ENGINE.place(server, environment), environment) == server


@few
@given(targets(), environments())
def test_rendering_twice_gives_the_same_bytes(server: ServerTarget, environment: RedisEnvironment) -> None:
    placed = ENGINE.place(server, environment)
    assert ENGINE.render(server, placed, environment) == ENGINE.render(server, placed, environment)


@few
@given(targets(), environments())
def test_a_server_that_is_as_wanted_needs_no_step(server: ServerTarget, environment: RedisEnvironment) -> None:
    placed = ENGINE.place(server, environment)
    live = ENGINE.describe(placed)
    assert {ENGINE.probe(step, live).value for step in ENGINE.create(placed)} <= {"present"}
    assert ENGINE.managed(placed, placed) == placed
