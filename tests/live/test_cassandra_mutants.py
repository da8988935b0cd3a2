"""Broken plans on a real Cassandra 5.0.9: the answer or the evidence tells of each."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from tests.engines.cassandra.library import NOON
from tests.live.cassandra_world import World, named, series
from tests.live.cassandra_world import world as world

from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.engines.cassandra.access.calls import Select
from keywright.engines.cassandra.engine import ENGINE
from keywright.engines.cassandra.schema.target import KeyspaceTarget
from keywright.record import replace

pytestmark = pytest.mark.live


def a_walk(world: World) -> Planned[KeyspaceTarget]:
    return world.planned("Series", "read", eq="s", range="at", span_seconds=345_600, order="-at", limit=400)


def mutated(planned: Planned[KeyspaceTarget], change: Callable[[Select], Select]) -> Planned[KeyspaceTarget]:
    assert isinstance(planned.path, AccessPath)
    assert isinstance(planned.path.call, Select)
    return replace(planned, path=replace(planned.path, call=change(planned.path.call)))


def test_a_dropped_shard_is_noticed(world: World) -> None:
    planned = world.planned("Series", "read", eq="s day", order="-at", limit=400)

    def dropped(call: Select) -> Select:
        *rest, shard = call.partition
        fewer = replace(shard.filled.slots[0], kind="constants", count=2, constants=("i0", "i1"))
        return replace(call, partition=(*rest, replace(shard, filled=replace(shard.filled, slots=(fewer,)))))

    broken = mutated(planned, dropped)
    values = {"s": "a", "day": NOON.date().isoformat()}
    expected = [entry for entry in series(world, s="a") if entry.at.date() == NOON.date()]
    assert named(list(world.call(planned, values).items)) == named(expected)
    page, _, events = world.judged(broken, values)
    assert named(list(page.items)) != named(expected)
    assert list(ENGINE.verify_evidence(planned, events, len(page.items))) == ["2 of 3 partitions were read"]


def test_a_wrong_direction_is_noticed(world: World) -> None:
    def turned(call: Select) -> Select:
        return replace(call, open=tuple(replace(entry, is_descending=not entry.is_descending) for entry in call.open))

    values = {"s": "a", "at": (NOON, NOON + timedelta(days=3))}
    planned = a_walk(world)
    right = [item.at for item in world.call(planned, values).items]
    wrong = [item.at for item in world.call(mutated(planned, turned), values).items]
    assert right == sorted(right, reverse=True)
    assert wrong != right


def test_a_skipped_bucket_is_noticed(world: World) -> None:
    def narrowed(call: Select) -> Select:
        parts = list(call.partition)
        slot = replace(parts[1].filled.slots[0], kind="constants", count=1, constants=(NOON.date(),))
        parts[1] = replace(parts[1], filled=replace(parts[1].filled, slots=(slot,)))
        return replace(call, partition=tuple(parts))

    values = {"s": "a", "at": (NOON, NOON + timedelta(days=3))}
    planned = a_walk(world)
    assert len(world.call(planned, values).items) == len(series(world, s="a"))
    assert len(world.call(mutated(planned, narrowed), values).items) < len(series(world, s="a"))


def test_evidence_tells_of_filters_scans_and_levels(world: World) -> None:
    session, name = world.observed.client, world.target.name
    planned = world.planned("Plain", "get", eq="k")
    world.observed.events()
    session.execute(f"SELECT k FROM {name}.plain WHERE v = 1 ALLOW FILTERING")
    complaints = list(ENGINE.verify_evidence(planned, world.observed.events(), 1))
    assert complaints[0] == "a statement allows filtering"
    assert "the server scanned ranges of partitions, although the partition is known" in complaints
    assert any("not at LOCAL_ONE" in complaint for complaint in complaints)


def test_evidence_tells_of_an_index_that_was_not_used(world: World) -> None:
    planned = world.planned("Shelf", "read", eq="colour", limit=500)
    world.observed.events()
    world.observed.client.execute(f"SELECT * FROM {world.target.name}.shelf")
    assert 'no index was used, instead of "shelf_colour_idx"' in list(
        ENGINE.verify_evidence(planned, world.observed.events(), 75)
    )
