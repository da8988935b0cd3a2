"""Strategies for Cassandra: designs that `check` accepts, their targets in Cassandra 5.0, environments.

Functions that make strategies are cached, as in `mongodb.py`.
"""

from collections.abc import Mapping
from datetime import timedelta
from functools import cache
from typing import Any
from zlib import crc32

from hypothesis import strategies as st

import keywright as kw
from keywright.engines.cassandra.declare.settings import CassandraEnvironment, KeyspaceSettings
from keywright.engines.cassandra.schema.check import check
from keywright.engines.cassandra.schema.lower import lower
from keywright.engines.cassandra.schema.target import KeyspaceTarget
from keywright.engines.cassandra.schema.typemap import is_collection
from keywright.errors import Place
from keywright.ir.attribute import SCALAR_KINDS, Attribute, Facts, Many, Map, Scalar, Struct, Tuple, Type
from keywright.ir.binding import Binding, Physical
from keywright.ir.design import Design
from keywright.ir.entity import Entity

AT = Place("models.py", 1)
FIELDS = ("alpha", "beta", "gamma", "Delta", "select", "text", "ünit")
TABLES = ("orders", "Events", "table", "by_day", "t1")
SOME_TABLES = st.lists(st.sampled_from(TABLES), min_size=1, max_size=3, unique=True)

SETTINGS: tuple[dict[str, Any], ...] = (
    {},
    {"comment": 'it\'s "quoted"', "bloom_filter_fp_chance": 1, "crc_check_chance": 0.5},
    {"bloom_filter_fp_chance": 0.1, "speculative_retry": "99PERCENTILE", "min_index_interval": 64},
    {"compaction": {"class": "LeveledCompactionStrategy", "fanout_size": 8, "single_sstable_uplevel": True}},
    {"compaction": {"class": "org.apache.cassandra.db.compaction.SizeTieredCompactionStrategy", "enabled": False}},
    {"compression": {"class": "ZstdCompressor", "compression_level": 5}, "read_repair": "none"},
    {"caching": {"keys": "NONE"}, "incremental_backups": False, "memtable_flush_period_in_ms": 3_600_000},
)
"""Values of `settings=`; `check` accepts each of them."""


@cache
def targets() -> st.SearchStrategy[KeyspaceTarget]:
    """Declared keyspaces that a Cassandra 5.0 accepts."""
    return designs().map(lambda design: lower(design)[0])


@cache
def environments() -> st.SearchStrategy[CassandraEnvironment]:
    """Environments of every flavour."""
    factors = st.dictionaries(st.sampled_from(["dc1", "eu-west", "us_east"]), st.integers(1, 5), max_size=3)
    own = st.builds(
        KeyspaceSettings, datacentres=st.none() | factors, durable_writes=st.none() | st.booleans(),
        repair_every_days=st.none() | st.integers(1, 10),
    )  # fmt: skip
    return st.builds(
        CassandraEnvironment,
        flavour=st.sampled_from(["cassandra", "scylla", "keyspaces"]),
        version=st.none() | st.sampled_from(["4.1", "5.0", "5.1"]),
        datacentres=factors,
        keyspace_prefix=st.sampled_from(["", "dev_", "Prod"]),
        durable_writes=st.booleans(),
        keyspaces=st.dictionaries(st.just("generated"), own, max_size=1),
    )


@st.composite
def designs(draw: st.DrawFn) -> Design:
    """One keyspace with a few tables, without the parts that `check` rejects."""
    spec = kw.Keyspace("generated")
    physical = Physical("cassandra", spec.name, spec.name, spec, AT)
    bindings: tuple[Binding, ...] = ()
    for name in draw(SOME_TABLES):
        attributes = COUNTERS if name == "table" else draw(entities())
        options = draw(counters() if name == "table" else tables(attributes))
        entity = Entity(f"Entity{name}", "models", "", attributes)
        fields = tuple(sorted(attribute.name for attribute in attributes[1:]))
        key = tuple(column.removeprefix("-") for column in (*options["partition"], *options["clustering"]))
        parts = [] if name == "table" else draw(indexes_and_views(name, key, fields))
        bindings = _with_accepted_parts(physical, bindings, entity, name, options, parts)
    return Design(tuple(binding.entity for binding in bindings), (physical,), bindings)


