"""Declarations as collections and indexes."""

from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Annotated, Any, Literal

import pytest
from tests.engines.mongodb.designs import SIX, collection_of, database_of, design_of, shop, stored_in
from tests.engines.mongodb.patterned import verdict

import keywright as kw
from keywright.access.search import plan
from keywright.engines.mongodb.engine import ENGINE
from keywright.engines.mongodb.schema.codec import describe_collection
from keywright.engines.mongodb.schema.target import IndexTarget, SeriesOptions, shard_key
from keywright.errors import DeclarationError

FIELDS: dict[str, Any] = {
    "key": str,
    "word": str,
    "body": str,
    "price": Decimal,
    "day": date,
    "at": datetime,
    "rate": float,
    "state": Literal["new", "old"],
    "place": dict[str, Any],
}


def index_of(index: Any, **options: Any) -> IndexTarget:
    (target,) = collection_of(
        stored_in(kw.Collection(shop, "things", id="{key}", indexes=[index], **options), FIELDS)
    ).indexes
    return target


INDEXES = [
    (kw.Index(["word", "-at"]), IndexTarget("word_1_at_-1", (("word", 1), ("at", -1)))),
    (kw.Index(["key", "word"]), IndexTarget("_id_1_word_1", (("_id", 1), ("word", 1)))),
    (kw.Index("word", unique=True, hidden=True, name="mine"),
     IndexTarget("mine", (("word", 1),), is_unique=True, is_hidden=True)),
    (kw.Index("word", collation=kw.Collation(locale="en", strength=2)),
     IndexTarget("word_1", (("word", 1),), collation={"locale": "en", "strength": 2})),
    (kw.Index("word", collation=kw.Collation(locale="simple")), IndexTarget("word_1", (("word", 1),))),
    (kw.TextIndex(["word", "body"], weights={"word": 5}, language="german"),
     IndexTarget("word_text_body_text", (("body", "text"), ("word", "text")),
                 weights=(("body", 1), ("word", 5)), language="german")),
    (kw.GeoIndex("place"), IndexTarget("place_2dsphere", (("place", "2dsphere"),))),
    (kw.HashedIndex("key"), IndexTarget("_id_hashed", (("_id", "hashed"),))),
    (kw.WildcardIndex("place", before="word"), IndexTarget("word_1_place.$**_1", (("word", 1), ("place.$**", 1)))),
    (kw.WildcardIndex("*"), IndexTarget("$**_1", (("$**", 1),))),
]  # fmt: skip


@pytest.mark.parametrize(("index", "target"), INDEXES)
def test_an_index_is_lowered(index: Any, target: IndexTarget) -> None:
    assert index_of(index) == target


FILTERS: list[tuple[Any, Any]] = [
    ({"state": "new"}, {"state": "new"}),
    ({"state": None}, {"state": None}),
    ({"key": "a"}, {"_id": "a"}),
    ({"state": kw.OneOf(["new", "old"])}, {"state": {"$in": ["new", "old"]}}),
    ({"state": kw.OneOf(["new"])}, {"state": "new"}),
    ({"word": kw.Present()}, {"word": {"$exists": True}}),
    ({"price": kw.AtLeast(5)}, {"price": {"$gte": {"$numberDecimal": "5"}}}),
    ({"price": Decimal("1.50")}, {"price": {"$numberDecimal": "1.50"}}),
    ({"rate": kw.Below(2)}, {"rate": {"$lt": 2.0}}),
    ({"day": kw.AtLeast(date(2026, 1, 2))}, {"day": {"$gte": {"$date": "2026-01-02T00:00:00Z"}}}),
    ({"at": kw.AtLeast(datetime(2026, 1, 2, 3, 4, 5, 6_000))}, {"at": {"$gte": {"$date": "2026-01-02T03:04:05.006Z"}}}),
    ({"at": kw.AtLeast(date(1969, 12, 31))}, {"at": {"$gte": {"$date": {"$numberLong": "-86400000"}}}}),
]  # fmt: skip


