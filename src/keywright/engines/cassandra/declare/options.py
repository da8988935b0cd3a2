"""Keyspaces and tables of Cassandra, Scylla and Amazon Keyspaces. Strategies and indexes are in `storage`."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Literal, TypeAlias

from keywright.declare.declared import subject
from keywright.declare.facts import ValueType
from keywright.declare.names import Names, NativeSettings, Ordered, names, ordered
from keywright.declare.store import Physical, Rebuildable, Store

from .storage import Caching, Compaction, CqlIndex, View

CqlTypeName: TypeAlias = Literal[
    "ascii", "bigint", "blob", "date", "decimal", "double", "duration", "float", "inet", "int", "smallint",
    "text", "time", "timestamp", "timeuuid", "tinyint", "uuid", "varint",
]  # fmt: skip
"""Native types that `types=` accepts instead of the default."""


class CqlType(ValueType):
    """The native type of an element, a key, or a field of an embedded model; `types=` is for the fields of a table."""


SCHEMA_VERSION = "kw_v"
"""Column of a row's schema version. It exists from version 2; a row without a value has version 1."""


class Keyspace(Physical):
    """A keyspace; datacentres and replicas are the environment's."""

    engine = "cassandra"
    has_write_options = True


class CqlTable(Store, Rebuildable):
    """An entity as rows of a table; an embedded model is a frozen user-defined type."""

    keyspace: Keyspace = subject(kw_only=False)
    """The keyspace."""
    name: str = subject(kw_only=False)
    """The physical name."""
    partition: Names
    """The partition key: what every query gives in full; a computed time bucket keeps partitions small."""
    clustering: Ordered = []
    """The order inside a partition; a leading minus means descending."""
    static: Names = []
    """Fields that a partition has once."""
    counters: Names = []
    """Fields that are counters; then all fields outside the key are."""
    unfrozen: Names = []
    """Embedded models whose fields are written one by one; usually a user-defined type is written whole."""
    frozen: Names = []
    """Collections that are written whole, so that they may be part of a key or be indexed as a whole."""
    types: Mapping[str, CqlTypeName] = {}
    """Native types other than the usual ones, by field."""
    masked: Mapping[str, str] = {}
    """Masking functions by field, such as `mask_inner(1, null)`; roles without `UNMASK` read their results."""
    ttl: timedelta | None = None
    """How long after it was written a row is kept."""
    compaction: Compaction | None = None
    """How its files are merged; by default time windows where there is a ttl, else what the version advises."""
    gc_grace: timedelta = timedelta(days=10)
    """How long a tombstone is kept; longer than the time between two repairs, or deleted data comes back."""
    compression: Literal["LZ4", "Zstd", "Snappy", "Deflate", "none"] = "LZ4"
    """How its files are compressed."""
    caching: Caching | None = None
    """What is kept in memory; by default the places of partitions, and no rows."""
    indexes: list[CqlIndex] = []
    """Secondary indexes; a second table per query is the rule, an index the exception."""
    views: list[View] = []
    """Materialized views; experimental, off by default on servers."""
    settings: NativeSettings = {}
    """Table options without a word of their own, named as in CQL."""

    def check(self) -> None:
        """See `Declared.check`."""
        super().check()
        clustering = ordered(self.clustering)
        key = [*names(self.partition), *clustering]
        for name in sorted({name for name in key if key.count(name) > 1}):
            self.wrong("CAS102", f'"{name}" is twice in the primary key', "name each column once")
        for name in sorted({*names(self.static), *names(self.counters)} & set(key)):
            problem = f'"{name}" is part of the primary key and cannot be static or a counter'
            self.wrong("CAS102", problem, "remove it from the key, or from static= and counters=")
        if self.static and not clustering:
            problem = "static columns without a clustering column: every partition has one row"
            self.wrong("CAS103", problem, "remove static=, or add clustering=")
        for argument, value in self._without_order():
            for name in (name for name in names(value) if name.startswith("-")):
                problem = f'{argument}: "{name}" has a direction, and only clustering columns have one'
                self.wrong("CAS105", problem, f'write "{name[1:]}", or move it to clustering=')

    def fields_named(self) -> Iterator[tuple[str, str]]:
        """See `Store.fields_named`."""
        for argument in ("partition", "static", "counters", "unfrozen", "frozen"):
            yield from ((argument, name) for name in names(getattr(self, argument)))
        yield from (("clustering", name) for name in ordered(self.clustering))
        yield from (("types", name) for name in self.types)
        yield from (("masked", name) for name in self.masked)
        yield from (("index", index.on) for index in self.indexes)
        for view in self.views:
            yield from ((f'view "{view.name}"', name) for name in (*names(view.partition), *ordered(view.clustering)))

    def templated_attributes(self) -> Iterator[tuple[str, str]]:
        """See `Store.templated_attributes`."""
        yield from super().templated_attributes()
        if self.schema_version > 1:
            yield "schema_version", SCHEMA_VERSION

    def _without_order(self) -> Iterator[tuple[str, Names]]:
        for argument in ("partition", "static", "counters"):
            yield argument, getattr(self, argument)
        yield from ((f'view "{view.name}" partition', view.partition) for view in self.views)
