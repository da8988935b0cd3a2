"""Conditions on an item's values for a global secondary index to accept the item."""

from collections.abc import Mapping
from typing import Any

from keywright.ir.text import counted

from ..schema.capabilities import PARTITION_VALUE_BYTES, SORT_VALUE_BYTES

_MOST_BYTES = {"HASH": PARTITION_VALUE_BYTES.value, "RANGE": SORT_VALUE_BYTES.value}


def misfit(item: Mapping[str, Any], index: Any) -> str | None:
    """Reason why an index, given as a description, rejects a stored native item; None if it accepts the item.

    An item without a key attribute does not belong in the index, and is no misfit.
    """
    for attribute, type, role in index["keys"]:
        if attribute in item and (problem := _value_problem(item[attribute], type, _MOST_BYTES[role])):
            return f'"{attribute}" {problem}'
    return None


def _value_problem(native: Any, type: str, max_bytes: int) -> str | None:
    ((actual, value),) = native.items()
    if actual != type:
        return f"holds {actual}, not {type}"
    if type == "N":
        return None
    size = len(value.encode() if type == "S" else bytes(value))
    if size == 0:
        return "is empty"
    return (
        f"has {counted(size, 'byte')}, at most {counted(max_bytes, 'is allowed', 'are allowed')}"
        if size > max_bytes
        else None
    )
