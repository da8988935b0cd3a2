"""Where one entity's values are in a placed keyspace: read from the target, made once for each entity."""

from dataclasses import dataclass, field
from functools import lru_cache

from keywright.engines.shape import EntityShape
from keywright.ir.attribute import Attribute
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.template import Template, parse

from ..cql import plain
from ..options import SCHEMA_VERSION
from ..place import GENERATION
from ..target import IndexTarget, KeyspaceTarget, TableTarget, ViewTarget
from .calls import Cell
from .relation import Indexed, Part, Relation

_COMPUTED = 'computed["', '"]'
"""What stands around the name of a computed column in the shape of an entity."""

_KEPT = 256
"""Keyspaces whose layouts are kept."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the values of one entity are."""

    keyspace: str
    """The keyspace."""
    attributes: tuple[Attribute, ...]
    """The fields of the entity."""
    target: TableTarget
    """Its table."""
    table: Relation
    """The same, as patterns speak of it."""
    views: tuple[Relation, ...]
    """Its materialized views."""
    indexes: tuple[Indexed, ...]
    """Its indexes."""
    parts: dict[str, Part]
    """Its columns, by field or by the name of what is computed."""
    statics: frozenset[str]
    """Names of static columns."""
    counters: frozenset[str]
    """Names of counters."""
    keys: tuple[Part, ...]
    """The primary key."""
    identity: tuple[str, ...]
    """The fields that the primary key is made from."""
    whole: tuple[str, ...]
    """The columns of all fields, the primary key first."""
    written: tuple[str, ...]
    """Every column that a whole item fills, the primary key first."""
    options: dict[str, object] = field(default_factory=dict)
    """Options of the table."""

    @property
    def ttl(self) -> Attribute | None:
        """The field at whose time a row expires, if there is one."""
        return next((one for one in self.attributes if one.ttl_after_seconds is not None), None)

    @property
    def is_expiring(self) -> bool:
        """Whether rows expire by the table's own time to live."""
        return bool(self.options.get("default_time_to_live"))

    def part(self, path: str) -> Part | None:
        """The column in which a field is, itself or as a part of an embedded model."""
        return self.parts.get(path) or self.parts.get(path.partition(".")[0])


class _Keyspace:
    """One placed keyspace, by name."""

    def __init__(self, target: KeyspaceTarget) -> None:
        self.target = target
        self.shapes = {shape.name: shape for shape in target.shape}
        self.tables = {GENERATION.sub("", table.name): table for table in target.tables}
        self.indexes: dict[str, list[IndexTarget]] = {}
        for index in target.indexes:
            self.indexes.setdefault(index.table, []).append(index)
        self.views: dict[str, list[ViewTarget]] = {}
        for view in target.views:
            self.views.setdefault(view.table, []).append(view)
        self.layouts: dict[str, tuple[Binding, Layout | None]] = {}


_keyspaces: dict[int, _Keyspace] = {}


def layout(target: KeyspaceTarget, binding: Binding) -> Layout | None:
    """Where an entity is in a placed keyspace; None where it is not there."""
    known = _keyspaces.get(id(target))
    if known is None or known.target is not target:
        if len(_keyspaces) >= _KEPT:
            _keyspaces.clear()
        known = _keyspaces[id(target)] = _Keyspace(target)
    found = known.layouts.get(binding.name)
    if found is None or found[0] is not binding:
        found = known.layouts[binding.name] = (binding, _made(known, binding))
    return found[1]


