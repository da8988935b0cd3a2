"""Transforms: their form, the paths that they read and write, and their results in Python."""

import contextlib
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from itertools import combinations, permutations, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.properties.transforms import described, items, texts, transforms

import keywright as kw
from keywright.errors import UsageError
from keywright.ir.apply_transform import REMOVED, ChangedValues, Poison, apply
from keywright.ir.transform import Transform, describe, of_upgrade, parse

AT = datetime(2026, 3, 14, 9, 26, 53, 589793, tzinfo=UTC)


def merged(item: Mapping[str, Any], values: ChangedValues | None) -> dict[str, Any]:
    """The item with new values."""
    values_by_name = {**item, **(values or {})}
    return {name: value for name, value in values_by_name.items() if value is not REMOVED}


def transformed(transform: dict[str, Any], **item: Any) -> dict[str, Any]:
    return merged(item, apply(parse(transform), item))


def everything() -> st.SearchStrategy[Any]:
    scalars = texts() | st.none() | st.booleans() | st.integers() | st.decimals(allow_nan=False) | st.floats()
    return scalars | st.datetimes(timezones=st.just(UTC)) | st.dates() | st.lists(st.integers(), max_size=2)


@given(transforms())
def test_a_transform_is_read_back_as_it_was_written(transform: Transform) -> None:
    assert parse(describe(transform)) == transform


@given(described())
def test_a_transform_without_a_clear_meaning_raises_only_a_usage_error(document: dict[str, Any]) -> None:
    with contextlib.suppress(UsageError):
        assert describe(parse(document))


@given(transforms(), items(everything()))
def test_a_transform_that_is_applied_twice_changes_an_item_once(transform: Transform, item: dict[str, Any]) -> None:
    if transform.only_once:
        return
    try:
        once = merged(item, apply(transform, item))
    except Poison:
        return
    assert apply(transform, once) is None


@given(transforms(), items(everything()), items(everything()))
def test_only_values_that_are_read_determine_the_result(transform: Transform, item: Any, other: Any) -> None:
    used = {*transform.reads, *transform.writes}
    unused = {name: value for name, value in other.items() if name not in used}
    read_values = {name: value for name, value in item.items() if name in used}
    try:
        changed_values = apply(transform, read_values)
    except Poison:
        with pytest.raises(Poison):
            apply(transform, read_values | unused)
        return
    assert apply(transform, read_values | unused) == changed_values
    assert set(changed_values or {}) <= set(transform.writes)


@pytest.mark.parametrize(
    ("transform", "before", "after"),
    [
        ({"copy": {"b": "a"}}, {"a": 1}, {"a": 1, "b": 1}),
        ({"copy": {"b": "a"}}, {"b": 2}, {"b": 2}),
        ({"copy": {"b": "a"}}, {"a": None}, {"a": None, "b": None}),
        ({"copy": {"b": "a", "c": "b"}}, {"a": 1, "b": 2}, {"a": 1, "b": 1, "c": 2}),
        ({"rename": {"b": "a"}}, {"a": 1, "b": 2}, {"b": 1}),
        ({"rename": {"b": "a", "a": "b"}}, {"a": 1, "b": 2}, {"a": 2, "b": 1}),
        ({"split": {"name": {"on": " ", "into": ["first", "last"]}}}, {"name": "Ada King Noel"},
         {"name": "Ada King Noel", "first": "Ada", "last": "King Noel"}),
        ({"split": {"name": {"on": " ", "into": ["first", "last"]}}}, {"name": "Cher"},
         {"name": "Cher", "first": "Cher"}),
        ({"cast": {"n": "int"}}, {"n": "-042"}, {"n": -42}),
        ({"cast": {"n": "decimal"}}, {"n": "1.50"}, {"n": Decimal("1.50")}),
        ({"cast": {"n": "str"}}, {"n": AT}, {"n": "2026-03-14T09:26:53.589793Z"}),
        ({"cast": {"n": "bool"}}, {"n": "false"}, {"n": False}),
        ({"cast": {"n": "datetime"}}, {"n": "2026-03-14T11:26:53.589793+02:00"}, {"n": AT}),
        ({"map": {"s": {"new": "placed"}}}, {"s": "new"}, {"s": "placed"}),
        ({"map": {"s": {"new": "placed"}}}, {"s": "paid"}, {"s": "paid"}),
        ({"map": {"s": {"1": "one"}}}, {"s": 1}, {"s": "one"}),
        ({"set": {"k": "{s}#{at:date}"}}, {"s": "new", "at": AT}, {"s": "new", "at": AT, "k": "new#2026-03-14"}),
        ({"set": {"k": "{s}#{at:date}"}}, {"s": "new", "k": "old"}, {"s": "new", "k": "old"}),
        ({"set": {"k": "{n}"}}, {"n": 5}, {"n": 5, "k": 5}),
        ({"set": {"tier": "free", "points": 0}}, {"points": 7}, {"tier": "free", "points": 7}),
        ({"set": {"tier": "free"}}, {"tier": None}, {"tier": "free"}),
        ({"unset": ["a", "b"]}, {"a": 1}, {}),
        ({"copy": {"b": "a"}, "cast": {"b": "int"}, "unset": ["a"]}, {"a": "5"}, {"b": 5}),
        ({"split": {"name": {"on": " ", "into": ["first"]}}, "unset": ["name"]}, {"name": "A B"}, {"first": "A B"}),
    ],
)  # fmt: skip
def test_each_step_has_its_result(transform: dict[str, Any], before: Any, after: Any) -> None:
    assert transformed(transform, **before) == after


