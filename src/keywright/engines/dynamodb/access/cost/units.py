"""Read and write units of single operations.

Source: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html and
CapacityUnitCalculations.html, 2026-11-21; every line except for failed conditions agrees with DynamoDB Local 3.0.0.
"""

from math import ceil

WRITE_BYTES = 1024
"""Bytes of one write unit."""
READ_BYTES = 4096
"""Bytes of one read unit."""


def write_units(before: int, after: int) -> int:
    """Write units of one put, update or delete on the table.

    before, after: item bytes, names included; 0 without an item. At least 1: a failed condition is charged too.
    """
    return max(1, ceil(max(before, after) / WRITE_BYTES))


def index_write_units(before: int, after: int, *, is_changed: bool = True, is_key_changed: bool = False) -> int:
    """Write units of one put, update or delete on one index.

    before, after: bytes of the entry, 0 if the item is not in the index. is_changed: whether the entry differs.
    is_key_changed: whether a key attribute of the index differs, which causes a delete and a put.
    """
    if not is_changed:
        return 0
    if is_key_changed:
        return ceil(before / WRITE_BYTES) + ceil(after / WRITE_BYTES)
    return ceil(max(before, after) / WRITE_BYTES)


def read_units(examined: int, *, is_strong: bool = False) -> float:
    """Read units of one GetItem, of each item of a BatchGetItem, or of all bytes that a Query examined."""
    strong_units = max(1, ceil(examined / READ_BYTES))
    return strong_units if is_strong else strong_units / 2
