"""Which texts a key template can write: what ambiguity, collision and prefix checks are decided by."""

import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from .attribute import Attribute, Scalar
from .entity import resolve
from .template import TIME_WIDTHS, Placeholder, Template

DIGITS = frozenset("0123456789")
_TIME = DIGITS | frozenset("-:.TWZ")
_HEX = DIGITS | frozenset("abcdef-")

Letters = frozenset[str] | None
"""The characters that may stand at one place; None for any."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of characters inside a key."""

    letters: Letters
    """The characters that it may hold."""
    width: int | None
    """How many there are; None for any number."""


def pieces(template: Template, attributes: tuple[Attribute, ...]) -> tuple[Piece, ...]:
    """The runs that a template writes, constants letter by letter; an unknown field counts as any text."""
    found: list[Piece] = []
    for part in template.parts:
        if isinstance(part, str):
            found += [Piece(frozenset(letter), 1) for letter in part]
        else:
            found += _of_placeholder(part, attributes)
    return tuple(found)


def _of_placeholder(placeholder: Placeholder, attributes: tuple[Attribute, ...]) -> list[Piece]:
    inner = _value(placeholder, attributes)
    if placeholder.is_tag:
        return [Piece(frozenset("{"), 1), inner, Piece(frozenset("}"), 1)]
    return [inner]


def _value(placeholder: Placeholder, attributes: tuple[Attribute, ...]) -> Piece:
    names = [filter.name for filter in placeholder.filters]
    width = next((filter.width for filter in placeholder.filters if filter.width), None)
    if width:
        is_time = any(name in TIME_WIDTHS for name in names)
        return Piece(_TIME if is_time else DIGITS, width)
    found = resolve(attributes, placeholder.path)
    type = found[-1].type if found else None
    if not isinstance(type, Scalar):
        return Piece(None, None)
    piece = _of_scalar(type)
    if "upper" in names or "lower" in names:
        return _cased(piece, str.upper if "upper" in names else str.lower)
    return piece


def _cased(piece: Piece, change: Callable[[str], str]) -> Piece:
    """The run after a change of case, which makes two letters of some that are not ASCII: `ß` becomes `SS`."""
    if piece.letters is None:
        return Piece(None, None)
    changed = frozenset("".join(map(change, piece.letters)))
    return Piece(changed, piece.width if all(letter.isascii() for letter in piece.letters) else None)


def _of_scalar(type: Scalar) -> Piece:
    if type.constants:
        texts = [str(one).lower() if isinstance(one, bool) else str(one) for one in type.constants]
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
    """Letters and width of an anchored regular expression; any text where it says too little."""
    try:
        # The parser of `re` has no public name; it is the one that decides what the pattern means.
        parsed = re._parser.parse(pattern)  # type: ignore[attr-defined]
    except (re.error, RecursionError):
        return Piece(None, None)
    if not (parsed and _is_at(parsed[0], "AT_BEGINNING") and _is_at(parsed[-1], "AT_END")):
        return Piece(None, None)
    low, high = parsed.getwidth()
    letters: set[str] = set()
    for some in _letters(parsed):
        if some is None:
            return Piece(None, int(low) if low == high else None)
        letters |= some
    return Piece(frozenset(letters), int(low) if low == high else None)


def _is_at(node: Any, place: str) -> bool:
    return str(node[0]) == "AT" and str(node[1]) == place


def _letters(parsed: Any) -> Iterator[Letters]:
    """The letters that each node of a parsed pattern may write; None for a node that may write any."""
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
            case "SUBPATTERN" if not argument[1]:  # without flags, such as that which makes case count for nothing
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
            return None  # negated classes, and \d and \w, which hold the digits and letters of every script


def is_ambiguous(written: tuple[Piece, ...]) -> bool:
    """Whether two lists of values could write the same text.

    Runs of open width are told apart by what stands between them. Those before some run are read from the left, those
    behind it from the right; that one itself is what is left over, and may hold anything.
    """
    open_at = [place for place, piece in enumerate(written) if piece.width is None]
    gaps = [written[left + 1 : right] for left, right in itertools.pairwise(open_at)]
    ends = [_ends(written[run], gap) for run, gap in zip(open_at, gaps, strict=False)]
    begins = [_ends(written[run], gap[::-1]) for run, gap in zip(open_at[1:], gaps, strict=True)]
    return not any(all(ends[:rest]) and all(begins[rest:]) for rest in range(len(gaps) + 1))


def _ends(run: Piece, gap: tuple[Piece, ...]) -> bool:
    """Whether the gap behind a run has a letter that always stands there, and neither in the run nor before it."""
    before = run.letters
    for piece in gap:
        if before is None:
            return False
        if piece.letters is not None and len(piece.letters) == 1 and not piece.letters & before:
            return True
        before = None if piece.letters is None else before | piece.letters
    return False


def can_share(one: tuple[Piece, ...], other: tuple[Piece, ...]) -> bool:
    """Whether some text can be written by both."""
    return _meets(one, other, is_prefix=False)


def can_begin(prefix: tuple[Piece, ...], whole: tuple[Piece, ...]) -> bool:
    """Whether a text of `whole` can begin with a text of `prefix`."""
    return _meets(prefix, whole, is_prefix=True)


def _meets(one: tuple[Piece, ...], other: tuple[Piece, ...], *, is_prefix: bool) -> bool:
    """Searches the product of both, letter by letter."""
    left, right = _states(one), _states(other)
    seen, waiting = {(0, 0)}, [(0, 0)]
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
            if step not in seen:
                seen.add(step)
                waiting.append(step)
    return False


def _states(written: tuple[Piece, ...]) -> list[Piece]:
    states: list[Piece] = []
    for piece in written:
        states += [piece] if piece.width is None else [Piece(piece.letters, 1)] * piece.width
    return states


def _overlap(one: Letters, other: Letters) -> bool:
    return one is None or other is None or bool(one & other)
