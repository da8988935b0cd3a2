"""Implication of conditions: examples, and soundness by brute force over small domains."""

from itertools import combinations, product
from typing import Any

import pytest
from tests.access.asking import a_field, a_list, equals

from keywright.access.implication import All, Predicate, Some, implies
from keywright.access.implication import FieldTest as Holds
from keywright.access.query import Condition, ConditionKind
from keywright.ir.attribute import Attribute, Scalar

STATE = a_field("state", Scalar("string", constants=("new", "paid", "gone")))
FIELDS = (STATE, a_field("size", "integer"), a_field("note", nullable=True), a_list("tags"))


NEW, PAID = Holds("state", "equals", ("new",)), Holds("state", "equals", ("paid",))


def follows(*conditions: Condition, of: Predicate, by_type: bool = False) -> bool:
    return implies(conditions, of, FIELDS, by_type=by_type)


@pytest.mark.parametrize(
    ("condition", "predicate"),
    [
        (equals("state", "new"), Holds("state", "equals", ("new",))),
        (equals("state", "new"), Holds("state", "one_of", ("new", "paid"))),
        (equals("state", "new"), Holds("state", "present")),
        (Condition("state", "one_of", ("new", "paid")), Holds("state", "one_of", ("new", "paid", "gone"))),
        (Condition("size", "at_least", (8,)), Holds("size", "above", (5,))),
        (Condition("size", "at_least", (5,)), Holds("size", "at_least", (5,))),
        (Condition("size", "below", (5,)), Holds("size", "below", (6,))),
        (Condition("size", "below", (5,)), Holds("size", "at_most", (5,))),
        (Condition("size", "above", (5,)), Holds("size", "above", (5,))),
        (Condition("size", "at_most", (4,)), Holds("size", "below", (5,))),
        (Condition("tags", "contains"), Holds("tags", "present")),
        (equals("size"), Holds("size", "present")),
        (Condition("note", "present"), Holds("note", "present")),
        (equals("size", 3), All((Holds("size", "above", (2,)), Holds("size", "present")))),
    ],
)  # fmt: skip
def test_these_conditions_imply_the_predicate(condition: Condition, predicate: Predicate) -> None:
    assert follows(condition, of=predicate)


@pytest.mark.parametrize(
    ("condition", "predicate"),
    [
        (equals("state"), Holds("state", "equals", ("new",))),
        (equals("state"), Holds("state", "one_of", ("new", "paid", "gone"))),
        (Condition("state", "one_of", ("new", "gone")), Holds("state", "one_of", ("new", "paid"))),
        (Condition("size", "at_least", (5,)), Holds("size", "above", (5,))),
        (Condition("size", "above", (4,)), Holds("size", "above", (5,))),
        (Condition("size", "at_most", (5,)), Holds("size", "below", (5,))),
        (Condition("state", "one_of", ("new", "paid")), Some((NEW, PAID))),
        (Condition("size", "below", (6,)), Holds("size", "below", (5,))),
        (equals("note"), Holds("note", "present")),
        (equals("size", 1), Holds("size", "equals", (True,))),
        (Condition("tags", "contains"), Holds("size", "present")),
        (Condition("state", "not", ("gone",)), Holds("state", "one_of", ("new", "paid"))),
        (equals("size", 3), Holds("size", "below", ("x",))),
    ],
)
def test_these_conditions_do_not_imply_the_predicate(condition: Condition, predicate: Predicate) -> None:
    assert not follows(condition, of=predicate)


def test_types_count_only_for_indexes_that_keywright_fills() -> None:
    every = Holds("state", "one_of", ("new", "paid", "gone"))
    assert follows(of=every, by_type=True)
    assert not follows(of=every, by_type=False)
    assert follows(of=Holds("size", "present"), by_type=True)
    assert not follows(of=Holds("note", "present"), by_type=True)
    assert not follows(of=Holds("tags", "present"), by_type=True)


DOMAIN: tuple[int, ...] = (0, 1, 2, 3)
HOWS: tuple[tuple[ConditionKind, tuple[Any, ...]], ...] = (
    *(("equals", (value,)) for value in DOMAIN),
    *(("at_least", (value,)) for value in DOMAIN),
    *(("above", (value,)) for value in DOMAIN),
    *(("at_most", (value,)) for value in DOMAIN),
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


def test_implication_is_sound() -> None:
    """Every pair of conditions against every test, over all values: an implied test holds for all of them."""
    field: tuple[Attribute, ...] = (a_field("n", "integer"),)
    tests = [
        Holds("n", how, (value,)) for how in ("equals", "at_least", "above", "at_most", "below") for value in DOMAIN
    ]  # type: ignore[arg-type]
    tests += [Holds("n", "one_of", pair) for pair in combinations(DOMAIN, 2)]
    implied = 0
    for first, second in product(HOWS, HOWS):
        conditions = (Condition("n", first[0], first[1]), Condition("n", second[0], second[1]))
        values = [value for value in DOMAIN if is_true(*first, value) and is_true(*second, value)]
        for test in tests:
            if values and implies(conditions, test, field, by_type=False):
                implied += 1
                assert all(is_true(test.kind, test.values, value) for value in values), (conditions, test)
    assert implied > 1_000
