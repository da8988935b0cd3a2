"""Declarations: how they are made, and what they refuse by themselves."""

from datetime import date, timedelta
from typing import Any

import pytest

import keywright as kw
from keywright.declare.declared import Declared, subject
from keywright.errors import DeclarationError, gathering


class Shelf(Declared):
    """A declaration of a test."""

    name: str = subject(kw_only=False)
    """What it is about."""
    books: int
    """How many books."""
    owner: str | None = None
    """Whose it is."""
    inner: "Shelf | None" = None
    """One inside it."""


def told(make: Any) -> list[tuple[str, str, str]]:
    """(code, problem, help) of everything that is refused."""
    with gathering() as errors:
        make()
    return [(error.code, error.problem, error.help) for error in errors]


def test_a_declaration_has_its_options_and_defaults() -> None:
    shelf = Shelf("A", books=3)
    assert (shelf.name, shelf.books, shelf.owner) == ("A", 3, None)
    assert repr(shelf) == "Shelf(name='A', books=3)"


def test_its_place_is_where_it_was_written() -> None:
    shelf = Shelf("A", books=3)
    assert shelf.at.file == __file__
    assert shelf.at.line == test_its_place_is_where_it_was_written.__code__.co_firstlineno + 1


def test_two_declarations_differ_even_if_they_say_the_same() -> None:
    assert Shelf("A", books=3) != Shelf("A", books=3)


def test_the_subject_may_have_its_name() -> None:
    assert Shelf(name="A", books=3).name == "A"


@pytest.mark.parametrize(
    ("make", "refused"),
    [
        (lambda: Shelf("A"), ("E0502", 'Shelf(...) needs "books"', "add books=...")),
        (lambda: Shelf("A", book=3), ("E0501", 'Shelf(...) has no option "book"', 'did you mean "books"?')),
        (
            lambda: Shelf("A", books=3, colour="red"),
            ("E0501", 'Shelf(...) has no option "colour"', 'it takes "name", "books", "owner", "inner"'),
        ),
        (lambda: Shelf("A", books="3"), ("E0503", 'Shelf(books=...) does not take "3"', "it takes an int")),
        (lambda: Shelf("A", books=True), ("E0503", "Shelf(books=...) does not take True", "it takes an int")),
        (lambda: Shelf("A", books=None), ("E0503", "Shelf(books=...) does not take None", "it takes an int")),
        (
            lambda: Shelf("A", 3),
            (
                "E0504",
                'Shelf(...) takes only "name" without keyword, 2 are given',
                "write the others with their names: books=, owner=, inner=",
            ),
        ),
        (
            lambda: Shelf("A", name="B", books=3),
            ("E0504", 'Shelf(...) is given "name" twice, without and with keyword', "leave out name=..."),
        ),
    ],
)
def test_wrong_options_are_refused_one_by_one(make: Any, refused: tuple[str, str, str]) -> None:
    assert told(make) == [refused]


def test_without_gathering_the_first_refusal_is_raised() -> None:
    with pytest.raises(DeclarationError, match="needs"):
        Shelf("A")  # type: ignore[call-arg]


def test_a_declaration_does_not_change() -> None:
    shelf = Shelf("A", books=3)
    with pytest.raises(DeclarationError) as error:
        shelf.books = 4  # type: ignore[misc]
    assert error.value.code == "E0505"
    assert shelf.books == 3


def test_what_rests_on_something_incomplete_is_incomplete_and_silent() -> None:
    with gathering() as errors:
        outer = Shelf("A", books=3, inner=Shelf("B"))  # type: ignore[call-arg]
    assert [error.code for error in errors] == ["E0502"]
    assert outer.is_incomplete
    assert outer.is_refused


RANGES = [
    (lambda: kw.Size(avg=0), "Size(avg=...) does not take 0, only 1 or more"),
    (lambda: kw.Cardinality(distinct=-1), "Cardinality(distinct=...) does not take -1, only 1 or more"),
    (lambda: kw.DynamoTable("shop", generation=0), "DynamoTable(generation=...) does not take 0, only 1 or more"),
    (
        lambda: kw.Item(kw.DynamoTable("shop"), active=1.5),
        "Item(active=...) does not take 1.5, only a share above 0 and up to 1",
    ),
    (
        lambda: kw.TimeWindow(window=timedelta(0)),
        "TimeWindow(window=...) does not take 0:00:00, only a time longer than 0",
    ),
    (lambda: kw.Size(avg=9, max=5), "Size(avg=9) is more than its max=5"),
]


@pytest.mark.parametrize(("make", "problem"), RANGES)
def test_figures_make_sense(make: Any, problem: str) -> None:
    ((code, said, help),) = told(make)
    assert (code, said) == ("E0509", problem)
    assert help


@pytest.mark.parametrize(
    ("make", "help"),
    [
        (lambda: kw.Gsi("by", pk=("a", "b")), 'it takes text or a list of text: write ["a", "b"]'),
        (lambda: kw.Gsi("by", pk={"b", "a"}), 'it takes text or a list of text: write ["a", "b"]'),
        (
            lambda: kw.Item("shop"),
            'it takes kw.DynamoTable(...): write kw.DynamoTable("shop"), kept in a variable that its entities share',
        ),
        (
            lambda: kw.Get("User"),
            "it takes a model class or kw.bind(...): write the class itself, User, below its definition",
        ),
        (lambda: kw.ignore("DDB011", reason="few", until="2027"), "it takes a date, such as date(2027, 3, 1)"),
        (lambda: kw.CutOver("SQL", stage="dual-writes", done=[]), 'did you mean "dual-write"?'),
        (lambda: kw.DynamoTable("shop", gsis=[3]), "it takes kw.Gsi(...)"),
        (lambda: kw.DynamoTable("shop", gsis=kw.Gsi("by", pk="a")), "it takes a list of kw.Gsi(...)"),
        (
            lambda: kw.Item(kw.DynamoTable("shop"), types={"total": "X"}),
            'known: "S", "N", "B", "SS", "NS", "BS", "L", "M"',
        ),
    ],
)
def test_the_help_says_what_to_write_instead(make: Any, help: str) -> None:
    ((code, _, said),) = told(make)
    assert (code, said) == ("E0503", help)


def test_a_date_is_shown_as_it_is() -> None:
    ((_, problem, _),) = told(lambda: kw.RedisHash(kw.RedisServer("a", role="cache"), key="k", ttl=date(2027, 3, 1)))
    assert problem == "RedisHash(ttl=...) does not take 2027-03-01"