def _made(keyspace: _Keyspace, binding: Binding) -> Layout | None:
    shape = keyspace.shapes.get(binding.name)
    declared = dict(shape.keys).get("table", "") if shape else ""
    table = keyspace.tables.get(declared)
    if shape is None or table is None:
        return None
    attributes = binding.entity.attributes
    natives = {one.name: one.type for one in (*table.partition, *table.static, *table.columns)}
    natives |= {one.name: one.type for one in table.clustering}
    parts = dict(_parts(shape, attributes, natives))
    by_name = {part.name: part for part in parts.values()}
    for name, native in natives.items():
        by_name.setdefault(name, Part(Cell(name, native, name)))
    clustering = tuple(_directed(by_name[one.name], is_descending=one.is_descending) for one in table.clustering)
    partition = tuple(by_name[one.name] for one in table.partition)
    return Layout(
        keyspace=keyspace.target.name,
        attributes=attributes,
        target=table,
        table=Relation("table", table.name, partition, clustering, frozenset(natives)),
        views=tuple(_view(view, table, by_name, attributes) for view in keyspace.views.get(table.name, ())),
        indexes=tuple(
            one for index in keyspace.indexes.get(table.name, ()) if (one := _indexed(index, by_name)) is not None
        ),
        parts=parts,
        statics=frozenset(one.name for one in table.static),
        counters=frozenset(one.name for one in table.columns if one.type == "counter"),
        keys=(*partition, *clustering),
        identity=_identity((*partition, *clustering)),
        whole=tuple(
            dict.fromkeys(one.name for one in (*partition, *clustering, *parts.values()) if one.template is None)
        ),
        written=(*(one.name for one in (*partition, *clustering)), *_filled(table, parts)),
        options=dict(table.options),
    )


def _parts(shape: EntityShape, attributes: tuple[Attribute, ...], natives: dict[str, str]) -> list[tuple[str, Part]]:
    """(field or computed name, column) of all columns that are there."""
    types = {one.name: one.type for one in attributes}
    found = [
        (one.name, Part(Cell(one.stored, natives[one.stored], one.name, types.get(one.name))))
        for one in shape.fields
        if "." not in one.name and one.stored in natives
    ]
    for argument, text in shape.keys:
        if argument.startswith(_COMPUTED[0]):
            name, template = argument[len(_COMPUTED[0]) : -len(_COMPUTED[1])], template_of(text)
            if name in natives:
                lone = resolve(attributes, template.lone.path) if template.lone else None
                cell = Cell(name, natives[name], name, lone[-1].type if lone else None)
                found.append((name, Part(cell, template)))
    return found


@lru_cache(maxsize=4096)
def template_of(text: str) -> Template:
    """A template, parsed once."""
    return parse(text)


def _filled(table: TableTarget, parts: dict[str, Part]) -> list[str]:
    """The columns beside the key that a whole item fills, sorted."""
    filled = {part.name for part in parts.values()} | {SCHEMA_VERSION}
    return sorted(one.name for one in (*table.static, *table.columns) if one.name in filled)


def _identity(keys: tuple[Part, ...]) -> tuple[str, ...]:
    fields: list[str] = []
    for part in keys:
        fields += [part.cell.field] if part.template is None else [one.path for one in part.template.placeholders]
    return tuple(dict.fromkeys(path for path in fields if path))


def _directed(part: Part, *, is_descending: bool) -> Part:
    return Part(part.cell, part.template, is_descending)


def _view(
    view: ViewTarget, table: TableTarget, by_name: dict[str, Part], attributes: tuple[Attribute, ...]
) -> Relation:
    own = {one.name for one in table.partition} | {one.name for one in table.clustering}
    clustering = tuple(_directed(by_name[name], is_descending=way == "DESC") for name, way in view.clustering)
    partition = tuple(by_name[name] for name in view.partition)
    lacks = "it has a condition of its own" if view.where else ""
    nullable = {one.name for one in attributes if one.is_nullable}
    for part in clustering:
        if part.name not in own and part.cell.field in nullable:
            lacks = f'it lacks rows without "{part.cell.field}"'
    columns = frozenset(by_name) if view.columns is None else frozenset(view.columns)
    return Relation("view", view.name, partition, clustering, columns, lacks)


def _indexed(index: IndexTarget, by_name: dict[str, Part]) -> Indexed | None:
    """The index of a column; None for one of a kind or a column that nobody here knows."""
    of, _, rest = index.target.partition("(") if index.target.endswith(")") else ("", "", index.target)
    column = plain(rest.removesuffix(")") if of else rest)
    part = by_name.get(column)
    if part is None or index.using not in ("sai", "legacy"):
        return None
    options = dict(index.options)
    folds = options.get("case_sensitive") == "false" or "true" in (options.get("normalize"), options.get("ascii"))
    match of:
        case "" | "values" | "keys" | "entries" | "full":
            return Indexed(index.name, part, of, index.using == "sai", folds)
        case _:
            return None
