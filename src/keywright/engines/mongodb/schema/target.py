"""A MongoDB database as data: its collections with their options and indexes."""

import json
from collections.abc import Sequence
from typing import Literal, TypeAlias

from keywright.engines.contract.shape import EntityShape
from keywright.ir.json import Json
from keywright.record import Record

Direction: TypeAlias = int | str
"""1 or -1, or the plugin of the index: `text`, `2dsphere`, `hashed`."""


class IndexTarget(Record):
    """An index; values are Extended JSON."""

    name: str
    """Its name, by default the server's own naming."""
    keys: tuple[tuple[str, Direction], ...]
    """(path, direction) in order; the fields of a text index are sorted, since the server does not keep their order."""
    is_unique: bool = False
    """Whether two indexed documents may not share the key."""
    is_sparse: bool = False
    """Whether documents without any of its fields are left out."""
    filter: Json = None
    """The partialFilterExpression; None if all documents are indexed."""
    collation: Json = None
    """The collation, without the defaults of its language; None for byte order."""
    expire_after_seconds: int | None = None
    """Seconds after the time in its field when a document expires; None for never."""
    is_hidden: bool = False
    """Whether the planner ignores it."""
    weights: tuple[tuple[str, int], ...] = ()
    """(field, weight) of a text index, sorted."""
    language: str | None = None
    """Default language of a text index."""
    projection: tuple[tuple[str, int], ...] = ()
    """(path, 1 or 0) of each field that a wildcard index contains or leaves out, sorted; empty for all."""
    others: tuple[tuple[str, Json], ...] = ()
    """Options of a live server that no declaration can set, sorted."""


class SeriesOptions(Record):
    """The options of a time series."""

    time: str
    """Stored name of the time field."""
    meta: str | None
    """Stored name of the field that identifies the source of the measurement."""
    granularity: str | None
    """The usual time between two measurements; None if bucket spans are set manually."""
    others: tuple[tuple[str, Json], ...] = ()
    """Bucket spans that do not follow from the granularity."""


class ViewOptions(Record):
    """The definition of a view."""

    on: str
    """Physical name of the collection or view that it reads."""
    pipeline: tuple[Json, ...]
    """Its stages, as Extended JSON."""

    @property
    def match(self) -> Json:
        """The filter of its documents; empty for all documents."""
        return next((stage["$match"] for stage in self.pipeline if isinstance(stage, dict) and "$match" in stage), {})

    @property
    def is_projected(self) -> bool:
        """Whether a stage changes its documents."""
        return any(isinstance(stage, dict) and "$match" not in stage for stage in self.pipeline)


class CollectionTarget(Record):
    """A collection, time series or view; values are Extended JSON."""

    name: str
    """Declared name."""
    generation: int = 1
    """Increases when `_id` changes; from 2 on it is part of the physical name."""
    validator: Json = None
    """The condition that every document meets; None for none."""
    level: Literal["strict", "moderate", "off"] = "strict"
    """The treatment of documents that already break the condition: `moderate` permits updates of them."""
    action: str = "error"
    """The server's reaction to a document that breaks the condition: `error` or `warn`."""
    collation: Json = None
    """The collation that its indexes and queries inherit."""
    clustered: str | None = None
    """The name of the clustered index, in whose order documents are stored; None for an ordinary collection."""
    has_images: bool = False
    """Whether change events contain the document before and after."""
    series: SeriesOptions | None = None
    """The options of a time series; None for an ordinary collection."""
    expire_after_seconds: int | None = None
    """Seconds after which measurements of a time series, or documents of a clustered collection, expire."""
    others: tuple[tuple[str, Json], ...] = ()
    """Options without a separate field, sorted."""
    view: ViewOptions | None = None
    """The definition of a view; None for a collection with documents of its own."""
    indexes: tuple[IndexTarget, ...] = ()
    """Its indexes other than that on `_id`, sorted by name."""

    @property
    def physical_name(self) -> str:
        """The name in the database."""
        return self.name if self.generation == 1 else f"{self.name}_k{self.generation}"


class DatabaseTarget(Record):
    """A database."""

    name: str
    """Declared name, or the physical name of a placed database."""
    collections: tuple[CollectionTarget, ...] = ()
    """Its collections, sorted by name."""
    shape: tuple[EntityShape, ...] = ()
    """Its entities; empty for a target read from a server."""
    declared: str | None = None
    """The declared name of a placed database, by which stores are named."""
    generation: int = 1
    """Always 1: in MongoDB collections have generations."""


_HASHED = " hashed"


def shard_key_text(paths: Sequence[str], hashed: str) -> str:
    """The shard key in the shape: `region, user_id hashed`; at most one path is hashed.

    It is no part of the native half: an unsharded server reports none, a sharded one reports it elsewhere.
    """
    return ", ".join(f"{path}{_HASHED}" if path == hashed else path for path in paths)


def entity_of(database: DatabaseTarget, collection: CollectionTarget) -> EntityShape | None:
    """The entity of a collection; None for a target read from a server."""
    return next((entity for entity in database.shape if dict(entity.keys).get("collection") == collection.name), None)


def shard_key(database: DatabaseTarget, collection: CollectionTarget) -> tuple[tuple[str, Direction], ...]:
    """(path, 1 or "hashed") of a collection's shard key; empty if it has none."""
    entity = entity_of(database, collection)
    text = dict(entity.keys).get("shard_key", "") if entity else ""
    parts = text.split(", ") if text else ()
    return tuple((part.removesuffix(_HASHED), "hashed" if part.endswith(_HASHED) else 1) for part in parts)


def zones_text(zones: Json) -> str:
    """The zones in the shape: the values of the first field of the shard key by zone, as Extended JSON."""
    return json.dumps(zones, sort_keys=True, ensure_ascii=False)


def zones(database: DatabaseTarget, collection: CollectionTarget) -> dict[str, list[Json]]:
    """The values of the first field of a collection's shard key, by zone."""
    entity = entity_of(database, collection)
    text = dict(entity.keys).get("zones", "{}") if entity else "{}"
    by_zone: dict[str, list[Json]] = json.loads(text)
    return by_zone
