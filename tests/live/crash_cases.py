"""What each engine's stores become in the tests of crashes: states that lead through every change of its tables."""

from collections.abc import Callable, Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Any

from keywright.engines.cassandra.schema import target as cql
from keywright.engines.cassandra.schema.table_options import normal
from keywright.engines.contract.change import AddIndex, AlterIndex, AlterReplication, AlterSetting, DropIndex
from keywright.engines.contract.classes import Class, ClassRule
from keywright.engines.contract.parts import Part, PartNames
from keywright.engines.dynamodb.schema import target as dynamo
from keywright.engines.mongodb.schema import target as mongo
from keywright.engines.redis.schema import target as redis
from keywright.engines.registry import engine_named
from keywright.record import Record, fields, replace


class Case(Record):
    """One engine's store on its way."""

    store: str
    """Its name."""
    states: tuple[tuple[Any, ...], ...]
    """Its declared targets, from version to version; before the first there is nothing."""

    @property
    def engine(self) -> Any:
        """Its engine."""
        return engine_named(self.store.partition("/")[0])


def _by(name: str, attribute: str, type: str = "S", projection: Any = "ALL") -> dynamo.IndexTarget:
    return dynamo.IndexTarget(name, (dynamo.KeyPart(attribute, type, "HASH"),), projection)


def _dynamodb() -> Case:
    keys = (dynamo.KeyPart("pk", "S", "HASH"), dynamo.KeyPart("sk", "S", "RANGE"))
    shop = dynamo.TableTarget("shop", 1, keys, indexes=(_by("by_day", "day"), _by("by_place", "place")), ttl="expires",
                              stream="NEW_IMAGE")  # fmt: skip
    other = replace(shop, indexes=(_by("by_day", "day", "N"), _by("by_name", "name")), ttl="ends", stream="KEYS_ONLY")
    cart = dynamo.TableTarget("cart", 1, keys[:1], ttl="expires")
    plain = replace(other, ttl=None, stream=None)
    return Case("dynamodb", ((shop,), (cart, other), (plain,), (replace(plain, ttl="ends", stream="NEW_IMAGE"),)))


def _index(path: str, **options: Any) -> mongo.IndexTarget:
    return mongo.IndexTarget(f"{path}_1", ((path, 1),), **options)


def _things(*indexes: mongo.IndexTarget, **options: Any) -> mongo.CollectionTarget:
    return mongo.CollectionTarget("things", indexes=indexes, **options)


def _mongodb() -> Case:
    old: Any = {"$jsonSchema": {"required": ["name"], "properties": {"name": {"bsonType": "string"}}}}
    new: Any = {"$jsonSchema": {"required": ["title"], "properties": {"title": {"bsonType": "string"}}}}
    loose: Any = {"$jsonSchema": {"properties": {"title": {"bsonType": "string"}}}}
    series = mongo.CollectionTarget(
        "measured", series=mongo.SeriesOptions("at", "source", "minutes"), expire_after_seconds=60
    )
    first = _things(
        _index("a"), _index("b", expire_after_seconds=60), _index("c", filter={"x": {"$gt": 1}}), _index("d"),
        validator=old,
    )  # fmt: skip
    second = _things(
        _index("a", is_unique=True), _index("b", expire_after_seconds=30), _index("c", filter={"x": {"$gt": 2}}),
        _index("d", is_hidden=True), _index("e"), _index("u", is_unique=True),
        validator=new, level="moderate", action="warn", has_images=True,
    )  # fmt: skip
    third = replace(
        second, validator=loose,
        indexes=(second.indexes[0], _index("b", expire_after_seconds=90), *second.indexes[2:4], second.indexes[5]),
    )  # fmt: skip

    def state(*collections: mongo.CollectionTarget) -> tuple[Any, ...]:
        return (mongo.DatabaseTarget("crashed", collections),)

    def shown(on: str, x: int, *names: str) -> mongo.CollectionTarget:
        stages: tuple[Any, ...] = ({"$match": {"x": x}}, {"$project": dict.fromkeys(names, 1)})
        return mongo.CollectionTarget("shown", view=mongo.ViewOptions(on, stages))

    plain = replace(third, validator=None, level="strict", action="error")
    more = mongo.CollectionTarget("more")
    return Case("mongodb/crashed", (
        state(series, shown("things", 1, "a"), first),
        state(replace(series, expire_after_seconds=30), more, shown("things", 1, "a", "b"), second),
        state(replace(series, expire_after_seconds=90), shown("measured", 2, "a", "b"), third),
        state(replace(series, expire_after_seconds=90), plain),
    ))  # fmt: skip


_MAPS: dict[str, Any] = {
    "caching": {"keys": "ALL", "rows_per_partition": "NONE"},
    "compression": {"class": "LZ4Compressor", "chunk_length_in_kb": "16"},
    "compaction": {"class": "SizeTieredCompactionStrategy"},
    "gc_grace_seconds": 864000,
}


def _columns(**types: str) -> tuple[cql.Column, ...]:
    return tuple(cql.Column(name, type) for name, type in sorted(types.items()))


def _table(
    name: str, static: tuple[cql.Column, ...] = (), *, options: Any = (), masks: Any = (), **types: str
) -> cql.TableTarget:
    key, order = _columns(sensor="text"), (cql.ClusteringColumn("at", "timestamp", True),)
    return cql.TableTarget(name, key, order, static, _columns(**types), normal({**_MAPS, **dict(options)}), masks)


