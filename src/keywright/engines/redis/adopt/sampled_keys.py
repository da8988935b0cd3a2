"""Sampled keys of a live server, as its driver reads them."""

from typing import Any

from keywright.record import Record

from .key_shapes import Shape


class StoredKey(Record):
    """A key with its contents."""

    key: bytes
    """The key."""
    value: Any
    """Bytes of a string; a mapping of a hash; some elements, members, (member, score) pairs, or entries' mappings."""
    seconds: int | None
    """Time left until it expires; None if it never does."""


class SampledShape(Record):
    """The keys of one shape."""

    shape: Shape
    """Type of the server, and the parts of the keys."""
    count: int
    """Number of all keys that were scanned."""
    keys: tuple[StoredKey, ...]
    """Some of them, with their contents."""
    large: int = 0
    """Number of keys whose contents were not read because they are large."""
