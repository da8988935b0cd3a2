"""Layout of an entity in a placed table: its key in the table and in each index, from target and shape alone."""

from keywright.access.implication import All, FieldTest, Predicate, Some
from keywright.access.path import By
from keywright.access.query import Condition
from keywright.engines.contract.shape import EntityShape, FieldShape, by_path
from keywright.engines.time_precisions import without_precision
from keywright.ir.attribute import Attribute
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.pattern import ConstantCondition
from keywright.ir.template import Template, lone
from keywright.record import Record, field

from ..declare.options import Item
from ..schema.target import IndexTarget, KeyPart, TableTarget
from .discriminators import DiscriminatorConditions, Neighbours
from .key_texts import NUMBERS, KeptValues, kept_in, kind_of
from .templates import always, computed_of, expanded, named_of, parse

ALWAYS = All(())
"""Predicate that every item fulfils."""


class FilledKeyPart(Record):
    """One key attribute with the template that fills it for one entity."""

    attribute: str
    """Stored name."""
    native: str
    """S, N or B."""
    template: Template
    """Template of its value, with computed attributes replaced by fields as far as possible."""
    written: Template
    """The declared template, which may name computed attributes."""
    kept_values: KeptValues
    """Information that key texts preserve about its placeholders' values."""
    is_unordered: bool = False
    """Whether it is a number stored as text, which sorts in another order."""


class Route(Record):
    """An entity's key in the table or in one index."""

    by: By
    """The table or index."""
    index: str
    """Name of the index; empty for the table."""
    hashes: tuple[FilledKeyPart, ...]
    """Partition key."""
    sorts: tuple[FilledKeyPart, ...]
    """Sort key."""
    names: tuple[str, ...]
    """Attributes of its key and of the table's."""
    projected: frozenset[str] | None = None
    """Stored names that its entries contain; None for all."""
    where: tuple[Condition, ...] = ()
    """Conditions that an item must fulfil to be in it."""
    holds: Predicate = ALWAYS
    """The same conditions as a predicate that a pattern must imply."""
    optional: tuple[str, ...] = ()
    """Optional fields; an item without one of them is not in it."""

    @property
    def key(self) -> tuple[FilledKeyPart, ...]:
        """Its attributes, partition key first."""
        return (*self.hashes, *self.sorts)


class Layout(Record, eq=False):
    """All facts of a placed table about one entity, computed once."""

    binding: Binding[Item]
    """The entity and its types."""
    table: TableTarget
    """The table."""
    shape: EntityShape
    """Its shape in the table."""
    fields: dict[str, FieldShape]
    """Its fields by name."""
    computed: dict[str, Template]
    """Its computed attributes."""
    routes: tuple[Route, ...]
    """Its keys: the table's first, local indexes, global indexes."""
    absent: tuple[By, ...]
    """Indexes of the table that do not contain it."""
    attributes: tuple[Attribute, ...]
    """Its attributes."""
    key_fields: tuple[str, ...]
    """Fields in its key in the table, in order."""
    neighbours: Neighbours
    """The entities of the table."""
    discriminator_conditions: dict[str, DiscriminatorConditions] = field(default_factory=dict)
    """Discriminator conditions by index, computed on demand."""

    @property
    def key(self) -> Route:
        """Its key in the table."""
        return self.routes[0]

    def index(self, route: Route) -> IndexTarget | None:
        """The index of a key; None for the table."""
        indexes = (*self.table.local_indexes, *self.table.indexes)
        return next((index for index in indexes if index.name == route.index), None)

    def discriminators(self, route: Route) -> DiscriminatorConditions:
        """Conditions that distinguish its items in an index from those of other entities."""
        discriminators = self.discriminator_conditions.get(route.index)
        if discriminators is None:
            discriminators = self.neighbours.discriminators(
                self.shape, self.index(route), route.hashes, route.sorts, self.attributes
            )
            self.discriminator_conditions[route.index] = discriminators
        return discriminators

    def stored(self, path: str) -> tuple[str, ...]:
        """Stored names along a field's path, or the name of a computed attribute."""
        attributes = resolve(self.attributes, path)
        return tuple(attribute.stored for attribute in attributes) if attributes else (path,)

    def native(self, path: str) -> str:
        """Native type of a field or computed attribute."""
        if (field_shape := self.fields.get(path)) is not None:
            return without_precision(field_shape.type)
        placeholder = expanded(self.computed[path], self.computed).lone if path in self.computed else None
        return self.native(placeholder.path) if placeholder and placeholder.path in self.fields else "S"

    def sources(self, path: str) -> tuple[str, ...]:
        """The fields from which a field or computed attribute is made: itself, or the fields in its template."""
        if path not in self.computed:
            return (path,)
        return tuple(
            placeholder.path
            for placeholder in expanded(self.computed[path], self.computed).placeholders
            if placeholder.path
        )


_layouts: dict[int, tuple[TableTarget, dict[int, tuple[Binding[Item], Layout | None]], Neighbours]] = {}
"""Tables by identity; each is stored in its own value, so that no other object can reuse its id meanwhile."""

