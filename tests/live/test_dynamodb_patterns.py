"""Patterns called on a real DynamoDB Local, compared with the answer that Python computes from the same instances."""

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from tests.engines.dynamodb import patterned as m
from tests.engines.dynamodb.planning import Plans, plans_of

from keywright.access.path import AccessPath
from keywright.access.query import request
from keywright.declare.answers import Page
from keywright.drivers.dynamodb import driver as dynamodb
from keywright.engines.dynamodb.access.calls import QueryItems
from keywright.engines.dynamodb.engine import ENGINE
from keywright.engines.interface import Driver, Observed
from keywright.errors import UsageError
from keywright.local import Running
from keywright.migrations.run.runner import run
from keywright.prove.answer import matching, misplaced, surplus
from keywright.prove.values import reading
from keywright.record import replace
from keywright.runtime import InvalidCursor
from keywright.runtime.dynamodb import codec
from keywright.runtime.dynamodb.execute import prepare, queries
from keywright.runtime.items.codec import Codec
from keywright.runtime.validate.arguments import Arguments, ConditionFailed

pytestmark = pytest.mark.live

PLANS = plans_of(m)
LOADED: dict[str, list[Any]] = {
    "Task": m.some_tasks(),
    "Note": m.some_notes(),
    "Offer": m.some_offers(),
    "Reading": m.some_measurements(),
    "Event": m.some_events(),
    "Stock": [m.Stock(sku=sku, left=left) for sku, left in (("a", 3), ("b", 0))],
}


@dataclass
class Store:
    """The tables of one access key, with everything loaded."""

    plans: Plans
    driver: Driver
    observed: Observed
    codecs: dict[str, Codec[Any]]
    loaded: dict[str, list[Any]] = field(default_factory=dict)

    def call(
        self, name: str, /, *items: Any, limit: int | None = None, cursor: str | None = None, **values: Any
    ) -> Any:
        """Call a pattern and judge its evidence."""
        planned = self.plans.plan(name)
        assert isinstance(planned.path, AccessPath), planned.path
        pattern = planned.pattern
        arguments = Arguments(
            {key.replace("__", "."): value for key, value in values.items() if key not in ("by", "now", "parts")},
            items=items,
            limit=limit if limit is not None else pattern.limit,
            cursor=cursor,
            by=values.get("by", pattern.by),
            parts=values.get("parts", ()),
            now=values.get("now"),
        )
        self.observed.events()
        try:
            answer = prepare(planned, self.codecs)(self.observed.client, arguments)
        finally:
            events = self.observed.events()
        assert list(ENGINE.verify_evidence(planned, events, len(answer) if isinstance(answer, Page) else 1)) == []
        return answer

    def walk(self, name: str, limit: int, /, **values: Any) -> list[Any]:
        """All items of a read, page by page."""
        result: list[Any] = []
        cursor = None
        for _ in range(200):
            page = self.call(name, limit=limit, cursor=cursor, **values)
            assert len(page) <= limit
            result += page
            cursor = page.cursor
            if cursor is None:
                return result
        raise AssertionError("the pages never end")

    def stored(self, instance: Any) -> list[Any]:
        """What is stored under each key of an instance."""
        name = type(instance).__name__
        table = self.plans.tables[self.plans.bindings[name].physical.name].name
        return [self.driver.stored(table, item) for item in self.codecs[name].to_items(instance)]

    def holds(self, instance: Any) -> bool:
        """Whether the store holds exactly the items of an instance, which draws no shard."""
        return self.stored(instance) == self.codecs[type(instance).__name__].to_items(instance)


def open_store(url: str, loaded: dict[str, list[Any]]) -> Store:
    driver = dynamodb.connect(url)
    for table in PLANS.tables.values():
        run(ENGINE.create(table), driver)
    codecs = {name: codec(binding, PLANS.models[name]) for name, binding in PLANS.bindings.items()}
    store = Store(PLANS, driver, driver.observe(), codecs, loaded)
    for name, instances in loaded.items():
        table = PLANS.tables[PLANS.bindings[name].physical.name].name
        driver.load(table, [item for instance in instances for item in codecs[name].to_items(instance)])
    return store


