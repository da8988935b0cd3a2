"""Key ranges of several entities in one partition: the range that covers all of them, and the items in each."""

from typing import Any

from keywright.record import replace

from .natives import ordered
from .spans import LAST, KeyRange


def covering(ranges: list[KeyRange], attribute: str) -> KeyRange:
    """The smallest range of a sort attribute that contains some ranges; those without a condition contain all values.

    A value of the attribute in the key of a range is a range of one value.
    """
    spans = [_span(key_range, attribute) for key_range in ranges if not key_range.is_empty]
    if not spans:
        return replace(ranges[0], is_empty=True)
    if any(not span.test for span in spans):
        return KeyRange()
    first, *others = spans
    if all((span.test, span.ends) == (first.test, first.ends) for span in others):
        return replace(first, excluded=())
    lows, highs = [_low(span) for span in spans], [_high(span) for span in spans]
    low = None if None in lows else min((end for end in lows if end is not None), key=ordered)
    high = None if None in highs else max((end for end in highs if end is not None), key=ordered)
    if low is None or high is None:
        end, test = (low, ">=") if low is not None else (high, "<=")
        return KeyRange(attribute, test, (end,)) if end is not None else KeyRange()
    prefix = next(
        (span for span in spans if span.test == "begins_with" and (_low(span), _high(span)) == (low, high)), None
    )
    return prefix or KeyRange(attribute, "BETWEEN", (low, high))


def contains(key_range: KeyRange, item: dict[str, Any]) -> bool:
    """Whether an item is in a key range."""
    if key_range.is_empty or any(ordered(item[name]) != ordered(native) for name, native in key_range.key.items()):
        return False
    if not key_range.test:
        return True
    native = item[key_range.attribute]
    if native in key_range.excluded:
        return False
    value, ends = ordered(native), [ordered(end) for end in key_range.ends]
    match key_range.test:
        case "=":
            return bool(value == ends[0])
        case "begins_with":
            return bool(value.startswith(ends[0]))
        case "BETWEEN":
            return bool(ends[0] <= value <= ends[1])
        case ">=":
            return bool(value >= ends[0])
        case ">":
            return bool(value > ends[0])
        case "<=":
            return bool(value <= ends[0])
        case _:
            return bool(value < ends[0])


def _span(key_range: KeyRange, attribute: str) -> KeyRange:
    if attribute in key_range.key:
        return KeyRange(attribute, "=", (key_range.key[attribute],))
    return replace(key_range, key={}) if key_range.attribute == attribute else KeyRange()


def _low(span: KeyRange) -> Any:
    """The first value of a range; None for one without a start."""
    return None if span.test in ("<", "<=") else span.ends[0]


def _high(span: KeyRange) -> Any:
    """A value after which none of a range follows; None for one without an end."""
    if span.test == "begins_with":
        return {"S": span.ends[0]["S"] + LAST} if "S" in span.ends[0] else None
    return None if span.test in (">", ">=") else span.ends[-1]
