"""Converts rows of `system_schema`, which the driver reads, into the description of a keyspace."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from keywright.engines.interface import Description

from .capabilities import INDEX_OPTIONS
from .codec import describe
from .cql import plain
from .masks import reported
from .table_options import normal, short_class
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

SystemRow: TypeAlias = Mapping[str, Any]

MARKS = "kw_m_"
"""Prefix of the columns that mark rows of a running backfill, which are left out."""


_NOT_NULL = re.compile(r'("(?:[^"]|"")+"|\w+) IS NOT NULL', re.IGNORECASE)
_SAI_CLASSES = ("sai", "StorageAttachedIndex")


def keyspace_of(name: str, schema: Mapping[str, list[dict[str, Any]]], building: frozenset[str]) -> Description:
    """A live keyspace as a description.

    schema: rows of each table of `system_schema`, of this keyspace alone. building: names of unfinished indexes and
    views, whose descriptions contain "building".
    """
    columns: dict[str, list[SystemRow]] = {}
    for row in schema["columns"]:
        if row["column_name"].startswith(MARKS):  # a running backfill has added it
            continue
        columns.setdefault(row["table_name"], []).append(row)
    masks: dict[str, dict[str, str]] = {}
    for row in schema.get("column_masks", ()):
        masks.setdefault(row["table_name"], {})[row["column_name"]] = reported(row)
    described = describe(
        KeyspaceTarget(
            name=name,
            types=tuple(_type(row) for row in _sorted_by(schema["types"], "type_name")),
            tables=tuple(
                _table(row, columns[row["table_name"]], masks.get(row["table_name"], {}))
                for row in _sorted_by(schema["tables"], "table_name")
            ),
            indexes=tuple(_index(row) for row in _sorted_by(schema["indexes"], "index_name")),
            views=tuple(_view(row, columns[row["view_name"]]) for row in _sorted_by(schema["views"], "view_name")),
            placement=_placement(schema["keyspaces"][0]),
        )
    )
    native: Any = described["native"]
    for part in ("indexes", "views"):
        for object_name, value in native.get(part, {}).items():
            if object_name in building:
                value["building"] = True
    return described


def _sorted_by(rows: Iterable[dict[str, Any]], key: str) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: str(row[key]))


def _placement(row: SystemRow) -> Placement:
    replication = {**row["replication"], "class": short_class(row["replication"]["class"])}
    return Placement(tuple(sorted(replication.items())), row["durable_writes"])


def _type(row: SystemRow) -> TypeTarget:
    fields = zip(row["field_names"], row["field_types"], strict=True)
    return TypeTarget(row["type_name"], tuple(Column(name, type) for name, type in fields))


def _of_kind(columns: list[SystemRow], kind: str) -> list[SystemRow]:
    return sorted(
        (row for row in columns if row["kind"] == kind), key=lambda row: (row["position"], row["column_name"])
    )


def _table(row: SystemRow, columns: list[SystemRow], masks: Mapping[str, str]) -> TableTarget:
    """A table. The server keeps the mask of a dropped column."""
    names = {column["column_name"] for column in columns}

    def of_kind(kind: str) -> tuple[Column, ...]:
        return tuple(Column(column["column_name"], column["type"]) for column in _of_kind(columns, kind))

    return TableTarget(
        name=row["table_name"],
        partition=of_kind("partition_key"),
        clustering=tuple(
            ClusteringColumn(column["column_name"], column["type"], column["clustering_order"] == "desc")
            for column in _of_kind(columns, "clustering")
        ),
        static=of_kind("static"),
        columns=of_kind("regular"),
        options=normal(row),
        masks=tuple(sorted((name, mask) for name, mask in masks.items() if name in names)),
    )


def _index(row: SystemRow) -> IndexTarget:
    """An index, whose class is in its options unless it is a legacy one."""
    options = dict(row["options"])
    target, kind = options.pop("target"), short_class(options.pop("class_name", "legacy"))
    is_attached = kind in _SAI_CLASSES
    pairs: Pairs = tuple(
        sorted(
            (key, value)
            for key, value in ((key, index_option(key, str(value))) for key, value in options.items())
            if not is_attached or INDEX_OPTIONS.get(key) != value
        )
    )
    return IndexTarget(row["index_name"], row["table_name"], target, "sai" if is_attached else kind, pairs)


def index_option(name: str, value: str) -> str:
    """The value of an option of an index; the server accepts a similarity in any case."""
    return value.lower() if name == "similarity_function" else value


def _view(row: SystemRow, columns: list[SystemRow]) -> ViewTarget:
    partition = tuple(column["column_name"] for column in _of_kind(columns, "partition_key"))
    clustering = tuple((column["column_name"], _direction(column)) for column in _of_kind(columns, "clustering"))
    key = {*partition, *(name for name, _ in clustering)}
    where = row["where_clause"]
    has_condition = {plain(column) for column in _NOT_NULL.findall(where)} != key or len(where.split(" AND ")) != len(
        key
    )
    return ViewTarget(
        name=row["view_name"],
        table=row["base_table_name"],
        partition=partition,
        clustering=clustering,
        columns=None if row["include_all_columns"] else tuple(sorted(column["column_name"] for column in columns)),
        where=where if has_condition else "",
        options=normal(row),
    )


def _direction(column: SystemRow) -> Any:
    return column["clustering_order"].upper()
