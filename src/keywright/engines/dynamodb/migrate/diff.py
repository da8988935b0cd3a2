"""Parts of a table that can change, and the class of each change for a running system."""

from keywright.engines.contract.change import (
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
from keywright.engines.contract.classes import (
    ClassRule,
    Rows,
    is_added,
    is_added_field_needed,
    is_dropped,
    is_extended,
    is_loosened,
    is_tightened,
)
from keywright.engines.contract.facts import EngineFacts, Nouns
from keywright.engines.contract.parts import PartNames, every, leaf, target

PARTS = target(
    {
        "keys": leaf(PartNames.KEY),
        "local_indexes": every(leaf(PartNames.INDEX)),
        "indexes": every(leaf(PartNames.INDEX)),
        "ttl": leaf(PartNames.TTL),
        "stream": leaf(PartNames.STREAM),
        "settings": every(leaf(PartNames.SETTING)),
    }
)
"""See `Engine.parts`."""

_LOCAL = "native/local_indexes/*"
_FIXED = "a local index is fixed when its table is created"

CLASSES: Rows = (
    ClassRule(AddTable, "S", "a new table, created with all its indexes"),
    ClassRule(DropTable, "D", "the table and all its items are deleted"),
    ClassRule(RenameTable, "R", "a table cannot be renamed"),
    ClassRule(AddEntity, "S", "items of a new kind may be written"),
    ClassRule(DropEntity, "KD", "items of this kind can no longer be read"),
    ClassRule(RenameEntity, "S", "items contain their discriminator, whose change is reported apart"),
    ClassRule(AlterEntity, "S", "items with each former value are read", "shape/*/mark", is_extended),
    ClassRule(AlterEntity, "B", "items contain their schema version", "shape/*/schema_version"),
    ClassRule(AlterEntity, "S", "an index contains other items after their next write", "shape/*/where"),
    ClassRule(AlterEntity, "BK", "items are stored in another form"),
    ClassRule(AddField, "B", "stored items lack it", when=is_added_field_needed),
    ClassRule(AddField, "S", "items may have it"),
    ClassRule(DropField, "K", "code that reads it finds nothing; stored values stay until a purge"),
    ClassRule(RenameField, "BK", "items have it under the former name"),
    ClassRule(AlterField, "S", "items may lack it", when=is_loosened),
    ClassRule(AlterField, "B", "stored items may lack it", when=is_tightened),
    ClassRule(AlterField, "BK", "stored items have another type"),
    ClassRule(AddIndex, "R", _FIXED, _LOCAL),
    ClassRule(AddIndex, "O", "built online, one per table at a time"),
    ClassRule(DropIndex, "R", _FIXED, _LOCAL),
    ClassRule(DropIndex, "K", "code that queries it fails"),
    ClassRule(AlterIndex, "R", _FIXED, _LOCAL),
    ClassRule(AlterIndex, "OK", "an index cannot be altered: it is missing until the new one is built"),
    ClassRule(AlterKey, "B", "stored items are not in the index", "shape/*/key/gsi *", is_added),
    ClassRule(AlterKey, "S", "items are no longer written to the index", "shape/*/key/gsi *", is_dropped),
    ClassRule(AlterKey, "B", "stored items lack it", "shape/*/key/computed*", is_added),
    ClassRule(AlterKey, "BK", "stored items have values of the former template", "shape/*/key/computed*"),
    ClassRule(AlterKey, "BK", "items are in an index under other keys", "shape/*/key/gsi *"),
    ClassRule(AlterKey, "R", "items are found by other keys", "shape/*/key/*"),
    ClassRule(AlterKey, "R", "the key of a table is fixed"),
    ClassRule(AlterTtl, "S", "items no longer expire", when=lambda before, after: after is None),
    ClassRule(AlterTtl, "D", "expired items are deleted"),
    ClassRule(AlterStream, "S", "a stream is opened", when=lambda before, after: before is None),
    ClassRule(AlterStream, "K", "consumers lose the stream, and a new one has another ARN"),
    ClassRule(AlterSetting, "S", "the environment's"),
)
"""See `Engine.classes`.

Source: https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateTable.html, 2026-11-21.
"""

FACTS = EngineFacts(parts=PARTS, classes=CLASSES, nouns=Nouns("table"))
"""Facts about this engine for rules of migrations."""