@pytest.mark.parametrize(("where", "filter"), FILTERS)
def test_a_condition_is_lowered(where: Any, filter: Any) -> None:
    assert index_of(kw.Index("body", where=where)).filter == filter


CHOSEN: list[tuple[Any, Any, Any]] = [
    ({"at": "string"}, {"at": datetime(2026, 1, 2)}, {"at": "2026-01-02T00:00:00.000000Z"}),
    ({"at": "long"}, {"at": datetime(1970, 1, 1, 0, 0, 1)}, {"at": 1_000_000}),
    ({"day": "string"}, {"day": date(2026, 1, 2)}, {"day": "2026-01-02"}),
    ({"price": "string"}, {"price": Decimal("1.5")}, {"price": "1.5"}),
    ({"word": "objectId"}, {"word": "64b7c0000000000000000000"}, {"word": {"$oid": "64b7c0000000000000000000"}}),
]


@pytest.mark.parametrize(("types", "where", "filter"), CHOSEN)
def test_a_constant_has_the_type_that_its_field_is_stored_in(types: Any, where: Any, filter: Any) -> None:
    assert index_of(kw.Index("body", where=where), types=types).filter == filter


def test_a_field_with_an_expiry_makes_an_index() -> None:
    thing = stored_in(kw.Collection(shop, "t"), {"at": Annotated[datetime, kw.Ttl(after=timedelta(days=90))]})
    assert collection_of(thing).indexes == (IndexTarget("at_1", (("at", 1),), expire_after_seconds=7_776_000),)


def test_indexes_are_sorted_by_name() -> None:
    thing = stored_in(kw.Collection(shop, "t", indexes=[kw.Index("b"), kw.Index("a")]), {"a": str, "b": str})
    assert [index.name for index in collection_of(thing).indexes] == ["a_1", "b_1"]


@pytest.mark.parametrize(
    ("validation", "level", "action", "is_there"),
    [
        ("strict", "strict", "error", True),
        ("moderate", "moderate", "error", True),
        ("warn", "strict", "warn", True),
        ("off", "strict", "error", False),
    ],
)
def test_validation_has_four_levels(validation: Any, level: str, action: str, is_there: bool) -> None:
    collection = collection_of(stored_in(kw.Collection(shop, "t", validation=validation), {"a": str}))
    assert (collection.level, collection.action, collection.validator is not None) == (level, action, is_there)


@pytest.mark.parametrize(
    ("images", "has_images"), [("new_and_old", True), ("new", True), ("old", True), ("keys", False)]
)
def test_a_stream_with_images_keeps_them(images: Any, has_images: bool) -> None:
    stream = kw.Stream(images=images, consumers=[])
    assert collection_of(stored_in(kw.Collection(shop, "t", stream=stream), {"a": str})).has_images is has_images


def test_settings_stand_as_the_server_reports_them() -> None:
    settings = {
        "capped": True,
        "size": 1000,
        "max": 5,
        "collation": {"locale": "en", "strength": 2, "caseLevel": False},
    }
    collection = collection_of(
        stored_in(kw.Collection(shop, "t", settings=settings, indexes=[kw.Index("a")]), {"a": str})
    )
    assert collection.others == (("capped", True), ("max", 5), ("size", 1024))
    assert collection.collation == collection.indexes[0].collation == {"locale": "en", "strength": 2}


def test_a_time_series_has_its_index_by_source_and_time() -> None:
    store = kw.TimeSeries(
        shop, "points", time="at", meta="source", granularity="hours", ttl=timedelta(hours=1), indexes=[kw.Index("v")]
    )
    collection = collection_of(stored_in(store, {"at": datetime, "source": str, "v": float}))
    assert collection.series == SeriesOptions("at", "source", "hours")
    assert (collection.validator, collection.expire_after_seconds) == (None, 3600)
    assert [index.name for index in collection.indexes] == ["source_1_at_1", "v_1"]


