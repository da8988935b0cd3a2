"""Classifies the values of columns, and compares the server's order with Python's."""

from keywright.ir.attribute import Scalar, Struct

from ..schema.typemap import is_collection as is_collection_type
from .calls import Cell


def is_ordered(cell: Cell) -> bool:
    """Whether the server orders a column's values as Python does.

    The server orders a uuid by version and time, and an address by its bytes; Python orders both as texts.
    Source: https://cassandra.apache.org/doc/latest/cassandra/developing/cql/types.html, 2026-11-21.
    """
    if cell.type is None:
        return cell.native == "text"
    return isinstance(cell.type, Scalar) and (cell.type.kind, cell.native) in _ORDERED


def is_timed(cell: Cell) -> bool:
    """Whether the server orders a column by the moment in its values."""
    return cell.native == "timeuuid"


def is_moment(cell: Cell) -> bool:
    """Whether a column stores a `UUID` with a moment, whose ranges and order are those of the moments.

    The text form of such a UUID has the order of texts in Python, so its ranges are not those of moments.
    """
    return is_timed(cell) and isinstance(cell.type, Scalar) and cell.type.kind == "uuid"


_NUMBERS = ("tinyint", "smallint", "int", "bigint", "varint")
_ORDERED = frozenset((
    ("string", "text"), ("string", "ascii"), *(("integer", native) for native in _NUMBERS),
    ("float", "float"), ("float", "double"), ("float", "decimal"), ("decimal", "decimal"), ("boolean", "boolean"),
    ("bytes", "blob"), ("datetime", "timestamp"), ("datetime", "text"), ("datetime", "bigint"), ("date", "date"),
    ("date", "text"), ("time", "time"), ("uuid", "text"), ("duration", "bigint"),
))  # fmt: skip


def is_collection(cell: Cell) -> bool:
    """Whether a column stores several values."""
    return is_collection_type(cell.type)


def is_embedded(cell: Cell) -> bool:
    """Whether a column stores an embedded model."""
    return isinstance(cell.type, Struct)
