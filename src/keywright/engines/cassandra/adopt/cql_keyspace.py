"""A keyspace that statements change one after the other."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from keywright.record import replace

from ..declare.storage import SizeTiered
from ..schema.capabilities import CACHING, COMPRESSION, GC_GRACE_SECONDS, TABLE_OPTIONS
from ..schema.table_options import normal, strategy
from ..schema.target import (
    ClusteringColumn,
    Column,
    IndexTarget,
    KeyspaceTarget,
    TableOptions,
    TableTarget,
    TypeTarget,
    ViewTarget,
)
from .cql_types import Value

_DEFAULTS: Mapping[str, object] = {
    "caching": CACHING, "compression": COMPRESSION, "gc_grace_seconds": GC_GRACE_SECONDS,
    "compaction": strategy(SizeTiered()),
}  # fmt: skip


@dataclass(slots=True)
class TableState:
    """A table."""

    columns: dict[str, str] = field(default_factory=dict)
    """Native types by column."""
    partition: list[str] = field(default_factory=list)
    """Columns of the partition key."""
    clustering: list[str] = field(default_factory=list)
    """Clustering columns."""
    static: set[str] = field(default_factory=set)
    """Static columns."""
    descending: set[str] = field(default_factory=set)
    """Clustering columns with the largest value first."""
    masks: dict[str, str] = field(default_factory=dict)
    """Masking functions by column."""
    options: dict[str, Value] = field(default_factory=dict)
    """Options as written."""

    def rename(self, before: str, after: str) -> None:
        """Rename a column of the key."""
        self.columns = {after if name == before else name: type for name, type in self.columns.items()}
        self.masks = {after if name == before else name: mask for name, mask in self.masks.items()}
        for key in (self.partition, self.clustering):
            key[:] = [after if name == before else name for name in key]
        if before in self.descending:
            self.descending.add(after)

    def target(self, name: str) -> TableTarget:
        """The table as a server reports it, with columns in the order of the file."""
        key = {*self.partition, *self.clustering}
        others = [Column(column, type) for column, type in self.columns.items() if column not in key]
        return TableTarget(
            name=name,
            partition=tuple(Column(column, self.columns[column]) for column in self.partition),
            clustering=tuple(
                ClusteringColumn(column, self.columns[column], column in self.descending) for column in self.clustering
            ),
            static=tuple(column for column in others if column.name in self.static),
            columns=tuple(column for column in others if column.name not in self.static),
            options=options_of(self.options),
            masks=tuple(sorted(self.masks.items())),
        )


@dataclass(slots=True)
class ViewState:
    """A materialized view."""

    target: ViewTarget
    """The view without its options."""
    options: dict[str, Value]
    """Options as written."""


@dataclass(slots=True)
class KeyspaceState:
    """A keyspace with its objects by name."""

    types: dict[str, dict[str, str]] = field(default_factory=dict)
    """Fields of user-defined types with their native types."""
    comments: dict[tuple[str, str], str] = field(default_factory=dict)
    """Comments by (table or type, column)."""
    tables: dict[str, TableState] = field(default_factory=dict)
    """Tables."""
    indexes: dict[str, IndexTarget] = field(default_factory=dict)
    """Indexes."""
    views: dict[str, ViewState] = field(default_factory=dict)
    """Materialized views."""

    def drop_table(self, name: str) -> None:
        """Drop a table with its indexes."""
        self.tables.pop(name, None)
        self.indexes = {key: index for key, index in self.indexes.items() if index.table != name}

    def index_name(self, table: str, column: str) -> str:
        """The name that the server gives an index."""
        plain_column = re.sub(r"\W", "", column, flags=re.ASCII)
        name = f"{table}_{plain_column}_idx"
        numbered = (f"{name}_{number}" for number in range(1, 1000))
        return name if name not in self.indexes else next(other for other in numbered if other not in self.indexes)

    def target(self, name: str) -> KeyspaceTarget:
        """The keyspace as a server reports it, with tables and columns in the order of the file."""
        return KeyspaceTarget(
            name=name,
            types=tuple(
                TypeTarget(type, tuple(Column(column, text) for column, text in fields.items()))
                for type, fields in sorted(self.types.items())
            ),
            tables=tuple(table.target(name) for name, table in self.tables.items()),
            indexes=tuple(index for _, index in sorted(self.indexes.items())),
            views=tuple(_view(view) for _, view in sorted(self.views.items())),
        )


def _view(view: ViewState) -> ViewTarget:
    options = tuple(option for option in options_of(view.options) if TABLE_OPTIONS[option[0]].is_in_views)
    return replace(view.target, options=options)


def options_of(options: Mapping[str, Value]) -> TableOptions:
    """Options in normal form, with the server's defaults."""
    return normal({**_DEFAULTS, **options})
