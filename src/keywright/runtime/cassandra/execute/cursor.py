"""Cursors: the last row that was returned, by its clustering columns, so that a page resumes exactly behind it."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from keywright.ir.pattern import Pattern
from keywright.runtime.cursor import sealed, unsealed

Position = tuple[Any, ...]
"""Values of the columns by which a stream is resumed."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a page ended."""

    now: datetime
    """The moment of the first page, by which the buckets of all further ones are told."""
    group: int = 0
    """The bucket or partition."""
    positions: Mapping[int, Position] = field(default_factory=dict)
    """The last row of each stream in it that has one, by number of the stream."""


def written(place: Place, pattern: Pattern, types: list[Any], protocol: int) -> str:
    """A place as a cursor; types: the driver's own, of the columns of a position."""
    told = {
        "now": place.now.isoformat(),
        "group": place.group,
        "at": {
            str(stream): [
                _encoded(kind.serialize(value, protocol)) for kind, value in zip(types, position, strict=True)
            ]
            for stream, position in place.positions.items()
        },
    }
    return sealed(pattern, json.dumps(told, separators=(",", ":")).encode())


def read(text: str, pattern: Pattern, types: list[Any], protocol: int) -> Place:
    """The place that a cursor tells; UsageError for one that is broken or another pattern's."""
    told = json.loads(unsealed(pattern, text))
    positions = {
        int(stream): tuple(
            kind.deserialize(urlsafe_b64decode(value), protocol) for kind, value in zip(types, values, strict=True)
        )
        for stream, values in told["at"].items()
    }
    return Place(datetime.fromisoformat(told["now"]), int(told["group"]), positions)


def _encoded(value: bytes) -> str:
    return urlsafe_b64encode(value).decode()
