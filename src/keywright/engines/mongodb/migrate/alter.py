"""Steps from one placed database to another: an object is dropped only after its replacement exists."""

from collections.abc import Iterator
from typing import Any

from keywright.engines.contract.in_place import refuse_rebuilds
from keywright.engines.contract.plan import Statement
from keywright.ir.json import Json
from keywright.record import replace

from ..schema.codec import describe, describe_collection, describe_index
from ..schema.managed import is_single_index
from ..schema.target import CollectionTarget, DatabaseTarget, IndexTarget
from .create import create, index_statement, inherits, store
from .diff import CLASSES, PARTS


def migrate(before: DatabaseTarget | None, after: DatabaseTarget | None) -> tuple[Statement, ...]:
    """See `Engine.migrate`: collections are created, altered and dropped, each with its indexes."""
    if before is None:
        return () if after is None else create(after)
    if after is None:
        after = replace(before, collections=())
    refuse_rebuilds(store(after), PARTS, CLASSES, describe(before), describe(after))
    return tuple(_statements(before, after))


def _statements(before: DatabaseTarget, after: DatabaseTarget) -> Iterator[Statement]:
    old, new = ({item.physical_name: item for item in database.collections} for database in (before, after))
    for name, added in new.items():
        if name not in old:
            yield from create(replace(after, collections=(added,)))
        elif old[name] != added:
            yield from _collection(after, old[name], added)
    for name, collection in old.items():
        if name not in new:
            yield _statement(before, ("collections", name), f'drop {_kind(collection)} "{name}"', "drop", name, {},
                        None, describe_collection(collection))  # fmt: skip


def _kind(collection: CollectionTarget) -> str:
    return "view" if collection.view else "collection"


def _collection(database: DatabaseTarget, old: CollectionTarget, new: CollectionTarget) -> Iterator[Statement]:
    """Options by one collMod, which accepts every option that can change; then the indexes."""
    before, expected = describe_collection(old), describe_collection(new)
    if before != expected:
        name = new.physical_name
        summary = f'alter {_kind(new)} "{name}"'
        arguments = _modification(old, new)
        statement = _statement(database, ("collections", name), summary, "collMod", name, arguments, expected, before)
        yield replace(statement, is_partial=True)
    yield from _indexes(database, old, new)


def _modification(old: CollectionTarget, new: CollectionTarget) -> dict[str, Json]:
    """The arguments of collMod; an empty validator removes it, with its level and action at the server's defaults."""
    arguments: dict[str, Json] = {}
    if (old.validator, old.level, old.action) != (new.validator, new.level, new.action):
        arguments["validator"] = new.validator if new.validator is not None else {}
        arguments["validationLevel"] = new.level
        arguments["validationAction"] = new.action
    if old.has_images != new.has_images:
        arguments["changeStreamPreAndPostImages"] = {"enabled": new.has_images}
    if old.view != new.view and new.view is not None:
        arguments |= {"viewOn": new.view.on, "pipeline": [*new.view.pipeline]}
    if old.expire_after_seconds != new.expire_after_seconds:
        arguments["expireAfterSeconds"] = "off" if new.expire_after_seconds is None else new.expire_after_seconds
    return arguments


def _indexes(database: DatabaseTarget, old: CollectionTarget, new: CollectionTarget) -> Iterator[Statement]:
    """Drop indexes that the server rejects beside a new index first; drop the others after the new index exists."""
    old_indexes, indexes = ({index.name: index for index in collection.indexes} for collection in (old, new))
    dropped = [
        index for name, index in old_indexes.items() if name not in indexes or not _can_become(index, indexes[name])
    ]
    dropped_first = [
        dropped_index for dropped_index in dropped if any(_clash(dropped_index, other) for other in new.indexes)
    ]
    for index in dropped_first:
        yield from _drop(database, old, index)
    for name, index in indexes.items():
        if name in old_indexes and old_indexes[name] not in dropped and old_indexes[name] != index:
            yield from _index(database, new, old_indexes[name], index)
    for name, index in indexes.items():
        if name in old_indexes and old_indexes[name] in dropped and old_indexes[name] not in dropped_first:
            yield from _drop(database, old, old_indexes[name])
        if name not in old_indexes or old_indexes[name] in dropped:
            yield index_statement(database, new, index)
    for index in dropped:
        if index not in dropped_first and index.name not in indexes:
            yield from _drop(database, old, index)


