"""Patterns as calls on a real Cassandra 5.0.9: answers as Python would give them, and the server's own evidence."""

import itertools
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import pytest
from cassandra.cluster import EXEC_PROFILE_DEFAULT
from cassandra.query import dict_factory, tuple_factory
from cassandra.util import uuid_from_time
from pydantic import BaseModel
from tests.engines.cassandra import library
from tests.engines.cassandra.library import NOON, NOW, Comment, Hits, Order, Place, Seen, Shelf, Tally, Token
from tests.engines.cassandra.planning import a_pattern

from keywright import runtime
from keywright.access.path import AccessPath
from keywright.access.search import Planned, plan, plan_together
from keywright.drivers import cassandra
from keywright.engines.cassandra.calls import Select
from keywright.engines.cassandra.engine import ENGINE
from keywright.engines.cassandra.target import KeyspaceTarget
from keywright.engines.interface import Driver, Event, Observed
from keywright.errors import UsageError
from keywright.history.runner import run
from keywright.ir.binding import Binding
from keywright.local import Running
from keywright.runtime.cassandra.calls import prepare
from keywright.runtime.given import ConditionFailed, Given

pytestmark = pytest.mark.live

COUNT = itertools.count()


@dataclass(frozen=True)
class World:
    """A keyspace with all tables of the library and rows in them."""

    driver: Driver
    target: KeyspaceTarget
    tables: dict[str, Binding]
    rows: dict[str, list[BaseModel]]
    observed: Observed

    def planned(self, model: str, kind: Any, **options: Any) -> Planned[KeyspaceTarget]:
        found = plan(ENGINE, self.target, self.tables[model], a_pattern(kind, **options))
        assert found.is_served, found.path
        return found

    def call(self, found: Planned[KeyspaceTarget], values: dict[str, Any] | None = None, **given: Any) -> Any:
        """The answer of a call; its evidence must agree with the path."""
        answer, complaints, _ = self.judged(found, values, **given)
        assert complaints == []
        return answer

    def judged(
        self, found: Planned[KeyspaceTarget], values: dict[str, Any] | None = None, **given: Any
    ) -> tuple[Any, list[str], tuple[Event, ...]]:
        self.observed.events()
        codecs = {model.__name__: runtime.codec_of(model) for model in library.MODELS}
        options = {"now": NOW, "limit": found.pattern.limit, "by": found.pattern.by, **given}
        answer = prepare(found, codecs)(self.observed.client, Given(values or {}, **options))
        events = self.observed.events()
        returned = len(answer.items) if hasattr(answer, "items") else 0 if answer is None else 1
        return answer, list(ENGINE.judge(found, events, returned)), events

    def pages(self, found: Planned[KeyspaceTarget], values: dict[str, Any], **given: Any) -> list[Any]:
        """The items of all pages."""
        items: list[Any] = []
        cursor = None
        while True:
            page = self.call(found, values, cursor=cursor, **given)
            items += page.items
            cursor = page.cursor
            if cursor is None:
                return items
            assert len(page.items) == found.pattern.limit

    def put(self, *items: BaseModel, **options: Any) -> None:
        self.call(self.planned(type(items[0]).__name__, "put", **options), items=items)

    def stored(self, item: BaseModel) -> Any:
        """What the store holds under an instance's key, and what it should hold."""
        native = runtime.to_item(item)
        return self.driver.stored(ENGINE.object_of(self.target, self.tables[type(item).__name__]), native)

    def is_stored(self, item: BaseModel) -> bool:
        return bool(self.stored(item) == dict(runtime.to_item(item)))


@pytest.fixture(scope="module")
def world(start: Callable[..., Running]) -> Iterator[World]:
    server = start("cassandra")
    driver = cassandra.connect(server.url)
    tables = library.bindings()
    environment = replace(ENGINE.localise(None, server.version), keyspace_prefix=f"p{next(COUNT)}_")
    target = ENGINE.place(ENGINE.lower(library.a_design(tables))[0], environment)
    run(ENGINE.create(target), driver, ENGINE.probe)
    rows = library.rows(random.Random(7))
    for name, several in rows.items():
        items = [runtime.to_item(one) for one in several]
        assert driver.load(ENGINE.object_of(target, tables[name]), items) == len(several)
    yield World(driver, target, tables, rows, driver.observe())
    driver.close()