@pytest.fixture(scope="module")
def store(start: Callable[..., Running]) -> Iterator[Store]:
    """Tables that are read only."""
    created = open_store(start("dynamodb").url.replace("://", "://patterns@"), LOADED)
    yield created
    created.driver.drop(table.name for table in PLANS.tables.values())
    created.driver.close()


@pytest.fixture(scope="module")
def fresh(start: Callable[..., Running]) -> Iterator[Store]:
    """Tables of the tests that write, each on items of its own."""
    created = open_store(start("dynamodb").url.replace("://", "://written@"), LOADED)
    yield created
    created.driver.drop(table.name for table in PLANS.tables.values())
    created.driver.close()


START = m.START
DAY = timedelta(days=1)
TASKS: list[m.Task] = LOADED["Task"]
SOME = TASKS[7]

READS: list[tuple[str, dict[str, Any]]] = [
    ("tasks_of_team", {"team": "red"}),
    ("all_of_team", {"team": "red"}),
    ("names_of_team", {"team": "blue"}),
    ("tasks_between", {"team": "red", "due": (START + 2 * DAY, START + 6 * DAY)}),
    ("tasks_between", {"team": "red", "due": (TASKS[0].due, TASKS[0].due)}),
    ("tasks_between", {"team": "red", "due": (None, START + 3 * DAY)}),
    ("tasks_between", {"team": "red", "due": (START + 7 * DAY, None)}),
    ("tasks_between", {"team": "red", "due": (None, None)}),
    ("tasks_between", {"team": "red", "due": (START + 7 * DAY, START)}),
    (
        "tasks_between_backward",
        {"team": "red", "due": (min(task.due for task in TASKS), max(task.due for task in TASKS))},
    ),
    ("tasks_after", {"team": SOME.team, "due": (SOME.due, None)}),
    ("tasks_after", {"team": SOME.team, "due": (SOME.due, SOME.due + 3 * DAY)}),
    ("tasks_before_backward", {"team": SOME.team, "due": (None, SOME.due)}),
    ("tasks_before_backward", {"team": SOME.team, "due": (SOME.due, SOME.due)}),
    ("ranks_inside", {"team": "red", "kind": "bug", "rank": (1, 4)}),
    ("ranks_inside", {"team": "red", "kind": "bug", "rank": (1, None)}),
    ("ranks_inside", {"team": "red", "kind": "bug", "rank": (None, 4)}),
    ("ranks_inside", {"team": "red", "kind": "bug", "rank": (None, None)}),
    ("scored_above", {"team": SOME.team, "score": (SOME.score, None)}),
    ("days_after", {"due": (SOME.due, SOME.due + DAY)}),
    ("notes_inside", {"team": "red", "number": (3, 6)}),
    ("notes_inside", {"team": "red", "number": (3, 4)}),
    ("offers_inside", {"sku": "a", "day": (m.START.date(), m.START.date() + 3 * DAY)}),
    ("readings_after", {"sensor": m.SENSORS[0], "at": (m.some_measurements()[2].at, None)}),
    ("readings_after", {"sensor": m.SENSORS[0], "at": (m.some_measurements()[2].at, m.some_measurements()[4].at)}),
    ("ids_at", {"team": SOME.team, "due": SOME.due, "task_id": SOME.task_id[:3]}),
    ("ids_at", {"team": SOME.team, "due": SOME.due, "task_id": ""}),
    ("by_ids", {"team": SOME.team, "due": SOME.due, "task_id": [task.task_id for task in TASKS]}),
    ("urgent", {"team": "red", "kind": "bug"}),
    ("low", {"team": "red", "kind": "bug"}),
    ("middle", {"team": "red", "kind": "idea", "rank": (2, 6)}),
    ("middle", {"team": "red", "kind": "idea", "rank": (6, 2)}),
    ("names_of_rank", {"team": "red", "kind": "bug", "rank": 3, "name": "a"}),
    ("ranked", {"team": "red", "kind": ["idea", "bug"]}),
    ("ranks_of", {"team": "red", "kind": "bug", "rank": [1, 2, 3, 5]}),
    ("scored", {"team": "red"}),
    ("scored_between", {"team": "red", "score": (Decimal("-20.5"), Decimal(7))}),
    ("scored_between", {"team": "red", "score": (None, Decimal("-3"))}),
    ("scores", {"team": "blue"}),
    ("open_of_kind", {"kind": "bug"}),
    ("waiting_of_kind", {"kind": "chore"}),
    ("of_days", {"due": (START + DAY, START + 3 * DAY)}),
    ("of_days", {"due": (START + DAY, START + DAY + timedelta(hours=1))}),
    ("of_days_backward", {"due": (START + DAY, START + 3 * DAY)}),
    ("of_owner", {"owner": "ann"}),
    ("of_owner_since", {"owner": "ann", "due": (START + 4 * DAY, None)}),
    ("of_owner_since", {"owner": "bob", "due": (None, START + 4 * DAY)}),
    ("all_filters", {"team": "red", "place__city": "Rom", "tags": "x"}),
    ("with_tags", {"team": "red", "tags": ["x", "y"]}),
    ("with_tags", {"team": "red", "tags": []}),
    ("exact_tags", {"team": "red", "tags": ["y", "x"]}),
    ("exact_tags", {"team": "red", "tags": []}),
    ("exact_notes", {"team": "red", "notes": ["q", "p"]}),
    ("exact_notes", {"team": "red", "notes": []}),
    ("notes_of_team", {"team": "red"}),
    ("notes_between", {"team": "red", "number": (3, 9)}),
    ("notes_between", {"team": "red", "number": (3, None)}),
    ("notes_by_numbers", {"team": "red", "number": [5, 3, 99, 3]}),
    ("notes_of_owner", {"owner": "ann"}),
    ("stock", {"sku": "a"}),
    ("offers", {"sku": "a"}),
    ("cheapest", {"sku": "b"}),
    ("cheap", {"sku": "b", "price": (20, 40)}),
    ("offers_of_days", {"sku": "a", "day": [entry.day for entry in LOADED["Offer"]]}),
    ("readings_between", {"sensor": m.SENSORS[0], "at": (START + timedelta(seconds=2), None)}),
    ("some_readings", {"sensor": m.SENSORS[:2]}),
    ("of_month_and_size", {"month": "2026-04", "size": 2}),
    ("of_some_months", {"month": ["2026-05", "2026-03", "2026-03"], "size": 1}),
    ("of_time", {"size": 3, "at": (START + 20 * DAY, START + 70 * DAY)}),
    ("of_all_sizes", {"at": (START + 20 * DAY, START + 40 * DAY)}),
    ("of_label", {"label": "A:2", "raw": (b"\1", b"\2\x80")}),
    ("of_label", {"label": "A:2", "raw": (None, b"\2")}),
    ("of_parts", {"kind": "A", "size": 2}),
    ("of_labels", {"kind": ["A", "C"], "size": [1, 2], "raw": (b"\1", None)}),
    ("noted_as", {"label": "B:1", "note": ["n", None]}),
    ("noted_as", {"label": "B:1", "note": [None]}),
    ("noted_as", {"label": "B:1", "note": ["m", "n"]}),
    ("several", {"number": [5, 3, 70, 99, 3, 4]}),
    ("several_by_label", {"number": [5, 3, 70, 99, 3, 4, 17]}),
    ("some_readings", {"sensor": [None]}),
    ("several_noted", {"number": [5, 3, 70, 99, 3, 4, 6, 7]}),
    ("readings_at", {"sensor": m.SENSORS[:2], "at": [entry.at for entry in LOADED["Reading"]]}),
]


