"""Models as rows, without a server between: what the driver is given and what it gives back."""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Annotated, ClassVar

import pytest
from cassandra.util import Date, Duration
from pydantic import BaseModel
from tests.engines.cassandra import everything
from tests.engines.cassandra.everything import EVERYTHING, MOMENT, Everything, Otherwise, Session

import keywright as kw
from keywright import runtime
from keywright.engines.cassandra.schema.row import ExpiringRow, ttl_of
from keywright.runtime.cassandra.values import from_duration


def test_a_key_has_the_columns_of_the_primary_key_in_its_order() -> None:
    assert runtime.key_of(EVERYTHING) == {
        "name": "one", "month": "2026-11", "moment": MOMENT, "copied": date(2026, 11, 21),
    }  # fmt: skip
    assert list(runtime.key_of(EVERYTHING)) == ["name", "month", "moment", "copied"]


def test_a_row_has_every_column() -> None:
    item = runtime.to_item(EVERYTHING)
    assert item["kw_v"] == 2
    assert item["Select"] == ["a", "a"]
    assert item["colour"] == "red"
    assert item["url"] == "https://example.org/"
    assert item["anything"] == '{"a":[1,null,2.5,"x"]}'
    assert item["mapped"] == {"k": Decimal("2.00")}
    assert item["optional"] is None
    assert item["span"] == Duration(0, 3, 5000)


def test_an_embedded_model_is_a_tuple_in_the_order_of_its_fields() -> None:
    part = runtime.to_item(EVERYTHING)["part"]
    assert part == (Decimal("1.50"), everything.PART.clock, (MOMENT, [date(2026, 1, 2)]), b"\x00\xff")


def test_a_timestamp_is_cut_to_milliseconds_in_utc() -> None:
    moment = datetime.fromisoformat("2026-11-21T17:30:00.123999+01:00")
    item = runtime.to_item(EVERYTHING.model_copy(update={"moment": moment}))
    assert item["moment"] == MOMENT


def test_a_time_without_a_zone_is_not_written() -> None:
    with pytest.raises(ValueError, match="has no time zone"):
        runtime.to_item(EVERYTHING.model_copy(update={"moment": datetime(2026, 1, 1)}))


def test_what_is_null_is_none_or_empty_or_the_default() -> None:
    row = runtime.to_item(EVERYTHING) | {"given": None, "listed": None, "mapped": None, "Select": None}
    row |= {"moment": MOMENT.replace(tzinfo=None), "day": Date(date(2026, 11, 21)), "clock": FakeTime()}
    from_item = runtime.from_item(Everything, row | {"part": _read(row["part"]), "listed": None, "moments": None})
    assert (from_item.given, from_item.listed, from_item.mapped, from_item.select, from_item.moments) == (
        None,
        [],
        {},
        [],
        {},
    )


class FakeTime:
    def time(self) -> object:
        return everything.PART.clock


def _read(part: tuple[object, ...]) -> tuple[object, ...]:
    """A part as the driver returns it; its last field came later than this row."""
    return (part[0], FakeTime(), (None, None))


def test_other_native_types_are_written_in_their_forms() -> None:
    item = runtime.to_item(everything.OTHERWISE)
    assert {name: item[name] for name in ("moment", "epoch", "day", "clock", "span", "seconds", "exact", "digits")} == {
        "moment": "2026-11-21T16:30:00.123456Z", "epoch": 1_795_278_600_123_456, "day": "0001-01-01",
        "clock": "00:00:00.000001", "span": -1, "seconds": "1.250000", "exact": Decimal("0.1"), "digits": "1E+3",
    }  # fmt: skip
    assert runtime.from_item(Otherwise, item | {"key": item["key"]}) == everything.OTHERWISE


def test_a_duration_with_months_has_no_length() -> None:
    with pytest.raises(ValueError, match="has months"):
        from_duration(Duration(1, 0, 0))


def test_a_row_of_a_model_with_an_expiry_tells_when_it_is_gone() -> None:
    item = runtime.to_item(Session(token="t", started=MOMENT))
    assert isinstance(item, ExpiringRow)
    assert item.expires_at == MOMENT + timedelta(hours=1)
    assert ttl_of(item, MOMENT + timedelta(minutes=59, seconds=0.5)) == 60
    assert ttl_of(item, MOMENT + timedelta(hours=2)) == -3600
    assert ttl_of(item) is not None


def test_a_row_whose_expiry_is_none_does_not_expire() -> None:
    item = runtime.to_item(Ticket(token="t", ends=None))
    assert ttl_of(item, MOMENT) is None


class Ticket(BaseModel):
    __store__: ClassVar = kw.CqlTable(everything.space, "tickets", partition="token")

    token: str
    ends: Annotated[datetime | None, kw.Ttl()] = None


def test_a_row_without_an_expiry_has_none() -> None:
    assert ttl_of({"a": 1}, datetime.now(UTC)) is None


@pytest.mark.parametrize("instance", everything.INSTANCES, ids=lambda entry: f"{type(entry).__name__} {entry.name}")
def test_what_is_made_for_a_row_is_read_as_the_row(instance: BaseModel) -> None:
    assert runtime.from_item(type(instance), runtime.to_item(instance)) == instance
