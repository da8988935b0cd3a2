"""Values in written model files: the same value when they are read."""

import datetime as dt
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keywright.edit.create.expression import flat
from keywright.edit.create.values import literal

NAMES = {"UTC": UTC, "date": date, "datetime": datetime, "timedelta": timedelta}


def written(value: object) -> str:
    return flat(literal(value, lambda declared: None))


@given(st.datetimes() | st.datetimes(timezones=st.timezones()) | st.dates())
def test_a_time_keeps_its_zone_and_its_smallest_unit(value: dt.date) -> None:
    try:
        assert eval(written(value), NAMES) == value
    except OverflowError:  # a zone that leads out of the range of years
        assert value.year in (1, 9999)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (datetime(2026, 1, 1, tzinfo=UTC), "datetime(2026, 1, 1, tzinfo=UTC)"),
        (datetime(2026, 1, 1, 12, 30), "datetime(2026, 1, 1, 12, 30)"),
        (datetime(2026, 1, 1, microsecond=5000, tzinfo=UTC), "datetime(2026, 1, 1, 0, 0, 0, 5000, tzinfo=UTC)"),
        (datetime(2026, 1, 1, 1, tzinfo=timezone(timedelta(hours=1))), "datetime(2026, 1, 1, tzinfo=UTC)"),
        (date(2026, 1, 31), "date(2026, 1, 31)"),
    ],
)
def test_a_time_is_written_as_short_as_a_person_would(value: dt.date, text: str) -> None:
    assert written(value) == text
