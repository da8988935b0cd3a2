"""The parts of a description: the tree that `diff` walks, which each engine declares for its targets."""

from collections.abc import Mapping
from enum import Enum
from typing import TypeAlias

from keywright.ir.json import Json
from keywright.record import Record, field

from .change import (
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
    AlterSetting,
    AlterStorage,
    AlterStream,
    AlterTtl,
    AlterType,
    AlterValidator,
    Change,
    DropEntity,
    DropField,
    DropIndex,
    DropTable,
    DropType,
    RenameEntity,
    RenameField,
    RenameTable,
)

Description: TypeAlias = dict[str, Json]
"""`{"name", "generation", "native", "shape"}`: a target as JSON; a live store reports no shape."""


class ChangeKinds(Record):
    """The types of change of one kind of part; `alter` stands in for a type that is None."""

    alter: type[Change]
    """The change of its value."""
    add: type[Change] | None = None
    """Its addition."""
    drop: type[Change] | None = None
    """Its removal."""
    rename: type[Change] | None = None
    """Its rename."""


class PartNames(Enum):
    """The kinds of part."""

    TABLE = ChangeKinds(AlterSetting, AddTable, DropTable, RenameTable)
    ENTITY = ChangeKinds(AlterEntity, AddEntity, DropEntity, RenameEntity)
    OPTION = ChangeKinds(AlterEntity)
    FIELD = ChangeKinds(AlterField, AddField, DropField, RenameField)
    INDEX = ChangeKinds(AlterIndex, AddIndex, DropIndex)
    TYPE = ChangeKinds(AlterType, AddType, DropType)
    KEY = ChangeKinds(AlterKey)
    TTL = ChangeKinds(AlterTtl)
    VALIDATOR = ChangeKinds(AlterValidator)
    STREAM = ChangeKinds(AlterStream)
    STORAGE = ChangeKinds(AlterStorage)
    REPLICATION = ChangeKinds(AlterReplication)
    SETTING = ChangeKinds(AlterSetting)


class Part(Record):
    """A node of the tree."""

    noun: PartNames | None = None
    """The kind of part; None for a collection of parts."""
    parts: Mapping[str, "Part"] = field(default_factory=dict)
    """Its parts by key; `*` for all other keys. Empty for a part that changes as a whole."""

    def at(self, key: str) -> "Part":
        """The part under a key."""
        part = self.parts.get(key) or self.parts.get("*")
        assert part is not None, f'no part of a description is called "{key}"'
        return part


def leaf(noun: PartNames) -> Part:
    """A part that changes as a whole."""
    return Part(noun)


def every(part: Part) -> Part:
    """Parts of one kind, each under its own name."""
    return Part(parts={"*": part})


SHAPE = every(
    Part(
        PartNames.ENTITY,
        {"fields": every(leaf(PartNames.FIELD)), "key": every(leaf(PartNames.KEY)), "*": leaf(PartNames.OPTION)},
    )
)
"""The shape half, the same in every engine."""


def target(native: Mapping[str, Part]) -> Part:
    """A target with this native half."""
    return Part(PartNames.TABLE, {"native": Part(parts=native), "shape": SHAPE, "generation": leaf(PartNames.KEY)})
