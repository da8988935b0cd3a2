"""Rows as the driver reads them, in the form in which the runtime writes them: so that both are compared with `==`."""

import struct
from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from typing import Any


def as_written(found: Any, wanted: Any) -> Any:
    """A value that was read, in the form of the one that was written.

    The server does not tell an empty collection from none, and a `float` has 32 bits: where only that differs, it is
    the value that was written.
    """
    if found is None:
        return wanted if wanted in ([], {}) and isinstance(wanted, (list, dict)) else None
    if isinstance(wanted, datetime) and isinstance(found, datetime):
        return found.replace(tzinfo=UTC) if found.tzinfo is None else found
    if isinstance(wanted, (date, time)) and not isinstance(found, (date, time)):
        return found.date() if isinstance(wanted, date) else found.time()
    if isinstance(wanted, float) and isinstance(found, float):
        return wanted if found == _single(wanted) else found
    if isinstance(wanted, dict) and isinstance(found, Mapping):
        return {key: as_written(value, wanted.get(key)) for key, value in found.items()}
    if isinstance(wanted, tuple):
        return tuple(as_written(one, other) for one, other in zip(found, wanted, strict=False))
    if isinstance(wanted, list):
        return _elements(list(found), wanted)
    return found


def _elements(found: list[Any], wanted: list[Any]) -> list[Any]:
    """Elements in order; those of a set come in the server's own order, which is not that of writing."""
    example = wanted[0] if wanted else None
    made = [as_written(one, example if at >= len(wanted) else wanted[at]) for at, one in enumerate(found)]
    rest = list(made)
    for one in wanted:
        if one not in rest:
            return made
        rest.remove(one)
    return wanted if not rest else made


def _single(number: float) -> float:
    try:
        (found,) = struct.unpack("f", struct.pack("f", number))
    except OverflowError:
        return number
    return float(found)