def expected(store: Store, name: str, values: dict[str, Any]) -> list[Any]:
    """What Python says."""
    planned = store.plans.plan(name)
    arguments = Arguments({key.replace("__", "."): value for key, value in values.items()})
    query = request(planned.pattern, ENGINE.key_fields(planned.target, planned.binding))
    return matching(store.loaded[planned.binding.name], query, arguments, reading(planned.binding))


def seen(store: Store, name: str, items: list[Any]) -> list[Any]:
    """The fields that a pattern reads of some instances."""
    fields = store.plans.patterns[name].fields
    return [tuple(getattr(item, path) for path in fields) for item in items] if fields else items


@pytest.mark.parametrize(("name", "values"), READS, ids=[f"{at}-{name}" for at, (name, _) in enumerate(READS)])
def test_a_read_gives_what_python_computes_on_pages_of_every_size(
    store: Store, name: str, values: dict[str, Any]
) -> None:
    planned = store.plans.plan(name)
    goal = expected(store, name, values)
    query = request(planned.pattern, ())
    page = store.call(name, **values)
    assert len(page) == min(len(goal), planned.pattern.limit or len(goal))
    for limit in (1, 3, max(1, len(goal)), len(goal) + 5):
        walk = store.walk(name, limit, **values)
        assert surplus(seen(store, name, walk), seen(store, name, goal)) == ([], [])
        fields = planned.pattern.fields
        if not fields or all(ordering.field in fields for ordering in query.order):
            assert misplaced(walk, query.order, reading(planned.binding)) is None


