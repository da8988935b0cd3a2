"""The condition that a document is unchanged since it was read; plain equality is inexact for arrays and null."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from keywright.drivers.translate_errors import not_installed

try:
    from bson import Decimal128, Int64, ObjectId
except ImportError as error:
    raise not_installed("mongodb") from error

_TYPES: dict[type, str] = {
    str: "string", int: "int", Int64: "long", float: "double", bool: "bool", datetime: "date", ObjectId: "objectId",
}  # fmt: skip
"""Types whose plain equality is exact if arrays are excluded and the type of numbers is compared."""

_MISSING = object()


def guard(document: Mapping[str, Any], paths: Iterable[str], *, has_collation: bool) -> dict[str, Any]:
    """The filter for a document by its `_id` on condition that the values at some paths are unchanged.

    has_collation: whether the collection has a collation, so that the bytes of texts must be compared too.
    """
    filter: dict[str, Any] = {"_id": document["_id"]}
    expressions: list[Any] = []
    for path in paths:
        value = document.get(path, _MISSING) if "." not in path else _at(document, path)
        kind = _TYPES.get(type(value))
        if "." in path or (kind is None and value is not _MISSING) or (has_collation and kind == "string"):
            expressions += _strictly(path, value)
        elif value is _MISSING:
            filter[path] = {"$exists": False}
        elif kind == "string":
            filter[path] = value
            filter[f"{path}.0"] = {"$exists": False}  # not an array that contains the text
        else:
            filter[path] = {"$eq": value, "$type": kind}
            filter[f"{path}.0"] = {"$exists": False}
    if expressions:
        filter["$expr"] = {"$and": expressions}
    return filter


def _at(document: Mapping[str, Any], path: str) -> Any:
    value: Any = document
    for name in path.split("."):
        if not isinstance(value, Mapping):
            return _MISSING
        value = value.get(name, _MISSING)
    return value


def _strictly(path: str, value: Any) -> list[Any]:
    """Expressions that compare a value and its type; values at paths into arrays never match."""
    field = f"${path}"
    if value is _MISSING:
        return [{"$eq": [{"$type": field}, "missing"]}]
    conditions: list[Any] = [{"$eq": [field, {"$literal": value}]}]
    if isinstance(value, str):
        # Compare bytes, because `$eq` uses the collation.
        text = {"$cond": [{"$eq": [{"$type": field}, "string"]}, field, ""]}
        length = len(value.encode())
        conditions += [
            {"$eq": [{"$indexOfBytes": [text, {"$literal": value}]}, 0]},
            {"$eq": [{"$strLenBytes": text}, length]},
        ]
    elif isinstance(value, Decimal128):
        text_value = {"$convert": {"input": field, "to": "string", "onError": None, "onNull": None}}
        conditions += [{"$eq": [{"$type": field}, "decimal"]}, {"$eq": [text_value, str(value)]}]
    elif (kind := _TYPES.get(type(value))) is not None:
        conditions.append({"$eq": [{"$type": field}, kind]})
    return conditions
