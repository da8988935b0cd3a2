"""Rows of a server's `system_schema` into the description of a keyspace; the driver only asks for them."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from keywright.engines.interface import Description

from .capabilities import INDEX_OPTIONS
from .codec import describe
from .cql import plain
from .tableoptions import normal, short_class
from .target import (
    ClusteringColumn,
    Column,
    IndexTarget,
    KeyspaceTarget,
    Pairs,
    Placement,
    TableTarget,
    TypeTarget,
    ViewTarget,
)

Row: TypeAlias = Mapping[str, Any]

_NOT_NULL = re.compile(r'("(?:[^"]|"")+"|\w+) IS NOT NULL', re.IGNORECASE)
_ATTACHED = ("sai", "StorageAttachedIndex")


def keyspace_of(name: str, schema: Mapping[str, list[dict[str, Any]]], building: frozenset[str]) -> Description:
    """A live keyspace as a description.

    schema: rows of each table of `system_schema`, of this keyspace alone; building: names of indexes and views that are
    not finished, which carry "building".
    """
    columns: dict[str, list[Row]] = {}
    for row in schema["columns"]:
        columns.setdefault(row["table_name"], []).append(row)
    described = describe(
        KeyspaceTarget(
            name=name,
            types=tuple(_type(row) for row in _by(schema["types"], "type_name")),
            tables=tuple(_table(row, columns[row["table_name"]]) for row in _by(schema["tables"], "table_name")),
            indexes=tuple(_index(row) for row in _by(schema["indexes"], "index_name")),
            views=tuple(_view(row, columns[row["view_name"]]) for row in _by(schema["views"], "view_name")),
            placement=_placement(schema["keyspaces"][0]),
        )
    )
    native: Any = described["native"]
    for part in ("indexes", "views"):
        for one, value in native.get(part, {}).items():
            if one in building:
                value["building"] = True
    return described


def _by(rows: Iterable[dict[str, Any]], key: str) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: str(row[key]))


def _placement(row: Row) -> Placement:
    replication = {**row["replication"], "class": short_class(row["replication"]["class"])}
    return Placement(tuple(sorted(replication.items())), row["durable_writes"])


def _type(row: Row) -> TypeTarget:
    fields = zip(row["field_names"], row["field_types"], strict=True)
    return TypeTarget(row["type_name"], tuple(Column(name, type) for name, type in fields))


def _kind(columns: list[Row], kind: str) -> list[Row]:
    return sorted(
        (row for row in columns if row["kind"] == kind), key=lambda row: (row["position"], row["column_name"])
    )


def _table(row: Row, columns: list[Row]) -> TableTarget:
    def of(kind: str) -> tuple[Column, ...]:
        return tuple(Column(one["column_name"], one["type"]) for one in _kind(columns, kind))

    return TableTarget(
        name=row["table_name"],
        partition=of("partition_key"),
        clustering=tuple(
            ClusteringColumn(one["column_name"], one["type"], one["clustering_order"] == "desc")
            for one in _kind(columns, "clustering")
        ),
        static=of("static"),
        columns=of("regular"),
        options=normal(row),
    )


def _index(row: Row) -> IndexTarget:
    """An index; those of a class of their own tell it in their options."""
    options = dict(row["options"])
    target, used = options.pop("target"), short_class(options.pop("class_name", "legacy"))
    is_attached = used in _ATTACHED
    kept: Pairs = tuple(
        sorted(
            (key, str(value)) for key, value in options.items() if not is_attached or INDEX_OPTIONS.get(key) != value
        )
    )
    return IndexTarget(row["index_name"], row["table_name"], target, "sai" if is_attached else used, kept)


def _view(row: Row, columns: list[Row]) -> ViewTarget:
    partition = tuple(one["column_name"] for one in _kind(columns, "partition_key"))
    clustering = tuple((one["column_name"], _direction(one)) for one in _kind(columns, "clustering"))
    key = {*partition, *(name for name, _ in clustering)}
    where = row["where_clause"]
    says_more = {plain(one) for one in _NOT_NULL.findall(where)} != key or len(where.split(" AND ")) != len(key)
    return ViewTarget(
        name=row["view_name"],
        table=row["base_table_name"],
        partition=partition,
        clustering=clustering,
        columns=None if row["include_all_columns"] else tuple(sorted(one["column_name"] for one in columns)),
        where=where if says_more else "",
        options=normal(row),
    )


def _direction(column: Row) -> Any:
    return column["clustering_order"].upper()
