"""Annotations of Pydantic fields as logical types."""

import datetime as dt
import enum
import ipaddress
import sys
import typing
from collections.abc import Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Generic, Literal, NamedTuple, NewType, Optional, TypeVar, Union
from uuid import UUID

import pydantic
import pytest
from pydantic import BaseModel, Field

import keywright as kw
from keywright.frontend.annotation import NoLogicalType, logical
from keywright.frontend.entities import Entities
from keywright.ir.attribute import Facts, Many, Map, Reference, Scalar, Struct, Tuple, Type

T = TypeVar("T")
N = TypeVar("N", bound=int)
Email = NewType("Email", str)
Customer = NewType("Customer", Email)
UserId = Annotated[str, kw.Size(avg=12, max=26), kw.Cardinality(distinct=100)]


class Status(enum.Enum):
    OPEN = "open"
    DONE = "done"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2


class Mixed(enum.Enum):
    A = 1
    B = "b"


class Line(BaseModel):
    sku: str
    count: int = 1


class Other(BaseModel):
    sku: str


class Box(BaseModel, Generic[T]):
    content: T


class Tags(pydantic.RootModel[list[str]]):
    pass


class Point(NamedTuple):
    x: int
    y: int


LINE = Struct("Line", Entities().lower(Line).attributes)  # type: ignore[union-attr]  # it has no errors


def embed(cls: type[BaseModel], facts: Facts) -> Struct:
    entity = Entities().lower(cls)
    assert entity is not None
    return Struct(cls.__name__, entity.attributes, facts)


def type_of(annotation: Any, *metadata: Any) -> Type:
    return logical(annotation, metadata, embed)[0]


SCALARS: list[tuple[Any, Scalar]] = [
    (str, Scalar("string")), (int, Scalar("integer")), (float, Scalar("float")), (Decimal, Scalar("decimal")),
    (bool, Scalar("boolean")), (bytes, Scalar("bytes")), (dt.datetime, Scalar("datetime")), (dt.date, Scalar("date")),
    (dt.time, Scalar("time")), (dt.timedelta, Scalar("duration")), (UUID, Scalar("uuid")), (Any, Scalar("json")),
    (object, Scalar("json")), (dict, Scalar("json")), (dict[str, Any], Scalar("json")),
    (pydantic.JsonValue, Scalar("json")), (pydantic.UUID4, Scalar("uuid")),
    (pydantic.AwareDatetime, Scalar("datetime", is_aware=True)),
    (pydantic.NaiveDatetime, Scalar("datetime", is_aware=False)),
    (pydantic.PastDatetime, Scalar("datetime")), (pydantic.FutureDate, Scalar("date")),
    (pydantic.PositiveInt, Scalar("integer", minimum=0, excludes_minimum=True)),
    (pydantic.StrictStr, Scalar("string")),
    (pydantic.AnyUrl, Scalar("string", is_converted=True)), (pydantic.HttpUrl, Scalar("string", is_converted=True)),
    (Path, Scalar("string", is_converted=True)), (ipaddress.IPv4Address, Scalar("string", is_converted=True)),
    (Status, Scalar("string", constants=("open", "done"))), (Level, Scalar("integer", constants=(1, 2))),
    (Literal["a", "b"], Scalar("string", constants=("a", "b"))), (Literal[True], Scalar("boolean", constants=(True,))),
    (Literal[1, 2], Scalar("integer", constants=(1, 2))),
    (int | str, Scalar("json")), (bool | int | str, Scalar("json")), (str | list[str], Scalar("json")),
    (Literal["a"] | str, Scalar("string")), (Literal["a"] | Literal["b"], Scalar("string", constants=("a", "b"))),
    (Annotated[str, Field(max_length=3)] | Annotated[str, Field(pattern="^z")], Scalar("string")),
    (Email, Scalar("string")), (Customer, Scalar("string")), (T, Scalar("json")), (N, Scalar("integer")),
]  # fmt: skip


@pytest.mark.parametrize(("annotation", "expected"), SCALARS, ids=lambda value: str(value))
def test_a_single_value_has_its_kind(annotation: Any, expected: Scalar) -> None:
    assert logical(annotation, (), embed) == (expected, False)


MANY: list[tuple[Any, Type]] = [
    (list[str], Many("list", Scalar("string"))),
    (list, Many("list", Scalar("json"))),
    (Sequence[int], Many("list", Scalar("integer"))),
    (set[int], Many("set", Scalar("integer"))),
    (frozenset[str], Many("set", Scalar("string"))),
    (tuple[int, ...], Many("list", Scalar("integer"))),
    (tuple[int, int], Many("list", Scalar("integer"), 2, 2, is_tuple=True)),
    (tuple[int, str | None], Tuple((Scalar("integer"), Scalar("string")), (1,))),
    (list[str | None], Many("list", Scalar("string"), has_null_elements=True)),
    (list[list[int]], Many("list", Many("list", Scalar("integer")))),
    (list[Line], Many("list", LINE)),
    (dict[str, int], Map(Scalar("integer"))),
    (dict[Annotated[int, Field(ge=1)], UUID], Map(Scalar("uuid"), key=Scalar("integer", minimum=1))),
    (dict[Status, int], Map(Scalar("integer"), key=logical(Status, (), embed)[0])),  # type: ignore[arg-type]
    (Mapping[str, int | None], Map(Scalar("integer"), has_null_values=True)),
    (dict[Email, Line], Map(LINE)),
    (Line, LINE),
]


