"""Lowers the Cassandra bindings of a design to keyspaces."""

import re
from collections.abc import Iterable, Iterator

from keywright.declare.names import names
from keywright.engines.contract.change import Path
from keywright.engines.contract.shape import EntityShape, FieldShape
from keywright.ir.attribute import Attribute, Struct, Type
from keywright.ir.binding import Binding, Physical
from keywright.ir.design import Design
from keywright.ir.entity import element, parts

from ..declare.options import CqlTable, Keyspace
from ..declare.storage import CqlIndex, View
from .capabilities import INDEX_OPTIONS, TABLE_OPTIONS
from .columns import StoredColumn, columns_of, field_type, stored_name
from .cql import identifier
from .masks import normal
from .table_options import DEFAULTS, declared
from .target import (
    ClusteringColumn,
    Column,
    IndexTarget,
    KeyspaceTarget,
    Pairs,
    TableOptions,
    TableTarget,
    TypeTarget,
    ViewTarget,
)
from .typemap import is_collection, native_type, type_name


def lower(design: Design[Keyspace, CqlTable]) -> tuple[KeyspaceTarget, ...]:
    """See `Engine.lower`."""
    return tuple(_keyspace(physical, design.bindings_in(physical)) for physical in design.physicals)


def _keyspace(physical: Physical, bindings: tuple[Binding[CqlTable], ...]) -> KeyspaceTarget:
    types = {type_name(struct): struct for binding in bindings for struct in structs(binding.entity.attributes)}
    indexes = (index_target(binding, index) for binding in bindings for index in binding.spec.indexes)
    views = (_view(binding, view) for binding in bindings for view in binding.spec.views)
    return KeyspaceTarget(
        name=physical.name,
        types=tuple(_type(name, types[name]) for name in sorted(types)),
        tables=tuple(sorted(map(_table, bindings), key=lambda table: table.name)),
        indexes=tuple(sorted(indexes, key=lambda index: index.name)),
        views=tuple(sorted(views, key=lambda view: view.name)),
        shape=tuple(map(entity_shape, bindings)),
    )


def implied(design: Design, keyspace: KeyspaceTarget) -> Iterator[tuple[Path, ...]]:
    """See `Engine.implied`: options with the values that apply when the declaration names none."""
    for part, relations in (("tables", keyspace.tables), ("views", keyspace.views)):
        for relation in relations:
            name = relation.name if relation.generation == 1 else f"{relation.name}_k{relation.generation}"
            yield from (((part, name, "options", option[0]),) for option in relation.options if option in DEFAULTS)


def structs(attributes: Iterable[Attribute]) -> Iterator[Struct]:
    """Every embedded model in attributes, at any depth."""
    for attribute in attributes:
        yield from _structs(attribute.type)


def _structs(type: Type) -> Iterator[Struct]:
    if isinstance(type, Struct):
        yield type
    for part in parts(type):
        yield from _structs(part)


def _type(name: str, struct: Struct) -> TypeTarget:
    fields = (Column(attribute.stored, native_type(attribute.type, is_frozen=True)) for attribute in struct.attributes)
    return TypeTarget(name, tuple(fields))


def _table(binding: Binding[CqlTable]) -> TableTarget:
    table, columns = binding.spec, columns_of(binding)

    def with_role(role: str) -> list[StoredColumn]:
        return [column for column in columns if column.role == role]

    def by_name(role: str) -> tuple[Column, ...]:
        return tuple(
            sorted(
                (Column(column.name, column.type) for column in with_role(role)),
                key=lambda column: column.name,
            )
        )

    return TableTarget(
        name=table.name,
        partition=tuple(Column(column.name, column.type) for column in with_role("partition")),
        clustering=tuple(
            ClusteringColumn(column.name, column.type, column.is_descending) for column in with_role("clustering")
        ),
        static=by_name("static"),
        columns=by_name("regular"),
        options=declared(table),
        masks=tuple(sorted((stored_name(binding, name), normal(mask) or mask) for name, mask in table.masked.items())),
        generation=table.generation,
    )


def index_name(binding: Binding[CqlTable], index: CqlIndex) -> str:
    """The declared name, or `<table>_<column>_idx`."""
    column = re.sub(r"\W", "_", stored_name(binding, index.on), flags=re.ASCII)
    return index.name or f"{binding.spec.name}_{column}_idx"


def index_target(binding: Binding[CqlTable], index: CqlIndex) -> IndexTarget:
    """An index. The server reports the indexed part of a collection that is not frozen, such as `values(column)`."""
    table, attribute = binding.spec, binding.entity.attribute(index.on)
    is_values = attribute is not None and is_collection(attribute.type)
    column = identifier(stored_name(binding, index.on))
    part = {"value": "values" if is_values else ""}.get(index.of, index.of)
    return IndexTarget(
        name=index_name(binding, index),
        table=table.name,
        target=f"{part}({column})" if part else column,
        using=index.using,
        options=_index_options(index),
        generation=table.generation,
    )


def _index_options(index: CqlIndex) -> Pairs:
    options = {name: str(getattr(index, name)).lower() for name in INDEX_OPTIONS}
    return tuple(sorted((name, value) for name, value in options.items() if value != INDEX_OPTIONS[name]))


def _view(binding: Binding[CqlTable], view: View) -> ViewTarget:
    """A view. If the table has static columns, the view lists its columns, because it cannot contain static ones."""
    table, columns = binding.spec, columns_of(binding)
    has_all_columns = not any(column.role == "static" for column in columns)
    shared = (column.name for column in columns if column.role != "static")
    return ViewTarget(
        name=view.name,
        table=table.name,
        partition=tuple(stored_name(binding, name) for name in names(view.partition)),
        clustering=tuple(
            (stored_name(binding, name.removeprefix("-")), "DESC" if name.startswith("-") else "ASC")
            for name in names(view.clustering)
        ),
        columns=None if has_all_columns else tuple(sorted(shared)),
        options=_view_options(declared(table)),
        generation=table.generation,
    )


def _view_options(options: TableOptions) -> TableOptions:
    return tuple((name, value) for name, value in options if TABLE_OPTIONS[name].is_in_views)


def entity_shape(binding: Binding[CqlTable]) -> EntityShape:
    """An entity with its table, keys and fields, which a server does not report."""
    table = binding.spec
    templates = ((argument, template.text) for argument, template in binding.templates.items())
    fields = tuple(_fields(binding, binding.entity.attributes))
    return EntityShape(binding.name, (("table", table.name), *templates), fields, table.schema_version)


def _fields(
    binding: Binding[CqlTable], attributes: tuple[Attribute, ...], name: str = "", stored: str = ""
) -> Iterator[FieldShape]:
    for attribute in attributes:
        path, stored_path = f"{name}{attribute.name}", f"{stored}{attribute.stored}"
        kind = native_type(attribute.type, is_frozen=True) if name else field_type(binding, attribute)
        yield FieldShape(path, stored_path, kind, attribute.is_required and not attribute.is_nullable)
        inner = element(attribute.type)
        if isinstance(inner, Struct):
            yield from _fields(binding, inner.attributes, f"{path}.", f"{stored_path}.")
