"""What holds for every keyspace beside the laws of tests/conformance."""

from hypothesis import given, settings
from tests.properties.cassandra import environments, targets

from keywright.engines.cassandra.declare.settings import CassandraEnvironment
from keywright.engines.cassandra.engine import ENGINE
from keywright.engines.cassandra.schema.target import KeyspaceTarget
from keywright.record import replace

FEW = settings(max_examples=15, deadline=None)


@FEW
@given(targets(), environments())
def test_a_live_keyspace_is_what_was_declared(target: KeyspaceTarget, environment: CassandraEnvironment) -> None:
    placed = ENGINE.place(target, environment)
    live = replace(placed, shape=(), placement=placed.placement and replace(placed.placement, chosen=()))
    assert ENGINE.managed(live, placed) == replace(placed, shape=())
    assert ENGINE.managed(ENGINE.unplace(live, environment), target) == replace(target, shape=())
