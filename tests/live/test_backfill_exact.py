"""Guarded writes of MongoDB: each is made if the document is exactly as it was read, in whatever company it is sent."""

import itertools
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import bson
import pytest
from bson import Binary, Code, Decimal128, Int64, MaxKey, MinKey, ObjectId, Regex, Timestamp
from bson.raw_bson import RawBSONDocument
from tests.live.backfill_worlds import WORLDS, World
from tests.migrations.memory import MemoryLedger

from keywright.drivers.mongodb import driver as mongodb
from keywright.drivers.mongodb import page_writes as mongodb_page_writes
from keywright.drivers.mongodb import pages as mongodb_pages
from keywright.drivers.mongodb.values import CODEC
from keywright.engines.contract.pages import CONTENDED, WRITTEN, ItemChange, Pages, StoredItem
from keywright.ir.apply_transform import REMOVED
from keywright.ir.transform import parse
from keywright.local import Running
from keywright.migrations.backfill import backfill
from keywright.migrations.backfill.backfill import BackfillSettings
from keywright.migrations.backfill.segments import Counts
from keywright.record import replace

pytestmark = pytest.mark.live

Start = Callable[..., Running]

MISSING = object()
UNDEFINED, SYMBOL = object(), object()
"""Values of former times, for which pymongo has no class."""

VALUES: tuple[Any, ...] = (
    MISSING, None, "a", "", "1", "$a", "A", 1, 0, -1, Int64(1), 1.0, float("nan"), Decimal128("1"), Decimal128("1.0"),
    True, False, datetime(2026, 1, 1, tzinfo=UTC), ObjectId("6560f1a2b3c4d5e6f7a8b9c0"), UUID(int=1), b"a",
    Binary(b"a", 5), Regex("a"), Timestamp(1, 1), MinKey(), MaxKey(), [], ["a"], [["a"]], ["a", "b"],
    [None], [1], {}, {"x": "a"}, {"x": None}, {"0": "a"}, [{"x": "a"}],
)  # fmt: skip

COPY = parse({"copy": {"new": "old"}})


@pytest.fixture
def world(start: Start) -> Iterator[World]:
    with WORLDS["mongodb"](start("mongodb")) as world:
        yield world


@pytest.fixture
def things(world: World, start: Start) -> Iterator[Any]:
    database, _, name = world.place["object"].partition(".")
    with mongodb.client(start("mongodb").url) as client:
        yield client[database].get_collection(name, codec_options=CODEC)


