"""One entity's collection in a placed target, as the planner reads it: built once for each target and binding."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Literal, TypeAlias

from keywright.access.cost import Band
from keywright.access.implication import FieldTest, Predicate, Some
from keywright.access.path import By
from keywright.access.query import Condition
from keywright.engines.contract.shape import EntityShape, by_path
from keywright.ir.attribute import Attribute, Many, Scalar
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.json import Json
from keywright.ir.template import Template, parse
from keywright.record import Record, field, replace

from ..declare.options import AnyCollection
from ..schema.fields import ID, chosen_type
from ..schema.lower import fields_of
from ..schema.target import CollectionTarget, DatabaseTarget, IndexTarget
from ..schema.typemap import bson_types
from .partial_index import by_types, predicate_of
from .view_documents import arrays_of, conditions_of, hidden_fields, of_source

MOST_LAYOUTS = 65_536
"""Cached layouts before the cache is cleared: more than any project has."""


IndexKind: TypeAlias = Literal["fields", "text", "place", "hash", "wildcard", "hidden"]
"""The use of an index; hidden indexes have none."""


class IndexView(Record):
    """An index as the planner reads it."""

    target: IndexTarget
    """The index."""
    by: By
    """Its name in access paths."""
    kind: IndexKind
    """Its use."""
    keys: tuple[tuple[str, int | str], ...]
    """(field as patterns name it, direction); paths of no field are unchanged."""
    arrays: tuple[str, ...]
    """For each key, the innermost list on its path, as patterns name it; empty for none."""
    stated: Predicate | None
    """Its filter as the server knows it, with tests of types."""
    filter: Predicate | None
    """The documents of a partial or sparse index; None for a full one, and for a filter with unsupported operators."""

    @property
    def is_partial(self) -> bool:
        """Whether it omits documents."""
        return self.target.filter is not None or self.target.is_sparse

    @property
    def is_multikey(self) -> bool:
        """Whether a document may have several entries."""
        return any(self.arrays)


class Layout(Record, eq=False):
    """One entity's collection."""

    database: DatabaseTarget
    """The target that contains it."""
    binding: Binding[AnyCollection]
    """The entity."""
    collection: CollectionTarget
    """Its collection."""
    shape: EntityShape
    """Its fields and key templates."""
    id: Template | None
    """The template of `_id`; None if the server generates it."""
    stored: Mapping[str, str]
    """Path in documents, by path in Python."""
    types: Mapping[str, str]
    """BSON type, by path in Python."""
    name: str
    """Physical name of the collection."""
    key_fields: tuple[str, ...]
    """The fields of the template of `_id`, in order."""
    indexes: tuple[IndexView, ...]
    """Its indexes other than that on `_id`, hidden indexes included."""
    documents: tuple[Condition, ...] = ()
    """Conditions that all documents of a view meet, which requests do not repeat."""
    nearest: dict[str, str] = field(default_factory=dict)
    """Cache of `array`, which planning calls repeatedly."""
    sizes: dict[str, Band] = field(default_factory=dict)
    """Cache of sizes in bytes: index entries by name of the index, documents by the empty name."""

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """The entity's attributes."""
        return self.binding.entity.attributes

    @property
    def id_field(self) -> str | None:
        """The field that is stored as `_id`, if one is."""
        return self.id.lone.path if self.id is not None and self.id.lone is not None else None

    @property
    def is_projected(self) -> bool:
        """Whether it is a view that changes documents, after which the server sorts in memory.

        Source: mongod 6.0.5, 2026-11-28.
        """
        return self.collection.view is not None and self.collection.view.is_projected

    def template(self, name: str) -> Template | None:
        """The template of a computed attribute."""
        return self.binding.computed.get(name)

    def path(self, name: str) -> str:
        """The path of a field or a computed attribute in documents."""
        return self.stored.get(name, name)

    def knows(self, name: str) -> bool:
        """Whether documents contain such a field."""
        return name in self.stored or name in self.binding.computed

    def is_nullable(self, name: str) -> bool:
        """Whether a field or one of its parents may be null or missing."""
        attributes = resolve(self.attributes, name)
        return attributes is not None and any(attribute.is_nullable for attribute in attributes)

    def has_any_type(self, name: str) -> bool:
        """Whether values of a field may have several types: the server compares only values of one type."""
        attributes = resolve(self.attributes, name)
        kind = attributes[-1].type if attributes else None
        return isinstance(kind, Scalar) and kind.kind == "json"

    def admitted(self, name: str) -> tuple[str, ...]:
        """The BSON types of a field's value; empty for any, for lists and for documents."""
        attributes = resolve(self.attributes, name)
        kind = attributes[-1].type if attributes else None
        return bson_types(kind, chosen_type(self.binding, name)) if isinstance(kind, Scalar) else ()

    def array(self, name: str) -> str:
        """The innermost list on a path, its end included; empty for none."""
        innermost = self.nearest.get(name)
        if innermost is None:
            innermost = self.nearest[name] = next(reversed(self.arrays(name)), "")
        return innermost

    def arrays(self, name: str) -> tuple[str, ...]:
        """Every list on a path, its end included, outermost first."""
        attributes = resolve(self.attributes, name) or ()
        names = [attribute.name for attribute in attributes]
        return tuple(
            ".".join(names[: at + 1]) for at, attribute in enumerate(attributes) if isinstance(attribute.type, Many)
        )

    def rules(self, index: IndexTarget | None) -> Json:
        """The collation that a query must contain to use an index; None if it needs none."""
        own = index.collation if index is not None else self.collection.collation
        if own == self.collection.collation:
            return None
        return own if own is not None else {"locale": "simple"}


