"""A bounded sample of the contents of keys on a live server, in the form in which `runtime` reads items."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from keywright.declare.store import VERSION
from keywright.drivers.translate_errors import not_installed
from keywright.engines.contract.pages import Work
from keywright.engines.redis.schema.layout import JSON_KINDS
from keywright.record import Record

from .sending import DOCUMENT

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
    "sorted set": "zset", "stream": "stream", "json": DOCUMENT,
}  # fmt: skip
"""Structures whose items can be read, and the server's type of each: a HyperLogLog has no readable items, and bits and
places are numbers."""


SINGLE = ("string", "hash", DOCUMENT)
"""The server's types of keys with one item."""


class KeyInfo(Record):
    """A key with the server's facts about it."""

    key: bytes
    """The key."""
    type: str
    """The server's type."""
    length: int
    """Elements, members, fields, entries or bytes of text."""
    bytes: int
    """Memory of the key; 0 if it is unknown."""


def elements(client: Any, keys: Sequence[KeyInfo], works: Mapping[bytes, Work]) -> dict[bytes, Elements]:
    """Some items of each key, as pairs that `from_item` accepts; none of large keys, or of keys of another type.

    client: a client that does not decode answers. works: the pass over the entity of each key.
    """
    infos = [info for info in keys if TYPES.get(works[info.key].kind) == info.type and is_small(info)]
    answers = answers_of(client, infos)
    return {info.key: _items(info, works[info.key], answer) for info, answer in zip(infos, answers, strict=True)}


def answers_of(client: Any, keys: Sequence[KeyInfo]) -> list[Any]:
    """The server's answers with the contents of keys, or with some of them; raises NoPermissionError."""
    pipeline = client.pipeline(transaction=False)
    for info in keys:
        match info.type:
            case "string":
                pipeline.get(info.key)
            case "hash":
                pipeline.hgetall(info.key)
            case "ReJSON-RL":
                pipeline.execute_command("JSON.GET", info.key)
            case "list":
                pipeline.lrange(info.key, 0, MOST - 1)
            case "set":
                pipeline.srandmember(info.key, MOST)
            case "zset":
                pipeline.zrange(info.key, 0, MOST - 1, withscores=True)
            case "stream":
                pipeline.xrevrange(info.key, count=MOST)
            case _:  # a type of a module
                pipeline.exists(info.key)
    answers = list(pipeline.execute(raise_on_error=False)) if keys else []
    permission_error = next((answer for answer in answers if isinstance(answer, NoPermissionError)), None)
    if permission_error is not None:
        raise permission_error
    return answers


def is_small(key: KeyInfo) -> bool:
    """Whether the contents of a key, or the part of them that is read, are small."""
    if key.type in SINGLE:
        return key.bytes <= MOST_BYTES and (key.type != "hash" or key.length <= MOST_FIELDS)
    return key.bytes // max(key.length, 1) * MOST <= MOST_BYTES


def _items(key: KeyInfo, work: Work, answer: Any) -> Elements:
    """Items in an answer; none if the key was deleted or replaced in the meantime."""
    if not answer or isinstance(answer, Exception):
        return ()
    if key.type in SINGLE:
        return (_item(key, work, answer),)
    values = (fields for _, fields in answer) if key.type == "stream" else answer
    return tuple(_item(key, work, tuple(value) if key.type == "zset" else value) for value in values if value)


def _item(key: KeyInfo, work: Work, value: Any) -> tuple[int | None, Any]:
    pair = (key.key, value)
    version = plain(pair, work).get(VERSION, 1)
    text = version.decode("ascii", "replace") if isinstance(version, bytes) else str(version)
    return int(text) if text.isdecimal() else None, pair


def plain(item: Any, work: Work) -> Mapping[str, Any]:
    """See `Observer.plain`: fields of a hash or entry, or of JSON; none if one field is the whole value."""
    _, value = item
    if isinstance(value, Mapping):
        return {name.decode("utf-8", "replace"): _loaded(field_value) for name, field_value in value.items()}
    if work.value or work.kind not in JSON_KINDS:
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
