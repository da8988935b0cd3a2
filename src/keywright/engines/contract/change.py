"""Changes: one difference between two targets each, typed by what it is about and what becomes of it.

A change names a part of a description by its path, so that one walk finds the changes of every engine (`diff`), and
one function carries them out on a description (`patch`). Which parts there are is each engine's own data.
"""

from dataclasses import dataclass
from typing import TypeAlias

from keywright.ir.json import Json

Path: TypeAlias = tuple[str, ...]
"""Where a part stands: the target's key, the half of its description, and so on down."""


@dataclass(frozen=True, slots=True)
class Change:
    """A part that is there, is not, or is other than before."""

    store: str
    """The store that it is in, such as `mongodb/content`."""
    path: Path
    """The part; of a rename the new one."""
    before: Json = None
    """What it was; None for one that is added. Of a rename the former name."""
    after: Json = None
    """What it is; None for one that is dropped. Of a rename the new name."""

    @property
    def kind(self) -> str:
        """The name of its type, as files have it."""
        return type(self).__name__

    @property
    def object(self) -> str:
        """The path as one text; a slash within a name is written `~1`, a tilde `~0`."""
        return "/".join(part.replace("~", "~0").replace("/", "~1") for part in self.path)

    @property
    def is_native(self) -> bool:
        """Whether a live store can show it; the rest is known to declarations only."""
        return len(self.path) == 1 or self.path[1] == "native"


class AddTable(Change):
    """A table, collection, database, keyspace or server."""


class DropTable(Change):
    """A table, collection, database, keyspace or server goes, and all that is in it."""


class RenameTable(Change):
    """A table, collection, database, keyspace or server has another name."""


class AddEntity(Change):
    """An entity is stored where others may be already."""


class DropEntity(Change):
    """An entity is no longer stored."""


class RenameEntity(Change):
    """A class has another name."""


class AlterEntity(Change):
    """How an entity is stored, other than by its keys and fields."""


class AddField(Change):
    """An attribute or column."""


class DropField(Change):
    """An attribute or column goes."""


class RenameField(Change):
    """An attribute or column has another name."""


class AlterField(Change):
    """Its type, its stored name, or whether every item has it."""


class AddIndex(Change):
    """An index or view."""


class DropIndex(Change):
    """An index or view goes."""


class AlterIndex(Change):
    """Its keys, projection, filter or options."""


class AddType(Change):
    """A user-defined type."""


class DropType(Change):
    """A user-defined type goes."""


class AlterType(Change):
    """The fields of a user-defined type."""


class AlterKey(Change):
    """What identifies or places an item: a key, a key template, a generation."""


class AlterTtl(Change):
    """When items expire."""


class AlterValidator(Change):
    """What the server accepts of a document."""


class AlterStream(Change):
    """What changes a store tells of, and to whom."""


class AlterStorage(Change):
    """How data is stored: compaction, compression, collation."""


class AlterReplication(Change):
    """How many copies there are, and where."""


class AlterSetting(Change):
    """A setting of a server or table."""


KINDS: dict[str, type[Change]] = {kind.__name__: kind for kind in Change.__subclasses__()}
"""Every type of change by its name: the closed set that files may hold."""


def path_of(object: str) -> Path:
    """The inverse of `Change.object`."""
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in object.split("/"))


_INVERSE: dict[type[Change], type[Change]] = {
    kind: KINDS[name.replace("Add", "Drop", 1) if name.startswith("Add") else name.replace("Drop", "Add", 1)]
    for name, kind in KINDS.items()
}


def inverse(change: Change) -> Change:
    """The change that undoes another: an addition becomes a drop, a new value the old one."""
    kind = _INVERSE[type(change)]
    if change.kind.startswith("Rename"):
        return kind(change.store, (*change.path[:-1], str(change.before)), change.after, change.before)
    return kind(change.store, change.path, change.after, change.before)
