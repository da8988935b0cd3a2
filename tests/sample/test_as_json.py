"""Sample values as JSON."""

from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from keywright.sample import to_json


@pytest.mark.parametrize(("value", "expected"), [
    (None, None), (True, True), (3, 3), (1.5, 1.5), ("text", "text"),
    (Decimal("12.50"), "12.50"),
    (UUID("12345678-1234-4234-8234-123456789abc"), "12345678-1234-4234-8234-123456789abc"),
    (b"\x00\xff", "AP8="),
    (datetime(2026, 11, 21, 16, 5, tzinfo=UTC), "2026-11-21T16:05:00Z"),
    (datetime(2026, 11, 21, 16, 5), "2026-11-21T16:05:00"),
    (date(2026, 11, 21), "2026-11-21"), (time(16, 5), "16:05:00"),
    (timedelta(seconds=90), "PT90S"), (timedelta(milliseconds=-1500), "-PT1.500000S"),
    ({10, 9, 1}, [1, 9, 10]), (frozenset({"b", "a"}), ["a", "b"]),
    ({Decimal(3), Decimal(2)}, ["2", "3"]),
    ([1, (2,)], [1, [2]]), ({"at": date(2026, 1, 1)}, {"at": "2026-01-01"}),
])  # fmt: skip
def test_each_value_has_its_json_form(value: object, expected: object) -> None:
    assert to_json(value) == expected


@pytest.mark.parametrize(("kind", "values"), [
    (timedelta, st.timedeltas(timedelta(days=-9), timedelta(days=9))),
    (Decimal, st.decimals(allow_nan=False, allow_infinity=False)),
    (datetime, st.datetimes(timezones=st.just(UTC))), (date, st.dates()), (time, st.times()), (UUID, st.uuids()),
])  # fmt: skip
@given(data=st.data())
def test_pydantic_reads_it_again(kind: Any, values: Any, data: st.DataObject) -> None:
    value = data.draw(values)
    assert TypeAdapter(kind).validate_python(to_json(value)) == value


def test_a_value_without_a_json_form_is_rejected() -> None:
    with pytest.raises(TypeError, match="a object cannot be written as JSON"):
        to_json(object())