def _with_accepted_parts(
    physical: Physical,
    bindings: tuple[Binding, ...],
    entity: Entity,
    name: str,
    options: dict[str, Any],
    parts: list[kw.CqlIndex | kw.View],
) -> tuple[Binding, ...]:
    """The bindings and one more, with the parts that `check` accepts; unchanged if it rejects the binding."""
    spec = physical.spec
    assert isinstance(spec, kw.Keyspace)
    accepted: list[kw.CqlIndex | kw.View] = []
    result = bindings
    for part in (None, *parts):
        tried = [*accepted, part] if part else accepted
        some_indexes = [part for part in tried if isinstance(part, kw.CqlIndex)]
        some_views = [part for part in tried if isinstance(part, kw.View)]
        table = kw.CqlTable(spec, name, indexes=some_indexes, views=some_views, **options)
        computed = {key: table.templates[f'computed["{key}"]'] for key in table.computed}
        binding = Binding(entity.name, entity, physical, table, table.templates, computed, AT)
        if not list(check(Design((entity,), (physical,), (*bindings, binding)))):
            accepted, result = tried, (*bindings, binding)
        elif part is None:
            return bindings
    return result


@cache
def entities() -> st.SearchStrategy[tuple[Attribute, ...]]:
    """Attributes after a key of a text, a time and a number."""
    key = (
        Attribute("owner", "owner", "owner", Scalar("string")),
        Attribute("at", "at", "at", Scalar("datetime", is_aware=True)),
        Attribute("number", "n°", "number", Scalar("integer", minimum=0, maximum=9)),
    )
    return attributes(types()).map(lambda others: (*key, *others))


def attributes(kinds: st.SearchStrategy[Type]) -> st.SearchStrategy[tuple[Attribute, ...]]:
    """Up to five attributes, some under an alias."""

    def build(name: str, type: Type, is_nullable: bool, has_alias: bool) -> Attribute:
        stored = f"{name}Field" if has_alias else name
        return Attribute(name, stored, stored, type, is_nullable=is_nullable)

    search_strategy = st.builds(build, st.sampled_from(FIELDS), kinds, st.booleans(), st.booleans())
    return st.lists(search_strategy, min_size=1, max_size=5, unique_by=lambda attribute: attribute.name).map(tuple)


@cache
def types() -> st.SearchStrategy[Type]:
    """Logical types, embedded ones up to two levels deep."""
    return st.recursive(scalars(), _containers, max_leaves=4)


@cache
def scalars() -> st.SearchStrategy[Type]:
    """Single values of every kind, whole numbers with bounds."""
    search_strategy = st.none() | st.integers(-(2**70), 2**70)
    return st.one_of(
        st.sampled_from(SCALAR_KINDS).map(lambda kind: Scalar(kind)),  # type: ignore[arg-type]  # they are its values
        st.builds(Scalar, st.just("integer"), minimum=search_strategy, maximum=search_strategy),
        st.just(Scalar("string", constants=("red", "green"))),
        st.sampled_from([("integer", "smallint"), ("string", "inet"), ("uuid", "timeuuid"), ("float", "float")]).map(
            lambda pair: Scalar(pair[0], facts=Facts(natives=(("CqlType", pair[1]),)))  # type: ignore[arg-type]
        ),
        st.just(Scalar("integer", constants=(1, 2, 3))),
    )


def _containers(inner: st.SearchStrategy[Type]) -> st.SearchStrategy[Type]:
    return st.one_of(
        st.builds(Many, st.sampled_from(["list", "set"]), inner),
        st.builds(Map, inner, key=scalars()),
        st.lists(inner, min_size=1, max_size=3).map(lambda elements: Tuple(tuple(elements), (0,))),
        inner.map(lambda element: Many("list", element, 2, 2, is_tuple=True)),
        inner.map(lambda element: Many("list", element, 3, 3, is_vector=True)),
        attributes(inner).map(lambda parts: Struct(f"Part{crc32(repr(parts).encode())}", parts)),
    )


SOME_SETTINGS = st.sampled_from(SETTINGS)
GENERATIONS = st.sampled_from([{}, {}, {"generation": 2, "rebuild": kw.Rebuild(from_generation=1)}])
MASKS = st.sampled_from(["mask_null()", "mask_default()", "MASK_DEFAULT ( )"])
SCHEMA_VERSIONS = st.integers(1, 2)


