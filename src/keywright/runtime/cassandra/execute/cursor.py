"""Cursors: the clustering columns of the last returned row, so that the next page begins exactly after it."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from keywright.ir.pattern import Pattern
from keywright.record import Record, field
from keywright.runtime.cursor import opened, sealed

StreamPosition = tuple[Any, ...]
"""Values of the columns that resume a stream."""


class PageEnd(Record):
    """The end of a page."""

    now: datetime
    """The time of the first page, which determines the buckets of all further pages."""
    group: int = 0
    """Number of the bucket or partition."""
    positions: Mapping[int, StreamPosition] = field(default_factory=dict)
    """The last row of each stream in the group that has one, by number of the stream."""


def written(place: PageEnd, pattern: Pattern, types: list[Any], protocol: int) -> str:
    """A page end as a cursor. types: the driver's types of the columns of a position."""
    state = {
        "now": place.now.isoformat(),
        "group": place.group,
        "at": {
            str(stream): [
                _encoded(kind.serialize(value, protocol)) for kind, value in zip(types, position, strict=True)
            ]
            for stream, position in place.positions.items()
        },
    }
    return sealed(pattern, json.dumps(state, separators=(",", ":")).encode())


def read(text: str, pattern: Pattern, types: list[Any], protocol: int) -> PageEnd:
    """The page end in a cursor. Raises InvalidCursor for a damaged cursor or one of another pattern."""
    return opened(pattern, text, lambda state: _page_end(json.loads(state), types, protocol))


def _page_end(state: Any, types: list[Any], protocol: int) -> PageEnd:
    positions = {
        int(stream): tuple(
            kind.deserialize(urlsafe_b64decode(value), protocol) for kind, value in zip(types, values, strict=True)
        )
        for stream, values in state["at"].items()
    }
    return PageEnd(datetime.fromisoformat(state["now"]), int(state["group"]), positions)


def _encoded(value: bytes) -> str:
    return urlsafe_b64encode(value).decode()
