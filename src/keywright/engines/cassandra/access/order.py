"""What kind of values columns hold, and whether the server orders them as Python does."""

from keywright.ir.attribute import Many, Map, Scalar, Struct

from .calls import Cell


def is_ordered(cell: Cell) -> bool:
    """Whether the server keeps a column's values in the order that they have in Python.

    An uuid is ordered by version and time, an address by its bytes: neither as its text.
    Source: https://cassandra.apache.org/doc/latest/cassandra/developing/cql/types.html, 2026-11-21.
    """
    if cell.type is None:
        return cell.native == "text"
    return isinstance(cell.type, Scalar) and (cell.type.kind, cell.native) in _ORDERED


def is_timed(cell: Cell) -> bool:
    """Whether the server orders a column by the moment in its values, which is what they are made for."""
    return cell.native == "timeuuid"


_NUMBERS = ("tinyint", "smallint", "int", "bigint", "varint")
_ORDERED = frozenset((
    ("string", "text"), ("string", "ascii"), *(("integer", native) for native in _NUMBERS),
    ("float", "float"), ("float", "double"), ("float", "decimal"), ("decimal", "decimal"), ("boolean", "boolean"),
    ("bytes", "blob"), ("datetime", "timestamp"), ("datetime", "text"), ("datetime", "bigint"), ("date", "date"),
    ("date", "text"), ("time", "time"), ("uuid", "text"), ("duration", "bigint"),
))  # fmt: skip


def is_collection(cell: Cell) -> bool:
    """Whether a column holds several values."""
    return isinstance(cell.type, (Many, Map))


def is_embedded(cell: Cell) -> bool:
    """Whether a column holds an embedded model."""
    return isinstance(cell.type, Struct)
