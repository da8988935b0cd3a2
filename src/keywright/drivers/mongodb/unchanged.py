"""The condition that a document still is as it was read: exact, where plain equality is loose for arrays and null."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from keywright.drivers.extras import not_installed

try:
    from bson import Decimal128, Int64, ObjectId
except ImportError as error:
    raise not_installed("mongodb") from error

_TYPES: dict[type, str] = {
    str: "string", int: "int", Int64: "long", float: "double", bool: "bool", datetime: "date", ObjectId: "objectId",
}  # fmt: skip
"""Types whose plain equality is exact, once arrays are excluded and numbers have their type."""

_MISSING = object()


def guard(document: Mapping[str, Any], paths: Iterable[str], *, has_collation: bool) -> dict[str, Any]:
    """What finds a document by its `_id` as long as the values at some paths are those that were read.

    has_collation: whether the collection compares texts by the rules of a language, so that their bytes must be
    compared too.
    """
    wanted: dict[str, Any] = {"_id": document["_id"]}
    expressions: list[Any] = []
    for path in paths:
        value = document.get(path, _MISSING) if "." not in path else _at(document, path)
        kind = _TYPES.get(type(value))
        if "." in path or (kind is None and value is not _MISSING) or (has_collation and kind == "string"):
            expressions += _strictly(path, value)
        elif value is _MISSING:
            wanted[path] = {"$exists": False}
        elif kind == "string":
            wanted[path] = value
            wanted[f"{path}.0"] = {"$exists": False}  # no array with that text in it
        else:
            wanted[path] = {"$eq": value, "$type": kind}
            wanted[f"{path}.0"] = {"$exists": False}
    if expressions:
        wanted["$expr"] = {"$and": expressions}
    return wanted


def _at(document: Mapping[str, Any], path: str) -> Any:
    found: Any = document
    for name in path.split("."):
        if not isinstance(found, Mapping):
            return _MISSING
        found = found.get(name, _MISSING)
    return found


def _strictly(path: str, value: Any) -> list[Any]:
    """Expressions by which a value is compared with its type; of paths into arrays nothing is equal."""
    field = f"${path}"
    if value is _MISSING:
        return [{"$eq": [{"$type": field}, "missing"]}]
    same: list[Any] = [{"$eq": [field, {"$literal": value}]}]
    if isinstance(value, str):
        # Bytes, since `$eq` follows the collation.
        text = {"$cond": [{"$eq": [{"$type": field}, "string"]}, field, ""]}
        length = len(value.encode())
        same += [
            {"$eq": [{"$indexOfBytes": [text, {"$literal": value}]}, 0]},
            {"$eq": [{"$strLenBytes": text}, length]},
        ]
    elif isinstance(value, Decimal128):
        told = {"$convert": {"input": field, "to": "string", "onError": None, "onNull": None}}
        same += [{"$eq": [{"$type": field}, "decimal"]}, {"$eq": [told, str(value)]}]
    elif (kind := _TYPES.get(type(value))) is not None:
        same.append({"$eq": [{"$type": field}, kind]})
    return same
