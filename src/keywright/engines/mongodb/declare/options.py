"""MongoDB: databases, collections, time series and views; the kinds of index are in `indexes.py`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Literal, TypeAlias

from keywright.declare.declared import Declared, subject
from keywright.declare.names import ConditionConstant, Names, NativeSettings, names
from keywright.declare.store import Physical, Rebuildable, Store
from keywright.declare.stream import Stream
from keywright.errors import quoted
from keywright.ir.pattern import ConstantCondition

from .filters import Selected, simple_tests
from .indexes import AnyIndex, Index

BsonType: TypeAlias = Literal["int", "long", "double", "decimal", "string", "objectId", "date", "bool", "binData"]
"""Native types that can replace a field's default type."""


Validation: TypeAlias = Literal["strict", "moderate", "warn", "moderate-warn", "off"]
"""The treatment of a document that breaks the schema: it is rejected, or only logged (`warn`); `moderate` does neither
for a document that broke the schema before; `off` declares no schema."""


class MongoDatabase(Physical):
    """A database."""

    engine = "mongodb"
    has_collations = True

    validation: Validation = "strict"
    """The treatment of documents that break the schema, for collections that declare no other one."""


class ShardKey(Declared):
    """The fields that distribute a collection over shards."""

    on: Names
    """The fields."""
    hashed: bool | str = False
    """The field that is hashed, which distributes rising values but does not serve ranges over it; True for the first.
    Fields before it divide the values first, such as by zone."""

    zones: Mapping[str, list[ConditionConstant]] = {}
    """Zones of shards, each with the values of the first field whose documents it stores; shards of zones belong to the
    environment."""

    @property
    def hashed_field(self) -> str:
        """The field that is hashed; empty for none."""
        if isinstance(self.hashed, str):
            return self.hashed
        return names(self.on)[0] if self.hashed and self.on else ""

    def check(self) -> None:
        """See `Declared.check`."""
        if isinstance(self.hashed, str) and self.hashed not in names(self.on):
            problem = f'hashed="{self.hashed}" is not a field of the shard key'
            self.wrong("E0503", problem, f"hashed= names one of {quoted(names(self.on))}")
        if self.zones and self.hashed_field in names(self.on)[:1]:
            problem = f'zones= needs values of "{self.hashed_field}", and the shard key contains their hashes'
            self.wrong("E0503", problem, "write the field of the zones before the hashed one, which hashed= names")
        if self.zones and len(names(self.on)) < 2:
            problem = "zones= needs a second field in the shard key, by which documents of one value are divided"
            self.wrong("E0503", problem, "add one to on=, such as the key of the entity")
        values = [value for zone in self.zones.values() for value in zone]
        if twice := next((value for value in values if values.count(value) > 1), None):
            self.wrong("E0503", f"zones= lists {twice!r} twice", "a value belongs to one zone")


class Collection(Store, Rebuildable):
    """An entity as documents of a collection; a field marked `Ttl` becomes its TTL index.

    It has no read or write concern: they follow from `consistency=` of each pattern.
    """

    database: MongoDatabase = subject(kw_only=False)
    """The database."""
    name: str = subject(kw_only=False)
    """The physical name."""
    id: str | None = None
    """Template of `_id`; a lone `{field}` stores that field as `_id`; by default the server generates an ObjectId."""
    indexes: list[AnyIndex] = []
    """Its indexes beyond `_id` and expiry."""
    validation: Validation | None = None
    """The treatment of a document that breaks the schema: it is rejected, rejected unless it broke it before, logged,
    logged unless it broke it before, or accepted. By default that of the database."""
    types: Mapping[str, BsonType] = {}
    """Native types other than the default, by field."""
    clustered: bool | str = False
    """Whether documents are stored in the order of `_id`, without an index on it (6.0 and later); a text names it."""
    shard_key: ShardKey | None = None
    """The shard key; None for an unsharded collection."""
    stream: Stream | None = None
    """The change stream, if an application reads it; images of documents before a change need it."""
    settings: NativeSettings = {}
    """Collection options without a field here, named as in the shell."""

    @property
    def treatment(self) -> Validation:
        """Its validation, declared for it or for its database."""
        return self.validation or self.database.validation

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

    def conditions_named(self) -> Iterator[tuple[str, Iterable[ConstantCondition]]]:
        """See `Store.conditions_named`."""
        yield from _conditions_named(self.indexes)


class TimeSeries(Store, Rebuildable):
    """An entity as measurements of a time-series collection, whose buckets the server manages (5.0 and later)."""

    database: MongoDatabase = subject(kw_only=False)
    """The database."""
    name: str = subject(kw_only=False)
    """The physical name."""
    time: str
    """The datetime field of the measurement."""
    meta: str | None = None
    """The field that identifies the source of the measurement and rarely changes; None if there is one source."""
    meta_index: bool = True
    """Whether there is an index on meta and time, which servers from 6.3 on create by themselves."""
    granularity: Literal["seconds", "minutes", "hours"] = "seconds"
    """The usual time between two measurements of one source."""
    ttl: timedelta | None = None
    """The time after which a measurement expires."""
    indexes: list[Index] = []
    """Further indexes."""

    def fields_named(self) -> Iterator[tuple[str, str]]:
        """See `Store.fields_named`."""
        yield "time", self.time
        if self.meta is not None:
            yield "meta", self.meta
        for index in self.indexes:
            yield from (("Index", name) for name in index.fields_named())

    def conditions_named(self) -> Iterator[tuple[str, Iterable[ConstantCondition]]]:
        """See `Store.conditions_named`."""
        yield from _conditions_named(self.indexes)


class CollectionView(Store):
    """A read-only entity: the documents of a collection that meet conditions, whole or only with the model's fields.

    Its reads use the indexes of the collection. Fields have the stored names and types that they have there.
    """

    indexes = ()
    """A view has no indexes of its own; no option."""
    generation = 1
    """A view stores nothing that could be rebuilt; no option."""
    rebuild = None
    """See `generation`."""

    database: MongoDatabase = subject(kw_only=False)
    """The database."""
    name: str = subject(kw_only=False)
    """The physical name."""
    on: str
    """The physical name of the collection, without the suffix of a generation."""
    where: Selected = {}
    """The conditions of its documents, by field of the collection's model."""
    project: bool = False
    """Whether documents contain only the fields of the model. The server then sorts in memory, so that it serves no
    order."""
    id: str | None = None
    """The `id=` of the collection, if the model has its fields."""
    types: Mapping[str, BsonType] = {}
    """The `types=` of the collection, for the fields that the model has."""

    @property
    def source(self) -> str:
        """See `Store.source`."""
        return self.on

    @property
    def shown(self) -> tuple[ConstantCondition, ...]:
        """See `Store.shown`."""
        return tuple(simple_tests(self.where))

    def check(self) -> None:
        """See `Declared.check`."""
        super().check()
        self.template("id", self.id)
        for option, value in (("computed", self.computed), ("upgrades", self.upgrades)):
            if value:
                self.wrong("E0501", f"a view has no {option}=", f'declare it for "{self.on}", which stores the items')
        if self.schema_version != 1:
            self.wrong("E0501", "a view has no schema_version=", f'declare it for "{self.on}", which stores the items')


def _conditions_named(indexes: Sequence[AnyIndex]) -> Iterator[tuple[str, Iterable[ConstantCondition]]]:
    for index in indexes:
        for filter in index.filters():
            yield f"{type(index).__name__} where", simple_tests(filter)


AnyCollection: TypeAlias = Collection | TimeSeries | CollectionView
"""The declaration of an entity."""
