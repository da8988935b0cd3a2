"""Adds an environment's settings to a database, and removes them again."""

from collections.abc import Iterator
from typing import Any

from keywright.engines.capability import Flavour
from keywright.engines.contract.pages import Work
from keywright.engines.interface import Description, Rejection
from keywright.ir.binding import Binding
from keywright.ir.text import counted
from keywright.record import replace

from ..declare.options import AnyCollection
from ..declare.settings import MongoEnvironment
from .capabilities import DOCUMENTDB_NAMESPACE_BYTES, FEATURES, FLAVOURS, NAMESPACE_BYTES
from .check import name_problem
from .fields import ID
from .filter_form import operators
from .target import CollectionTarget, DatabaseTarget, IndexTarget, shard_key, zones

_CODES = {
    "partial-index-in": "MDB011",
    "partial-index-or": "MDB011",
    "partial-index-type": "MDB011",
    "compound-wildcard-index": "MDB108",
}
"""Codes for missing features; GEN106 for the others."""


def place(database: DatabaseTarget, environment: MongoEnvironment) -> DatabaseTarget:
    """See `Engine.place`."""
    return replace(database, name=f"{environment.database_prefix}{database.name}", declared=database.name)


def unplace(database: DatabaseTarget, environment: MongoEnvironment) -> DatabaseTarget:
    """See `Engine.unplace`."""
    return replace(database, name=database.name.removeprefix(environment.database_prefix), declared=None)


def localise(environment: MongoEnvironment | None, version: str) -> MongoEnvironment:
    """See `Engine.localise`: one server, which has no shards."""
    local = environment or MongoEnvironment(flavour="mongodb")
    return replace(local, flavour="mongodb", version=version, sharded=False)


def apart(environment: MongoEnvironment, prefix: str) -> MongoEnvironment:
    """See `Engine.apart`."""
    return replace(environment, database_prefix=prefix)


def refuse(database: DatabaseTarget, environment: MongoEnvironment) -> Iterator[Rejection]:
    """See `Engine.refuse`."""
    flavour, declared = FLAVOURS[environment.flavour], database.declared or database.name
    version = environment.version or flavour.latest
    if wrong := flavour.wrong_version(environment.version):
        yield Rejection("E0402", *wrong, declared, setting=("version",))
        return
    if problem := name_problem(database.name):
        yield Rejection("MDB111", problem, "correct the database's name or the environment's database-prefix", declared)
    owners = {dict(entity.keys).get("collection"): entity.name for entity in database.shape}
    for collection in database.collections:
        owner = owners.get(collection.name, declared)
        yield from _namespace(database, collection, flavour, owner)
        if environment.sharded:
            yield from _sharded(database, collection, environment, owner)
        for feature in dict.fromkeys(_needs(collection)):
            if not flavour.has(feature, version):
                yield _lacking(feature, flavour, version, owner, f'collection "{collection.name}"')
        for index in collection.indexes:
            for feature in dict.fromkeys(_index_needs(collection, index)):
                if not flavour.has(feature, version):
                    yield _lacking(feature, flavour, version, owner, f'index "{index.name}"', index.name)


def _lacking(
    feature: str, flavour: Flavour, version: str | None, owner: str, subject: str, part: str = ""
) -> Rejection:
    ending, help = flavour.lack(feature, version)
    problem = f"{subject} needs {FEATURES[feature]}, which {ending}"
    problem += f", and this is {version}" if flavour.features[feature].has_it else ""
    return Rejection(_CODES.get(feature, "GEN106"), problem, help, owner, part)


def _namespace(
    database: DatabaseTarget, collection: CollectionTarget, flavour: Flavour, owner: str
) -> Iterator[Rejection]:
    limit = DOCUMENTDB_NAMESPACE_BYTES if flavour.name.startswith("documentdb") else NAMESPACE_BYTES
    size = len(f"{database.name}.{collection.physical_name}".encode())
    if size > limit.value:
        problem = (
            f'"{database.name}.{collection.physical_name}" has {counted(size, "byte")}, {flavour.title} '
            f"allows {limit.value}"
        )
        yield Rejection("MDB111", problem, "shorten the collection's name", owner)


