"""Reads the tables of `dynamodb/electrodb`, each as one entity that has their key attributes as fields."""

import json
import re
from typing import Any, TypeAlias

from tests.corpora.modelfile import CORPORA, Design, Entity

from keywright.record import Record

FOLDER = CORPORA / "dynamodb" / "electrodb"
Given: TypeAlias = dict[str, Any]
"""An object of a CreateTable input."""

OTHERS = {"other": "str", "second": "int"}
"""Fields beside those of keys."""

_TYPES = {"S": "str", "N": "int"}


class Key(Record):
    """The key of a table or of an index."""

    name: str
    """As verdicts name it, such as `gsi gsi1`."""
    hashes: tuple[str, ...]
    sorts: tuple[str, ...]
    held: frozenset[str] | None
    """The attributes that are in it; None for all."""


def read(name: str) -> Given:
    """The CreateTable input of one file; names without the underscore that no field of a model begins with."""
    document: Given = json.loads(re.sub(r'"_(?=[a-z])', '"', (FOLDER / f"{name}.json").read_text(encoding="utf-8")))
    return document


def keys(given: Given) -> list[Key]:
    """Every key of a table, its own first."""
    own = _key("table electro", given, None)
    always = frozenset((*own.hashes, *own.sorts))
    result = [own]
    for kind, indexes in (("gsi", "GlobalSecondaryIndexes"), ("lsi", "LocalSecondaryIndexes")):
        result += [_key(f"{kind} {entry['IndexName']}", entry, always) for entry in given.get(indexes, [])]
    return result


def _key(name: str, given: Given, always: frozenset[str] | None) -> Key:
    hashes, sorts = (
        tuple(entry["AttributeName"] for entry in given["KeySchema"] if entry["KeyType"] == kind)
        for kind in ("HASH", "RANGE")
    )
    projection = given.get("Projection", {"ProjectionType": "ALL"})
    if always is None or projection["ProjectionType"] == "ALL":
        return Key(name, hashes, sorts, None)
    return Key(name, hashes, sorts, always | {*hashes, *sorts, *projection.get("NonKeyAttributes", ())})


def fields(given: Given) -> dict[str, str]:
    """The type of each field."""
    return {
        definition["AttributeName"]: _TYPES[definition["AttributeType"]] for definition in given["AttributeDefinitions"]
    } | OTHERS


def design(given: Given) -> Design:
    """A table as a model file without patterns."""
    own, *indexes = keys(given)
    declared: dict[str, list[str]] = {"gsi": [], "lsi": []}
    for index in indexes:
        kind, _, name = index.name.partition(" ")
        declared[kind].append(_declared(kind, name, index, [*own.hashes, *own.sorts], [*fields(given)]))
    sk = own.sorts[0] if own.sorts else None
    table = f"table = kw.DynamoTable('electro', pk={own.hashes[0]!r}, {sk=}, discriminator=None"
    table += "".join(f", {kind}s=[{', '.join(lines)}]" for kind, lines in declared.items())
    return Design((f"{table})",), (Entity("Thing", "kw.Item(table)", fields(given)),), ())


def _declared(kind: str, name: str, index: Key, own: list[str], known: list[str]) -> str:
    key = [*index.hashes, *index.sorts]
    included = [entry for entry in known if index.held and entry in index.held and entry not in key + own]
    project = "all" if index.held is None else included or "keys"
    if kind == "lsi":
        return f"kw.Lsi({name!r}, sk={index.sorts[0]!r}, {project=})"
    sk = f", sk={list(index.sorts)}" if index.sorts else ""
    return f"kw.Gsi({name!r}, pk={list(index.hashes)}{sk}, {project=})"
