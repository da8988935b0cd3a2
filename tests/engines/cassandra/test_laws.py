"""What holds for every keyspace that can be declared."""

from dataclasses import replace

from hypothesis import given, settings
from tests.properties.cassandra import environments, targets

from keywright.engines.cassandra.engine import ENGINE
from keywright.engines.cassandra.settings import CassandraEnvironment
from keywright.engines.cassandra.target import KeyspaceTarget

FEW = settings(max_examples=15, deadline=None)


@FEW
@given(targets())
def test_a_description_tells_all_of_a_declared_keyspace(target: KeyspaceTarget) -> None:
    assert ENGINE.parse(ENGINE.describe(target)) == target


@FEW
@given(targets(), environments())
def test_a_description_tells_all_of_a_placed_keyspace(
    target: KeyspaceTarget, environment: CassandraEnvironment
) -> None:
    placed = ENGINE.place(target, environment)
    assert ENGINE.parse(ENGINE.describe(placed)) == placed


@FEW
@given(targets(), environments())
def test_unplacing_undoes_placing(target: KeyspaceTarget, environment: CassandraEnvironment) -> None:
    assert ENGINE.unplace(ENGINE.place(target, environment), environment) == target


@FEW
@given(targets(), environments())
def test_rendering_the_same_twice_gives_the_same_text(
    target: KeyspaceTarget, environment: CassandraEnvironment
) -> None:
    placed = ENGINE.place(target, environment)
    assert ENGINE.render(target, placed, environment) == ENGINE.render(target, placed, environment)


@FEW
@given(targets(), environments())
def test_a_live_keyspace_is_what_was_declared(target: KeyspaceTarget, environment: CassandraEnvironment) -> None:
    placed = ENGINE.place(target, environment)
    live = replace(placed, shape=(), placement=placed.placement and replace(placed.placement, chosen=()))
    assert ENGINE.managed(live, placed) == replace(placed, shape=())
    assert ENGINE.managed(ENGINE.unplace(live, environment), target) == replace(target, shape=())