@pytest.mark.parametrize(
    ("filter", "value", "text"),
    [
        (":iso", AT, "2026-03-14T09:26:53.589793Z"),
        (":iso", "2026-03-14T09:26:53Z", "2026-03-14T09:26:53.000000Z"),
        (":date", AT.astimezone(timezone(timedelta(hours=15))), "2026-03-14"),
        (":date", "2026-03-14", "2026-03-14"),
        (":month", date(2026, 3, 14), "2026-03"),
        (":week", datetime(2024, 12, 30, tzinfo=UTC), "2025-W01"),
        (":hour", AT, "2026-03-14T09"),
        (":pad(4)", 42, "0042"),
        (":pad(4)", "42", "0042"),
        (":pad(4)", Decimal(42), "0042"),
        (":shard(16)", "ada", "08"),
        (":upper", "aß", "ASS"),
        (":tag", True, "{true}"),
        ("", Decimal("1.50"), "1.50"),
    ],
)  # fmt: skip
def test_each_filter_writes_what_the_runtime_writes(filter: str, value: Any, text: str) -> None:
    assert transformed({"set": {"k": f"-{{v{filter}}}"}}, v=value)["k"] == f"-{text}"


@pytest.mark.parametrize(
    ("transform", "item"),
    [
        ({"cast": {"n": "int"}}, {"n": "4.5"}),
        ({"cast": {"n": "int"}}, {"n": float("inf")}),
        ({"cast": {"n": "decimal"}}, {"n": "many"}),
        ({"cast": {"n": "bool"}}, {"n": "yes"}),
        ({"cast": {"n": "datetime"}}, {"n": "2026-02-30T00:00:00Z"}),
        ({"cast": {"n": "datetime"}}, {"n": datetime(2026, 1, 1)}),
        ({"cast": {"n": "str"}}, {"n": [1]}),
        ({"split": {"n": {"on": " ", "into": ["a"]}}}, {"n": 1}),
        ({"set": {"k": "{n:date}"}}, {"n": 1}),
        ({"set": {"k": "{n:pad(2)}"}}, {"n": 100}),
        ({"set": {"k": "{n:pad(2)}"}}, {"n": -1}),
        ({"set": {"k": "{n:pad(2)}"}}, {"n": True}),
        ({"copy": {"b": "a.x"}}, {"a": [1]}),
        ({"copy": {"b.x": "a"}}, {"a": 1}),
    ],
)
def test_an_item_that_cannot_be_transformed_is_poison(transform: dict[str, Any], item: dict[str, Any]) -> None:
    with pytest.raises(Poison):
        apply(parse(transform), item)


def test_the_reason_of_poison_does_not_contain_the_value() -> None:
    with pytest.raises(Poison) as poison:
        apply(parse({"cast": {"iban": "int"}}), {"iban": "CH93 0076"})
    assert str(poison.value) == '"iban" is a str that cannot be read as int'


def test_paths_lead_into_embedded_documents() -> None:
    transform = parse({"copy": {"address.town": "address.city"}, "unset": ["address.city"]})
    item = {"address": {"city": "Bern"}}
    assert apply(transform, item) == {"address.town": "Bern", "address.city": REMOVED}
    assert apply(transform, {}) is None


def test_reads_and_writes_are_derived() -> None:
    transform = parse({"copy": {"b": "a"}, "set": {"k": "{s}#{at:date}", "tier": "free"}, "unset": ["old"]})
    assert (transform.reads, transform.writes) == (("a", "at", "s", "tier"), ("b", "k", "old", "tier"))