def named(items: list[Any]) -> list[str]:
    """Items in a form that is ordered."""
    return sorted(
        str({key: sorted(value) if isinstance(value, set) else value for key, value in dict(one).items()})
        for one in items
    )


def series(world: World, **values: Any) -> list[Any]:
    return [one for one in world.rows["Series"] if all(getattr(one, key) == value for key, value in values.items())]


def test_buckets_are_walked_and_their_shards_merged(world: World) -> None:
    found = world.planned("Series", "read", eq="s", range="at", span_seconds=345_600, order="-at", limit=7)
    assert isinstance(found.path, AccessPath)
    assert (found.path.order, found.path.fan_out) == ("merge", 15)
    items = world.pages(found, {"s": "a", "at": (NOON, NOON + timedelta(days=3))})
    assert [one.at for one in items] == sorted((one.at for one in items), reverse=True)
    assert named(items) == named(series(world, s="a"))


def test_the_newest_buckets_end_where_the_pattern_says(world: World) -> None:
    found = world.planned("Series", "read", eq="s", order="-at", limit=50, fan_out=3)
    items = world.pages(found, {"s": "b"}, now=NOON + timedelta(days=3))
    wanted = [one for one in series(world, s="b") if one.at.date() > NOON.date()]
    assert named(items) == named(wanted)


def test_a_page_resumes_behind_rows_that_came_meanwhile(world: World) -> None:
    found = world.planned("Shelf", "read", eq="shelf", order="-rank title", limit=2)
    first = world.call(found, {"shelf": "late"})
    assert first.items == ()
    books = [Shelf(shelf="late", rank=rank, title=title, owner="o", colour="red", pages=0, tags=set(), words=[])
             for rank in (3, 2, 1) for title in "ab"]  # fmt: skip
    world.put(*books)
    page = world.call(found, {"shelf": "late"})
    assert page.items == tuple(books[:2])
    world.put(books[0].model_copy(update={"rank": 9}))
    rest = world.call(found, {"shelf": "late"}, cursor=page.cursor)
    assert rest.items == tuple(books[2:4])


@pytest.mark.parametrize("limit", [1, 2, 3, 50, None])
def test_every_limit_gives_the_same_items(world: World, limit: int | None) -> None:
    found = world.planned("Texty", "read", eq="k kind", order="at", limit=limit)
    wanted = [one for one in world.rows["Texty"] if (one.k, one.kind) == ("a", "p")]  # type: ignore[attr-defined]
    items = world.pages(found, {"k": "a", "kind": "p"})
    assert named(items) == named(wanted)
    assert [one.at for one in items] == sorted(one.at for one in items)


def test_a_cursor_of_another_pattern_is_refused(world: World) -> None:
    found = world.planned("Shelf", "read", name="mine", eq="shelf", limit=1)
    other = world.planned("Shelf", "read", name="yours", eq="shelf", limit=1)
    page = world.call(found, {"shelf": "s1"})
    with pytest.raises(UsageError, match='one of "mine"'):
        world.call(other, {"shelf": "s1"}, cursor=page.cursor)
    for text in ("", "???", "e30", page.cursor[:-4]):
        with pytest.raises(UsageError, match="cannot be read"):
            world.call(found, {"shelf": "s1"}, cursor=text)


def test_static_columns_without_a_row_are_no_item(world: World) -> None:
    session = world.observed.client
    session.execute(f"INSERT INTO {world.target.name}.shelf (shelf, owner) VALUES ('empty', 'nobody')")
    assert world.call(world.planned("Shelf", "read", eq="shelf"), {"shelf": "empty"}).items == ()
    assert world.call(world.planned("Shelf", "count", eq="shelf"), {"shelf": "empty"}) == 0
    assert world.call(world.planned("Shelf", "get", eq="shelf"), {"shelf": "empty"}) is None


def test_a_view_is_read_in_its_own_order(world: World) -> None:
    seen = [Seen(who="w", what=what, at=NOON + timedelta(hours=at)) for at, what in enumerate("badc")]
    world.put(*seen)
    found = world.planned("Seen", "read", eq="who", order="-at", limit=3)
    assert isinstance(found.path, AccessPath)
    assert str(found.path.by) == "view seen_by_time"
    for _ in range(50):  # the view follows its table
        if len(items := world.pages(found, {"who": "w"})) == len(seen):
            break
        time.sleep(0.02)
    assert items == seen[::-1]


