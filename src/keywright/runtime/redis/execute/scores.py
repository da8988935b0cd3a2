"""Scores and bits as words of commands, and the ends of their ranges."""

from collections.abc import Callable
from typing import Any

from keywright.access.query import Condition
from keywright.engines.redis.declare.options import Structure
from keywright.engines.redis.schema.layout import value_field
from keywright.engines.redis.schema.packed_score import packing_of
from keywright.ir.attribute import Attribute, Scalar
from keywright.ir.binding import Binding
from keywright.runtime.validate.arguments import Arguments

from .. import values

Ends = tuple[float, bool, float, bool]
"""Lowest value, whether it is exclusive, highest value, whether it is exclusive."""


def score_of(attribute: Attribute) -> Callable[[Any], float]:
    """A function from a field's value to its score."""
    kind = attribute.type.kind if isinstance(attribute.type, Scalar) else ""
    if isinstance(attribute.type, Scalar) and (precision := attribute.type.precision):
        return values.whole_score(precision)
    return values.score if kind == "datetime" else float


def ends_of(bounds: tuple[Condition, ...], number: Callable[[Any], float]) -> Callable[[Arguments], Ends]:
    """A function from a call to the range that meets all conditions."""

    def ends(arguments: Arguments) -> Ends:
        low, is_above, high, is_below = float("-inf"), False, float("inf"), False
        for bound in bounds:
            first, last = _ends(bound, arguments)
            if first is not None and (number(first), bound.excludes_first) > (low, is_above):
                low, is_above = number(first), bound.excludes_first
            excludes_last = bound.kind == "below" or bound.excludes_last
            if last is not None and (number(last), not excludes_last) < (high, not is_below):
                high, is_below = number(last), excludes_last
        return low, is_above, high, is_below

    return ends


def score_ends(bounds: tuple[Condition, ...], binding: Binding[Structure]) -> Callable[[Arguments], Ends]:
    """A function from a call to the range of scores that meets all conditions on the field of the score."""
    field, packing = binding.entity.attribute(value_field(binding) or ""), packing_of(binding)
    assert field is not None
    ends = ends_of(bounds, score_of(field))
    if packing is None:
        return ends

    def packed(arguments: Arguments) -> Ends:
        low, is_above, high, is_below = ends(arguments)
        first = packing.highest(low) if is_above else packing.lowest(low)
        last = packing.lowest(high) if is_below else packing.highest(high)
        return first, is_above, last, is_below

    return packed


def _ends(condition: Condition, arguments: Arguments) -> tuple[Any, Any]:
    bounds = arguments.of(condition)
    match condition.kind:
        case "between":
            return bounds[0], bounds[1]
        case "at_least":
            return bounds[0], None
        case "below":
            return None, bounds[0]
        case _:
            return bounds[0], bounds[0]


def words(ends: Ends) -> tuple[str, str]:
    """The lowest and the highest score in the syntax of ZRANGE and ZCOUNT."""
    low, is_above, high, is_below = ends
    return ("(" if is_above else "") + written(low), ("(" if is_below else "") + written(high)


def written(score: float) -> str:
    """A score that reads back as the same double."""
    return repr(float(score))  # Redis accepts `inf` and `-inf` too


def bits(ends: Ends) -> tuple[int, int] | None:
    """The first and the last bit; None for an empty range, because a negative number would count from the end."""
    low, is_above, high, is_below = ends
    first = 0 if low == float("-inf") else max(0, int(low) + (1 if is_above else 0))
    last = -1 if high == float("inf") else int(high) - (1 if is_below else 0)
    return None if high != float("inf") and last < first else (first, last)


def pairs(reply: Any) -> list[tuple[str, float]]:
    """Members with scores, from either protocol: pairs, or members and scores in turn."""
    if reply and not isinstance(reply[0], (list, tuple)):
        reply = zip(reply[::2], reply[1::2], strict=True)
    return [(values.to_text(member), float(score)) for member, score in reply or ()]