COUNTS: list[tuple[str, dict[str, Any]]] = [
    ("count_team", {"team": "red"}),
    ("count_team", {"team": "nobody"}),
    ("count_middle", {"team": "red", "kind": "idea", "rank": (2, 6)}),
    ("count_middle", {"team": "red", "kind": "idea", "rank": (None, 7)}),
    ("count_inside", {"team": "red", "kind": "idea", "rank": (2, 6)}),
    ("filtered_inside", {"team": "red", "times": (-1, 1)}),
    ("filtered_inside", {"team": "red", "times": (0, 1)}),
    ("count_waiting", {"kind": "idea"}),
    ("count_of_days", {"due": (START, START + 2 * DAY)}),
    ("noted", {"team": "red"}),
    ("unowned", {"team": "red"}),
    ("in_zip", {"team": "red", "place__zip": "1"}),
    ("in_zip", {"team": "red", "place__zip": None}),
    ("of_month", {"team": "red", "month": "2026-03"}),
    ("of_some", {"team": "red", "status": ["done", "open"]}),
    ("of_some", {"team": "red", "status": []}),
    ("count_stock", {"sku": "a"}),
    ("count_offers", {"sku": "b"}),
    ("readings_before", {"sensor": m.SENSORS[1], "at": (None, START + timedelta(seconds=4))}),
]


@pytest.mark.parametrize(("name", "values"), COUNTS, ids=[f"{at}-{name}" for at, (name, _) in enumerate(COUNTS)])
def test_a_count_is_that_of_python(store: Store, name: str, values: dict[str, Any]) -> None:
    assert store.call(name, **values) == len(expected(store, name, values))


def test_the_newest_come_from_the_last_days_alone(store: Store) -> None:
    now = START + 9 * DAY + timedelta(hours=12)
    result = store.call("newest", now=now, limit=100)
    days = {(now - number * DAY).date() for number in range(4)}
    assert [entry.due for entry in result] == sorted(
        (task.due for task in TASKS if task.due.date() in days), reverse=True
    )
    assert result.cursor is None


def test_one_item_is_got_by_every_key(store: Store) -> None:
    key = {"team": SOME.team, "due": SOME.due, "task_id": SOME.task_id}
    assert store.call("task", **key) == SOME
    assert store.call("task_strong", **key) == SOME
    assert store.call("task", **{**key, "task_id": "none"}) is None
    assert store.call("task_by_id", task_id=SOME.task_id) == SOME
    assert store.call("task_by_id", task_id="none") is None
    assert store.call("task_if_open", **key) == (SOME if SOME.status == "open" else None)
    assert store.call("first_of_team", team="red") == min(
        (task for task in TASKS if task.team == "red"), key=lambda task: (task.due, task.task_id)
    )
    assert store.call("offer", sku="a", day=m.some_offers()[0].day) == m.some_offers()[0]
    assert store.call("reading", sensor=m.SENSORS[0], at=START) == m.some_measurements()[0]
    assert store.call("some_stock", sku="a").left == 3
    assert store.call("some_stock", sku="none") is None


