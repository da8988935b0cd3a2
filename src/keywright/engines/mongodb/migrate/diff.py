"""The parts of a database that can change, and the class of each change: its effect on a running system."""

from typing import Any

from keywright.engines.contract.change import (
    AddEntity,
    AddField,
    AddIndex,
    AddTable,
    AlterEntity,
    AlterField,
    AlterIndex,
    AlterKey,
    AlterStorage,
    AlterStream,
    AlterTtl,
    AlterValidator,
    DropEntity,
    DropField,
    DropIndex,
    DropTable,
    RenameEntity,
    RenameField,
    RenameTable,
)
from keywright.engines.contract.classes import (
    ClassRule,
    Rows,
    is_added,
    is_added_field_needed,
    is_loosened,
    is_tightened,
)
from keywright.engines.contract.facts import EngineFacts, Nouns
from keywright.engines.contract.parts import Part, PartNames, every, leaf, target

from .tighten import is_looser, is_surely_looser

_COLLECTION = Part(
    PartNames.TABLE,
    {
        "validator": leaf(PartNames.VALIDATOR),
        "validationLevel": leaf(PartNames.VALIDATOR),
        "validationAction": leaf(PartNames.VALIDATOR),
        "changeStreamPreAndPostImages": leaf(PartNames.STREAM),
        "expireAfterSeconds": leaf(PartNames.TTL),
        "*": leaf(PartNames.STORAGE),
    },
)

PARTS = target({"collections": every(_COLLECTION), "indexes": every(every(leaf(PartNames.INDEX)))})
"""See `Engine.parts`."""


def _only(*changed: str) -> Any:
    """Return a test whether two indexes differ in these options alone."""

    def test(before: dict[str, Any], after: dict[str, Any]) -> bool:
        return all(before.get(key) == after.get(key) for key in (before.keys() | after.keys()) - set(changed))

    return test


def _are_both(before: Any, after: Any) -> bool:
    """Whether a view remains a view."""
    return before is not None and after is not None


def is_wider_view(before: Any, after: Any) -> bool:
    """Whether a pipeline selects the same documents, with all their fields of before."""
    if before is None or after is None:
        return False
    old, new = _stages(before), _stages(after)
    if old is None or new is None or old.get("$match") != new.get("$match"):
        return False
    return "$project" not in new or ("$project" in old and old["$project"].keys() <= new["$project"].keys())


def _stages(pipeline: list[Any]) -> dict[str, Any] | None:
    """The stages of a declared view by name; None for other stages."""
    stages = {name: value for stage in pipeline for name, value in stage.items()}
    is_declared = stages.keys() <= {"$match", "$project"} and len(stages) == len(pipeline)
    return stages if is_declared else None


def _is_shorter(before: Any, after: Any) -> bool:
    def expiry(value: Any) -> Any:
        seconds = value.get("expireAfterSeconds") if isinstance(value, dict) else value
        return float("inf") if seconds is None else seconds

    return bool(expiry(after) < expiry(before))


def _expires_only(before: Any, after: Any) -> bool:
    return bool(_only("expireAfterSeconds")(before, after)) and None not in (
        before.get("expireAfterSeconds"),
        after.get("expireAfterSeconds"),
    )


CLASSES: Rows = (
    ClassRule(AddTable, "S", "a new collection"),
    ClassRule(DropTable, "K", "its readers find nothing", when=lambda before, _: "viewOn" in before),
    ClassRule(DropTable, "D", "the collection and all its documents are deleted"),
    ClassRule(RenameTable, "R", "stored documents stay under the former name"),
    ClassRule(AddEntity, "S", "documents of a new kind may be written"),
    ClassRule(DropEntity, "K", "a view stores no documents", when=lambda before, _: not before["fields"]),
    ClassRule(DropEntity, "KD", "documents of this kind can no longer be read"),
    ClassRule(RenameEntity, "S", "documents do not contain the name"),
    ClassRule(AlterEntity, "B", "documents contain their schema version", "shape/*/schema_version"),
    ClassRule(AlterEntity, "S", "an index contains other documents", "shape/*/where"),
    ClassRule(AlterEntity, "BK", "documents are stored in another form"),
    ClassRule(AddField, "B", "stored documents lack it", when=is_added_field_needed),
    ClassRule(AddField, "S", "documents may have it"),
    ClassRule(DropField, "K", "code that reads it finds nothing; stored values stay until a purge"),
    ClassRule(RenameField, "BK", "documents have it under the former name"),
    ClassRule(AlterField, "S", "documents may lack it", when=is_loosened),
    ClassRule(AlterField, "B", "stored documents may lack it", when=is_tightened),
    ClassRule(AlterField, "BK", "stored documents have another type"),
    ClassRule(
        AddIndex, "OB", "built online; it fails on documents that share a key", when=lambda _, new: "unique" in new
    ),
    ClassRule(AddIndex, "O", "built online"),
    ClassRule(DropIndex, "K", "code that hints at it fails, and its patterns scan"),
    ClassRule(AlterIndex, "S", "hidden or shown at once", when=_only("hidden")),
    ClassRule(AlterIndex, "D", "documents expire sooner", when=lambda a, b: _expires_only(a, b) and _is_shorter(a, b)),
    ClassRule(AlterIndex, "S", "documents expire later", when=_expires_only),
    ClassRule(
        AlterIndex,
        "OB",
        "documents that share a key must be corrected first",
        when=lambda a, b: _only("unique")(a, b) and "unique" in b,
    ),
    ClassRule(AlterIndex, "OK", "it is hidden, dropped and built again"),
    ClassRule(AlterKey, "B", "stored items lack it", "shape/*/key/computed*", is_added),
    ClassRule(AlterKey, "BK", "stored items have values of the former template", "shape/*/key/computed*"),
    ClassRule(AlterKey, "R", "the _id of a document is fixed", "shape/*/key/id"),
    ClassRule(AlterKey, "R", "documents are in another collection", "shape/*/key/collection"),
    ClassRule(AlterKey, "S", "documents move to other shards", "shape/*/key/zones"),
    ClassRule(AlterKey, "BK", "documents are found by other values"),
    ClassRule(AlterTtl, "D", "measurements expire sooner", when=_is_shorter),
    ClassRule(AlterTtl, "S", "measurements expire later"),
    ClassRule(AlterValidator, "S", "documents may contain more", "native/collections/*/validator", when=is_looser),
    ClassRule(
        AlterValidator, "S", "documents may contain more", "native/collections/*/validator", when=is_surely_looser
    ),
    ClassRule(AlterValidator, "S", "violations are only logged", "*/validationAction", when=lambda a, b: b != "error"),
    ClassRule(AlterValidator, "B", "stored documents may break it", "native/collections/*/validator"),
    ClassRule(AlterValidator, "B", "documents are validated differently"),
    ClassRule(AlterStream, "S", "change events contain other images"),
    ClassRule(AlterStorage, "K", "its readers find other documents at once", "*/viewOn", when=_are_both),
    ClassRule(AlterStorage, "S", "its documents have more fields", "*/pipeline", when=is_wider_view),
    ClassRule(AlterStorage, "K", "its readers find other documents or fields at once", "*/pipeline", when=_are_both),
    ClassRule(AlterStorage, "R", "fixed when the collection is created"),
)
"""See `Engine.classes`.

Source: https://www.mongodb.com/docs/manual/reference/command/collMod/, 2026-11-21.
"""

FACTS = EngineFacts(
    parts=PARTS, classes=CLASSES, nouns=Nouns("database", "collection"), suffixes=(".js",), index_depth=2
)
"""Facts about this engine for rules of migrations."""
