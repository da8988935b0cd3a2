"""Logical types and BSON's own, both ways.

A datetime is a BSON date, which keeps milliseconds; with `string` it is ISO text in UTC and keeps microseconds, with
`long` microseconds since 1970. A date is a BSON date at midnight UTC, a time ISO text, a duration microseconds, a UUID
binary of subtype 4, a set an array of different values, JSON whatever its value needs.
"""

from keywright.ir.attribute import Many, Map, Scalar, ScalarKind, Struct, Type

NATIVE: dict[ScalarKind, str] = {
    "string": "string", "integer": "long", "float": "double", "decimal": "decimal", "boolean": "bool",
    "bytes": "binData", "datetime": "date", "date": "date", "time": "string", "duration": "long", "uuid": "binData",
    "json": "any",
}  # fmt: skip
"""The usual BSON type of each kind; whole numbers are `int` where their bounds say so."""

ALTERNATIVES: dict[ScalarKind, tuple[str, ...]] = {
    "string": ("objectId",), "integer": ("int", "decimal", "string"), "float": ("decimal",), "decimal": ("string",),
    "boolean": (), "bytes": (), "datetime": ("string", "long"), "date": ("string",), "time": (),
    "duration": ("double",), "uuid": ("string",), "json": ("string",),
}  # fmt: skip
"""Other BSON types that `types=` may name: a duration as double is seconds, JSON as string its text."""

INT32 = range(-(2**31), 2**31)
"""Whole numbers that the type int holds."""

INT64 = range(-(2**63), 2**63)
"""Whole numbers that the type long holds."""

DECIMAL_DIGITS = 34
"""Significant digits that the type decimal holds."""


def native_type(type: Type, chosen: str | None = None) -> str:
    """The BSON type in which a logical one is stored; of a list, the array itself.

    chosen: what `types=` says of the field; of a list's or mapping's field it is about the elements.
    """
    match type:
        case Scalar():
            return chosen or ("int" if type.kind == "integer" and _fits_int(type) else NATIVE[type.kind])
        case Many():
            return "array"
        case Map() | Struct():
            return "object"


def bson_types(type: Scalar, chosen: str | None = None) -> tuple[str, ...]:
    """The BSON types that a validator admits, the usual first; empty for any.

    Drivers write a small whole number as int and a large one as long, whatever the field may hold.
    """
    usual = native_type(type, chosen)
    if usual == "any":
        return ()
    if usual == "long" and not chosen and type.kind == "integer" and _may_be_small(type):
        return ("int", "long")
    if usual == "long" and type.kind in ("datetime", "duration"):
        return ("int", "long")
    return (usual,)


def allowed_types(type: Type) -> tuple[str, ...]:
    """Every BSON type that `types=` may name for a field, the usual first; for lists those of their elements."""
    match type:
        case Scalar():
            usual = native_type(type)
            others = ("long", *ALTERNATIVES[type.kind]) if type.kind == "integer" else ALTERNATIVES[type.kind]
            return tuple(dict.fromkeys((usual, *others)))
        case Many():
            return allowed_types(type.element)
        case Map():
            return allowed_types(type.value)
        case Struct():
            return ()


def bounds(type: Scalar) -> tuple[int | None, int | None]:
    """The smallest and largest whole number that a field may hold, as far as its declaration says."""
    if type.constants and type.kind == "integer":
        numbers = [int(constant) for constant in type.constants]
        return min(numbers), max(numbers)
    low = int(type.minimum) if type.minimum is not None else None
    high = int(type.maximum) if type.maximum is not None else None
    return low, high


def _fits_int(type: Scalar) -> bool:
    low, high = bounds(type)
    return low is not None and high is not None and low in INT32 and high in INT32


def _may_be_small(type: Scalar) -> bool:
    low, high = bounds(type)
    return (low is None or low in INT32 or low < 0) and (high is None or high in INT32 or high > 0)
