"""Types of fields from sampled items."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from keywright.edit.create.annotations import annotation
from keywright.edit.create.expression import flat
from keywright.engines.infer import ClassNames, Inferred, ValueKind, infer, python_paths
from keywright.ir.attribute import Struct

KINDS = {
    bool: ValueKind("boolean"), int: ValueKind("integer"), float: ValueKind("float"), str: ValueKind("string"),
    datetime: ValueKind("datetime"), bytes: ValueKind("bytes"), UUID: ValueKind("uuid"),
}  # fmt: skip


def kind_of(value: Any) -> ValueKind | None:
    return KINDS.get(type(value))


def inferred(*items: dict[str, Any]) -> Inferred:
    return infer(items, "Item", kind_of, ClassNames(["Item", "Order"]))


def annotations(*items: dict[str, Any]) -> dict[str, str]:
    return {attribute.name: flat(annotation(attribute)) for attribute in inferred(*items).attributes}


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["a", "b"], "str"),
        ([1, 2], "int"),
        ([1, 2.5], "float"),
        ([True], "bool"),
        ([1, None], "int | None"),
        ([None], "Any"),
        ([1, "a"], "Any"),
        ([[1, 2], []], "list[int]"),
        ([[1, None]], "list[int | None]"),
        ([[]], "list[Any]"),
        ([{"a", "b"}], "set[str]"),
        ([[[1]]], "list[list[int]]"),
        ([{}], "dict[str, Any]"),
        ([{"a": 1}], "Field2"),
        ([[{"a": 1}]], "list[Field2]"),
        ([{"a": 1}, [1]], "Any"),
        (["x" * 200] * 3, "Annotated[str, kw.Size(avg=200, max=200)]"),
    ],
)
def test_values_give_a_type(values: list[Any], expected: str) -> None:
    assert annotations(*({"field": value} for value in values)) == {"field": expected}


def test_a_share_and_a_conflict_stand_in_comments() -> None:
    items = [{"a": 1, "b": number if number % 4 else "x", **({"c": 1} if number < 3 else {})} for number in range(400)]
    fields = inferred(*items)
    assert fields.comments == {
        ("Item", "b"): "integer 75 %, string 25 %",
        ("Item", "c"): "in under 1 % of 400 items",
    }
    assert [attribute.is_required for attribute in fields.attributes] == [True, True, False]


def test_only_closed_sets_become_literals() -> None:
    items = [{"status": ["new", "paid"][n % 2], "owner": ["ann", "bob"][n % 2], "kind": str(n)} for n in range(100)]
    assert annotations(*items) == {"status": 'Literal["new", "paid"]', "owner": "str", "kind": "str"}
    assert annotations(*items[:10])["status"] == "str"


def test_an_embedded_model_has_a_name_of_its_own() -> None:
    embedded = {"order": {"a": 1}, "home": {"address": {"x": 1}}, "work": {"address": {"y": 1}}, "Geo": {"x": 1}}
    assert annotations(embedded) == {"order": "ItemOrder", "home": "Home", "work": "Work", "Geo": "ItemGeo"}
    structs = [attribute.type for attribute in inferred(embedded).attributes]
    inner = [struct.attributes[0].type for struct in structs[1:3] if isinstance(struct, Struct)]
    assert [struct.name for struct in inner if isinstance(struct, Struct)] == ["Address", "WorkAddress"]


def test_many_different_keys_are_a_mapping() -> None:
    assert annotations(*({"by_id": {f"k{n % 9}": n}} for n in range(100))) == {"by_id": "dict[str, int]"}
    assert annotations(*({"parts": {f"k{n % 3}": n}} for n in range(100))) == {"parts": "Part"}


def test_personal_fields_are_marked() -> None:
    assert annotations({"email": "a@example.org", "password": "x"}) == {
        "email": "Annotated[str, kw.Pii()]",
        "password": "Annotated[str, kw.Pii()]",
    }


def test_the_name_of_a_person_is_personal_and_that_of_a_thing_is_not() -> None:
    item = [{"name": "x", "team": {"name": "y"}}]
    marked = {owner: infer(item, owner, kind_of, ClassNames(())).attributes for owner in ("ShopCustomer", "Product")}
    assert [field.type.facts.is_personal for field in marked["ShopCustomer"]] == [True, False]
    assert [field.type.facts.is_personal for field in marked["Product"]] == [False, False]


def test_an_address_in_a_field_of_that_name_is_a_postal_address() -> None:
    assert annotations({"Address": {"City": "a", "Street": "b"}}) == {"Address": "PostalAddress"}
    assert annotations({"Address": {"host": "a", "port": 1}}) == {"Address": "ItemAddress"}


def test_names_that_pydantic_rejects_get_others() -> None:
    fields = inferred({"class": 1, "_id": 2, "a b": 3, "json": 4, "2nd": 5, "ä": 6})
    assert dict(python_paths(fields.attributes)) == {
        "class": "class_", "_id": "id", "a b": "a_b", "json": "json_", "2nd": "field_2nd", "ä": "value",
    }  # fmt: skip


VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.text(max_size=5), st.floats(allow_nan=False),
    st.just(datetime(2026, 1, 1, tzinfo=UTC)), st.lists(st.integers(), max_size=3),
    st.lists(st.text(max_size=3), max_size=3),
)  # fmt: skip


@given(st.lists(VALUES, min_size=1, max_size=8))
def test_every_sampled_value_fits_its_type(values: list[Any]) -> None:
    (text,) = annotations(*({"field": value} for value in values)).values()
    names = {"Any": Any, "datetime": datetime}
    adapter: TypeAdapter[Any] = TypeAdapter(eval(text, names))
    for value in values:
        adapter.validate_python(value)
