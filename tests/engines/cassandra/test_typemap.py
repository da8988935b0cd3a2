"""Every logical type and its native one."""

from typing import Any, get_args

import pytest

from keywright.engines.cassandra.declare.options import CqlTypeName
from keywright.engines.cassandra.schema.typemap import ALTERNATIVES, NATIVE, allowed_types, native_type, type_name
from keywright.ir.attribute import SCALAR_KINDS, Attribute, Many, Map, Scalar, Struct, Tuple, Type

TEXT = Scalar("string")
PART = Struct("OrderLine", (Attribute("sku", "sku", "sku", TEXT),))


def whole(**bounds: Any) -> Scalar:
    return Scalar("integer", **bounds)


@pytest.mark.parametrize(
    ("type", "native"),
    [
        (TEXT, "text"),
        (Scalar("string", constants=("a", "b")), "text"),
        (Scalar("float"), "double"),
        (Scalar("decimal"), "decimal"),
        (Scalar("boolean"), "boolean"),
        (Scalar("bytes"), "blob"),
        (Scalar("datetime"), "timestamp"),
        (Scalar("date"), "date"),
        (Scalar("time"), "time"),
        (Scalar("duration"), "duration"),
        (Scalar("uuid"), "uuid"),
        (Scalar("json"), "text"),
        (whole(), "bigint"),
        (whole(minimum=0), "bigint"),
        (whole(minimum=0, maximum=100), "int"),
        (whole(constants=(1, 2)), "int"),
        (whole(minimum=0, maximum=2**31), "bigint"),
        (whole(minimum=-(2**63), maximum=2**63 - 1), "bigint"),
        (whole(maximum=2**63), "varint"),
        (Many("list", TEXT), "list<text>"),
        (Many("set", whole()), "set<bigint>"),
        (Many("list", Many("list", TEXT)), "list<frozen<list<text>>>"),
        (Many("list", PART), "list<frozen<order_line>>"),
        (Map(Scalar("decimal")), "map<text, decimal>"),
        (Tuple((TEXT, Many("set", TEXT)), (1,)), "frozen<tuple<text, frozen<set<text>>>>"),
        (Many("list", TEXT, 2, 2, is_tuple=True), "frozen<tuple<text, text>>"),
        (Map(TEXT, key=Scalar("date")), "map<date, text>"),
        (Map(Map(TEXT)), "map<text, frozen<map<text, text>>>"),
        (PART, "order_line"),
    ],
)
def test_a_logical_type_has_a_native_one(type: Type, native: str) -> None:
    assert native_type(type) == native


def test_every_kind_has_a_native_type_and_its_alternatives() -> None:
    assert tuple(NATIVE) == SCALAR_KINDS
    assert set(ALTERNATIVES) == set(SCALAR_KINDS)


def test_every_native_type_that_may_be_chosen_is_offered_for_some_kind() -> None:
    offered = {allowed_type for kind in SCALAR_KINDS for allowed_type in allowed_types(Scalar(kind))}  # type: ignore[arg-type]  # its values
    assert set(get_args(CqlTypeName)) - offered == set()


def test_what_is_frozen_is_frozen_as_a_whole() -> None:
    assert native_type(Many("set", TEXT), is_frozen=True) == "frozen<set<text>>"
    assert native_type(PART, is_frozen=True) == "frozen<order_line>"


def test_the_usual_type_comes_first_among_the_allowed() -> None:
    assert allowed_types(whole(minimum=0, maximum=9)) == ("int", "tinyint", "smallint", "bigint", "varint")


@pytest.mark.parametrize(
    ("model", "name"),
    [("Device", "device"), ("HTTPServer", "http_server"), ("Box[int]", "box_int"), ("Date", "date_type"), ("_P", "p")],
)
def test_a_user_defined_type_is_named_after_its_model(model: str, name: str) -> None:
    assert type_name(Struct(model, ())) == name
