"""Databases to and from JSON descriptions, which also describe live databases.

Collections and their indexes are separate, under physical names, so that a step for one index compares only that index.
"""

import re
from typing import Any

from keywright.engines.contract import shape
from keywright.engines.interface import Description
from keywright.ir.json import Json

from .target import CollectionTarget, DatabaseTarget, IndexTarget, SeriesOptions, ViewOptions

_GENERATION = re.compile(r"(.+)_k([2-9]|[1-9]\d+)$")

_COLLECTION_WORDS = (
    "validator", "validationLevel", "validationAction", "collation", "clusteredIndex", "changeStreamPreAndPostImages",
    "timeseries", "expireAfterSeconds", "viewOn", "pipeline",
)  # fmt: skip
_INDEX_WORDS = (
    "key", "unique", "sparse", "partialFilterExpression", "collation", "expireAfterSeconds", "hidden", "weights",
    "default_language", "wildcardProjection",
)  # fmt: skip


def describe(database: DatabaseTarget) -> Description:
    """See `Engine.describe`; the description of a placed database also contains its declared name."""
    collections: dict[str, Json] = {
        collection.physical_name: describe_collection(collection) for collection in database.collections
    }
    indexes: dict[str, Json] = {
        collection.physical_name: {index.name: describe_index(index) for index in collection.indexes}
        for collection in database.collections
        if collection.indexes
    }
    described: Description = {
        "name": database.name,
        "generation": database.generation,
        "native": {"collections": collections, "indexes": indexes},
        "shape": shape.describe(database.shape),
    }
    return described if database.declared is None else {**described, "declared": database.declared}


def describe_collection(collection: CollectionTarget) -> Json:
    """The options of a collection, under the server's names."""
    described: dict[str, Json] = dict(collection.others)
    if collection.validator is not None:
        described |= {
            "validator": collection.validator,
            "validationLevel": collection.level,
            "validationAction": collection.action,
        }
    if collection.collation is not None:
        described["collation"] = collection.collation
    if collection.clustered is not None:
        described["clusteredIndex"] = {"key": {"_id": 1}, "name": collection.clustered, "unique": True}
    if collection.view:
        described |= {"viewOn": collection.view.on, "pipeline": [*collection.view.pipeline]}
    if collection.has_images:
        described["changeStreamPreAndPostImages"] = {"enabled": True}
    if collection.series:
        described["timeseries"] = _describe_series(collection.series)
    if collection.expire_after_seconds is not None:
        described["expireAfterSeconds"] = collection.expire_after_seconds
    return described


def describe_index(index: IndexTarget) -> Json:
    """One index, under the server's names; its key is a list of pairs, because their order matters."""
    described: dict[str, Json] = {"key": [[path, direction] for path, direction in index.keys], **dict(index.others)}
    if index.is_unique:
        described["unique"] = True
    if index.is_sparse:
        described["sparse"] = True
    if index.filter is not None:
        described["partialFilterExpression"] = index.filter
    if index.collation is not None:
        described["collation"] = index.collation
    if index.expire_after_seconds is not None:
        described["expireAfterSeconds"] = index.expire_after_seconds
    if index.is_hidden:
        described["hidden"] = True
    if index.weights:
        described["weights"] = dict(index.weights)
    if index.language is not None:
        described["default_language"] = index.language
    if index.projection:
        described["wildcardProjection"] = dict(index.projection)
    return described


def parse(description: Description) -> DatabaseTarget:
    """See `Engine.parse`."""
    native: Any = description["native"]
    declared = description.get("declared")
    return DatabaseTarget(
        name=str(description["name"]),
        collections=tuple(
            sorted(
                (
                    _collection(name, options, native["indexes"].get(name, {}))
                    for name, options in native["collections"].items()
                ),
                key=lambda collection: (collection.name, collection.generation),
            )
        ),
        shape=shape.parse(description.get("shape", {})),
        declared=None if declared is None else str(declared),
    )


def split_name(physical: str) -> tuple[str, int]:
    """(declared name, generation) of a collection's physical name."""
    match = _GENERATION.match(physical)
    return (match[1], int(match[2])) if match else (physical, 1)


def _describe_series(series: SeriesOptions) -> Json:
    options = {"timeField": series.time, "metaField": series.meta, "granularity": series.granularity}
    return {key: value for key, value in options.items() if value is not None} | dict(series.others)


def _collection(physical: str, options: dict[str, Any], indexes: dict[str, Any]) -> CollectionTarget:
    name, generation = split_name(physical)
    return CollectionTarget(
        name=name,
        generation=generation,
        validator=options.get("validator"),
        level=options.get("validationLevel", "strict"),
        action=options.get("validationAction", "error"),
        collation=options.get("collation"),
        clustered=options.get("clusteredIndex", {}).get("name"),
        has_images="changeStreamPreAndPostImages" in options,
        series=_series(options["timeseries"]) if "timeseries" in options else None,
        expire_after_seconds=options.get("expireAfterSeconds"),
        view=ViewOptions(options["viewOn"], tuple(options["pipeline"])) if "viewOn" in options else None,
        others=_rest(options, _COLLECTION_WORDS),
        indexes=tuple(_index(name, index) for name, index in sorted(indexes.items())),
    )


def _series(options: dict[str, Any]) -> SeriesOptions:
    others = _rest(options, ("timeField", "metaField", "granularity"))
    return SeriesOptions(options["timeField"], options.get("metaField"), options.get("granularity"), others)


def _index(name: str, options: dict[str, Any]) -> IndexTarget:
    return IndexTarget(
        name=name,
        keys=tuple((path, direction) for path, direction in options["key"]),
        is_unique=options.get("unique", False),
        is_sparse=options.get("sparse", False),
        filter=options.get("partialFilterExpression"),
        collation=options.get("collation"),
        expire_after_seconds=options.get("expireAfterSeconds"),
        is_hidden=options.get("hidden", False),
        weights=tuple(sorted(options.get("weights", {}).items())),
        language=options.get("default_language"),
        projection=tuple(sorted(options.get("wildcardProjection", {}).items())),
        others=_rest(options, _INDEX_WORDS),
    )


def _rest(options: dict[str, Any], words: tuple[str, ...]) -> tuple[tuple[str, Json], ...]:
    return tuple(sorted((key, value) for key, value in options.items() if key not in (*words, "building")))
