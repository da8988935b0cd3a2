"""Shard keys, which stand in the shape: a server without shards reports none, and one with them elsewhere."""

from collections.abc import Sequence

from keywright.engines.shape import EntityShape

from .target import CollectionTarget, DatabaseTarget, Direction

_HASHED = " hashed"


def written(paths: Sequence[str], *, is_hashed: bool) -> str:
    """The shard key as text of the shape: `user_id hashed, region`; the first path is the hashed one."""
    first, *rest = paths
    return ", ".join((f"{first}{_HASHED}" if is_hashed else first, *rest))


def entity_of(database: DatabaseTarget, collection: CollectionTarget) -> EntityShape | None:
    """The entity in a collection; None where only a server was asked."""
    return next((one for one in database.shape if dict(one.keys).get("collection") == collection.name), None)


def shard_key(database: DatabaseTarget, collection: CollectionTarget) -> tuple[tuple[str, Direction], ...]:
    """(path, 1 or "hashed") of a collection's shard key; empty if it has none."""
    entity = entity_of(database, collection)
    text = dict(entity.keys).get("shard_key", "") if entity else ""
    parts = text.split(", ") if text else ()
    return tuple((part.removesuffix(_HASHED), "hashed" if part.endswith(_HASHED) else 1) for part in parts)
