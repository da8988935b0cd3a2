"""Cursors: the last row that was returned, by its clustering columns, so that a page resumes exactly behind it."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from keywright.errors import UsageError

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


def written(place: Place, pattern: str, types: list[Any], protocol: int) -> str:
    """A place as text; types: the driver's own, of the columns of a position."""
    told = {
        "pattern": pattern,
        "now": place.now.isoformat(),
        "group": place.group,
        "at": {
            str(stream): [
                _encoded(kind.serialize(value, protocol)) for kind, value in zip(types, position, strict=True)
            ]
            for stream, position in place.positions.items()
        },
    }
    return urlsafe_b64encode(json.dumps(told, separators=(",", ":")).encode()).decode().rstrip("=")


def read(text: str, pattern: str, types: list[Any], protocol: int) -> Place:
    """The place that a text tells; UsageError for one that another pattern wrote, or nobody."""
    try:
        told = json.loads(urlsafe_b64decode(text.encode() + b"=" * (-len(text) % 4)))
        owner = told["pattern"]
        positions = {
            int(stream): tuple(
                kind.deserialize(urlsafe_b64decode(value), protocol)
                for kind, value in zip(types, values, strict=owner == pattern)
            )
            for stream, values in told["at"].items()
        }
        place = Place(datetime.fromisoformat(told["now"]), int(told["group"]), positions)
    except Exception as error:  # whatever was not written by `written`
        raise UsageError("the cursor cannot be read", "give the cursor of a page as it was told") from error
    if owner != pattern or place.group < 0:
        raise UsageError(f'the cursor is one of "{owner}"', f'give a cursor that a page of "{pattern}" told')
    return place


def _encoded(value: bytes) -> str:
    return urlsafe_b64encode(value).decode()
