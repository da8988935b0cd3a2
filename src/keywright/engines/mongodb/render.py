"""A MongoDB database as a script for mongosh."""

from collections.abc import Iterator
from typing import Any

from keywright.engines.interface import Artefact
from keywright.engines.plan import Step
from keywright.ir.json import Json

from .javascript import literal
from .migrate import create
from .settings import MongoEnvironment
from .sharding import entity_of, shard_key
from .target import CollectionTarget, DatabaseTarget

_HEAD = """\
// Collections and indexes of the MongoDB database "{name}", made by `keywright compile`.
// mongosh "<connection string>" --file {declared}.js
// Creates what is missing and leaves alone what is there; running it again does nothing.

const database = db.getSiblingDB({quoted});
const existing = new Set(database.getCollectionNames());
"""


def render(declared: DatabaseTarget, placed: DatabaseTarget, environment: MongoEnvironment) -> tuple[Artefact, ...]:
    """See `Engine.render`: the statements of the steps, collection by collection."""
    head = _HEAD.format(name=placed.name, declared=declared.name, quoted=literal(placed.name))
    steps = create(placed)
    blocks = ["\n".join(_collection(placed, one, steps, environment)) for one in placed.collections]
    return (Artefact(f"mongodb/{declared.name}.js", "\n\n".join((head.rstrip("\n"), *blocks)) + "\n"),)


def _collection(
    placed: DatabaseTarget, one: CollectionTarget, steps: tuple[Step, ...], environment: MongoEnvironment
) -> Iterator[str]:
    name = one.physical_name
    entity = entity_of(placed, one)
    yield f"// {name}: {entity.name}" if entity else f"// {name}"
    for step in steps:
        statement: Any = step.statement
        if step.object == ("collections", name):
            yield f"if (!existing.has({literal(name)})) {{"
            opening = f"  database.createCollection({literal(name)}, "
            yield f"{opening}{literal(statement['arguments'], indent=2, used=len(opening))});"
            yield "}"
        elif step.object[:2] == ("indexes", name):
            yield from (_index(name, index) for index in statement["arguments"]["indexes"])
    if key := shard_key(placed, one):
        call = f"sh.shardCollection({literal(f'{placed.name}.{name}')}, {literal(dict(key))});"
        yield call if environment.sharded else f"// not sharded in this environment: {call}"


def _index(collection: str, index: dict[str, Json]) -> str:
    key: Any = index["key"]
    options = {name: value for name, value in index.items() if name != "key"}
    call = f"database.getCollection({literal(collection)}).createIndex("
    head = f"{call}{literal(dict(key))}, "
    text = literal(options, used=len(head) + 2)
    if "\n" not in text:
        return f"{head}{text});"
    return f"{call}\n  {literal(dict(key), indent=2)},\n  {literal(options, indent=2)},\n);"
