"""Accepted differences: the live state counts as expected until it changes again."""

from collections.abc import Iterable, Mapping
from copy import deepcopy
from typing import Any

from keywright.engines.interface import Description
from keywright.ir.json import Json, canonical

from .records import AcceptedDifference


def is_still_there(difference: AcceptedDifference, native: Mapping[str, Json]) -> bool:
    """Whether a live native half still equals the accepted state in each of its parts."""
    return all(_is_same(_value_at(native, part["path"]), part["found"]) for part in difference.parts)


def covers(difference: AcceptedDifference, path: tuple[str, ...], expected: Json) -> bool:
    """Whether a difference from this expected value at a path is accepted."""
    return any(part["path"] == list(path) and _is_same(part["wanted"], expected) for part in difference.parts)


def as_accepted(description: Description, accepted: Iterable[AcceptedDifference]) -> Description:
    """Expected description in which accepted differences are replaced by their live values.

    A value that a later migration has changed stays as it is.
    """
    result: Any = deepcopy(description)
    for difference in accepted:
        for part in difference.parts:
            path: Any = part["path"]
            *parents, name = path
            holder = result["native"]
            for key in parents:
                holder = holder.get(key) if isinstance(holder, dict) else None
            if not isinstance(holder, dict) or not _is_same(holder.get(name), part["wanted"]):
                continue
            if part["found"] is None:
                holder.pop(name, None)
            else:
                holder[name] = deepcopy(part["found"])
    return result  # type: ignore[no-any-return]


def _value_at(native: Any, path: Any) -> Any:
    for key in path:
        native = native.get(key) if isinstance(native, dict) else None
    return native


def _is_same(first: Any, second: Any) -> bool:
    return canonical(first) == canonical(second)
