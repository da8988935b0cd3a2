"""The plain meaning of patterns, on a few instances."""

from datetime import timedelta
from typing import Any

import pytest
from tests.access.asking import asking
from tests.prove.things import BINDING, READ, START, THINGS, Line, Thing

from keywright.access.query import Condition, Ordering
from keywright.ir.pattern import ConstantCondition, Measure
from keywright.prove.answer import aggregated, matching, misplaced, places, surplus
from keywright.prove.values import holds
from keywright.runtime.validate.arguments import Arguments


def found(values: dict[str, Any], **asked: Any) -> list[str]:
    return [thing.id for thing in matching(THINGS, asking(**asked), Arguments(values), READ)]


@pytest.mark.parametrize(
    ("asked", "values", "ids"),
    [
        ({"eq": ("owner",)}, {"owner": "bob"}, ["t0", "t3"]),
        ({"one_of": ("size",)}, {"size": [1, 2, 9]}, ["t1", "t2"]),
        ({"range": "size"}, {"size": (2, 3)}, ["t2", "t3"]),
        ({"range": "size"}, {"size": (4, None)}, ["t4", "t5"]),
        ({"range": "at"}, {"at": (None, START)}, ["t0"]),
        ({"prefix": "id"}, {"id": "t5"}, ["t5"]),
        ({"eq": ("month",)}, {"month": "2026-01"}, ["t0", "t1"]),
        ({"where": (ConstantCondition("size", "at_least", (4,)),)}, {}, ["t4", "t5"]),
        ({"where": (ConstantCondition("size", "below", (2,)),)}, {}, ["t0", "t1"]),
        ({"where": (ConstantCondition("note", "present"),)}, {}, []),
        ({"where": (ConstantCondition("owner", "not", ("ann",)),)}, {}, ["t0", "t3"]),
    ],
)
def test_conditions_mean_what_they_say(asked: dict[str, Any], values: dict[str, Any], ids: list[str]) -> None:
    assert found(values, **asked) == ids


@pytest.mark.parametrize(
    ("how", "given", "is_true"),
    [
        ("contains", ("a",), True),
        ("contains", ("c",), False),
        ("all_of", ("b", "a"), True),
        ("all_of", ("a", "c"), False),
        ("exactly", ("b", "a"), True),
        ("exactly", ("a",), False),
    ],
)
def test_lists_are_asked_as_a_whole(how: Any, given: tuple[str, ...], is_true: bool) -> None:
    assert holds(Thing(id="t", tags=["a", "b"]), Condition("tags", how), given, READ) == is_true


def test_a_wrong_order_is_found_and_equals_may_come_either_way() -> None:
    twins = [Thing(id="a", size=1), Thing(id="b", size=1), Thing(id="c", size=2)]
    assert misplaced(twins, [Ordering("size")], READ) is None
    assert misplaced([twins[1], twins[0], twins[2]], [Ordering("size")], READ) is None
    assert misplaced(twins, [Ordering("size"), Ordering("id", is_descending=True)], READ) is not None
    assert misplaced(twins[::-1], [Ordering("size")], READ) is not None
    assert misplaced(twins[::-1], [Ordering("size", is_descending=True)], READ) is None


def test_what_is_too_many_and_what_is_missing_is_counted() -> None:
    assert surplus([1, 1, 2], [1, 2, 3]) == ([1], [3])


def test_a_place_among_equals_may_be_any_of_theirs() -> None:
    scores = [Thing(id=str(n), size=size) for n, size in enumerate((5, 3, 3, 1))]
    assert places(scores[0], scores, Ordering("size", is_descending=True), READ) == range(1)
    assert places(scores[1], scores, Ordering("size", is_descending=True), READ) == range(1, 3)
    assert places(scores[3], scores, Ordering("size"), READ) == range(1)


def test_an_aggregate_counts_orders_not_their_lines() -> None:
    entry = Thing(id="a", lines=[Line(kind="x", amount=2), Line(kind="x", amount=3), Line(kind="y", amount=5)])
    thing = Thing(id="b", at=START + timedelta(days=1), lines=[Line(kind="x", amount=7)])
    measures = (
        Measure("sum", "sum", "lines.amount"),
        Measure("mean", "avg", "lines.amount"),
        Measure("n", "distinct", "id"),
    )
    query = asking("aggregate", group=("{at:month}", "{lines.kind}"), measures=measures)
    assert aggregated([entry, thing], query, BINDING, READ) == [
        {"{at:month}": "2026-01", "{lines.kind}": "x", "sum": 12, "mean": 4, "n": 2},
        {"{at:month}": "2026-01", "{lines.kind}": "y", "sum": 5, "mean": 5, "n": 1},
    ]