def test_a_moment_in_a_key_is_its_order(world: World) -> None:
    draw = random.Random(5)
    comments = [Comment(post=draw.choice("ab"), id=uuid_from_time(NOON + timedelta(hours=at))) for at in range(40)]
    draw.shuffle(comments)
    world.put(*comments)
    found = world.planned("Comment", "read", one_of="post", order="-id", limit=7)
    items = world.pages(found, {"post": ["a", "b"]})
    assert items == sorted(comments, key=lambda one: -one.id.time)


def test_only_the_fields_that_are_needed_are_read(world: World) -> None:
    found = world.planned("Shelf", "read", eq="shelf", fields="tags owner", limit=3)
    assert isinstance(found.path, AccessPath)
    assert isinstance(found.path.call, Select)
    assert found.path.call.columns == ("shelf", "rank", "title", "owner", "tags")[1:]
    (one, *_) = world.call(found, {"shelf": "s1"}).items
    assert (one.owner, type(one.tags)) == ("of s1", set)
    assert not hasattr(one, "pages")


@pytest.mark.parametrize("factory", [dict_factory, tuple_factory])
def test_a_session_keeps_its_own_form_of_rows(world: World, factory: Any) -> None:
    session = world.observed.client._session
    clone = session.execution_profile_clone_update(EXEC_PROFILE_DEFAULT, row_factory=factory)
    found = world.planned("Plain", "get", eq="k")

    class Session:
        prepare = session.prepare

        def execute_async(self, query: Any) -> Any:
            return session.execute_async(query, execution_profile=clone)

    codecs = {"Plain": runtime.codec_of(library.Plain)}
    assert prepare(found, codecs)(Session(), Given({"k": "k1"})) == world.rows["Plain"][1]


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
    found = world.planned("Order", "update", sets="total state loose.town place", unset="note", pushes="tags")
    key = {"shop": "s", "at": NOON, "id": "change"}
    place = Place(street="c")
    world.call(found, {**key, "total": 5, "state": "paid", "loose.town": "t", "place": place, "tags": "b"})
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
        found = world.planned("Order", "update", sets="tags", **options)
        with pytest.raises(ConditionFailed):
            world.call(found, {**key, "tags": ["x"]})
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
    found = world.planned("Order", "update", sets="tags", where=where)
    values = {"shop": "guarded", "at": NOON, "id": "g", "tags": ["changed"]}
    if holds:
        world.call(found, values)
        assert world.is_stored(order.model_copy(update={"tags": ["changed"]}))
    else:
        with pytest.raises(ConditionFailed):
            world.call(found, values)
        assert world.is_stored(order)


def test_a_list_is_pushed_to_within_its_bound(world: World) -> None:
    order = Order(shop="s", at=NOON, id="few")
    world.put(order)
    found = world.planned("Order", "update", pushes="few")
    values = {"shop": "s", "at": NOON, "id": "few"}
    world.call(found, {**values, "few": "a"})
    world.call(found, {**values, "few": "b"})
    with pytest.raises(ConditionFailed):
        world.call(found, {**values, "few": "c"})
    assert world.is_stored(order.model_copy(update={"few": ["a", "b"]}))


def test_a_static_column_changes_for_the_partition(world: World) -> None:
    orders = [Order(shop="static", at=NOON + timedelta(hours=at), id="s") for at in range(2)]
    world.put(*orders)
    found = world.planned("Order", "update", sets="manager")
    world.call(found, {"shop": "static", "at": NOON, "id": "s", "manager": "new"})
    assert all(world.is_stored(one.model_copy(update={"manager": "new"})) for one in orders)


