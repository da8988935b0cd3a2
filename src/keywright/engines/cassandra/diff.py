"""The parts of a keyspace that can change, and what each change does to a running system."""

from typing import Any

from keywright.engines.change import (
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
from keywright.engines.classes import Row, Rows, is_added, is_added_field_needed, is_loosened, is_tightened
from keywright.engines.parts import Noun, Part, every, leaf, target

_TABLE = Part(
    Noun.TABLE,
    {
        "partition": leaf(Noun.KEY),
        "clustering": leaf(Noun.KEY),
        "static": every(leaf(Noun.FIELD)),
        "columns": every(leaf(Noun.FIELD)),
        "options": Part(parts={"default_time_to_live": leaf(Noun.TTL), "*": leaf(Noun.STORAGE)}),
        "generation": leaf(Noun.KEY),
    },
)

PARTS = target(
    {
        "replication": leaf(Noun.REPLICATION),
        "durable_writes": leaf(Noun.REPLICATION),
        "types": every(leaf(Noun.TYPE)),
        "tables": every(_TABLE),
        "indexes": every(leaf(Noun.INDEX)),
        "views": every(leaf(Noun.INDEX)),
    }
)
"""See `Engine.parts`."""


def _is_counter(_: Any, after: Any) -> bool:
    return bool(after == "counter")


def _only_adds(before: list[Any], after: list[Any]) -> bool:
    """Whether a type only gets fields behind those that it has."""
    return after[: len(before)] == before


def _is_shorter(before: Any, after: Any) -> bool:
    """Whether rows written from now on expire sooner; 0 and nothing are never."""
    return bool(after) and (not before or after < before)


_COLUMNS = "native/tables/*/columns/*"
_STATIC = "native/tables/*/static/*"

CLASSES: Rows = (
    Row(AddTable, "S", "a new table, once all nodes agree"),
    Row(DropTable, "D", "the table and all its rows go"),
    Row(RenameTable, "R", "a table cannot be renamed"),
    Row(AddType, "S", "a new type, once all nodes agree"),
    Row(DropType, "K", "code that knows it fails"),
    Row(AlterType, "S", "the type gets a field; stored values read null there", when=_only_adds),
    Row(AlterType, "R", "the server changes neither the type nor the order of a type's fields"),
    Row(AddEntity, "S", "rows of a new kind may be written"),
    Row(DropEntity, "KD", "rows of this kind are no longer known"),
    Row(RenameEntity, "S", "rows do not carry the name"),
    Row(AlterEntity, "B", "rows carry the version of their shape", "shape/*/schema_version"),
    Row(AlterEntity, "BK", "rows are stored otherwise"),
    Row(AddField, "S", "a counter that starts at nothing", _COLUMNS, _is_counter),
    Row(AddField, "S", "a column that old rows read as null", _COLUMNS),
    Row(AddField, "S", "a static column that old partitions read as null", _STATIC),
    Row(AddField, "B", "old rows read null", when=is_added_field_needed),
    Row(AddField, "S", "rows may have it"),
    Row(DropField, "KD", "the column and its values go at once", _COLUMNS),
    Row(DropField, "KD", "the column and its values go at once", _STATIC),
    Row(DropField, "K", "code that reads it fails"),
    Row(RenameField, "BKD", "a new column is filled from the former one, which goes", "native/*"),
    Row(RenameField, "BK", "rows have it under the former name"),
    Row(AlterField, "R", "the server changes no type of a column", "native/*"),
    Row(AlterField, "S", "rows may lack it", when=is_loosened),
    Row(AlterField, "B", "stored rows may lack it", when=is_tightened),
    Row(AlterField, "BK", "stored rows hold another type"),
    Row(AddIndex, "O", "built by every node; a view is filled from its table"),
    Row(DropIndex, "K", "code that asks it fails"),
    Row(AlterIndex, "OK", "it is gone until it is built anew"),
    Row(AlterKey, "B", "stored items lack it", "shape/*/key/computed*", is_added),
    Row(AlterKey, "BK", "stored items hold what it was made of before", "shape/*/key/computed*"),
    Row(AlterKey, "R", "the primary key of a table is fixed"),
    Row(AlterTtl, "SD", "rows written from now on expire sooner", when=_is_shorter),
    Row(AlterTtl, "S", "rows written from now on expire later; old ones stay as they are"),
    Row(AlterStorage, "O", "files are rewritten in their next compactions", "*/compaction"),
    Row(AlterStorage, "O", "files are rewritten in their next compactions", "*/compression"),
    Row(
        AlterStorage,
        "D",
        "deleted rows return if no repair runs in this time",
        "*/gc_grace_seconds",
        lambda before, after: after is not None and (before is None or after < before),
    ),
    Row(AlterStorage, "S", "an option of the table"),
    Row(AlterReplication, "O", "a repair must bring the copies"),
)
"""See `Engine.classes`.

Source: https://cassandra.apache.org/doc/5.0/cassandra/developing/cql/ddl.html, 2026-11-21.
"""
