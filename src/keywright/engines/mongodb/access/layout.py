"""One entity's collection in a placed target, as the planner reads it: made once for each target and binding."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Literal, TypeAlias

from keywright.access.cost import Band
from keywright.access.path import By
from keywright.access.predicate import Predicate
from keywright.engines.shape import EntityShape
from keywright.ir.attribute import Attribute, Many
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.json import Json
from keywright.ir.template import Template, parse

from ..fields import ID
from ..target import CollectionTarget, DatabaseTarget, IndexTarget
from .implied import predicate_of

KEPT = 65_536
"""Views that are remembered before all are forgotten: more than any project has."""


IndexKind: TypeAlias = Literal["fields", "text", "place", "hash", "wildcard", "hidden"]
"""What an index can do: hidden ones, nothing."""


@dataclass(frozen=True, slots=True)
class IndexView:
    """An index as the planner reads it."""

    target: IndexTarget
    """The index."""
    by: By
    """How paths name it."""
    kind: IndexKind
    """What it can do."""
    keys: tuple[tuple[str, int | str], ...]
    """(field as patterns name it, direction); a path that no field has is left as it is."""
    arrays: tuple[str, ...]
    """For each key the innermost list that it leads through, as patterns name it; empty for none."""
    filter: Predicate | None
    """What documents fulfil to be in it; None where it holds all, or where the filter is not understood."""

    @property
    def is_partial(self) -> bool:
        """Whether it leaves documents out."""
        return self.target.filter is not None

    @property
    def is_multikey(self) -> bool:
        """Whether a document may have several entries."""
        return any(self.arrays)


@dataclass(frozen=True, slots=True)
class View:
    """One entity's collection."""

    database: DatabaseTarget
    """The target that it is in."""
    binding: Binding
    """The entity."""
    collection: CollectionTarget
    """Its collection."""
    shape: EntityShape
    """Its fields and key templates."""
    id: Template | None
    """The template of `_id`; None where the server makes it."""
    stored: Mapping[str, str]
    """Path in documents, by path in Python."""
    types: Mapping[str, str]
    """BSON type, by path in Python."""
    name: str
    """Physical name of the collection."""
    key_fields: tuple[str, ...]
    """The fields of the template of `_id`, in order."""
    indexes: tuple[IndexView, ...]
    """Its indexes beside that on `_id`, hidden ones included."""
    nearest: dict[str, str] = field(default_factory=dict, compare=False)
    """The innermost list of each path that was asked for: planning asks again and again."""
    sizes: dict[str, Band] = field(default_factory=dict, compare=False)
    """Bytes of documents and of entries, by index, once they were computed; under the empty name of documents."""

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """The entity's attributes."""
        return self.binding.entity.attributes

    @property
    def id_field(self) -> str | None:
        """The field that is stored as `_id`, if one is."""
        return self.id.lone.path if self.id is not None and self.id.lone is not None else None

    def template(self, name: str) -> Template | None:
        """The template of a computed attribute."""
        return self.binding.computed.get(name)

    def path(self, name: str) -> str:
        """Where a field or a computed attribute stands in documents."""
        return self.stored.get(name, name)

    def knows(self, name: str) -> bool:
        """Whether documents hold such a field."""
        return name in self.stored or name in self.binding.computed

    def is_nullable(self, name: str) -> bool:
        """Whether a field, or what holds it, may be null or not there."""
        found = resolve(self.attributes, name)
        return found is not None and any(one.is_nullable for one in found)

    def array(self, name: str) -> str:
        """The innermost list that a path leads through or to; empty for none."""
        known = self.nearest.get(name)
        if known is None:
            known = self.nearest[name] = next(reversed(self.arrays(name)), "")
        return known

    def arrays(self, name: str) -> tuple[str, ...]:
        """Every list that a path leads through or to, outermost first."""
        found = resolve(self.attributes, name) or ()
        names = [one.name for one in found]
        return tuple(".".join(names[: at + 1]) for at, one in enumerate(found) if isinstance(one.type, Many))

    def rules(self, index: IndexTarget | None) -> Json:
        """The collation that a query must carry to use an index; None where it carries none."""
        own = index.collation if index is not None else self.collection.collation
        if own == self.collection.collation:
            return None
        return own if own is not None else {"locale": "simple"}


_views: dict[tuple[int, int], tuple[DatabaseTarget, Binding, View | None]] = {}


def view(database: DatabaseTarget, binding: Binding) -> View | None:
    """The view of an entity in a target; None where the target does not have it."""
    # The keys are ids, so what they are of is kept with the view: no other object can come to have them.
    key = id(database), id(binding)
    known = _views.get(key)
    if known is None:
        if len(_views) >= KEPT:
            _views.clear()
        known = _views[key] = database, binding, _view(database, binding)
    return known[2]


_Names = tuple[DatabaseTarget, dict[str, EntityShape], dict[str, CollectionTarget]]

_names: dict[int, _Names] = {}


def _named(database: DatabaseTarget) -> _Names:
    """A target's shapes and collections by name, of generations the newest."""
    known = _names.get(id(database))
    if known is None:
        if len(_names) >= KEPT:
            _names.clear()
        collections = {one.name: one for one in sorted(database.collections, key=lambda one: one.generation)}
        known = _names[id(database)] = database, {one.name: one for one in database.shape}, collections
    return known


def shape_of(database: DatabaseTarget, name: str) -> EntityShape | None:
    """The shape of an entity in a target; None where the target does not have it."""
    return _named(database)[1].get(name)


def collection_of(database: DatabaseTarget, shape: EntityShape) -> CollectionTarget | None:
    """The collection that an entity's shape names: the newest generation that the target has."""
    return _named(database)[2].get(dict(shape.keys).get("collection", ""))


@lru_cache(maxsize=1024)
def parsed(text: str) -> Template:
    """A key template of a shape."""
    return parse(text)


def _view(database: DatabaseTarget, binding: Binding) -> View | None:
    shape = shape_of(database, binding.name)
    collection = collection_of(database, shape) if shape else None
    if shape is None or collection is None:
        return None
    stored = {one.name: one.stored for one in shape.fields}
    types = {one.name: one.type for one in shape.fields}
    names = {path: name for name, path in reversed(stored.items())}
    text = dict(shape.keys).get("id")
    template = parsed(text) if text else parsed(f"{{{names[ID]}}}") if ID in names else None
    if collection.series is not None:
        template = None
    fields = tuple(dict.fromkeys(one.path for one in template.placeholders if one.path)) if template else ()
    made = View(database, binding, collection, shape, template, stored, types, collection.physical_name, fields, ())
    return replace(made, indexes=tuple(_index(made, names, index) for index in collection.indexes))


def _index(made: View, names: Mapping[str, str], index: IndexTarget) -> IndexView:
    keys = tuple((names.get(path, path), direction) for path, direction in index.keys)
    arrays = tuple(made.array(name) for name, _ in keys)
    found = None if index.filter is None else predicate_of(index.filter, names)
    return IndexView(index, By("index", index.name), _kind(index), keys, arrays, found)


def _kind(index: IndexTarget) -> IndexKind:
    if index.is_hidden:
        return "hidden"
    directions = {direction for _, direction in index.keys}
    plugins: dict[int | str, IndexKind] = {"text": "text", "2dsphere": "place", "hashed": "hash"}
    special = next((plugins[direction] for direction in directions if direction in plugins), None)
    return special or ("wildcard" if any(path.endswith("$**") for path, _ in index.keys) else "fields")
