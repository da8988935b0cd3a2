"""Whatever others stored in a field: it is not read, or what is read is written back as it was."""

import json
from datetime import date
from decimal import Decimal
from typing import Any, ClassVar

import pytest
from bson import Decimal128
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

import keywright as kw
from keywright import runtime

base = kw.MongoDatabase("types")
server = kw.RedisServer("types", role="primary")


class Part(BaseModel):
    name: str


class Fields(BaseModel):
    id: str
    flag: bool | None = None
    text: str | None = None
    whole: int | None = None
    real: float | None = None
    exact: Decimal | None = None
    day: date | None = None
    raw: bytes | None = None
    tags: list[str] | None = None
    rows: list[list[int]] | None = None
    prices: dict[str, int] | None = None
    part: Part | None = None
    parts: list[Part] | None = None


class Document(Fields):
    __store__: ClassVar = kw.Collection(base, "documents", id="{id}")


class Text(Fields):
    __store__: ClassVar = kw.RedisString(server, key="t:{id}", keep_forever="all of them")


SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text('ab3{}[]".', max_size=4),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.just("name"), inner),
    max_leaves=4,
)


def alike(value: Any, *, is_exact: bool = False) -> Any:
    """A value in a form in which those of one meaning are equal, and a truth value equals no number."""
    match value:
        case bool() | None:
            return (type(value), value)
        case Decimal128():
            return value.to_decimal()
        case float() if is_exact:
            return Decimal(repr(value))  # the shortest that is read as the same float
        case int() | float():
            return Decimal(int(value)) if value == value // 1 else Decimal(repr(value))
        case str() if is_exact:
            return Decimal(value)
        case list():
            return [alike(inner) for inner in value]
        case dict():
            return {name: alike(inner) for name, inner in value.items()}
    return value


@pytest.mark.parametrize("field", [name for name in Fields.model_fields if name != "id"])
@given(value=VALUES)
def test_what_is_read_is_written_as_it_was(field: str, value: Any) -> None:
    read: Any
    is_exact = field == "exact"
    try:
        read = runtime.from_item(Document, {"_id": "a", field: value})
    except (ValueError, TypeError, AttributeError, ArithmeticError):
        pass
    else:
        assert alike(runtime.to_item(read)[field]) == alike(value, is_exact=is_exact)
    try:
        read = runtime.from_item(Text, ("t:a", json.dumps({field: value})))
    except (ValueError, TypeError, AttributeError, ArithmeticError):
        return
    stored = json.loads(runtime.to_item(read).value)[field]
    assert alike(stored, is_exact=is_exact) == alike(value, is_exact=is_exact)
