"""A MongoDB database, and the steps between two of them, as scripts for mongosh."""

from collections.abc import Iterator
from typing import Any

from keywright.engines.contract.plan import Statement
from keywright.engines.interface import Artefact
from keywright.ir.json import Json

from .declare.settings import MongoEnvironment
from .migrate.alter import migrate
from .migrate.create import create
from .schema.javascript import comment, is_reordered, literal
from .schema.place import place
from .schema.target import CollectionTarget, DatabaseTarget, entity_of, shard_key, zones

_HEAD = """\
{title}
{usage}
// Creates missing objects and does not change existing ones; running it again does nothing.

const database = db.getSiblingDB({quoted});
const existing = new Set(database.getCollectionNames());
"""

_ANYWHERE = MongoEnvironment(flavour="mongodb")
"""Settings that are the same in every environment."""


def render(declared: DatabaseTarget, placed: DatabaseTarget, environment: MongoEnvironment) -> tuple[Artefact, ...]:
    """See `Engine.render`: the statements of the steps, collection by collection."""
    title = f'Collections and indexes of the MongoDB database "{placed.name}", written by `keywright compile`.'
    usage = f'mongosh "<connection string>" --file {declared.name}.js'
    head = _HEAD.format(title=comment(title), usage=comment(usage), quoted=literal(placed.name))
    statements = create(placed)
    blocks = ["\n".join(_collection(placed, collection, statements, environment)) for collection in placed.collections]
    return (Artefact(f"mongodb/{declared.name}.js", "\n\n".join((head.rstrip("\n"), *blocks)) + "\n"),)


def _collection(
    placed: DatabaseTarget,
    collection: CollectionTarget,
    statements: tuple[Statement, ...],
    environment: MongoEnvironment,
) -> Iterator[str]:
    name = collection.physical_name
    entity = entity_of(placed, collection)
    yield comment(f"{name}: {entity.name}" if entity else name)
    for statement in statements:
        native: Any = statement.native
        if statement.object == ("collections", name):
            yield f"if (!existing.has({literal(name)})) {{"
            opening = f"  database.createCollection({literal(name)}, "
            yield f"{opening}{literal(native['arguments'], indent=2, used=len(opening))});"
            yield "}"
        elif statement.object[:2] == ("indexes", name):
            yield from (_index(name, index) for index in native["arguments"]["indexes"])
    if key := shard_key(placed, collection):
        call = f"sh.shardCollection({literal(f'{placed.name}.{name}')}, {literal(dict(key))});"
        yield from _zones(placed, collection, environment)
        yield call if environment.sharded else comment(f"not sharded in this environment: {call}")


def _zones(placed: DatabaseTarget, collection: CollectionTarget, environment: MongoEnvironment) -> Iterator[str]:
    """The ranges of zones, before the collection is sharded, so that it begins with a chunk in each of them.

    Source: https://www.mongodb.com/docs/manual/core/zone-sharding/, 2026-11-28.
    """
    (first, _), *others = shard_key(placed, collection)
    namespace = literal(f"{placed.name}.{collection.physical_name}")
    for zone, values in zones(placed, collection).items() if environment.sharded else ():
        yield from (f"sh.addShardToZone({literal(shard)}, {literal(zone)});" for shard in environment.zones[zone])
        for value in values:
            low, high = (_bound(first, value, [path for path, _ in others], key) for key in ("MinKey", "MaxKey"))
            yield f"sh.updateZoneKeyRange({namespace}, {low}, {high}, {literal(zone)});"


def _bound(first: str, value: Json, others: list[str], key: str) -> str:
    """An end of the range of all documents with a value of the first field."""
    ends = ", ".join(f"{literal(path)}: {key}()" for path in others)
    return f"{{ {literal(first)}: {literal(value)}, {ends} }}"


def _index(collection: str, index: dict[str, Json]) -> str:
    pairs: Any = index["key"]
    key = dict(pairs)
    if is_reordered(key):  # createIndex rejects a Map of the shell, a command accepts it
        opening = "database.runCommand("
        command: Json = {"createIndexes": collection, "indexes": [{**index, "key": key}]}
        return f"{opening}{literal(command, used=len(opening))});"
    options = {name: value for name, value in index.items() if name != "key"}
    call = f"database.getCollection({literal(collection)}).createIndex("
    head = f"{call}{literal(key)}, "
    text = literal(options, used=len(head) + 2)
    if "\n" not in text:
        return f"{head}{text});"
    return f"{call}\n  {literal(key, indent=2)},\n  {literal(options, indent=2)},\n);"


def script(before: DatabaseTarget | None, after: DatabaseTarget | None) -> tuple[Artefact, ...]:
    """See `Engine.script`: commands of the database that the connection string names."""
    old, new = (database and place(database, _ANYWHERE) for database in (before, after))
    lines: list[str] = []
    for statement in migrate(old, new):
        native: Any = statement.native
        command: dict[str, Any] = {native["command"]: native["collection"], **native["arguments"]}
        if "indexes" in command:
            command["indexes"] = [{**index, "key": dict(index["key"])} for index in command["indexes"]]
        opening = "db.runCommand("
        lines.append(f"{comment(statement.summary)}\n{opening}{literal(command, used=len(opening))});\n")
    return (Artefact("commands.js", "\n".join(lines)),) if lines else ()