_views: dict[tuple[int, int], tuple[DatabaseTarget, Binding[AnyCollection], Layout | None]] = {}


def view(database: DatabaseTarget, binding: Binding[AnyCollection]) -> Layout | None:
    """The layout of an entity in a target; None if the target does not contain the entity."""
    # The keys are ids. The cache keeps their objects alive, so that no other object can get the same id.
    key = id(database), id(binding)
    entry = _views.get(key)
    if entry is None:
        if len(_views) >= MOST_LAYOUTS:
            _views.clear()
        entry = _views[key] = database, binding, _view(database, binding)
    return entry[2]


_Names = tuple[DatabaseTarget, dict[str, EntityShape], dict[str, CollectionTarget]]

_names: dict[int, _Names] = {}


def _named(database: DatabaseTarget) -> _Names:
    """A target's shapes and collections by name; of several generations, the newest."""
    entry = _names.get(id(database))
    if entry is None:
        if len(_names) >= MOST_LAYOUTS:
            _names.clear()
        collections = {
            collection.name: collection
            for collection in sorted(database.collections, key=lambda target: target.generation)
        }
        entry = _names[id(database)] = database, {shape.name: shape for shape in database.shape}, collections
    return entry


def shape_of(database: DatabaseTarget, name: str) -> EntityShape | None:
    """The shape of an entity in a target; None if the target does not contain the entity."""
    return _named(database)[1].get(name)


def collection_of(database: DatabaseTarget, shape: EntityShape) -> CollectionTarget | None:
    """The collection that an entity's shape names: the newest generation in the target."""
    return _named(database)[2].get(dict(shape.keys).get("collection", ""))


@lru_cache(maxsize=1024)
def parsed(text: str) -> Template:
    """A key template of a shape."""
    return parse(text)


def _view(database: DatabaseTarget, binding: Binding[AnyCollection]) -> Layout | None:
    shape = shape_of(database, binding.name)
    collection = collection_of(database, shape) if shape else None
    if shape is None or collection is None:
        return None
    source = of_source(database, collection) if collection.view is not None else None
    if collection.view is not None and source is None:
        return None
    field_shapes = by_path(replace(shape, fields=fields_of(binding)) if source else shape)
    stored = {name: field_shape.stored for name, field_shape in field_shapes.items()}
    types = {name: field_shape.type for name, field_shape in field_shapes.items()}
    names = {path: name for name, path in reversed(stored.items())}
    documents: tuple[Condition, ...] = ()
    nearest: dict[str, str] = {}
    if source and collection.view:
        hidden = hidden_fields(source[1], stored)
        collection, types, nearest = source[0], {**types, **hidden}, arrays_of(hidden)
        documents = tuple(conditions_of(collection.view.match, names)) if collection.view else ()
    text = dict(shape.keys).get("id")
    template = parsed(text) if text else parsed(f"{{{names[ID]}}}") if ID in names else None
    if collection.series is not None:
        template = None
    fields = (
        tuple(dict.fromkeys(placeholder.path for placeholder in template.placeholders if placeholder.path))
        if template
        else ()
    )
    layout = Layout(
        database, binding, collection, shape, template, stored, types, collection.physical_name, fields, (),
        documents, nearest,
    )  # fmt: skip
    return replace(layout, indexes=tuple(_index(layout, names, index) for index in collection.indexes))


def _index(layout: Layout, names: Mapping[str, str], index: IndexTarget) -> IndexView:
    keys = tuple((names.get(path, path), direction) for path, direction in index.keys)
    arrays = tuple(layout.array(name) for name, _ in keys)
    stated = _documents(index, names)
    documents = by_types(stated, layout.admitted) if stated is not None else None
    return IndexView(index, By("index", index.name), _kind(index), keys, arrays, stated, documents)


def _documents(index: IndexTarget, names: Mapping[str, str]) -> Predicate | None:
    if index.is_sparse:
        return Some(tuple(FieldTest(names.get(path, path), "present") for path, _ in index.keys))
    return None if index.filter is None else predicate_of(index.filter, names)


def _kind(index: IndexTarget) -> IndexKind:
    if index.is_hidden:
        return "hidden"
    directions = {direction for _, direction in index.keys}
    plugins: dict[int | str, IndexKind] = {"text": "text", "2dsphere": "place", "hashed": "hash"}
    special = next((plugins[direction] for direction in directions if direction in plugins), None)
    return special or ("wildcard" if any(path.endswith("$**") for path, _ in index.keys) else "fields")
