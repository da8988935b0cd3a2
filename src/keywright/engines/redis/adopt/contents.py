"""The contents of a family's keys: the structure that they are, and the items in it."""

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from keywright.declare.store import VERSION
from keywright.ir.attribute import Attribute, Map, Scalar, ScalarKind
from keywright.ir.text import counted
from keywright.record import Record

from ..declare.options import (
    RedisBitmap,
    RedisCounter,
    RedisHash,
    RedisHyperLogLog,
    RedisJson,
    RedisList,
    RedisStream,
    RedisString,
    Structure,
)
from ..schema.layout import has_path
from .families import LEAST, TIMES, UNREAD, Family, Value
from .key_shapes import is_word
from .sampled_keys import StoredKey
from .values import HYPERLOGLOG, UUID_TEXT, columns, is_text, is_whole, loaded, plain, unreadable
from .words import KnownWords, pieces

_FLAGS = frozenset(("feature", "features", "flag", "flags", "toggle", "toggles"))
"""Words of keys with flags of features."""

FEW = 0.02
"""Largest share of unreadable values beside which the others still are an entity."""

_BITS = frozenset(("bitmap", "bits", "bit", "bitfield"))
"""Words of keys with bitmaps."""

_DATA_FIELDS = 4
"""Number of fields from which a hash may be a mapping of data."""


class NoWord(Exception):
    """Contents that no declaration describes; the text says what they are."""


class Contents(Record):
    """The contents of a family's keys."""

    kind: type[Structure]
    """The declaration."""
    options: Mapping[str, Any]
    """Its options, besides the key."""
    items: tuple[Mapping[str, Any], ...]
    """Items by stored names; their values give the types of fields."""
    keys: tuple[StoredKey, ...]
    """The readable keys; one for each item if the item is the whole key."""
    remark: str = ""
    """Unusual properties, in a few words."""
    version: int = 1
    """The schema version of the items."""
    fields: tuple[Attribute, ...] = ()
    """Fields that no item shows by its names: members, scores, places, bits."""

    @property
    def is_one_per_key(self) -> bool:
        """Whether each key is one item."""
        return len(self.items) == len(self.keys) and self.kind in (RedisString, RedisHash, RedisJson)


def require_contents(family: Family) -> None:
    """Raise NoWord for a family whose keys or contents were not read, or that no template could name."""
    kind = family.parts[0]
    if isinstance(kind, str) and kind in UNREAD:
        raise NoWord(UNREAD[kind])
    if not any(isinstance(part, str) and is_word(part) for part in family.parts) and _are_texts(family):
        raise NoWord("their keys have no word before their values")
    if not family.keys:
        raise NoWord("too large to be sampled" if family.large else "they expired before they were read")


def _are_texts(family: Family) -> bool:
    values = [part for part in family.parts if isinstance(part, Value)]
    return any(not value.kinds <= _SURE for value in values)


_SURE = TIMES | {"<uuid>", "<number>"}
"""Values that need no word before them."""


def string_contents(family: Family) -> Contents:
    """Strings: HyperLogLogs, bitmaps, JSON, counters, or single values."""
    values = [key.value for key in family.keys]
    if all(value.startswith(HYPERLOGLOG) for value in values):
        return Contents(RedisHyperLogLog, {"member": "{member}"}, (), family.keys, fields=(_field("member", "string"),))
    if _are_bits(family, values):
        return Contents(RedisBitmap, {"bit": "bit"}, (), family.keys, fields=(_field("bit", "integer"),))
    keys, remark = _good(family.keys, lambda key: unreadable(key.value))
    documents = [loaded(key.value) for key in keys]
    if all(isinstance(document, dict) for document in documents):
        items, version = _versioned(documents)
        if _are_data(items):
            fields = (Attribute("value", "value", "value", Map(Scalar("json"))),)
            return Contents(RedisString, {"value": "value"}, (), keys, remark, fields=fields)
        return Contents(RedisString, {}, items, keys, remark, version)
    if all(isinstance(document, list) for document in documents):
        return Contents(RedisString, {"value": "value"}, tuple({"value": each} for each in documents), keys, remark)
    texts = [key.value.decode() for key in keys]
    if all(map(is_whole, texts)) and not _are_references(family):
        return Contents(RedisCounter, {"value": "count"}, tuple({"count": int(text)} for text in texts), keys, remark)
    objects = sum(document is not None for document in documents)
    mixed = f"{counted(objects, 'value')} of {len(keys)} are JSON" if objects else ""
    name = _value_name(family, texts)
    plain_items = tuple({name: plain(key.value)} for key in keys)
    return Contents(RedisString, {"value": name}, plain_items, keys, "; ".join(filter(None, (remark, mixed))))


def _value_name(family: Family, texts: Sequence[str]) -> str:
    """The name of a single value: `enabled` of a flag, `user_id` of `email_to_user`, else `value`."""
    words = [piece for part in family.parts if isinstance(part, str) for piece in pieces(part)]
    if not _FLAGS.isdisjoint(words) and set(texts) <= {"true", "false"}:
        return "enabled"
    if "to" in words[:-1] and len(target := words[words.index("to") + 1 :]) == 1:
        is_id = all(is_whole(text) or UUID_TEXT.fullmatch(text) for text in texts)
        return f"{target[0]}_id" if is_id else target[0]
    return "value"


def _field(name: str, kind: ScalarKind) -> Attribute:
    return Attribute(name, name, name, Scalar(kind))


