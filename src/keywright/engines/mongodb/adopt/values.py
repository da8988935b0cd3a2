"""Kinds of the values that drivers read."""

from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from keywright.engines.infer import ValueKind

_KINDS: dict[type, ValueKind] = {
    str: ValueKind("string"), bool: ValueKind("boolean"), int: ValueKind("integer"), float: ValueKind("float"),
    Decimal: ValueKind("decimal"), datetime: ValueKind("datetime"), UUID: ValueKind("uuid"), bytes: ValueKind("bytes"),
}  # fmt: skip

_DRIVER_KINDS = {
    "Int64": ValueKind("integer"), "Decimal128": ValueKind("decimal"), "ObjectId": ValueKind("string", "objectId"),
    "Binary": ValueKind("bytes"), "DatetimeMS": ValueKind("datetime"),
}  # fmt: skip
"""Classes of the driver by name, because engines do not import drivers."""


def kind_of(value: Any) -> ValueKind | None:
    """The kind of a single value; None for a list, a document or null. A kind without declaration is any JSON."""
    if value is None or isinstance(value, (dict, list)):
        return None
    kind = _KINDS.get(type(value)) or _DRIVER_KINDS.get(type(value).__name__)
    if kind is not None and getattr(value, "subtype", 0) == 4:
        return ValueKind("uuid")
    return kind or ValueKind("json")
