"""Scores and bits as words of commands, and the ends of ranges of them."""

from collections.abc import Callable
from typing import Any

from keywright.access.request import Asked
from keywright.ir.attribute import Attribute, Scalar
from keywright.runtime.given import Given

from .. import values

Ends = tuple[float, bool, float, bool]
"""Lowest, whether it is left out, highest, whether it is left out."""


def score_of(attribute: Attribute) -> Callable[[Any], float]:
    """What makes a score of a field's value."""
    kind = attribute.type.kind if isinstance(attribute.type, Scalar) else ""
    return values.score if kind == "datetime" else float


def ends_of(bounds: tuple[Asked, ...], number: Callable[[Any], float]) -> Callable[[Given], Ends]:
    """A function from a call to what all conditions leave."""

    def ends(given: Given) -> Ends:
        low, is_above, high, is_below = float("-inf"), False, float("inf"), False
        for one in bounds:
            first, last = _ends(one, given)
            if first is not None and number(first) > low:
                low, is_above = number(first), False
            if last is not None and (number(last), one.how != "below") < (high, not is_below):
                high, is_below = number(last), one.how == "below"
        return low, is_above, high, is_below

    return ends


def _ends(one: Asked, given: Given) -> tuple[Any, Any]:
    found = given.of(one)
    match one.how:
        case "between":
            return found[0], found[1]
        case "at_least":
            return found[0], None
        case "below":
            return None, found[0]
        case _:
            return found[0], found[0]


def words(ends: Ends) -> tuple[str, str]:
    """The lowest and the highest score as ZRANGE and ZCOUNT take them."""
    low, is_above, high, is_below = ends
    return ("(" if is_above else "") + written(low), ("(" if is_below else "") + written(high)


def written(score: float) -> str:
    """A score that reads back as the same double."""
    return repr(float(score))  # also `inf` and `-inf` are words of Redis


def bits(ends: Ends) -> tuple[int, int] | None:
    """The first and the last bit; None for none at all: a negative number would count from the end."""
    low, _, high, is_below = ends
    first = 0 if low == float("-inf") else max(0, int(low))
    last = -1 if high == float("inf") else int(high) - (1 if is_below else 0)
    return None if high != float("inf") and last < first else (first, last)


def pairs(reply: Any) -> list[tuple[str, float]]:
    """Members with scores, in either protocol: pairs, or one after the other."""
    if reply and not isinstance(reply[0], (list, tuple)):
        reply = zip(reply[::2], reply[1::2], strict=True)
    return [(values.to_text(member), float(score)) for member, score in reply or ()]
