"""Instances as MongoDB documents."""

from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from bson import Binary, Decimal128, Int64, ObjectId
from tests.engines.mongodb.everything import Other, Point, Reference, Usual, Values, values

from keywright import runtime
from keywright.errors import UsageError

AT = datetime(2026, 11, 21, 16, 5, 9, 123_000, tzinfo=UTC)
OWNER = Binary(bytes.fromhex("12345678123456781234567812345678"), 4)
PART = {"a": Decimal128("9.90"), "at": AT, "owner": OWNER}


def test_a_document_holds_native_values() -> None:
    assert runtime.to_item(Usual(**values())) == {
        "_id": 7,
        "text": "é b",
        "small": 3,
        "real": 0.1,
        "exact": Decimal128("12.30"),
        "truth": True,
        "raw": b"\0\xff",
        "moment": AT,
        "day": datetime(2026, 11, 21, tzinfo=UTC),
        "clock": "16:05:09.123456",
        "span": Int64(86_400_000_001),
        "identity": OWNER,
        "anything": {"a": [1, 2.5, None, "x", True], "b": 2**40},
        "url": "https://example.org/",
        "colour": "red",
        "level": 2,
        "word": "on",
        "optional": "here",
        "given": 7,
        "listed": [PART, {"a": Decimal128("1"), "at": None}],
        "chosen": [1, 2, 3],
        "days": [datetime(2025, 1, 2, tzinfo=UTC), datetime(2026, 1, 2, tzinfo=UTC)],
        "colours": ["green", "red"],
        "mapped": {"one": Decimal128("1.0"), "two": Decimal128("-2E+3")},
        "gaps": [1, None, 2**40],
        "nested": {"k": [PART]},
        "part": PART,
        "month": "2026-11",
        "again": Decimal128("12.30"),
        "_kw_v": 2,
    }


def test_a_document_holds_the_native_types_that_were_chosen() -> None:
    item = runtime.to_item(Other(**values()))
    assert item["_id"] == "é b#000007"
    assert (type(item["number"]), item["small"], item["real"]) == (Int64, Decimal128("3"), Decimal128("0.1"))
    assert (item["exact"], item["moment"]) == ("12.30", "2026-11-21T16:05:09.123000Z")
    assert (item["day"], item["span"], item["chosen"]) == ("2026-11-21", 86_400.000001, ["1", "2", "3"])
    assert item["listed"][0] == {"a": "9.90", "at": Int64(1_795_277_109_123_000), "owner": OWNER}
    assert item["part"]["owner"] == "12345678-1234-5678-1234-567812345678"
    assert item["mapped"] == {"one": "1.0", "two": "-2E+3"}


@pytest.mark.parametrize("model", [Usual, Other])
def test_a_document_is_read_back(model: type[Values]) -> None:
    instance = model(**values())
    assert runtime.from_item(model, runtime.to_item(instance)) == instance


@pytest.mark.parametrize("model", [Usual, Other])
def test_none_is_read_back_even_where_the_default_is_something_else(model: type[Values]) -> None:
    instance = model(**values(optional=None, given=None))
    assert runtime.from_item(model, runtime.to_item(instance)) == instance


def test_a_field_that_an_index_wants_present_is_left_out_when_it_is_none() -> None:
    assert "optional" not in runtime.to_item(Usual(**values(optional=None)))


def test_a_missing_field_takes_its_default() -> None:
    item = runtime.to_item(Usual(**values(given=None)))
    del item["given"]
    assert runtime.from_item(Usual, item).given == 7


def test_a_key_is_a_filter() -> None:
    assert runtime.key_of(Usual(**values())) == {"_id": 7}
    assert runtime.key_of(Other(**values())) == {"_id": "é b#000007"}


def test_a_document_whose_id_the_server_makes_has_no_key() -> None:
    reference = Reference(target="64b7c0000000000000000000")
    assert runtime.to_item(reference) == {"target": ObjectId("64b7c0000000000000000000")}
    assert runtime.from_item(Reference, runtime.to_item(reference)) == reference
    with pytest.raises(UsageError, match='documents of "Reference" have no id of their own'):
        runtime.key_of(reference)


def test_a_measurement_has_no_id() -> None:
    point = Point(at=AT, source="a", value=Decimal("1.5"))
    assert runtime.to_item(point) == {"at": AT, "source": "a", "value": Decimal128("1.5")}


def test_a_time_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="has no time zone"):
        runtime.to_item(Point(at=datetime(2026, 1, 1), source="a", value=Decimal(1)))


NATIVE: list[tuple[str, Any]] = [
    ("moment", datetime(2026, 11, 21, 16, 5, 9, 123_000)),
    ("identity", values()["identity"]),
    ("_id", Int64(7)),
]


@pytest.mark.parametrize(("field", "native"), NATIVE)
def test_what_another_client_would_give_is_read_the_same(field: str, native: Any) -> None:
    item = {**runtime.to_item(Usual(**values())), field: native}
    assert runtime.from_item(Usual, item) == Usual(**values())
