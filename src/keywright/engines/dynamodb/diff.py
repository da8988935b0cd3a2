"""The parts of a table that can change, and what each change does to a running system."""

from keywright.engines.change import (
    AddEntity,
    AddField,
    AddIndex,
    AddTable,
    AlterEntity,
    AlterField,
    AlterIndex,
    AlterKey,
    AlterSetting,
    AlterStream,
    AlterTtl,
    DropEntity,
    DropField,
    DropIndex,
    DropTable,
    RenameEntity,
    RenameField,
    RenameTable,
)
from keywright.engines.classes import Row, Rows, is_added, is_added_field_needed, is_dropped, is_loosened, is_tightened
from keywright.engines.parts import Noun, every, leaf, target

PARTS = target(
    {
        "keys": leaf(Noun.KEY),
        "local_indexes": every(leaf(Noun.INDEX)),
        "indexes": every(leaf(Noun.INDEX)),
        "ttl": leaf(Noun.TTL),
        "stream": leaf(Noun.STREAM),
        "settings": every(leaf(Noun.SETTING)),
    }
)
"""See `Engine.parts`."""

_LOCAL = "native/local_indexes/*"
_FIXED = "a local index is fixed when its table is made"

CLASSES: Rows = (
    Row(AddTable, "S", "a new table, made with all its indexes"),
    Row(DropTable, "D", "the table and all its items go"),
    Row(RenameTable, "R", "a table cannot be renamed"),
    Row(AddEntity, "S", "items of a new kind may be written"),
    Row(DropEntity, "KD", "items of this kind are no longer known"),
    Row(RenameEntity, "BK", "the mark on its items says the former name"),
    Row(AlterEntity, "B", "items carry the version of their shape", "shape/*/schema_version"),
    Row(AlterEntity, "S", "an index holds other items from their next write on", "shape/*/where"),
    Row(AlterEntity, "BK", "items are stored otherwise"),
    Row(AddField, "B", "stored items lack it", when=is_added_field_needed),
    Row(AddField, "S", "items may have it"),
    Row(DropField, "K", "code that reads it finds nothing; what is stored stays until it is purged"),
    Row(RenameField, "BK", "items have it under the former name"),
    Row(AlterField, "S", "items may lack it", when=is_loosened),
    Row(AlterField, "B", "stored items may lack it", when=is_tightened),
    Row(AlterField, "BK", "stored items hold another type"),
    Row(AddIndex, "R", _FIXED, _LOCAL),
    Row(AddIndex, "O", "built online, one per table at a time"),
    Row(DropIndex, "R", _FIXED, _LOCAL),
    Row(DropIndex, "K", "code that asks it fails"),
    Row(AlterIndex, "R", _FIXED, _LOCAL),
    Row(AlterIndex, "OK", "an index cannot be altered: it is gone until the new one is built"),
    Row(AlterKey, "B", "stored items are not in the index", "shape/*/key/gsi *", is_added),
    Row(AlterKey, "S", "items are no longer put into the index", "shape/*/key/gsi *", is_dropped),
    Row(AlterKey, "B", "stored items lack it", "shape/*/key/computed*", is_added),
    Row(AlterKey, "BK", "stored items hold what it was made of before", "shape/*/key/computed*"),
    Row(AlterKey, "BK", "items are in an index under other keys", "shape/*/key/gsi *"),
    Row(AlterKey, "R", "items are found by other keys", "shape/*/key/*"),
    Row(AlterKey, "R", "the key of a table is fixed"),
    Row(AlterTtl, "S", "items no longer expire", when=lambda before, after: after is None),
    Row(AlterTtl, "D", "items whose time has passed are deleted"),
    Row(AlterStream, "S", "a stream is opened", when=lambda before, after: before is None),
    Row(AlterStream, "K", "consumers lose the stream, and a new one has another address"),
    Row(AlterSetting, "S", "the environment's"),
)
"""See `Engine.classes`.

Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTable.html, 2026-11-21.
"""
