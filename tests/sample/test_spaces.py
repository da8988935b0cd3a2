"""Every value of a space is accepted by Pydantic, and different numbers are different values."""

import re
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Literal
from uuid import UUID

import pydantic
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pydantic import Field, TypeAdapter

import keywright as kw
from keywright.errors import UsageError
from keywright.frontend.annotation import logical
from keywright.ir.attribute import SCALAR_KINDS, Scalar
from keywright.sample.spaces import ANCHOR, MAKERS, Spaces


class Colour(Enum):
    RED = "r"
    GREEN = "g"


def scalar_of(annotation: Any) -> Scalar:
    kind, _ = logical(annotation, (), lambda cls, facts: pytest.fail("no model here"))
    assert isinstance(kind, Scalar)
    return kind


def values(annotation: Any, name: str = "field", *, is_label: bool = False, count: int = 40) -> list[object]:
    """The first values of a field and the last, each validated."""
    space = Spaces(0, ANCHOR, ANCHOR).of(scalar_of(annotation), name, is_label=is_label)
    adapter: TypeAdapter[Any] = TypeAdapter(annotation)
    ordinals = {*range(min(count, space.size)), *range(max(0, min(space.usual, space.size) - count), space.usual)}
    field_values = [space.at(ordinal) for ordinal in sorted(ordinals)[: 2 * count]]
    for value in field_values:
        adapter.validate_python(value)
    return field_values


def test_every_kind_has_a_maker() -> None:
    assert set(MAKERS) == set(SCALAR_KINDS)


@pytest.mark.parametrize("annotation", [
    str, int, float, bool, bytes, Decimal, datetime, date, time, timedelta, UUID, Any, Colour, Literal[1, 2],
    pydantic.AwareDatetime, pydantic.NaiveDatetime, pydantic.PastDatetime, pydantic.AnyUrl,
    Annotated[int, Field(gt=3, lt=5)], Annotated[int, Field(le=-10)], Annotated[int, Field(ge=-5, le=5)],
    Annotated[float, Field(gt=0, lt=0.001)], Annotated[float, Field(ge=0.1, le=0.3)],
    Annotated[float, Field(ge=float("-inf"), le=0)],
    Annotated[Decimal, Field(gt=0, le=1, decimal_places=1)], Annotated[Decimal, Field(max_digits=3, decimal_places=2)],
    Annotated[Decimal, Field(max_digits=1)], Annotated[Decimal, Field(ge=Decimal("99.995"), max_digits=5)],
    Annotated[str, Field(max_length=1)], Annotated[str, Field(min_length=3, max_length=3)],
    Annotated[str, Field(min_length=300)], Annotated[str, kw.Size(avg=2_000, max=2_100)],
    Annotated[str, Field(max_length=0)],
    Annotated[bytes, Field(min_length=33, max_length=40)], Annotated[bytes, kw.Size(avg=100)],
    Annotated[timedelta, Field(ge=timedelta(milliseconds=1), lt=timedelta(seconds=1))],
    Annotated[datetime, Field(ge=datetime(2030, 1, 1, tzinfo=UTC))],
    Annotated[date, Field(gt=date(2020, 1, 1), lt=date(2020, 1, 5))], Annotated[time, Field(ge=time(9), le=time(17))],
])  # fmt: skip
@pytest.mark.parametrize("is_label", [False, True])
def test_values_are_valid(annotation: Any, is_label: bool) -> None:
    assert values(annotation, is_label=is_label)


bounds = st.floats(-1e6, 1e6).map(lambda number: round(number, 3))


@given(kind=st.sampled_from([int, float, Decimal]), limits_drawn=st.tuples(bounds, bounds), excluded=st.booleans())
@settings(max_examples=80, deadline=None)
def test_numbers_are_within_any_bounds(kind: Any, limits_drawn: tuple[float, float], excluded: bool) -> None:
    low, high = sorted(limits_drawn)
    assume(high - low >= 2)
    low, high = (int(low), int(high)) if kind is int else (low, high)
    limits: Any = Field(gt=low, lt=high) if excluded else Field(ge=low, le=high)
    assert values(Annotated[kind, limits], count=5)


