"""Models as DynamoDB items, without a server between."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, ClassVar

import pytest
from boto3.dynamodb.types import Binary
from models import shop
from pydantic import AliasChoices, AliasPath, BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel
from tests.engines.dynamodb.everything import (
    EMPTY,
    INSTANCES,
    MOMENT,
    OTHERS,
    OWNER,
    Colour,
    Copied,
    Draw,
    Log,
    Other,
    Owner,
    Reading,
    Session,
    Strict,
    Ticket,
    Usual,
    values,
)

import keywright as kw
from keywright import runtime
from keywright.frontend.lower import binding_of
from keywright.runtime.dynamodb import functions

GOLDEN = Path(__file__).parents[2] / "golden" / "runtime" / "order.py.txt"
PART = {
    "a": {"N": "9.90"}, "tags": {"SS": ["a", "b"]}, "given": {"N": "7"}, "at": {"S": "2026-11-21T16:05:09.123456Z"},
    "owner": {"S": str(OWNER)},
}  # fmt: skip


def test_the_code_of_the_worked_example_is_what_a_person_would_write(is_golden: Callable[[Path, str], bool]) -> None:
    binding = binding_of("Order", shop.Order)
    assert binding is not None
    assert is_golden(GOLDEN, functions(binding, shop.Order).text)


@pytest.mark.parametrize("instance", [*INSTANCES, *OTHERS], ids=lambda entry: type(entry).__name__)
def test_a_part_of_an_item_has_the_values_of_the_whole(instance: BaseModel) -> None:
    codec, item = runtime.codec_of(type(instance)), runtime.to_item(instance)
    full, part = codec.from_item(item), codec.from_part(item)
    assert type(part) is type(full)
    assert part.__dict__ == {name: vars(full)[name] for name in part.model_fields_set}
    assert codec.from_part({}).model_fields_set == set()


@pytest.mark.parametrize("instance", [*INSTANCES, *OTHERS], ids=lambda entry: type(entry).__name__)
def test_an_item_is_read_back(instance: BaseModel) -> None:
    for item in runtime.to_items(instance):
        assert runtime.from_item(type(instance), item) == instance


@pytest.mark.parametrize("instance", [*INSTANCES, *OTHERS], ids=lambda entry: type(entry).__name__)
def test_every_item_begins_with_its_key(instance: BaseModel) -> None:
    key, item = runtime.key_of(instance), runtime.to_item(instance)
    assert {name: item[name] for name in key} == key


def test_an_item_holds_native_values() -> None:
    assert runtime.to_item(Usual(**values())) == {
        "pk": {"S": "USUAL#é b"},
        "sk": {"S": "VALUES"},
        "name": {"S": "é b"},
        "number": {"N": "-7"},
        "real": {"N": "0.1"},
        "exact": {"N": "12.30"},
        "truth": {"BOOL": True},
        "raw": {"B": b"\0\xff"},
        "moment": {"S": "2026-11-21T16:05:09.123456Z"},
        "day": {"S": "2026-11-21"},
        "clock": {"S": "16:05:09.123456"},
        "span": {"N": "-86399.999999"},
        "identity": {"S": str(OWNER)},
        "anything": {
            "M": {
                "a": {"L": [{"N": "1"}, {"N": "2.5"}, {"NULL": True}, {"S": "x"}, {"BOOL": True}, {"L": []}]},
                "b": {"N": str(2**40)},
            }
        },
        "whatever": {"M": {"raw": {"B": b"\0"}}},
        "url": {"S": "https://example.org/"},
        "address": {"S": "10.0.0.1"},
        "colour": {"S": "red"},
        "level": {"N": "2"},
        "word": {"S": "on"},
        "optional": {"S": "here"},
        "given": {"N": "7"},
        "Select": {"S": "some"},
        "listed": {"L": [{"M": PART}, {"M": {"a": {"N": "1"}, "given": {"NULL": True}}}]},
        "words": {"SS": ["", "a", "b"]},
        "numbers": {"NS": ["-2", "10", "3"]},
        "exacts": {"NS": ["1.50", "2"]},
        "blobs": {"BS": [b"", b"\xff"]},
        "days": {"SS": ["2025-01-02", "2026-01-02"]},
        "colours": {"SS": ["green", "red"]},
        "truths": {"L": [{"BOOL": False}, {"BOOL": True}]},
        "gapped": {"L": [{"NULL": True} if entry is None else {"N": "1"} for entry in {1, None}]},
        "maybe": {"SS": ["usual"]},
        "mapped": {"M": {"one": {"N": "1.0"}, "two": {"N": "-2E+3"}}},
        "counted": {"M": {"red": {"N": "1"}}},
        "gaps": {"L": [{"N": "1"}, {"NULL": True}, {"N": str(2**40)}]},
        "holes": {"M": {"a": {"NULL": True}, "b": {"S": ""}}},
        "pair": {"L": [{"N": "1"}, {"N": "2"}]},
        "nested": {"M": {"k": {"L": [{"M": PART}]}}},
        "groups": {"L": [{"SS": ["a"]}, {"L": []}]},
        "part": {"M": PART},
        "month": {"S": "2026-11"},
        "again": {"N": "12.30"},
        "cased": {"S": "É B"},
        "entity_type": {"S": "Usual"},
        "_kw_v": {"N": "2"},
    }


def test_an_item_holds_the_native_types_that_were_chosen() -> None:
    item = runtime.to_item(Other(**values()))
    chosen = {
        "optional": {"B": b"here"}, "number": {"S": "-7"}, "real": {"S": "0.1"}, "exact": {"S": "12.30"},
        "moment": {"N": "1795277109.123456"}, "day": {"N": "1795219200"}, "span": {"S": "-86399.999999"},
        "identity": {"B": OWNER.bytes}, "anything": {"S": '{"a":[1,2.5,null,"x",true,[]],"b":1099511627776}'},
        "words": {"L": [{"S": ""}, {"S": "a"}, {"S": "b"}]}, "colours": {"L": [{"S": "green"}, {"S": "red"}]},
        "days": {"L": [{"S": "2025-01-02"}, {"S": "2026-01-02"}]},
    }  # fmt: skip
    assert {name: item[name] for name in chosen} == chosen
    assert item["part"]["M"]["a"] == {"S": "9.90"}
    assert item["listed"]["L"][0]["M"]["owner"] == {"B": OWNER.bytes}
    assert item["listed"]["L"][0]["M"]["at"] == {"N": "1795277109.123456"}


def test_an_empty_set_is_absent_and_none_is_null_where_there_is_a_default() -> None:
    item = runtime.to_item(Usual(**EMPTY))
    assert not {"words", "numbers", "blobs", "optional"} & item.keys()
    assert (item["given"], item["maybe"]) == ({"NULL": True}, {"NULL": True})
    assert runtime.to_item(Usual(**values(maybe=set())))["maybe"] == {"L": []}


def test_an_attribute_that_older_items_lack_takes_its_default() -> None:
    item = runtime.to_item(Usual(**values(given=None, maybe=None)))
    assert "spare" not in item
    for name in ("given", "maybe", "Select"):
        del item[name]
    read = runtime.from_item(Usual, item)
    assert (read.given, read.maybe, read.select, read.spare) == (7, {"usual"}, "all", None)


def test_an_item_that_lacks_a_required_attribute_is_refused_by_the_model() -> None:
    item = runtime.to_item(Usual(**values()))
    del item["number"]
    with pytest.raises(ValidationError, match="number"):
        runtime.from_item(Usual, item)


def test_bytes_are_read_in_the_class_of_the_other_interface_too() -> None:
    item = runtime.to_item(Usual(**values())) | {"raw": {"B": Binary(b"\0\xff")}}
    assert runtime.from_item(Usual, item) == Usual(**values())


# Values that no item can hold.

BAD: list[tuple[dict[str, Any], str]] = [
    ({"real": float("nan")}, "it is not a finite number, which DynamoDB requires"),
    ({"real": float("-inf")}, "it is not a finite number, which DynamoDB requires"),
    ({"real": 1e126}, "it is out of range: DynamoDB stores zero, and magnitudes from 1E-130 to 9.9E125"),
    ({"real": 5e-324}, "it is out of range: DynamoDB stores zero, and magnitudes from 1E-130 to 9.9E125"),
    ({"exact": Decimal("1" * 39)}, "it has more than 38 digits, which DynamoDB does not store"),
    ({"exact": Decimal("NaN")}, "it is not a finite number, which DynamoDB requires"),
    ({"exact": Decimal("1E-131")}, "it is out of range: DynamoDB stores zero"),
    ({"number": 10**38 + 1}, "it has more than 38 digits, which DynamoDB does not store"),
    ({"exacts": {Decimal("Infinity")}}, "it is not a finite number, which DynamoDB requires"),
    ({"anything": [float("nan")]}, "it is not a finite number, which DynamoDB requires"),
    ({"whatever": {"at": MOMENT}}, "datetime is not a JSON value"),
    ({"moment": datetime(2026, 1, 1)}, "it has no time zone: use datetime.now(UTC), or AwareDatetime"),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "problem"), BAD)
def test_a_value_that_cannot_be_held_is_refused_before_it_is_sent(changes: dict[str, Any], problem: str) -> None:
    instance = Usual(**values()).model_copy(update=changes)
    with pytest.raises((ValueError, TypeError)) as refused:
        runtime.to_item(instance)
    assert problem in str(refused.value)


@pytest.mark.parametrize("number", [Decimal("1." + "0" * 60), 10**60, -(10**38) + 1, Decimal("0E-200"), -0.0, 1e125])
def test_zeros_do_not_count_as_digits(number: Any) -> None:
    field = {Decimal: "exact", int: "number", float: "real"}[type(number)]
    item = runtime.to_item(Usual(**values(**{field: number})))
    assert getattr(runtime.from_item(Usual, item), field) == number


# Keys.


def test_a_natural_key_has_its_own_types() -> None:
    reading = Reading(sensor=7, s=b"\0\1", at=MOMENT)
    assert runtime.key_of(reading) == {"sensor": {"N": "7"}, "s": {"B": b"\0\1"}}


def test_null_is_left_out_of_keys_and_no_discriminator_is_written() -> None:
    item = runtime.to_item(Reading(sensor=7, s=b"", at=MOMENT))
    assert sorted(item) == ["at", "month", "raw", "s", "sensor"]


def test_keys_of_an_index_are_there_when_all_conditions_hold() -> None:
    ticket = Ticket(
        key=OWNER, number=42, at=MOMENT, day=date(2026, 1, 1), title="Süß", priority=2, owner=Owner(team="a")
    )
    item = runtime.to_item(ticket)
    assert {name: item.get(name) for name in ("gsi1pk", "gsi1sk", "gsi2pk")} == {
        "gsi1pk": {"S": "TITLE#6#2026-11.1"},
        "gsi1sk": {"S": "SÜSS"},
        "gsi2pk": {"S": "TEAM#a"},
    }


LEFT_OUT: list[tuple[dict[str, Any], set[str]]] = [
    ({"status": "closed"}, {"gsi2pk"}),
    ({"priority": None}, {"gsi2pk"}),
    ({"priority": 1}, {"gsi2pk"}),
    ({"at": MOMENT - timedelta(days=30)}, {"gsi2pk"}),
    ({"owner": None}, {"gsi1pk", "gsi1sk"}),
    ({"owner": Owner()}, {"gsi1pk", "gsi1sk"}),
    ({"seen": True}, {"gsi1pk", "gsi1sk"}),
]


@pytest.mark.parametrize(("changes", "there"), LEFT_OUT)
def test_keys_of_an_index_are_left_out_when_a_condition_fails(changes: dict[str, Any], there: set[str]) -> None:
    fields: dict[str, Any] = {"key": OWNER, "number": 42, "at": MOMENT, "day": date(2026, 1, 1), "title": "x"}
    item = runtime.to_item(Ticket(**{**fields, "priority": 2, "owner": Owner(team="a"), **changes}))
    assert {name for name in item if name.startswith("gsi")} == there


def test_a_drawn_shard_is_drawn_on_each_write() -> None:
    drawn = {runtime.to_item(Draw(name="a"))["pk"]["S"] for _ in range(200)}
    assert len(drawn) > 20
    assert all(entry.startswith("DRAW#a#") and len(entry) == len("DRAW#a#00") for entry in drawn)


def test_copies_have_keys_of_their_own() -> None:
    items = runtime.to_items(Copied(number=7))
    assert [item["pk"] for item in items] == [{"S": "7#0"}, {"S": "7#1"}, {"S": "7#2"}]
    assert runtime.key_of(Copied(number=7)) == {"pk": {"S": "7#0"}, "sk": {"S": "COPY"}}


# Expiry.


def test_an_expiry_is_whole_epoch_seconds_and_never_too_early() -> None:
    item = runtime.to_item(Session(name="a", ends=MOMENT))
    assert item["ends"] == {"N": "1795277110"}
    assert runtime.from_item(Session, item).ends == datetime(2026, 11, 21, 16, 5, 10, tzinfo=UTC)


def test_what_does_not_expire_has_no_time_at_which_it_does() -> None:
    assert "ends" not in runtime.to_item(Session(name="a", ends=None))
    assert "at_expires" not in runtime.to_item(Log(name="a"))


def test_an_expiry_after_a_delay_is_beside_the_field_which_stays_exact() -> None:
    item = runtime.to_item(Log(name="a", at=MOMENT))
    assert (item["at"], item["at_expires"]) == ({"N": "1795277109.123456"}, {"N": str(1795277110 + 7 * 86400)})


# Settings of models.


def test_a_strict_model_takes_what_it_wrote() -> None:
    strict = next(instance for instance in OTHERS if isinstance(instance, Strict))
    item = runtime.to_item(strict)
    assert sorted(item) == ["Out", "entity_type", "inner", "levels", "pk", "sk", "theName"]
    assert runtime.from_item(Strict, item).model_dump() == strict.model_dump()


class Choices(BaseModel):
    __store__: ClassVar = kw.Item(kw.DynamoTable("choices", sk=None), pk="CHOICES#{one}")

    one: int = Field(validation_alias=AliasChoices("first", "uno"))
    two: int = Field(validation_alias=AliasPath("second", "value"))


class ByName(BaseModel):
    model_config = ConfigDict(validate_by_name=True, validate_by_alias=False, alias_generator=to_camel)
    __store__: ClassVar = kw.Item(kw.DynamoTable("by-name", sk=None), pk="BY_NAME#{the_name}")

    the_name: str


class Deferred(kw.Model):
    model_config = ConfigDict(alias_generator=to_camel, use_enum_values=True)
    __store__: ClassVar = kw.Item(kw.DynamoTable("deferred", sk=None), pk="DEFERRED#{the_colour}")

    the_colour: Colour


@pytest.mark.parametrize(
    ("instance", "names"),
    [
        (Choices.model_validate({"first": 1, "second": {"value": 2}}), {"one", "two"}),
        (ByName(the_name="x"), {"theName"}),
        (Deferred.model_validate({"theColour": "red"}), {"theColour"}),
    ],
)
def test_a_model_takes_what_it_wrote_whatever_it_says_of_aliases(instance: BaseModel, names: set[str]) -> None:
    item = runtime.to_item(instance)
    assert item.keys() == {"pk", "entity_type"} | names
    assert runtime.from_item(type(instance), item) == instance