def test_a_call_that_lacks_a_value_is_told_so(world: World) -> None:
    found = world.planned("Order", "update", sets="tags")
    with pytest.raises(UsageError, match='does not give "tags"'):
        world.call(found, {"shop": "s", "at": NOON, "id": "few"})
    with pytest.raises(UsageError, match='does not give "id"'):
        world.call(found, {"shop": "s", "at": NOON, "tags": []})


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
    found = world.planned("Tally", "increment", field="n", by=2)
    values = {"page": "home", "day": "2026-11-21"}
    assert world.call(found, values) is None
    world.call(found, values, by=-5)
    (read,) = world.call(world.planned("Tally", "read", eq="page"), {"page": "home"}).items
    assert read == Tally(page="home", day="2026-11-21", n=-3, m=0)


def test_steps_of_a_drawn_shard_add_up(world: World) -> None:
    found = world.planned("Hits", "increment", field="n", eq="page")
    for _ in range(12):
        world.call(found, {"page": "home"})
    read = world.call(world.planned("Hits", "read", eq="page"), {"page": "home"}).items
    assert sum(one.n for one in read) == 12
    world.call(world.planned("Hits", "delete", eq="page"), {"page": "home"})
    assert world.call(world.planned("Hits", "read", eq="page"), {"page": "home"}).items == ()
    assert isinstance(read[0], Hits)


def test_a_delete_takes_a_row_or_what_is_under_a_key(world: World) -> None:
    orders = [Order(shop="gone", at=NOON + timedelta(hours=at), id="d") for at in range(3)]
    world.put(*orders)
    found = world.planned("Order", "delete")
    for _ in range(2):
        world.call(found, {"shop": "gone", "at": NOON, "id": "d"})
    assert [world.stored(one) is None for one in orders] == [True, False, False]
    guarded = world.planned("Order", "delete", where={"total": ("at_least", 1)})
    with pytest.raises(ConditionFailed):
        world.call(guarded, {"shop": "gone", "at": NOON + timedelta(hours=1), "id": "d"})
    world.call(world.planned("Order", "delete", eq="shop month"), {"shop": "gone", "month": "2026-11"})
    assert [world.stored(one) for one in orders] == [None, None, None]


def test_a_transaction_writes_all_or_nothing(world: World) -> None:
    orders = [Order(shop="both", at=NOON, id=f"t{at}") for at in range(3)]
    book = Shelf(shelf="both", rank=1, title="t", owner="o", colour="red", pages=0, tags=set(), words=[])
    plain = [a_pattern("put", "first", batch=2), a_pattern("put", "second")]
    parts = tuple(
        plan(ENGINE, world.target, world.tables[name], one) for name, one in zip(("Order", "Shelf"), plain, strict=True)
    )
    found = plan_together(ENGINE, world.target, a_pattern("transact"), parts)
    world.call(
        found, parts=((Given({}, items=(orders[0],)), Given({}, items=(orders[1],))), (Given({}, items=(book,)),))
    )
    assert world.is_stored(orders[0])
    assert world.is_stored(orders[1])
    assert world.is_stored(book)


def test_conditions_hold_for_the_whole_transaction(world: World) -> None:
    orders = [Order(shop="atomic", at=NOON, id=f"t{at}") for at in range(2)]
    world.put(orders[0])
    names = [a_pattern("put", "new", if_absent=True), a_pattern("update", "old", sets="tags")]
    parts = tuple(plan(ENGINE, world.target, world.tables["Order"], one) for one in names)
    found = plan_together(ENGINE, world.target, a_pattern("transact"), parts)
    values = {"shop": "atomic", "at": NOON, "id": "t0", "tags": ["x"]}
    given = ((Given({}, items=(orders[1],)),), (Given(values),))
    world.call(found, parts=given)
    assert world.is_stored(orders[1])
    with pytest.raises(ConditionFailed):
        world.call(found, parts=(given[0], (Given({**values, "tags": ["y"]}),)))
    assert world.is_stored(orders[0].model_copy(update={"tags": ["x"]}))
    with pytest.raises(UsageError, match="several partitions"):
        world.call(found, parts=(given[0], (Given({**values, "shop": "elsewhere"}),)))


def test_dropped_keyspaces_are_gone(world: World) -> None:
    name = f"{world.target.name}_dropped"
    replication = "{'class': 'NetworkTopologyStrategy', 'datacenter1': 1}"
    world.observed.client.execute(f"CREATE KEYSPACE {name} WITH replication = {replication}")
    world.driver.drop([name, "never_there"])
    assert world.driver.introspect([name]) == {name: None}


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
