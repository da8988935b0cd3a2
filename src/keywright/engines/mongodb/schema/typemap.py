"""Maps logical types to BSON types.

A datetime is a BSON date with milliseconds; as `string` it is ISO text in UTC with microseconds, as `long` it is
microseconds since 1970. A date is a BSON date at midnight UTC, a time is ISO text, a duration is microseconds, a UUID
is binary of subtype 4, a set is an array of distinct values, and JSON has the type of its value.
"""

from keywright.ir.attribute import Many, Map, Scalar, ScalarKind, Struct, Tuple, Type

NATIVE: dict[ScalarKind, str] = {
    "string": "string", "integer": "long", "float": "double", "decimal": "decimal", "boolean": "bool",
    "bytes": "binData", "datetime": "date", "date": "date", "time": "string", "duration": "long", "uuid": "binData",
    "json": "any",
}  # fmt: skip
"""The default BSON type of each kind; whole numbers whose bounds fit are `int`."""

ALTERNATIVES: dict[ScalarKind, tuple[str, ...]] = {
    "string": ("objectId",), "integer": ("int", "decimal", "string"), "float": ("decimal",), "decimal": ("string",),
    "boolean": (), "bytes": (), "datetime": ("string", "long"), "date": ("string",), "time": (),
    "duration": ("double",), "uuid": ("string",), "json": ("string",),
}  # fmt: skip
"""Other BSON types that `types=` may name: a duration as double is in seconds, JSON as string is its text."""

INT32 = range(-(2**31), 2**31)
"""Range of the type int."""

INT64 = range(-(2**63), 2**63)
"""Range of the type long."""

DECIMAL_DIGITS = 34
"""Significant digits of the type decimal."""


def native_type(type: Type, chosen: str | None = None) -> str:
    """The BSON type of a logical type; for a list, that of the array itself.

    chosen: the type in `types=` for the field; for a list or mapping, it applies to the elements.
    """
    match type:
        case Scalar():
            return chosen or ("int" if type.kind == "integer" and _fits_int(type) else NATIVE[type.kind])
        case Many() | Tuple():
            return "array"
        case Map() | Struct():
            return "object"


def bson_types(type: Scalar, chosen: str | None = None) -> tuple[str, ...]:
    """The BSON types that a validator admits, the default first; empty for any.

    Drivers write a small whole number as int and a large one as long, whatever the type of the field.
    """
    default = native_type(type, chosen)
    if default == "any":
        return ()
    if default == "long" and not chosen and type.kind == "integer" and _may_be_small(type):
        return ("int", "long")
    if default == "long" and type.kind in ("datetime", "duration"):
        return ("int", "long")
    return (default,)


def allowed_types(type: Type) -> tuple[str, ...]:
    """Every BSON type that `types=` may name for a field, the default first; for lists, those of their elements."""
    match type:
        case Scalar():
            default = native_type(type)
            alternatives = ("long", *ALTERNATIVES[type.kind]) if type.kind == "integer" else ALTERNATIVES[type.kind]
            return tuple(dict.fromkeys((default, *alternatives)))
        case Many():
            return allowed_types(type.element)
        case Map():
            return allowed_types(type.value)
        case Tuple() | Struct():
            return ()


def bounds(type: Scalar) -> tuple[int | None, int | None]:
    """The smallest and largest whole number of a field, as declared."""
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
