"""The number of UTF-8 bytes of the texts that an anchored regular expression matches."""

import re
from functools import lru_cache
from math import inf
from typing import Any

_MOST = 4
"""The most bytes of a character in UTF-8. Source: RFC 3629, section 3, 2026-11-21."""


@lru_cache(maxsize=1024)
def bytes_of(pattern: str) -> tuple[int, int | None]:
    """(least, most) bytes of a matching text; None if the expression has no bound.

    pattern: as in `Field(pattern=)`, which matches anywhere in a text unless it is anchored.
    """
    try:
        # The parser of `re` has no public name. Classes such as \d hold characters of every script, as in Pydantic's.
        parsed = re._parser.parse(pattern)  # type: ignore[attr-defined]
    except (re.error, RecursionError, OverflowError):
        return 0, None
    if not parsed or parsed.state.flags & (re.IGNORECASE | re.MULTILINE | re.VERBOSE):
        return 0, None
    least, most = _sequence(parsed)
    is_anchored_at_start = _is_at(parsed[0], "AT_BEGINNING", "AT_BEGINNING_STRING")
    is_anchored_at_end = _is_at(parsed[-1], "AT_END", "AT_END_STRING")
    return int(least), int(most) if is_anchored_at_start and is_anchored_at_end and most != inf else None


def _is_at(node: Any, *places: str) -> bool:
    return str(node[0]) == "AT" and str(node[1]) in places


def _sequence(nodes: Any) -> tuple[float, float]:
    sizes = [_size(*node) for node in nodes]
    return sum(least for least, _ in sizes), sum(most for _, most in sizes)


def _size(operator: Any, argument: Any) -> tuple[float, float]:
    match str(operator):
        case "AT" | "ASSERT" | "ASSERT_NOT":
            return 0, 0
        case "LITERAL":
            return (_width(argument),) * 2
        case "IN" if str(argument[0][0]) == "NEGATE":
            return 1, _MOST
        case "IN":
            widths = [_of_class(item) for item in argument]
            return min(least for least, _ in widths), max(most for _, most in widths)
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            low, high, inner = argument
            least, most = _sequence(inner)
            times = inf if high is re._parser.MAXREPEAT else high  # type: ignore[attr-defined]
            return least * low, most * times if most else 0
        case "SUBPATTERN" if not argument[1]:
            return _sequence(argument[3])
        case "ATOMIC_GROUP":
            return _sequence(argument)
        case "BRANCH":
            branches = [_sequence(branch) for branch in argument[1]]
            return min(least for least, _ in branches), max(most for _, most in branches)
        case "ANY" | "NOT_LITERAL":
            return 1, _MOST
        case _:
            return 0, inf


def _of_class(item: tuple[Any, Any]) -> tuple[int, int]:
    match str(item[0]), item[1]:
        case "LITERAL", code:
            return (_width(code),) * 2
        case "RANGE", (low, high):
            return _width(low), _width(high)
        case _:
            return 1, _MOST  # \d, \w and \s


def _width(code: int) -> int:
    return len(chr(code).encode("utf-8", "surrogatepass"))
