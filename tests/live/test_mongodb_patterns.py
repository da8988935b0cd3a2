"""Every kind of call on a real mongod that refuses scans: answers, pages, evidence, writes, and what must be found."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from pymongo import MongoClient
from tests.engines.mongodb import patterned
from tests.engines.mongodb.patterned import AT, DATA, Chunk, Colour, Note, Part, Row, Thing

from keywright import runtime
from keywright.access.path import AccessPath
from keywright.access.query import request
from keywright.access.search import Planned
from keywright.drivers.mongodb import driver as driver_of
from keywright.engines.interface import Driver, Observed
from keywright.engines.mongodb.access.calls import Find
from keywright.engines.mongodb.engine import ENGINE
from keywright.engines.mongodb.schema.target import DatabaseTarget
from keywright.errors import UsageError
from keywright.local import Running
from keywright.migrations.run.runner import run
from keywright.prove.answer import aggregated, is_close, matching, misplaced, surplus
from keywright.prove.values import reading
from keywright.record import replace
from keywright.runtime.items.codec import Codec
from keywright.runtime.mongodb.execute import prepare
from keywright.runtime.validate.arguments import Arguments, ConditionFailed

pytestmark = pytest.mark.live

PREFIX = "calls_"


class Store:
    """A loaded scratch database and a recorded client of it."""

    def __init__(self, driver: Driver) -> None:
        self.driver, self.target = driver, patterned.target(PREFIX)
        self.observed: Observed = driver.observe()
        self.codecs: dict[str, Codec[Any]] = {name: runtime.codec_of(getattr(patterned, name)) for name in DATA}
        self.bindings = {binding.name: binding for binding in patterned.design().bindings}
        self.loaded = {name: self._again(name, make()) for name, make in DATA.items()}

    def _again(self, name: str, instances: Any) -> list[Any]:
        codec = self.codecs[name]
        return [codec.from_item(codec.to_items(instance)[0]) for instance in instances]

    def load(self, *names: str) -> None:
        client = self.observed.client
        for name in names or DATA:
            place = ENGINE.object_of(self.target, self.bindings[name])
            database, _, collection = place.partition(".")
            client[database][collection].delete_many({})
            self.driver.load(place, [self.codecs[name].to_items(entry)[0] for entry in self.loaded[name]])
        self.observed.events()

    def planned(self, name: str) -> Planned[DatabaseTarget]:
        return patterned.planned(name, self.target)

    def call(self, planned: Planned[DatabaseTarget], arguments: Arguments) -> Any:
        return prepare(planned, self.codecs)(self.observed.client, arguments)

    def pages(
        self, planned: Planned[DatabaseTarget], arguments: Arguments, limit: int | None
    ) -> tuple[list[Any], list[str]]:
        """(all items, what the judge says of each page)."""
        call, cursor, items, wrong = prepare(planned, self.codecs), None, list[Any](), list[str]()
        while True:
            self.observed.events()
            page = call(self.observed.client, replace(arguments, limit=limit, cursor=cursor))
            wrong += ENGINE.verify_evidence(planned, self.observed.events(), len(page))
            items += page
            cursor = page.cursor
            if cursor is None:
                return items, wrong

    def stored(self, name: str, instance: Any) -> Any:
        codec = self.codecs[name]
        result = self.driver.stored(ENGINE.object_of(self.target, self.bindings[name]), codec.to_items(instance)[0])
        return None if result is None else codec.from_item(result)


@pytest.fixture(scope="module")
def store(start: Callable[..., Running]) -> Iterator[Store]:
    url = start("mongodb").url
    driver = driver_of.connect(url)
    target = patterned.target(PREFIX)
    driver.drop([target.name])
    run(ENGINE.create(target), driver)
    created = Store(driver)
    created.load()
    with MongoClient[dict[str, Any]](url) as admin:
        admin.admin.command({"setParameter": 1, "notablescan": True})
        yield created
        admin.admin.command({"setParameter": 1, "notablescan": False})
    driver.drop([target.name])
    driver.close()


DAY, MINUTES = timedelta(days=1), timedelta(minutes=1)
RANGE = {"moment": (AT + 5 * DAY, AT + 40 * DAY)}

READS: list[tuple[str, dict[str, Any]]] = [
    ("by_ids", {"thing_id": [3, 3, 99, 5000, 12]}),
    ("by_ids_sorted", {"thing_id": list(range(40))}),
    ("by_ids_in_order", {"thing_id": list(range(0, 80, 2))}),
    ("id_range", {"thing_id": (20, 77)}),
    ("id_range", {"thing_id": (None, 12)}),
    ("id_range", {"thing_id": (390, None)}),
    ("id_range", {"thing_id": (None, None)}),
    ("by_serials_sorted", {"serial": ["s1", "s9", "s33", "s34", "x"]}),
    ("of_group", {"group": "g1"}),
    ("of_group", {"group": "none"}),
    ("of_group_oldest", {"group": "g1"}),
    ("of_group_range", {"group": "g2", **RANGE}),
    ("of_groups", {"group": ["g1", "g2", "g4"]}),
    ("of_groups", {"group": []}),
    ("of_group_unsorted", {"group": "g3"}),
    ("of_group_number", {"group": "g3", "number": 7}),
    ("of_group_two_orders", {"group": "g3"}),
    ("of_group_two_back", {"group": "g3"}),
    ("of_group_flagged", {"group": "g3", "flag": True}),
    ("of_group_not", {"group": "g3"}),
    ("of_group_present", {"group": "g3"}),
    ("tagged_with", {"tags": "c"}),
    ("tagged_in_order", {"tags": "c"}),
    ("tagged_all", {"tags": ["a", "d"]}),
    ("tagged_exactly", {"tags": ["d", "a"]}),
    ("tagged_exactly", {"tags": []}),
    ("scored", {"scores": (3, 5)}),
    ("with_sku", {"rows.sku": "k2"}),
    ("with_part", {"part.name": "p3"}),
    ("with_part_prefix", {"part.name": "p1"}),
    ("with_word", {"word": "w4"}),
    ("with_words", {"word": ["w4", "w5", "nothing"]}),
    ("any_word", {}),
    ("flagged", {}),
    ("flagged_range", {"number": (20, 60)}),
    ("large", {"amount": (Decimal("1.5"), Decimal("7.25"))}),
    ("titled", {"title": "Title 7"}),
    ("titled_of_group", {"title": "Title 7", "hashed": "h7"}),
    ("in_month", {"month": "2026-12"}),
    ("in_months", RANGE),
    ("with_hash", {"hashed": "h3"}),
    ("open_name", {"open.name": "p3"}),
    ("open_since", {"open.since": AT}),
    ("everything_in_order", {}),
    ("session_things", {"group": "g1"}),
    ("chunks_of", {"owner": "a"}),
    ("chunks_in_order", {"owner": "a"}),
    ("chunks_range", {"owner": "a#b", "number": (3, 7)}),
    ("chunks_range", {"owner": "b", "number": (None, 4)}),
    ("chunks_of_number", {"owner": "b", "number": 4, "moment": (AT + MINUTES * 10, AT + MINUTES * 28)}),
    ("sampled", {"source": "s1", "at": (AT + DAY, AT + 3 * DAY)}),
    ("sampled", {"source": "s1", "at": (None, AT + DAY)}),
    ("sampled_ever", {"source": "s2"}),
    ("sampled_rising", {"source": "s1", "at": (AT + DAY, AT + 3 * DAY)}),
    ("sampled_all", {"at": (AT + DAY, AT + 2 * DAY)}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "values"), READS, ids=[f"{at}-{name}" for at, (name, _) in enumerate(READS)])
def test_a_read_answers_what_python_does_over_all_its_pages(store: Store, name: str, values: dict[str, Any]) -> None:
    planned = store.planned(name)
    arguments, query, read = Arguments(values), request(planned.pattern), reading(planned.binding)
    expected = matching(store.loaded[planned.binding.name], query, arguments, read)
    for limit in (7, planned.pattern.limit, None):
        if limit == 7 and len(expected) > 250:
            continue
        items, wrong = store.pages(planned, arguments, limit)
        assert surplus(items, expected) == ([], [])
        assert misplaced(items, query.order, read) is None
        assert wrong == []


GETS: list[tuple[str, dict[str, Any]]] = [
    ("by_id", {"thing_id": 17}),
    ("by_id", {"thing_id": -1}),
    ("by_serial", {"serial": "s40"}),
    ("strong_thing", {"thing_id": 17}),
    ("chunk", {"owner": "a#b", "number": 3, "moment": AT + timedelta(minutes=15)}),
]


@pytest.mark.parametrize(("name", "values"), GETS)
def test_a_get_answers_the_item_or_none(store: Store, name: str, values: dict[str, Any]) -> None:
    planned = store.planned(name)
    query = request(planned.pattern, ENGINE.key_fields(store.target, planned.binding))
    expected = matching(store.loaded[planned.binding.name], query, Arguments(values), reading(planned.binding))
    store.observed.events()
    result = store.call(planned, Arguments(values))
    assert result == (expected[0] if expected else None)
    assert list(ENGINE.verify_evidence(planned, store.observed.events(), len(expected))) == []


COUNTS = [("count_of_group", {"group": "g1", **RANGE}), ("count_flagged", {"number": (10, 30)})]


@pytest.mark.parametrize(("name", "values"), COUNTS)
def test_a_count_is_that_of_python(store: Store, name: str, values: dict[str, Any]) -> None:
    planned = store.planned(name)
    expected = matching(store.loaded["Thing"], request(planned.pattern), Arguments(values), reading(planned.binding))
    store.observed.events()
    assert store.call(planned, Arguments(values)) == len(expected) > 0
    assert list(ENGINE.verify_evidence(planned, store.observed.events(), len(expected))) == []


@pytest.mark.parametrize(("name", "values"), [("by_day", {"group": "g1", **RANGE}), ("by_week", {"group": "g1"})])
def test_an_aggregate_is_that_of_python(store: Store, name: str, values: dict[str, Any]) -> None:
    planned = store.planned(name)
    query, read = request(planned.pattern), reading(planned.binding)
    expected = aggregated(matching(store.loaded["Thing"], query, Arguments(values), read), query, planned.binding, read)
    store.observed.events()
    result = store.call(planned, Arguments(values))

    def key(row: dict[str, Any]) -> list[Any]:
        return [row[text] for text in planned.pattern.group]

    pairs = list(zip(sorted(result, key=key), sorted(expected, key=key), strict=True))
    assert len(pairs) > 3
    assert all(
        entry.keys() == other.keys() and all(is_close(entry[n], other[n]) for n in entry) for entry, other in pairs
    )
    assert list(ENGINE.verify_evidence(planned, store.observed.events(), len(result))) == []


def test_a_read_of_some_fields_gives_instances_that_have_no_others(store: Store) -> None:
    items = store.call(store.planned("parts_of_group"), Arguments({"group": "g1"}, limit=10)).items
    by_time = sorted((entry for entry in store.loaded["Thing"] if entry.group == "g1"), key=lambda entry: entry.moment)
    assert sorted(str(item.part) for item in items) == sorted(str(entry.part) for entry in by_time[-10:])
    assert {*map(type, (items[0].part, items[0].colour))} == {Part, Colour}
    assert items[0].model_fields_set == {"part", "colour", "tags"}
    assert not hasattr(items[0], "group")


def test_a_covered_get_reads_no_document(store: Store) -> None:
    planned, some = store.planned("numbers_of_group"), store.loaded["Thing"][5]
    store.observed.events()
    result = store.call(planned, Arguments({"group": some.group, "number": some.number, "moment": some.moment}))
    (event,) = store.observed.events()
    assert (result.group, result.number) == (some.group, some.number)
    assert (event["keys"], event["documents"]) == (1, 0)


def test_a_join_gives_each_item_with_what_was_found_for_it(store: Store) -> None:
    store.load("Note")
    planned, arguments = store.planned("noted"), Arguments({"author": "u1"})
    items, wrong = store.pages(planned, arguments, 3)
    notes = [entry for entry in store.loaded["Note"] if entry.author == "u1"]
    assert surplus([note for note, _ in items], notes) == ([], [])
    assert wrong == []
    assert {(writer.born.year, writer.mood) for _, result in items for writer in result["Writer"]} == {
        (1981, Colour.BLUE)
    }
    assert store.call(planned, Arguments({"author": "u2"}, limit=1)).items[0][1] == {"Writer": ()}


def test_words_are_found_by_relevance_over_all_pages(store: Store) -> None:
    planned = store.planned("found")
    items, wrong = store.pages(planned, Arguments({"search": "word7 head3"}), 5)
    expected = [entry for entry in store.loaded["Thing"] if "word7 " in entry.body or entry.headline == "head3"]
    assert surplus(items, expected) == ([], [])
    assert wrong == []
    both = [entry for entry in expected if "word7 " in entry.body and entry.headline == "head3"]
    assert surplus(items[: len(both)], both) == ([], [])


def test_the_nearest_come_first_over_all_pages(store: Store) -> None:
    planned = store.planned("nearby")
    items, wrong = store.pages(planned, Arguments({"place": (10.0, 10.0, 2_000_000)}), 4)
    assert wrong == []
    distances = [_metres(item.place.coordinates, (10.0, 10.0)) for item in items]
    assert distances == pytest.approx(sorted(distances))
    inside = [entry for entry in store.loaded["Thing"] if _metres(entry.place.coordinates, (10.0, 10.0)) <= 2_000_000]
    assert surplus(items, inside) == ([], [])
    assert 10 < len(inside) < 100


def _metres(one: Any, other: Any) -> float:
    from math import asin, cos, radians, sin, sqrt

    (a, b), (c, d) = [tuple(map(radians, pair)) for pair in (one, other)]
    return 2 * 6_378_100 * asin(sqrt(sin((d - b) / 2) ** 2 + cos(b) * cos(d) * sin((c - a) / 2) ** 2))


def test_a_cursor_of_another_pattern_and_a_broken_one_are_refused(store: Store) -> None:
    of_group, arguments = store.planned("of_group"), Arguments({"group": "g1"}, limit=3)
    cursor = store.call(of_group, arguments).cursor
    for wrong in (cursor[:-4], "x", cursor[:10] + "AAAA" + cursor[14:]):
        with pytest.raises(UsageError, match="cursor"):
            store.call(of_group, replace(arguments, cursor=wrong))
    with pytest.raises(UsageError, match="cursor"):
        store.call(store.planned("of_group_oldest"), replace(arguments, cursor=cursor))


def test_null_is_refused_where_the_index_does_not_hold_it(store: Store) -> None:
    for name, values in (
        ("with_word", {"word": None}),
        ("with_words", {"word": ["a", None]}),
        ("open_since", {"open.since": None}),
    ):
        with pytest.raises(UsageError, match="None"):
            store.call(store.planned(name), Arguments(values, limit=5))


def test_more_values_than_the_server_merges_are_refused(store: Store) -> None:
    with pytest.raises(UsageError, match="201 values"):
        store.call(store.planned("of_groups"), Arguments({"group": [f"g{at}" for at in range(201)]}, limit=5))
    assert (
        len(store.call(store.planned("of_groups"), Arguments({"group": [f"g{at}" for at in range(200)]}, limit=5))) == 5
    )
    assert list(ENGINE.verify_evidence(store.planned("of_groups"), store.observed.events()[-1:], 5)) == []


def thing(store: Store, at: int = 0, **changes: Any) -> Thing:
    return store.loaded["Thing"][at].model_copy(update=changes)


def test_a_put_writes_and_replaces(store: Store) -> None:
    store.load("Thing")
    planned, new = store.planned("put_thing"), thing(store, 0, thing_id=9000, serial="new")
    store.observed.events()
    store.call(planned, Arguments({}, items=(new,)))
    assert store.stored("Thing", new) == new
    changed = new.model_copy(update={"number": 77, "colour": Colour.BLUE, "word": "other"})
    more = thing(store, 1, number=5), thing(store, 2, number=6)
    store.call(planned, Arguments({}, items=(changed, *more)))
    assert [store.stored("Thing", entry) for entry in (changed, *more)] == [changed, *more]
    assert list(ENGINE.verify_evidence(planned, store.observed.events(), 0)) == []


def test_a_put_if_absent_fails_when_the_key_is_taken_and_leaves_nothing(store: Store) -> None:
    store.load("Thing")
    planned = store.planned("put_once")
    fresh, taken = thing(store, 0, thing_id=9001, serial="f"), thing(store, 3, number=1)
    with pytest.raises(ConditionFailed, match='same "_id"'):
        store.call(planned, Arguments({}, items=(taken,)))
    with pytest.raises(ConditionFailed):
        store.call(planned, Arguments({}, items=(fresh, taken)))
    assert (store.stored("Thing", fresh), store.stored("Thing", taken)) == (None, store.loaded["Thing"][3])
    store.call(planned, Arguments({}, items=(fresh,)))
    assert store.stored("Thing", fresh) == fresh
    with pytest.raises(ConditionFailed, match='same "serial"'):  # unique, though no part of the key
        store.call(planned, Arguments({}, items=(thing(store, 0, thing_id=9002, serial="f"),)))


def test_a_put_moves_a_document_to_another_shard_key(store: Store) -> None:
    store.load("Chunk")
    some: Chunk = store.loaded["Chunk"][0]
    store.call(store.planned("put_chunk"), Arguments({}, items=(some.model_copy(update={"text": "new"}),)))
    assert store.stored("Chunk", some).text == "new"


def test_notes_and_samples_are_inserted(store: Store) -> None:
    store.load("Note")
    note = Note(author="z", text="t")
    store.call(store.planned("put_note"), Arguments({}, items=(note, note)))
    store.call(store.planned("put_note"), Arguments({}, items=(note,)))
    assert store.stored("Note", note) == note
    sample = patterned.Sample(source="new", at=AT, value=1.5)
    store.call(store.planned("put_sample"), Arguments({}, items=(sample,)))
    assert store.stored("Sample", sample) == sample


def test_an_update_changes_one_document_where_its_guard_holds(store: Store) -> None:
    store.load("Thing")
    planned = store.planned("set_number")
    old = store.loaded["Thing"][4]
    store.observed.events()
    store.call(planned, Arguments({"thing_id": 4, "number": 3, "word": None, "nick": None}))
    assert list(ENGINE.verify_evidence(planned, store.observed.events(), 0)) == []
    assert store.stored("Thing", old) == old.model_copy(update={"number": 3, "word": None, "nick": None})
    with pytest.raises(ConditionFailed, match='no "Thing"'):
        store.call(planned, Arguments({"thing_id": 5, "number": 3, "word": "w", "nick": None}))  # its flag is false
    with pytest.raises(ConditionFailed):
        store.call(planned, Arguments({"thing_id": 8888, "number": 3, "word": "w", "nick": None}))
    assert store.stored("Thing", thing(store, 0, thing_id=8888)) is None


def test_an_update_makes_computed_attributes_anew(store: Store) -> None:
    store.load("Thing")
    old, later = store.loaded["Thing"][6], AT + timedelta(days=100)
    store.call(store.planned("set_moment"), Arguments({"thing_id": 6, "moment": later}))
    store.call(store.planned("set_colours"), Arguments({"thing_id": 6, "colour": Colour.BLUE, "group": "new"}))
    model_copy = old.model_copy(update={"moment": later, "colour": Colour.BLUE, "group": "new"})
    codec = store.codecs["Thing"]
    stored = store.driver.stored(f"{store.target.name}.things", codec.to_items(model_copy)[0])
    assert stored == codec.to_items(model_copy)[0]
    assert (stored["month"], stored["tagged"]) == ("2027-02", "blue-new")


def test_an_update_by_a_unique_index_sets_models_and_unsets(store: Store) -> None:
    store.load("Thing")
    old, part = store.loaded["Thing"][7], Part(name="new", amount=Decimal("1.25"))
    store.call(store.planned("set_by_serial"), Arguments({"serial": "s7", "part": part}))
    assert store.stored("Thing", old) == old.model_copy(update={"part": part, "nick": None})
    store.call(store.planned("unset_word"), Arguments({"thing_id": 7}))
    assert store.stored("Thing", old).word is None


def test_a_push_respects_the_bound(store: Store) -> None:
    store.load("Thing")
    old = store.loaded["Thing"][8]
    free = 3 - len(old.scores)
    for value in range(free):
        store.call(store.planned("push_score"), Arguments({"thing_id": 8, "scores": value}))
    with pytest.raises(ConditionFailed, match="fewer than 3 elements"):
        store.call(store.planned("push_score"), Arguments({"thing_id": 8, "scores": 9}))
    row = Row(sku="new", quantity=1, cost=Decimal("0.5"))
    store.call(store.planned("push_row"), Arguments({"thing_id": 8, "rows": row}))
    store.call(store.planned("push_tag"), Arguments({"thing_id": 8, "tags": "new"}))
    expected = {"scores": [*old.scores, *range(free)], "rows": [*old.rows, row], "tags": [*old.tags, "new"]}
    assert store.stored("Thing", old) == old.model_copy(update=expected)


def test_an_increment_answers_the_new_number(store: Store) -> None:
    store.load("Thing")
    old = store.loaded["Thing"][8]
    assert store.call(store.planned("add_number"), Arguments({"thing_id": 8}, by=2)) == old.number + 2
    assert store.call(
        store.planned("add_amount"), Arguments({"thing_id": 8}, by=Decimal("0.5"))
    ) == old.amount + Decimal("0.5")
    with pytest.raises(ConditionFailed):
        store.call(store.planned("add_amount"), Arguments({"thing_id": 9}, by=1))
    with pytest.raises(ConditionFailed):
        store.call(store.planned("add_number"), Arguments({"thing_id": 7777}, by=1))


def test_a_delete_is_idempotent_unless_it_is_guarded(store: Store) -> None:
    store.load("Thing", "Note")
    gone, kept = store.loaded["Thing"][4], store.loaded["Thing"][5]
    store.call(store.planned("drop_thing"), Arguments({"thing_id": 4}))
    store.call(store.planned("drop_thing"), Arguments({"thing_id": 4}))
    assert store.stored("Thing", gone) is None
    with pytest.raises(ConditionFailed):
        store.call(store.planned("drop_flagged"), Arguments({"thing_id": 5}))
    assert store.stored("Thing", kept) == kept
    store.observed.events()
    store.call(store.planned("drop_notes"), Arguments({"author": "u1"}))
    assert list(ENGINE.verify_evidence(store.planned("drop_notes"), store.observed.events(), 0)) == []
    assert [store.stored("Note", entry) for entry in store.loaded["Note"][:2]] == [store.loaded["Note"][0], None]


def test_a_source_of_a_time_series_is_removed_whole(store: Store) -> None:
    store.call(store.planned("drop_samples"), Arguments({"source": "s3"}))
    page = store.call(store.planned("sampled_ever"), Arguments({"source": "s3"}, limit=5))
    assert (page.items, page.cursor) == ((), None)
    store.driver.load(f"{store.target.name}.samples", [
        store.codecs["Sample"].to_items(entry)[0] for entry in store.loaded["Sample"] if entry.source == "s3"
    ])  # fmt: skip


def test_a_bucket_is_filled_by_its_hour(store: Store) -> None:
    store.load("Bucket")
    planned, old = store.planned("fill_bucket"), store.loaded["Bucket"][2]
    within = old.start + timedelta(minutes=40)
    for at in range(3):
        store.call(planned, Arguments({"owner": "x", "start": within, "values": at, "count": at}))
    with pytest.raises(ConditionFailed):
        store.call(planned, Arguments({"owner": "x", "start": within, "values": 3, "count": 3}))
    assert store.stored("Bucket", old) == old.model_copy(update={"values": [0, 1, 2], "count": 2})


def test_a_transaction_does_everything_or_nothing(store: Store) -> None:
    store.load("Thing", "Bucket")
    planned, bucket = store.planned("both"), store.loaded["Bucket"][0]
    fresh, key = thing(store, 0, thing_id=9100, serial="tx"), {"owner": "x", "start": bucket.start}
    parts = (Arguments({}, items=(fresh,)),), (Arguments(key, by=4), Arguments(key, by=1))
    store.observed.events()
    store.call(planned, Arguments({}, parts=parts))
    assert list(ENGINE.verify_evidence(planned, store.observed.events(), 0)) == []
    assert (store.stored("Thing", fresh), store.stored("Bucket", bucket).count) == (fresh, 5)
    other = fresh.model_copy(update={"thing_id": 9101, "serial": "tx2"})
    with pytest.raises(ConditionFailed):  # the bucket is full
        store.call(planned, Arguments({}, parts=((Arguments({}, items=(other,)),), (Arguments(key, by=1),))))
    with pytest.raises(ConditionFailed):  # the key is taken
        store.call(planned, Arguments({}, parts=((Arguments({}, items=(fresh,)),), (Arguments(key, by=-1),))))
    assert (store.stored("Thing", other), store.stored("Bucket", bucket).count) == (None, 5)


def mutant(planned: Planned[DatabaseTarget], **changes: Any) -> Planned[DatabaseTarget]:
    path = planned.path
    assert isinstance(path, AccessPath)
    assert isinstance(path.call, Find)
    call = replace(path.call, **changes)
    return replace(planned, path=replace(path, call=call))


def disagreements(
    store: Store, planned: Planned[DatabaseTarget], as_: Planned[DatabaseTarget], values: Any
) -> list[str]:
    """What comparison and judge say of the answer of one plan, as if it were another's."""
    arguments, query, read = Arguments(values), request(as_.pattern), reading(as_.binding)
    items, wrong = store.pages(planned, arguments, 25)
    expected = matching(store.loaded["Thing"], query, arguments, read)
    wrong += [] if surplus(items, expected) == ([], []) else ["other items"]
    return [*wrong, *["wrong order"] * (misplaced(items, query.order, read) is not None)]


