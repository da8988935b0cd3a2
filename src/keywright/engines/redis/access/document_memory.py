"""Memory of a JSON document, by the types of its fields.

Source: measured on Redis Stack 7.4.1; tests/live/test_redis_documents.py measures again. Redis 8.2 needs less.
"""

from keywright.access.cost import Band
from keywright.access.extent import elements, text_bytes
from keywright.ir.attribute import Attribute, Many, Map, Scalar, Struct, Tuple, Type, Union

from .size import Allocator, size_class

_VALUE = 16 + 16 + 8
"""Bytes of a value of a module: the server's object, the module's, and the root of the document."""

_SMALL_TABLE = 128
"""Bytes of the table of an object with one to four names."""

_ENTRY = 28
"""Bytes of an entry of a larger table, whose number of entries is a power of two."""

_HEADER = 8
"""Bytes before the characters of a text, and before the elements of a list twice."""

_INLINE = {"boolean": 0, "integer": 8, "float": 16}
"""Bytes of a value of each kind outside the eight of its place."""


def document_memory(fields: tuple[Attribute, ...], allocator: Allocator) -> float:
    """Bytes of a document; names are stored once for all documents. For undeclared lengths the minimum is used."""
    return _VALUE + _object(fields, allocator)


def _object(fields: tuple[Attribute, ...], allocator: Allocator) -> float:
    return _table(len(fields)) + sum(_value(field.type, field.name, allocator) for field in fields)


def _table(names: int) -> int:
    return 0 if names == 0 else _SMALL_TABLE if names <= 4 else _ENTRY * (1 << (names - 1).bit_length())


def _value(kind: Type, path: str, allocator: Allocator) -> float:
    match kind:
        case Scalar():
            if kind.kind in _INLINE:
                return _INLINE[kind.kind]
            length = _typical(text_bytes(kind, path))
            return size_class(_HEADER + length, allocator) if length and kind.kind != "json" else 0
        case Many():
            count = _typical(elements(kind, path))
            return _list(count, allocator) + count * _value(kind.element, path, allocator)
        case Tuple(elements=members):
            return _list(len(members), allocator) + sum(_value(member, path, allocator) for member in members)
        case Map():
            count = _typical(elements(kind, path))
            return _table(count) + count * _value(kind.value, path, allocator)
        case Struct():
            return _object(kind.attributes, allocator)
        case Union(members=members):
            return min(_value(member, path, allocator) for member in members)


def _list(count: int, allocator: Allocator) -> int:
    capacity = max(4, 1 << max(0, count - 1).bit_length())
    return size_class(2 * _HEADER + 8 * capacity, allocator) if count else 0


def _typical(band: Band) -> int:
    return round(band.low if band.expected is None else band.expected)
