"""Texts that key templates can write: examples, and brute force over small alphabets."""

from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keywright.ir.attribute import Attribute, Constant, Scalar, ScalarKind
from keywright.ir.key_texts import DIGITS, Piece, can_begin, can_share, is_ambiguous, pieces
from keywright.ir.template import parse

ALPHABET = "a#"


def a_field(name: str, kind: ScalarKind = "string", **facts: object) -> Attribute:
    return Attribute(name, name, name, Scalar(kind, **facts))  # type: ignore[arg-type]


def constant(text: str) -> tuple[Piece, ...]:
    return tuple(Piece(frozenset(letter), 1) for letter in text)


def of(template: str, *fields: Attribute) -> tuple[Piece, ...]:
    return pieces(parse(template), fields)


def test_constants_are_written_letter_by_letter() -> None:
    assert of("AB") == constant("AB")


@pytest.mark.parametrize(
    ("template", "field", "piece"),
    [
        ("{x}", a_field("x"), Piece(None, None)),
        ("{x}", a_field("x", min_length=3, max_length=3), Piece(None, 3)),
        ("{x}", a_field("x", pattern="^[ab]{2}$"), Piece(frozenset("ab"), 2)),
        ("{x}", a_field("x", pattern="^[ab]+$"), Piece(frozenset("ab"), None)),
        ("{x}", a_field("x", pattern="[ab]+"), Piece(None, None)),
        ("{x}", a_field("x", pattern="^a|b$"), Piece(None, None)),
        ("{x}", a_field("x", pattern="^(?i:ab)$"), Piece(None, 2)),
        ("{x}", a_field("x", pattern="^[^a]$"), Piece(None, 1)),
        ("{x}", a_field("x", pattern=r"^\d+$"), Piece(None, None)),
        ("{x}", a_field("x", pattern="^(a|b)c?$"), Piece(frozenset("abc"), None)),
        ("{x}", a_field("x", pattern="^($"), Piece(None, None)),
        ("{x}", a_field("x", constants=("on", "off")), Piece(frozenset("onf"), None)),
        ("{x}", a_field("x", constants=("on", "of")), Piece(frozenset("onf"), 2)),
        ("{x}", a_field("x", "boolean", constants=(True,)), Piece(frozenset("true"), 4)),
        ("{x}", a_field("x", "boolean"), Piece(frozenset("truefalse"), None)),
        ("{x}", a_field("x", "integer"), Piece(DIGITS | {"-"}, None)),
        ("{x:pad(4)}", a_field("x", "integer"), Piece(DIGITS, 4)),
        ("{x:shard(16)}", a_field("x"), Piece(DIGITS, 2)),
        ("{x}", a_field("x", "uuid"), Piece(DIGITS | frozenset("abcdef-"), 36)),
        ("{x:lower}", a_field("x", pattern="^[AB]$"), Piece(frozenset("ab"), 1)),
        ("{x:upper}", a_field("x", constants=("ß",)), Piece(frozenset("S"), None)),
        ("{x:upper}", a_field("x", min_length=1, max_length=1), Piece(None, None)),
        ("{unknown}", a_field("x"), Piece(None, None)),
    ],
)
def test_the_type_of_a_field_determines_its_texts(template: str, field: Attribute, piece: Piece) -> None:
    assert of(template, field) == (piece,)


@pytest.mark.parametrize(
    ("pattern", "written"),
    [
        ("^USER#", (*constant("USER#"), Piece(None, None))),
        ("^USER$", constant("USER")),
        ("^U#[ab]+$", (*constant("U#"), Piece(frozenset("ab"), None))),
        ("^U#.+#x$", (*constant("U#"), Piece(None, None), *constant("#x"))),
        ("^.+#x$", (Piece(None, None), *constant("#x"))),
        ("USER#", (Piece(None, None),)),
        ("^(?i:U)#", (Piece(None, None),)),
    ],
)
def test_a_pattern_has_a_constant_beginning_and_end(pattern: str, written: tuple[Piece, ...]) -> None:
    assert of("{x}", a_field("x", pattern=pattern)) == written


def test_a_tag_is_written_in_braces() -> None:
    assert of("{x:tag}", a_field("x")) == (*constant("{"), Piece(None, None), *constant("}"))


def test_a_time_with_a_format_contains_no_separator() -> None:
    (piece,) = of("{x:iso}", a_field("x", "datetime"))
    assert piece.width == 27
    assert piece.letters is not None
    assert "#" not in piece.letters


SLUG = {"pattern": "^[a-z]+$"}
CLOSED: dict[str, tuple[Constant, ...]] = {"constants": ("on", "off")}


@pytest.mark.parametrize(
    ("template", "is_clear"),
    [
        ("{any}", True), ("A#{any}", True), ("{slug}#{any}", True), ("{any}#{slug}", True), ("{any}#{other}", False),
        ("{slug}#{any}#{closed}", True), ("{any}#{slug}#{other}", False), ("{day:date}#{any}#{slug}", True),
        ("{any}x{slug}", False), ("{any}#{day:date}", True), ("{any}#{closed}#{slug}", True),
    ],
)  # fmt: skip
def test_values_are_separated_by_the_text_between_them(template: str, is_clear: bool) -> None:
    fields = (
        a_field("any"), a_field("other"), a_field("slug", **SLUG), a_field("closed", **CLOSED), a_field("day", "date"),
    )  # fmt: skip
    assert is_ambiguous(of(template, *fields)) is not is_clear


LETTERS = st.sampled_from([frozenset("a"), frozenset("#"), frozenset("a#"), None])
PIECES = st.one_of(
    st.sampled_from([Piece(frozenset("a"), 1), Piece(frozenset("#"), 1)]),
    st.builds(Piece, LETTERS, st.sampled_from([1, 2])),
    st.builds(Piece, LETTERS, st.none()),
)


def texts(piece: Piece, longest: int) -> list[str]:
    """Every text of a run, up to a length for an open width."""
    letters = ALPHABET if piece.letters is None else sorted(piece.letters)
    widths = range(longest + 1) if piece.width is None else (piece.width,)
    return ["".join(characters) for width in widths for characters in product(letters, repeat=width)]


def writings(written: tuple[Piece, ...], longest: int) -> list[str]:
    return ["".join(parts) for parts in product(*(texts(piece, longest) for piece in written))]


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=4).map(tuple))
def test_a_text_that_can_be_written_in_two_ways_is_ambiguous(written: tuple[Piece, ...]) -> None:
    written_texts = writings(written, longest=3)
    if len(written_texts) > len(set(written_texts)):
        assert is_ambiguous(written)


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=2).map(tuple), st.lists(PIECES, max_size=2).map(tuple))
def test_templates_share_a_text_exactly_if_some_text_is_written_by_both(
    first: tuple[Piece, ...], second: tuple[Piece, ...]
) -> None:
    assert can_share(first, second) == bool(set(writings(first, longest=5)) & set(writings(second, longest=5)))


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=2).map(tuple), st.lists(PIECES, max_size=2).map(tuple))
def test_a_prefix_catches_exactly_the_texts_that_begin_with_it(
    prefix: tuple[Piece, ...], text: tuple[Piece, ...]
) -> None:
    beginnings = {written[:end] for written in writings(text, longest=5) for end in range(len(written) + 1)}
    assert can_begin(prefix, text) == bool(set(writings(prefix, longest=3)) & beginnings)
