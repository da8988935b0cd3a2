"""The script for the MongoDB shell."""

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field
from tests.engines.mongodb.designs import database_of, shop, stored_in

import keywright as kw
from keywright.engines.mongodb.declare.settings import MongoEnvironment
from keywright.engines.mongodb.engine import ENGINE
from keywright.engines.mongodb.schema.javascript import literal

GOLDENS = Path(__file__).parent / "goldens"

ORDERS = kw.Collection(
    shop,
    "orders",
    id="{order_id}",
    shard_key=kw.ShardKey(on="order_id", hashed=True),
    stream=kw.Stream(consumers=[]),
    indexes=[
        kw.Index(["user_id", "-placed_at"]),
        kw.Index(
            ["order_id", "number"],
            unique=True,
            where={"status": kw.OneOf(["placed", "paid"]), "placed_at": kw.Present()},
        ),
        kw.TextIndex(["notes", "title"], weights={"title": 5}),
    ],
)
FIELDS: dict[str, Any] = {
    "order_id": str,
    "user_id": str,
    "number": Annotated[int, Field(ge=2**40)],
    "title": Annotated[str, Field(max_length=80, pattern=r'^"\w')],
    "notes": list[str],
    "placed_at": Annotated[datetime, kw.Ttl(after=timedelta(days=90))],
    "status": Literal["placed", "paid", "shipped"],
}


@pytest.mark.parametrize("sharded", [False, True])
def test_a_script_creates_what_is_missing(sharded: bool, is_golden: Callable[[Path, str], bool]) -> None:
    environment = MongoEnvironment(flavour="mongodb", database_prefix="dev_", sharded=sharded)
    declared = database_of(stored_in(ORDERS, FIELDS))
    (artefact,) = ENGINE.render(declared, ENGINE.place(declared, environment), environment)
    assert artefact.path == "mongodb/shop.js"
    assert is_golden(GOLDENS / ("sharded.js" if sharded else "plain.js"), artefact.text)


LITERALS: list[tuple[Any, str]] = [
    ({}, "{}"),
    ({"a": 1, "b c": [True, None], "$in": ["x"]}, '{ a: 1, "b c": [true, null], $in: ["x"] }'),
    ({"a.b": -1}, '{ "a.b": -1 }'),
    ({"$date": "2026-01-01T00:00:00Z"}, 'ISODate("2026-01-01T00:00:00Z")'),
    ({"$date": {"$numberLong": "-1"}}, 'new Date(-1)'),
    ({"$numberDecimal": "1.50"}, 'NumberDecimal("1.50")'),
    ({"$oid": "64b7c0000000000000000000"}, 'ObjectId("64b7c0000000000000000000")'),
    (2**31, 'NumberLong("2147483648")'),
    (2**31 - 1, "2147483647"),
    ('a"é', '"a\\"é"'),
]  # fmt: skip


@pytest.mark.parametrize(("value", "text"), LITERALS)
def test_a_value_is_written_as_in_the_shell(value: Any, text: str) -> None:
    assert literal(value) == text


def test_a_long_value_has_a_line_for_each_part() -> None:
    value = {"first": "a" * 60, "second": ["b" * 60, {"c": 1}]}
    assert literal(value) == f'{{\n  first: "{"a" * 60}",\n  second: ["{"b" * 60}", {{ c: 1 }}],\n}}'


def zoned(**zones: list[str]) -> Any:
    key = kw.ShardKey(on=["country", "reader_id"], hashed="reader_id", zones=zones)
    return stored_in(
        kw.Collection(shop, "readers", id="{reader_id}", shard_key=key), {"reader_id": str, "country": str}
    )


def test_zones_are_ranges_of_the_first_field_on_shards_of_the_environment() -> None:
    environment = MongoEnvironment(
        flavour="mongodb", sharded=True, zones={"EU": ("shard0", "shard1"), "US": ("shard2",)}
    )
    declared = database_of(zoned(EU=["DE", "FR"], US=["US"]))
    (artefact,) = ENGINE.render(declared, ENGINE.place(declared, environment), environment)
    assert list(ENGINE.refuse(ENGINE.place(declared, environment), environment)) == []
    assert [line for line in artefact.text.splitlines() if line.startswith("sh.")] == [
        'sh.addShardToZone("shard0", "EU");',
        'sh.addShardToZone("shard1", "EU");',
        'sh.updateZoneKeyRange("shop.readers", { "country": "DE", "_id": MinKey() }, '
        '{ "country": "DE", "_id": MaxKey() }, "EU");',
        'sh.updateZoneKeyRange("shop.readers", { "country": "FR", "_id": MinKey() }, '
        '{ "country": "FR", "_id": MaxKey() }, "EU");',
        'sh.addShardToZone("shard2", "US");',
        'sh.updateZoneKeyRange("shop.readers", { "country": "US", "_id": MinKey() }, '
        '{ "country": "US", "_id": MaxKey() }, "US");',
        'sh.shardCollection("shop.readers", { country: 1, _id: "hashed" });',
    ]


def test_an_environment_names_the_shards_of_each_zone() -> None:
    declared = database_of(zoned(EU=["DE"]))
    sharded, single = (MongoEnvironment(flavour="mongodb", sharded=sharded) for sharded in (True, False))
    (rejection,) = ENGINE.refuse(ENGINE.place(declared, sharded), sharded)
    assert rejection.problem == 'zone "EU" has no shards in this environment'
    assert list(ENGINE.refuse(ENGINE.place(declared, single), single)) == []


def test_a_change_of_zones_moves_documents_only() -> None:
    before, after = (ENGINE.describe(database_of(zoned(EU=values))) for values in (["DE"], ["DE", "FR"]))
    assert (
        ENGINE.migrate(*(ENGINE.place(ENGINE.parse(side), ENGINE.localise(None, "6.0")) for side in (before, after)))
        == ()
    )


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"on": ["country", "key"], "hashed": True}, "the shard key contains their hashes"),
        ({"on": "country"}, "needs a second field"),
    ],
)
def test_zones_need_values_of_the_first_field(options: dict[str, Any], words: str) -> None:
    with pytest.raises(kw.DeclarationError, match=words):
        kw.ShardKey(**options, zones={"EU": ["DE"]})
    with pytest.raises(kw.DeclarationError, match="lists 'DE' twice"):
        kw.ShardKey(on=["country", "key"], zones={"EU": ["DE"], "US": ["DE"]})