def test_a_part_of_an_item_has_what_is_wanted_and_nothing_else(store: Store) -> None:
    for task in TASKS[:20]:
        result = store.call("task_name", task_id=task.task_id)
        assert (result.name, result.owner, result.tags, result.place) == (task.name, task.owner, task.tags, task.place)
        assert result.model_fields_set == {"name", "owner", "tags", "place"}
        assert not hasattr(result, "rank")


def test_null_is_in_no_key(store: Store) -> None:
    with pytest.raises(UsageError, match='"owner" is None'):
        store.call("of_owner", owner=None)


@pytest.mark.parametrize("cursor", ["", "x", "AAAA", "eJyLjgUAARUAuQ"])
def test_a_broken_cursor_is_refused(store: Store, cursor: str) -> None:
    with pytest.raises(UsageError, match="cursor"):
        store.call("tasks_of_team", team="red", cursor=cursor)


def test_a_cursor_of_something_else_is_refused(store: Store) -> None:
    cursor = store.call("tasks_of_team", team="red").cursor
    with pytest.raises(InvalidCursor):
        store.call("all_of_team", team="red", cursor=cursor)
    with pytest.raises(UsageError, match="other values"):
        store.call("tasks_of_team", team="blue", cursor=cursor)


# Writes.


def key_of(task: m.Task) -> dict[str, Any]:
    return {"team": task.team, "due": task.due, "task_id": task.task_id}


def changed(one: Any, **values: Any) -> Any:
    return one.model_copy(update=values)


NUMBERS = itertools.count()


def a_task(**values: Any) -> m.Task:
    """An open task that nobody has stored."""
    usual = {
        "team": "red", "task_id": f"w{next(NUMBERS):03}", "due": START, "kind": "bug", "status": "open", "rank": 1,
        "n": "x", "score": Decimal(1), "place": m.Place(city="Rom"),
    }  # fmt: skip
    return m.Task.model_validate(usual | values)


def test_an_item_is_put_and_a_taken_key_is_not(fresh: Store) -> None:
    new = a_task()
    fresh.call("put_new", new)
    assert fresh.holds(new)
    with pytest.raises(ConditionFailed):
        fresh.call("put_new", changed(new, rank=5))
    assert fresh.holds(new)
    fresh.call("put_task", changed(new, rank=5))
    assert fresh.holds(changed(new, rank=5))


def test_several_items_are_put_at_once_or_with_a_condition_together(fresh: Store) -> None:
    many = [a_task(task_id=f"x{number:03}") for number in range(60)]
    fresh.call("put_task", *many, changed(many[3], rank=9))
    assert fresh.holds(many[0])
    assert fresh.holds(changed(many[3], rank=9))
    with pytest.raises(ConditionFailed):
        fresh.call("put_new", a_task(task_id="y000"), many[1])
    assert fresh.stored(a_task(task_id="y000")) == [None]


def test_an_update_keeps_every_index_right(fresh: Store) -> None:
    task = a_task()
    fresh.call("put_task", task)
    for values in (
        {"status": "held", "kind": "idea", "name": "y"},
        {"status": "done", "kind": "idea", "name": "z"},
        {"status": "open", "kind": "bug", "name": "ü"},
    ):
        task = changed(task, **values)
        fresh.call("rename", **key_of(task), **values)
        assert fresh.holds(task)


def test_an_update_within_a_sparse_index_keeps_or_removes_the_key(fresh: Store) -> None:
    task = a_task()
    fresh.call("put_task", task)
    for status in ("held", "held", "open", "done"):
        task = changed(task, status=status)
        fresh.call("set_waiting_status", **key_of(task), status=status)
        assert fresh.holds(task)
    with pytest.raises(ConditionFailed):
        fresh.call("set_waiting_status", **key_of(task), status="open")
    assert fresh.holds(task)


