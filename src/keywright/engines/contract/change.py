"""Changes: typed differences between two targets.

A change names a part of a description by its path, so that one walk finds the changes of every engine (`diff`), and
one function applies them to a description (`patch`). Each engine declares the parts of its descriptions as data.
"""

from typing import TypeAlias

from keywright.ir.json import Json
from keywright.record import Record

Path: TypeAlias = tuple[str, ...]
"""The path of a part: the target's key, the half of its description, then the keys below."""


class Change(Record):
    """A part that is added, dropped or altered."""

    store: str
    """Its store, such as `mongodb/content`."""
    path: Path
    """The path of the part; for a rename, of the new part."""
    before: Json = None
    """The value before; None for an added part. For a rename the former name."""
    after: Json = None
    """The value after; None for a dropped part. For a rename the new name."""

    @property
    def kind(self) -> str:
        """The name of its type, as in files."""
        return type(self).__name__

    @property
    def object(self) -> str:
        """The path as one text; a slash within a name is written `~1`, a tilde `~0`."""
        return "/".join(part.replace("~", "~0").replace("/", "~1") for part in self.path)

    @property
    def is_native(self) -> bool:
        """Whether a live store can report it; other changes are known from declarations only."""
        return len(self.path) == 1 or self.path[1] == "native"


class AddTable(Change):
    """A table, collection, database, keyspace or server is added."""


class DropTable(Change):
    """A table, collection, database, keyspace or server is dropped with its contents."""


class RenameTable(Change):
    """A table, collection, database, keyspace or server gets another name."""


class AddEntity(Change):
    """An entity is added to a target."""


class DropEntity(Change):
    """An entity is no longer stored."""


class RenameEntity(Change):
    """The class of an entity gets another name."""


class AlterEntity(Change):
    """The storage of an entity changes, other than its keys and fields."""


class AddField(Change):
    """An attribute or column is added."""


class DropField(Change):
    """An attribute or column is dropped."""


class RenameField(Change):
    """An attribute or column gets another name."""


class AlterField(Change):
    """The type or stored name of a field changes, or whether every item has it."""


class AddIndex(Change):
    """An index or view is added."""


class DropIndex(Change):
    """An index or view is dropped."""


class AlterIndex(Change):
    """Keys, projection, filter or options of an index change."""


class AddType(Change):
    """A user-defined type is added."""


class DropType(Change):
    """A user-defined type is dropped."""


class AlterType(Change):
    """The fields of a user-defined type change."""


class AlterKey(Change):
    """A key, a key template or a generation changes, which identifies or places items."""


class AlterTtl(Change):
    """The expiry of items changes."""


class AlterValidator(Change):
    """The server's validation of documents changes."""


class AlterStream(Change):
    """The change stream of a store changes."""


class AlterStorage(Change):
    """Storage options such as compaction, compression or collation change."""


class AlterReplication(Change):
    """The number or the location of replicas changes."""


class AlterSetting(Change):
    """A setting of a server or table changes."""


KINDS: dict[str, type[Change]] = {kind.__name__: kind for kind in Change.__subclasses__()}
"""Every type of change by its name: the closed set that files may contain."""


def path_of(object: str) -> Path:
    """The inverse of `Change.object`."""
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in object.split("/"))


_INVERSE: dict[type[Change], type[Change]] = {
    kind: KINDS[name.replace("Add", "Drop", 1) if name.startswith("Add") else name.replace("Drop", "Add", 1)]
    for name, kind in KINDS.items()
}


def inverse(change: Change) -> Change:
    """The change that reverses another: an addition becomes a drop, a new value the old value."""
    kind = _INVERSE[type(change)]
    if change.kind.startswith("Rename"):
        return kind(change.store, (*change.path[:-1], str(change.before)), change.after, change.before)
    return kind(change.store, change.path, change.after, change.before)