NAMES = (
    "email",
    "user_id",
    "name",
    "first_name",
    "title",
    "slug",
    "day",
    "week",
    "url",
    "ip",
    "address",
    "body",
    "code",
)


@given(name=st.sampled_from(NAMES), low=st.integers(0, 40), more=st.integers(0, 60), is_label=st.booleans())
@settings(max_examples=150, deadline=None)
def test_texts_are_within_any_bounds_and_labels_differ(name: str, low: int, more: int, is_label: bool) -> None:
    texts = values(Annotated[str, Field(min_length=low, max_length=low + more)], name, is_label=is_label, count=10)
    if is_label:
        assert len(set(texts)) == len(texts)


@pytest.mark.parametrize(("name", "annotation", "expected"), [
    ("email", str, r"[a-z]+\.[a-z]+@example\.com"),
    ("email", Annotated[str, Field(max_length=20)], r"[0-9a-z]{8}@example\.com"),
    ("user_id", Annotated[str, kw.Size(avg=26)], r"[0-9a-z]{26}"),
    ("code", Annotated[str, Field(max_length=2)], r"[A-Z]{2}"),
    ("isbn", Annotated[str, Field(max_length=13)], r"[0-9]{12}"),
    ("full_name", Annotated[str, kw.Pii()], r"[A-Z][a-z]+ [A-Z][a-z]+"),
    ("last_name", str, r"[A-Z][a-z]+"),
    ("slug", str, r"[a-z]+-[a-z]+"),
    ("day", Annotated[str, Field(max_length=10)], r"20\d\d-\d\d-\d\d"),
    ("when", Annotated[str, Field(pattern=r"^\d{4}-W\d{2}$")], r"20\d\d-W\d\d"),
    ("body", str, r"[A-Z][a-z ]+\."),
    ("title", str, r"[A-Z][a-z]+ [a-z]+"),
    ("home", pydantic.AnyUrl, r"https://example\.com/[a-z]+"),
    ("host", pydantic.AnyUrl, r"192\.0\.2\.\d+"),
])  # fmt: skip
def test_a_text_has_the_kind_of_its_name(name: str, annotation: Any, expected: str) -> None:
    space = Spaces(0, ANCHOR, ANCHOR).of(scalar_of(annotation), name)
    assert all(re.fullmatch(expected, str(space.at(ordinal))) for ordinal in range(10))


def test_prose_has_about_the_declared_length() -> None:
    lengths = [len(str(value)) for value in values(Annotated[str, kw.Size(avg=200, max=2_000)], "text")]
    assert 100 <= min(lengths) <= max(lengths) <= 300


def test_labels_differ_after_the_last_word() -> None:
    assert len(set(values(str, "tag", is_label=True, count=2_000))) == 2_000


def test_times_of_a_key_differ_by_its_step() -> None:
    hours = Spaces(0, ANCHOR, ANCHOR).of(Scalar("datetime"), "at", step=timedelta(hours=1))
    assert hours.size == 90 * 24 + 1
    moments = [hours.at(ordinal) for ordinal in range(hours.size)]
    assert len({f"{moment:%Y-%m-%dT%H}" for moment in moments}) == hours.size


def test_another_seed_gives_other_values() -> None:
    space, other = (Spaces(seed, ANCHOR, ANCHOR).of(Scalar("uuid"), "id") for seed in (1, 2))
    assert space.at(0) != other.at(0)


def test_a_field_without_possible_values_is_reported() -> None:
    with pytest.raises(UsageError) as raised:
        Spaces(0, ANCHOR, ANCHOR).of(Scalar("integer", minimum=5, maximum=4), "level")
    assert raised.value.problem == 'no value of field "level" is within its bounds'
