"""Maps logical types to native types of CQL.

A CQL timestamp has milliseconds, a Python datetime microseconds. Written values are cut to milliseconds and read back
in UTC. To keep the microseconds, store the field as text or bigint, with `types=`.
"""

import re

from keywright.ir.attribute import Many, Map, Scalar, ScalarKind, Struct, Tuple, Type
from keywright.ir.entity import parts
from keywright.record import replace

from ..declare.options import CqlType
from .capabilities import TYPE_WORDS
from .cql import identifier

NATIVE: dict[ScalarKind, str] = {
    "string": "text", "integer": "bigint", "float": "double", "decimal": "decimal", "boolean": "boolean",
    "bytes": "blob", "datetime": "timestamp", "date": "date", "time": "time", "duration": "duration", "uuid": "uuid",
    "json": "text",
}  # fmt: skip
"""The default native type of each kind. The bounds of an integer can select a smaller or larger type."""

ALTERNATIVES: dict[ScalarKind, tuple[str, ...]] = {
    "string": ("ascii", "inet", "uuid", "timeuuid"), "integer": ("tinyint", "smallint", "int", "bigint", "varint"),
    "float": ("float", "decimal"), "decimal": ("text",), "boolean": (), "bytes": (), "datetime": ("text", "bigint"),
    "date": ("text",), "time": ("text",), "duration": ("bigint", "text"), "uuid": ("timeuuid", "text"), "json": (),
}  # fmt: skip
"""Other native types that `types=` accepts. Times become ISO text, or microseconds in a bigint."""

_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


def native_type(type: Type, *, is_frozen: bool = False, chosen: str | None = None) -> str:
    """The native type in which a logical type is stored, as the server reports it.

    is_frozen: whether it is written as a whole, as everything inside another type is. chosen: the type from `types=`.
    """
    if is_frozen and is_collection(type) and (declared := declared_type(type)):
        return declared  # a field of a user-defined type, which is frozen with the type
    match type:
        case Scalar():
            return chosen or declared_type(type) or _scalar(type)
        case Many(is_vector=True):
            return f"vector<{element_type(type)}, {type.max_items}>"
        case Many(is_tuple=True):
            return native_type(as_tuple(type))
        case Tuple():
            return f"frozen<tuple<{', '.join(native_type(element, is_frozen=True) for element in type.elements)}>>"
        case Many():
            text = f"{type.kind}<{native_type(type.element, is_frozen=True)}>"
        case Map():
            text = f"map<{native_type(type.key)}, {native_type(type.value, is_frozen=True)}>"
        case Struct():
            text = identifier(type_name(type))
    return f"frozen<{text}>" if is_frozen else text


def is_collection(type: Type | None) -> bool:
    """Whether a type is a list, set or map of CQL."""
    return isinstance(type, Map) or (isinstance(type, Many) and not type.is_tuple and not type.is_vector)


def element_type(type: Many) -> str:
    """The native type of an element. Floats of vectors have 32 bits, because only these can be indexed."""
    element = type.element
    if type.is_vector and isinstance(element, Scalar) and element.kind == "float":
        return declared_type(element) or "float"
    return native_type(element, is_frozen=True)


def as_tuple(type: Many) -> Tuple:
    """A tuple of values of one type, each with its type."""
    positions = range(type.max_items or 0)
    return Tuple(tuple(type.element for _ in positions), tuple(positions) if type.has_null_elements else (), type.facts)


def type_name(struct: Struct) -> str:
    """Name of the user-defined type of an embedded model: its class name in snake case, such as `order_line`."""
    name = re.sub(r"\W+", "_", _WORD.sub("_", struct.name)).strip("_").lower()
    return f"{name}_type" if name in TYPE_WORDS else name


def declared_type(type: Type) -> str | None:
    """The native type that `CqlType` selects."""
    return dict(type.facts.natives).get(CqlType.__name__)


def allowed_types(type: Type) -> tuple[str, ...]:
    """Every native type that can store a logical type, the default first."""
    default = native_type(replace(type, facts=replace(type.facts, natives=())))
    alternatives = ALTERNATIVES[type.kind] if isinstance(type, Scalar) else ()
    return (default, *(alternative for alternative in alternatives if alternative != default))


def holds_duration(type: Type, native: str) -> bool:
    """Whether a value is stored as a duration or contains one, which no key or index accepts."""
    if isinstance(type, Scalar):
        return native == "duration"
    return any(holds_duration(part, native_type(part)) for part in parts(type))


def _scalar(type: Scalar) -> str:
    return _integer(type) if type.kind == "integer" else NATIVE[type.kind]


def _integer(type: Scalar) -> str:
    """`int` if both bounds fit, `varint` if a known bound exceeds 64 bits, else `bigint`."""
    numbers = [constant for constant in type.constants if isinstance(constant, int)]
    bounds = (min(numbers), max(numbers)) if numbers else (type.minimum, type.maximum)
    known_bounds = [bound for bound in bounds if bound is not None]
    if len(known_bounds) == 2 and all(-(2**31) <= bound < 2**31 for bound in known_bounds):
        return "int"
    return "bigint" if all(-(2**63) <= bound < 2**63 for bound in known_bounds) else "varint"
