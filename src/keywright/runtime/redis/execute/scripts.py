"""What only a script can do in one step: writes with conditions, and rate limits."""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from keywright.engines.redis.item import Argument


@dataclass(frozen=True, slots=True)
class Script:
    """A Lua script."""

    text: str
    """Its text."""
    digest: str
    """What EVALSHA knows it by."""

    def __call__(self, client: Any, keys: Sequence[str], arguments: Sequence[Argument]) -> Any:
        """Run it; a server that does not know it yet is given the text."""
        from redis.exceptions import NoScriptError  # the application has the client; what plans does without it

        try:
            return client.execute_command("EVALSHA", self.digest, len(keys), *keys, *arguments)
        except NoScriptError:
            return client.execute_command("EVAL", self.text, len(keys), *keys, *arguments)


def _script(text: str) -> Script:
    return Script(text, hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest())


GUARDED = _script("""\
-- Commands that are carried out together if all conditions hold.
-- KEYS: every key that is touched.
-- ARGV: how many conditions there are; for each, how many words it has and the words; the commands likewise.
-- A condition is (how, structure, key, field or member, kind of comparison, values...).
-- Answers {1, answer of each command...}, or {0, number of the condition that does not hold}.
local at = 1

local function words()
  local found, count = {}, tonumber(ARGV[at])
  for i = 1, count do found[i] = ARGV[at + i] end
  at = at + count + 1
  return found
end

-- Text is compared byte by byte: the operators of Lua go by the language of the machine.
local function text_before(a, b)
  for i = 1, math.min(#a, #b) do
    local x, y = string.byte(a, i), string.byte(b, i)
    if x ~= y then return x < y end
  end
  return #a < #b
end

-- Whole numbers are compared as text: a number of Lua is a double, and rounds above 2^53.
local function integer_before(a, b)
  local below, other = string.sub(a, 1, 1) == '-', string.sub(b, 1, 1) == '-'
  if below ~= other then return below end
  if below then a, b = string.sub(b, 2), string.sub(a, 2) end
  if #a ~= #b then return #a < #b end
  return text_before(a, b)
end

local function number_before(a, b) return tonumber(a) < tonumber(b) end

local before = {text = text_before, integer = integer_before, number = number_before}

local function same(kind, a, b)
  if kind == 'number' then return tonumber(a) == tonumber(b) end
  return a == b
end

local function value_of(structure, key, field)
  if structure == 'hash' then return redis.call('HGET', key, field) end
  if structure == 'string' then return redis.call('GET', key) end
  if structure == 'sorted set' or structure == 'geo' then return redis.call('ZSCORE', key, field) end
  if structure == 'set' then return redis.call('SISMEMBER', key, field) == 1 and '1' end
  if structure == 'bitmap' then return redis.call('GETBIT', key, field) == 1 and '1' end
  return redis.call('EXISTS', key) == 1 and '1'
end

local function holds(test)
  local how, kind = test[1], test[5]
  local value = value_of(test[2], test[3], test[4])
  if how == 'absent' then return not value end
  if how == 'present' then return value end
  if how == 'not' then return not value or not same(kind, value, test[6]) end
  if not value then return false end
  if how == 'at_least' then return not before[kind](value, test[6]) end
  if how == 'below' then return before[kind](value, test[6]) end
  for i = 6, #test do
    if same(kind, value, test[i]) then return true end
  end
  return false
end

local conditions = tonumber(ARGV[at])
at = at + 1
for i = 1, conditions do
  if not holds(words()) then return {0, i} end
end

local answers = {1}
while ARGV[at] do
  local command = words()
  if command[1] == 'STAND-IN' then
    -- A hash without fields is gone, so a stand-in is written first; beside others it is not wanted.
    if redis.call('HLEN', command[2]) > 1 then redis.call('HDEL', command[2], command[3]) end
  else
    answers[#answers + 1] = redis.call(unpack(command))
  end
end
return answers
""")
"""Commands that are carried out together if all conditions hold."""

SLIDING = _script("""\
-- A call is allowed while there are fewer than `limit` in the last `period` seconds; only what is allowed is counted.
-- KEYS: the sorted set.
-- ARGV: limit, period, how many calls are asked for, now or '', member, whether the member is made unique.
local limit, period, asked = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local now = ARGV[4]
if now == '' then
  -- The clock of the server: those of its clients differ.
  local time = redis.call('TIME')
  now = time[1] .. '.' .. string.format('%06d', time[2])
end
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', string.format('%.6f', tonumber(now) - period))
if redis.call('ZCARD', KEYS[1]) + asked > limit then return 0 end
for i = 1, asked do
  local member = ARGV[5]
  if ARGV[6] == '1' then member = now .. '-' .. member .. '-' .. i end
  redis.call('ZADD', KEYS[1], now, member)
end
redis.call('EXPIRE', KEYS[1], period)
return 1
""")
"""A rate limit whose window slides."""

FIXED = _script("""\
-- A call is allowed while the counter of its period is below `limit`; only what is allowed is counted.
-- KEYS: the counter of the period. ARGV: limit, seconds that the counter is kept, how many calls are asked for.
local asked = tonumber(ARGV[3])
if tonumber(redis.call('GET', KEYS[1]) or '0') + asked > tonumber(ARGV[1]) then return 0 end
redis.call('INCRBY', KEYS[1], asked)
redis.call('EXPIRE', KEYS[1], ARGV[2])
return 1
""")
"""A rate limit with a counter for each period."""
