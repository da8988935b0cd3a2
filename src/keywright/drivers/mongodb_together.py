"""Guarded writes of many documents as one statement, which holds what each must still be and what it becomes.

An update of its own costs the server 38 us for each document, parsed and planned for it alone; this form costs it 18
(MongoDB 6.0.5, 2026-11-22). That a pipeline leaves a document as it is counts as no modification.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import NoneType
from typing import Any, TypeAlias
from uuid import UUID

from keywright.drivers.extras import not_installed

try:
    from bson import Int64, ObjectId
    from pymongo import UpdateMany
except ImportError as error:
    raise not_installed("mongodb") from error

_TYPES: dict[type, str] = {
    str: "string", int: "int", Int64: "long", float: "double", bool: "bool", datetime: "date", ObjectId: "objectId",
    UUID: "binData", bytes: "binData", NoneType: "null",
}  # fmt: skip
"""Types of which two values are the same where both type and value are equal to the server."""

MOST = 250
"""Documents in one statement: of 2000, each costs the server a quarter more."""

_MISSING = object()

Leaf: TypeAlias = tuple[Any, dict[str, Any]]
"""(`_id` of a document, what it must still be and what is put into it)."""


@dataclass(frozen=True, slots=True)
class Write:
    """What is to become of a document."""

    document: Mapping[str, Any]
    """As it was read."""
    put: dict[str, Any]
    """New values by path."""
    gone: tuple[str, ...]
    """Paths whose values go."""

    @property
    def update(self) -> dict[str, Any]:
        """It as a classic update."""
        update = {"$set": self.put} if self.put else {}
        return {**update, "$unset": dict.fromkeys(self.gone, 1)} if self.gone else update


def together(writes: Sequence[Write], paths: Sequence[str]) -> tuple[list[Any], list[int]]:
    """(statements, places of the writes that they cannot say).

    paths: whose values must be as they were read.
    """
    by_gone: dict[tuple[str, ...], list[Leaf]] = {}
    left: list[int] = []
    for at, one in enumerate(writes):
        # Through lists, a path leads elsewhere in a pipeline than in an update.
        before = None if "." in "".join((*paths, *one.put, *one.gone)) else _was(one.document, paths)
        if before is None:
            left.append(at)
        else:
            by_gone.setdefault(one.gone, []).append((before[0], {"was": before, "put": one.put}))
    parts = [(gone, leaves[at : at + MOST]) for gone, leaves in by_gone.items() for at in range(0, len(leaves), MOST)]
    return [_statement(leaves, paths, gone) for gone, leaves in parts], left


def _was(document: Mapping[str, Any], paths: Sequence[str]) -> list[Any] | None:
    """What `_is` yields for a document as it was read; None where that does not tell it from all others."""
    found: list[Any] = [document["_id"]]
    for path in paths:
        value = document.get(path, _MISSING)
        if value is _MISSING:
            found += (None, "missing")
        elif (kind := _TYPES.get(type(value))) is not None:
            found += (value, kind)
        else:
            return None
    return found


def _is(paths: Sequence[str]) -> list[Any]:
    """`_id`, and value and type of each path; a list makes a null of what is missing, which the type tells apart."""
    return ["$_id", *(told for path in paths for told in (f"${path}", {"$type": f"${path}"}))]


def _statement(leaves: Sequence[Leaf], paths: Sequence[str], gone: tuple[str, ...]) -> Any:
    ids, known = ([leaf[at] for leaf in leaves] for at in (0, 1))
    # The server makes a hash table of a constant list; where an `_id` is not found, the last leaf is another's.
    one = {"$arrayElemAt": [{"$literal": known}, {"$indexOfArray": [{"$literal": ids}, "$_id"]}]}
    after: Any = {"$mergeObjects": ["$$ROOT", "$$one.put"]}
    for name in gone:
        after = {"$unsetField": {"field": name, "input": after}}
    chosen = {"$cond": [{"$eq": [_is(paths), "$$one.was"]}, after, "$$ROOT"]}
    return UpdateMany({"_id": {"$in": ids}}, [{"$replaceWith": {"$let": {"vars": {"one": one}, "in": chosen}}}])
