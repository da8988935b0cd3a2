"""Size limits of the service, checked before an item or a key is sent."""

import marshal
from collections.abc import Mapping
from typing import Any

from keywright.engines.dynamodb.schema.capabilities import ITEM_BYTES, PARTITION_VALUE_BYTES, SORT_VALUE_BYTES
from keywright.engines.dynamodb.schema.target import TableTarget
from keywright.ir.text import counted
from keywright.runtime.errors import Unstorable

from .natives import ToNative

NUMBER_BYTES = 1
"""Bytes of a number besides one for each two of its digits; a lower bound, so that no valid item is rejected.
Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html, 2026-11-22."""


def keyed_of(target: TableTarget) -> dict[str, int]:
    """Most bytes of each key attribute of a table and its indexes."""
    indexes = (*target.indexes, *target.local_indexes)
    index_keys = {part.attribute: PARTITION_VALUE_BYTES.value for index in indexes for part in index.keys}
    partition, *sort = (part.attribute for part in target.keys)
    return {**index_keys, **dict.fromkeys(sort, SORT_VALUE_BYTES.value), partition: PARTITION_VALUE_BYTES.value}


def check_key(name: str, native: ToNative, max_bytes: int) -> None:
    """Raise Unstorable for the value of a key attribute that is empty or too long."""
    ((kind, value),) = native.items()
    if kind not in ("S", "B"):
        return
    size = _length(value) if kind == "S" else len(value)
    if not 0 < size <= max_bytes:
        reason = f'its key attribute "{name}" has {counted(size, "byte")}, and DynamoDB allows 1 to {max_bytes}'
        raise Unstorable(reason, name, "text" if kind == "S" else "bytes")


def check_item(item: dict[str, ToNative], key_bytes: Mapping[str, int]) -> None:
    """Raise Unstorable for an item that is too large, or has a key that the service rejects."""
    for name, max_bytes in key_bytes.items():
        if name in item:
            check_key(name, item[name], max_bytes)
    if len(marshal.dumps(item, 0)) <= ITEM_BYTES.value:  # an upper bound that is fast to compute
        return
    size = sum(_length(name) + _size(native) for name, native in item.items())
    if size > ITEM_BYTES.value:
        reason = (
            f"the item computed from it has {counted(size, 'byte')} or more, and DynamoDB allows {ITEM_BYTES.value}"
        )
        raise Unstorable(reason, "", "instance")


def _length(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode())


def _size(native: ToNative) -> int:
    """Fewest bytes of a value."""
    ((kind, value),) = native.items()
    match kind:
        case "S":
            return _length(value)
        case "N":
            return NUMBER_BYTES + len(value) // 3
        case "B":
            return len(value)
        case "M":
            return 3 + sum(1 + _length(name) + _size(inner) for name, inner in value.items())
        case "L":
            return 3 + sum(1 + _size(inner) for inner in value)
        case "SS":
            return sum(map(_length, value))
        case "BS":
            return sum(map(len, value))
        case _:
            return _plain(value)


def _plain(value: Any) -> int:
    return len(value) if isinstance(value, list) else 1
