"""Queries of patterns, the input of every planner."""

import pytest
from tests.access.asking import asking

from keywright.access.query import Condition, Ordering, parameters
from keywright.ir.pattern import ConstantCondition


def test_a_get_without_fields_means_the_key() -> None:
    assert asking("get").conditions == (Condition("id", "equals"),)


def test_a_read_without_fields_means_everything() -> None:
    assert asking("read").conditions == ()


def test_constants_follow_the_equalities_of_the_caller() -> None:
    query = asking(eq=("user",), where=(ConstantCondition("state", "one_of", ("a", "b")),), range="at", order=("-at",))
    assert query.conditions == (
        Condition("user", "equals"),
        Condition("state", "one_of", ("a", "b")),
        Condition("at", "between"),
    )
    assert query.order == (Ordering("at", is_descending=True),)


def test_conditions_without_constants_are_parameters() -> None:
    query = asking(eq=("user",), where=(("state", "a"), ConstantCondition("note", "present")), search=("title", "body"))
    assert list(parameters(query)) == [("user", "equals"), ("search", "search")]


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        (Condition("a", "equals"), "a = :a"),
        (Condition("a", "equals", ("x",)), "a = 'x'"),
        (Condition("a", "one_of"), "a in :a"),
        (Condition("a", "one_of", (1, 2)), "a in (1, 2)"),
        (Condition("a", "at_least", (3,)), "a >= 3"),
        (Condition("a", "below", (3,)), "a < 3"),
        (Condition("a", "not", ("x",)), "a != 'x'"),
        (Condition("a", "present"), "a is present"),
        (Condition("a", "all_of"), "a all of :a"),
    ],
)
def test_conditions_have_a_readable_text(condition: Condition, words: str) -> None:
    assert str(condition) == words
