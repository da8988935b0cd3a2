"""The vocabulary as a whole."""

import ast
from enum import Enum
from pathlib import Path

import pytest

import keywright as kw
from keywright.declare.names import is_rate, names, ordered
from keywright.declare.predicates import conditions
from keywright.ir.pattern import ConstantCondition, per_second

SOURCE = ast.parse(Path(str(kw.__file__)).read_text())


def test_every_word_can_be_loaded() -> None:
    assert [word for word in dir(kw) if not hasattr(kw, word)] == []


def test_type_checkers_see_the_same_words() -> None:
    asnames = {
        alias.asname
        for node in ast.walk(SOURCE)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.asname
    }
    assert asnames == {word for word in dir(kw) if not word.startswith("_")}


def test_a_word_that_does_not_exist_is_an_attribute_error_with_a_suggestion() -> None:
    with pytest.raises(AttributeError, match=r'"Colection"; did you mean "Collection"'):
        getattr(kw, "Colection")  # noqa: B009  # a type checker would refuse it


@pytest.mark.parametrize(
    ("text", "figure"),
    [("100/s", 100), ("50k/day", 50_000 / 86_400), ("1M/s", 1e6), ("0.5/min", 0.5 / 60), ("2G/month", 2e9 / 2_628_000)],
)
def test_a_rate_is_a_number_of_calls_per_second(text: str, figure: float) -> None:
    assert is_rate(text)
    assert per_second(text) == pytest.approx(figure)


@pytest.mark.parametrize("text", ["100", "100/sec", "k/s", "1 000/s", "-1/s", "50k per day", "1e3/s", ""])
def test_other_texts_are_no_rates(text: str) -> None:
    assert not is_rate(text)


def test_one_name_or_several_are_a_list() -> None:
    assert (names("a"), names(["a", "b"]), names(None)) == (["a"], ["a", "b"], [])
    assert ordered(["-a", "b"]) == ["a", "b"]


def test_conditions_have_one_form() -> None:
    declared = {
        "a": "x", "b": kw.OneOf([1, 2]), "c": kw.AtLeast(3), "d": kw.Below(4), "e": kw.Present(), "f": kw.Not("y"),
        "g": None,
    }  # fmt: skip
    assert conditions(declared) == (
        ConstantCondition("a", "equals", ("x",)),
        ConstantCondition("b", "one_of", (1, 2)),
        ConstantCondition("c", "at_least", (3,)),
        ConstantCondition("d", "below", (4,)),
        ConstantCondition("e", "present"),
        ConstantCondition("f", "not", ("y",)),
        ConstantCondition("g", "equals", (None,)),
    )


def test_a_member_of_an_enum_stands_for_its_value() -> None:
    colour = Enum("colour", {"RED": "r", "BLUE": "b"})
    declared = {"a": colour["RED"], "b": kw.OneOf(list(colour)), "c": kw.Not(colour["BLUE"])}
    assert conditions(declared) == (
        ConstantCondition("a", "equals", ("r",)),
        ConstantCondition("b", "one_of", ("r", "b")),
        ConstantCondition("c", "not", ("b",)),
    )
