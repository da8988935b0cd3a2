"""Folders of mongodump: a `.metadata.json` for each collection, beside the `.bson` with its documents."""

import json
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any
from urllib.parse import unquote

from keywright.engines.contract.adoption import NotExpressed, Schema
from keywright.ir.json import Json

from ..schema import reported
from ..schema.capabilities import CAPPED_MULTIPLE
from ..schema.codec import parse

METADATA = ".metadata.json"
SUFFIXES = (METADATA,)
"""Suffixes of schema files."""

FILES = ("folder of mongodump",)
"""Kinds of schema files."""


def read_schema(paths: Mapping[str, str]) -> Schema | None:
    """See `Adoption.read_schema`: a database for each folder, with the name of the folder."""
    databases: dict[str, dict[str, dict[str, Json]]] = {}
    documents: dict[str, dict[str, str]] = {}
    problems: list[NotExpressed] = []
    for path, text in paths.items():
        metadata = _metadata(text)
        if metadata is None:
            return None
        name, database = _names(PurePath(path), metadata)
        if reported.is_hidden_collection(name):
            continue
        try:
            collection, indexes = _described(metadata)
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            problems.append(NotExpressed(path, f"collection not read: {error} is missing or of another form"))
            continue
        native = databases.setdefault(database, {"collections": {}, "indexes": {}})
        native["collections"][name] = collection
        native["indexes"][name] = indexes
        if metadata.get("type") == "view" or "viewOn" in (metadata.get("options") or {}):
            continue
        documents.setdefault(database, {})[name] = path.removesuffix(METADATA) + ".bson"
    targets = tuple(
        parse({"name": name, "generation": 1, "native": {**native}, "shape": {}}) for name, native in databases.items()
    )
    return Schema(targets, not_expressed=tuple(problems), documents=documents)


def _metadata(text: str) -> dict[str, Any] | None:
    """The metadata of a collection; None for other documents. Old versions wrote no options, or no text at all."""
    try:
        document = json.loads(text)
    except ValueError:
        return None
    is_metadata = isinstance(document, dict) and isinstance(document.get("indexes"), list) and document.keys() <= _WORDS
    return document if is_metadata else None


_WORDS = frozenset(("options", "indexes", "uuid", "collectionName", "type", "metadata"))
"""Words of the metadata of a collection."""


def _names(path: PurePath, metadata: Mapping[str, Any]) -> tuple[str, str]:
    """(collection, database): the file and its folder, if the metadata do not name them."""
    stem = unquote(path.name.removesuffix(METADATA))
    return str(metadata.get("collectionName") or stem), path.parent.name or "dump"


def _described(metadata: Mapping[str, Any]) -> tuple[Json, Json]:
    """Descriptions of a collection and of its indexes without that on `_id`."""
    options = _relaxed(metadata.get("options") or {})
    options.pop("autoIndexId", None)
    options.pop("flags", None)
    if isinstance(size := options.get("size"), (int, float)):
        options["size"] = -(-int(size) // CAPPED_MULTIPLE) * CAPPED_MULTIPLE  # as the server restores it
    indexes: dict[str, Json] = {}
    for index in metadata["indexes"]:
        spec = _relaxed(index)
        spec["key"] = {path: _direction(direction) for path, direction in spec["key"].items()}
        name, described = reported.index(spec)
        if name != "_id_":
            indexes[name] = described
    return reported.collection({"options": options}), indexes


def _direction(value: Any) -> int | str:
    """The direction of a key: old servers accepted any value, of which negative numbers mean descending."""
    match value:
        case {"$numberDecimal": text}:
            return -1 if float(text) < 0 else 1
        case bool():
            return 1
        case int() | float():
            return -1 if value < 0 else 1
        case _:
            return str(value)


def _relaxed(value: Any) -> Any:
    """Extended JSON with plain numbers, as servers report it."""
    match value:
        case {"$numberInt": text} | {"$numberLong": text} if len(value) == 1:
            return int(text)
        case {"$numberDouble": text} if len(value) == 1:
            return float(text)
        case dict():
            return {name: _relaxed(inner) for name, inner in value.items()}
        case list():
            return [_relaxed(element) for element in value]
        case _:
            return value
