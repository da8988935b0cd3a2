"""Every logical type has a form."""

import pytest

from keywright.engines.redis.schema.typemap import NATIVE, native_type
from keywright.ir.attribute import SCALAR_KINDS, Many, Map, Scalar, ScalarKind, Struct

FORMS = {
    "string": ("text", "string"),
    "integer": ("integer", "number"),
    "float": ("float", "number"),
    "decimal": ("decimal", "string"),
    "boolean": ("true or false", "boolean"),
    "bytes": ("bytes", "base64"),
    "datetime": ("iso time", "iso time"),
    "date": ("iso date", "iso date"),
    "time": ("iso time of day", "iso time of day"),
    "duration": ("seconds", "seconds"),
    "uuid": ("text", "string"),
    "json": ("json", "json"),
}


@pytest.mark.parametrize("kind", NATIVE)
def test_a_value_has_one_form_by_itself_and_one_inside_json(kind: ScalarKind) -> None:
    assert (native_type(Scalar(kind)), native_type(Scalar(kind), is_json=True)) == FORMS[kind]


def test_the_table_is_complete() -> None:
    assert tuple(NATIVE) == tuple(FORMS)
    assert set(NATIVE) == set(SCALAR_KINDS)


@pytest.mark.parametrize("type", [Many("list", Scalar("string")), Map(Scalar("integer")), Struct("S", ())])
def test_what_is_more_than_one_value_is_json(type: Many | Map | Struct) -> None:
    assert native_type(type) == "json"
