"""Declarations: their creation, and the errors that they report themselves."""

import threading
from datetime import date, timedelta
from typing import Any

import pytest

import keywright as kw
from keywright.declare.declared import Declared, subject
from keywright.errors import DeclarationError, gathering


class Shelf(Declared):
    """A declaration of a test."""

    name: str = subject(kw_only=False)
    """The name."""
    books: int
    """Number of books."""
    owner: str | None = None
    """The owner."""
    inner: "Shelf | None" = None
    """A shelf inside it."""


def errors_of(make: Any) -> list[tuple[str, str, str]]:
    """(code, problem, help) of each error."""
    with gathering() as errors:
        make()
    return [(error.code, error.problem, error.help) for error in errors]


def test_a_declaration_has_its_options_and_defaults() -> None:
    shelf = Shelf("A", books=3)
    assert (shelf.name, shelf.books, shelf.owner) == ("A", 3, None)
    assert repr(shelf) == "Shelf(name='A', books=3)"


def test_its_place_is_its_source_line() -> None:
    shelf = Shelf("A", books=3)
    assert shelf.at.file == __file__
    assert shelf.at.line == test_its_place_is_its_source_line.__code__.co_firstlineno + 1


def test_two_declarations_differ_even_with_equal_options() -> None:
    assert Shelf("A", books=3) != Shelf("A", books=3)


def test_the_subject_may_have_its_name() -> None:
    assert Shelf(name="A", books=3).name == "A"


@pytest.mark.parametrize(
    ("make", "error"),
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
                'Shelf(...) takes only "name" as a positional argument, but 2 were given',
                "write the others as keyword arguments: books=, owner=, inner=",
            ),
        ),
        (
            lambda: Shelf("A", name="B", books=3),
            ("E0504", 'Shelf(...) has "name" twice, as a positional and a keyword argument', "remove name=..."),
        ),
    ],
)
def test_wrong_options_are_rejected_one_by_one(make: Any, error: tuple[str, str, str]) -> None:
    assert errors_of(make) == [error]


def test_without_gathering_the_first_error_is_raised() -> None:
    with pytest.raises(DeclarationError, match="needs"):
        Shelf("A")  # type: ignore[call-arg]


def test_a_declaration_does_not_change() -> None:
    shelf = Shelf("A", books=3)
    with pytest.raises(DeclarationError) as error:
        shelf.books = 4  # type: ignore[misc]
    assert error.value.code == "E0505"
    assert shelf.books == 3


def test_a_declaration_with_an_incomplete_one_is_incomplete_and_silent() -> None:
    with gathering() as errors:
        outer = Shelf("A", books=3, inner=Shelf("B"))  # type: ignore[call-arg]
    assert [error.code for error in errors] == ["E0502"]
    assert outer.is_incomplete
    assert outer.is_rejected


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
    (lambda: kw.Size(avg=9, max=5), "Size(avg=9) is greater than max=5"),
]


@pytest.mark.parametrize(("make", "problem"), RANGES)
def test_figures_make_sense(make: Any, problem: str) -> None:
    ((code, actual, help),) = errors_of(make)
    assert (code, actual) == ("E0509", problem)
    assert help


@pytest.mark.parametrize(
    ("make", "help"),
    [
        (lambda: kw.Gsi("by", pk=("a", "b")), 'it takes text or a list of text: write ["a", "b"]'),
        (lambda: kw.Gsi("by", pk={"b", "a"}), 'it takes text or a list of text: write ["a", "b"]'),
        (
            lambda: kw.Item("shop"),
            'it takes kw.DynamoTable(...): write kw.DynamoTable("shop"), in a variable that its entities share',
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
def test_the_help_has_the_correction(make: Any, help: str) -> None:
    ((code, _, actual),) = errors_of(make)
    assert (code, actual) == ("E0503", help)


def test_a_date_is_printed_in_iso_form() -> None:
    ((_, problem, _),) = errors_of(
        lambda: kw.RedisHash(kw.RedisServer("a", role="cache"), key="k", ttl=date(2027, 3, 1))
    )
    assert problem == "RedisHash(ttl=...) does not take 2027-03-01"


@pytest.mark.parametrize("name", ["templates", "template", "check", "wrong", "at", "is_rejected", "self", "physical"])
def test_an_unknown_option_may_have_the_name_of_a_method(name: str) -> None:
    make: Any = kw.Collection
    errors = errors_of(lambda: make(kw.MongoDatabase("shop"), "orders", id="{order_id}", **{name: "x"}))
    assert [code for code, _, _ in errors] == ["E0501"]


def test_a_load_gathers_only_the_errors_of_its_own_thread() -> None:
    is_gathering, is_done = threading.Event(), threading.Event()
    raised: list[str] = []

    def declare() -> None:
        is_gathering.wait(10)
        try:
            Shelf("A", book=3)  # type: ignore[call-arg]
        except DeclarationError as error:
            raised.append(error.code)
        is_done.set()

    thread = threading.Thread(target=declare)
    thread.start()
    with gathering() as errors:
        is_gathering.set()
        is_done.wait(10)
    thread.join()
    assert raised == ["E0501"]
    assert errors == []
