"""Steps that make a MongoDB database: one for each collection, then one for each of its indexes.

A statement is a command of the server as data: its name, the collection and the arguments; the key of an index is a
list of pairs, because a mapping may be sorted on its way through a file, and the order of an index's fields counts.
"""

from collections.abc import Iterator

from keywright.engines.plan import Step
from keywright.ir.json import Json

from .codec import describe_collection, describe_index
from .target import CollectionTarget, DatabaseTarget, IndexTarget


def store(database: DatabaseTarget) -> str:
    """See `Engine.store`."""
    return f"mongodb/{database.declared or database.name}"


def create(database: DatabaseTarget) -> tuple[Step, ...]:
    """See `Engine.create`."""
    return tuple(step for one in database.collections for step in _collection(database, one))


def _collection(database: DatabaseTarget, one: CollectionTarget) -> Iterator[Step]:
    name = one.physical_name
    options = describe_collection(one)
    assert isinstance(options, dict)
    kind = "time series" if one.series else "collection"
    yield Step(
        store=store(database),
        target=database.name,
        object=("collections", name),
        summary=f'create {kind} "{name}"',
        statement={"command": "create", "collection": name, "arguments": options},
        wants=options,
    )
    for index in one.indexes:
        yield index_step(database, one, index)


def index_step(database: DatabaseTarget, one: CollectionTarget, index: IndexTarget) -> Step:
    """The step that builds one index of a collection."""
    name = one.physical_name
    return Step(
        store=store(database),
        target=database.name,
        object=("indexes", name, index.name),
        summary=f'create index "{index.name}" of collection "{name}"',
        statement={"command": "createIndexes", "collection": name, "arguments": {"indexes": [_index(one, index)]}},
        wants=describe_index(index),
    )


def _index(one: CollectionTarget, index: IndexTarget) -> Json:
    described = describe_index(index)
    assert isinstance(described, dict)
    # Without this, an index that compares bytes would inherit the language of its collection, and a text index fail.
    plain: dict[str, Json] = {"collation": {"locale": "simple"}} if one.collation and index.collation is None else {}
    return {"name": index.name, **described, **plain}
