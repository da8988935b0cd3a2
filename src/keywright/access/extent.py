"""Sizes of values by their types, bounds and facts, from which every engine computes its sizes."""

from collections.abc import Callable

from keywright.ir.attribute import TEXT, Attribute, Many, Map, Scalar, Struct, Tuple
from keywright.ir.expression import bytes_of
from keywright.ir.template import ISO_WIDTHS

from .cost import Band, exactly

UTF8_MOST = 4
"""The most bytes of a character in UTF-8. Source: RFC 3629, section 3, 2026-11-21."""

_TEXT_WIDTHS = {"uuid": 36, "datetime": 27, "date": 10}


def text_bytes(scalar: Scalar, path: str) -> Band:
    """Bytes of a value's text form in UTF-8.

    path: name of the field in `missing`, such as `Order.note`.
    """
    facts = scalar.facts
    if scalar.constants:
        lengths = sorted(len(_text(constant).encode()) for constant in scalar.constants)
        return Band(lengths[0], sum(lengths) / len(lengths), lengths[-1])
    if scalar.precision:
        return exactly(ISO_WIDTHS[scalar.precision])
    if scalar.kind in _TEXT_WIDTHS:
        return exactly(_TEXT_WIDTHS[scalar.kind])
    if scalar.kind == "integer":
        return _number_text(scalar, path)
    if scalar.kind == "boolean":
        return Band(4, 4.5, 5)
    low = float(scalar.min_length or 0)
    widest = 1 if scalar.kind in ("bytes", "float", "decimal", "time", "duration") else UTF8_MOST
    least, by_pattern = bytes_of(scalar.pattern) if scalar.kind == "string" and scalar.pattern else (0, None)
    low = max(low, float(least))
    by_length = scalar.max_length and scalar.max_length * widest
    tops = [top for top in (facts.max_bytes, by_length, by_pattern) if top is not None]
    high = float(min(tops)) if tops else None
    if scalar.kind in ("float", "decimal", "time", "duration"):
        return Band(1, 8, 40 if high is None else high)
    expected: float | None = facts.average_bytes
    if expected is None and high is not None:
        expected = (low + min(scalar.max_length or high, high)) / 2
    if high is None:
        bound = f"{path}: Field(max_length=) or Size(max=)"
        return Band(min(low, expected or low), expected, None, frozenset((bound,)))
    return Band(min(low, expected or low), expected, high)


def elements(kind: Many | Map, path: str) -> Band:
    """Elements of a list or set, or entries of a map."""
    low = float(kind.min_items or 0) if isinstance(kind, Many) else 0.0
    if kind.max_items is None:
        return Band(low, None, None, frozenset((f"{path}: Field(max_length=)",)))
    return Band(low, (low + kind.max_items) / 2, float(kind.max_items))


def map_key_bytes(kind: Map, path: str, unknown: Band) -> Band:
    """Bytes of the text of a map's keys; unknown: those of keys without a declared length."""
    return unknown if kind.key == TEXT else text_bytes(kind.key, f"{path} (its keys)")


def sized(kind: Many | Tuple | Map | Struct, computed: Band) -> Band:
    """The bytes of a list, map or embedded model: those of its parts, narrowed by its own `Size`."""
    average = kind.facts.average_bytes
    if average is None:
        return computed
    tops = [top for top in (kind.facts.max_bytes, computed.high) if top is not None]
    high = max(float(min(tops)), computed.low) if tops else None
    expected = max(float(average), computed.low)
    return Band(
        computed.low,
        expected if high is None else min(expected, high),
        high,
        computed.missing if high is None else frozenset(),
    )


def optional(attribute: Attribute, present: Band, absent: Callable[[], Band]) -> Band:
    """The band of an attribute that can be null: from the size of null to the size of a value."""
    return present.widest(absent()) if attribute.is_nullable else present


def _number_text(scalar: Scalar, path: str) -> Band:
    low, high = scalar.minimum, scalar.maximum
    if low is not None and high is not None:
        lengths = sorted((len(str(int(low))), len(str(int(high)))))
        return Band(1 if low <= 0 <= high else lengths[0], (lengths[0] + lengths[1]) / 2, lengths[1])
    return Band(1, 5, 20)  # whole numbers of 64 bits, with their sign


def _text(constant: object) -> str:
    return str(constant).lower() if isinstance(constant, bool) else str(constant)
