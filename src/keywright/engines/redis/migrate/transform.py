"""Lua scripts that compare and set: Redis cannot execute a transform, so Python computes the values."""

import json
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from keywright.engines.time_precisions import precision_in
from keywright.ir.template import parse
from keywright.ir.text_form import UnsupportedValue, iso, moment, text
from keywright.ir.transform import Transform

from ..schema.item import Text

HASH = """\
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
local at = 2
for _ = 1, tonumber(ARGV[1]) do
  local found = redis.call('HGET', KEYS[1], ARGV[at])
  if ARGV[at + 1] == '0' then
    if found then return 0 end
  elseif found ~= ARGV[at + 2] then
    return 0
  end
  at = at + 3
end
local stand_in, sets = ARGV[at], tonumber(ARGV[at + 1])
at = at + 2
for _ = 1, sets do
  redis.call('HSET', KEYS[1], ARGV[at], ARGV[at + 1])
  at = at + 2
end
local gone = 0
for i = at, #ARGV do
  if redis.call('HEXISTS', KEYS[1], ARGV[i]) == 1 then gone = gone + 1 end
end
if gone > 0 and redis.call('HLEN', KEYS[1]) == gone then redis.call('HSET', KEYS[1], stand_in, '1') end
for i = at, #ARGV do redis.call('HDEL', KEYS[1], ARGV[i]) end
return 1
"""
"""Write fields of an existing hash whose compared fields are unchanged since they were read; its expiry stays.

ARGV: the number of fields to compare; (field, 1 if it existed, value) of each; the placeholder field for a hash that
would lose its last field and so its key; the number of fields to set; (field, value) of each; the fields to remove.
"""

STRING = """\
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if KEYS[2] then
  if redis.call('EXISTS', KEYS[2]) == 1 then return 0 end
  local left = redis.call('PTTL', KEYS[1])
  if left < 0 then redis.call('SET', KEYS[2], '1') else redis.call('SET', KEYS[2], '1', 'PX', left + 604800000) end
end
redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
return 1
"""
"""Replace a string that is unchanged since it was read and that a pass has not marked as done; a plain SET would
remove its expiry. KEYS: the string, and the key of its mark, if any. The mark expires a week after the string, because
writers that extend the string's expiry do not extend the mark's. ARGV: old and new value."""

DOCUMENT = STRING.replace("redis.call('GET', KEYS[1])", "redis.call('JSON.GET', KEYS[1])").replace(
    "redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')", "redis.call('JSON.SET', KEYS[1], '$', ARGV[2])"
)
"""The same for a JSON document, whose expiry stays."""

MARKS = b"_kw_m:"
"""Prefix of the keys of marks."""

OWN = (MARKS, b"kw:{")
"""Prefixes of keywright's own keys: marks and histories."""


def compile(transform: Transform, types: Mapping[str, str]) -> None:
    """None: the server can only compare, so that the scripts are the guarded form."""
    return


def hash_arguments(
    read: Mapping[str, Text | None], put: Mapping[str, Text], gone: tuple[str, ...], stand_in: str
) -> list[Text | int]:
    """The arguments of HASH.

    read: the expected value of each field, None for an absent one. put: new values by field. gone: fields to remove.
    """
    arguments: list[Text | int] = [len(read)]
    for name, value in read.items():
        arguments += [name, 0, ""] if value is None else [name, 1, value]
    arguments += [stand_in, len(put)]
    for name, value in put.items():
        arguments += [name, value]
    return [*arguments, *gone]


def mark_keys(once: str) -> str:
    """Prefix of the keys of a pass's marks, as a template."""
    return f"{MARKS.decode()}{once}:"


def mark_key(key: bytes, once: str) -> bytes:
    """The key of the mark for a string, which cannot contain one; in the string's slot, because a script needs that.

    A key with a "}" but without a hash tag has no such key: a cluster then rejects the script.
    Source: https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/, 2026-11-22.
    """
    tag = key.partition(b"{")[2].partition(b"}")
    slot = tag[0] if tag[0] and tag[1] else key
    return b"".join((mark_keys(once).encode(), b"{", slot, b"}:", key))


def match(template: str) -> str:
    """The pattern of SCAN for keys of a template: their constant prefix."""
    constant_prefix = parse(template).head
    return "".join(f"\\{sign}" if sign in "*?[]^-\\" else sign for sign in constant_prefix) + "*"


def form(path: str, value: Any, type: str | None = None, *, is_json: bool) -> Any:
    """A value in the form of a hash, or of JSON; times are cut to the precision of the type."""
    if (precision := precision_in(type or "")) and isinstance(value, (str, datetime)):
        return iso(moment(value), precision)
    match value:
        case datetime():
            return iso(value)
        case date() | UUID() | Decimal():
            return text(value)
        case timedelta():
            raise UnsupportedValue("a duration must be written as seconds")
        case dict() | list() if not is_json:
            return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
        case str():
            return value
        case dict() | list():
            json.dumps(value)  # raises here for values that JSON cannot represent, not when they are written
            return value
        case set() | frozenset():
            raise UnsupportedValue("a set must be written as a list")
        case bytes() if is_json:
            raise UnsupportedValue("JSON cannot contain bytes")
        case bool() | int() | float() if not is_json:
            return text(value)
        case None if not is_json:
            raise UnsupportedValue("a hash cannot contain null")
        case _:
            return value
