"""Models that contain themselves: how deep, what is refused, and what becomes of another depth."""

from pathlib import Path
from typing import Annotated, Any, ClassVar

import pytest
from pydantic import BaseModel
from tests.engines.mongodb.designs import binding_of, design_of, shop
from tests.projects import errors_of, told, with_imports

import keywright as kw
from keywright.engines.contract.classes import row_of
from keywright.engines.contract.diff import diff
from keywright.engines.mongodb.engine import ENGINE
from keywright.ir.attribute import Many, Struct
from keywright.ir.entity import element
from keywright.runtime import codec_of
from keywright.runtime.validate.strict import Strict

MODEL = """
content = kw.MongoDatabase("content")

class Comment(BaseModel):
    text: str
    FORM

class Thing(BaseModel):
    __store__: ClassVar = kw.Collection(content, "things", id="{id}")

    id: str
    first: Comment | None = None

put_thing = kw.Put(Thing)
"""

REFUSED = [
    (
        'replies: list["Comment"] = []', "E0204", '"Comment" contains itself recursively',
        'replies: Annotated[list["Comment"], kw.Depth(3)] = []',
    ),
    (
        'replies: Annotated[list["Comment"], kw.Depth(3)]', "E0204", "the last level has no value for the field",
        'replies: Annotated[list["Comment"], kw.Depth(3)] = []',
    ),
    (
        'reply: Annotated["Comment | None", kw.Depth(9)] = None', "E0503", "Depth(9) is not between 1 and 8",
        'reply: Annotated["Comment | None", kw.Depth(8)] = None',
    ),
    (
        'replies: list[Annotated["Comment", kw.Depth(3)]] = []', "E0201", '"Depth" is inside the type',
        'replies: Annotated[list["Comment"], kw.Depth(3)] = []',
    ),
    (
        "words: Annotated[list[str], kw.Depth(3)] = []", "E0201", "a field whose model contains itself",
        "words: list[str] = []",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("form", "code", "words", "way_out"), REFUSED)
def test_a_model_in_itself_has_a_depth(form: str, code: str, words: str, way_out: str, tmp_path: Path) -> None:
    source = with_imports(MODEL)
    text = told(errors_of(tmp_path, source.replace("FORM", form)), tmp_path)
    assert f"error[{code}]" in text
    assert words in text
    assert "models/case.py:0" not in text
    assert told(errors_of(tmp_path, source.replace("FORM", way_out)), tmp_path) == ""


class Comment(BaseModel):
    text: str
    replies: Annotated[list["Comment"], kw.Depth(2)] = []


class Post(BaseModel):
    __store__: ClassVar = kw.Collection(shop, "posts", id="{id}")
    id: str
    comment: Comment


def levels(kind: Any) -> list[tuple[str, tuple[str, ...], tuple[str, ...]]]:
    """(class, fields, ended fields) of each level."""
    struct = element(kind)
    assert isinstance(struct, Struct)
    inner = next((attribute.type for attribute in struct.attributes if isinstance(attribute.type, Many)), None)
    own = (struct.name, tuple(attribute.name for attribute in struct.attributes), struct.ends)
    return [own, *(levels(inner) if inner else [])]


def test_each_level_is_a_model_of_its_own() -> None:
    assert levels(binding_of(Post).entity.attributes[1].type) == [
        ("Comment", ("text", "replies"), ()),
        ("Comment2", ("text", "replies"), ()),
        ("Comment3", ("text",), ("replies",)),
    ]


def nested(depth: int) -> Comment:
    return Comment(text=str(depth), replies=[nested(depth - 1)] if depth else [])


def test_a_value_of_the_declared_depth_is_stored_and_read() -> None:
    codec = codec_of(Post)
    post = Post(id="a", comment=nested(2))
    (item,) = codec.to_items(post)
    assert item["comment"]["replies"][0]["replies"] == [{"text": "0"}]
    assert codec.from_item(item) == post


def test_a_deeper_value_is_refused() -> None:
    from pydantic_core import SchemaValidator, ValidationError

    strict = Strict(binding_of(Post), Post, lambda *_: None)
    validator = SchemaValidator(strict.instance())
    validator.validate_python(Post(id="a", comment=nested(2)))
    with pytest.raises(ValidationError, match=r"it is deeper than kw.Depth\(...\) allows"):
        validator.validate_python(Post(id="a", comment=nested(3)))


def database(depth: int) -> Any:
    class Node(BaseModel):
        text: str
        inner: Annotated["list[Node]", kw.Depth(depth)] = []

    Node.model_rebuild(_types_namespace={"Node": Node})

    class Tree(BaseModel):
        __store__: ClassVar = kw.Collection(shop, "trees", id="{id}")
        id: str
        top: Node

    return ENGINE.describe(ENGINE.lower(design_of(Tree))[0])


CHANGES = [
    (1, 2, {("AddField", "top.inner.inner", "S"), ("AddField", "top.inner.inner.text", "B")}),
    (2, 1, {("DropField", "top.inner.inner", "K"), ("DropField", "top.inner.inner.text", "K")}),
]


@pytest.mark.parametrize(("before", "after", "expected"), CHANGES)
def test_another_depth_adds_or_drops_the_fields_of_a_level(before: int, after: int, expected: set[Any]) -> None:
    changes = diff("store", ENGINE.parts, database(before), database(after), ("shop",))
    fields = [change for change in changes if type(change).__name__ in ("AddField", "DropField")]
    assert {
        (type(change).__name__, change.path[-1], row_of(ENGINE.classes, change).classes) for change in fields
    } == expected
