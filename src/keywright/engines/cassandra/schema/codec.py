"""Keyspaces to and from JSON descriptions, which introspection of a live keyspace returns too."""

from typing import Any

from keywright.engines.contract import shape
from keywright.engines.interface import Description
from keywright.ir.json import Json

from .target import (
    ClusteringColumn,
    Column,
    IndexTarget,
    KeyspaceTarget,
    Pairs,
    Placement,
    TableOptions,
    TableTarget,
    TypeTarget,
    ViewTarget,
)


def describe(keyspace: KeyspaceTarget) -> Description:
    """See `Engine.describe`.

    Tables whose compaction the environment chose are listed outside the native half, because no server reports them.
    """
    native: dict[str, Json] = describe_placement(keyspace.placement) if keyspace.placement else {}
    parts: dict[str, dict[str, Json]] = {
        "types": {type.name: describe_type(type) for type in keyspace.types},
        "tables": {_key(table): describe_table(table) for table in keyspace.tables},
        "indexes": {_key(index): describe_index(index) for index in keyspace.indexes},
        "views": {_key(view): describe_view(view) for view in keyspace.views},
    }
    native |= {name: part for name, part in parts.items() if part}
    chosen: list[Json] = list(keyspace.placement.chosen) if keyspace.placement else []
    described: Description = {
        "name": keyspace.name,
        "generation": keyspace.generation,
        "native": native,
        "shape": shape.describe(keyspace.shape),
    }
    return described | {"chosen": chosen} if chosen else described


def describe_placement(placement: Placement) -> dict[str, Json]:
    """The part that the environment owns, without settings that the flavour does not have."""
    described: dict[str, Json] = {"replication": dict(placement.replication)}
    if placement.durable_writes is not None:
        described["durable_writes"] = placement.durable_writes
    return described


def describe_type(type: TypeTarget) -> Json:
    """A user-defined type."""
    return _columns(type.fields)


def describe_table(table: TableTarget) -> Json:
    """A table without its indexes and views, which have descriptions of their own."""
    described: dict[str, Json] = {"partition": _columns(table.partition)}
    if table.clustering:
        order: list[Json] = [
            [column.name, column.type, "DESC" if column.is_descending else "ASC"] for column in table.clustering
        ]
        described["clustering"] = order
    if table.static:
        described["static"] = {column.name: column.type for column in table.static}
    if table.columns:
        described["columns"] = {column.name: column.type for column in table.columns}
    if table.masks:
        described["masks"] = dict(table.masks)
    return described | _common(table)


def describe_index(index: IndexTarget) -> Json:
    """A secondary index."""
    described: dict[str, Json] = {"table": index.table, "target": index.target, "using": index.using}
    if index.options:
        described["options"] = dict(index.options)
    return described | ({"generation": index.generation} if index.generation > 1 else {})


def describe_view(view: ViewTarget) -> Json:
    """A materialized view. A view of all columns lists none."""
    described: dict[str, Json] = {
        "table": view.table,
        "partition": list(view.partition),
        "clustering": [list(column) for column in view.clustering],
    }
    if view.columns is not None:
        described["columns"] = list(view.columns)
    if view.where:
        described["where"] = view.where
    return described | _common(view)


def parse(description: Description) -> KeyspaceTarget:
    """See `Engine.parse`."""
    native: Any = description["native"]
    chosen: Any = description.get("chosen", [])
    return KeyspaceTarget(
        name=str(description["name"]),
        types=tuple(TypeTarget(name, _parse_columns(described)) for name, described in _sorted(native, "types")),
        tables=tuple(_parse_table(_name(key, described), described) for key, described in _sorted(native, "tables")),
        indexes=tuple(_parse_index(_name(key, described), described) for key, described in _sorted(native, "indexes")),
        views=tuple(_parse_view(_name(key, described), described) for key, described in _sorted(native, "views")),
        shape=shape.parse(description.get("shape", {})),
        placement=_parse_placement(native, tuple(chosen)) if "replication" in native else None,
    )


def _columns(columns: tuple[Column, ...]) -> Json:
    return [[column.name, column.type] for column in columns]


def describe_options(options: TableOptions) -> Json:
    """Options of a table or view."""
    return {name: dict(value) if isinstance(value, tuple) else value for name, value in options}


def _common(relation: TableTarget | ViewTarget) -> dict[str, Json]:
    described: dict[str, Json] = {"options": describe_options(relation.options)}
    return described | ({"generation": relation.generation} if relation.generation > 1 else {})


def _key(described: TableTarget | IndexTarget | ViewTarget) -> str:
    """The key of an object in a description, which contains the generation because generations share a name."""
    return f"{described.name}_k{described.generation}" if described.generation > 1 else described.name


def _name(key: str, described: dict[str, Any]) -> str:
    """The inverse of `_key`."""
    generation = described.get("generation", 1)
    return key.removesuffix(f"_k{generation}") if generation > 1 else key


def _sorted(native: dict[str, dict[str, Any]], part: str) -> list[tuple[str, Any]]:
    return sorted(native.get(part, {}).items())


def _parse_columns(columns: list[list[str]]) -> tuple[Column, ...]:
    return tuple(Column(name, type) for name, type in columns)


def _parse_table(name: str, table: dict[str, Any]) -> TableTarget:
    return TableTarget(
        name=name,
        partition=_parse_columns(table["partition"]),
        clustering=tuple(
            ClusteringColumn(column, type, direction == "DESC")
            for column, type, direction in table.get("clustering", ())
        ),
        static=tuple(Column(column, type) for column, type in sorted(table.get("static", {}).items())),
        columns=tuple(Column(column, type) for column, type in sorted(table.get("columns", {}).items())),
        options=_parse_options(table["options"]),
        masks=_pairs(table.get("masks", {})),
        generation=table.get("generation", 1),
    )


def _parse_index(name: str, index: dict[str, Any]) -> IndexTarget:
    return IndexTarget(
        name,
        index["table"],
        index["target"],
        index["using"],
        _pairs(index.get("options", {})),
        index.get("generation", 1),
    )


def _parse_view(name: str, view: dict[str, Any]) -> ViewTarget:
    columns = view.get("columns")
    return ViewTarget(
        name=name,
        table=view["table"],
        partition=tuple(view["partition"]),
        clustering=tuple((column, direction) for column, direction in view["clustering"]),
        columns=None if columns is None else tuple(columns),
        where=view.get("where", ""),
        options=_parse_options(view["options"]),
        generation=view.get("generation", 1),
    )


def _parse_options(options: dict[str, Any]) -> TableOptions:
    return tuple(sorted((name, _pairs(value) if isinstance(value, dict) else value) for name, value in options.items()))


def _parse_placement(native: dict[str, Any], chosen: tuple[str, ...]) -> Placement:
    return Placement(_pairs(native["replication"]), native.get("durable_writes"), chosen)


def _pairs(texts: dict[str, str]) -> Pairs:
    return tuple(sorted(texts.items()))
