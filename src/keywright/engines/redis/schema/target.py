"""A Redis server as data."""

from typing import Literal, TypeAlias

from keywright.engines.contract.shape import EntityShape
from keywright.record import Record

from .search_target import Definition, SearchTarget
from .users import UserTarget

StructureKind: TypeAlias = Literal[
    "string", "counter", "cache", "hash", "list", "set", "sorted set", "stream", "rate limit", "bitmap",
    "hyperloglog", "geo", "json",
]  # fmt: skip
"""The kinds of structure that an entity is stored in."""


class StreamTarget(Record):
    """A stream that exists before its first entry: its key has no placeholder."""

    key: str
    """Key of the stream; a placed key has the prefix of the generation."""
    groups: tuple[str, ...]
    """Names of the consumer groups, sorted."""


class StructureTarget(Record):
    """The structure of one entity; servers cannot report it, because keys are created with data."""

    entity: str
    """Name of the binding."""
    kind: StructureKind
    """Kind of the structure."""
    value: str | None = None
    """Field that is the value, the score, the bit or the place."""
    ttl_seconds: int | None = None
    """Lifetime of the key after a write."""
    expires_at: str | None = None
    """Field with the time at which the key expires."""
    then: str | None = None
    """The second number in each score, with its bounds, which decide how it is packed."""
    kept: int | None = None
    """The most elements, members or entries."""
    kept_seconds: int | None = None
    """The most seconds for which a stream keeps an entry."""
    groups: tuple[str, ...] = ()
    """Consumer groups of a stream, sorted."""
    due: str | None = None
    """Field with the time until which an entry of a stream waits."""
    limit: int | None = None
    """Calls that a rate limit allows."""
    per_seconds: int | None = None
    """The period of a rate limit."""
    window: Literal["sliding", "fixed", "bucket"] | None = None
    """Kind of a rate limit's window."""
    burst: int | None = None
    """Tokens that a bucket holds."""
    source: str | None = None
    """Entity that a cache copies."""


class Placement(Record):
    """The product that runs the server in an environment."""

    flavour: str
    """Product."""
    version: str | None = None
    """Major and minor version of the product, if the environment sets one."""
    replicas: int = 0
    """Replicas that can take over."""
    has_users: bool = False
    """Whether migrations keep the rights of the declared users."""


class ServerTarget(Record):
    """A server."""

    name: str
    """Declared name; a server has no name of its own."""
    generation: int
    """Number of the generation, which increases when keys change; from 2 on every key begins with `k<generation>:`."""
    settings: tuple[tuple[str, str], ...] = ()
    """(directive, value as the server reports it), sorted by name."""
    streams: tuple[StreamTarget, ...] = ()
    """Streams with consumer groups, sorted by key."""
    users: tuple[UserTarget, ...] = ()
    """Users with their rights, sorted by name."""
    indexes: tuple[SearchTarget, ...] = ()
    """Indexes of Search, sorted by name."""
    built: tuple[tuple[str, Definition], ...] = ()
    """(name, definition) of every index behind an alias, on a live server also of those that no alias names any more;
    empty before `place`."""
    shape: tuple[EntityShape, ...] = ()
    """The entities on the server; empty for a live server."""
    structures: tuple[StructureTarget, ...] = ()
    """The structure of each entity, in the same order."""
    placement: Placement | None = None
    """The environment's part; None before `place`."""
