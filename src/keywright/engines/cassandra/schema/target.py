"""Keyspaces as the server has them; lists whose order the server does not keep are sorted by name."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from keywright.engines.shape import EntityShape

Pairs: TypeAlias = tuple[tuple[str, str], ...]
"""A map of texts, sorted by key."""

OptionValue: TypeAlias = str | int | float | bool | Pairs
"""The value of a table option."""

Options: TypeAlias = tuple[tuple[str, OptionValue], ...]
"""Options of a table or view in normal form, sorted by name."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column, or a field of a user-defined type."""

    name: str
    """Stored name."""
    type: str
    """Native type, written as the server reports it."""


@dataclass(frozen=True, slots=True)
class TypeTarget:
    """A user-defined type."""

    name: str
    """Its name."""
    fields: tuple[Column, ...]
    """Its fields; their order is part of the stored form."""


@dataclass(frozen=True, slots=True)
class ClusteringColumn:
    """A column that orders the rows of a partition."""

    name: str
    """Stored name."""
    type: str
    """Native type."""
    is_descending: bool = False
    """Whether the largest comes first."""


@dataclass(frozen=True, slots=True)
class TableTarget:
    """A table."""

    name: str
    """Declared name, or the physical one once placed."""
    partition: tuple[Column, ...]
    """Its partition key, in order."""
    clustering: tuple[ClusteringColumn, ...] = ()
    """Its clustering columns, in order."""
    static: tuple[Column, ...] = ()
    """Columns that a partition has once, sorted."""
    columns: tuple[Column, ...] = ()
    """All other columns, sorted."""
    options: Options = ()
    """Its options; no compaction where the environment is to choose."""
    generation: int = 1
    """Counts up when keys change; 1 once placed, for then the name tells it."""


@dataclass(frozen=True, slots=True)
class IndexTarget:
    """A secondary index; its name is unique in the keyspace."""

    name: str
    """Declared name, or the physical one once placed."""
    table: str
    """Name of its table."""
    target: str
    """What is indexed, as the server writes it: `column`, `values(column)`, `full(column)`."""
    using: Literal["sai", "legacy"] | str
    """The kind of index, or the class of one that keywright has no word for."""
    options: Pairs = ()
    """Its options that are not the server's defaults."""
    generation: int = 1
    """As its table's."""


@dataclass(frozen=True, slots=True)
class ViewTarget:
    """A materialized view."""

    name: str
    """Declared name, or the physical one once placed."""
    table: str
    """Name of its table."""
    partition: tuple[str, ...]
    """Names of its partition key, in order."""
    clustering: tuple[tuple[str, Literal["ASC", "DESC"]], ...]
    """Names and directions of its clustering columns, in order."""
    columns: tuple[str, ...] | None = None
    """Names of its columns, sorted; None for all that the table has or will have."""
    where: str = ""
    """Its condition, where that says more than that no key column is null; only a live view may have one."""
    options: Options = ()
    """Its options, which are its table's without the expiry."""
    generation: int = 1
    """As its table's."""


@dataclass(frozen=True, slots=True)
class Placement:
    """What an environment owns of a keyspace."""

    replication: Pairs
    """The strategy under `class`, and its factors."""
    durable_writes: bool | None = None
    """Whether writes go through the commit log; None where the flavour has no choice."""
    chosen: tuple[str, ...] = ()
    """Tables and views whose compaction the environment chose, sorted; a live store cannot tell."""


@dataclass(frozen=True, slots=True)
class KeyspaceTarget:
    """A keyspace with all that is in it, each kind sorted by name."""

    name: str
    """Declared name, or the physical one once placed."""
    generation: int = 1
    """Always 1: tables have generations of their own."""
    types: tuple[TypeTarget, ...] = ()
    """User-defined types."""
    tables: tuple[TableTarget, ...] = ()
    """Tables."""
    indexes: tuple[IndexTarget, ...] = ()
    """Secondary indexes."""
    views: tuple[ViewTarget, ...] = ()
    """Materialized views."""
    shape: tuple[EntityShape, ...] = ()
    """The entities in it; empty where only a store was asked."""
    placement: Placement | None = None
    """What the environment owns; None before `place`."""
