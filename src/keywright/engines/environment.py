"""Settings that every engine has in an environment, and the types of settings."""

from collections.abc import Mapping
from typing import NewType

from keywright.record import Record, field

ByteSize = NewType("ByteSize", int)
"""Bytes; in a stack file a number or a text such as `4gb`, in binary units."""

Percent = NewType("Percent", float)
"""A percentage from 1 to 99."""

Threshold = NewType("Threshold", float)
"""A threshold of an alert: 0 or more."""


class EngineEnvironment(Record, kw_only=True):
    """One engine in one environment; each engine adds its own fields."""

    flavour: str
    """Product that implements the engine, a key of the engine's capabilities."""
    version: str | None = None
    """Version of the product; the newest known version by default, for flavours with versions."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """Tags of every resource that supports tags; the environment's tags are merged in."""

    def is_in_second_region(self, name: str) -> bool:
        """Whether a store of a declared name is in a second region as well, by its settings."""
        return False
