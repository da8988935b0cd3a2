"""Migration rules for MongoDB databases only."""

from collections.abc import Iterator
from typing import Any

from keywright.engines.findings.migration.context import MigrationContext, MigrationFindingDraft, check_first
from keywright.engines.findings.migration.effect import Effect
from keywright.engines.findings.migration.rebuilds import HELP
from keywright.engines.findings.migration.values import is_field, stored, type_of
from keywright.engines.findings.rule import Rule
from keywright.errors import quoted

_GIB = 1024**3
LARGE_BYTES = 20 * _GIB
"""Size from which the free disk space is checked before an index is built."""
DOCUMENT_BYTES = 16 * 1024**2
"""The largest document. Source: https://www.mongodb.com/docs/manual/reference/limits/, 2026-11-21."""
_SIZES = {"string": 4, "bool": 1, "int": 4, "long": 8, "double": 8, "date": 8, "decimal": 16, "objectId": 12}
_NAME_BYTES = 16


def unique_builds(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """MF101: a unique index is built over documents that may share its key."""
    for effect in context.of("AddIndex", engine="mongodb"):
        if "unique" in _words(effect.change.after) and not context.is_checked(effect):
            problem = (
                f'unique index "{effect.name}" is built over documents that may share its key: the build would fail'
            )
            help = check_first(effect)
            yield context.hazard(effect, problem, help)


def becomes_unique(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """MF102: an index becomes unique over documents that may share its key."""
    for effect in context.of("AlterIndex", engine="mongodb"):
        becomes = "unique" in _words(effect.change.after) and "unique" not in _words(effect.change.before)
        if becomes and not context.is_checked(effect):
            problem = f'index "{effect.name}" becomes unique over documents that may share its key: the step would fail'
            yield context.hazard(effect, problem, check_first(effect))


def fewer_words(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """BC106: an enumeration loses a value that stored documents may contain."""
    for effect, old, new in _schemas(context):
        for path, old_field, new_field in _pairs(old, new):
            removed = [
                str(word) for word in old_field.get("enum", ()) if "enum" in new_field and word not in new_field["enum"]
            ]
            if removed:
                problem = (
                    f'{quoted(removed)} may no longer be in "{path}" of "{effect.table}", but documents contain it'
                )
                help = "keep the value for readers, or map it in upgrades= with map="
                yield context.hazard(effect, problem, help)


def other_elements(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """BC108: the elements of a stored array get another type."""
    for effect, old, new in _schemas(context):
        for path, old_field, new_field in _pairs(old, new):
            old_type, new_type = (side.get("items", {}).get("bsonType") for side in (old_field, new_field))
            if old_type and new_type and old_type != new_type:
                problem = (
                    f'the values of "{path}" of "{effect.table}" change from {_shown(old_type)} to {_shown(new_type)}'
                )
                yield context.hazard(effect, problem, "add a field of the new type, and fill it from the old one")


def _schemas(context: MigrationContext) -> Iterator[tuple[Effect, Any, Any]]:
    """(effect, schema before, schema after) of every validator that changes without a backfill."""
    for effect in context.of("AlterValidator", engine="mongodb"):
        old, new = (_words(side).get("$jsonSchema") for side in (effect.change.before, effect.change.after))
        if old and new and not any(step.op == "backfill" and step.store == effect.store for step in context.steps):
            yield effect, old, new


def _pairs(old: Any, new: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    """(path, schema before, schema after) of every field in both schemas."""
    old_fields, new_fields = old.get("properties", {}), new.get("properties", {})
    for name in sorted(old_fields.keys() & new_fields.keys()):
        field_path = f"{path}{name}"
        yield field_path, old_fields[name], new_fields[name]
        yield from _pairs(old_fields[name], new_fields[name], f"{field_path}.")
        if "items" in old_fields[name] and "items" in new_fields[name]:
            yield from _pairs(old_fields[name]["items"], new_fields[name]["items"], f"{field_path}.")


def large(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """LK104: an index is built over much data without a check of the free disk space."""
    for effect in context.of("AddIndex", "AlterIndex", engine="mongodb"):
        size = context.sizes.get((effect.store, effect.table), 0)
        if size > LARGE_BYTES and ({"O"} & set(effect.classes)) and not context.is_checked(effect):
            problem = f'index "{effect.name}" is built over {size // _GIB} GiB, without a check of the disk first'
            yield context.hazard(effect, problem, check_first(effect))


def in_transactions(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """LK105: a step requests a transaction, in which the server neither builds indexes nor writes much data."""
    for step in context.steps:
        if step.store.startswith("mongodb/") and step.more.get("transaction"):
            problem = f"step {step.n} requests a transaction, which the server ends after 60 s and 16 MB"
            yield context.hazard_of(step, problem, "remove transaction: every step resumes")


def large_documents(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """CO102: the declared bounds allow more bytes than the limit of a document."""
    for effect, schema in _changed(context):
        max_bytes = _max_bytes(schema)
        if max_bytes > DOCUMENT_BYTES:
            problem = (
                f'a document of "{effect.table}" may take {max_bytes // 1024**2} MiB by its bounds, 16 are allowed'
            )
            yield context.hazard(effect, problem, "lower max_length, or store the elements in separate documents")


def unbounded(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """CO103: an array may grow without bound."""
    for effect, schema in _changed(context):
        before = _words(effect.change.before).get("$jsonSchema", {}) if effect.kind == "AlterValidator" else {}
        paths = {path for path, _ in _arrays(before)}
        for path, array in _arrays(schema):
            if "maxItems" not in array and path not in paths:
                problem = f'list "{path}" of "{effect.table}" has no limit: a document grows until it is rejected'
                help = "write Field(max_length=...), or store the elements in separate documents"
                yield context.hazard(effect, problem, help)


def _changed(context: MigrationContext) -> Iterator[tuple[Effect, Any]]:
    """(effect, schema) of every validator that is added or changes."""
    for effect in context.effects:
        if effect.engine != "mongodb" or effect.kind not in ("AddTable", "AlterValidator") or len(effect.path) < 4:
            continue
        value = _words(effect.change.after)
        schema = value.get("validator", {}) if effect.kind == "AddTable" else value
        if "$jsonSchema" in schema:
            yield effect, schema["$jsonSchema"]


def _arrays(schema: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    for name, field in sorted(schema.get("properties", {}).items()):
        array_path = f"{path}{name}"
        if field.get("bsonType") == "array":
            yield array_path, field
            yield from _arrays(field.get("items", {}), f"{array_path}.")
        else:
            yield from _arrays(field, f"{array_path}.")


def _max_bytes(schema: Any) -> int:
    """The maximum bytes of a value of a schema, names included; parts without a bound count as zero."""
    kind = schema.get("bsonType")
    kinds = kind if isinstance(kind, list) else [kind]
    if "properties" in schema:
        return sum(_NAME_BYTES + _max_bytes(field) for field in schema["properties"].values())
    if "array" in kinds:
        return int(schema.get("maxItems", 0)) * (_max_bytes(schema.get("items", {})) + _NAME_BYTES // 2)
    if "string" in kinds:
        length = schema.get("maxLength") or max((len(str(word)) for word in schema.get("enum", ())), default=0)
        return int(length) * _SIZES["string"]
    return max((_SIZES[kind] for kind in kinds if kind in _SIZES), default=0)


def _words(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _shown(type: Any) -> str:
    return " or ".join(type) if isinstance(type, list) else str(type)


def id_types(context: MigrationContext) -> Iterator[MigrationFindingDraft]:
    """RB102: `_id` changes its type without a new generation."""
    for effect in context.of("AlterField"):
        before, after = type_of(effect.change.before), type_of(effect.change.after)
        is_id = is_field(effect) and stored(effect.name, effect.change.after) == "_id" and effect.engine == "mongodb"
        if is_id and before != after and not context.is_rebuilt(effect):
            yield context.hazard(
                effect,
                f"the type of _id of {effect.entity} changes from {before} to {after}, which no server does in place",
                HELP,
            )


RULES = (
    Rule("RB102", id_types, is_suppressible=False),
    Rule("MF101", unique_builds),
    Rule("MF102", becomes_unique),
    Rule("BC106", fewer_words),
    Rule("BC108", other_elements),
    Rule("LK104", large, severity="warning"),
    Rule("LK105", in_transactions),
    Rule("CO102", large_documents, severity="warning", confidence="estimated"),
    Rule("CO103", unbounded, severity="warning"),
)
"""Migration rules for MongoDB databases only."""
