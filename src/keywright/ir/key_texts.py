"""The texts that a key template can write, for the checks of ambiguity, collision and prefix."""

import itertools
import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any

from keywright.record import Record

from .attribute import Attribute, Scalar
from .entity import resolve
from .template import TIME_WIDTHS, Placeholder, Template
from .time_format import constants_of

DIGITS = frozenset("0123456789")
_TIME = DIGITS | frozenset("-:.TWZ")
_HEX = DIGITS | frozenset("abcdef-")

Letters = frozenset[str] | None
"""The allowed characters at one place; None for any."""


class Piece(Record):
    """A run of characters inside a key."""

    letters: Letters
    """The allowed characters."""
    width: int | None
    """Number of characters; None for any number."""


ANY = Piece(None, None)
"""A run of any text."""


def expression(piece: Piece) -> str:
    """The regular expression of a run of characters, for a pattern with DOTALL."""
    signs = "." if piece.letters is None else f"[{re.escape(''.join(sorted(piece.letters)))}]"
    return f"{signs}*" if piece.width is None else f"{signs}{{{piece.width}}}"


def pieces(template: Template, attributes: tuple[Attribute, ...]) -> tuple[Piece, ...]:
    """The runs of a template, constants character by character; an unknown field counts as any text."""
    runs: list[Piece] = []
    for part in template.parts:
        if isinstance(part, str):
            runs += [Piece(frozenset(letter), 1) for letter in part]
        else:
            runs += _of_placeholder(part, attributes)
    return tuple(runs)


def _of_placeholder(placeholder: Placeholder, attributes: tuple[Attribute, ...]) -> list[Piece]:
    inner = value_piece(placeholder, attributes)
    if placeholder.is_tag:
        return [Piece(frozenset("{"), 1), inner, Piece(frozenset("}"), 1)]
    attributes_of_path = resolve(attributes, placeholder.path)
    type = attributes_of_path[-1].type if attributes_of_path else None
    if not placeholder.filters and isinstance(type, Scalar) and type.kind == "string" and type.pattern:
        return list(_runs_of_pattern(type.pattern)) or [inner]
    return [inner]


def value_piece(placeholder: Placeholder, attributes: tuple[Attribute, ...]) -> Piece:
    """The run of a placeholder, without the braces of a tag; an unknown field counts as any text."""
    names = [filter.name for filter in placeholder.filters]
    width = next((filter.width for filter in placeholder.filters if filter.width), None)
    if width:
        format = next((filter.format for filter in placeholder.filters if filter.format), "")
        if format:
            return Piece(DIGITS | constants_of(format), width)
        is_time = any(name in TIME_WIDTHS for name in names)
        return Piece(_TIME if is_time else DIGITS, width)
    attributes_of_path = resolve(attributes, placeholder.path)
    type = attributes_of_path[-1].type if attributes_of_path else None
    if not isinstance(type, Scalar):
        return ANY
    piece = _of_scalar(type)
    if "upper" in names or "lower" in names:
        return _cased(piece, str.upper if "upper" in names else str.lower)
    return piece


def _cased(piece: Piece, change: Callable[[str], str]) -> Piece:
    """The run after a change of case, which turns some non-ASCII characters into two: `ß` becomes `SS`."""
    if piece.letters is None:
        return ANY
    changed = frozenset("".join(map(change, piece.letters)))
    return Piece(changed, piece.width if all(letter.isascii() for letter in piece.letters) else None)


def _of_scalar(type: Scalar) -> Piece:
    if type.constants:
        texts = [str(constant).lower() if isinstance(constant, bool) else str(constant) for constant in type.constants]
        widths = {len(text) for text in texts}
        return Piece(frozenset("".join(texts)), widths.pop() if len(widths) == 1 else None)
    if type.kind == "integer":
        return Piece(DIGITS | {"-"}, None)
    if type.kind == "uuid":
        return Piece(_HEX, 36)
    if type.kind == "boolean":
        return Piece(frozenset("truefalse"), None)
    if type.kind == "date":
        return Piece(_TIME, 10)
    if type.kind == "string" and type.pattern:
        return _of_pattern(type.pattern)
    fixed = type.min_length if type.min_length is not None and type.min_length == type.max_length else None
    return Piece(None, fixed)


@lru_cache(maxsize=1024)
def _of_pattern(pattern: str) -> Piece:
    """Characters and width of an anchored regular expression; any text if the expression leaves them open."""
    parsed = _parsed(pattern)
    if not (parsed and _is_at(parsed[0], "AT_BEGINNING") and _is_at(parsed[-1], "AT_END")):
        return ANY
    return _of_nodes(parsed)


@lru_cache(maxsize=1024)
def _runs_of_pattern(pattern: str) -> tuple[Piece, ...]:
    """The runs of a regular expression with a constant beginning or end, such as `^USER#`; empty for any other."""
    parsed = _parsed(pattern)
    if not (parsed and _is_at(parsed[0], "AT_BEGINNING")):
        return ()
    is_closed = _is_at(parsed[-1], "AT_END")
    nodes = parsed[1 : len(parsed) - is_closed]
    constants = [str(node[0]) == "LITERAL" for node in nodes]
    head = constants.index(False) if False in constants else len(constants)
    tail = constants[::-1].index(False) if is_closed and head < len(constants) else 0
    inner = [] if is_closed and head == len(constants) else [_of_nodes(nodes[head : len(nodes) - tail])]
    letters = [Piece(frozenset(chr(code)), 1) for _, code in (*nodes[:head], *nodes[len(nodes) - tail :])]
    if not letters:
        return ()
    return (*letters[:head], *(inner if is_closed else [ANY]), *letters[head:])


