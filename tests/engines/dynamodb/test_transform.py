"""Conditional updates as PartiQL, and numbers as items hold them."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from keywright.engines.dynamodb.migrate.transform import form, update

KEY = {"pk": {"S": "USER#1"}, "sk": {"S": "ORDER"}}


def test_an_update_compares_all_that_was_read() -> None:
    result = update("orders", KEY, {"_kw_v": None, "ship.to": {"S": "Bern"}}, {"city": {"S": "Bern"}}, ["ship.to"])
    assert result == {
        "Statement": 'UPDATE "orders" SET "city"=? REMOVE "ship"."to"'
        ' WHERE "pk"=? AND "sk"=? AND "_kw_v" IS MISSING AND "ship"."to"=?',
        "Parameters": [{"S": "Bern"}, {"S": "USER#1"}, {"S": "ORDER"}, {"S": "Bern"}],
    }


@pytest.mark.parametrize(
    ("value", "type", "held"),
    [
        (Decimal("1.50"), None, Decimal("1.5")),
        (Decimal("2.00"), None, 2),
        (0.1, None, Decimal("0.1")),
        ("5", "N", 5),
        (5, "S", "5"),
        (datetime(1970, 1, 2, tzinfo=UTC), "N", 86_400),
        (datetime(1970, 1, 2, tzinfo=UTC), None, "1970-01-02T00:00:00.000000Z"),
        ("true", "BOOL", True),
    ],
)
def test_a_value_has_one_form(value: object, type: str | None, held: object) -> None:
    assert form("n", value, type) == held


@pytest.mark.parametrize("value", [Decimal("NaN"), Decimal("1E126"), Decimal("1" * 39), float("inf")])
def test_a_number_that_no_item_holds_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match="number"):
        form("n", value, "N")
