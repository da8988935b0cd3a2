"""Logical types and DynamoDB's own, both ways."""

from keywright.ir.attribute import Many, Map, Scalar, ScalarKind, Struct, Tuple, Type

NATIVE: dict[ScalarKind, str] = {
    "string": "S", "integer": "N", "float": "N", "decimal": "N", "boolean": "BOOL", "bytes": "B",
    "datetime": "S", "date": "S", "time": "S", "duration": "N", "uuid": "S", "json": "JSON",
}  # fmt: skip
"""Default native type of each kind; times are ISO text in UTC, durations seconds, JSON the type of its value."""

ALTERNATIVES: dict[ScalarKind, tuple[str, ...]] = {
    "integer": ("S",), "decimal": ("S",), "float": ("S",), "datetime": ("N",), "uuid": ("B",),
    "string": ("B",), "date": ("N",), "bytes": (), "boolean": (), "time": (), "duration": ("S",), "json": ("S",),
}  # fmt: skip
"""Other native types that `types=` may name.

A datetime as N is epoch seconds with microseconds behind the point, or a whole number of its precision; a date as N is
epoch seconds of its midnight in UTC. Text as B is UTF-8, a UUID as B its sixteen bytes, JSON as S one text.
"""

KEY_TYPES = ("S", "N", "B")
"""Native types that a key attribute may have."""

_SETS = {"S": "SS", "N": "NS", "B": "BS"}


def native_type(type: Type, *, is_ttl: bool = False, chosen: str | None = None) -> str:
    """Native type in which a logical type is stored.

    is_ttl: the expiry attribute is a number, epoch seconds. chosen: the field's native type in `types=`.
    """
    if chosen:
        return chosen
    if is_ttl:
        return "N"
    match type:
        case Scalar():
            return NATIVE[type.kind]
        case Many(kind="set", has_null_elements=False):  # a native set cannot contain null
            return _SETS.get(native_type(type.element), "L")
        case Many() | Tuple():
            return "L"
        case Map() | Struct():
            return "M"


def allowed_types(type: Type) -> tuple[str, ...]:
    """Native types that can store a logical type, the default first."""
    usual = native_type(type)
    match type:
        case Scalar():
            return (usual, *ALTERNATIVES[type.kind])
        case Many(kind="set"):
            return (usual, "L") if usual != "L" else (usual,)
        case _:
            return (usual,)
