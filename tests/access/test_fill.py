"""Filling of key templates by patterns, and the part of an ordered key that a pattern reads."""

import pytest
from tests.access.asking import a_field, asking

from keywright.access.fill import Filled, Unfilled, fill
from keywright.access.key_range import follows, reading
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


def filled(template: str, *, is_write: bool = False, **options: object) -> Filled | Unfilled:
    return fill(parse(template), asking(**options), FIELDS, is_write=is_write)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("template", "options", "kinds", "fan_out"),
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
def test_a_template_is_filled(template: str, options: dict[str, object], kinds: list[str], fan_out: int | None) -> None:
    filled_template = filled(template, **options)
    assert isinstance(filled_template, Filled)
    assert [slot.kind for slot in filled_template.slots] == kinds
    assert filled_template.fan_out == fan_out


@pytest.mark.parametrize(
    ("template", "options", "path"),
    [
        ("USER#{user}", {}, "user"),
        ("USER#{user}", {"range": "user"}, "user"),
        ("{user}#{at:date}", {"eq": ("user",)}, "at"),
        ("{user}#{at:month}", {"eq": ("user",), "order": ("at",), "fan_out": 12}, "at"),
        ("{at:iso}", {"range": "at"}, "at"),
    ],
)
def test_a_template_is_not_filled(template: str, options: dict[str, object], path: str) -> None:
    unfilled = filled(template, **options)
    assert isinstance(unfilled, Unfilled)
    assert unfilled.path == path


def test_a_write_draws_its_shard() -> None:
    filled_template = filled("S#{user}#{:shard(10)}", is_write=True, eq=("user",))
    assert isinstance(filled_template, Filled)
    assert [slot.kind for slot in filled_template.slots] == ["value", "draw"]
    assert filled_template.fan_out == 1


def test_a_bucket_does_not_decide_the_time_in_it() -> None:
    filled_template = filled("{user}#{at:date}", eq=("user", "at"))
    assert isinstance(filled_template, Filled)
    assert [decide.field for decide in filled_template.decides] == ["user"]


@pytest.mark.parametrize(
    ("template", "options", "is_one", "ranges", "ordered", "decided"),
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
    template: str,
    options: dict[str, object],
    is_one: bool,
    ranges: list[str],
    ordered: tuple[str, ...],
    decided: list[str],
) -> None:
    key_range = reading(parse(template), asking(**options), FIELDS)  # type: ignore[arg-type]
    assert key_range.is_one == is_one
    assert [condition.field for condition in key_range.range] == ranges
    assert key_range.ordered == ordered
    assert [condition.field for condition in key_range.decides] == decided


@pytest.mark.parametrize(
    ("options", "ordered", "way"),
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
def test_an_order_is_followed_or_not(options: dict[str, object], ordered: tuple[str, ...], way: str | None) -> None:
    assert follows(asking(**options), ordered) == way  # type: ignore[arg-type]
