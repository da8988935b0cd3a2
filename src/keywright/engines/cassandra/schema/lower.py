"""Cassandra's part of a design into keyspaces."""

import re
from collections.abc import Iterable, Iterator

from keywright.declare.names import names
from keywright.engines.shape import EntityShape, FieldShape
from keywright.ir.attribute import Attribute, Many, Map, Struct, Type
from keywright.ir.binding import Binding
from keywright.ir.design import Design
from keywright.ir.entity import element
from keywright.ir.physical import Physical

from .capabilities import INDEX_OPTIONS
from .columns import StoredColumn, columns_of, field_type, stored_name, table_of
from .cql import identifier
from .storage import CqlIndex, View
from .tableoptions import declared
from .target import (
    ClusteringColumn,
    Column,
    IndexTarget,
    KeyspaceTarget,
    Options,
    Pairs,
    TableTarget,
    TypeTarget,
    ViewTarget,
)
from .typemap import native_type, type_name

NOT_IN_VIEWS = ("cdc", "comment", "default_time_to_live", "memtable")
"""Options of a table that its views do not share: rows of a view expire when those of the table do."""


def lower(design: Design) -> tuple[KeyspaceTarget, ...]:
    """See `Engine.lower`."""
    return tuple(_keyspace(physical, design.bindings_in(physical)) for physical in design.physicals)


def _keyspace(physical: Physical, bindings: tuple[Binding, ...]) -> KeyspaceTarget:
    types = {type_name(struct): struct for binding in bindings for struct in structs(binding.entity.attributes)}
    indexes = (index_target(binding, index) for binding in bindings for index in table_of(binding).indexes)
    views = (_view(binding, view) for binding in bindings for view in table_of(binding).views)
    return KeyspaceTarget(
        name=physical.name,
        types=tuple(_type(name, types[name]) for name in sorted(types)),
        tables=tuple(sorted(map(_table, bindings), key=lambda table: table.name)),
        indexes=tuple(sorted(indexes, key=lambda index: index.name)),
        views=tuple(sorted(views, key=lambda view: view.name)),
        shape=tuple(map(_shape, bindings)),
    )


def structs(attributes: Iterable[Attribute]) -> Iterator[Struct]:
    """Every embedded model below some attributes."""
    for attribute in attributes:
        yield from _structs(attribute.type)


def _structs(type: Type) -> Iterator[Struct]:
    match type:
        case Struct():
            yield type
            yield from structs(type.attributes)
        case Many():
            yield from _structs(type.element)
        case Map():
            yield from _structs(type.value)


def _type(name: str, struct: Struct) -> TypeTarget:
    fields = (Column(one.stored, native_type(one.type, is_frozen=True)) for one in struct.attributes)
    return TypeTarget(name, tuple(fields))


def _table(binding: Binding) -> TableTarget:
    table, columns = table_of(binding), columns_of(binding)

    def of(role: str) -> list[StoredColumn]:
        return [column for column in columns if column.role == role]

    def by_name(role: str) -> tuple[Column, ...]:
        return tuple(sorted((Column(one.name, one.type) for one in of(role)), key=lambda column: column.name))

    return TableTarget(
        name=table.name,
        partition=tuple(Column(one.name, one.type) for one in of("partition")),
        clustering=tuple(ClusteringColumn(one.name, one.type, one.is_descending) for one in of("clustering")),
        static=by_name("static"),
        columns=by_name("regular"),
        options=declared(table),
        generation=table.generation,
    )


def index_name(binding: Binding, index: CqlIndex) -> str:
    """The name that was given, or one made of table and column."""
    column = re.sub(r"\W", "_", stored_name(binding, index.on), flags=re.ASCII)
    return index.name or f"{table_of(binding).name}_{column}_idx"


def index_target(binding: Binding, index: CqlIndex) -> IndexTarget:
    """An index; of a collection that is written piece by piece, the server says of which pieces."""
    table, attribute = table_of(binding), binding.entity.attribute(index.on)
    is_collection = attribute is not None and isinstance(attribute.type, (Many, Map))
    column = identifier(stored_name(binding, index.on))
    part = {"value": "values" if is_collection else ""}.get(index.of, index.of)
    return IndexTarget(
        name=index_name(binding, index),
        table=table.name,
        target=f"{part}({column})" if part else column,
        using=index.using,
        options=_index_options(index),
        generation=table.generation,
    )


def _index_options(index: CqlIndex) -> Pairs:
    given = {name: str(getattr(index, name)).lower() for name in INDEX_OPTIONS}
    return tuple(sorted((name, value) for name, value in given.items() if value != INDEX_OPTIONS[name]))


def _view(binding: Binding, view: View) -> ViewTarget:
    """A view; one of a table with static columns has to name its columns, for it cannot have those."""
    table, columns = table_of(binding), columns_of(binding)
    is_whole = not any(column.role == "static" for column in columns)
    shared = (column.name for column in columns if column.role != "static")
    return ViewTarget(
        name=view.name,
        table=table.name,
        partition=tuple(stored_name(binding, name) for name in names(view.partition)),
        clustering=tuple(
            (stored_name(binding, name.removeprefix("-")), "DESC" if name.startswith("-") else "ASC")
            for name in names(view.clustering)
        ),
        columns=None if is_whole else tuple(sorted(shared)),
        options=_view_options(declared(table)),
        generation=table.generation,
    )


def _view_options(options: Options) -> Options:
    return tuple((name, value) for name, value in options if name not in NOT_IN_VIEWS)


def _shape(binding: Binding) -> EntityShape:
    table = table_of(binding)
    templates = ((argument, template.text) for argument, template in binding.templates.items())
    fields = tuple(_fields(binding, binding.entity.attributes))
    return EntityShape(binding.name, (("table", table.name), *templates), fields, table.schema_version)


def _fields(
    binding: Binding, attributes: tuple[Attribute, ...], name: str = "", stored: str = ""
) -> Iterator[FieldShape]:
    for attribute in attributes:
        path, stored_path = f"{name}{attribute.name}", f"{stored}{attribute.stored}"
        kind = native_type(attribute.type, is_frozen=True) if name else field_type(binding, attribute)
        yield FieldShape(path, stored_path, kind, attribute.is_required and not attribute.is_nullable)
        inner = element(attribute.type)
        if isinstance(inner, Struct):
            yield from _fields(binding, inner.attributes, f"{path}.", f"{stored_path}.")
