"""Reading fields of models by their paths."""

from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, ClassVar, Generic, Literal, NewType, Optional, TypeVar

import pytest
from pydantic import AwareDatetime, BaseModel, EmailStr, Field, FutureDate, NaiveDatetime, PastDatetime

import keywright as kw
from keywright.declare.fields import bare, embedded, is_list, is_model, is_number, is_text, resolve, store_of

T = TypeVar("T")
Cents = NewType("Cents", int)
table = kw.DynamoTable("shop")


class Status(Enum):
    OPEN = "open"


class Line(BaseModel):
    sku: str


class Order(BaseModel):
    __store__: ClassVar = kw.Item(table, pk="ORDER#{order_id}", sk="O", computed={"day": "{placed_at:date}"})

    order_id: str
    placed_at: AwareDatetime
    lines: Annotated[list[Line] | None, Field(max_length=3)] = None
    later: "list[NotYet]" = []  # type: ignore[name-defined]  # noqa: F821


class Copy(Order):
    pass


class Box(BaseModel, Generic[T]):
    __store__: ClassVar = kw.Item(table, pk="BOX#{content}", sk="B")

    content: T


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (str | None, str), (Annotated[str, "x"], str), (Optional[Annotated[str, "x"]], str), (Cents, int),  # noqa: UP045
        (AwareDatetime, datetime), (NaiveDatetime, datetime), (PastDatetime, datetime), (FutureDate, date),
        (list[str], list[str]), (int | str, int | str), (Annotated[Cents | None, "x"], int),
    ],
    ids=str,
)  # fmt: skip
def test_an_annotation_loses_its_wrappers(kind: Any, expected: Any) -> None:
    assert bare(kind) == expected


def test_a_path_leads_into_lists_of_models() -> None:
    assert resolve(Order, "order_id") is str
    assert resolve(Order, "lines.sku") is str


def test_a_computed_attribute_is_text() -> None:
    assert resolve(Order, "day") is str


def test_a_path_through_an_undefined_class_has_any_type() -> None:
    assert resolve(Order, "later.name") is Any


@pytest.mark.parametrize(
    ("path", "part", "names"),
    [
        ("order", "order", ["order_id", "placed_at", "lines", "later", "day"]),
        ("lines.sk", "sk", ["sku"]),
        ("order_id.x", "x", []),
    ],
)
def test_an_unknown_part_is_reported_with_the_known_names(path: str, part: str, names: list[str]) -> None:
    with pytest.raises(KeyError) as error:
        resolve(Order, path)
    assert error.value.args == (part, names)


def test_a_subclass_does_not_inherit_the_store_and_a_generic_one_has_it() -> None:
    assert store_of(Order) is Order.__store__
    assert store_of(Copy) is None
    assert store_of(Box[int]) is Box.__store__
    assert store_of(kw.bind(Copy, Order.__store__)) is Order.__store__


@pytest.mark.parametrize(
    ("kind", "number", "text", "many"),
    [
        (int, True, False, False), (Decimal | None, True, False, False), (Cents, True, False, False),
        (bool, False, False, False), (str, False, True, False), (Literal["a"], False, True, False),
        (Literal[1], True, False, False), (Status, False, True, False), (EmailStr, False, True, False),
        (list[str], False, False, True), (set[int] | None, False, False, True), (tuple[int, ...], False, False, True),
        (list, False, False, True), (Any, True, True, True), (datetime, False, False, False),
    ],
    ids=str,
)  # fmt: skip
def test_annotations_are_classified_for_operators(kind: Any, number: bool, text: bool, many: bool) -> None:
    assert (is_number(kind), is_text(kind), is_list(kind)) == (number, text, many)


def test_models_are_distinguished_from_other_classes() -> None:
    assert is_model(Order)
    assert not is_model(Status)
    assert not is_model(Order.model_construct())
    assert embedded(list[Line] | None) == (Line,)
    assert embedded(str) == ()
