"""A Redis server as data."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from keywright.engines.shape import EntityShape

StructureKind: TypeAlias = Literal[
    "string", "counter", "cache", "hash", "list", "set", "sorted set", "stream", "rate limit", "bitmap",
    "hyperloglog", "geo",
]  # fmt: skip
"""The kinds of structure that an entity is stored in."""


@dataclass(frozen=True, slots=True)
class StreamTarget:
    """A stream that is there before any entry is: one whose key has no placeholder."""

    key: str
    """Its key, with the prefix of the generation once placed."""
    groups: tuple[str, ...]
    """Names of its consumer groups, sorted."""


@dataclass(frozen=True, slots=True)
class StructureTarget:
    """What one entity is on the server; no server can report it, since keys come with data."""

    entity: str
    """Name of the binding."""
    kind: StructureKind
    """Which structure."""
    value: str | None = None
    """Field that is the value, the score, the bit or the place."""
    ttl_seconds: int | None = None
    """How long after a write the key is kept."""
    expires_at: str | None = None
    """Field at whose time the key expires."""
    kept: int | None = None
    """Elements, members or entries kept."""
    kept_seconds: int | None = None
    """How far back a stream reaches."""
    groups: tuple[str, ...] = ()
    """Consumer groups of a stream, sorted."""
    limit: int | None = None
    """Calls that a rate limit allows."""
    per_seconds: int | None = None
    """The period of a rate limit."""
    window: Literal["sliding", "fixed"] | None = None
    """How a rate limit counts."""
    source: str | None = None
    """Entity that a cache copies."""


@dataclass(frozen=True, slots=True)
class Placement:
    """What runs the server in an environment."""

    flavour: str
    """Which product."""
    version: str | None = None
    """Its major and minor version, if the environment says one."""
    replicas: int = 0
    """Copies that can take over."""


@dataclass(frozen=True, slots=True)
class ServerTarget:
    """A server."""

    name: str
    """Declared name; no server knows a name of its own."""
    generation: int
    """Counts up when keys change; from 2 on every key begins with `k<generation>:`."""
    settings: tuple[tuple[str, str], ...] = ()
    """(directive, value as the server reports it), sorted by name."""
    streams: tuple[StreamTarget, ...] = ()
    """Streams with consumer groups, sorted by key."""
    shape: tuple[EntityShape, ...] = ()
    """The entities on it; empty where only a server was asked."""
    structures: tuple[StructureTarget, ...] = ()
    """The structure of each entity, in the same order."""
    placement: Placement | None = None
    """What the environment owns; None before `place`."""
