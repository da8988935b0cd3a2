"""Where a placed table holds an entity's items: its key in the table and in each index, from target and shape alone."""

from dataclasses import dataclass, field

from keywright.access.fill import lone
from keywright.access.path import By
from keywright.access.predicate import All, Predicate, Some, Test
from keywright.access.request import Asked
from keywright.engines.shape import EntityShape, FieldShape
from keywright.ir.attribute import Attribute
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.pattern import Condition
from keywright.ir.template import Template

from ..target import IndexTarget, KeyPart, TableTarget
from .kept import NUMBERS, Kept, kept, kind_of
from .strangers import Neighbours, Telling
from .templates import computed_of, expanded, named_of, parse

ALWAYS = All(())
"""The predicate that everything fulfils."""


@dataclass(frozen=True, slots=True)
class Part:
    """One key attribute and what fills it for one entity."""

    attribute: str
    """Stored name."""
    native: str
    """S, N or B."""
    template: Template
    """What fills it, of fields alone as far as that can be said."""
    written: Template
    """The same as declared, where it may name computed attributes."""
    kept: Kept
    """What its placeholders keep."""
    is_unordered: bool = False
    """Whether it is a number that is kept as text, whose order is another."""


@dataclass(frozen=True, slots=True)
class Route:
    """An entity's key in the table or in one index."""

    by: By
    """What it is."""
    index: str
    """Name of the index; empty for the table."""
    hashes: tuple[Part, ...]
    """The partition half."""
    sorts: tuple[Part, ...]
    """The sort half."""
    names: tuple[str, ...]
    """Attributes of its key and of the table's."""
    held: frozenset[str] | None = None
    """Stored names that its entries hold; None for all."""
    where: tuple[Asked, ...] = ()
    """Conditions without which an item is not in it."""
    holds: Predicate = ALWAYS
    """The same, as what a pattern must imply."""
    optional: tuple[str, ...] = ()
    """Fields that may be None, without which an item is not in it."""

    @property
    def key(self) -> tuple[Part, ...]:
        """Its attributes, partition half first."""
        return (*self.hashes, *self.sorts)


@dataclass(frozen=True, slots=True, eq=False)
class Entity:
    """Everything that a placed table says of one entity; made once, so that what follows from it is kept by it."""

    binding: Binding
    """The entity and its types."""
    table: TableTarget
    """The table."""
    shape: EntityShape
    """What the table knows of it."""
    fields: dict[str, FieldShape]
    """Its fields by name."""
    computed: dict[str, Template]
    """Its computed attributes."""
    routes: tuple[Route, ...]
    """Its keys: the table's first, local indexes, global indexes."""
    absent: tuple[By, ...]
    """Indexes of the table that it is not in."""
    attributes: tuple[Attribute, ...]
    """Its attributes."""
    key_fields: tuple[str, ...]
    """The fields that its key in the table is made of, in order."""
    neighbours: Neighbours
    """The entities of the table."""
    tellings: dict[str, Telling] = field(default_factory=dict)
    """How its items are told from others, by index, as far as somebody asked."""

    @property
    def key(self) -> Route:
        """Its key in the table."""
        return self.routes[0]

    def telling(self, route: Route) -> Telling:
        """How its items in an index are told from those of other entities."""
        found = self.tellings.get(route.index)
        if found is None:
            index = next(one for one in (*self.table.local_indexes, *self.table.indexes) if one.name == route.index)
            found = self.neighbours.telling(self.shape, index, route.hashes, route.sorts, self.attributes)
            self.tellings[route.index] = found
        return found

    def stored(self, path: str) -> tuple[str, ...]:
        """Stored names along a field's path, or the name of a computed attribute."""
        found = resolve(self.attributes, path)
        return tuple(one.stored for one in found) if found else (path,)

    def native(self, path: str) -> str:
        """Native type of a field or computed attribute."""
        if (found := self.fields.get(path)) is not None:
            return found.type
        kept = expanded(self.computed[path], self.computed).lone if path in self.computed else None
        return self.fields[kept.path].type if kept and kept.path in self.fields else "S"

    def sources(self, path: str) -> tuple[str, ...]:
        """The fields that a field or computed attribute is made of: itself, or what its template names."""
        if path not in self.computed:
            return (path,)
        return tuple(one.path for one in expanded(self.computed[path], self.computed).placeholders if one.path)


_known: dict[int, tuple[TableTarget, dict[int, tuple[Binding, Entity | None]], Neighbours]] = {}
"""Tables by identity, each kept beside its key so that no other object can have its id meanwhile."""

