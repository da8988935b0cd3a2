"""A bounded sample of the contents of keys on a live server, in the form in which `runtime` reads items."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from keywright.declare.store import VERSION
from keywright.drivers.translate_errors import not_installed
from keywright.engines.contract.pages import Work
from keywright.record import Record

try:
    from redis.exceptions import NoPermissionError
except ImportError as error:
    raise not_installed("redis") from error

MOST_BYTES = 256 * 1024
"""The largest hash or string that is read, by the server's estimate of its memory."""

MOST_FIELDS = 1_000
"""The most fields of a hash that is read."""

MOST = 10
"""The most elements, members or entries that are read from one key."""

Elements = tuple[tuple[int | None, Any], ...]
"""(schema version, item) of each element; a version that is no number is None."""

TYPES = {
    "string": "string", "cache": "string", "counter": "string", "hash": "hash", "list": "list", "set": "set",
    "sorted set": "zset", "stream": "stream",
}  # fmt: skip
"""Structures whose items can be read, and the server's type of each: a HyperLogLog has no readable items, and bits and
places are numbers."""


class KeyInfo(Record):
    """A key with the server's facts about it."""

    key: bytes
    """The key."""
    work: Work
    """The entity of the key."""
    type: str
    """The server's type."""
    length: int
    """Elements, members, fields, entries or bytes of text."""
    bytes: int
    """Memory of the key; 0 if it is unknown."""


def elements(client: Any, keys: Sequence[KeyInfo]) -> dict[bytes, Elements]:
    """Some items of each key, as pairs that `from_item` accepts; none of large keys, or of keys of another type.

    client: a client that does not decode answers.
    """
    key_infos = [info for info in keys if TYPES.get(info.work.kind) == info.type and _is_small(info)]
    pipeline = client.pipeline(transaction=False)
    for key_info in key_infos:
        match key_info.type:
            case "string":
                pipeline.get(key_info.key)
            case "hash":
                pipeline.hgetall(key_info.key)
            case "list":
                pipeline.lrange(key_info.key, 0, MOST - 1)
            case "set":
                pipeline.srandmember(key_info.key, MOST)
            case "zset":
                pipeline.zrange(key_info.key, 0, MOST - 1, withscores=True)
            case _:
                pipeline.xrevrange(key_info.key, count=MOST)
    answers = pipeline.execute(raise_on_error=False) if key_infos else []
    permission_error = next((answer for answer in answers if isinstance(answer, NoPermissionError)), None)
    if permission_error is not None:
        raise permission_error
    return {info.key: _items(info, answer) for info, answer in zip(key_infos, answers, strict=True)}


def _is_small(key: KeyInfo) -> bool:
    if key.type in ("string", "hash"):
        return key.bytes <= MOST_BYTES and (key.type == "string" or key.length <= MOST_FIELDS)
    return key.bytes // max(key.length, 1) * MOST <= MOST_BYTES


def _items(key: KeyInfo, answer: Any) -> Elements:
    """Items in an answer; none if the key was deleted or replaced in the meantime."""
    if not answer or isinstance(answer, Exception):
        return ()
    if key.type in ("string", "hash"):
        return (_item(key, answer),)
    values = (fields for _, fields in answer) if key.type == "stream" else answer
    return tuple(_item(key, tuple(value) if key.type == "zset" else value) for value in values if value)


def _item(key: KeyInfo, value: Any) -> tuple[int | None, Any]:
    pair = (key.key, value)
    version = plain(pair, key.work).get(VERSION, 1)
    text = version.decode("ascii", "replace") if isinstance(version, bytes) else str(version)
    return int(text) if text.isdecimal() else None, pair


def plain(item: Any, work: Work) -> Mapping[str, Any]:
    """See `Observer.plain`: fields of a hash or entry, or of JSON; none if one field is the whole value."""
    _, value = item
    if isinstance(value, Mapping):
        return {name.decode("utf-8", "replace"): _loaded(field_value) for name, field_value in value.items()}
    if work.value or work.kind not in ("string", "cache", "list"):
        return {}
    loaded = _loaded(value)
    return loaded if isinstance(loaded, dict) else {}


def _loaded(value: Any) -> Any:
    """The parsed JSON; the text itself if it is no JSON, or a single value."""
    try:
        document = json.loads(value)
    except ValueError:
        return value
    return document if isinstance(document, (dict, list)) else value
