"""Forms of Pydantic whose stored value would be read as another value: each is refused, and its way out compiles."""

from pathlib import Path

import pytest
from tests.projects import errors_of, told, with_imports

from keywright.record import Record

MODEL = """
import dataclasses
import re
from collections import OrderedDict
from collections.abc import Iterable

from pydantic import (
    AliasChoices, Base64Bytes, BeforeValidator, ConfigDict, Json, PlainSerializer, RootModel, Secret, SerializeAsAny,
    SkipValidation, TypeAdapter, field_serializer, field_validator, model_serializer,
)
from typing_extensions import TypedDict

content = kw.MongoDatabase("content")

class Part(BaseModel):
    a: int

class Tags(RootModel[list[str]]):
    pass

class Row(TypedDict):
    a: int

@dataclasses.dataclass
class Made:
    a: int
    b: int = dataclasses.field(init=False, default=3)

class Moment(datetime):
    pass

class Colour(Enum):
    RED = "r"

class Thing(BaseModel):
    __store__: ClassVar = kw.Collection(content, "things", id="{id}")

    id: str
    FORM

put_thing = kw.Put(Thing)
"""


class Refused(Record):
    """A form that is refused."""

    form: str
    """The lines of the model."""
    problem: str
    """The beginning of the message, without its place."""
    way_out: str
    """The lines that the help proposes."""


SERIALIZED = 'x: int\n    @field_serializer("x"{})\n    def text(self, x: int) -> str:\n        return str(x)'
WHOLE = "x: int\n    @model_serializer{}\n    def whole(self) -> dict[str, int]:\n        return {{}}"
PARSED = 'x: dict[str, int]\n    @field_validator("x", mode="before")\n    @classmethod\n    '
PARSED += (
    "def parse(cls, x: Any) -> Any:\n        return TypeAdapter(Json).validate_python(x) if isinstance(x, str) else x"
)

REFUSED = [
    Refused(
        'model_config = ConfigDict(extra="allow")', 'extra="allow" keeps undeclared fields, which would not be stored',
        'model_config = ConfigDict(extra="ignore")\n    more: dict[str, Any] = {}',
    ),
    Refused(
        SERIALIZED.format(""), 'field "x": the serializer "text" is not used',
        SERIALIZED.format(', when_used="json"'),
    ),
    Refused(WHOLE.format(""), 'the serializer "whole" is not used', WHOLE.format('(when_used="json")')),
    Refused("x: Annotated[int, PlainSerializer(str)]", 'field "x": its serializer is not used', "x: int"),
    Refused(
        'x: int = Field(5, validation_alias=AliasChoices("k", "y"))\n    y: int = 3',
        'field "x": its alias "y" is also the name of "y"', 'x: int = Field(5, validation_alias="k")\n    y: int = 3',
    ),
    Refused("x: int = Field(exclude=True)", 'field "x": it is excluded', "x: int = Field(0, exclude=True)"),
    Refused("x: Json[dict[str, int]]", 'field "x": Json[...] parses text', PARSED),
    Refused("x: Base64Bytes", 'field "x": its text is decoded', "x: bytes"),
    Refused("x: SkipValidation[Part]", 'field "x": SkipValidation takes no stored value', "x: Part"),
    Refused("x: SerializeAsAny[Part]", 'field "x": SerializeAsAny keeps fields', "x: Part"),
    Refused("x: Iterable[int]", 'field "x": "Iterable" cannot be stored', "x: list[int]"),
    Refused("x: OrderedDict[str, int]", 'field "x": "OrderedDict" cannot be stored', "x: dict[str, int]"),
    Refused("x: re.Pattern", 'field "x": "Pattern" cannot be stored', "x: str"),
    Refused("x: Secret[str]", 'field "x": "Secret" cannot be stored', "x: str"),
    Refused(
        "model_config = ConfigDict(arbitrary_types_allowed=True)\n    x: Moment",
        'field "x": "Moment" takes only its own instances', "x: datetime",
    ),
    Refused("x: Tags", 'field "x": "Tags" is a root model', "x: list[str]"),
    Refused("x: Row", 'field "x": "Row" is a TypedDict, whose values have no class', "x: Part"),
    Refused("x: Made", 'field "b": a field that the constructor does not accept', "x: Part"),
    Refused(
        "x: Literal[Colour.RED]", 'field "x": the values of an Enum or Literal must have one type', 'x: Literal["r"]',
    ),
]  # fmt: skip


@pytest.mark.parametrize("refused", REFUSED, ids=lambda refused: refused.form.partition("\n")[0])
def test_a_form_that_changes_stored_values_is_refused_and_its_way_out_compiles(
    refused: Refused, tmp_path: Path
) -> None:
    source = with_imports(MODEL)
    errors = errors_of(tmp_path, source.replace("FORM", refused.form))
    (head, *lines) = told(errors, tmp_path).splitlines()
    place, _, message = head.partition(": error[E0204]: ")
    assert message.startswith(refused.problem), head
    assert place.startswith("models/case.py:")
    assert place.split()[0] != "models/case.py:0"
    assert lines[0].startswith("  help: ")
    assert told(errors_of(tmp_path, source.replace("FORM", refused.way_out)), tmp_path) == ""
