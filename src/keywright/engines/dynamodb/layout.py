"""Where a placed table holds an entity's items: its key in the table and in each index, from target and shape alone."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

from keywright.access.fill import lone
from keywright.access.path import By
from keywright.access.predicate import All, Predicate, Some, Test
from keywright.access.request import Asked
from keywright.engines.shape import EntityShape, FieldShape
from keywright.ir.attribute import Attribute
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.pattern import Condition
from keywright.ir.template import Placeholder, Template
from keywright.ir.template import parse as parse_template

from .strangers import Neighbours, Telling
from .target import IndexTarget, TableTarget


@lru_cache(maxsize=8192)
def parse(text: str) -> Template:
    """A template of a shape, which was parsed before."""
    return parse_template(text)


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
    name: str = ""
    """The field or computed attribute that it is, if it is one."""


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
    holds: Predicate = All(())
    """The same, as what a pattern must imply."""
    optional: tuple[str, ...] = ()
    """Fields that may be None, without which an item is not in it."""
    telling: Telling = field(default_factory=Telling)
    """How its items are told from those of other entities."""

    @property
    def key(self) -> tuple[Part, ...]:
        """Its attributes, partition half first."""
        return (*self.hashes, *self.sorts)


@dataclass(frozen=True, slots=True)
class Entity:
    """Everything that a placed table says of one entity."""

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

    @property
    def key(self) -> Route:
        """Its key in the table."""
        return self.routes[0]

    @property
    def attributes(self) -> tuple[Attribute, ...]:
        """Its attributes."""
        return self.binding.entity.attributes

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
        known = _known[id(table)] = (table, {}, Neighbours(table, expanded))
    found = known[1].get(id(binding))
    if found is None:
        found = known[1][id(binding)] = (binding, _entity(table, binding, known[2]))
    return found[1]


def _entity(table: TableTarget, binding: Binding, neighbours: Neighbours) -> Entity | None:
    shape = neighbours.shapes.get(binding.name)
    if shape is None:
        return None
    keys = dict(shape.keys)
    fields = {one.name: one for one in shape.fields}
    computed = {
        name.removeprefix('computed["').removesuffix('"]'): parse(text)
        for name, text in shape.keys
        if name.startswith('computed["')
    }
    names = {one.stored: one.name for one in shape.fields if "." not in one.name} | {name: name for name in computed}
    where = dict(shape.where)

    def part(attribute: str, native: str, argument: str) -> Part | None:
        text = keys.get(argument)
        if text is None:
            name = names.get(attribute)
            if name is None:
                return None
            written = computed.get(name) or lone(name)
            return Part(attribute, native, expanded(written, computed), written, name)
        written = parse(text)
        return Part(attribute, native, expanded(written, computed), written)

    def route(by: By, index: IndexTarget | None) -> Route | None:
        keyed = index.keys if index else table.keys
        arguments = {"HASH": "pk", "RANGE": "sk"}
        if by.kind == "gsi":
            arguments = {role: f'gsi "{by.name}" {word}' for role, word in arguments.items()}
        found: list[Part] = []
        for one in keyed:
            is_own = by.kind == "lsi" and one.role == "RANGE"
            made = part(one.attribute, one.type, "" if is_own else arguments[one.role])
            if made is None:
                return None
            found.append(made)
        half = sum(one.role == "HASH" for one in keyed)
        conditions = where.get(by.name, ()) if by.kind == "gsi" else ()
        attributes = tuple(dict.fromkeys(one.attribute for one in (*keyed, *table.keys)))
        held = None
        if index is not None and index.projection != "ALL":
            held = frozenset((*attributes, *index.included))
        return Route(
            by, index.name if index else "", tuple(found[:half]), tuple(found[half:]), attributes, held,
            tuple(Asked(one.field, one.test, one.values) for one in conditions),
            predicate(conditions),
            _optional(found, binding.entity.attributes),
            neighbours.telling(shape, index, tuple(found[:half]), tuple(found[half:]), binding.entity.attributes),
        )  # fmt: skip

    own = route(By("table", table.name), None)
    if own is None:
        return None
    routes, absent = [own], list[By]()
    for kind, indexes in (("lsi", table.local_indexes), ("gsi", table.indexes)):
        for index in indexes:
            by = By("lsi" if kind == "lsi" else "gsi", index.name)
            found = route(by, index)
            if found is None:
                absent.append(by)
            else:
                routes.append(found)
    return Entity(binding, table, shape, fields, computed, tuple(routes), tuple(absent))


def expanded(template: Template, computed: dict[str, Template], kept: Callable[[str], bool] | None = None) -> Template:
    """A template with what computed attributes are made of in their place, as far as a template can say it.

    kept: whether a computed attribute stays as it is.
    """
    if not any(one.path in computed for one in template.placeholders):
        return template
    parts: list[str | Placeholder] = []
    for part in template.parts:
        if isinstance(part, str) or part.path not in computed or (kept is not None and kept(part.path)):
            parts.append(part)
            continue
        others = {name: one for name, one in computed.items() if name != part.path}
        inner = expanded(computed[part.path], others, kept).parts
        if not part.filters:
            parts += inner
        elif len(inner) == 1 and isinstance(inner[0], Placeholder):
            parts.append(Placeholder(inner[0].path, inner[0].filters + part.filters))
        else:
            parts.append(part)
    return Template(template.text, tuple(_joined(parts)))


def _joined(parts: list[str | Placeholder]) -> list[str | Placeholder]:
    """The parts with constants that touch made one."""
    found: list[str | Placeholder] = []
    for part in parts:
        if found and isinstance(part, str) and isinstance(found[-1], str):
            found[-1] += part
        else:
            found.append(part)
    return found


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
