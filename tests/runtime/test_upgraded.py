"""Items of older schema versions are upgraded as they are read, in all four engines."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from bson import Decimal128
from pydantic import BaseModel

import keywright as kw
from keywright import runtime

UPGRADES = {
    1: kw.Upgrade(
        rename={"mail": "email"},
        split={"full_name": kw.Split(on=" ", into=["first", "last"])},
        set={"tier": "free", "label": "{state}/{mail}"},
        unset="full_name",
    ),
    2: kw.Upgrade(map={"state": {"new": "open"}}, cast={"paid": "decimal"}),
}
OPTIONS: dict[str, Any] = {"schema_version": 3, "upgrades": UPGRADES}
STORES: dict[str, Any] = {
    "dynamodb": kw.Item(kw.DynamoTable("people"), pk="P#{key}", sk="P", **OPTIONS),
    "mongodb": kw.Collection(kw.MongoDatabase("people"), "people", id="{key}", **OPTIONS),
    "cassandra": kw.CqlTable(kw.Keyspace("people"), "people", partition="key", **OPTIONS),
    "hash": kw.RedisHash(kw.RedisServer("people", role="primary"), key="p:{key}", **OPTIONS),
    "json": kw.RedisString(kw.RedisServer("docs", role="primary"), key="d:{key}", **OPTIONS),
}


class Person(BaseModel):
    key: str
    mail: str = ""
    first: str = ""
    last: str = ""
    tier: str = "none"
    label: str = ""
    state: str = "new"
    paid: Decimal = Decimal(0)
    at: datetime = datetime(2020, 1, 1, tzinfo=UTC)


HOMES = {name: kw.bind(Person, store) for name, store in STORES.items()}
AT = datetime(2026, 1, 2, tzinfo=UTC)
FIRST: dict[str, Any] = {
    "dynamodb": {"pk": {"S": "P#a"}, "sk": {"S": "P"}, "key": {"S": "a"}, "email": {"S": "a@b"}, "state": {"S": "new"},
                 "full_name": {"S": "Ada Love"}, "paid": {"N": "1.50"}, "at": {"S": "2026-01-02T00:00:00.000000Z"}},
    "mongodb": {"_id": "a", "key": "a", "email": "a@b", "state": "new", "full_name": "Ada Love",
                "paid": Decimal128("1.50"), "at": AT.replace(tzinfo=None)},
    "cassandra": {"key": "a", "email": "a@b", "mail": None, "state": "new", "full_name": "Ada Love", "first": None,
                  "last": None, "tier": None, "label": None, "paid": Decimal("1.50"), "at": AT.replace(tzinfo=None),
                  "kw_v": None},
    "hash": ("p:a", {b"email": b"a@b", b"state": b"new", b"full_name": b"Ada Love", b"paid": b"1.50",
                     b"at": b"2026-01-02T00:00:00.000000Z"}),
    "json": ("d:a", '{"email": "a@b", "state": "new", "full_name": "Ada Love", "paid": "1.50", '
                    '"at": "2026-01-02T00:00:00.000000Z"}'),
}  # fmt: skip
"""The same person in version 1, as clients answer it."""

ADA = Person(
    key="a",
    mail="a@b",
    first="Ada",
    last="Love",
    tier="free",
    label="new/a@b",
    state="open",
    paid=Decimal("1.50"),
    at=AT,
)


@pytest.mark.parametrize("store", STORES)
def test_an_old_item_is_read_as_the_backfill_would_leave_it(store: str) -> None:
    assert runtime.from_item(HOMES[store], FIRST[store]) == ADA


@pytest.mark.parametrize("store", STORES)
def test_what_is_put_back_is_read_as_it_was(store: str) -> None:
    item = runtime.to_item(ADA, HOMES[store])
    assert runtime.from_item(HOMES[store], item) == ADA
    again = ADA.model_copy(update={"state": "new", "tier": "none", "paid": Decimal(0)})
    assert runtime.from_item(HOMES[store], runtime.to_item(again, HOMES[store])) == again, "no upgrade of a new item"


@pytest.mark.parametrize("store", STORES)
def test_an_item_is_left_alone_by_reading_it(store: str) -> None:
    before = repr(FIRST[store])
    runtime.from_item(HOMES[store], FIRST[store])
    assert repr(FIRST[store]) == before


def test_a_row_that_lacks_what_an_upgrade_reads_is_read_as_it_is() -> None:
    part = {name: value for name, value in FIRST["cassandra"].items() if name != "full_name"}
    assert runtime.from_item(HOMES["cassandra"], part).state == "new"
    full = {**FIRST["cassandra"], "kw_v": 2}
    del full["full_name"]
    assert runtime.from_item(HOMES["cassandra"], full).state == "open", "the second upgrade reads no name"


def test_an_item_that_no_upgrade_takes_is_named_without_its_values() -> None:
    wrong = {**FIRST["mongodb"], "full_name": ["hunter2"]}
    with pytest.raises(runtime.InvalidItem, match='an upgrade rejects it: "full_name" is a list') as raised:
        runtime.from_item(HOMES["mongodb"], wrong)
    assert "hunter2" not in str(raised.value)


def test_versions_before_one_without_an_upgrade_are_read_as_they_are() -> None:
    class Late(BaseModel):
        key: str
        state: str = "new"

    home = kw.bind(
        Late,
        kw.Collection(kw.MongoDatabase("late"), "late", id="{key}", schema_version=3, upgrades={2: UPGRADES[2]}),
    )
    old = {"_id": "a", "key": "a", "state": "new"}
    assert runtime.from_item(home, old).state == "new"
    assert runtime.from_item(home, {**old, "_kw_v": 2}).state == "open"
