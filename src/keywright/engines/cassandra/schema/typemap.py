"""Logical types and CQL's own, both ways.

A CQL timestamp holds milliseconds, a Python datetime microseconds: what is written is cut to milliseconds and read back
so, in UTC. Who needs the microseconds stores the field as text or bigint, with `types=`.
"""

import re

from keywright.ir.attribute import Many, Map, Scalar, ScalarKind, Struct, Type

from .capabilities import TYPE_WORDS
from .cql import identifier

NATIVE: dict[ScalarKind, str] = {
    "string": "text", "integer": "bigint", "float": "double", "decimal": "decimal", "boolean": "boolean",
    "bytes": "blob", "datetime": "timestamp", "date": "date", "time": "time", "duration": "duration", "uuid": "uuid",
    "json": "text",
}  # fmt: skip
"""The usual native type of each kind; an integer is smaller or larger where its bounds say so."""

ALTERNATIVES: dict[ScalarKind, tuple[str, ...]] = {
    "string": ("ascii", "inet", "uuid", "timeuuid"), "integer": ("tinyint", "smallint", "int", "bigint", "varint"),
    "float": ("float", "decimal"), "decimal": ("text",), "boolean": (), "bytes": (), "datetime": ("text", "bigint"),
    "date": ("text",), "time": ("text",), "duration": ("bigint", "text"), "uuid": ("timeuuid", "text"), "json": (),
}  # fmt: skip
"""Other native types that `types=` may name: times as ISO text, or as microseconds in a bigint."""

_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def native_type(type: Type, *, is_frozen: bool = False, chosen: str | None = None) -> str:
    """The native type in which a logical one is stored, written as the server reports it.

    is_frozen: whether it is written whole, which everything inside another type is. chosen: what `types=` says.
    """
    match type:
        case Scalar():
            return chosen or _scalar(type)
        case Many():
            text = f"{type.kind}<{native_type(type.element, is_frozen=True)}>"
        case Map():
            text = f"map<text, {native_type(type.value, is_frozen=True)}>"
        case Struct():
            text = identifier(type_name(type))
    return f"frozen<{text}>" if is_frozen else text


def type_name(struct: Struct) -> str:
    """Name of the user-defined type of an embedded model: its class in small letters, `OrderLine` as `order_line`."""
    name = re.sub(r"\W+", "_", _WORD.sub("_", struct.name)).strip("_").lower()
    return f"{name}_type" if name in TYPE_WORDS else name


def allowed_types(type: Type) -> tuple[str, ...]:
    """Every native type that can hold a logical one, the usual first."""
    usual = native_type(type)
    more = ALTERNATIVES[type.kind] if isinstance(type, Scalar) else ()
    return (usual, *(one for one in more if one != usual))


def holds_duration(type: Type, native: str) -> bool:
    """Whether a value stored as a native type is a duration or holds one, which no key or index takes."""
    match type:
        case Scalar():
            return native == "duration"
        case Many():
            return holds_duration(type.element, native_type(type.element))
        case Map():
            return holds_duration(type.value, native_type(type.value))
        case Struct():
            return any(holds_duration(one.type, native_type(one.type)) for one in type.attributes)


def _scalar(type: Scalar) -> str:
    return _integer(type) if type.kind == "integer" else NATIVE[type.kind]


def _integer(type: Scalar) -> str:
    """`int` where both bounds fit it, `varint` where one is known to be beyond 64 bits, else `bigint`."""
    numbers = [one for one in type.constants if isinstance(one, int)]
    bounds = (min(numbers), max(numbers)) if numbers else (type.minimum, type.maximum)
    known = [bound for bound in bounds if bound is not None]
    if len(known) == 2 and all(-(2**31) <= bound < 2**31 for bound in known):
        return "int"
    return "bigint" if all(-(2**63) <= bound < 2**63 for bound in known) else "varint"