_MOST_LAYOUTS = 4096


def entity_of(table: TableTarget, binding: Binding[Item]) -> Layout | None:
    """Layout of an entity in a table, computed once; None if the table does not contain it."""
    cached = _layouts.get(id(table))
    if cached is None:
        if len(_layouts) >= _MOST_LAYOUTS:
            _layouts.clear()
        cached = _layouts[id(table)] = (table, {}, Neighbours(table))
    entry = cached[1].get(id(binding))
    if entry is None:
        entry = cached[1][id(binding)] = (binding, _entity(table, binding, cached[2]))
    return entry[1]


def _entity(table: TableTarget, binding: Binding[Item], neighbours: Neighbours) -> Layout | None:
    shape = neighbours.shapes.get(binding.name)
    if shape is None:
        return None
    reader = _Reader(table, binding, shape)
    table_route = reader.route(By("table", table.name), None)
    if table_route is None:
        return None
    indexes = [(By("lsi", index.name), index) for index in table.local_indexes]
    indexes += [(By("gsi", index.name), index) for index in table.indexes]
    routes, absent = [table_route], list[By]()
    for by, index in indexes:
        route = reader.route(by, index)
        if route is None:
            absent.append(by)
        else:
            routes.append(route)
    fields = by_path(shape)
    named = (
        placeholder.path for part in table_route.key for placeholder in part.template.placeholders if placeholder.path
    )
    return Layout(
        binding, table, shape, fields, reader.computed, tuple(routes), tuple(absent), reader.attributes,
        tuple(dict.fromkeys(named)), neighbours,
    )  # fmt: skip


class _Reader:
    """Reads the keys of one entity from its shape."""

    def __init__(self, table: TableTarget, binding: Binding[Item], shape: EntityShape) -> None:
        self.table = table
        self.attributes = binding.entity.attributes
        self.computed = computed_of(shape)
        self._keys, self._where = dict(shape.keys), dict(shape.where)
        self._names = named_of(shape, self.computed)
        self._always = always(shape, table)

    def route(self, by: By, index: IndexTarget | None) -> Route | None:
        """The entity's key in the table or an index; None if it has none."""
        key_parts = index.keys if index else self.table.keys
        parts: list[FilledKeyPart] = []
        for key in key_parts:
            part = self._part(key, _argument(by, key))
            if part is None:
                return None
            parts.append(part)
        hash_count = sum(key.role == "HASH" for key in key_parts)
        conditions = self._where.get(by.name, ()) if by.kind == "gsi" else ()
        names = tuple(dict.fromkeys(key.attribute for key in (*key_parts, *self.table.keys)))
        is_narrow = index is not None and index.projection != "ALL"
        hashes, sorts = tuple(parts[:hash_count]), tuple(parts[hash_count:])
        return Route(
            by,
            index.name if index else "",
            hashes,
            sorts,
            names,
            frozenset((*names, *index.included)) if index is not None and is_narrow else None,
            tuple(Condition(condition.field, condition.test, condition.values) for condition in conditions),
            predicate(conditions),
            _optional(parts, self.attributes),
        )

    def _part(self, key: KeyPart, argument: str) -> FilledKeyPart | None:
        """Template of a key attribute: the declared one, or the field itself."""
        text = self._keys.get(argument)
        if text is not None:
            written = parse(text)
        elif (name := self._names.get(key.attribute)) is not None:
            written = lone(name)
        elif (text := self._always.get(key.attribute)) is not None:
            written = parse(text)
        else:
            return None
        template = expanded(written, self.computed)
        lone_placeholder = template.lone
        is_unordered = (
            lone_placeholder is not None
            and key.type == "S"
            and kind_of(self.attributes, lone_placeholder.path) in NUMBERS
        )
        return FilledKeyPart(
            key.attribute, key.type, template, written, kept_in(template, key.type, self.attributes), is_unordered
        )


def _argument(by: By, key: KeyPart) -> str:
    """Argument of a declaration that fills a key attribute; empty if only a field can."""
    if by.kind == "lsi" and key.role == "RANGE":
        return ""
    argument = "pk" if key.role == "HASH" else "sk"
    return f'gsi "{by.name}" {argument}' if by.kind == "gsi" else argument


def _optional(parts: list[FilledKeyPart], attributes: tuple[Attribute, ...]) -> tuple[str, ...]:
    """Optional fields of a key, including optional structures around them."""
    paths: list[str] = []
    for part in parts:
        for placeholder in part.template.placeholders:
            resolved = resolve(attributes, placeholder.path) if placeholder.path else None
            if resolved and any(attribute.is_nullable for attribute in resolved):
                paths.append(placeholder.path)
    return tuple(dict.fromkeys(paths))


def predicate(conditions: tuple[ConstantCondition, ...]) -> Predicate:
    """Declared conditions as a predicate; nothing implies a condition that no predicate can express."""
    return All(tuple(map(_test, conditions)))


def _test(condition: ConstantCondition) -> Predicate:
    match condition.test:
        case "not" | "contains" | "prefix" | "length":
            return Some(())
        case test:
            return FieldTest(condition.field, test, condition.values)
