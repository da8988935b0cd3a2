"""Writes on a real Cassandra 5.0.9: what is stored afterwards, and what a condition refuses."""

from datetime import timedelta
from typing import Any

import pytest
from tests.engines.cassandra.library import NOON, NOW, Hits, Order, Place, Shelf, Tally, Token
from tests.engines.cassandra.planning import a_pattern
from tests.live.cassandra_world import World
from tests.live.cassandra_world import world as world

from keywright.access.search import plan, plan_together
from keywright.engines.cassandra.engine import ENGINE
from keywright.errors import UsageError
from keywright.runtime.validate.arguments import Arguments, ConditionFailed

pytestmark = pytest.mark.live


def test_a_put_replaces_the_whole_item(world: World) -> None:
    order = Order(shop="s", at=NOON, id="put", note="n", tags=["a"], marks={1, 2}, loose=Place(street="x", town="y"))
    world.put(order)
    assert world.is_stored(order)
    less = Order(shop="s", at=NOON, id="put")
    world.put(less)
    assert world.is_stored(less)


def test_a_key_that_is_taken_refuses_the_second_item(world: World) -> None:
    order = Order(shop="s", at=NOON, id="once", total=1)
    world.put(order, if_absent=True)
    with pytest.raises(ConditionFailed):
        world.put(order.model_copy(update={"total": 2}), if_absent=True)
    assert world.is_stored(order)


def test_an_update_changes_what_it_says_and_what_is_computed_from_it(world: World) -> None:
    order = Order(shop="s", at=NOON, id="change", tags=["a"], note="n", place=Place(street="a", town="b"))
    world.put(order)
    planned = world.planned("Order", "update", sets="total state loose.town place", unset="note", pushes="tags")
    key = {"shop": "s", "at": NOON, "id": "change"}
    place = Place(street="c")
    world.call(planned, {**key, "total": 5, "state": "paid", "loose.town": "t", "place": place, "tags": "b"})
    changed = {"total": 5, "state": "paid", "loose": Place(street="-", town="t"), "place": place, "note": None,
               "tags": ["a", "b"]}  # fmt: skip
    assert world.is_stored(order.model_copy(update=changed))
    assert world.stored(order)["label"] == "paid/5"
    world.call(world.planned("Order", "update", pushes="marks"), {**key, "marks": 3})
    assert world.is_stored(order.model_copy(update={**changed, "marks": {3}}))


def test_an_update_of_what_is_not_there_makes_nothing(world: World) -> None:
    order = Order(shop="s", at=NOON, id="missing")
    key = {"shop": "s", "at": NOON, "id": "missing"}
    for options in ({}, {"where": {"total": ("not", 3)}}, {"where": {"note": None}}):
        planned = world.planned("Order", "update", sets="tags", **options)
        with pytest.raises(ConditionFailed):
            world.call(planned, {**key, "tags": ["x"]})
    with pytest.raises(ConditionFailed):
        world.call(world.planned("Order", "update", sets="manager"), {**key, "manager": "x"})
    assert world.stored(order) is None


@pytest.mark.parametrize(
    ("where", "holds"),
    [
        ({"total": 5}, True),
        ({"total": 6}, False),
        ({"total": ("at_least", 5)}, True),
        ({"total": ("below", 5)}, False),
        ({"total": ("one_of", 4, 5)}, True),
        ({"total": ("not", 5)}, False),
        ({"note": ("present",)}, False),
        ({"note": None}, True),
        ({"note": ("not", "x")}, True),
        ({"state": "new", "manager": "m"}, True),
        ({"manager": "someone else"}, False),
    ],
    ids=str,
)
def test_a_guard_holds_as_it_would_in_python(world: World, where: dict[str, Any], holds: bool) -> None:
    order = Order(shop="guarded", at=NOON, id="g", total=5, few=["a"])
    world.put(order)
    planned = world.planned("Order", "update", sets="tags", where=where)
    values = {"shop": "guarded", "at": NOON, "id": "g", "tags": ["changed"]}
    if holds:
        world.call(planned, values)
        assert world.is_stored(order.model_copy(update={"tags": ["changed"]}))
    else:
        with pytest.raises(ConditionFailed):
            world.call(planned, values)
        assert world.is_stored(order)


def test_a_list_is_pushed_to_within_its_bound(world: World) -> None:
    order = Order(shop="s", at=NOON, id="few")
    world.put(order)
    planned = world.planned("Order", "update", pushes="few")
    values = {"shop": "s", "at": NOON, "id": "few"}
    world.call(planned, {**values, "few": "a"})
    world.call(planned, {**values, "few": "b"})
    with pytest.raises(ConditionFailed):
        world.call(planned, {**values, "few": "c"})
    assert world.is_stored(order.model_copy(update={"few": ["a", "b"]}))


def test_a_static_column_changes_for_the_partition(world: World) -> None:
    orders = [Order(shop="static", at=NOON + timedelta(hours=at), id="s") for at in range(2)]
    world.put(*orders)
    planned = world.planned("Order", "update", sets="manager")
    world.call(planned, {"shop": "static", "at": NOON, "id": "s", "manager": "new"})
    assert all(world.is_stored(order.model_copy(update={"manager": "new"})) for order in orders)


