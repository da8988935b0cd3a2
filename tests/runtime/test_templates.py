"""Key templates as code, and back from keys to values."""

from datetime import UTC, date, datetime
from typing import Any, ClassVar, Literal
from uuid import UUID

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

import keywright as kw
from keywright import runtime
from keywright.frontend.lower import binding_of
from keywright.ir.attribute import Attribute
from keywright.ir.key_texts import is_ambiguous, pieces
from keywright.ir.template import parse
from keywright.runtime.items.templates import needed, reader

table = kw.DynamoTable("things", sk=None)
server = kw.RedisServer("things", role="sessions")
database = kw.MongoDatabase("things")


class Owner(BaseModel):
    name: str | None = None
    at: datetime | None = None


class Thing(BaseModel):
    __store__: ClassVar[Any] = kw.Item(table, pk="{identity}")

    identity: UUID
    name: str = ""
    number: int = 0
    at: datetime = datetime(2026, 11, 21, 16, tzinfo=UTC)
    day: date = date(2026, 11, 21)
    kind: Literal["a", "bc"] = "a"
    truth: bool = True
    owner: Owner | None = None


def attributes() -> tuple[Attribute, ...]:
    binding = binding_of("Thing", Thing)
    assert binding is not None
    return binding.entity.attributes


ATTRIBUTES = attributes()


def key(template: str, thing: Thing) -> str:
    """The key that a template makes of a thing."""
    created = runtime.key_of(thing, kw.bind(Thing, kw.Item(table, pk=template)))
    return str(created["pk"]["S"])


THING = Thing(identity=UUID(int=1), name="Ab", number=42)
WRITTEN = {
    "THING#{name}": "THING#Ab",
    "{name:lower}#": "ab#",
    "{name:upper}#{name:tag}": "AB#{Ab}",
    "{number:pad(5)}#": "00042#",
    "{at:iso}#{at:date}#{at:month}#{at:week}#{at:hour}": (
        "2026-11-21T16:00:00.000000Z#2026-11-21#2026-11#2026-W47#2026-11-21T16"
    ),
    "{day:date}#{day:month}#{day:week}": "2026-11-21#2026-11#2026-W47",
    "{identity}#{kind}#{truth}": "00000000-0000-0000-0000-000000000001#a#true",
    "{number:shard(8)}#{identity:shard(8)}#{kind:shard(8):tag}": "0#7#{3}",
    "'\\\"#{name}": "'\\\"#Ab",
}


@pytest.mark.parametrize(("template", "written"), WRITTEN.items())
def test_a_template_writes_the_values_of_a_thing(template: str, written: str) -> None:
    assert key(template, THING) == written


def test_a_shard_without_a_field_is_drawn_on_each_write() -> None:
    binding = kw.bind(Thing, kw.Item(table, pk="{name}#{:shard(12)}"))
    keys = {runtime.key_of(THING, binding)["pk"]["S"] for _ in range(500)}
    assert keys == {f"Ab#{number:02}" for number in range(12)}


PARTS: list[tuple[str, str, st.SearchStrategy[Any]]] = [
    ("{name}", "name", st.text()),
    ("{number:pad(6)}", "number", st.integers(0, 999_999)),
    ("{at:iso}", "at", st.datetimes(timezones=st.just(UTC))),
    ("{day:date}", "day", st.dates()),
    ("{kind}", "kind", st.sampled_from(["a", "bc"])),
    ("{truth:tag}", "truth", st.booleans()),
    ("{identity}", "identity", st.uuids()),
]


@settings(deadline=None)
@given(st.data())
def test_what_a_template_writes_is_read_back(data: st.DataObject) -> None:
    unique = st.lists(st.sampled_from(PARTS), min_size=1, max_size=4, unique_by=lambda part: part[1])
    parts = data.draw(unique, label="parts")
    template = parse("THING#" + "#".join(text for text, _, _ in parts))
    assume(not is_ambiguous(pieces(template, ATTRIBUTES)))
    values = {name: data.draw(strategy, label=name) for _, name, strategy in parts}
    thing = Thing.model_validate({"identity": UUID(int=1), **values})
    assert reader(template, ATTRIBUTES)(key(template.text, thing)) == values


def test_a_separator_inside_the_value_that_may_hold_it_is_read_as_part_of_it() -> None:
    assert reader(parse("{kind}#{name}"), ATTRIBUTES)("bc#x#y") == {"kind": "bc", "name": "x#y"}
    assert reader(parse("{name}#{kind}"), ATTRIBUTES)("x#y#bc") == {"name": "x#y", "kind": "bc"}


def test_values_of_which_a_part_is_written_are_not_read() -> None:
    template = "{name:lower}#{at:month}#{identity:shard(8)}#{:shard(12)}#{number:pad(4)}"
    assert reader(parse(template), ATTRIBUTES)("ab#2026-11#3#07#0042") == {"number": 42}


@pytest.mark.parametrize("text", ["THING#x#1", "OTHER#a#00001", "THING#a#0000a", "THING#a#00001#"])
def test_a_text_that_the_template_cannot_write_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=f'^"{text}" is not a key of "THING#{{kind}}#{{number:pad\\(5\\)}}"$'):
        reader(parse("THING#{kind}#{number:pad(5)}"), ATTRIBUTES)(text)


def test_fields_that_may_be_missing_are_named_from_the_outside_in() -> None:
    template = parse("{name}#{owner.name:lower}#{owner.at:iso}")
    assert needed(template, ATTRIBUTES) == ("owner", "owner.name", "owner.at")


# Computed attributes in the templates of every engine that has them.

COMPUTED = {"month": "{at:month}", "bucket": "{month}.{name:shard(4)}", "same": "{number}"}


class Usual(Thing):
    __store__: ClassVar = kw.Item(table, pk="{month}#{bucket:tag}#{same}#{bucket:upper}", computed=COMPUTED)


class Natural(Thing):
    __store__: ClassVar = kw.Item(kw.DynamoTable("numbers", pk="same", sk=None), computed=COMPUTED)


class Lone(Thing):
    __store__: ClassVar = kw.Item(table, pk="{same}", computed=COMPUTED)


class Hash(Thing):
    __store__: ClassVar = kw.RedisHash(server, key="thing:{bucket}:{month}", computed=COMPUTED)


class Document(Thing):
    __store__: ClassVar = kw.Collection(database, "things", id="{month}#{bucket}", computed=COMPUTED)


@pytest.mark.parametrize(
    ("model", "written"),
    [
        (Usual, {"pk": {"S": "2026-11#{2026-11.3}#42#2026-11.3"}}),
        (Natural, {"same": {"N": "42"}}),
        (Lone, {"pk": {"N": "42"}}),
        (Hash, "thing:2026-11.3:2026-11"),
        (Document, {"_id": "2026-11#2026-11.3"}),
    ],
)
def test_computed_attributes_stand_in_keys(model: type[Thing], written: object) -> None:
    assert runtime.key_of(model(identity=UUID(int=1), name="Ab", number=42)) == written
