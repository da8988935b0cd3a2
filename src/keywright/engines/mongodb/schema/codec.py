"""Databases to and from JSON descriptions, which are also what a live database is reported as.

Collections and their indexes stand apart, under physical names, so that a step for one index compares that index only.
"""

import re
from typing import Any

from keywright.engines import shape
from keywright.engines.interface import Description
from keywright.ir.json import Json

from .target import CollectionTarget, DatabaseTarget, IndexTarget, SeriesOptions

_GENERATION = re.compile(r"(.+)_k([2-9]|[1-9]\d+)$")

_COLLECTION_WORDS = (
    "validator", "validationLevel", "validationAction", "collation", "changeStreamPreAndPostImages", "timeseries",
    "expireAfterSeconds",
)  # fmt: skip
_INDEX_WORDS = (
    "key", "unique", "partialFilterExpression", "collation", "expireAfterSeconds", "hidden", "weights",
    "default_language",
)  # fmt: skip


def describe(database: DatabaseTarget) -> Description:
    """See `Engine.describe`; a placed database also says its declared name."""
    collections: dict[str, Json] = {one.physical_name: describe_collection(one) for one in database.collections}
    indexes: dict[str, Json] = {
        one.physical_name: {index.name: describe_index(index) for index in one.indexes}
        for one in database.collections
        if one.indexes
    }
    described: Description = {
        "name": database.name,
        "generation": database.generation,
        "native": {"collections": collections, "indexes": indexes},
        "shape": shape.describe(database.shape),
    }
    return described if database.declared is None else {**described, "declared": database.declared}


def describe_collection(one: CollectionTarget) -> Json:
    """The options of a collection, under the server's names."""
    described: dict[str, Json] = dict(one.others)
    if one.validator is not None:
        described |= {"validator": one.validator, "validationLevel": one.level, "validationAction": one.action}
    if one.collation is not None:
        described["collation"] = one.collation
    if one.has_images:
        described["changeStreamPreAndPostImages"] = {"enabled": True}
    if one.series:
        described["timeseries"] = _describe_series(one.series)
    if one.expire_after_seconds is not None:
        described["expireAfterSeconds"] = one.expire_after_seconds
    return described


def describe_index(index: IndexTarget) -> Json:
    """One index, under the server's names; its key is a list of pairs, since order counts there."""
    described: dict[str, Json] = {"key": [[path, direction] for path, direction in index.keys], **dict(index.others)}
    if index.is_unique:
        described["unique"] = True
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
                    _collection(name, one, native["indexes"].get(name, {}))
                    for name, one in native["collections"].items()
                ),
                key=lambda one: (one.name, one.generation),
            )
        ),
        shape=shape.parse(description.get("shape", {})),
        declared=None if declared is None else str(declared),
    )


def split_name(physical: str) -> tuple[str, int]:
    """(declared name, generation) of a collection's physical name."""
    found = _GENERATION.match(physical)
    return (found[1], int(found[2])) if found else (physical, 1)


def _describe_series(series: SeriesOptions) -> Json:
    said = {"timeField": series.time, "metaField": series.meta, "granularity": series.granularity}
    return {key: value for key, value in said.items() if value is not None} | dict(series.others)


def _collection(physical: str, one: dict[str, Any], indexes: dict[str, Any]) -> CollectionTarget:
    name, generation = split_name(physical)
    return CollectionTarget(
        name=name,
        generation=generation,
        validator=one.get("validator"),
        level=one.get("validationLevel", "strict"),
        action=one.get("validationAction", "error"),
        collation=one.get("collation"),
        has_images="changeStreamPreAndPostImages" in one,
        series=_series(one["timeseries"]) if "timeseries" in one else None,
        expire_after_seconds=one.get("expireAfterSeconds"),
        others=_rest(one, _COLLECTION_WORDS),
        indexes=tuple(_index(name, index) for name, index in sorted(indexes.items())),
    )


def _series(one: dict[str, Any]) -> SeriesOptions:
    rest = _rest(one, ("timeField", "metaField", "granularity"))
    return SeriesOptions(one["timeField"], one.get("metaField"), one.get("granularity"), rest)


def _index(name: str, one: dict[str, Any]) -> IndexTarget:
    return IndexTarget(
        name=name,
        keys=tuple((path, direction) for path, direction in one["key"]),
        is_unique=one.get("unique", False),
        filter=one.get("partialFilterExpression"),
        collation=one.get("collation"),
        expire_after_seconds=one.get("expireAfterSeconds"),
        is_hidden=one.get("hidden", False),
        weights=tuple(sorted(one.get("weights", {}).items())),
        language=one.get("default_language"),
        others=_rest(one, _INDEX_WORDS),
    )


def _rest(one: dict[str, Any], known: tuple[str, ...]) -> tuple[tuple[str, Json], ...]:
    return tuple(sorted((key, value) for key, value in one.items() if key not in (*known, "building")))