@pytest.mark.parametrize(("annotation", "expected"), MANY, ids=lambda value: str(value))
def test_values_inside_others_have_their_types(annotation: Any, expected: Type) -> None:
    assert logical(annotation, (), embed) == (expected, False)


@pytest.mark.parametrize(
    "annotation",
    [
        str | None, Optional[str], Union[str, None], Annotated[str, "x"] | None, Annotated[str | None, "x"],  # noqa: UP007, UP045
        Annotated[Annotated[str, "x"] | None, "y"], Optional[Email],  # noqa: UP045
    ],
    ids=str,
)  # fmt: skip
def test_none_makes_a_value_nullable_however_it_is_written(annotation: Any) -> None:
    assert logical(annotation, (), embed) == (Scalar("string"), True)


def test_none_among_literals_makes_a_value_nullable() -> None:
    assert logical(Literal["a", None], (), embed) == (Scalar("string", constants=("a",)), True)


def test_facts_travel_with_the_type_into_lists_and_optionals() -> None:
    facts = Facts(average_bytes=12, max_bytes=26, distinct=100)
    assert type_of(UserId) == Scalar("string", facts=facts)
    assert logical(UserId | None, (), embed) == (Scalar("string", facts=facts), True)
    assert type_of(list[UserId]) == Many("list", Scalar("string", facts=facts))


def test_the_outer_fact_of_a_kind_counts() -> None:
    assert type_of(Annotated[UserId, kw.Size(avg=5)]).facts.average_bytes == 5


def test_a_reference_and_personal_data_are_facts() -> None:
    scalar = type_of(Annotated[str, kw.Ref(Line, on_missing="hide", max_referrers=3), kw.Pii()])
    assert scalar.facts == Facts(is_personal=True, reference=Reference("Line", "hide", 3, None))


def test_bounds_of_numbers_and_texts_are_kept() -> None:
    assert type_of(int, Field(ge=1, lt=9)) == Scalar("integer", minimum=1, maximum=9, excludes_maximum=True)
    assert type_of(str, Field(min_length=1, max_length=5, pattern="^a$")) == Scalar(
        "string", min_length=1, max_length=5, pattern="^a$"
    )
    assert type_of(Decimal, Field(max_digits=12, decimal_places=2)) == Scalar(
        "decimal", max_digits=12, decimal_places=2
    )


def test_bounds_inside_annotated_are_kept() -> None:
    assert type_of(Annotated[str, Field(max_length=5)]) == Scalar("string", max_length=5)
    assert type_of(list[Annotated[int, Field(gt=0)]]) == Many(
        "list", Scalar("integer", minimum=0, excludes_minimum=True)
    )


def test_a_list_has_the_bounds_of_its_length() -> None:
    assert type_of(list[int], Field(min_length=1, max_length=9)) == Many("list", Scalar("integer"), 1, 9)
    assert type_of(dict[str, int], Field(max_length=9)) == Map(Scalar("integer"), 9)


def test_a_generic_model_has_the_types_of_its_parameters() -> None:
    struct = type_of(Box[int])
    assert isinstance(struct, Struct)
    assert [attribute.type for attribute in struct.attributes] == [Scalar("integer")]


@pytest.mark.skipif(sys.version_info < (3, 12), reason="TypeAliasType came with Python 3.12")
def test_a_type_alias_is_replaced_by_its_value() -> None:
    alias = getattr(typing, "TypeAliasType")("alias", Annotated[str, kw.Size(avg=3)])  # noqa: B009  # not in 3.11
    assert type_of(alias) == Scalar("string", facts=Facts(average_bytes=3))
    assert logical(alias | None, (), embed)[1]


REJECTED: list[tuple[Any, str]] = [
    (int | float, 'values of "int" and "float" can have the same stored form, and would be read as another type'),
    (UUID | str, 'values of "UUID" and "str" can have the same stored form, and would be read as another type'),
    (Status | str, 'values of "Status" and "str" can have the same stored form, and would be read as another type'),
    (Line | str, 'values of "Line" and "str" can have the same stored form, and would be read as another type'),
    (list[int] | set[int], 'values of "list" and "set" can have the same stored form, and would be read as'),
    (Line | Other, "nothing tells the 2 models of the union Line | Other apart"),
    (complex, '"complex" cannot be stored'),
    (Tags, '"Tags" is a root model, which has no fields'),
    (pydantic.SecretStr, '"SecretStr" is masked when it is read, so its value would be lost'),
    (tuple[()], "an empty tuple has no value to store"),
    (dict[frozenset[str], str], "the keys of a mapping are not single values"),
    (dict[int | None, str], "a key of a mapping may be None"),
    (Annotated[int, Field(ge="7")], "the bound '7' of a number is not a number"),  # type: ignore[arg-type]
    (Annotated[float, Field(lt=True)], "the bound True of a number is not a number"),
    (
        Literal["a", 1],
        "the values of an Enum or Literal must have one type, str, int or bool; the types here are int and str",
    ),
    (Mixed, "the values of an Enum or Literal must have one type, str, int or bool; the types here are int and str"),
    (list[int | float], 'values of "int" and "float" can have the same stored form, and would be read as'),
]


@pytest.mark.parametrize(("annotation", "problem"), REJECTED, ids=lambda value: str(value))
def test_a_type_that_no_store_supports_is_rejected_with_help(annotation: Any, problem: str) -> None:
    with pytest.raises(NoLogicalType) as error:
        type_of(annotation)
    assert str(error.value).startswith(problem)
    assert error.value.help