@pytest.mark.parametrize(
    ("default", "own", "expected"),
    [
        ("strict", None, ("strict", "error")),
        ("warn", None, ("strict", "warn")),
        ("warn", "moderate", ("moderate", "error")),
        ("off", "moderate-warn", ("moderate", "warn")),
        ("off", "strict", ("strict", "error")),
        ("strict", "off", None),
        ("off", None, None),
    ],
)
def test_a_collection_has_the_validation_of_its_database(default: Any, own: Any, expected: Any) -> None:
    store = kw.Collection(kw.MongoDatabase("shop", validation=default), "things", id="{key}", validation=own)
    collection = collection_of(stored_in(store, FIELDS))
    assert (collection.validator and (collection.level, collection.action)) == expected


def test_a_time_series_may_have_no_meta_field_or_no_index_on_it() -> None:
    fields = {"at": datetime, "source": str}
    collection = collection_of(stored_in(kw.TimeSeries(shop, "points", time="at"), fields))
    assert (collection.series, collection.indexes) == (SeriesOptions("at", None, "seconds"), ())
    assert describe_collection(collection) == {"timeseries": {"timeField": "at", "granularity": "seconds"}}
    store = kw.TimeSeries(shop, "points", time="at", meta="source", meta_index=False)
    assert collection_of(stored_in(store, fields)).indexes == ()


def test_a_time_series_without_a_meta_field_removes_nothing_by_request() -> None:
    def planned(**meta: Any) -> Any:
        model = stored_in(kw.TimeSeries(shop, "points", time="at", **meta), {"at": datetime, "source": str})
        design = design_of(model, kw.Delete(model, eq="source"))
        (declared,), (binding,), (pattern,) = ENGINE.lower(design), design.bindings, design.patterns
        return plan(ENGINE, ENGINE.place(declared, SIX), binding, pattern)

    reason = "a time series without a meta field removes no measurements: let them expire by ttl="
    assert verdict(planned()) == reason
    assert planned(meta="source").is_served


def test_a_time_series_may_expire_by_its_time() -> None:
    fields = {"at": Annotated[datetime, kw.Ttl(after=timedelta(days=1))], "source": str}
    collection = collection_of(stored_in(kw.TimeSeries(shop, "points", time="at", meta="source"), fields))
    assert collection.expire_after_seconds == 86_400


def test_a_generation_is_part_of_the_physical_name() -> None:
    store = kw.Collection(shop, "things", generation=2, rebuild=kw.Rebuild(from_generation=1))
    collection = collection_of(stored_in(store, {"a": str}))
    assert (collection.name, collection.physical_name) == ("things", "things_k2")


@pytest.mark.parametrize(
    ("hashed", "expected"),
    [(False, "word, _id"), (True, "word hashed, _id"), ("word", "word hashed, _id"), ("key", "word, _id hashed")],
)
def test_one_field_of_a_shard_key_is_hashed(hashed: Any, expected: str) -> None:
    store = kw.Collection(shop, "things", id="{key}", shard_key=kw.ShardKey(on=["word", "key"], hashed=hashed))
    database = database_of(stored_in(store, FIELDS))
    assert dict(database.shape[0].keys)["shard_key"] == expected
    directions = [("word", "hashed" if "word hashed" in expected else 1), ("_id", "hashed" if hashed == "key" else 1)]
    assert shard_key(database, database.collections[0]) == tuple(directions)


def test_a_shard_key_hashes_one_of_its_fields() -> None:
    with pytest.raises(DeclarationError) as error:
        kw.ShardKey(on=["word", "key"], hashed="other")
    assert (error.value.code, error.value.help) == ("E0503", 'hashed= names one of "word", "key"')


def test_the_shape_says_what_no_server_reports() -> None:
    store = kw.Collection(
        shop, "things", id="{key}", schema_version=3, shard_key=kw.ShardKey(on=["key", "word"], hashed=True)
    )
    (shape,) = database_of(stored_in(store, {"key": str, "word": str})).shape
    assert shape.keys == (("collection", "things"), ("id", "{key}"), ("shard_key", "_id hashed, word"))
    assert [(field.name, field.stored, field.type) for field in shape.fields] == [
        ("key", "_id", "string"),
        ("word", "word", "string"),
    ]
    assert shape.schema_version == 3
