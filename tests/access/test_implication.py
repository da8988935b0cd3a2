"""Implication of conditions: examples, and soundness by brute force over small domains."""

from itertools import combinations, product
from typing import Any

import pytest
from tests.access.asking import a_field, a_list, equals

from keywright.access.predicate import All, Predicate, Some, implies
from keywright.access.predicate import Test as Holds
from keywright.access.request import Asked, How
from keywright.ir.attribute import Attribute, Scalar

STATE = a_field("state", Scalar("string", constants=("new", "paid", "gone")))
FIELDS = (STATE, a_field("size", "integer"), a_field("note", nullable=True), a_list("tags"))


NEW, PAID = Holds("state", "equals", ("new",)), Holds("state", "equals", ("paid",))


def follows(*asked: Asked, of: Predicate, by_type: bool = False) -> bool:
    return implies(asked, of, FIELDS, by_type=by_type)


@pytest.mark.parametrize(
    ("asked", "predicate"),
    [
        (equals("state", "new"), Holds("state", "equals", ("new",))),
        (equals("state", "new"), Holds("state", "one_of", ("new", "paid"))),
        (equals("state", "new"), Holds("state", "present")),
        (Asked("state", "one_of", ("new", "paid")), Holds("state", "one_of", ("new", "paid", "gone"))),
        (Asked("state", "one_of", ("new", "paid")), Some((NEW, PAID))),
        (Asked("size", "at_least", (8,)), Holds("size", "above", (5,))),
        (Asked("size", "at_least", (5,)), Holds("size", "at_least", (5,))),
        (Asked("size", "below", (5,)), Holds("size", "below", (6,))),
        (Asked("size", "below", (5,)), Holds("size", "at_most", (5,))),
        (equals("size"), Holds("size", "present")),
        (Asked("note", "present"), Holds("note", "present")),
        (equals("size", 3), All((Holds("size", "above", (2,)), Holds("size", "present")))),
    ],
)  # fmt: skip
def test_this_follows(asked: Asked, predicate: Predicate) -> None:
    assert follows(asked, of=predicate)


@pytest.mark.parametrize(
    ("asked", "predicate"),
    [
        (equals("state"), Holds("state", "equals", ("new",))),
        (equals("state"), Holds("state", "one_of", ("new", "paid", "gone"))),
        (Asked("state", "one_of", ("new", "gone")), Holds("state", "one_of", ("new", "paid"))),
        (Asked("size", "at_least", (5,)), Holds("size", "above", (5,))),
        (Asked("size", "below", (6,)), Holds("size", "below", (5,))),
        (equals("note"), Holds("note", "present")),
        (equals("size", 1), Holds("size", "equals", (True,))),
        (Asked("tags", "contains"), Holds("size", "present")),
        (Asked("state", "not", ("gone",)), Holds("state", "one_of", ("new", "paid"))),
        (equals("size", 3), Holds("size", "below", ("x",))),
    ],
)
def test_this_does_not_follow(asked: Asked, predicate: Predicate) -> None:
    assert not follows(asked, of=predicate)


def test_types_count_only_where_keywright_decides_what_is_in_an_index() -> None:
    every = Holds("state", "one_of", ("new", "paid", "gone"))
    assert follows(of=every, by_type=True)
    assert not follows(of=every, by_type=False)
    assert follows(of=Holds("size", "present"), by_type=True)
    assert not follows(of=Holds("note", "present"), by_type=True)
    assert not follows(of=Holds("tags", "present"), by_type=True)


DOMAIN: tuple[int, ...] = (0, 1, 2, 3)
HOWS: tuple[tuple[How, tuple[Any, ...]], ...] = (
    *(("equals", (value,)) for value in DOMAIN),
    *(("at_least", (value,)) for value in DOMAIN),
    *(("below", (value,)) for value in DOMAIN),
    *(("one_of", pair) for pair in combinations(DOMAIN, 2)),
    ("present", ()),
)


def is_true(how: str, values: tuple[Any, ...], value: int) -> bool:
    first = values[0] if values else 0
    return {
        "equals": value == first, "one_of": value in values, "at_least": value >= first, "above": value > first,
        "at_most": value <= first, "below": value < first, "present": True,
    }[how]  # fmt: skip


def test_what_is_called_implied_is() -> None:
    """Every pair of conditions against every test, over all values: nothing that is called implied fails one."""
    field: tuple[Attribute, ...] = (a_field("n", "integer"),)
    tests = [
        Holds("n", how, (value,)) for how in ("equals", "at_least", "above", "at_most", "below") for value in DOMAIN
    ]  # type: ignore[arg-type]
    tests += [Holds("n", "one_of", pair) for pair in combinations(DOMAIN, 2)]
    said = 0
    for one, other in product(HOWS, HOWS):
        asked = (Asked("n", one[0], one[1]), Asked("n", other[0], other[1]))
        values = [value for value in DOMAIN if is_true(*one, value) and is_true(*other, value)]
        for test in tests:
            if values and implies(asked, test, field, by_type=False):
                said += 1
                assert all(is_true(test.how, test.values, value) for value in values), (asked, test)
    assert said > 1_000
