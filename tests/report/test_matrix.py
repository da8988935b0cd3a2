"""How the figures of the access matrix are written."""

import pytest

from keywright.access.cost import Band, exactly
from keywright.report.matrix import band_text, figure, frequency, query_text

FIGURES = {0: "0", 0.5: "0.5", 2.25: "2.25", 12: "12", 444: "444", 9_999: "9999", 48_000: "48k", 2.5e6: "2.5M"}


@pytest.mark.parametrize("value", FIGURES)
def test_a_figure_has_the_digits_that_say_something(value: float) -> None:
    assert figure(value) == FIGURES[value]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (999_499, "999k"),
        (999_500, "1M"),
        (999_950, "1M"),
        (999_499_999, "999M"),
        (999_500_000, "1G"),
        (5e12, "5T"),
        (4.9e20, "490E"),
    ],
)
def test_a_figure_never_has_an_exponent(value: float, text: str) -> None:
    assert figure(value) == text


def test_a_band_is_one_figure_where_it_is_exact_and_open_where_nothing_bounds_it() -> None:
    assert band_text(exactly(2)) == "2"
    assert band_text(Band(0.5, 1, 9)) == "0.5-9"
    assert band_text(Band(1, None, None)) == "1+"


def test_what_is_rare_is_counted_by_the_day() -> None:
    assert frequency(11.574) == "11.6/s"
    assert frequency(5 / 86_400) == "5/day"


def test_a_query_is_one_line_without_needless_quotes() -> None:
    assert query_text({"find": "posts", "limit": 1, "sort": [{"at": -1}], "ok": True, "none": None}) == (
        "{find: posts, limit: 1, sort: [{at: -1}], ok: true, none: -}"
    )
