"""Searches of places: the keys of an index in the order of distance, then their items."""

from collections.abc import Callable
from typing import Any

from keywright.engines.redis.access.search_calls import Search
from keywright.errors import UsageError
from keywright.runtime.validate.arguments import Arguments

from .. import values
from ..client_types import RedisClient
from .pages import WORLD_METRES
from .sending import send

Found = tuple[int, list[tuple[Any, Any]]]
"""(number of all results, key and value of those in the page)."""


def around(call: Search) -> Callable[[RedisClient, Arguments, str, list[Any], int, int], Found]:
    """A function from a client, a call, its query, parameters, offset and count to the items by distance."""
    near, is_json = call.near, call.structure.kind == "json"
    assert near is not None
    name = near.attribute

    def search(
        client: RedisClient, arguments: Arguments, text: str, params: list[Any], offset: int, count: int
    ) -> Found:
        longitude, latitude, metres = _point(near.condition.field, arguments.of(near.condition)[0])
        place = f"@{name}:[$longitude $latitude $metres m]"
        query = place if text == "*" else f"{text} {place}"
        words = [*params, "longitude", longitude, "latitude", latitude, "metres", metres]
        distance = f"geodistance(@{name},{longitude:.10f},{latitude:.10f})"
        reply = client.execute_command(
            "FT.AGGREGATE", call.index, query, "LOAD", 2, f"@{name}", "@__key", "APPLY", distance, "AS", "__distance",
            "SORTBY", 4, "@__distance", "ASC", "@__key", "ASC", "MAX", offset + count, "LIMIT", offset, count,
            "PARAMS", len(words), *words, "TIMEOUT", 0, "DIALECT", 2,
        )  # fmt: skip
        total, keys = _keys(reply)
        items = send(client, [("JSON.GET" if is_json else "HGETALL", key) for key in keys])
        return total, [(key, item or None) for key, item in zip(keys, items, strict=True)]

    return search


def _point(field: str, point: Any) -> tuple[float, float, float]:
    if not isinstance(point, (tuple, list)) or len(point) not in (2, 3):
        raise UsageError(f'"{field}" is a point', f"write {field}=(longitude, latitude), or with metres after them")
    longitude, latitude, *metres = map(float, point)
    return longitude, latitude, metres[0] if metres else WORLD_METRES


def _keys(reply: Any) -> tuple[int, list[Any]]:
    """(number of all results, keys of those in the page), in either version of the protocol."""
    if isinstance(reply, dict):
        plain = {values.to_text(name): value for name, value in reply.items()}
        rows = [
            next(value for name, value in result.items() if values.to_text(name) == "extra_attributes")
            for result in plain["results"]
        ]
        total = plain["total_results"]
    else:
        total, *lists = reply
        rows = [dict(zip(row[::2], row[1::2], strict=True)) for row in lists]
    named = [{values.to_text(name): value for name, value in row.items()} for row in rows]
    return int(total), [row["__key"] for row in named]
