"""The parts of a database that can change, and what each change does to a running system."""

from typing import Any

from keywright.engines.change import (
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
from keywright.engines.classes import Row, Rows, is_added, is_added_field_needed, is_loosened, is_tightened
from keywright.engines.parts import Noun, Part, every, leaf, target

from .tighten import is_looser

_COLLECTION = Part(
    Noun.TABLE,
    {
        "validator": leaf(Noun.VALIDATOR),
        "validationLevel": leaf(Noun.VALIDATOR),
        "validationAction": leaf(Noun.VALIDATOR),
        "changeStreamPreAndPostImages": leaf(Noun.STREAM),
        "expireAfterSeconds": leaf(Noun.TTL),
        "*": leaf(Noun.STORAGE),
    },
)

PARTS = target({"collections": every(_COLLECTION), "indexes": every(every(leaf(Noun.INDEX)))})
"""See `Engine.parts`."""


def _only(*changed: str) -> Any:
    """Whether two indexes differ in these options alone."""

    def test(before: dict[str, Any], after: dict[str, Any]) -> bool:
        return all(before.get(key) == after.get(key) for key in (before.keys() | after.keys()) - set(changed))

    return test


def _is_shorter(before: Any, after: Any) -> bool:
    def expiry(one: Any) -> Any:
        found = one.get("expireAfterSeconds") if isinstance(one, dict) else one
        return float("inf") if found is None else found

    return bool(expiry(after) < expiry(before))


def _expires_only(before: Any, after: Any) -> bool:
    return bool(_only("expireAfterSeconds")(before, after)) and None not in (
        before.get("expireAfterSeconds"),
        after.get("expireAfterSeconds"),
    )


CLASSES: Rows = (
    Row(AddTable, "S", "a new collection"),
    Row(DropTable, "D", "the collection and all its documents go"),
    Row(RenameTable, "R", "what is stored stays under the former name"),
    Row(AddEntity, "S", "documents of a new kind may be written"),
    Row(DropEntity, "KD", "documents of this kind are no longer known"),
    Row(RenameEntity, "S", "documents do not carry the name"),
    Row(AlterEntity, "B", "documents carry the version of their shape", "shape/*/schema_version"),
    Row(AlterEntity, "S", "an index holds other documents", "shape/*/where"),
    Row(AlterEntity, "BK", "documents are stored otherwise"),
    Row(AddField, "B", "stored documents lack it", when=is_added_field_needed),
    Row(AddField, "S", "documents may have it"),
    Row(DropField, "K", "code that reads it finds nothing; what is stored stays until it is purged"),
    Row(RenameField, "BK", "documents have it under the former name"),
    Row(AlterField, "S", "documents may lack it", when=is_loosened),
    Row(AlterField, "B", "stored documents may lack it", when=is_tightened),
    Row(AlterField, "BK", "stored documents hold another type"),
    Row(AddIndex, "OB", "built online; it fails on documents that share a key", when=lambda _, new: "unique" in new),
    Row(AddIndex, "O", "built online"),
    Row(DropIndex, "K", "code that hints at it fails, and what it served scans"),
    Row(AlterIndex, "S", "hidden or shown at once", when=_only("hidden")),
    Row(AlterIndex, "D", "documents expire sooner", when=lambda a, b: _expires_only(a, b) and _is_shorter(a, b)),
    Row(AlterIndex, "S", "documents expire later", when=_expires_only),
    Row(
        AlterIndex,
        "OB",
        "documents that share a key must be put right first",
        when=lambda a, b: _only("unique")(a, b) and "unique" in b,
    ),
    Row(AlterIndex, "OK", "it is hidden, dropped and built anew"),
    Row(AlterKey, "B", "stored items lack it", "shape/*/key/computed*", is_added),
    Row(AlterKey, "BK", "stored items hold what it was made of before", "shape/*/key/computed*"),
    Row(AlterKey, "R", "the _id of a document is fixed", "shape/*/key/id"),
    Row(AlterKey, "R", "documents are in another collection", "shape/*/key/collection"),
    Row(AlterKey, "BK", "documents are found by other values"),
    Row(AlterTtl, "D", "measurements expire sooner", when=_is_shorter),
    Row(AlterTtl, "S", "measurements expire later"),
    Row(AlterValidator, "S", "documents may hold more", "native/collections/*/validator", when=is_looser),
    Row(AlterValidator, "B", "stored documents may break it", "native/collections/*/validator"),
    Row(AlterValidator, "B", "documents are judged otherwise"),
    Row(AlterStream, "S", "changes carry other images"),
    Row(AlterStorage, "R", "fixed when the collection is made"),
)
"""See `Engine.classes`.

Source: https://www.mongodb.com/docs/manual/reference/command/collMod/, 2026-11-21.
"""
