"""The parts of a keyspace that can change, and the effect of each change on a running system."""

from typing import Any

from keywright.engines.contract.change import (
    AddEntity,
    AddField,
    AddIndex,
    AddTable,
    AddType,
    AlterEntity,
    AlterField,
    AlterIndex,
    AlterKey,
    AlterReplication,
    AlterStorage,
    AlterTtl,
    AlterType,
    DropEntity,
    DropField,
    DropIndex,
    DropTable,
    DropType,
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

from ..schema.capabilities import TYPE_WORDS

_TABLE = Part(
    PartNames.TABLE,
    {
        "partition": leaf(PartNames.KEY),
        "clustering": leaf(PartNames.KEY),
        "static": every(leaf(PartNames.FIELD)),
        "columns": every(leaf(PartNames.FIELD)),
        "masks": every(leaf(PartNames.STORAGE)),
        "options": Part(parts={"default_time_to_live": leaf(PartNames.TTL), "*": leaf(PartNames.STORAGE)}),
        "generation": leaf(PartNames.KEY),
    },
)

PARTS = target(
    {
        "replication": leaf(PartNames.REPLICATION),
        "durable_writes": leaf(PartNames.REPLICATION),
        "types": every(leaf(PartNames.TYPE)),
        "tables": every(_TABLE),
        "indexes": every(leaf(PartNames.INDEX)),
        "views": every(leaf(PartNames.INDEX)),
    }
)
"""See `Engine.parts`."""


def _is_counter(_: Any, after: Any) -> bool:
    return bool(after == "counter")


def _only_adds(before: list[Any], after: list[Any]) -> bool:
    """Whether fields are only appended to a type."""
    return after[: len(before)] == before


def _is_shorter(before: Any, after: Any) -> bool:
    """Whether rows written after the change expire sooner. 0 and None mean never."""
    return bool(after) and (not before or after < before)


def _is_unfrozen_user_type(before: Any, _: Any) -> bool:
    """Whether a column has a user-defined type whose fields the server stores apart."""
    return isinstance(before, str) and "<" not in before and before not in TYPE_WORDS


_MASKED = "roles without UNMASK read masked values, and may write them back"
_MASKS = "native/tables/*/masks/*"
_COLUMNS = "native/tables/*/columns/*"
_STATIC = "native/tables/*/static/*"

CLASSES: Rows = (
    ClassRule(AddTable, "S", "a new table, once all nodes agree"),
    ClassRule(DropTable, "D", "the table and all its rows are deleted"),
    ClassRule(RenameTable, "R", "a table cannot be renamed"),
    ClassRule(AddType, "S", "a new type, once all nodes agree"),
    ClassRule(DropType, "K", "code that knows it fails"),
    ClassRule(AlterType, "S", "the type gets a field; stored values read null there", when=_only_adds),
    ClassRule(AlterType, "R", "the server changes neither the type nor the order of a type's fields"),
    ClassRule(AddEntity, "S", "rows of a new kind may be written"),
    ClassRule(DropEntity, "KD", "rows of this kind can no longer be read"),
    ClassRule(RenameEntity, "S", "rows do not carry the name"),
    ClassRule(AlterEntity, "B", "rows carry the version of their shape", "shape/*/schema_version"),
    ClassRule(AlterEntity, "BK", "rows are stored in another form"),
    ClassRule(AddField, "S", "a counter that starts at nothing", _COLUMNS, _is_counter),
    ClassRule(AddField, "S", "a column that old rows read as null", _COLUMNS),
    ClassRule(AddField, "S", "a static column that old partitions read as null", _STATIC),
    ClassRule(AddField, "B", "old rows read null", when=is_added_field_needed),
    ClassRule(AddField, "S", "rows may have it"),
    ClassRule(DropField, "R", "the server drops no column of an unfrozen type", "native/*", _is_unfrozen_user_type),
    ClassRule(DropField, "KD", "the column and its values are deleted at once", _COLUMNS),
    ClassRule(DropField, "KD", "the column and its values are deleted at once", _STATIC),
    ClassRule(DropField, "K", "code that reads it fails"),
    ClassRule(RenameField, "BKD", "a new column is filled from the former one, which is dropped", "native/*"),
    ClassRule(RenameField, "BK", "rows have it under the former name"),
    ClassRule(AlterField, "R", "the server changes no type of a column", "native/*"),
    ClassRule(AlterField, "S", "rows may lack it", when=is_loosened),
    ClassRule(AlterField, "B", "stored rows may lack it", when=is_tightened),
    ClassRule(AlterField, "BK", "stored rows have another type"),
    ClassRule(AddIndex, "O", "built by every node; a view is filled from its table"),
    ClassRule(DropIndex, "K", "code that queries it fails"),
    ClassRule(AlterIndex, "OK", "it is missing until it is built again"),
    ClassRule(AlterKey, "B", "stored items lack it", "shape/*/key/computed*", is_added),
    ClassRule(AlterKey, "BK", "stored items have values of the former template", "shape/*/key/computed*"),
    ClassRule(AlterKey, "R", "the primary key of a table is fixed"),
    ClassRule(AlterTtl, "SD", "rows written from now on expire sooner", when=_is_shorter),
    ClassRule(AlterTtl, "S", "rows written from now on expire later; old ones stay as they are"),
    ClassRule(AlterStorage, "O", "files are rewritten in their next compactions", "*/compaction"),
    ClassRule(AlterStorage, "O", "files are rewritten in their next compactions", "*/compression"),
    ClassRule(
        AlterStorage,
        "D",
        "deleted rows return if no repair runs in this time",
        "*/gc_grace_seconds",
        lambda before, after: after is not None and (before is None or after < before),
    ),
    ClassRule(AlterStorage, "K", "roles without UNMASK read masked values, and may write them back", _MASKS, is_added),
    ClassRule(AlterStorage, "S", "roles without UNMASK read values in another form", _MASKS),
    ClassRule(AlterStorage, "S", "an option of the table"),
    ClassRule(AlterReplication, "O", "a repair must bring the copies"),
)
"""See `Engine.classes`.

Source: https://cassandra.apache.org/doc/5.0/cassandra/developing/cql/ddl.html, 2026-11-21.
"""

FACTS = EngineFacts(parts=PARTS, classes=CLASSES, nouns=Nouns("keyspace"), suffixes=(".cql",), drops_values=True)
"""Facts about this engine for rules of migrations."""