def _sharded(
    database: DatabaseTarget, collection: CollectionTarget, environment: MongoEnvironment, owner: str
) -> Iterator[Rejection]:
    """A unique index must begin with the shard key, because each shard checks uniqueness separately."""
    key = [path for path, _ in shard_key(database, collection)]
    for zone in zones(database, collection).keys() - environment.zones.keys():
        problem = f'zone "{zone}" has no shards in this environment'
        yield Rejection("E0402", problem, f"add `zones: {{{zone}: [...]}}` with their names", owner, setting=("zones",))
    for index in collection.indexes:
        if key and index.is_unique and [path for path, _ in index.keys][: len(key)] != key:
            problem = f'index "{index.name}" is unique and does not start with the shard key "{", ".join(key)}"'
            help = "a sharded collection cannot have such an index: start it with the shard key, or remove unique="
            yield Rejection("GEN106", problem, help, owner, index.name)


def _needs(collection: CollectionTarget) -> Iterator[str]:
    if collection.validator is not None:
        yield "validator"
    if collection.collation is not None and collection.view is None:
        yield "index-collation"
    if collection.clustered is not None:
        yield "clustered"
    if collection.has_images:
        yield "images"
    if collection.view:
        yield "view"
    if collection.series:
        yield "time-series"
    if dict(collection.others).get("capped"):
        yield "capped"


def _index_needs(collection: CollectionTarget, index: IndexTarget) -> Iterator[str]:
    paths = [path for path, _ in index.keys]
    directions = {direction for _, direction in index.keys}
    if index.filter is not None:
        yield "partial-index"
        needed = operators(index.filter)
        yield from (f"partial-index-{name}" for name in ("in", "or", "type") if f"${name}" in needed)
    if index.is_hidden:
        yield "hidden-index"
    if "text" in directions:
        yield "text-index"
    if "hashed" in directions:
        yield "hashed-index"
    if any(path.endswith("$**") for path in paths):
        yield "wildcard-index" if len(paths) == 1 else "compound-wildcard-index"
    if index.collation is not None and collection.collation is None:
        yield "index-collation"
    if collection.series and any(not _is_of_source(path, collection) for path in paths):
        yield "time-series-any-index"


def _is_of_source(path: str, collection: CollectionTarget) -> bool:
    """Whether a path of a time series is its time, or in the field that identifies the source."""
    assert collection.series is not None
    meta = collection.series.meta or ""
    return path in (collection.series.time, meta) or path.startswith(f"{meta}.")


def object_of(database: DatabaseTarget, binding: Binding[AnyCollection]) -> str:
    """See `Engine.object_of`: database and collection, with a dot between them."""
    spec = binding.spec
    suffix = f"_k{spec.generation}" if spec.generation > 1 else ""
    return f"{database.name}.{spec.name}{suffix}"


def work(database: DatabaseTarget, entity: str) -> Work:
    """See `Engine.work`: the newest generation of a collection."""
    shape = next(candidate for candidate in database.shape if candidate.name == entity)
    name = dict(shape.keys)["collection"]
    newest = max(
        (collection for collection in database.collections if collection.name == name),
        key=lambda collection: collection.generation,
    )
    return Work(
        object=f"{database.name}.{newest.physical_name}",
        reads=(),
        writes=(),
        types={field.stored: field.type for field in shape.fields},
        key_attributes=(ID,),
        discriminator=shape.discriminator,
    )


def home(environment: MongoEnvironment, store: str) -> str:
    """See `Engine.home`: the database itself, under names that no entity can have."""
    return f"{environment.database_prefix}{store.partition('/')[2]}"


def is_untouched(database: DatabaseTarget, live: Description | None) -> bool:
    """See `Engine.is_untouched`: unmanaged collections do not count."""
    native: Any = live["native"] if live else {"collections": {}}
    return not any(collection.physical_name in native["collections"] for collection in database.collections)
