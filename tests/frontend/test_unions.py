"""Unions of models that a field tells apart, as logical types and as errors."""

from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Discriminator, Field, Tag
from tests.projects import errors_of, told, with_imports

from keywright.frontend.annotation import NoLogicalType, logical
from keywright.frontend.entities import Entities
from keywright.ir.attribute import Facts, Scalar, Struct, Union
from keywright.ir.entity import resolve


class Cat(BaseModel):
    kind: Literal["cat"] = "cat"
    name: Annotated[str, Field(max_length=20)]
    lives: int


class Dog(BaseModel):
    kind: Literal["dog", "puppy"]
    name: str
    tricks: list[str] = []


class Bird(BaseModel):
    kind: Literal["bird"]
    name: str


class Renamed(BaseModel):
    kind: Literal["renamed"]
    name: str = Field(alias="Name")


class Numbered(BaseModel):
    kind: Literal[7]


Pet = Annotated[Cat | Dog, Field(discriminator="kind")]


def embed(cls: type[BaseModel], facts: Facts) -> Struct:
    entity = Entities().lower(cls)
    assert entity is not None
    return Struct(cls.__name__, entity.attributes, facts)


def union_of(annotation: Any) -> Union:
    kind = logical(annotation, (), embed)[0]
    assert isinstance(kind, Union)
    return kind


def test_a_union_has_the_fields_of_all_its_members_in_common() -> None:
    union = union_of(Pet)
    assert union.name == "Cat | Dog"
    assert [(attribute.name, attribute.type) for attribute in union.attributes] == [
        ("kind", Scalar("string", constants=("cat", "dog", "puppy"))), ("name", Scalar("string")),
    ]  # fmt: skip
    assert {tag: member.name for tag, member in union.by_tag.items()} == {"cat": "Cat", "dog": "Dog", "puppy": "Dog"}


def test_the_discriminator_is_required_although_a_member_has_a_default_for_it() -> None:
    assert all(member.attributes[0].is_required for member in union_of(Pet).members)


def test_paths_reach_the_fields_of_all_members_and_no_others() -> None:
    class Owner(BaseModel):
        pet: Pet
        pets: list[Pet]

    attributes = embed(Owner, Facts()).attributes
    assert resolve(attributes, "pet.name")
    assert resolve(attributes, "pets.kind")
    assert resolve(attributes, "pet.lives") is None


def test_a_union_inside_a_union_with_the_same_discriminator_is_one_union() -> None:
    union = union_of(Annotated[Pet | Bird, Field(discriminator="kind")])
    assert [member.name for member in union.members] == ["Cat", "Dog", "Bird"]


def test_none_in_a_union_makes_it_nullable() -> None:
    assert logical(Annotated[Cat | Dog | None, Discriminator("kind")], (), embed)[1]
    assert logical(Pet | None, (), embed)[1]


def tag_of(value: Any) -> str:
    return "cat"


REJECTED = [
    (Cat | Dog, "nothing tells the 2 models of the union Cat | Dog apart"),
    (
        Annotated[Annotated[Cat, Tag("cat")] | Annotated[Dog, Tag("dog")], Discriminator(tag_of)],
        "a function tells the types of the union apart",
    ),
    (
        Annotated[Pet | Bird, Field(discriminator="name")],
        'the inner union is told apart by "kind", the outer by "name"',
    ),
    (Annotated[Cat | Numbered, Field(discriminator="kind")], 'the values of "kind" are int and str'),
    (
        Annotated[Bird | Renamed, Field(discriminator="kind")],
        '"name" is stored as "Name" in Renamed and as "name" in Bird',
    ),
]


@pytest.mark.parametrize(("annotation", "problem"), REJECTED, ids=[problem for _, problem in REJECTED])
def test_a_union_whose_stored_values_have_no_class_is_rejected_with_help(annotation: Any, problem: str) -> None:
    with pytest.raises(NoLogicalType) as error:
        logical(annotation, (), embed)
    assert str(error.value).startswith(problem)
    assert error.value.help


ZOO = """
    zoo = kw.Keyspace("zoo")

    class Cat(BaseModel):
        kind: Literal["cat"]
        lives: int

    class Dog(BaseModel):
        kind: Literal["dog"]
        name: str

    class Owner(BaseModel):
        __store__: ClassVar = kw.CqlTable(zoo, "owners", partition="id")

        id: str
        FIELDS

    put_owner = kw.Put(Owner)
"""


def test_cassandra_refuses_a_union_and_the_way_out_compiles(tmp_path: Path) -> None:
    for folder in ("union", "fields"):
        (tmp_path / folder).mkdir()
    union = with_imports(ZOO.replace("FIELDS", 'pet: Cat | Dog = Field(discriminator="kind")'))
    assert told(errors_of(tmp_path / "union", union), tmp_path / "union").splitlines() == [
        'models/case.py:24 Owner: error[E0205]: "pet" is one of Cat | Dog, and a user-defined type has one form',
        "  help: declare an optional field for each instead: cat: Cat | None = None, dog: Dog | None = None",
    ]
    fields = with_imports(ZOO.replace("FIELDS", "cat: Cat | None = None; dog: Dog | None = None"))
    assert errors_of(tmp_path / "fields", fields) == []
