"""The managed part of a live database: the objects that the target names, and former generations of its collections."""

from typing import Any

from keywright.engines.interface import Description
from keywright.ir.design import Design
from keywright.ir.json import Json
from keywright.record import replace

from ..declare.options import AnyCollection, MongoDatabase
from .codec import describe, describe_index, parse
from .target import CollectionTarget, DatabaseTarget, IndexTarget


def around(live: DatabaseTarget, database: DatabaseTarget) -> DatabaseTarget:
    """See `Engine.around`: a database may contain collections of other owners."""
    names = {collection.physical_name for collection in database.collections}
    return replace(
        live, collections=tuple(collection for collection in live.collections if collection.physical_name in names)
    )


def managed(live: DatabaseTarget, database: DatabaseTarget) -> DatabaseTarget:
    """See `Engine.managed`: indexes and options by name."""
    collections = {collection.physical_name: collection for collection in database.collections}
    live_collections = around(live, database).collections
    return replace(
        live,
        collections=tuple(_named(collection, collections[collection.physical_name]) for collection in live_collections),
    )


def _named(live: CollectionTarget, collection: CollectionTarget) -> CollectionTarget:
    """The part of a live collection that the target names; its other options are unmanaged."""
    options, declared = {name for name, _ in collection.others}, {index.name: index for index in collection.indexes}
    expiry = None if collection.expire_after_seconds is None else live.expire_after_seconds
    named = replace(
        live,
        collation=live.collation if collection.collation is not None else None,
        clustered=live.clustered if collection.clustered is not None else None,
        has_images=live.has_images and collection.has_images,
        expire_after_seconds=expiry,
        others=tuple(pair for pair in live.others if pair[0] in options),
        indexes=tuple(
            _as_declared(index, declared[index.name], live, collection)
            for index in live.indexes
            if index.name in declared
        ),
    )
    return named if collection.validator is not None else replace(named, validator=None, level="strict", action="error")


def _as_declared(
    index: IndexTarget, declared: IndexTarget, live: CollectionTarget, collection: CollectionTarget
) -> IndexTarget:
    """A live index without the collation that it inherits from its collection, if models declare neither.

    Queries without a collation use that of the collection, so an index with another collation would not serve them.
    """
    is_open = collection.collation is None and declared.collation is None
    return _without_inherited(index, live) if is_open else index


def _without_inherited(index: IndexTarget, live: CollectionTarget) -> IndexTarget:
    return replace(index, collation=None) if index.collation == live.collation else index


def deliberate(live: Description, target: DatabaseTarget) -> Description:
    """See `Engine.deliberate`: indexes without the inherited collation, where none is declared."""
    database, managed_collections = (
        parse(live),
        {collection.physical_name: collection for collection in target.collections},
    )
    collections = (
        replace(collection, indexes=tuple(_without_inherited(index, collection) for index in collection.indexes))
        if collection.physical_name in managed_collections
        and managed_collections[collection.physical_name].collation is None
        else collection
        for collection in database.collections
    )
    return {**live, "native": describe(replace(database, collections=tuple(collections)))["native"]}


def with_live_names(database: DatabaseTarget, live: DatabaseTarget) -> DatabaseTarget:
    """See `Engine.with_live_names`."""
    live_collections = {collection.physical_name: collection for collection in live.collections}
    collections = (
        _called_as(live_collections[collection.physical_name], collection)
        if collection.physical_name in live_collections
        else collection
        for collection in database.collections
    )
    return replace(database, collections=tuple(collections))


def _called_as(live: CollectionTarget, collection: CollectionTarget) -> CollectionTarget:
    """A collection with the index names and the validator order of an equivalent live collection."""
    validator = live.validator if _in_order(live.validator) == _in_order(collection.validator) else collection.validator
    return replace(collection, validator=validator, indexes=_called(collection, live))


def _in_order(rules: Any) -> Any:
    """A validator with its required names sorted; their order has no effect on the server."""
    if isinstance(rules, dict):
        return {
            word: sorted(rule) if word == "required" and _are_names(rule) else _in_order(rule)
            for word, rule in rules.items()
        }
    return [_in_order(rule) for rule in rules] if isinstance(rules, list) else rules


def _are_names(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(name, str) for name in value)


def _called(collection: CollectionTarget, live: CollectionTarget) -> tuple[IndexTarget, ...]:
    """Indexes with the names of the equal live indexes, beside which the server would reject them."""
    live_names, declared_names = (
        {existing.name for existing in live.indexes},
        {existing.name for existing in collection.indexes},
    )
    undeclared, indexes = (
        [existing for existing in live.indexes if existing.name not in declared_names],
        list[IndexTarget](),
    )
    for index in collection.indexes:
        matching_names = (
            existing.name
            for existing in undeclared
            if _is_same_index(_as_declared(existing, index, live, collection), index)
        )
        indexes.append(
            replace(index, name=index.name if index.name in live_names else next(matching_names, index.name))
        )
    return tuple(sorted(indexes, key=lambda existing: existing.name))


def _is_same_index(first: IndexTarget, second: IndexTarget) -> bool:
    return is_single_index(describe_index(first), describe_index(second))


def is_single_index(first: Json, second: Json) -> bool:
    """Whether the server treats two descriptions as one index, whatever the names."""
    return _identity(first) == _identity(second)


def _identity(described: Any) -> dict[str, Json]:
    return {key: value for key, value in described.items() if key not in _OUTSIDE_IDENTITY}


_OUTSIDE_IDENTITY = ("expireAfterSeconds", "hidden", "prepareUnique")
"""Options outside the identity of an index: the server rejects two indexes that differ only in these options."""


def keep(design: Design[MongoDatabase, AnyCollection], before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """See `Engine.keep`: a former generation is a separate collection."""
    result = dict(after)
    for binding in design.bindings:
        spec, database = binding.spec, binding.physical.name
        if database not in result or spec.rebuild is None or spec.rebuild.drops_old:
            continue
        generation = spec.rebuild.from_generation
        name = f"{spec.name}_k{generation}" if generation > 1 else spec.name
        native_before = before.get(database, {"native": {"collections": {}, "indexes": {}}})["native"]
        native = dict(result[database]["native"])
        for part in ("collections", "indexes"):
            if name in native_before[part]:
                native[part] = {**native[part], name: native_before[part][name]}
        result[database] = {**result[database], "native": native}
    return result
