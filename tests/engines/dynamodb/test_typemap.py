"""Logical types as DynamoDB's own."""

import pytest

from keywright.engines.dynamodb.schema.typemap import ALTERNATIVES, NATIVE, allowed_types, native_type
from keywright.ir.attribute import SCALAR_KINDS, Many, Map, Scalar, Struct, Type

TYPES: list[tuple[Type, tuple[str, ...]]] = [
    (Scalar("string"), ("S", "B")),
    (Scalar("integer"), ("N", "S")),
    (Scalar("float"), ("N", "S")),
    (Scalar("decimal"), ("N", "S")),
    (Scalar("boolean"), ("BOOL",)),
    (Scalar("bytes"), ("B",)),
    (Scalar("datetime"), ("S", "N")),
    (Scalar("date"), ("S", "N")),
    (Scalar("time"), ("S",)),
    (Scalar("duration"), ("N", "S")),
    (Scalar("uuid"), ("S", "B")),
    (Scalar("json"), ("JSON", "S")),
    (Many("list", Scalar("string")), ("L",)),
    (Many("set", Scalar("string")), ("SS", "L")),
    (Many("set", Scalar("integer")), ("NS", "L")),
    (Many("set", Scalar("bytes")), ("BS", "L")),
    (Many("set", Scalar("boolean")), ("L",)),
    (Many("set", Scalar("integer"), has_null_elements=True), ("L",)),
    (Map(Scalar("string")), ("M",)),
    (Struct("Line", ()), ("M",)),
]


@pytest.mark.parametrize(("type", "allowed"), TYPES, ids=str)
def test_a_type_has_a_usual_form_and_perhaps_others(type: Type, allowed: tuple[str, ...]) -> None:
    assert allowed_types(type) == allowed
    assert native_type(type) == allowed[0]


def test_every_kind_has_a_form() -> None:
    assert set(NATIVE) == set(ALTERNATIVES) == set(SCALAR_KINDS)


def test_an_expiry_is_a_number_and_a_choice_wins() -> None:
    assert native_type(Scalar("datetime"), is_ttl=True) == "N"
    assert native_type(Scalar("integer"), chosen="S") == "S"