def test_a_call_that_lacks_a_value_is_told_so(world: World) -> None:
    planned = world.planned("Order", "update", sets="tags")
    with pytest.raises(UsageError, match='no value for "tags"'):
        world.call(planned, {"shop": "s", "at": NOON, "id": "few"})
    with pytest.raises(UsageError, match='no value for "id"'):
        world.call(planned, {"shop": "s", "at": NOON, "tags": []})


def test_a_row_that_has_expired_replaces_the_one_before(world: World) -> None:
    later = NOW + timedelta(days=3000)
    token = Token(token="t", uses=1, ends=later)
    world.put(token)
    assert world.is_stored(token)
    left = world.observed.client.execute(f"SELECT TTL(uses) FROM {world.target.name}.tokens WHERE \"token\" = 't'")
    assert left.one()[0] > 1_000_000
    world.put(token.model_copy(update={"ends": NOON - timedelta(days=3000)}))
    assert world.stored(token) is None
    world.put(token)
    sooner = later - timedelta(days=1000)
    world.call(world.planned("Token", "update", sets="uses ends"), {"token": "t", "uses": 2, "ends": sooner})
    assert world.is_stored(Token(token="t", uses=2, ends=sooner))


def test_counters_are_stepped_up_and_down(world: World) -> None:
    planned = world.planned("Tally", "increment", field="n", by=2)
    values = {"page": "home", "day": "2026-11-21"}
    assert world.call(planned, values) is None
    world.call(planned, values, by=-5)
    (read,) = world.call(world.planned("Tally", "read", eq="page"), {"page": "home"}).items
    assert read == Tally(page="home", day="2026-11-21", n=-3, m=0)


def test_steps_of_a_drawn_shard_add_up(world: World) -> None:
    planned = world.planned("Hits", "increment", field="n", eq="page")
    for _ in range(12):
        world.call(planned, {"page": "home"})
    read = world.call(world.planned("Hits", "read", eq="page"), {"page": "home"}).items
    assert sum(entry.n for entry in read) == 12
    world.call(world.planned("Hits", "delete", eq="page"), {"page": "home"})
    assert world.call(world.planned("Hits", "read", eq="page"), {"page": "home"}).items == ()
    assert isinstance(read[0], Hits)


def test_a_delete_takes_a_row_or_what_is_under_a_key(world: World) -> None:
    orders = [Order(shop="gone", at=NOON + timedelta(hours=at), id="d") for at in range(3)]
    world.put(*orders)
    planned = world.planned("Order", "delete")
    for _ in range(2):
        world.call(planned, {"shop": "gone", "at": NOON, "id": "d"})
    assert [world.stored(order) is None for order in orders] == [True, False, False]
    guarded = world.planned("Order", "delete", where={"total": ("at_least", 1)})
    with pytest.raises(ConditionFailed):
        world.call(guarded, {"shop": "gone", "at": NOON + timedelta(hours=1), "id": "d"})
    world.call(world.planned("Order", "delete", eq="shop month"), {"shop": "gone", "month": "2026-11"})
    assert [world.stored(order) for order in orders] == [None, None, None]


def test_a_transaction_writes_all_or_nothing(world: World) -> None:
    orders = [Order(shop="both", at=NOON, id=f"t{at}") for at in range(3)]
    book = Shelf(shelf="both", rank=1, title="t", owner="o", colour="red", pages=0, tags=set(), words=[])
    plain = [a_pattern("put", "first", batch=2), a_pattern("put", "second")]
    parts = tuple(
        plan(ENGINE, world.target, world.tables[name], pattern)
        for name, pattern in zip(("Order", "Shelf"), plain, strict=True)
    )
    planned = plan_together(ENGINE, world.target, a_pattern("transact"), parts)
    world.call(
        planned,
        parts=((Arguments({}, items=(orders[0],)), Arguments({}, items=(orders[1],))), (Arguments({}, items=(book,)),)),
    )
    assert world.is_stored(orders[0])
    assert world.is_stored(orders[1])
    assert world.is_stored(book)


def test_conditions_hold_for_the_whole_transaction(world: World) -> None:
    orders = [Order(shop="atomic", at=NOON, id=f"t{at}") for at in range(2)]
    world.put(orders[0])
    names = [a_pattern("put", "new", if_absent=True), a_pattern("update", "old", sets="tags")]
    parts = tuple(plan(ENGINE, world.target, world.tables["Order"], name) for name in names)
    planned = plan_together(ENGINE, world.target, a_pattern("transact"), parts)
    values = {"shop": "atomic", "at": NOON, "id": "t0", "tags": ["x"]}
    arguments = ((Arguments({}, items=(orders[1],)),), (Arguments(values),))
    world.call(planned, parts=arguments)
    assert world.is_stored(orders[1])
    with pytest.raises(ConditionFailed):
        world.call(planned, parts=(arguments[0], (Arguments({**values, "tags": ["y"]}),)))
    assert world.is_stored(orders[0].model_copy(update={"tags": ["x"]}))
    with pytest.raises(UsageError, match="several partitions"):
        world.call(planned, parts=(arguments[0], (Arguments({**values, "shop": "elsewhere"}),)))


def test_dropped_keyspaces_are_gone(world: World) -> None:
    name = f"{world.target.name}_dropped"
    replication = "{'class': 'NetworkTopologyStrategy', 'datacenter1': 1}"
    world.observed.client.execute(f"CREATE KEYSPACE {name} WITH replication = {replication}")
    world.driver.drop([name, "never_there"])
    assert world.driver.introspect([name]) == {name: None}