def test_items_with_former_discriminators_are_read(fresh: Store) -> None:
    notes = [m.Note(team="old", number=number, owner="eve", due=START + (number + 1) * DAY) for number in range(3)]
    for note, value in zip(notes, ("note", "Note", "NOTE"), strict=True):
        (item,) = fresh.codecs["Note"].to_items(note)
        assert item["entity_type"] == {"S": "note"}
        table = fresh.plans.tables["tasks"].name
        fresh.driver.load(table, [{**item, "entity_type": {"S": value}}])
    assert fresh.walk("notes_of_owner", 3, owner="eve") == notes
    fresh.call("set_note", team="old", number=1, due=START)
    assert fresh.walk("notes_of_owner", 3, owner="eve") == [changed(notes[1], due=START), notes[0], notes[2]]


def test_an_update_keeps_computed_attributes_right(fresh: Store) -> None:
    event = m.some_events()[0]
    fresh.call("relabel", number=event.number, kind="C", size=3)
    fresh.call("retime", number=event.number, at=START + 400 * DAY)
    event = changed(event, kind="C", size=3, at=START + 400 * DAY)
    assert fresh.holds(event)
    assert list(fresh.call("of_month_and_size", month="2027-04", size=3)) == [event]


def test_an_update_writes_nulls_sets_and_expiries_as_a_put_does(fresh: Store) -> None:
    task = a_task(tags={"x"}, owner="ann")
    fresh.call("put_task", task)
    for owner in (None, "bob"):
        task = changed(task, owner=owner, score=Decimal("-2.50"))
        fresh.call("set_owner", **key_of(task), owner=owner, score=Decimal("-2.50"))
        assert fresh.holds(task)
    for tags, ends in (({"y", "a"}, START), (set[str](), None)):
        task = changed(task, tags=tags, ends=ends, owner=None)
        fresh.call("clear", **key_of(task), tags=tags, ends=ends)
        assert fresh.holds(task)
    for zip in ("9", None):
        task = changed(task, place=m.Place(city="Rom", zip=zip))
        fresh.call("set_zip", **key_of(task), place__zip=zip)
        assert fresh.holds(task)


def test_what_is_pushed_stays_within_the_bound(fresh: Store) -> None:
    task = a_task()
    fresh.call("put_task", task)
    for number in range(3):
        fresh.call("note", **key_of(task), notes=str(number))
    with pytest.raises(ConditionFailed):
        fresh.call("note", **key_of(task), notes="4")
    fresh.call("tag", **key_of(task), tags="b")
    fresh.call("tag", **key_of(task), tags="a")
    fresh.call("tag", **key_of(task), tags="b")
    assert fresh.holds(changed(task, notes=["0", "1", "2"], tags={"a", "b"}))


def test_nothing_is_changed_that_is_not_there_or_not_as_it_must_be(fresh: Store) -> None:
    new = a_task()
    for name, values in (
        ("rename", {"status": "done", "kind": "bug", "name": "x"}), ("note", {"notes": "x"}), ("again", {}),
        ("drop_done", {}),
    ):  # fmt: skip
        with pytest.raises(ConditionFailed):
            fresh.call(name, **key_of(new), **values)
    assert fresh.stored(new) == [None]
    done = a_task(status="done")
    fresh.call("put_task", done)
    with pytest.raises(ConditionFailed):
        fresh.call("set_status_of", **key_of(done), status="open", kind="bug", name="x")
    with pytest.raises(ConditionFailed):
        fresh.call("again_if", **key_of(done))
    assert fresh.holds(done)


