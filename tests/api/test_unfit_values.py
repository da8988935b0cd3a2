"""What `check --live` reports of a stored value that does not fit names its field, and never shows the value."""

from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Annotated, Any, ClassVar, Literal
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel, Field, ValidationError
from tests.engines.mongodb.designs import binding_of

import keywright as kw
from keywright import runtime
from keywright.api.live.misfits import misfits

base = kw.MongoDatabase("unfit")
SECRET = "s3cret"


class Part(BaseModel):
    name: Annotated[str, Field(max_length=5)]
    size: int = 0


class Thing(BaseModel):
    __store__: ClassVar = kw.Collection(base, "things", id="{thing_id}")
    thing_id: Annotated[str, Field(max_length=20)]
    whole: Annotated[int, Field(ge=0)] = 1
    real: float = 1.5
    exact: Annotated[Decimal, Field(max_digits=9, decimal_places=2)] = Decimal(1)
    text: Annotated[str, Field(max_length=9)] = "t"
    yes: bool = True
    at: datetime = datetime(2026, 1, 1, tzinfo=UTC)
    day: date = date(2026, 1, 1)
    id: UUID = UUID(int=1)
    raw: bytes = b"r"
    state: Literal["new", "done"] = "new"
    tags: Annotated[list[Annotated[str, Field(max_length=9)]], Field(max_length=2)] = []
    part: Part | None = None
    parts: list[Part] = []
    prices: dict[str, Annotated[int, Field(ge=0)]] = {}
    notes: dict[Annotated[str, Field(max_length=3)], Part] = {}


SCALARS = st.one_of(
    st.integers(),
    st.floats(),
    st.booleans(),
    st.none(),
    st.binary(),
    st.just(SECRET),
    st.just(SECRET.encode()),
    st.text(max_size=3).map(lambda end: SECRET + end),
)
NAMES = st.sampled_from(["name", "size", SECRET])
WRONG = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["name", "size", SECRET]), inner, max_size=3)
    ),
    max_leaves=5,
)


@settings(deadline=None, max_examples=300)
@given(name=st.sampled_from(sorted(set(Thing.model_fields) - {"thing_id"})), value=WRONG)
def test_the_field_is_named_and_the_value_is_not(name: str, value: Any) -> None:
    codec = runtime.codec_of(Thing)
    item: Any = {**runtime.to_item(Thing(thing_id="t")), name: value}
    try:
        codec.from_item(item)
    except Exception as error:  # noqa: BLE001  # what is stored may be anything
        binding = binding_of(Thing)
        reasons = misfits(error, codec, binding, item)
        assert reasons
        assert all(reason.startswith(f'"{name}') for reason in reasons), reasons
        assert not any(SECRET in reason for reason in reasons), reasons


@pytest.mark.parametrize(
    ("name", "value", "text"),
    [
        ("prices", {SECRET: -1}, '"prices.*": greater than equal'),
        ("notes", {SECRET: {"name": "n"}}, '"notes.*.[key]": string too long'),
        ("parts", [{"name": "longer"}], '"parts[].name": string too long'),
    ],
)
def test_the_key_of_a_mapping_is_not_shown(name: str, value: Any, text: str) -> None:
    codec = runtime.codec_of(Thing)
    item: Any = {**runtime.to_item(Thing(thing_id="t")), name: value}
    with pytest.raises(ValidationError) as error:
        codec.from_item(item)
    assert misfits(error.value, codec, binding_of(Thing), item) == {text}
