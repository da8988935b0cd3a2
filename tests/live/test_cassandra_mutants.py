"""Broken plans on a real Cassandra 5.0.9: the answer or the evidence tells of each."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta

import pytest
from tests.engines.cassandra.library import NOON
from tests.live.cassandra_world import World, a_world, named, series

from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.engines.cassandra.access.calls import Select
from keywright.engines.cassandra.engine import ENGINE
from keywright.engines.cassandra.target import KeyspaceTarget
from keywright.local import Running

pytestmark = pytest.mark.live


@pytest.fixture(scope="module")
def world(start: Callable[..., Running]) -> Iterator[World]:
    with a_world(start("cassandra")) as made:
        yield made


def a_walk(world: World) -> Planned[KeyspaceTarget]:
    return world.planned("Series", "read", eq="s", range="at", span_seconds=345_600, order="-at", limit=400)


def mutated(found: Planned[KeyspaceTarget], change: Callable[[Select], Select]) -> Planned[KeyspaceTarget]:
    assert isinstance(found.path, AccessPath)
    assert isinstance(found.path.call, Select)
    return replace(found, path=replace(found.path, call=change(found.path.call)))


def test_a_dropped_shard_is_noticed(world: World) -> None:
    found = world.planned("Series", "read", eq="s day", order="-at", limit=400)

    def dropped(call: Select) -> Select:
        *rest, shard = call.partition
        fewer = replace(shard.filled.slots[0], kind="constants", count=2, constants=("i0", "i1"))
        return replace(call, partition=(*rest, replace(shard, filled=replace(shard.filled, slots=(fewer,)))))

    broken = mutated(found, dropped)
    values = {"s": "a", "day": NOON.date().isoformat()}
    wanted = [one for one in series(world, s="a") if one.at.date() == NOON.date()]
    assert named(list(world.call(found, values).items)) == named(wanted)
    page, _, events = world.judged(broken, values)
    assert named(list(page.items)) != named(wanted)
    assert list(ENGINE.judge(found, events, len(page.items))) == ["2 of 3 partitions were asked"]


def test_a_wrong_direction_is_noticed(world: World) -> None:
    def turned(call: Select) -> Select:
        return replace(call, open=tuple(replace(one, is_descending=not one.is_descending) for one in call.open))

    values = {"s": "a", "at": (NOON, NOON + timedelta(days=3))}
    found = a_walk(world)
    right = [one.at for one in world.call(found, values).items]
    wrong = [one.at for one in world.call(mutated(found, turned), values).items]
    assert right == sorted(right, reverse=True)
    assert wrong != right


def test_a_skipped_bucket_is_noticed(world: World) -> None:
    def narrowed(call: Select) -> Select:
        parts = list(call.partition)
        slot = replace(parts[1].filled.slots[0], kind="constants", count=1, constants=(NOON.date(),))
        parts[1] = replace(parts[1], filled=replace(parts[1].filled, slots=(slot,)))
        return replace(call, partition=tuple(parts))

    values = {"s": "a", "at": (NOON, NOON + timedelta(days=3))}
    found = a_walk(world)
    assert len(world.call(found, values).items) == len(series(world, s="a"))
    assert len(world.call(mutated(found, narrowed), values).items) < len(series(world, s="a"))


def test_evidence_tells_of_filters_scans_and_levels(world: World) -> None:
    session, name = world.observed.client, world.target.name
    found = world.planned("Plain", "get", eq="k")
    world.observed.events()
    session.execute(f"SELECT k FROM {name}.plain WHERE v = 1 ALLOW FILTERING")
    complaints = list(ENGINE.judge(found, world.observed.events(), 1))
    assert complaints[0] == "a statement allows filtering"
    assert "the server walked over ranges of partitions, where a partition is known" in complaints
    assert any("not at LOCAL_ONE" in one for one in complaints)


def test_evidence_tells_of_an_index_that_was_not_used(world: World) -> None:
    found = world.planned("Shelf", "read", eq="colour", limit=500)
    world.observed.events()
    world.observed.client.execute(f"SELECT * FROM {world.target.name}.shelf")
    assert 'no index was used, where "shelf_colour_idx" is known' in list(
        ENGINE.judge(found, world.observed.events(), 75)
    )