def test_a_number_is_incremented_and_told(fresh: Store) -> None:
    task = a_task()
    fresh.call("put_task", task)
    assert fresh.call("again", **key_of(task)) == 2
    assert fresh.call("again", **key_of(task), by=-5) == -3
    assert fresh.call("again_if", **key_of(task), by=8) == 5
    with pytest.raises(ConditionFailed):
        fresh.call("again_if", **key_of(task))
    assert fresh.call("raise_rank", **key_of(task)) == 2
    assert fresh.holds(changed(task, times=5, rank=2))


def test_a_delete_may_be_repeated_unless_it_has_a_condition(fresh: Store) -> None:
    task = a_task(status="open")
    fresh.call("put_task", task)
    with pytest.raises(ConditionFailed):
        fresh.call("drop_done", **key_of(task))
    fresh.call("drop", **key_of(task))
    fresh.call("drop", **key_of(task))
    assert fresh.stored(task) == [None]
    fresh.call("put_task", changed(task, status="done"))
    fresh.call("drop_done", **key_of(task))
    assert fresh.stored(task) == [None]


def test_a_drawn_shard_that_is_empty_is_drawn_again(fresh: Store) -> None:
    assert [fresh.call("take_one", sku="a") for _ in range(3)] == [2, 1, 0]
    with pytest.raises(ConditionFailed):
        fresh.call("take_one", sku="a")
    fresh.call("drop_stock", sku="a")
    fresh.call("drop_stock", sku="a")
    assert fresh.call("count_stock", sku="a") == 0


def test_a_transaction_draws_another_shard_for_each_of_its_writes(fresh: Store) -> None:
    table = PLANS.tables["shards"].name
    fresh.driver.load(
        table,
        [
            {"pk": {"S": f"STOCK#c#{shard}"}, "sku": {"S": "c"}, "left": {"N": "1"}, "name": {"S": ""}}
            for shard in range(5)
        ],
    )
    arguments = Arguments({"sku": "c"}, by=-1)
    fresh.call("take_some", parts=((arguments, arguments, arguments),))
    assert sorted(item.left for item in fresh.call("stock", sku="c")) == [0, 0, 0, 1, 1]
    with pytest.raises(ConditionFailed):
        fresh.call("take_some", parts=((arguments, arguments, arguments),))
    fresh.call("take_some", parts=((arguments, arguments),))
    assert [item.left for item in fresh.call("stock", sku="c")] == [0] * 5


def test_all_read_copies_are_written_together(fresh: Store) -> None:
    offer = m.some_offers()[0]
    key = {"sku": offer.sku, "day": offer.day}
    with pytest.raises(ConditionFailed):
        fresh.call("put_offer", offer)
    fresh.call("reprice", **key, price=7)
    assert fresh.holds(changed(offer, price=7))
    assert fresh.call("dearer", **key) is None
    assert fresh.holds(changed(offer, price=8))
    with pytest.raises(ConditionFailed):
        fresh.call("dearer", sku="a", day=m.some_offers()[0].day.replace(year=2030))
    fresh.call("drop_offer", **key)
    assert fresh.stored(offer) == [None, None, None]
    fresh.call("put_offer", offer)
    assert fresh.holds(offer)


def test_a_transaction_does_all_or_nothing(fresh: Store) -> None:
    new, note, other = a_task(), m.some_notes()[0], a_task(task_id="old1")
    fresh.call("put_task", other)
    parts = (
        (Arguments({}, items=(new,)),),
        (Arguments({"team": note.team, "number": note.number}),),
        (Arguments({**key_of(other), "status": "done", "kind": "chore", "name": "x"}),),
    )
    fresh.call("move", parts=parts)
    assert fresh.holds(new)
    assert fresh.stored(note) == [None]
    assert fresh.holds(changed(other, status="done", kind="chore"))
    with pytest.raises(ConditionFailed):
        fresh.call(
            "move", parts=(*parts[:2], (Arguments({**key_of(other), "status": "open", "kind": "bug", "name": "x"}),))
        )
    assert fresh.holds(changed(other, status="done", kind="chore"))


def test_too_much_for_a_transaction_is_refused_before_it_is_sent(fresh: Store) -> None:
    with pytest.raises(UsageError, match="101 items together"):
        fresh.call("put_new", *(a_task(task_id=f"{number:04}") for number in range(101)))


