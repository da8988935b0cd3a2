"""What an environment adds, and what its flavour or version lacks."""

from datetime import datetime
from typing import Any

import pytest
from tests.engines.mongodb.designs import SIX, database_of, shop, stored_in

import keywright as kw
from keywright.engines.mongodb.declare.settings import MongoEnvironment
from keywright.engines.mongodb.engine import ENGINE
from keywright.engines.mongodb.schema.capabilities import FEATURES, FLAVOURS

FIELDS: dict[str, Any] = {"word": str, "mapped": dict[str, str], "number": int}


def placed(environment: MongoEnvironment, *models: Any) -> Any:
    return ENGINE.place(database_of(*models), environment)


def refusals(flavour: Any, version: str | None, store: Any) -> list[tuple[str, str]]:
    environment = MongoEnvironment(flavour=flavour, version=version)
    fields = {"at": datetime, "source": str, "v": float} if isinstance(store, kw.TimeSeries) else FIELDS
    rejections = ENGINE.refuse(placed(environment, stored_in(store, fields)), environment)
    return [(rejection.code, rejection.problem) for rejection in rejections]


def things(*indexes: Any, **options: Any) -> kw.Collection:
    return kw.Collection(shop, "things", indexes=list(indexes), **options)


def test_a_database_has_the_prefix_and_remembers_its_name() -> None:
    database = placed(MongoEnvironment(flavour="mongodb", database_prefix="dev_"), stored_in(things(), FIELDS))
    assert (database.name, database.declared, ENGINE.store(database)) == ("dev_shop", "shop", "mongodb/shop")


COMPOUND = kw.WildcardIndex("mapped", before="word")
IN = kw.Index("word", where={"number": kw.OneOf([1, 2])})
POINTS = kw.TimeSeries(shop, "points", time="at", meta="source", indexes=[kw.Index("v")])

LACKS = [
    ("mongodb", "5.0", things(IN), "MDB011",
     'index "word_1" needs $in in a partial index, which MongoDB has from 6.0 on, and this is 5.0'),
    ("mongodb", "6.0", things(COMPOUND), "MDB108",
     'index "word_1_mapped.$**_1" needs wildcard indexes with fields in front of them, which MongoDB has from 7.0 on,'
     " and this is 6.0"),
    ("mongodb", "5.0", POINTS, "GEN106",
     'index "v_1" needs indexes over measured values of a time series, which MongoDB has from 6.0 on, and this is 5.0'),
    ("mongodb", "5.0", things(stream=kw.Stream(consumers=[])), "GEN106",
     'collection "things" needs images of documents in change streams, which MongoDB has from 6.0 on, and this is 5.0'),
    ("documentdb", "5.0.2", things(kw.WildcardIndex("mapped")), "GEN106",
     'index "mapped.$**_1" needs wildcard indexes, which Amazon DocumentDB does not have'),
    ("documentdb", "8.0", things(IN), "MDB011",
     'index "word_1" needs $in in a partial index, which Amazon DocumentDB does not have'),
    ("documentdb", "5.0", things(kw.Index("word", hidden=True)), "GEN106",
     'index "word_1" needs hidden indexes, which Amazon DocumentDB has from 5.0.2 on, and this is 5.0'),
    ("documentdb", "5.0", things(kw.Index("word", collation=kw.Collation(locale="en"))), "GEN106",
     'index "word_1" needs collation, which Amazon DocumentDB has from 8.0 on, and this is 5.0'),
    ("documentdb", "8.0", things(kw.HashedIndex("word")), "GEN106",
     'index "word_hashed" needs hashed indexes, which Amazon DocumentDB does not have'),
    ("documentdb", "8.0", things(settings={"capped": True, "size": 4096}), "GEN106",
     'collection "things" needs capped collections, which Amazon DocumentDB does not have'),
    ("documentdb-elastic", None, things(), "GEN106",
     'collection "things" needs $jsonSchema validators, which Amazon DocumentDB (elastic) does not have'),
    ("documentdb-elastic", None, things(kw.TextIndex("word"), validation="off"), "GEN106",
     'index "word_text" needs text indexes, which Amazon DocumentDB (elastic) does not have'),
]  # fmt: skip


@pytest.mark.parametrize(("flavour", "version", "store", "code", "problem"), LACKS)
def test_a_flavour_refuses_what_it_lacks(flavour: Any, version: str, store: Any, code: str, problem: str) -> None:
    assert refusals(flavour, version, store) == [(code, problem)]


@pytest.mark.parametrize(("flavour", "version"), [("mongodb", None), ("mongodb", "7.0"), ("atlas", "8.0")])
def test_a_newer_server_has_everything(flavour: Any, version: str | None) -> None:
    assert refusals(flavour, version, things(IN, COMPOUND, stream=kw.Stream(consumers=[]))) == []
    assert refusals(flavour, version, POINTS) == []


def test_every_feature_that_a_flavour_lacks_has_words_and_a_source() -> None:
    lacks = {name: feature for flavour in FLAVOURS.values() for name, feature in flavour.features.items()}
    assert lacks.keys() == FEATURES.keys()
    assert {lack.source.url.partition("/")[0] for lack in lacks.values()} == {"https:"}


def test_a_version_that_is_too_old_is_refused_once() -> None:
    assert refusals("mongodb", "4.4", things(IN, COMPOUND)) == [
        ("E0402", 'MongoDB "4.4" is older than "5.0", the oldest known version')
    ]


def test_names_may_be_too_long_with_the_prefix() -> None:
    environment = MongoEnvironment(flavour="mongodb", database_prefix="p" * 60)
    rejections = ENGINE.refuse(placed(environment, stored_in(things(), FIELDS)), environment)
    assert [rejection.code for rejection in rejections] == ["MDB111"]


def test_documentdb_has_shorter_names() -> None:
    long = kw.Collection(shop, "t" * 116)
    assert refusals("mongodb", None, long) == []
    assert [code for code, _ in refusals("documentdb", "8.0", long)] == ["MDB111"]


@pytest.mark.parametrize(
    ("index", "codes"),
    [
        (kw.Index(["number", "word"], unique=True), []),
        (kw.Index("word", unique=True), ["GEN106"]),
        (kw.Index("word"), []),
    ],
)
def test_a_sharded_collection_is_unique_by_its_shard_key_only(index: Any, codes: list[str]) -> None:
    environment = MongoEnvironment(flavour="mongodb", sharded=True)
    thing = stored_in(things(index, shard_key=kw.ShardKey(on="number", hashed=True)), FIELDS)
    assert [rejection.code for rejection in ENGINE.refuse(placed(environment, thing), environment)] == codes


def test_a_local_server_has_no_shards() -> None:
    mongo_environment = MongoEnvironment(flavour="documentdb", database_prefix="dev_", sharded=True)
    assert ENGINE.localise(mongo_environment, "6.0.5") == MongoEnvironment(
        flavour="mongodb", version="6.0.5", database_prefix="dev_", sharded=False
    )


def test_only_wanted_collections_of_a_live_database_are_managed() -> None:
    expected = placed(SIX, stored_in(things(), FIELDS))
    live = placed(SIX, stored_in(things(), FIELDS), stored_in(kw.Collection(shop, "others"), FIELDS, "Other"))
    assert [collection.name for collection in ENGINE.managed(live, expected).collections] == ["things"]