@pytest.fixture(params=["together", "one by one"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    if request.param == "one by one":
        monkeypatch.setattr(mongodb_page_writes, "together", lambda writes, paths: ([], range(len(writes))))
    return str(request.param)


def a_ledger() -> MemoryLedger:
    return MemoryLedger(is_prepared=True)


def encoded(id: Any, name: str, value: Any) -> Any:
    """A document with one value, which may be of former times."""
    if value is UNDEFINED or value is SYMBOL:
        kind, output = (b"\x06", b"") if value is UNDEFINED else (b"\x0e", b"\x02\0\0\0a\0")
        rest = kind + name.encode() + b"\0" + output + b"\0"
        begun = bson.encode({"_id": id})[4:-1]
        return RawBSONDocument(int.to_bytes(4 + len(begun) + len(rest), 4, "little") + begun + rest)
    return {"_id": id} if value is MISSING else {"_id": id, name: value}


def all_items(pages: Pages) -> tuple[StoredItem, ...]:
    (segment,) = pages.split(1)
    items, cursor = pages.page(segment, None, 5000)
    assert cursor is None
    return items


def same(one: Any, other: Any) -> bool:
    """Whether two values have the same bytes."""
    if {id(one), id(other)} & {id(MISSING), id(UNDEFINED), id(SYMBOL)}:
        return one is other
    first, second = (bson.encode({"v": value}, codec_options=CODEC) for value in (one, other))
    return first == second


@pytest.mark.parametrize("version", [None, 2])
def test_a_write_is_made_only_if_what_was_read_is_exactly_there(
    world: World, things: Any, way: str, version: int | None
) -> None:
    pairs = list(itertools.product(VALUES, (*VALUES, Code("a"), UNDEFINED, SYMBOL)))
    pages = world.driver.pages(world.work(COPY, version=version))
    things.insert_many([encoded(at, "old", before) for at, (before, _) in enumerate(pairs)])
    items = all_items(pages)
    things.delete_many({})
    things.insert_many([encoded(at, "old", now) for at, (_, now) in enumerate(pairs)])
    before = {entry["_id"]: entry for entry in things.find(batch_size=100)}
    outcomes = pages.write([ItemChange(item, {"new": 7}) for item in items])
    sames = [same(*pair) for pair in pairs]
    written = {"new": 7} if version is None else {"new": 7, "_kw_v": 2}
    loose = {at for at, pair in enumerate(pairs) if way == "one by one" and is_loose(*pair)}
    result = {entry["_id"]: entry for entry in things.find(batch_size=100)}
    for at, pair in enumerate(pairs):
        if at not in loose:
            assert told(result[at]) == told({**before[at], **written} if sames[at] else before[at]), pair
            assert outcomes[at] == (WRITTEN if sames[at] else CONTENDED), pair


def told(document: dict[str, Any]) -> dict[str, str]:
    """A document as text, in which numbers of different types differ."""
    return {name: f"{type(value)} {value!r}" for name, value in document.items()}


def is_loose(before: Any, now: Any) -> bool:
    """What plain equality does not tell apart, of types that nobody has written for years."""
    return (before, now) == ("a", SYMBOL)


@pytest.mark.parametrize("now", [1, 1.0, Int64(1), [1], "1", None, 2, MISSING])
def test_a_version_is_compared_with_its_type(world: World, things: Any, now: Any) -> None:
    things.insert_one({"_id": 1, "_kw_v": 1})
    pages = world.driver.pages(world.work(COPY, version=2))
    (item,) = all_items(pages)
    things.replace_one({"_id": 1}, encoded(1, "_kw_v", now))
    assert pages.write([ItemChange(item, {"new": 7})]) == ((WRITTEN if same(now, 1) else CONTENDED),)


def test_what_cannot_be_said_together_is_written_beside_it(world: World, things: Any) -> None:
    at: Sequence[Any] = [{"x": 1}, "plain", Decimal128("1.50"), [1, 2], None, "plain"]
    things.insert_many([{"_id": place, "old": value, "inner": {"x": 1}} for place, value in enumerate(at)])
    work = replace(world.work(COPY, version=2), writes=("new", "old", "inner.x"))
    pages = world.driver.pages(work)
    items = all_items(pages)
    things.update_many({"_id": {"$in": [2, 5]}}, {"$set": {"old": "other"}})
    things.delete_one({"_id": 3})
    values: list[dict[str, Any]] = [{"new": place} for place in range(6)]
    values[1] |= {"old": REMOVED}
    values[4] = {"inner.x": 2}
    outcomes = pages.write([ItemChange(item, value) for item, value in zip(items, values, strict=True)])
    assert outcomes == (WRITTEN, WRITTEN, CONTENDED, CONTENDED, WRITTEN, CONTENDED)
    assert list(things.find(sort={"_id": 1})) == [
        {"_id": 0, "old": {"x": 1}, "inner": {"x": 1}, "new": 0, "_kw_v": 2},
        {"_id": 1, "inner": {"x": 1}, "new": 1, "_kw_v": 2},
        {"_id": 2, "old": "other", "inner": {"x": 1}},
        {"_id": 4, "old": None, "inner": {"x": 2}, "_kw_v": 2},
        {"_id": 5, "old": "other", "inner": {"x": 1}},
    ]


def test_a_document_that_the_collection_refuses_keeps_no_other_back(world: World, things: Any) -> None:
    things.insert_many([{"_id": at, "old": at} for at in range(20)])
    things.database.command("collMod", things.name, validator={"new": {"$ne": 13}})
    pages = replace(world.driver.pages(world.work(COPY, version=2)), server_side=None)
    report = backfill.run(a_ledger().ledger, "0001/20", pages, world.work(COPY, version=2))
    assert report.counts == Counts(read=20, written=19, rejected=1)
    assert {entry["_id"] for entry in things.find({"_kw_v": 2})} == {*range(20)} - {13}


def test_a_page_is_one_answer_of_the_server(world: World, things: Any) -> None:
    """Documents of a megabyte; what they read and write is more than one statement holds."""
    text = "x" * 1_000_000
    for at in range(20):
        things.insert_one({"_id": at, "old": f"{at}{text}"})
    work = world.work(COPY, version=2)
    pages = replace(world.driver.pages(work), server_side=None)
    (segment,) = pages.split(1)
    items, cursor = pages.page(segment, None, 2000)
    assert 10 <= len(items) < 17
    assert cursor is not None
    rest, cursor = pages.page(segment, cursor, 2000)
    assert [item.values["_id"] for item in items + rest] == [*range(20)]
    assert cursor is None
    report = backfill.run(a_ledger().ledger, "0001/20", pages, work)
    assert report.counts == Counts(read=20, written=20)
    assert all(entry["new"] == entry["old"] for entry in things.find(batch_size=5))


def test_of_what_the_server_leaves_only_so_much_is_held(
    world: World, things: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mongodb_pages, "LEFT", 3)
    things.insert_many([{"_id": at, "old": "7" if at % 2 else 7.0} for at in range(40)])
    work = world.work(parse({"cast": {"old": "int"}}), version=2)
    pages = world.driver.pages(work)
    assert pages.server_side
    sizes: list[int] = []

    def ahead(*where: Any) -> Any:
        assert pages.server_side
        server_side = pages.server_side(*where)
        sizes.append(len(server_side.left))
        return server_side

    one_by_one = replace(pages, server_side=ahead)
    report = backfill.run(
        a_ledger().ledger, "0001/20", one_by_one, work, settings=BackfillSettings(workers=1, ahead=30)
    )
    assert (report.counts.read, report.counts.written + report.counts.already_new) == (40, 40)
    assert max(sizes) == 3
    assert sum(sizes) == 20
    assert things.count_documents({"old": 7, "_kw_v": 2}) == 40
