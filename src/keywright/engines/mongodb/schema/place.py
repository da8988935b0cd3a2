"""What an environment adds to a database, and takes off it again."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from keywright.engines.capability import Flavour
from keywright.engines.interface import Description, Refusal
from keywright.ir.binding import Binding

from .capabilities import DOCUMENTDB_NAMESPACE_BYTES, FEATURES, FLAVOURS, NAMESPACE_BYTES
from .check import name_problem
from .options import Collection, TimeSeries
from .settings import MongoEnvironment
from .sharding import entity_of, shard_key
from .target import CollectionTarget, DatabaseTarget, IndexTarget

_CODES = {"partial-index-in": "MDB011", "compound-wildcard-index": "MDB108"}
"""Features whose lack has a code of its own; GEN106 for the others."""


def place(database: DatabaseTarget, environment: MongoEnvironment) -> DatabaseTarget:
    """See `Engine.place`."""
    return replace(database, name=f"{environment.database_prefix}{database.name}", declared=database.name)


def unplace(database: DatabaseTarget, environment: MongoEnvironment) -> DatabaseTarget:
    """See `Engine.unplace`."""
    return replace(database, name=database.name.removeprefix(environment.database_prefix), declared=None)


def localise(environment: MongoEnvironment | None, version: str) -> MongoEnvironment:
    """See `Engine.localise`: one server, which has no shards."""
    given = environment or MongoEnvironment(flavour="mongodb")
    return replace(given, flavour="mongodb", version=version, sharded=False)


def managed(live: DatabaseTarget, wanted: DatabaseTarget) -> DatabaseTarget:
    """See `Engine.managed`: a database may hold collections of others."""
    names = {one.physical_name for one in wanted.collections}
    return replace(live, collections=tuple(one for one in live.collections if one.physical_name in names))


def refuse(database: DatabaseTarget, environment: MongoEnvironment) -> Iterator[Refusal]:
    """See `Engine.refuse`."""
    flavour, declared = FLAVOURS[environment.flavour], database.declared or database.name
    version = environment.version or flavour.latest
    if wrong := flavour.wrong_version(environment.version):
        yield Refusal("E0402", *wrong, declared)
        return
    if problem := name_problem(database.name):
        yield Refusal("MDB111", problem, "correct the database's name or the environment's database-prefix", declared)
    for one in database.collections:
        yield from _namespace(database, one, flavour)
        if environment.sharded:
            yield from _sharded(database, one)
        owner = _owner(database, one)
        for feature in dict.fromkeys(_needs(one)):
            if not flavour.has(feature, version):
                yield _lacking(feature, flavour, version, owner, f'collection "{one.name}"')
        for index in one.indexes:
            for feature in dict.fromkeys(_index_needs(one, index)):
                if not flavour.has(feature, version):
                    yield _lacking(feature, flavour, version, owner, f'index "{index.name}"', index.name)


def _lacking(feature: str, flavour: Flavour, version: str | None, owner: str, what: str, part: str = "") -> Refusal:
    ending, help = flavour.lack(feature, version)
    problem = f"{what} needs {FEATURES[feature]}, which {ending}"
    problem += f", and this is {version}" if flavour.features[feature].has_it else ""
    return Refusal(_CODES.get(feature, "GEN106"), problem, help, owner, part)


def _namespace(database: DatabaseTarget, one: CollectionTarget, flavour: Flavour) -> Iterator[Refusal]:
    limit = DOCUMENTDB_NAMESPACE_BYTES if flavour.name.startswith("documentdb") else NAMESPACE_BYTES
    size = len(f"{database.name}.{one.physical_name}".encode())
    if size > limit.value:
        problem = f'"{database.name}.{one.physical_name}" has {size} bytes, {flavour.title} allows {limit.value}'
        yield Refusal("MDB111", problem, "shorten the collection's name", _owner(database, one))


def _owner(database: DatabaseTarget, one: CollectionTarget) -> str:
    """Name of the entity whose collection it is, by which its declaration is found."""
    entity = entity_of(database, one)
    return entity.name if entity else database.declared or database.name


def _sharded(database: DatabaseTarget, one: CollectionTarget) -> Iterator[Refusal]:
    """Shards know nothing of each other: uniqueness holds where the shard key is the beginning of the index."""
    key = [path for path, _ in shard_key(database, one)]
    for index in one.indexes:
        if key and index.is_unique and [path for path, _ in index.keys][: len(key)] != key:
            problem = f'index "{index.name}" is unique and does not begin with the shard key "{", ".join(key)}"'
            help = "no sharded collection has such an index: begin it with the shard key, or leave out unique="
            yield Refusal("GEN106", problem, help, _owner(database, one), index.name)


def _needs(one: CollectionTarget) -> Iterator[str]:
    if one.validator is not None:
        yield "validator"
    if one.collation is not None:
        yield "index-collation"
    if one.has_images:
        yield "images"
    if one.series:
        yield "time-series"
    if dict(one.others).get("capped"):
        yield "capped"


def _index_needs(one: CollectionTarget, index: IndexTarget) -> Iterator[str]:
    paths = [path for path, _ in index.keys]
    directions = {direction for _, direction in index.keys}
    if index.filter is not None:
        yield "partial-index"
        if isinstance(index.filter, dict) and any(
            isinstance(test, dict) and "$in" in test for test in index.filter.values()
        ):
            yield "partial-index-in"
    if index.is_hidden:
        yield "hidden-index"
    if "text" in directions:
        yield "text-index"
    if "hashed" in directions:
        yield "hashed-index"
    if any(path.endswith("$**") for path in paths):
        yield "wildcard-index" if len(paths) == 1 else "compound-wildcard-index"
    if index.collation is not None and one.collation is None:
        yield "index-collation"
    if one.series and any(not _is_of_source(path, one) for path in paths):
        yield "time-series-any-index"


def _is_of_source(path: str, one: CollectionTarget) -> bool:
    """Whether a path of a time series is its time, or in what says whose measurement it is."""
    assert one.series is not None
    meta = one.series.meta or ""
    return path in (one.series.time, meta) or path.startswith(f"{meta}.")


def object_of(database: DatabaseTarget, binding: Binding) -> str:
    """See `Engine.object_of`: the collection behind its database, with a dot between."""
    spec = binding.spec
    assert isinstance(spec, Collection | TimeSeries)
    suffix = f"_k{spec.generation}" if spec.generation > 1 else ""
    return f"{database.name}.{spec.name}{suffix}"


def home(environment: MongoEnvironment, store: str) -> str:
    """See `Engine.home`: the database itself, under names that no entity can have."""
    return f"{environment.database_prefix}{store.partition('/')[2]}"


def is_untouched(database: DatabaseTarget, live: Description | None) -> bool:
    """See `Engine.is_untouched`: collections of others do not count."""
    found: Any = live["native"] if live else {"collections": {}}
    return not any(one.physical_name in found["collections"] for one in database.collections)
