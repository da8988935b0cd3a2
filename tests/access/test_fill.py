"""How key templates are filled by what patterns ask, and what part of an ordered key they read."""

import pytest
from tests.access.asking import a_field, asking

from keywright.access.fill import Filled, Unfilled, fill
from keywright.access.reading import follows, reading
from keywright.ir.attribute import Scalar
from keywright.ir.template import parse

FIELDS = (
    a_field("user"),
    a_field("at", "datetime"),
    a_field("id"),
    a_field("n", "integer"),
    a_field("word", Scalar("string", pattern="^[a-z]+$")),
    a_field("state", Scalar("string", constants=("new", "paid"))),
)
DAY = 86_400


def filled(template: str, *, is_write: bool = False, **asked: object) -> Filled | Unfilled:
    return fill(parse(template), asking(**asked), FIELDS, is_write=is_write)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("template", "asked", "kinds", "fan_out"),
    [
        ("USER#{user}", {"eq": ("user",)}, ["value"], 1),
        ("USER#{user}", {"one_of": ("user",)}, ["values"], None),
        ("S#{user}#{:shard(10)}", {"eq": ("user",)}, ["value", "shards"], 10),
        ("S#{user:shard(8)}", {}, ["shards"], 8),
        ("S#{user:shard(8)}", {"eq": ("user",)}, ["value"], 1),
        ("{state}#{user:shard(4)}", {}, ["constants", "shards"], 8),
        ("{state}", {"where": (("state", "new"),)}, ["value"], 1),
        ("{user}#{at:date}", {"eq": ("user",), "range": "at", "span_seconds": 7 * DAY}, ["value", "buckets"], 8),
        ("{user}#{at:date}", {"eq": ("user",), "range": "at", "fan_out": 5}, ["value", "buckets"], 5),
        ("{user}#{at:month}", {"eq": ("user",), "order": ("-at",), "fan_out": 12}, ["value", "recent"], 12),
    ],
)
def test_a_template_is_filled(template: str, asked: dict[str, object], kinds: list[str], fan_out: int | None) -> None:
    found = filled(template, **asked)
    assert isinstance(found, Filled)
    assert [slot.kind for slot in found.slots] == kinds
    assert found.fan_out == fan_out


@pytest.mark.parametrize(
    ("template", "asked", "path"),
    [
        ("USER#{user}", {}, "user"),
        ("USER#{user}", {"range": "user"}, "user"),
        ("{user}#{at:date}", {"eq": ("user",)}, "at"),
        ("{user}#{at:month}", {"eq": ("user",), "order": ("at",), "fan_out": 12}, "at"),
        ("{at:iso}", {"range": "at"}, "at"),
    ],
)
def test_a_template_is_not_filled(template: str, asked: dict[str, object], path: str) -> None:
    found = filled(template, **asked)
    assert isinstance(found, Unfilled)
    assert found.path == path


def test_a_write_draws_its_shard() -> None:
    found = filled("S#{user}#{:shard(10)}", is_write=True, eq=("user",))
    assert isinstance(found, Filled)
    assert [slot.kind for slot in found.slots] == ["value", "draw"]
    assert found.fan_out == 1


def test_a_bucket_does_not_decide_the_moment_in_it() -> None:
    found = filled("{user}#{at:date}", eq=("user", "at"))
    assert isinstance(found, Filled)
    assert [one.field for one in found.decides] == ["user"]


@pytest.mark.parametrize(
    ("template", "asked", "one", "ranges", "ordered", "decided"),
    [
        ("O#{at:iso}#{id}", {"range": "at"}, False, ["at"], ("at", "id"), ["at"]),
        ("O#{at:iso}#{id}", {"eq": ("at", "id")}, True, [], ("at", "id"), ["at", "id"]),
        ("O#{at:iso}#{id}", {"eq": ("id",)}, False, [], ("at", "id"), []),
        ("O#{id}#{at:iso}", {"range": "at"}, False, [], (), []),
        ("{n:pad(6)}", {"range": "n"}, False, ["n"], ("n",), ["n"]),
        ("{n}", {"range": "n"}, False, ["n"], ("n",), ["n"]),
        ("N#{n}", {"range": "n"}, False, [], (), []),
        ("{word}#{id}", {"range": "word"}, False, ["word"], ("word", "id"), ["word"]),
        ("{user}#{id}", {"range": "user"}, False, [], (), []),
    ],
)  # fmt: skip
def test_part_of_a_key_is_read(
    template: str, asked: dict[str, object], one: bool, ranges: list[str], ordered: tuple[str, ...], decided: list[str]
) -> None:
    found = reading(parse(template), asking(**asked), FIELDS)  # type: ignore[arg-type]
    assert found.is_one == one
    assert [condition.field for condition in found.range] == ranges
    assert found.ordered == ordered
    assert [condition.field for condition in found.decides] == decided


@pytest.mark.parametrize(
    ("asked", "ordered", "way"),
    [
        ({"order": ("at",)}, ("at", "id"), "forward"),
        ({"order": ("-at",)}, ("at", "id"), "backward"),
        ({"order": ("-at", "-id")}, ("at", "id"), "backward"),
        ({"order": ("-at", "id")}, ("at", "id"), None),
        ({"order": ("id",)}, ("at", "id"), None),
        ({"order": ("id",), "eq": ("at",)}, ("at", "id"), "forward"),
        ({}, ("at", "id"), "forward"),
        ({"order": ("at",)}, (), None),
    ],
)
def test_an_order_is_followed_or_not(asked: dict[str, object], ordered: tuple[str, ...], way: str | None) -> None:
    assert follows(asking(**asked), ordered) == way  # type: ignore[arg-type]