@st.composite
def tables(draw: st.DrawFn, attributes: tuple[Attribute, ...]) -> dict[str, Any]:
    """Options of a table whose key is fixed but for one column, with anything else that it may have."""
    names = [attribute.name for attribute in attributes[3:]]
    key: list[str] = draw(st.sampled_from([[], ["number"], ["-number"], names[:1]]))
    settings = draw(SOME_SETTINGS)
    options: dict[str, Any] = {
        "partition": ["owner", "month"],
        "clustering": ["-at", *key],
        "computed": {"month": "{at:month}", "copy": "{number}"},
        "static": [name for name in names[-1:] if name not in key and draw(st.booleans())],
        "frozen": [attribute.name for attribute in attributes if is_collection(attribute.type) and draw(st.booleans())],
        "unfrozen": [
            attribute.name for attribute in attributes if isinstance(attribute.type, Struct) and draw(st.booleans())
        ],
        "masked": {name: draw(MASKS) for name in names if draw(st.booleans())},
        "schema_version": draw(SCHEMA_VERSIONS),
        "settings": settings,
    }
    words = {word: draw(values) for word, values in arguments().items() if word not in settings}
    return options | words | draw(GENERATIONS)


@cache
def arguments() -> Mapping[str, st.SearchStrategy[Any]]:
    """Values of every argument of `CqlTable` that sets a table option."""
    return {
        "ttl": st.none() | st.integers(1, 10**8).map(lambda seconds: timedelta(seconds=seconds)),
        "gc_grace": st.sampled_from([timedelta(days=10), timedelta(hours=4)]),
        "compaction": strategies(),
        "compression": st.sampled_from(["LZ4", "Zstd", "Snappy", "Deflate", "none"]),
        "caching": st.none() | st.builds(kw.Caching, keys=st.booleans(), rows=st.sampled_from([0, 9, "all"])),
    }


def _counter(name: str) -> Attribute:
    return Attribute(name, name, name, Scalar("integer"))


COUNTERS = tuple(map(_counter, ("key", "day", "times", "errors")))


@cache
def counters() -> st.SearchStrategy[dict[str, Any]]:
    """Options of a table of counters, whose attributes are COUNTERS."""
    statics = st.sampled_from([[], ["errors"]])
    fixed = {"partition": "key", "clustering": "-day", "counters": ["times", "errors"]}
    return statics.map(lambda static: fixed | {"static": static})


@cache
def strategies() -> st.SearchStrategy[Any]:
    """Every strategy, and none."""
    return st.one_of(
        st.none(),
        st.builds(kw.TimeWindow, window=st.integers(1, 10**5).map(lambda minutes: timedelta(minutes=minutes))),
        st.builds(kw.Leveled, sstable_size_mb=st.integers(1, 500), fanout=st.integers(2, 20)),
        st.integers(2, 20).map(lambda least: kw.SizeTiered(min_threshold=least, max_threshold=least + 12)),
        st.builds(kw.Unified, scaling=st.sampled_from(["T4", "L10", "N", "T8, T4, N"])),
    )


@cache
def indexes_and_views(
    table: str, key: tuple[str, ...], names: tuple[str, ...]
) -> st.SearchStrategy[list[kw.CqlIndex | kw.View]]:
    """Some indexes and views of a table."""
    return st.lists(indexes(names) | views(table, key, names), min_size=2, max_size=5)


def indexes(names: tuple[str, ...]) -> st.SearchStrategy[kw.CqlIndex]:
    """Indexes of both kinds over any field and any part of it."""
    return st.builds(
        kw.CqlIndex,
        st.sampled_from(names),
        using=st.sampled_from(["sai", "legacy"]),
        of=st.sampled_from(["value", "value", "keys", "entries", "full"]),
        case_sensitive=st.sampled_from([True, True, False]),
        similarity_function=st.sampled_from(["cosine", "cosine", "euclidean"]),
        name=st.none() | st.sampled_from(["by_hand", "ByHand"]),
    )


def views(table: str, key: tuple[str, ...], names: tuple[str, ...]) -> st.SearchStrategy[kw.View]:
    """Views over one more column, or over the table's own columns in another order."""

    def build(name: str, partition: str, is_descending: bool) -> kw.View:
        others = [column for column in reversed(key) if column != partition]
        return kw.View(
            name, partition=partition, clustering=[*others[:-1], f"{'-' if is_descending else ''}{others[-1]}"]
        )

    named = st.sampled_from([f"{table}_view", f"{table}_View"])
    return st.builds(build, named, st.sampled_from([*names, *key]), st.booleans())
