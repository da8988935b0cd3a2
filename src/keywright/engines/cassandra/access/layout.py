"""Layout of an entity's values in a placed keyspace, read from the target once for each entity."""

from functools import lru_cache

from keywright.access.path import Similarity
from keywright.engines.contract.shape import EntityShape
from keywright.ir.attribute import Attribute, is_vector
from keywright.ir.binding import Binding
from keywright.ir.entity import resolve
from keywright.ir.template import Template, parse
from keywright.record import Record, field

from ..declare.options import SCHEMA_VERSION, CqlTable
from ..schema.capabilities import INDEX_OPTIONS
from ..schema.cql import plain
from ..schema.place import GENERATION
from ..schema.target import IndexTarget, KeyspaceTarget, TableTarget, ViewTarget
from .calls import Cell
from .relation import Indexed, Relation, RelationColumn

_COMPUTED = 'computed["', '"]'
"""Prefix and suffix of the name of a computed column in the shape of an entity."""

_MAX_CACHED = 256
"""Keyspaces in the cache of layouts."""


class Layout(Record):
    """The columns, keys and indexes that store an entity."""

    binding: Binding[CqlTable]
    """The entity."""
    keyspace: str
    """Name of the keyspace."""
    attributes: tuple[Attribute, ...]
    """The fields of the entity."""
    target: TableTarget
    """Its table."""
    table: Relation
    """The table with its columns mapped to fields."""
    views: tuple[Relation, ...]
    """Its materialized views."""
    indexes: tuple[Indexed, ...]
    """Its indexes."""
    parts: dict[str, RelationColumn]
    """Its columns, by field or by the name of the computed attribute."""
    statics: frozenset[str]
    """Names of static columns."""
    counters: frozenset[str]
    """Names of counters."""
    keys: tuple[RelationColumn, ...]
    """The primary key."""
    identity: tuple[str, ...]
    """The fields in the primary key."""
    all_columns: tuple[str, ...]
    """The columns of all fields, the primary key first."""
    written: tuple[str, ...]
    """Every column that a whole item writes, the primary key first."""
    options: dict[str, object] = field(default_factory=dict)
    """Options of the table."""
    has_lifetimes: bool = False
    """Whether each put gives its rows a time to live of unknown length; only rules know the patterns."""

    @property
    def ttl(self) -> Attribute | None:
        """The field with the time at which a row expires; None if there is none."""
        return next((attribute for attribute in self.attributes if attribute.ttl_after_seconds is not None), None)

    @property
    def is_expiring(self) -> bool:
        """Whether rows expire by the time to live of the table or of their puts."""
        return bool(self.options.get("default_time_to_live")) or self.has_lifetimes

    def part(self, path: str) -> RelationColumn | None:
        """The column of a field, or of the embedded model that contains it."""
        return self.parts.get(path) or self.parts.get(path.partition(".")[0])


class _Keyspace:
    """A placed keyspace with its objects by name."""

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
        self.layouts: dict[str, tuple[Binding[CqlTable], Layout | None]] = {}


_keyspaces: dict[int, _Keyspace] = {}


def layout(target: KeyspaceTarget, binding: Binding[CqlTable]) -> Layout | None:
    """The layout of an entity in a placed keyspace; None if the keyspace does not contain it."""
    keyspace = _keyspaces.get(id(target))
    if keyspace is None or keyspace.target is not target:
        if len(_keyspaces) >= _MAX_CACHED:
            _keyspaces.clear()
        keyspace = _keyspaces[id(target)] = _Keyspace(target)
    cached = keyspace.layouts.get(binding.name)
    if cached is None or cached[0] is not binding:
        cached = keyspace.layouts[binding.name] = (binding, _build(keyspace, binding))
    return cached[1]


def _build(keyspace: _Keyspace, binding: Binding[CqlTable]) -> Layout | None:
    shape = keyspace.shapes.get(binding.name)
    declared = dict(shape.keys).get("table", "") if shape else ""
    table = keyspace.tables.get(declared)
    if shape is None or table is None:
        return None
    attributes = binding.entity.attributes
    natives = {column.name: column.type for column in (*table.partition, *table.static, *table.columns)}
    natives |= {column.name: column.type for column in table.clustering}
    parts = dict(_parts(shape, attributes, natives))
    by_name = {part.name: part for part in parts.values()}
    for name, native in natives.items():
        by_name.setdefault(name, RelationColumn(Cell(name, native, name)))
    clustering = tuple(
        _directed(by_name[column.name], is_descending=column.is_descending) for column in table.clustering
    )
    partition = tuple(by_name[column.name] for column in table.partition)
    return Layout(
        binding=binding,
        keyspace=keyspace.target.name,
        attributes=attributes,
        target=table,
        table=Relation("table", table.name, partition, clustering, frozenset(natives)),
        views=tuple(_view(view, table, by_name, attributes) for view in keyspace.views.get(table.name, ())),
        indexes=tuple(
            indexed
            for index in keyspace.indexes.get(table.name, ())
            if (indexed := _indexed(index, by_name)) is not None
        ),
        parts=parts,
        statics=frozenset(column.name for column in table.static),
        counters=frozenset(column.name for column in table.columns if column.type == "counter"),
        keys=(*partition, *clustering),
        identity=_identity((*partition, *clustering)),
        all_columns=tuple(
            dict.fromkeys(
                column.name for column in (*partition, *clustering, *parts.values()) if column.template is None
            )
        ),
        written=(*(column.name for column in (*partition, *clustering)), *_written(table, parts)),
        options=dict(table.options),
    )


