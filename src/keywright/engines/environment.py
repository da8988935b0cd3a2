"""What every engine's part of an environment has, and the types that a stack file's values may be declared with."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NewType

ByteSize = NewType("ByteSize", int)
"""Bytes; in a stack file a number or a text such as `4gb`, in binary units."""

Percent = NewType("Percent", float)
"""A share of a hundred that something can be above and below: from 1 to 99."""

Threshold = NewType("Threshold", float)
"""From where on something is told: 0 or more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Environment:
    """One engine in one environment; each engine adds its own fields."""

    flavour: str
    """Which product serves the engine, a key of the engine's capabilities."""
    version: str | None = None
    """Its version; the newest that is known where a flavour has none of its own."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """Labels of everything that can be labelled; the environment's common ones are merged in."""
