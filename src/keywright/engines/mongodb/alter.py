"""Steps from one placed database to another: nothing goes before what takes its place is there."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from keywright.engines.in_place import refuse_rebuilds
from keywright.engines.plan import Step
from keywright.ir.json import Json

from .codec import describe, describe_collection, describe_index
from .diff import CLASSES, PARTS
from .migrate import create, index_step, store
from .target import CollectionTarget, DatabaseTarget, IndexTarget


def migrate(before: DatabaseTarget | None, after: DatabaseTarget | None) -> tuple[Step, ...]:
    """See `Engine.migrate`: collections come, are altered, and go; each with its indexes."""
    if before is None:
        return () if after is None else create(after)
    if after is None:
        after = replace(before, collections=())
    refuse_rebuilds(store(after), PARTS, CLASSES, describe(before), describe(after))
    return tuple(_steps(before, after))


def _steps(before: DatabaseTarget, after: DatabaseTarget) -> Iterator[Step]:
    old, new = ({one.physical_name: one for one in database.collections} for database in (before, after))
    for name, one in new.items():
        if name not in old:
            yield from create(replace(after, collections=(one,)))
        elif old[name] != one:
            yield from _collection(after, old[name], one)
    for name, one in old.items():
        if name not in new:
            yield _step(before, ("collections", name), f'drop collection "{name}"', "drop", name, {},
                        None, describe_collection(one))  # fmt: skip


def _collection(database: DatabaseTarget, old: CollectionTarget, new: CollectionTarget) -> Iterator[Step]:
    """Options by collMod, which takes those that may change, all at once; then the indexes."""
    was, wanted = describe_collection(old), describe_collection(new)
    if was != wanted:
        name = new.physical_name
        summary = f'alter collection "{name}"'
        arguments = _modification(old, new)
        yield _step(database, ("collections", name), summary, "collMod", name, arguments, wanted, was)
    yield from _indexes(database, old, new)


def _modification(old: CollectionTarget, new: CollectionTarget) -> dict[str, Json]:
    """The arguments of collMod; a validator goes by being empty, and its level and action are the server's defaults."""
    made: dict[str, Json] = {}
    if (old.validator, old.level, old.action) != (new.validator, new.level, new.action):
        made["validator"] = new.validator if new.validator is not None else {}
        made["validationLevel"] = new.level
        made["validationAction"] = new.action
    if old.has_images != new.has_images:
        made["changeStreamPreAndPostImages"] = {"enabled": new.has_images}
    if old.expire_after_seconds != new.expire_after_seconds:
        made["expireAfterSeconds"] = "off" if new.expire_after_seconds is None else new.expire_after_seconds
    return made


def _indexes(database: DatabaseTarget, old: CollectionTarget, new: CollectionTarget) -> Iterator[Step]:
    """What the server does not let stand beside a new index goes before all else; the rest goes when that is there."""
    were, wanted = ({index.name: index for index in one.indexes} for one in (old, new))
    going = [index for name, index in were.items() if name not in wanted or not _can_become(index, wanted[name])]
    first = [one for one in going if any(_clash(one, other) for other in new.indexes)]
    for index in first:
        yield from _gone(database, old, index)
    for name, index in wanted.items():
        if name in were and were[name] not in going and were[name] != index:
            yield from _index(database, new, were[name], index)
    for name, index in wanted.items():
        if name in were and were[name] in going and were[name] not in first:
            yield from _gone(database, old, were[name])
        if name not in were or were[name] in going:
            yield index_step(database, new, index)
    for index in going:
        if index not in first and index.name not in wanted:
            yield from _gone(database, old, index)


def _can_become(old: IndexTarget, new: IndexTarget) -> bool:
    """Whether collMod can make the one the other: it sets another expiry, hides, shows, and makes unique."""
    like = replace(old, expire_after_seconds=new.expire_after_seconds, is_hidden=new.is_hidden, is_unique=new.is_unique)
    begins_or_ends = (old.expire_after_seconds is None) != (new.expire_after_seconds is None)
    return like == new and not begins_or_ends and not (old.is_unique and not new.is_unique)


