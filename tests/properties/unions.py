"""Strategies for models with a field of one of several models, and for values of them."""

from typing import Annotated, Any, ClassVar, Literal

from hypothesis import strategies as st
from pydantic import BaseModel, Field, create_model

import keywright as kw

Members = dict[str, dict[str, type]]
"""The fields of each member, by the value of its discriminator."""

TAGS = ("cat", "dog", "bird", "fish")
NAMES = ("age", "tricks", "born", "owner")
TYPES: dict[type, st.SearchStrategy[Any]] = {
    int: st.integers(-(2**31), 2**31 - 1),
    str: st.text("abcé", max_size=4),
    bool: st.booleans(),
    list[str]: st.lists(st.text("ab", max_size=2), max_size=3),  # type: ignore[dict-item]  # an annotation
}

STORES: dict[str, tuple[Any, Any]] = {
    "mongodb": (kw.MongoDatabase("zoo"), lambda place: kw.Collection(place, "owners", id="{id}")),
    "dynamodb": (kw.DynamoTable("zoo"), lambda place: kw.Item(place, pk="{id}", sk="OWNER")),
    "redis": (
        kw.RedisServer("zoo", role="primary"),
        lambda place: kw.RedisHash(place, key="owner:{id}", keep_forever="x"),
    ),
}
"""(database, declaration of the entity in it) by engine; Cassandra has no unions."""


def members() -> st.SearchStrategy[Members]:
    """Two or three members, whose fields may have one name with several types."""
    fields = st.dictionaries(st.sampled_from(NAMES), st.sampled_from(list(TYPES)), max_size=3)
    return st.dictionaries(st.sampled_from(TAGS), fields, min_size=2, max_size=3)


def model_of(engine: str, members: Members) -> type[BaseModel]:
    """An entity with a field, an optional field and a list of one of these members."""
    classes = [
        create_model(tag.title(), kind=(Literal[tag], ...), **{name: (kind, ...) for name, kind in fields.items()})  # type: ignore[call-overload]
        for tag, fields in members.items()
    ]
    union: Any = classes[0]
    for other in classes[1:]:
        union = union | other
    pet: Any = Annotated[union, Field(discriminator="kind")]
    place, store = STORES[engine]
    annotations = {"id": str, "pet": pet, "second": pet | None, "pets": list[pet], "__store__": ClassVar}
    body = {
        "__module__": __name__,
        "__annotations__": annotations,
        "__store__": store(place),
        "second": None,
        "pets": [],
    }
    return type("Owner", (BaseModel,), body)


@st.composite
def values(draw: st.DrawFn, members: Members) -> dict[str, Any]:
    """The input of an instance."""

    def pet() -> dict[str, Any]:
        tag = draw(st.sampled_from(sorted(members)))
        return {"kind": tag, **{name: draw(TYPES[kind]) for name, kind in members[tag].items()}}

    second = pet() if draw(st.booleans()) else None
    return {"id": "a", "pet": pet(), "second": second, "pets": [pet() for _ in range(draw(st.integers(0, 3)))]}
