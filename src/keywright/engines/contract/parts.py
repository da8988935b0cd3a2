"""Which parts a description has: the tree that `diff` walks, drawn by each engine for its own targets."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

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


@dataclass(frozen=True, slots=True)
class Verbs:
    """What can become of one kind of part; where one is None, it counts as altered."""

    alter: type[Change]
    """It has another value."""
    add: type[Change] | None = None
    """It was not there."""
    drop: type[Change] | None = None
    """It goes."""
    rename: type[Change] | None = None
    """It has another name."""


class Noun(Enum):
    """The kinds of part."""

    TABLE = Verbs(AlterSetting, AddTable, DropTable, RenameTable)
    ENTITY = Verbs(AlterEntity, AddEntity, DropEntity, RenameEntity)
    OPTION = Verbs(AlterEntity)
    FIELD = Verbs(AlterField, AddField, DropField, RenameField)
    INDEX = Verbs(AlterIndex, AddIndex, DropIndex)
    TYPE = Verbs(AlterType, AddType, DropType)
    KEY = Verbs(AlterKey)
    TTL = Verbs(AlterTtl)
    VALIDATOR = Verbs(AlterValidator)
    STREAM = Verbs(AlterStream)
    STORAGE = Verbs(AlterStorage)
    REPLICATION = Verbs(AlterReplication)
    SETTING = Verbs(AlterSetting)


@dataclass(frozen=True, slots=True)
class Part:
    """A node of the tree."""

    noun: Noun | None = None
    """What stands here as a whole; None for a mere collection of parts."""
    parts: Mapping[str, "Part"] = field(default_factory=dict)
    """What is in it, by key; `*` for all other keys. Empty where it changes as one."""

    def at(self, key: str) -> "Part":
        """The part under a key."""
        found = self.parts.get(key) or self.parts.get("*")
        assert found is not None, f'no part of a description is called "{key}"'
        return found


def leaf(noun: Noun) -> Part:
    """A part that changes as one."""
    return Part(noun)


def every(part: Part) -> Part:
    """Parts of one kind, each under its own name."""
    return Part(parts={"*": part})


SHAPE = every(
    Part(
        Noun.ENTITY,
        {"fields": every(leaf(Noun.FIELD)), "key": every(leaf(Noun.KEY)), "*": leaf(Noun.OPTION)},
    )
)
"""The half that only declarations know, the same in every engine."""


def target(native: Mapping[str, Part]) -> Part:
    """A target with this native half."""
    return Part(Noun.TABLE, {"native": Part(parts=native), "shape": SHAPE, "generation": leaf(Noun.KEY)})