def _clash(one: IndexTarget, other: IndexTarget) -> bool:
    return one.name != other.name and clash(describe_index(one), describe_index(other))


def clash(one: Json, other: Json) -> bool:
    """See `Engine.clash`: those that differ in nothing that tells indexes apart, and two text indexes."""
    return all(map(_is_text, (one, other))) or _identity(one) == _identity(other)


def _is_text(described: Any) -> bool:
    return "text" in dict(described["key"]).values()


def _identity(described: Any) -> dict[str, Json]:
    return {key: value for key, value in described.items() if key not in _NOT_TOLD_APART}


_NOT_TOLD_APART = ("expireAfterSeconds", "hidden", "prepareUnique")
"""Options that two indexes over one key must differ in more than: the server takes them for one index otherwise."""


def _index(database: DatabaseTarget, one: CollectionTarget, old: IndexTarget, new: IndexTarget) -> Iterator[Step]:
    """What collMod can change, one after the other."""
    if old.expire_after_seconds != new.expire_after_seconds:
        yield _modified(database, one, old, replace(old, expire_after_seconds=new.expire_after_seconds))
        old = replace(old, expire_after_seconds=new.expire_after_seconds)
    if new.is_unique and not old.is_unique:
        yield from _made_unique(database, one, old)
        old = replace(old, is_unique=True)
    if old.is_hidden != new.is_hidden:
        yield _modified(database, one, old, new)


def _gone(database: DatabaseTarget, one: CollectionTarget, index: IndexTarget) -> Iterator[Step]:
    """Hidden first: it is shown again in a moment, where a dropped one would have to be built."""
    if not index.is_hidden:
        yield _modified(database, one, index, replace(index, is_hidden=True))
    name, collection = index.name, one.physical_name
    hidden = describe_index(replace(index, is_hidden=True))
    yield _step(
        database, ("indexes", collection, name), f'drop index "{name}" of collection "{collection}"', "dropIndexes",
        collection, {"index": name}, None, hidden,
    )  # fmt: skip


def _made_unique(database: DatabaseTarget, one: CollectionTarget, index: IndexTarget) -> Iterator[Step]:
    """New duplicates are refused first; then the server looks for old ones, and refuses while there are any."""
    name, collection = index.name, one.physical_name
    object = ("indexes", collection, name)
    plain, unique = describe_index(index), describe_index(replace(index, is_unique=True))
    assert isinstance(plain, dict)
    prepared: dict[str, Json] = {**plain, "prepareUnique": True}

    def changed(**words: Json) -> dict[str, Json]:
        return {"index": {"name": name, **words}}

    yield _step(database, object, f'refuse new duplicates in index "{name}" of collection "{collection}"', "collMod",
                collection, changed(prepareUnique=True), prepared, plain)  # fmt: skip
    yield _step(database, object, f'make index "{name}" of collection "{collection}" unique', "collMod",
                collection, changed(unique=True), unique, prepared)  # fmt: skip


def _modified(database: DatabaseTarget, one: CollectionTarget, old: IndexTarget, new: IndexTarget) -> Step:
    """One option of an index by collMod."""
    collection = one.physical_name
    if old.is_hidden != new.is_hidden:
        change: dict[str, Json] = {"hidden": new.is_hidden}
        what = "hide" if new.is_hidden else "show"
    else:
        change, what = {"expireAfterSeconds": new.expire_after_seconds}, "set the expiry of"
    summary = f'{what} index "{new.name}" of collection "{collection}"'
    return _step(
        database, ("indexes", collection, new.name), summary, "collMod", collection,
        {"index": {"name": new.name, **change}}, describe_index(new), describe_index(old),
    )  # fmt: skip


def _step(
    database: DatabaseTarget,
    object: tuple[str, ...],
    summary: str,
    command: str,
    collection: str,
    arguments: dict[str, Json],
    wants: Json,
    before: Json,
) -> Step:
    statement: Json = {"command": command, "collection": collection, "arguments": arguments}
    return Step(store(database), database.name, object, summary, statement, wants, (before,))
