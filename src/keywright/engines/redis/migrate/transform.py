"""A transform as Lua that compares and sets: Redis cannot say a transform itself, so that values come from Python."""

import json
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from keywright.ir.template import parse
from keywright.ir.transform import Transform
from keywright.ir.written import iso, text

from .item import Text

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
"""Write fields of a hash that is there and whose fields still are what was read; its expiry stays.

ARGV: how many fields are compared; (field, 1 if it was there, value) of each; the field that stands in where a hash
would lose its last one and so its key; how many fields are set; (field, value) of each; the fields that go.
"""

STRING = """\
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
return 1
"""
"""Replace a string that still is what was read; a plain SET would end its expiry. ARGV: old and new value."""


def compile(transform: Transform, types: Mapping[str, str]) -> None:
    """None: what the server can say is no more than the comparison, so that the scripts are the guarded form."""
    return


def hash_arguments(
    read: Mapping[str, Text | None], put: Mapping[str, Text], gone: tuple[str, ...], stand_in: str
) -> list[Text | int]:
    """The arguments of HASH.

    read: what each field must hold, None for nothing. put: new values by field. gone: fields that go.
    """
    arguments: list[Text | int] = [len(read)]
    for name, value in read.items():
        arguments += [name, 0, ""] if value is None else [name, 1, value]
    arguments += [stand_in, len(put)]
    for name, value in put.items():
        arguments += [name, value]
    return [*arguments, *gone]


def match(template: str) -> str:
    """The pattern of SCAN for keys of a template: how they begin."""
    head = parse(template).head
    return "".join(f"\\{sign}" if sign in "*?[]^-\\" else sign for sign in head) + "*"


def form(path: str, value: Any, *, is_json: bool) -> Any:
    """A value as a hash holds it, or JSON."""
    match value:
        case datetime():
            return iso(value)
        case date() | UUID() | Decimal():
            return text(value)
        case timedelta():
            raise ValueError("a duration is written as seconds")
        case dict() | list() if not is_json:
            return json.dumps(value, separators=(",", ":"), ensure_ascii=False)
        case str():
            return value
        case bytes() if is_json:
            raise ValueError("JSON holds no bytes")
        case bool() | int() | float() if not is_json:
            return text(value)
        case None if not is_json:
            raise ValueError("a hash holds no null")
        case _:
            return value
