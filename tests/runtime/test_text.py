"""Values as key text: order, width and shards."""

import zlib
from collections import Counter
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from enum import Enum
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keywright.runtime.items import text

MOMENT = datetime(2026, 1, 1, 0, 30, tzinfo=timezone(timedelta(hours=1)))
"""In UTC it is still the year before."""

zones = st.timedeltas(timedelta(hours=-14), timedelta(hours=14)).map(timezone)
moments = st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30), timezones=zones)


class Colour(Enum):
    RED = "red"


class Truth(Enum):
    YES = True


@given(moments, moments)
def test_text_of_moments_is_in_the_order_of_time(one: datetime, other: datetime) -> None:
    assert (text.iso(one) < text.iso(other)) == (one < other)


@given(moments)
def test_text_of_moments_has_one_width_and_is_read_back(moment: datetime) -> None:
    widths = {"iso": 27, "day": 10, "month": 7, "week": 8, "hour": 13}
    assert {name: len(getattr(text, name)(moment)) for name in widths} == widths
    assert datetime.fromisoformat(text.iso(moment)) == moment


@given(st.dates(), st.dates())
def test_text_of_days_is_in_the_order_of_time(one: date, other: date) -> None:
    assert (text.day(one) < text.day(other)) == (one < other)
    assert text.month(one) <= text.month(other) or one > other
    assert text.week(one) <= text.week(other) or one > other


@given(st.integers(0, 10**9 - 1), st.integers(0, 10**9 - 1))
def test_padded_numbers_are_in_the_order_of_numbers(one: int, other: int) -> None:
    assert (text.pad(one, 9) < text.pad(other, 9)) == (one < other)
    assert len(text.pad(one, 9)) == 9


@pytest.mark.parametrize("number", [-1, 1000, 10**20])
def test_a_number_that_does_not_fit_is_refused(number: int) -> None:
    with pytest.raises(ValueError, match=r":pad\(3\) in its key takes 0 to 999$"):
        text.pad(number, 3)


def test_times_are_written_in_utc() -> None:
    forms = [form(MOMENT) for form in (text.iso, text.day, text.month, text.week, text.hour)]
    assert forms == ["2025-12-31T23:30:00.000000Z", "2025-12-31", "2025-12", "2026-W01", "2025-12-31T23"]


@pytest.mark.parametrize("form", [text.iso, text.day, text.month, text.week, text.hour, text.text, text.utc])
def test_a_time_without_a_zone_is_refused(form: Callable[[datetime], object]) -> None:
    with pytest.raises(ValueError, match=r"it has no time zone: use datetime\.now"):
        form(datetime(2026, 1, 1))


SHARDS = {"a": "3", "order-1": "7", "order-2": "5", "é": "6", "": "0"}


@pytest.mark.parametrize(("value", "shard"), SHARDS.items())
def test_the_shard_of_a_text_never_changes(value: str, shard: str) -> None:
    assert text.shard(value, 8) == shard


@given(st.text(), st.integers(1, 1000))
def test_a_shard_is_the_checksum_that_every_language_has(value: str, count: int) -> None:
    assert text.shard(value, count) == str(zlib.crc32(value.encode()) % count).zfill(len(str(count - 1)))


def test_shards_share_the_load() -> None:
    counts = Counter(text.shard(f"order-{number}", 12) for number in range(12_000))
    assert sorted(counts) == [f"{number:02}" for number in range(12)]
    assert max(counts.values()) < 1.2 * min(counts.values())


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("Ab", "Ab"),
        (7, "7"),
        (True, "true"),
        (Colour.RED, "red"),
        (Truth.YES, "true"),
        (date(2026, 1, 2), "2026-01-02"),
        (MOMENT, "2025-12-31T23:30:00.000000Z"),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
    ],
)
def test_a_value_without_a_filter_has_one_text(value: object, written: str) -> None:
    assert text.text(value) == written


@pytest.mark.parametrize(
    ("duration", "written"),
    [
        (timedelta(0), "0"),
        (timedelta(days=1), "86400"),
        (timedelta(microseconds=-1), "-0.000001"),
        (timedelta(seconds=-1, microseconds=-500_000), "-1.500000"),
        (timedelta.max, "86399999999999.999999"),
    ],
)
def test_a_duration_is_written_exactly(duration: timedelta, written: str) -> None:
    assert text.seconds(duration) == written


def test_utc_is_the_same_moment() -> None:
    assert text.utc(MOMENT) == MOMENT
    assert text.utc(MOMENT).tzinfo is UTC