# Mutants: each mistake is seen in the answer or in the evidence.


def mistakes(store: Store, name: str, values: dict[str, Any], call: QueryItems | None = None) -> list[str]:
    """What is wrong with the answer, and what the evidence says; carried out by another call than was planned."""
    planned = store.plans.plan(name)
    assert isinstance(planned.path, AccessPath)
    carried = planned if call is None else replace(planned, path=replace(planned.path, call=call))
    arguments = Arguments(values, limit=1000)
    store.observed.events()
    page = prepare(carried, store.codecs)(store.observed.client, arguments)
    result = list(ENGINE.verify_evidence(planned, store.observed.events(), len(page)))
    extra, missing = surplus(list(page), expected(store, name, values))
    result += [f"{len(extra)} too many"] * bool(extra) + [f"{len(missing)} missing"] * bool(missing)
    order = misplaced(list(page), request(planned.pattern, ()).order, reading(planned.binding))
    return result + ["wrong order"] * (order is not None)


DAYS = {"due": (START + DAY, START + 3 * DAY)}


def test_what_is_right_has_no_mistakes(store: Store) -> None:
    assert mistakes(store, "waiting_of_kind", {"kind": "bug"}) == []
    assert mistakes(store, "of_days", DAYS) == []


def test_a_dropped_shard_is_seen(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    spots_of = queries.key_ranges_of
    monkeypatch.setattr(queries, "key_ranges_of", lambda *about: lambda given: spots_of(*about)(given)[:-1])
    result = mistakes(store, "waiting_of_kind", {"kind": "bug"})
    assert result[0] == "read 3 partitions of 4, but all of them are merged"
    assert result[1].endswith("missing")


def test_a_skipped_bucket_is_seen(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    spots_of = queries.key_ranges_of

    def skipping(*about: Any) -> Any:
        return lambda given: [spot for spot in spots_of(*about)(given) if spot.group != "2026-03-03"]

    monkeypatch.setattr(queries, "key_ranges_of", skipping)
    assert mistakes(store, "of_days", DAYS)[0].endswith("missing")


def test_a_wrong_direction_is_seen(store: Store) -> None:
    call = store.plans.path("tasks_of_team").call
    assert isinstance(call, QueryItems)
    result = mistakes(store, "tasks_of_team", {"team": "red"}, replace(call, is_backward=False))
    assert result[0] == "read forward, but the order needs the other direction"
    assert "wrong order" in result[1]


def test_shards_that_are_not_merged_are_seen(store: Store) -> None:
    call = store.plans.path("waiting_of_kind").call
    assert isinstance(call, QueryItems)
    assert "wrong order" in mistakes(store, "waiting_of_kind", {"kind": "bug"}, replace(call, merges=False))[0]


def test_an_omitted_item_is_seen(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    page = queries.page
    monkeypatch.setattr(queries, "page", lambda *about: (page(*about)[0][1:], None))
    assert mistakes(store, "tasks_of_team", {"team": "red"}) == ["1 missing"]


def test_another_index_and_a_weaker_read_are_seen(store: Store) -> None:
    call = store.plans.path("scored_between").call
    assert isinstance(call, QueryItems)
    values = {"team": "red", "score": (None, None)}
    assert "a strong read was planned, but another was sent" in mistakes(
        store, "scored_between", values, replace(call, is_strong=False)
    )
    other = store.plans.path("tasks_of_team").call
    assert isinstance(other, QueryItems)
    result = mistakes(store, "scored_between", values, replace(other, is_strong=True, is_backward=False))
    assert 'read the table, but the path is by index "by_score"' in result


def test_strangers_that_are_not_filtered_out_are_seen(store: Store) -> None:
    call = store.plans.path("of_owner").call
    assert isinstance(call, QueryItems)
    with pytest.raises(ValueError, match=r"validation errors? for Task"):
        mistakes(store, "of_owner", {"owner": "ann"}, replace(call, discriminator=None))
