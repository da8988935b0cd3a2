"""MongoDB: databases, collections and time series; the kinds of index are in indexes."""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Literal, TypeAlias

from keywright.declare.declared import Declared, subject
from keywright.declare.names import Names, Settings, names
from keywright.declare.store import Physical, Rebuildable, Store
from keywright.declare.stream import Stream

from .indexes import AnyIndex, Index

BsonType: TypeAlias = Literal["int", "long", "double", "decimal", "string", "objectId", "date", "bool", "binData"]
"""Native types that a field may be given in place of the usual one."""


class MongoDatabase(Physical):
    """A database."""

    engine = "mongodb"


class ShardKey(Declared):
    """How a collection is spread over shards."""

    on: Names
    """The fields."""
    hashed: bool = False
    """Whether the first field is hashed, which spreads rising values and gives up ranges over it."""


class Collection(Store, Rebuildable):
    """An entity as documents of a collection; a field marked `Ttl` becomes its TTL index.

    Read and write concern are no part of it: they follow from `consistency=` of each pattern.
    """

    database: MongoDatabase = subject(kw_only=False)
    """The database."""
    name: str = subject(kw_only=False)
    """The physical name."""
    id: str | None = None
    """Template of `_id`; a lone `{field}` stores that field as `_id`; by default the server makes an ObjectId."""
    indexes: list[AnyIndex] = []
    """Its indexes beyond `_id` and expiry."""
    validation: Literal["strict", "moderate", "warn", "off"] = "strict"
    """A document that breaks the schema is refused, refused unless it was broken before, logged, or let pass."""
    types: Mapping[str, BsonType] = {}
    """Native types other than the usual ones, by field."""
    shard_key: ShardKey | None = None
    """How it is sharded, if it is."""
    stream: Stream | None = None
    """Its changes, if somebody reads them; images of the document before a change need it."""
    settings: Settings = {}
    """Collection options without a word of their own, named as in the shell."""

    def check(self) -> None:
        """See `Declared.check`."""
        super().check()
        self.template("id", self.id)

    def fields_named(self) -> Iterator[tuple[str, str]]:
        """See `Store.fields_named`."""
        yield from (("types", name) for name in self.types)
        for index in self.indexes:
            yield from ((type(index).__name__, name) for name in index.fields_named())
        if self.shard_key:
            yield from (("shard_key", name) for name in names(self.shard_key.on))


class TimeSeries(Store, Rebuildable):
    """An entity as measurements of a time-series collection, which the server buckets by itself (5.0 and later)."""

    database: MongoDatabase = subject(kw_only=False)
    """The database."""
    name: str = subject(kw_only=False)
    """The physical name."""
    time: str
    """The datetime field of the measurement."""
    meta: str
    """The field that says whose measurement it is, and rarely changes."""
    granularity: Literal["seconds", "minutes", "hours"] = "seconds"
    """The usual distance between two measurements of one source."""
    ttl: timedelta | None = None
    """How long after its time a measurement is kept."""
    indexes: list[Index] = []
    """Further indexes; the server makes one on meta and time."""

    def fields_named(self) -> Iterator[tuple[str, str]]:
        """See `Store.fields_named`."""
        yield from (("time", self.time), ("meta", self.meta))
        for index in self.indexes:
            yield from (("Index", name) for name in index.fields_named())