def _can_become(old: IndexTarget, new: IndexTarget) -> bool:
    """Whether collMod can turn one index into the other: it sets another expiry, hides, unhides and makes unique."""
    modified = replace(
        old, expire_after_seconds=new.expire_after_seconds, is_hidden=new.is_hidden, is_unique=new.is_unique
    )
    starts_or_stops_expiry = (old.expire_after_seconds is None) != (new.expire_after_seconds is None)
    return modified == new and not starts_or_stops_expiry and not (old.is_unique and not new.is_unique)


def _clash(index: IndexTarget, other: IndexTarget) -> bool:
    return index.name != other.name and clash(describe_index(index), describe_index(other))


def clash(first: Json, second: Json) -> bool:
    """See `Engine.clash`: two indexes with the same identity, and two text indexes."""
    return all(map(_is_text, (first, second))) or is_single_index(first, second)


def _is_text(described: Any) -> bool:
    return "text" in dict(described["key"]).values()


def _index(
    database: DatabaseTarget, collection: CollectionTarget, old: IndexTarget, new: IndexTarget
) -> Iterator[Statement]:
    """Changes of an index that collMod can make, one option after the other."""
    if old.expire_after_seconds != new.expire_after_seconds:
        yield _modified(database, collection, old, replace(old, expire_after_seconds=new.expire_after_seconds))
        old = replace(old, expire_after_seconds=new.expire_after_seconds)
    if new.is_unique and not old.is_unique:
        yield from _make_unique(database, collection, old)
        old = replace(old, is_unique=True)
    if old.is_hidden != new.is_hidden:
        yield _modified(database, collection, old, new)


def _drop(database: DatabaseTarget, owner: CollectionTarget, index: IndexTarget) -> Iterator[Statement]:
    """Hide an index before it is dropped: unhiding is immediate, while a dropped index must be built again."""
    if not index.is_hidden:
        yield _modified(database, owner, index, replace(index, is_hidden=True))
    name, collection = index.name, owner.physical_name
    hidden = describe_index(replace(index, is_hidden=True))
    statement = _statement(
        database, ("indexes", collection, name), f'drop index "{name}" of collection "{collection}"', "dropIndexes",
        collection, {"index": name}, None, hidden,
    )  # fmt: skip
    yield replace(statement, inherits=inherits(owner))


def _make_unique(database: DatabaseTarget, owner: CollectionTarget, index: IndexTarget) -> Iterator[Statement]:
    """Reject new duplicates first; then the server searches for existing duplicates, and fails while there are any."""
    name, collection = index.name, owner.physical_name
    object = ("indexes", collection, name)
    plain, unique = describe_index(index), describe_index(replace(index, is_unique=True))
    assert isinstance(plain, dict)
    prepared: dict[str, Json] = {**plain, "prepareUnique": True}

    def changed(**options: Json) -> dict[str, Json]:
        return {"index": {"name": name, **options}}

    statements = (
        _statement(database, object, f'reject new duplicates in index "{name}" of collection "{collection}"', "collMod",
              collection, changed(prepareUnique=True), prepared, plain),
        _statement(database, object, f'make index "{name}" of collection "{collection}" unique', "collMod",
              collection, changed(unique=True), unique, prepared),
    )  # fmt: skip
    yield from (replace(statement, inherits=inherits(owner)) for statement in statements)


def _modified(database: DatabaseTarget, owner: CollectionTarget, old: IndexTarget, new: IndexTarget) -> Statement:
    """A change of one option of an index by collMod."""
    collection = owner.physical_name
    if old.is_hidden != new.is_hidden:
        change: dict[str, Json] = {"hidden": new.is_hidden}
        verb = "hide" if new.is_hidden else "show"
    else:
        change, verb = {"expireAfterSeconds": new.expire_after_seconds}, "set the expiry of"
    summary = f'{verb} index "{new.name}" of collection "{collection}"'
    statement = _statement(
        database, ("indexes", collection, new.name), summary, "collMod", collection,
        {"index": {"name": new.name, **change}}, describe_index(new), describe_index(old),
    )  # fmt: skip
    return replace(statement, inherits=inherits(owner))


def _statement(
    database: DatabaseTarget,
    object: tuple[str, ...],
    summary: str,
    command: str,
    collection: str,
    arguments: dict[str, Json],
    expected: Json,
    before: Json,
) -> Statement:
    statement: Json = {"command": command, "collection": collection, "arguments": arguments}
    return Statement(store(database), database.name, object, summary, statement, expected, (before,))
