"""What patterns ask, in the one form that path finders read."""

import pytest
from tests.access.asking import asking

from keywright.access.request import Asked, Ordering, parameters
from keywright.ir.pattern import Condition


def test_a_get_without_fields_means_the_key() -> None:
    assert asking("get").asked == (Asked("id", "equals"),)


def test_a_read_without_fields_means_everything() -> None:
    assert asking("read").asked == ()


def test_constants_stand_behind_what_the_caller_gives_by_equality() -> None:
    asked = asking(eq=("user",), where=(Condition("state", "one_of", ("a", "b")),), range="at", order=("-at",))
    assert asked.asked == (Asked("user", "equals"), Asked("state", "one_of", ("a", "b")), Asked("at", "between"))
    assert asked.order == (Ordering("at", is_descending=True),)


def test_the_caller_gives_what_has_no_constant() -> None:
    asked = asking(eq=("user",), where=(("state", "a"), Condition("note", "present")), search=("title", "body"))
    assert list(parameters(asked)) == [("user", "equals"), ("search", "search")]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        (Asked("a", "equals"), "a = :a"),
        (Asked("a", "equals", ("x",)), "a = 'x'"),
        (Asked("a", "one_of"), "a in :a"),
        (Asked("a", "one_of", (1, 2)), "a in (1, 2)"),
        (Asked("a", "at_least", (3,)), "a >= 3"),
        (Asked("a", "below", (3,)), "a < 3"),
        (Asked("a", "not", ("x",)), "a != 'x'"),
        (Asked("a", "present"), "a is present"),
        (Asked("a", "all_of"), "a all of :a"),
    ],
)
def test_conditions_are_worded_as_a_person_would(asked: Asked, words: str) -> None:
    assert str(asked) == words
