"""Formats of times in key templates: what they write, read and refuse."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.template import Placeholder, TemplateError, parse
from keywright.ir.text_form import fill as fill_stored
from keywright.ir.time_precision import precise
from keywright.runtime.items.fill import writer
from keywright.runtime.items.templates import reader

MOMENT = datetime(2026, 11, 28, 19, 5, 7, 250_123, tzinfo=timezone(timedelta(hours=1)))

FORMATS = {
    "%Y%m%d": ("date", "20261128"),
    "%Y/%m": ("month", "2026/11"),
    "%Y-%m-%d %H": ("hour", "2026-11-28 18"),
    "%Y%m%dT%H%M%SZ": ("iso", "20261128T180507Z"),
    "%Y-%m-%dT%H:%M:%S.%f": ("iso", "2026-11-28T18:05:07.250123"),
}


def placeholder(format: str) -> Placeholder:
    (only,) = parse(f"{{at:strftime({format})}}").placeholders
    return only


@pytest.mark.parametrize("format", FORMATS)
def test_a_format_writes_parts_of_a_time_in_utc(format: str) -> None:
    form, text = FORMATS[format]
    only = placeholder(format)
    assert (only.filters[0].name, only.width) == (form, len(text))
    assert writer(only)(MOMENT) == text
    assert fill_stored(parse(f"{{at:strftime({format})}}"), lambda path: MOMENT) == text
    assert str(only) == f"{{at:strftime({format})}}"
    assert text == MOMENT.astimezone(UTC).strftime(format)


def test_a_day_has_a_format_too() -> None:
    assert writer(placeholder("%Y%m%d"))(date(2026, 11, 28)) == "20261128"


@given(st.sampled_from(sorted(FORMATS)), st.datetimes(timezones=st.just(UTC)), st.datetimes(timezones=st.just(UTC)))
def test_texts_sort_like_times(format: str, one: datetime, other: datetime) -> None:
    write: Callable[[Any], str] = writer(placeholder(format))
    first, second = sorted((one, other))
    assert write(first) <= write(second)
    assert len(write(first)) == placeholder(format).width


@pytest.mark.parametrize(
    ("precision", "text"), [("seconds", "20261128180507000000"), ("milliseconds", "20261128180507250000")]
)
def test_a_time_is_cut_to_its_precision(precision: Any, text: str) -> None:
    fields = (Attribute("at", "at", "at", Scalar("datetime", precision=precision)),)
    template = precise(parse("{at:strftime(%Y%m%d%H%M%S%f)}"), fields)
    assert template.text == f"{{at:strftime(%Y%m%d%H%M%S%f,{precision})}}"
    assert parse(template.text).parts == template.parts
    assert writer(template.placeholders[0])(MOMENT) == text
    assert fill_stored(template, lambda path: MOMENT) == text


def test_a_time_is_read_back_from_a_key() -> None:
    fields = (Attribute("at", "at", "at", Scalar("datetime", precision="seconds")),)
    read = reader(precise(parse("E#{at:strftime(%Y%m%dT%H%M%SZ)}"), fields), fields)
    assert read("E#20261128T180507Z") == {"at": datetime(2026, 11, 28, 18, 5, 7, tzinfo=UTC)}
    days = (Attribute("day", "day", "day", Scalar("date")),)
    assert reader(parse("{day:strftime(%Y%m%d)}"), days)("20261128") == {"day": date(2026, 11, 28)}


@pytest.mark.parametrize(
    "format", ["", "%d%m%Y", "%Y", "%y%m%d", "%Y%d", "%Y%m%d%H%M", "%Y%m%d%", "%Y,%m", "{%Y%m}", "%Y%m%%"]
)
def test_other_formats_are_refused(format: str) -> None:
    with pytest.raises(TemplateError):
        parse(f"{{at:strftime({format})}}")
