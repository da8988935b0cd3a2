"""Keyspaces as the server has them. Lists whose order the server does not keep are sorted by name."""

from typing import Literal, TypeAlias

from keywright.engines.contract.shape import EntityShape
from keywright.record import Record

Pairs: TypeAlias = tuple[tuple[str, str], ...]
"""A map of texts, sorted by key."""

OptionValue: TypeAlias = str | int | float | bool | Pairs
"""The value of a table option."""

TableOptions: TypeAlias = tuple[tuple[str, OptionValue], ...]
"""Options of a table or view in normal form, sorted by name."""


class Column(Record):
    """A column, or a field of a user-defined type."""

    name: str
    """Stored name."""
    type: str
    """Native type, as the server reports it."""


class TypeTarget(Record):
    """A user-defined type."""

    name: str
    """Stored name."""
    fields: tuple[Column, ...]
    """Fields, whose order is part of the stored form."""


class ClusteringColumn(Record):
    """A column that orders the rows of a partition."""

    name: str
    """Stored name."""
    type: str
    """Native type."""
    is_descending: bool = False
    """Whether the largest value is first."""


class TableTarget(Record):
    """A table."""

    name: str
    """Declared name, or the physical one once placed."""
    partition: tuple[Column, ...]
    """Partition key, in order."""
    clustering: tuple[ClusteringColumn, ...] = ()
    """Clustering columns, in order."""
    static: tuple[Column, ...] = ()
    """Static columns, sorted: a partition has one value of each."""
    columns: tuple[Column, ...] = ()
    """All other columns, sorted."""
    options: TableOptions = ()
    """Options, without compaction if the environment chooses it."""
    masks: Pairs = ()
    """Masking functions by column, sorted."""
    generation: int = 1
    """A number that rises when keys change; 1 once placed, because the physical name contains it."""


class IndexTarget(Record):
    """A secondary index, whose name is unique in the keyspace."""

    name: str
    """Declared name, or the physical one once placed."""
    table: str
    """Name of its table."""
    target: str
    """The indexed column or part, as the server writes it: `column`, `values(column)`, `full(column)`."""
    using: Literal["sai", "legacy"] | str
    """The kind of index, or its class if keywright has no name for the kind."""
    options: Pairs = ()
    """Options that differ from the server's defaults."""
    generation: int = 1
    """Generation of the table."""


class ViewTarget(Record):
    """A materialized view."""

    name: str
    """Declared name, or the physical one once placed."""
    table: str
    """Name of its table."""
    partition: tuple[str, ...]
    """Names of the partition key's columns, in order."""
    clustering: tuple[tuple[str, Literal["ASC", "DESC"]], ...]
    """Names and directions of the clustering columns, in order."""
    columns: tuple[str, ...] | None = None
    """Names of the columns, sorted; None for all present and future columns of the table."""
    where: str = ""
    """Its condition, if it is more than that no key column is null. Only a live view can have such a condition."""
    options: TableOptions = ()
    """Options, which are those of the table without the expiry."""
    generation: int = 1
    """Generation of the table."""


class Placement(Record):
    """The part of a keyspace that an environment owns."""

    replication: Pairs
    """The strategy as `class`, and its replication factors."""
    durable_writes: bool | None = None
    """Whether writes use the commit log; None if the flavour has no choice."""
    chosen: tuple[str, ...] = ()
    """Tables and views whose compaction the environment chose, sorted. A live store does not report this."""


class KeyspaceTarget(Record):
    """A keyspace with its objects, each kind sorted by name."""

    name: str
    """Declared name, or the physical one once placed."""
    generation: int = 1
    """Always 1, because each table has its own generation."""
    types: tuple[TypeTarget, ...] = ()
    """User-defined types."""
    tables: tuple[TableTarget, ...] = ()
    """Tables."""
    indexes: tuple[IndexTarget, ...] = ()
    """Secondary indexes."""
    views: tuple[ViewTarget, ...] = ()
    """Materialized views."""
    shape: tuple[EntityShape, ...] = ()
    """The stored entities; empty for a target that was read from a live store."""
    placement: Placement | None = None
    """The part that the environment owns; None before `place`."""