def hash_contents(family: Family) -> Contents:
    """Hashes: one object each; NoWord if the names of fields are data."""
    keys, remark = _good(family.keys, lambda key: _unreadable_field(key.value))
    items, version = _versioned(columns([key.value for key in keys]))
    if _are_data(items):
        raise NoWord("the names of their fields are data, and a RedisHash has declared fields")
    return Contents(RedisHash, {}, items, keys, remark, version)


def document_contents(family: Family) -> Contents:
    """JSON documents: one object each; NoWord for other values, or if the names of fields are data."""
    documents = [loaded(key.value) for key in family.keys]
    if not all(isinstance(document, dict) for document in documents):
        raise NoWord("their documents are no JSON objects, and a RedisJson has declared fields")
    items, version = _versioned(documents)
    if _are_data(items):
        raise NoWord("the names of their fields are data, and a RedisJson has declared fields")
    if name := next((name for item in items for name in item if not has_path(name)), ""):
        raise NoWord(f"no path can contain the name {name!r} of a field")
    return Contents(RedisJson, {}, items, family.keys, "", version)


def list_contents(family: Family) -> Contents:
    """Lists of JSON objects."""
    elements = [element for key in family.keys for element in key.value]
    if problem := next(filter(None, map(unreadable, elements)), ""):
        raise NoWord(f"their elements are {problem}")
    documents = [loaded(element) for element in elements]
    if not documents or not all(isinstance(document, dict) for document in documents):
        raise NoWord("their elements are no JSON objects, and a RedisList contains objects")
    items, version = _versioned(documents)
    if _are_data(items):
        raise NoWord("the names in their elements are data, and a RedisList contains objects with declared fields")
    return Contents(RedisList, {}, items, family.keys, "", version)


def stream_contents(family: Family) -> Contents:
    """Streams: the sampled entries."""
    entries = [entry for key in family.keys for entry in key.value if entry]
    if problem := next(filter(None, map(_unreadable_field, entries)), ""):
        raise NoWord(f"their entries have {problem}")
    if not entries:
        raise NoWord("they have no entries")
    items, _ = _versioned(columns(entries))
    if _are_data(items):
        raise NoWord("the names of their fields are data, and a RedisStream has declared fields")
    return Contents(RedisStream, {"keep": None}, items, family.keys)


def _good(keys: Sequence[StoredKey], problem: Callable[[StoredKey], str]) -> tuple[tuple[StoredKey, ...], str]:
    """(readable keys, remark about the others); NoWord if more than a few are unreadable."""
    problems = [problem(key) for key in keys]
    good = tuple(key for key, bad in zip(keys, problems, strict=True) if not bad)
    bad = Counter(filter(None, problems))
    if not bad:
        return good, ""
    ((most, _),) = bad.most_common(1)
    if len(keys) - len(good) > FEW * len(keys):
        raise NoWord(f"their values are {most}" if len(good) == 0 else f"some values are {most}")
    return good, f"{len(keys) - len(good)} of {counted(len(keys), 'sampled value')}: {most}"


def _unreadable_field(fields: Mapping[bytes, bytes]) -> str:
    if any(not is_text(name) for name in fields):
        return "names of fields that are no text"
    return next((f"a field of {problem}" for problem in map(unreadable, fields.values()) if problem), "")


def _versioned(documents: Sequence[Mapping[str, Any]]) -> tuple[tuple[dict[str, Any], ...], int]:
    """(items of the newest schema version, that version)."""
    versions = [str(document.get(VERSION, "1")) for document in documents]
    newest = max((int(version) for version in versions if version.isdecimal()), default=1)
    of_newest = [document for document, version in zip(documents, versions, strict=True) if version == str(newest)]
    return tuple({name: value for name, value in item.items() if name != VERSION} for item in of_newest), newest


def _are_references(family: Family) -> bool:
    """Whether whole numbers are values such as ids, by a key such as `email_to_user:...`, and no counts."""
    return any("to" in pieces(part) for part in family.parts if isinstance(part, str))


def _are_bits(family: Family, values: Sequence[bytes]) -> bool:
    """Whether values are bitmaps: no text, mostly zero or named so, and without a trailing zero byte."""
    if not values or any(not value or value[-1] == 0 for value in values) or all(map(is_text, values)):
        return False
    if any(problem not in ("", "binary data") for problem in map(unreadable, values)):
        return False
    named = any(not _BITS.isdisjoint(pieces(part)) for part in family.parts if isinstance(part, str))
    zeros = sum(value.count(0) for value in values)
    return named or zeros * 2 >= sum(map(len, values))


def _are_data(items: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the names of fields are data: no names, or each in few objects, with values of one kind.

    Names that too few objects show are data, unless they are known words.
    """
    counts = Counter(name for item in items for name in item)
    if any(not _NAME.fullmatch(name) for name in counts):
        return True
    if len(items) < LEAST and not all(name in _LISTED for name in counts):
        return True
    is_seldom = sum(counts.values()) * 3 <= len(counts) * len(items) * 2
    kinds = {type(value) for item in items for value in item.values()}
    wholes = {is_whole(str(value)) for item in items for value in item.values()}
    is_listed = all(name in _LISTED for name in counts)
    return len(counts) >= _DATA_FIELDS and is_seldom and not is_listed and len(kinds) == 1 and len(wholes) == 1


_NAME = re.compile(r"[^\W\d][^:@/|#]*|[$@]\w+")
_LISTED = KnownWords(())