def _parts(
    shape: EntityShape, attributes: tuple[Attribute, ...], natives: dict[str, str]
) -> list[tuple[str, RelationColumn]]:
    """(field or computed name, column) of all existing columns of an entity."""
    types = {attribute.name: attribute.type for attribute in attributes}
    columns = [
        (
            field_shape.name,
            RelationColumn(
                Cell(field_shape.stored, natives[field_shape.stored], field_shape.name, types.get(field_shape.name))
            ),
        )
        for field_shape in shape.fields
        if "." not in field_shape.name and field_shape.stored in natives
    ]
    for argument, text in shape.keys:
        if argument.startswith(_COMPUTED[0]):
            name, template = argument[len(_COMPUTED[0]) : -len(_COMPUTED[1])], template_of(text)
            if name in natives:
                lone = resolve(attributes, template.lone.path) if template.lone else None
                cell = Cell(name, natives[name], name, lone[-1].type if lone else None)
                columns.append((name, RelationColumn(cell, template)))
    return columns


@lru_cache(maxsize=4096)
def template_of(text: str) -> Template:
    """A parsed template, from a cache."""
    return parse(text)


def _written(table: TableTarget, parts: dict[str, RelationColumn]) -> list[str]:
    """The columns outside the key that a whole item writes, sorted."""
    names = {part.name for part in parts.values()} | {SCHEMA_VERSION}
    return sorted(column.name for column in (*table.static, *table.columns) if column.name in names)


def _identity(keys: tuple[RelationColumn, ...]) -> tuple[str, ...]:
    fields: list[str] = []
    for part in keys:
        fields += (
            [part.cell.field]
            if part.template is None
            else [placeholder.path for placeholder in part.template.placeholders]
        )
    return tuple(dict.fromkeys(path for path in fields if path))


def _directed(part: RelationColumn, *, is_descending: bool) -> RelationColumn:
    return RelationColumn(part.cell, part.template, is_descending)


def _view(
    view: ViewTarget, table: TableTarget, by_name: dict[str, RelationColumn], attributes: tuple[Attribute, ...]
) -> Relation:
    table_columns = {column.name for column in table.partition} | {column.name for column in table.clustering}
    clustering = tuple(
        _directed(by_name[name], is_descending=direction == "DESC") for name, direction in view.clustering
    )
    partition = tuple(by_name[name] for name in view.partition)
    reason = "it has a condition of its own" if view.where else ""
    nullable = {attribute.name for attribute in attributes if attribute.is_nullable}
    for part in clustering:
        if part.name not in table_columns and part.cell.field in nullable:
            reason = f'it lacks rows without "{part.cell.field}"'
    columns = frozenset(by_name) if view.columns is None else frozenset(view.columns)
    return Relation("view", view.name, partition, clustering, columns, reason)


def _similarity(part: RelationColumn, options: dict[str, str], is_attached: bool) -> Similarity | None:
    if not is_attached or not is_vector(part.cell.type):
        return None
    return _SIMILARITIES.get(options.get("similarity_function", INDEX_OPTIONS["similarity_function"]))


_SIMILARITIES: dict[str, Similarity] = {
    "cosine": "cosine", "dot_product": "dot_product", "euclidean": "euclidean",
}  # fmt: skip


def _indexed(index: IndexTarget, by_name: dict[str, RelationColumn]) -> Indexed | None:
    """The index of a column; None for an unknown kind or column."""
    indexed_part, _, column_text = index.target.partition("(") if index.target.endswith(")") else ("", "", index.target)
    column = plain(column_text.removesuffix(")") if indexed_part else column_text)
    part = by_name.get(column)
    if part is None or index.using not in ("sai", "legacy"):
        return None
    options = dict(index.options)
    folds = options.get("case_sensitive") == "false" or "true" in (options.get("normalize"), options.get("ascii"))
    match indexed_part:
        case "" | "values" | "keys" | "entries" | "full":
            is_attached = index.using == "sai"
            return Indexed(index.name, part, indexed_part, is_attached, folds, _similarity(part, options, is_attached))
        case _:
            return None
