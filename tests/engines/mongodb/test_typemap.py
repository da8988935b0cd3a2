"""Every logical type has its place in MongoDB."""

from decimal import Decimal
from typing import Any, get_args

import pytest

from keywright.engines.mongodb.declare.options import BsonType
from keywright.engines.mongodb.schema.typemap import ALTERNATIVES, NATIVE, allowed_types, bson_types, native_type
from keywright.ir.attribute import SCALAR_KINDS, Attribute, Many, Map, Scalar, Struct

TABLE = {
    "string": ("string", ("string",), ("string", "objectId")),
    "integer": ("long", ("int", "long"), ("long", "int", "decimal", "string")),
    "float": ("double", ("double",), ("double", "decimal")),
    "decimal": ("decimal", ("decimal",), ("decimal", "string")),
    "boolean": ("bool", ("bool",), ("bool",)),
    "bytes": ("binData", ("binData",), ("binData",)),
    "datetime": ("date", ("date",), ("date", "string", "long")),
    "date": ("date", ("date",), ("date", "string")),
    "time": ("string", ("string",), ("string",)),
    "duration": ("long", ("int", "long"), ("long", "double")),
    "uuid": ("binData", ("binData",), ("binData", "string")),
    "json": ("any", (), ("any", "string")),
}


def test_the_table_covers_every_kind() -> None:
    assert set(TABLE) == set(SCALAR_KINDS) == set(NATIVE) == set(ALTERNATIVES)


@pytest.mark.parametrize("kind", SCALAR_KINDS)
def test_a_kind_has_its_native_types(kind: Any) -> None:
    scalar = Scalar(kind)
    assert (native_type(scalar), bson_types(scalar), allowed_types(scalar)) == TABLE[kind]


def test_every_alternative_can_be_said() -> None:
    assert {name for names in ALTERNATIVES.values() for name in names} <= set(get_args(BsonType))


def test_containers_are_arrays_and_objects() -> None:
    inner = Scalar("uuid")
    assert native_type(Many("list", inner)) == native_type(Many("set", inner)) == "array"
    assert native_type(Map(inner)) == "object"
    assert native_type(Struct("Part", (Attribute("a", "a", "a", inner),))) == "object"


def test_a_type_chosen_for_a_list_is_that_of_its_elements() -> None:
    assert allowed_types(Many("list", Scalar("uuid"))) == ("binData", "string")
    assert allowed_types(Map(Scalar("decimal"))) == ("decimal", "string")


@pytest.mark.parametrize(
    ("low", "high", "native", "admitted"),
    [
        (0, 999, "int", ("int",)),
        (-(2**31), 2**31 - 1, "int", ("int",)),
        (0, 2**31, "long", ("int", "long")),
        (2**31, None, "long", ("long",)),
        (None, -(2**31) - 1, "long", ("long",)),
        (None, 0, "long", ("int", "long")),
        (Decimal(1), Decimal(9), "int", ("int",)),
    ],
)
def test_bounds_say_which_whole_numbers_there_are(low: Any, high: Any, native: str, admitted: tuple[str, ...]) -> None:
    scalar = Scalar("integer", minimum=low, maximum=high)
    assert (native_type(scalar), bson_types(scalar)) == (native, admitted)


def test_constants_are_bounds_too() -> None:
    assert native_type(Scalar("integer", constants=(1, 2))) == "int"


def test_a_chosen_type_is_the_only_one() -> None:
    assert bson_types(Scalar("integer"), "long") == ("long",)