def test_mutants_are_found(store: Store) -> None:
    store.load("Thing")
    planned, values = store.planned("of_groups"), {"group": ["g1", "g2"]}
    assert disagreements(store, planned, planned, values) == []
    path: Any = planned.path
    (sort,), selection = path.call.sort, path.call.selection
    backward = mutant(planned, sort=(replace(sort, direction=1),))
    assert any("wrong order" in disagreement for disagreement in disagreements(store, backward, planned, values))
    dropped = mutant(planned, selection=replace(selection, conditions=()))
    assert "other items" in disagreements(store, dropped, planned, values)
    other = mutant(planned, selection=replace(selection, hint="group_1_number_1_moment_1"))
    said = disagreements(store, other, planned, values)
    assert any('stage "SORT" sorted in memory' in entry for entry in said)
    assert any("instead of index" in entry for entry in said)
    unhinted = mutant(store.planned("tagged_with"), selection=replace(selection, conditions=()), sort=())
    assert "other items" in disagreements(store, unhinted, store.planned("tagged_with"), {"group": ["g1"], "tags": "a"})


def test_a_skipped_bucket_is_found(store: Store) -> None:
    store.load("Thing")
    planned = store.planned("in_months")
    short: Any = replace(planned, pattern=replace(planned.pattern, order=()))
    items, _ = store.pages(short, Arguments({"moment": (AT + 5 * DAY, AT + 20 * DAY)}), 25)
    expected = matching(store.loaded["Thing"], request(planned.pattern), Arguments(RANGE), reading(planned.binding))
    assert surplus(items, expected) != ([], [])


def test_writes_between_pages_do_not_move_what_is_left(store: Store) -> None:
    """What is written between two pages neither repeats nor hides what was there before."""
    store.load("Thing")
    planned, arguments = store.planned("tagged_with"), Arguments({"tags": "c"}, limit=10)
    first = store.call(planned, arguments)
    store.call(store.planned("drop_thing"), Arguments({"thing_id": first.items[2].thing_id}))
    for at in range(5):
        new = thing(store, 0, thing_id=9500 + at, serial=f"n{at}", tags=["c"])
        store.call(store.planned("put_thing"), Arguments({}, items=(new,)))
    items, cursor = list(first.items), first.cursor
    while cursor is not None:
        page = store.call(planned, replace(arguments, cursor=cursor))
        items, cursor = [*items, *page.items], page.cursor
    expected = [entry for entry in store.loaded["Thing"] if "c" in entry.tags]
    assert surplus([item for item in items if item.thing_id < 9500], expected) == ([], [])
