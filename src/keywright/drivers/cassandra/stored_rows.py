"""Converts rows that the client reads to the form that the runtime writes, so that `==` compares both."""

import struct
from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from typing import Any


def as_written(stored: Any, expected: Any) -> Any:
    """A value that was read, in the form of the written value.

    The server does not distinguish an empty collection from none, and a `float` has 32 bits. If values differ only in
    this, the result is the written value.
    """
    if stored is None:
        return expected if expected in ([], {}) and isinstance(expected, (list, dict)) else None
    if isinstance(expected, datetime) and isinstance(stored, datetime):
        return stored.replace(tzinfo=UTC) if stored.tzinfo is None else stored
    if isinstance(expected, (date, time)) and not isinstance(stored, (date, time)):
        return stored.date() if isinstance(expected, date) else stored.time()
    if isinstance(expected, float) and isinstance(stored, float):
        return expected if stored == _single(expected) else stored
    if isinstance(expected, dict) and isinstance(stored, Mapping):
        example = next(iter(expected), None)
        pairs = ((as_written(key, example), value) for key, value in stored.items())
        return {key: as_written(value, expected.get(key)) for key, value in pairs}
    if isinstance(expected, tuple):
        return tuple(as_written(part, expected_part) for part, expected_part in zip(stored, expected, strict=False))
    if isinstance(expected, list):
        return _elements(list(stored), expected)
    return stored


def _elements(stored: list[Any], expected: list[Any]) -> list[Any]:
    """Elements in the written order. The server returns the elements of a set in its own order."""
    example = expected[0] if expected else None
    converted = [
        as_written(element, example if position >= len(expected) else expected[position])
        for position, element in enumerate(stored)
    ]
    unmatched = list(converted)
    for element in expected:
        if element not in unmatched:
            return converted
        unmatched.remove(element)
    return expected if not unmatched else converted


def _single(number: float) -> float:
    try:
        (single,) = struct.unpack("f", struct.pack("f", number))
    except OverflowError:
        return number
    return float(single)
