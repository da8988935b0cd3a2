"""Kinds of stored texts and JSON values, and reasons why keywright cannot read others."""

import json
import re
from collections.abc import Sequence
from datetime import date
from typing import Any
from uuid import UUID

from keywright.engines.infer import ValueKind
from keywright.engines.time_precisions import form_of

_WHOLE = re.compile(r"-?(?:0|[1-9]\d{0,17})")
_FRACTION = re.compile(r"-?\d+\.\d+(?:[eE][+-]?\d+)?")
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
UUID_TEXT = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_CONTROL = re.compile(rb"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_PHP = re.compile(rb"[aO]:\d+:[{\"]")

_FORMATS = (
    (b"\x1f\x8b", "gzip"), (b"x\x01", "zlib"), (b"x\x5e", "zlib"), (b"x\x9c", "zlib"), (b"x\xda", "zlib"),
    (b"\x28\xb5\x2f\xfd", "zstd"), (b"\x04\x22\x4d\x18", "LZ4"), (b"\xff\x06\x00\x00sNaPpY", "Snappy"),
    (b"\xac\xed\x00\x05", "Java serialization"), (b"\x04\x08", "Ruby's Marshal"),
    *((bytes((0x80, protocol)), "Python's pickle") for protocol in (2, 3, 4, 5)),
)  # fmt: skip
"""First bytes of compressed or serialized values."""

HYPERLOGLOG = b"HYLL"
"""First bytes of a HyperLogLog."""


class Plain(str):
    """A text outside JSON, in which numbers are digits."""

    __slots__ = ()


def kind_of(value: Any) -> ValueKind | None:
    """The kind of a value; None for a list, a mapping or null."""
    match value:
        case bool():
            return ValueKind("boolean")
        case int():
            return ValueKind("integer")
        case float():
            return ValueKind("float")
        case bytes():
            return ValueKind("bytes")
        case Plain():
            return _kind_of_text(value)
        case str():
            return _kind_of_form(value) or ValueKind("string")
        case _:
            return None


def _kind_of_text(text: str) -> ValueKind:
    if is_whole(text):
        return ValueKind("integer", is_text=True)
    if _FRACTION.fullmatch(text):
        return ValueKind("decimal", is_text=True)
    if text in ("true", "false"):
        return ValueKind("boolean", is_text=True)
    return _kind_of_form(text) or ValueKind("string")


def _kind_of_form(text: str) -> ValueKind | None:
    """The kind of a text in a form that keywright writes back unchanged."""
    try:
        if form := form_of(text):
            return ValueKind("datetime", is_text=True, precision=form[0])
        if _DATE.fullmatch(text):
            date.fromisoformat(text)
            return ValueKind("date", is_text=True)
    except ValueError:
        return None
    return ValueKind("uuid", is_text=True) if UUID_TEXT.fullmatch(text) and str(UUID(text)) == text else None


def is_whole(text: str) -> bool:
    """Whether a text is a whole number of 64 bits in the only form that gives the same text again."""
    return bool(_WHOLE.fullmatch(text)) and text != "-0"


def unreadable(value: bytes) -> str:
    """The reason why a value is neither text nor JSON that keywright reads; empty if it is."""
    if form := next((name for start, name in _FORMATS if value.startswith(start) and not is_text(value)), ""):
        return f"{form}"
    if not is_text(value):
        return "binary data"
    if _PHP.match(value):
        return "PHP serialization"
    if value[:1] in (b"{", b"[") and value[-1:] in (b"}", b"]") and loaded(value) is None:
        return "text that looks like JSON and is none"
    return ""


def is_text(value: bytes) -> bool:
    """Whether bytes are text without control characters."""
    try:
        value.decode()
    except UnicodeDecodeError:
        return False
    return _CONTROL.search(value) is None


def loaded(value: bytes) -> Any:
    """The object or list of JSON; None for any other text."""
    if value[:1] not in (b"{", b"["):
        return None
    try:
        return json.loads(value, parse_constant=_reject)
    except (ValueError, RecursionError):
        return None


def _reject(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON")


def columns(items: Sequence[dict[bytes, bytes]]) -> list[dict[str, Any]]:
    """Fields of hashes or entries: those with objects or lists of JSON in all items are parsed."""
    values: dict[bytes, list[Any]] = {}
    for item in items:
        for name, value in item.items():
            values.setdefault(name, []).append(loaded(value))
    parsed = {name for name, documents in values.items() if all(document is not None for document in documents)}
    return [
        {name.decode(): loaded(value) if name in parsed else plain(value) for name, value in item.items()}
        for item in items
    ]


def plain(value: bytes) -> Plain | bytes:
    """Text outside JSON; bytes that are no text stay bytes."""
    return Plain(value.decode()) if is_text(value) else value
