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
