"""Logical types and their stored form: Redis has no other types than text and bytes."""

from keywright.ir.attribute import Scalar, ScalarKind, Type
from keywright.record import Record


class NativeForm(Record):
    """The stored forms of one kind of value."""

    text: str
    """Form outside JSON: in a key, a member, a field of a hash or an entry of a stream."""
    json: str
    """Form inside JSON."""


NATIVE: dict[ScalarKind, NativeForm] = {
    "string": NativeForm("text", "string"),
    "integer": NativeForm("integer", "number"),
    "float": NativeForm("float", "number"),
    "decimal": NativeForm("decimal", "string"),
    "boolean": NativeForm("true or false", "boolean"),
    "bytes": NativeForm("bytes", "base64"),
    "datetime": NativeForm("iso time", "iso time"),
    "date": NativeForm("iso date", "iso date"),
    "time": NativeForm("iso time of day", "iso time of day"),
    "duration": NativeForm("seconds", "seconds"),
    "uuid": NativeForm("text", "string"),
    "json": NativeForm("json", "json"),
}
"""The form of each kind: integers that INCRBY accepts, decimals with every digit, times in UTC that sort as text."""

NUMBERS: tuple[ScalarKind, ...] = ("integer", "float", "datetime")
"""Kinds that can order a sorted set: a score is a double, which represents times as seconds to the microsecond."""


def native_type(type: Type, *, is_json: bool = False) -> str:
    """The stored form of a value; lists, sets, mappings and models are always JSON."""
    if isinstance(type, Scalar):
        form = NATIVE[type.kind]
        return form.json if is_json else form.text
    return "json"