_MOST = 4096


def entity_of(table: TableTarget, binding: Binding) -> Entity | None:
    """What a table says of an entity, worked out once; None where it knows nothing of it."""
    known = _known.get(id(table))
    if known is None:
        if len(_known) >= _MOST:
            _known.clear()
        known = _known[id(table)] = (table, {}, Neighbours(table))
    found = known[1].get(id(binding))
    if found is None:
        found = known[1][id(binding)] = (binding, _entity(table, binding, known[2]))
    return found[1]


def _entity(table: TableTarget, binding: Binding, neighbours: Neighbours) -> Entity | None:
    shape = neighbours.shapes.get(binding.name)
    if shape is None:
        return None
    reader = _Reader(table, binding, shape)
    own = reader.route(By("table", table.name), None)
    if own is None:
        return None
    indexes = [(By("lsi", one.name), one) for one in table.local_indexes]
    indexes += [(By("gsi", one.name), one) for one in table.indexes]
    routes, absent = [own], list[By]()
    for by, index in indexes:
        found = reader.route(by, index)
        if found is None:
            absent.append(by)
        else:
            routes.append(found)
    fields = {one.name: one for one in shape.fields}
    named = (one.path for part in own.key for one in part.template.placeholders if one.path)
    return Entity(
        binding, table, shape, fields, reader.computed, tuple(routes), tuple(absent), reader.attributes,
        tuple(dict.fromkeys(named)), neighbours,
    )  # fmt: skip


class _Reader:
    """Reads the keys of one entity from its shape."""

    def __init__(self, table: TableTarget, binding: Binding, shape: EntityShape) -> None:
        self.table = table
        self.attributes = binding.entity.attributes
        self.computed = computed_of(shape)
        self._keys, self._where = dict(shape.keys), dict(shape.where)
        self._names = named_of(shape, self.computed)

    def route(self, by: By, index: IndexTarget | None) -> Route | None:
        """The entity's key in the table or an index; None where it has none."""
        keyed = index.keys if index else self.table.keys
        found: list[Part] = []
        for key in keyed:
            part = self._part(key, _argument(by, key))
            if part is None:
                return None
            found.append(part)
        half = sum(key.role == "HASH" for key in keyed)
        conditions = self._where.get(by.name, ()) if by.kind == "gsi" else ()
        names = tuple(dict.fromkeys(key.attribute for key in (*keyed, *self.table.keys)))
        is_narrow = index is not None and index.projection != "ALL"
        hashes, sorts = tuple(found[:half]), tuple(found[half:])
        return Route(
            by,
            index.name if index else "",
            hashes,
            sorts,
            names,
            frozenset((*names, *index.included)) if index is not None and is_narrow else None,
            tuple(Asked(one.field, one.test, one.values) for one in conditions),
            predicate(conditions),
            _optional(found, self.attributes),
        )

    def _part(self, key: KeyPart, argument: str) -> Part | None:
        """What fills a key attribute: a template, or the field that it is."""
        text = self._keys.get(argument)
        if text is not None:
            written = parse(text)
        elif (name := self._names.get(key.attribute)) is not None:
            written = lone(name)
        else:
            return None
        template = expanded(written, self.computed)
        only = template.lone
        is_unordered = only is not None and key.type == "S" and kind_of(self.attributes, only.path) in NUMBERS
        return Part(key.attribute, key.type, template, written, kept(template, key.type, self.attributes), is_unordered)


def _argument(by: By, key: KeyPart) -> str:
    """The argument of a declaration that fills a key attribute; empty where only a field does."""
    if by.kind == "lsi" and key.role == "RANGE":
        return ""
    word = "pk" if key.role == "HASH" else "sk"
    return f'gsi "{by.name}" {word}' if by.kind == "gsi" else word


def _optional(parts: list[Part], attributes: tuple[Attribute, ...]) -> tuple[str, ...]:
    """The fields of a key that may be None, those around them included."""
    found: list[str] = []
    for part in parts:
        for placeholder in part.template.placeholders:
            along = resolve(attributes, placeholder.path) if placeholder.path else None
            if along and any(one.is_nullable for one in along):
                found.append(placeholder.path)
    return tuple(dict.fromkeys(found))


def predicate(conditions: tuple[Condition, ...]) -> Predicate:
    """Declared conditions as a predicate; one that no predicate can say is implied by nothing."""
    return All(tuple(Some(()) if one.test == "not" else Test(one.field, one.test, one.values) for one in conditions))
