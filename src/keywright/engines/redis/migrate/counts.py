"""Counts on a server that can block a change, taken before the change."""

import re
from collections.abc import Iterator

from keywright.engines.contract.change import AddEntity, Change
from keywright.engines.contract.counting import BlockingCount

from ..schema.place import prefix
from ..schema.target import ServerTarget, StructureTarget

_TYPES = {
    "string": "string", "counter": "string", "cache": "string", "hash": "hash", "list": "list", "set": "set",
    "sorted set": "zset", "stream": "stream", "bitmap": "string", "hyperloglog": "string", "geo": "zset",
    "json": "ReJSON-RL",
}  # fmt: skip


def server_type(structure: StructureTarget) -> str:
    """Answer of TYPE for a key of a structure; for a rate limit it depends on the window."""
    return _TYPES.get(structure.kind) or ("zset" if structure.window == "sliding" else "string")


def blocking_counts(server: ServerTarget, change: Change) -> Iterator[BlockingCount]:
    """See `Engine.blocking_counts`: existing keys of another type that match the template of a new entity."""
    if not isinstance(change, AddEntity):
        return
    entity = change.path[-1]
    shape = next((shape for shape in server.shape if shape.name == entity), None)
    structure = next((structure for structure in server.structures if structure.entity == entity), None)
    template = dict(shape.keys).get("key") if shape else None
    if template and structure:
        parts = (re.sub(r"([*?\[\]\\])", r"\\\1", part) for part in re.split(r"\{[^}]*\}", template))
        match = prefix(server.generation) + "*".join(parts)
        yield BlockingCount("other types", server.name, {"match": match, "type": server_type(structure)})