@pytest.mark.parametrize(
    ("document", "path"),
    [
        ({"map": {"s": {"new": "old", "old": "gone"}}}, "s"),
        ({"rename": {"b": "a", "a": "b"}}, "a"),
        ({"split": {"n": {"on": " ", "into": ["n", "m"]}}}, "n"),
        ({"set": {"k": "x{k}"}}, "k"),
        ({"copy": {"b": "a"}, "cast": {"a": "int"}}, "a"),
        ({"copy": {"b": "a"}, "rename": {"b": "c"}}, "b"),
        ({"split": {"n": {"on": " ", "into": ["m"]}}, "set": {"m": "{k}"}, "unset": ["k"]}, "m"),
        ({"copy": {"b": "a"}, "rename": {"b": "c"}, "unset": ["a"]}, ""),
        ({"map": {"s": {"new": "placed"}}}, ""),
        ({"set": {"k": "{s}", "tier": "free"}}, ""),
        ({"rename": {"b": "a"}}, ""),
    ],
)
def test_a_path_that_would_change_twice_is_detected(document: dict[str, Any], path: str) -> None:
    assert parse(document).only_once == path


def small_transforms() -> Iterator[Transform]:
    """Every valid transform with up to three kinds of step, one step each, over three paths."""
    pairs: list[Any] = [{new: old} for new, old in permutations("abc", 2)]
    parts = [into for path in "abc" for size in (1, 2) for into in permutations(sorted({*"abc"} - {path}), size)]
    kinds: dict[str, list[Any]] = {
        "copy": pairs,
        "rename": pairs,
        "split": [{path: {"on": " ", "into": list(into)}} for path in "abc" for into in parts if path not in into],
        "cast": [{path: "int"} for path in "abc"],
        "map": [{path: {"1": "2 3"}} for path in "abc"],
        "set": [{path: value} for path in "abc" for value in ("{a}", "{b}", "{c}", "free")],
        "unset": [[path] for path in "abc"],
    }
    for size in (1, 2, 3):
        for chosen in combinations(kinds, size):
            for steps in product(*(kinds[kind] for kind in chosen)):
                with contextlib.suppress(UsageError):
                    yield parse(dict(zip(chosen, steps, strict=True)))


def test_no_small_transform_changes_an_item_twice_unless_it_is_detected() -> None:
    values = [(), ("1",), ("2 3",)]
    small_items = [
        {path: value for path, present in zip("abc", each, strict=True) for value in present}
        for each in product(values, repeat=3)
    ]
    for transform in small_transforms():
        if transform.only_once:
            continue
        for item in small_items:
            try:
                once = merged(item, apply(transform, item))
            except Poison:
                continue
            assert apply(transform, once) is None, (transform, item)


@pytest.mark.parametrize(
    "document",
    [
        {}, [], {"add": {}}, {"copy": ["a"]}, {"set": {"k": "{a"}}, {"set": {"k": "{a:nope}"}},
        {"set": {"k": "{:shard(4)}"}},
        {"cast": {"a": "float"}}, {"split": {"a": {"on": "", "into": ["b"]}}}, {"split": {"a": {"on": " "}}},
        {"copy": {"a": "a.b"}}, {"set": {"k": None}}, {"set": {"k": float("nan")}},
        {"map": {"k": {"a": [1]}}}, {"unset": ["a..b"]},
        {"split": {"a": {"on": " ", "into": ["x", "y"]}, "b": {"on": " ", "into": ["x"]}}},
    ],
)  # fmt: skip
def test_a_transform_without_a_clear_meaning_is_rejected(document: Any) -> None:
    with pytest.raises(UsageError, match=r"transform: "):
        parse(document)


def test_an_upgrade_becomes_a_transform_over_stored_names() -> None:
    upgrade = kw.Upgrade(
        copy={"mail": "email"}, split={"full_name": kw.Split(on=" ", into=["first", "last"])}, cast={"age": "int"},
        map={"status": {"new": "placed"}}, set={"day": "{status}#{placed_at:date}", "tier": "free"}, unset=["fax"],
    )  # fmt: skip
    transform = of_upgrade(upgrade, lambda path: {"placed_at": "pa", "full_name": "fn"}.get(path, path))
    assert describe(transform) == {
        "copy": {"mail": "email"},
        "split": {"fn": {"on": " ", "into": ["first", "last"]}},
        "cast": {"age": "int"},
        "map": {"status": {"new": "placed"}},
        "set": {"day": "{status}#{pa:date}", "tier": "free"},
        "unset": ["fax"],
    }


def test_a_stored_form_determines_equality() -> None:
    transform = parse({"cast": {"at": "datetime"}})
    text = "2026-03-14T09:26:53.589793Z"
    assert apply(transform, {"at": text}, lambda path, value: text) is None
    with pytest.raises(Poison):
        apply(transform, {"at": text}, lambda path, value: int("x"))