def _on(name: str, column: str, using: str = "legacy") -> cql.IndexTarget:
    return cql.IndexTarget(name, "readings", column, using)


def _view(column: str) -> cql.ViewTarget:
    shown = tuple(sorted({"sensor", "at", column}))
    return cql.ViewTarget("v", "readings", (column,), (("sensor", "ASC"), ("at", "DESC")), shown, options=normal(_MAPS))


def _cassandra() -> Case:
    first: dict[str, Any] = {
        "types": (cql.TypeTarget("one", _columns(n="int")),),
        "tables": (
            _table("counts", n="counter"),
            _table("readings", a="text", b="text", options={"default_time_to_live": 60}),
        ),
        "indexes": (_on("i", "b"),),
        "views": (_view("a"),),
    }
    altered = {
        "compaction": {"class": "LeveledCompactionStrategy", "fanout_size": "7"}, "gc_grace_seconds": 10,
        "compression": {"class": "ZstdCompressor", "compression_level": "5"}, "comment": "new",
        "default_time_to_live": 30,
    }  # fmt: skip
    grown: dict[str, Any] = {
        "types": (cql.TypeTarget("one", (*_columns(n="int"), *_columns(o="text"))),
                  cql.TypeTarget("two", _columns(n="int"))),
        "tables": (
            _table("counts", n="counter", m="counter"),
            _table("readings", _columns(s="text"), a="text", b="text", c="int", options=altered,
                   masks=(("b", "mask_default()"), ("c", "mask_default()"))),
            _table("spare", n="int"),
        ),
        "indexes": first["indexes"],
        "views": first["views"],
    }  # fmt: skip
    counts, readings, spare = grown["tables"]
    indexed = {
        **grown,
        "tables": (counts, replace(readings, masks=(("b", "mask_inner(1, 1)"), ("c", "mask_default()"))), spare),
        "indexes": (_on("i", "b", "sai"), _on("j", "c")),
    }
    less: dict[str, Any] = {
        "types": grown["types"][:1],
        "tables": (counts,
                   _table("readings", a="text", b="text", options={**altered, "default_time_to_live": 90})),
        "indexes": indexed["indexes"][:1],
        "views": first["views"],
    }  # fmt: skip
    states: tuple[Any, ...] = (first, grown, indexed, less)
    return Case("cassandra/crashed", tuple((cql.KeyspaceTarget("crashed", **state),) for state in states))


def _redis() -> Case:
    def state(settings: Mapping[str, str], **streams: tuple[str, ...]) -> tuple[Any, ...]:
        stream_targets = tuple(redis.StreamTarget(key, groups) for key, groups in sorted(streams.items()))
        return (redis.ServerTarget("crashed", 1, tuple(sorted(settings.items())), stream_targets),)

    return Case("redis/crashed", (
        state({"maxmemory-policy": "volatile-ttl", "timeout": "7"}, logins=("alarms",)),
        state({"maxmemory-policy": "allkeys-lru", "timeout": "8"}, logins=("alarms", "reports"), visits=("all",)),
        state({"maxmemory-policy": "allkeys-lru"}, logins=("reports",), visits=("all",)),
        (),
    ))  # fmt: skip


CASES: dict[str, Callable[[], Case]] = {
    "cassandra": _cassandra,
    "dynamodb": _dynamodb,
    "mongodb": _mongodb,
    "redis": _redis,
}
"""The case of each engine."""

_UNCONDITIONAL = next(field.default for field in fields(ClassRule) if field.name == "when")


def rows_that_land(engine: Any) -> set[ClassRule]:
    """The lines of an engine's table of changes that a version lands by native statements."""
    return {
        row for row in _native(engine) if not _is_left_out(row) and not (engine.name == "redis" and _is_elsewhere(row))
    }


def _is_elsewhere(row: ClassRule) -> bool:
    """What needs another Redis: indexes of Search (test_redis_searches), and users in a file (test_redis_users)."""
    return row.kind in (AddIndex, AlterIndex, DropIndex) or row.path.startswith("native/users")


def _is_left_out(row: ClassRule) -> bool:
    """What no version lands: a new generation, what an environment owns, what a person does."""
    return (
        Class.REBUILD.value in row.classes
        or row.kind.__name__.startswith("Rename")  # hints are of entities and fields: nothing is renamed in place
        or row.kind is AlterReplication
        or (row.kind is AlterSetting and row.why in ("the environment's", "read when the server starts"))
    )


def _native(engine: Any) -> Iterator[ClassRule]:
    named = {row.path.rpartition("/")[2] for row in engine.classes} - {"", "*"}
    for path, noun in (((), PartNames.TABLE), *_places(engine.parts.parts["native"], ("native",), named)):
        verbs = noun.value
        for kind in {verbs.alter, verbs.add or verbs.alter, verbs.drop or verbs.alter, verbs.rename or verbs.alter}:
            for row in engine.classes:
                if row.kind is kind and fnmatchcase("/".join(path), row.path):
                    yield row
                    if row.when is _UNCONDITIONAL:
                        break


def _places(part: Part, path: tuple[str, ...], named: set[str]) -> Iterator[tuple[tuple[str, ...], PartNames]]:
    """Each kind of part with a path on which one stands; where any key may be, so may those that the table names."""
    if part.noun is not None:
        yield path, part.noun
    for key, inner in part.parts.items():
        for entry in (key, *sorted(named - part.parts.keys())) if key == "*" else (key,):
            yield from _places(inner, (*path, entry), named)
