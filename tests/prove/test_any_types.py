"""Proofs of fields of any type, whose values Python neither compares nor hashes."""

from random import Random
from typing import Any

from pydantic import BaseModel
from tests.access.asking import asking
from tests.prove.things import READ

from keywright.access.query import Condition, Ordering
from keywright.prove.answer import misplaced
from keywright.prove.choose import choose
from keywright.prove.values import holds


class Odd(BaseModel):
    """What has any values."""

    id: int
    at: Any = None
    codes: set[str] = set()


VALUES: list[Any] = [None, 1, "a", {"b": 1}, {"b": 1}, [2], {"c": [3]}, 0]
ODDS = [Odd(id=number, at=value, codes={"x", str(number)}) for number, value in enumerate(VALUES)]


def test_a_call_is_chosen_for_values_without_a_hash() -> None:
    calls = list(choose(asking(eq=("at",)), ODDS, READ, Random(0)))
    assert {"at": {"b": 1}} in [call.values for call in calls]


def test_an_order_is_judged_only_between_values_that_python_compares() -> None:
    order = (Ordering("at", False),)
    assert misplaced(ODDS[2:6], order, READ) is None
    assert misplaced([ODDS[1], ODDS[7]], order, READ) == (0, order[0])
    assert misplaced([ODDS[0], ODDS[1]], order, READ) is None


def test_a_set_is_found_as_a_whole() -> None:
    equal = Condition("codes", "equals")
    assert holds(ODDS[0], equal, ({"x", "0"},), READ)
    assert not holds(ODDS[0], equal, ({"x"},), READ)
