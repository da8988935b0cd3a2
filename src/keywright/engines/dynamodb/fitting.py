"""What a value must be for a global secondary index to take the item that has it."""

from collections.abc import Mapping
from typing import Any

from .capabilities import PARTITION_VALUE_BYTES, SORT_VALUE_BYTES

_MOST_BYTES = {"HASH": PARTITION_VALUE_BYTES.value, "RANGE": SORT_VALUE_BYTES.value}


def misfit(item: Mapping[str, Any], index: Any) -> str | None:
    """What keeps a stored item, given in native form, out of an index that a description tells; None where it fits.

    An item without a key attribute is not meant to be in the index, and fits.
    """
    for attribute, type, role in index["keys"]:
        if attribute in item and (wrong := _wrong(item[attribute], type, _MOST_BYTES[role])):
            return f'"{attribute}" {wrong}'
    return None


def _wrong(native: Any, type: str, most: int) -> str | None:
    ((found, value),) = native.items()
    if found != type:
        return f"holds {found}, not {type}"
    if type == "N":
        return None
    size = len(value.encode() if type == "S" else bytes(value))
    if size == 0:
        return "is empty"
    return f"has {size} bytes, at most {most} are allowed" if size > most else None
