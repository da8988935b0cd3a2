"""Steps that create a MongoDB database: one for each collection, then one for each of its indexes.

A statement is a command of the server as data: its name, the collection and the arguments. The key of an index is a
list of pairs, because files may sort a mapping, and the order of an index's fields matters.
"""

from collections.abc import Iterator

from keywright.engines.contract.plan import Statement
from keywright.ir.json import Json

from ..schema.codec import describe_collection, describe_index
from ..schema.target import CollectionTarget, DatabaseTarget, IndexTarget


def store(database: DatabaseTarget) -> str:
    """See `Engine.store`."""
    return f"mongodb/{database.declared or database.name}"


def create(database: DatabaseTarget) -> tuple[Statement, ...]:
    """See `Engine.create`."""
    return tuple(statement for collection in database.collections for statement in _collection(database, collection))


def _collection(database: DatabaseTarget, collection: CollectionTarget) -> Iterator[Statement]:
    name = collection.physical_name
    options = describe_collection(collection)
    assert isinstance(options, dict)
    kind = "time series" if collection.series else "view" if collection.view else "collection"
    yield Statement(
        store=store(database),
        target=database.name,
        object=("collections", name),
        summary=f'create {kind} "{name}"',
        native={"command": "create", "collection": name, "arguments": options},
        wants=options,
    )
    for index in collection.indexes:
        yield index_statement(database, collection, index)


def index_statement(database: DatabaseTarget, collection: CollectionTarget, index: IndexTarget) -> Statement:
    """The step that builds one index of a collection."""
    name = collection.physical_name
    return Statement(
        store=store(database),
        target=database.name,
        object=("indexes", name, index.name),
        summary=f'create index "{index.name}" of collection "{name}"',
        native={
            "command": "createIndexes",
            "collection": name,
            "arguments": {"indexes": [_index(collection, index)]},
        },
        wants=describe_index(index),
        inherits=inherits(collection),
    )


def inherits(collection: CollectionTarget) -> tuple[str, tuple[str, ...]] | None:
    """See `Statement.inherits`: an index inherits its collection's collation, even if no model declares one."""
    return ("collation", ("collections", collection.physical_name)) if collection.collation is None else None


def _index(collection: CollectionTarget, index: IndexTarget) -> Json:
    described = describe_index(index)
    assert isinstance(described, dict)
    # Without this, an index in byte order would inherit the collection's collation, and a text index would fail.
    plain: dict[str, Json] = (
        {"collation": {"locale": "simple"}} if collection.collation and index.collation is None else {}
    )
    return {"name": index.name, **described, **plain}
