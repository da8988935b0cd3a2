"""Logical types and the text or bytes that Redis keeps of them: it knows no other types."""

from dataclasses import dataclass

from keywright.ir.attribute import Scalar, ScalarKind, Type


@dataclass(frozen=True, slots=True)
class Form:
    """How one kind of value is written."""

    text: str
    """By itself: in a key, a member, a field of a hash or an entry of a stream."""
    json: str
    """Inside JSON."""


NATIVE: dict[ScalarKind, Form] = {
    "string": Form("text", "string"),
    "integer": Form("integer", "number"),
    "float": Form("float", "number"),
    "decimal": Form("decimal", "string"),
    "boolean": Form("true or false", "boolean"),
    "bytes": Form("bytes", "base64"),
    "datetime": Form("iso time", "iso time"),
    "date": Form("iso date", "iso date"),
    "time": Form("iso time of day", "iso time of day"),
    "duration": Form("seconds", "seconds"),
    "uuid": Form("text", "string"),
    "json": Form("json", "json"),
}
"""The form of each kind; integers stay what INCRBY takes, decimals keep every digit, times are UTC in text order."""

NUMBERS: tuple[ScalarKind, ...] = ("integer", "float", "datetime")
"""Kinds that a sorted set can order by: a score is a double, which holds times as seconds to the microsecond."""


def native_type(type: Type, *, is_json: bool = False) -> str:
    """The form in which a value is kept; lists, sets, mappings and models are JSON wherever they are."""
    if isinstance(type, Scalar):
        form = NATIVE[type.kind]
        return form.json if is_json else form.text
    return "json"
