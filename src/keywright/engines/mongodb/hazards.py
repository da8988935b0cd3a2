"""What goes wrong with changes of MongoDB databases only."""

from collections.abc import Iterator
from typing import Any

from keywright.engines.hazards.context import Context, Hazard, look_first
from keywright.engines.hazards.effect import Effect
from keywright.errors import quoted

_GIB = 1024**3
LARGE_BYTES = 20 * _GIB
"""From this size on, the build of an index is worth a look at the disk."""
DOCUMENT_BYTES = 16 * 1024**2
"""The largest document. Source: https://www.mongodb.com/docs/manual/reference/limits/, 2026-11-21."""
_SIZES = {"string": 4, "bool": 1, "int": 4, "long": 8, "double": 8, "date": 8, "decimal": 16, "objectId": 12}
_NAMED = 16


def unique_builds(context: Context) -> Iterator[Hazard]:
    """MF101: a unique index is built over documents that may share its key."""
    for one in context.of("AddIndex", engine="mongodb"):
        if "unique" in _words(one.change.after) and not context.is_checked(one):
            problem = f'unique index "{one.name}" is built over documents that may share its key: the build would fail'
            help = look_first(one)
            yield context.hazard(one, problem, help)


def made_unique(context: Context) -> Iterator[Hazard]:
    """MF102: an index becomes unique over documents that may share its key."""
    for one in context.of("AlterIndex", engine="mongodb"):
        becomes = "unique" in _words(one.change.after) and "unique" not in _words(one.change.before)
        if becomes and not context.is_checked(one):
            problem = f'index "{one.name}" becomes unique over documents that may share its key: the step would fail'
            yield context.hazard(one, problem, look_first(one))


def fewer_words(context: Context) -> Iterator[Hazard]:
    """BC106: a word is taken from an enumeration that stored documents may have."""
    for one, old, new in _schemas(context):
        for path, was, now in _pairs(old, new):
            gone = [str(word) for word in was.get("enum", ()) if "enum" in now and word not in now["enum"]]
            if gone:
                problem = f'{quoted(gone)} may no longer stand in "{path}" of "{one.table}", where documents have it'
                help = "keep the word for readers, or say in upgrades= map= what it becomes"
                yield context.hazard(one, problem, help)


def other_elements(context: Context) -> Iterator[Hazard]:
    """BC108: what is in a stored array is of another type."""
    for one, old, new in _schemas(context):
        for path, was, now in _pairs(old, new):
            a, b = (side.get("items", {}).get("bsonType") for side in (was, now))
            if a and b and a != b:
                problem = f'what is in "{path}" of "{one.table}" is of {_shown(a)} and becomes {_shown(b)}'
                yield context.hazard(one, problem, "add a field of the new type, and fill it from the old one")


def _schemas(context: Context) -> Iterator[tuple[Effect, Any, Any]]:
    """(effect, schema before, schema after) of every validator that no backfill goes with."""
    for one in context.of("AlterValidator", engine="mongodb"):
        old, new = (_words(side).get("$jsonSchema") for side in (one.change.before, one.change.after))
        if old and new and not any(stage.op == "backfill" and stage.store == one.store for stage in context.stages):
            yield one, old, new


def _pairs(old: Any, new: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """(path, schema before, schema after) of every field that both have."""
    was, now = old.get("properties", {}), new.get("properties", {})
    for name in sorted(was.keys() & now.keys()):
        here = f"{path}{name}"
        yield here, was[name], now[name]
        yield from _pairs(was[name], now[name], f"{here}.")
        if "items" in was[name] and "items" in now[name]:
            yield from _pairs(was[name]["items"], now[name]["items"], f"{here}.")


def large(context: Context) -> Iterator[Hazard]:
    """LK104: an index is built over much data, and nobody looks whether the disk has room."""
    for one in context.of("AddIndex", "AlterIndex", engine="mongodb"):
        size = context.sizes.get((one.store, one.table), 0)
        if size > LARGE_BYTES and ({"O"} & set(one.classes)) and not context.is_checked(one):
            problem = f'index "{one.name}" is built over {size // _GIB} GiB, and nobody looks at the disk first'
            yield context.hazard(one, problem, look_first(one))


def in_transactions(context: Context) -> Iterator[Hazard]:
    """LK105: a step asks for a transaction, in which the server neither builds nor fills much."""
    for stage in context.stages:
        if stage.store.startswith("mongodb/") and stage.more.get("transaction"):
            problem = f"step {stage.n} asks for a transaction, which the server ends after 60 s and 16 MB"
            yield context.hazard_of(stage, problem, "leave out transaction: every step resumes")


def large_documents(context: Context) -> Iterator[Hazard]:
    """CO102: what the declared bounds allow is more than a document can hold."""
    for one, schema in _changed(context):
        most = _most(schema)
        if most > DOCUMENT_BYTES:
            problem = f'a document of "{one.table}" may take {most // 1024**2} MiB by its bounds, 16 are allowed'
            yield context.hazard(one, problem, "lower max_length, or keep the elements in documents of their own")


def unbounded(context: Context) -> Iterator[Hazard]:
    """CO103: an array may grow for ever."""
    for one, schema in _changed(context):
        before = _words(one.change.before).get("$jsonSchema", {}) if one.kind == "AlterValidator" else {}
        known = {path for path, _ in _arrays(before)}
        for path, array in _arrays(schema):
            if "maxItems" not in array and path not in known:
                problem = f'list "{path}" of "{one.table}" has no bound: a document grows until it is refused'
                help = "say Field(max_length=...), or keep the elements in documents of their own"
                yield context.hazard(one, problem, help)


def _changed(context: Context) -> Iterator[tuple[Effect, Any]]:
    """(effect, schema) of every validator that comes or changes."""
    for one in context.effects:
        if one.engine != "mongodb" or one.kind not in ("AddTable", "AlterValidator") or len(one.path) < 4:
            continue
        value = _words(one.change.after)
        schema = value.get("validator", {}) if one.kind == "AddTable" else value
        if "$jsonSchema" in schema:
            yield one, schema["$jsonSchema"]


def _arrays(schema: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    for name, field in sorted(schema.get("properties", {}).items()):
        here = f"{path}{name}"
        if field.get("bsonType") == "array":
            yield here, field
            yield from _arrays(field.get("items", {}), f"{here}.")
        else:
            yield from _arrays(field, f"{here}.")


def _most(schema: Any) -> int:
    """The most bytes that a value of a schema takes, names included; what has no bound counts nothing."""
    kind = schema.get("bsonType")
    kinds = kind if isinstance(kind, list) else [kind]
    if "properties" in schema:
        return sum(_NAMED + _most(field) for field in schema["properties"].values())
    if "array" in kinds:
        return int(schema.get("maxItems", 0)) * (_most(schema.get("items", {})) + _NAMED // 2)
    if "string" in kinds:
        length = schema.get("maxLength") or max((len(str(word)) for word in schema.get("enum", ())), default=0)
        return int(length) * _SIZES["string"]
    return max((_SIZES[one] for one in kinds if one in _SIZES), default=0)


def _words(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _shown(type: Any) -> str:
    return " or ".join(type) if isinstance(type, list) else str(type)
