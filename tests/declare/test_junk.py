"""Any argument of a declaration is accepted or rejected with a code; no other exception is raised."""

from datetime import date, timedelta
from typing import Any, ClassVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

import keywright as kw
from keywright.declare.declared import Declared
from keywright.errors import gathering

WORDS = [getattr(kw, word) for word in dir(kw) if not word.startswith("_")]
DECLARATIONS = [word for word in WORDS if isinstance(word, type) and issubclass(word, Declared)]

by_name = kw.Gsi("by_name", pk="gsi1pk")
table = kw.DynamoTable("shop", gsis=[by_name])


class User(BaseModel):
    __store__: ClassVar = kw.Item(table, pk="USER#{name}", sk="PROFILE", gsis=[by_name.key(pk="NAME#{name}")])

    name: str
    tags: list[str] = []
    count: int = 0


class Plain(BaseModel):
    name: str


JUNK = st.sampled_from(
    [
        None, 0, 1, -1, 3, 0.5, True, False, "", "name", "count", "-name", "{name}", "{name:pad(3)}", "{", "a.b",
        "10/s", "eventual", "strict", "cache", "queue", [], ["name"], ["tags", "tags"], ("name",), {"name"}, {},
        {"name": "x"}, {"name": kw.Present()}, {1: "x"}, {1: kw.Upgrade(rename={"a": "b"})},
        {"total": kw.Sum("count")}, timedelta(0), timedelta(days=1), date(2027, 1, 1), object(), str, User, Plain,
        Plain(name="x"), table, by_name, by_name.key(pk="A"), User.__store__, kw.Put(User), [kw.Put(User)],
        [kw.Get(User)], kw.bind(Plain, User.__store__), kw.MongoDatabase("content"), kw.Keyspace("metrics"),
        kw.RedisServer("cache", role="cache"), [kw.Index("name")], [kw.CqlIndex("name")],
        kw.Rebuild(from_generation=1), kw.Leveled(),
    ]
)  # fmt: skip


@pytest.mark.parametrize("declaration", DECLARATIONS, ids=lambda cls: cls.__name__)
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_a_declaration_accepts_or_rejects_any_value(declaration: type[Declared], data: st.DataObject) -> None:
    kinds = list(declaration.__options__.kinds)
    names = data.draw(st.lists(st.sampled_from([*kinds, "nonsense"]), max_size=len(kinds), unique=True))
    options: dict[str, Any] = {name: data.draw(JUNK) for name in names}
    with gathering() as errors:
        declaration(**options)
    assert all(error.code and error.help and str(error) for error in errors)


@pytest.mark.parametrize("declaration", DECLARATIONS, ids=lambda cls: cls.__name__)
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_a_declaration_accepts_or_rejects_values_of_the_right_types(
    declaration: type[Declared], data: st.DataObject
) -> None:
    declaration_options = declaration.__options__
    options: dict[str, Any] = {}
    for name in declaration_options.kinds:
        if name in declaration_options.required or data.draw(st.booleans()):
            value = data.draw(JUNK)
            if declaration_options.is_accepted(name, value):
                options[name] = value
    with gathering() as errors:
        declaration(**options)
    assert all(error.code and error.help and str(error) for error in errors)