def _parsed(pattern: str) -> Any:
    """The nodes of a regular expression; None if it does not parse, or ignores case."""
    try:
        # The parser of `re` has no public name; any other parser could disagree with it.
        parsed = re._parser.parse(pattern)  # type: ignore[attr-defined]
    except (re.error, RecursionError):
        return None
    return None if parsed.state.flags & re.IGNORECASE else parsed


def _of_nodes(parsed: Any) -> Piece:
    low, high = parsed.getwidth()
    letters: set[str] = set()
    for node_letters in _letters(parsed):
        if node_letters is None:
            return Piece(None, int(low) if low == high else None)
        letters |= node_letters
    return Piece(frozenset(letters), int(low) if low == high else None)


def _is_at(node: Any, place: str) -> bool:
    return str(node[0]) == "AT" and str(node[1]) == place


def _letters(parsed: Any) -> Iterator[Letters]:
    """The characters that each node of a parsed pattern can write; None for any."""
    for operator, argument in parsed:
        match str(operator):
            case "AT":
                pass
            case "LITERAL":
                yield frozenset(chr(argument))
            case "IN":
                yield from map(_of_class, argument)
            case "MAX_REPEAT" | "MIN_REPEAT":
                yield from _letters(argument[2])
            case "SUBPATTERN" if not argument[1]:  # without flags, such as IGNORECASE
                yield from _letters(argument[3])
            case "BRANCH":
                for branch in argument[1]:
                    yield from _letters(branch)
            case _:
                yield None


def _of_class(item: tuple[Any, Any]) -> Letters:
    match str(item[0]), item[1]:
        case "LITERAL", code:
            return frozenset(chr(code))
        case "RANGE", (low, high) if high - low < 256:
            return frozenset(map(chr, range(low, high + 1)))
        case _:
            return None  # negated classes, and \d and \w, which contain the digits and letters of every script


def is_ambiguous(written: tuple[Piece, ...]) -> bool:
    """Whether two lists of values could write the same text.

    The text between runs of open width separates them. Runs before some run are read from the left, runs after it
    from the right; that run itself gets the remaining text, and may contain anything.
    """
    open_at = [place for place, piece in enumerate(written) if piece.width is None]
    gaps = [written[left + 1 : right] for left, right in itertools.pairwise(open_at)]
    ends = [_is_separated(written[run], gap) for run, gap in zip(open_at, gaps, strict=False)]
    begins = [_is_separated(written[run], gap[::-1]) for run, gap in zip(open_at[1:], gaps, strict=True)]
    return not any(all(ends[:index]) and all(begins[index:]) for index in range(len(gaps) + 1))


def _is_separated(run: Piece, gap: tuple[Piece, ...]) -> bool:
    """Whether the gap after a run has a constant character that is neither in the run nor earlier in the gap."""
    before = run.letters
    for piece in gap:
        if before is None:
            return False
        if piece.letters is not None and len(piece.letters) == 1 and not piece.letters & before:
            return True
        before = None if piece.letters is None else before | piece.letters
    return False


def can_share(first: tuple[Piece, ...], second: tuple[Piece, ...]) -> bool:
    """Whether both can write the same text."""
    return _intersects(first, second, is_prefix=False)


def can_begin(prefix: tuple[Piece, ...], text: tuple[Piece, ...]) -> bool:
    """Whether a text of `text` can begin with a text of `prefix`."""
    return _intersects(prefix, text, is_prefix=True)


def _intersects(first: tuple[Piece, ...], second: tuple[Piece, ...], *, is_prefix: bool) -> bool:
    """Searches the product of both automata, character by character."""
    left, right = _states(first), _states(second)
    visited, waiting = {(0, 0)}, [(0, 0)]
    while waiting:
        i, j = waiting.pop()
        if i == len(left) and (is_prefix or j == len(right)):
            return True
        steps: list[tuple[int, int]] = []
        if i < len(left) and left[i].width is None:
            steps.append((i + 1, j))
        if j < len(right) and right[j].width is None:
            steps.append((i, j + 1))
        if i < len(left) and j < len(right) and _overlap(left[i].letters, right[j].letters):
            steps.append((i if left[i].width is None else i + 1, j if right[j].width is None else j + 1))
        for step in steps:
            if step not in visited:
                visited.add(step)
                waiting.append(step)
    return False


def _states(written: tuple[Piece, ...]) -> list[Piece]:
    states: list[Piece] = []
    for piece in written:
        states += [piece] if piece.width is None else [Piece(piece.letters, 1)] * piece.width
    return states


def _overlap(first: Letters, second: Letters) -> bool:
    return first is None or second is None or bool(first & second)
