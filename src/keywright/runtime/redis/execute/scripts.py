"""Lua scripts for atomic operations that no command offers; those of rate limits are in `limit_scripts`."""

import hashlib
from collections.abc import Sequence
from typing import Any

from keywright.engines.redis.schema.item import Argument
from keywright.record import Record

from ..client_types import RedisClient


class Script(Record):
    """A Lua script."""

    text: str
    """Text of the script."""
    digest: str
    """Digest of the script for EVALSHA."""

    def __call__(self, client: RedisClient, keys: Sequence[str], arguments: Sequence[Argument]) -> Any:
        """Run the script; EVAL sends its text to a server that has not loaded it."""
        from redis.exceptions import NoScriptError  # only applications have the client; planning works without it

        try:
            return client.execute_command("EVALSHA", self.digest, len(keys), *keys, *arguments)
        except NoScriptError:
            return client.execute_command("EVAL", self.text, len(keys), *keys, *arguments)


def script(text: str) -> Script:
    """The script of a text."""
    return Script(text, hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest())


GUARDED = script("""\
-- Commands that are carried out together if all conditions hold.
-- KEYS: every key that is touched.
-- ARGV: how many conditions there are; for each, how many words it has and the words; the commands likewise.
-- A condition is (how, structure, key, field or member, kind of comparison, values...). `unless gone` ends the script
-- where its item is not there. `exact` keeps a score among the whole numbers that a double holds, `finite` a number
-- among those that are one, beside infinite scores. `version` has the least and the most; no version is 1.
-- Answers {1, answer of each command...}, or {0, number of the condition that fails, the version if that is why}.
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

-- The value at a path of a document, as its text in other structures; false if it is null or not there.
local function part_of(key, path)
  local found = redis.call('JSON.GET', key, path)
  if not found or found == '[]' or found == '[null]' then return false end
  if string.sub(found, 2, 2) == '"' then return cjson.decode(found)[1] end
  return string.sub(found, 2, -2)
end

local function value_of(structure, key, field)
  if structure == 'hash' then return redis.call('HGET', key, field) end
  if structure == 'string' then return redis.call('GET', key) end
  if structure == 'json' then return part_of(key, field) end
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
  if how == 'shorter' then
    local length = redis.call('JSON.ARRLEN', test[3], test[4])[1]
    return not length or length < tonumber(test[6])
  end
  if how == 'object' then return value and string.sub(value, 1, 1) == '{' end
  if how == 'version' then
    local found = tonumber(value or '1') or 1
    return found >= tonumber(test[6]) and found <= tonumber(test[7])
  end
  if how == 'exact' then return math.abs(tonumber(value or '0') + tonumber(test[6])) < 9007199254740992 end
  -- A number that is not there counts from 0.
  if how == 'finite' then
    local number = tonumber(value or '0')
    local sum = number and number + tonumber(test[6])
    return sum and (sum - sum == 0 or test[2] == 'sorted set' and sum == number)
  end
  if how == 'under' then return before[kind](value or '0', test[6]) end
  if how == 'under or at' then return not before[kind](test[6], value or '0') end
  if how == 'over' then return before[kind](test[6], value or '0') end
  if how == 'over or at' then return not before[kind](value or '0', test[6]) end
  if how == 'not' then return not value or not same(kind, value, test[6]) end
  if not value then return false end
  if how == 'at_least' then return not before[kind](value, test[6]) end
  if how == 'above' then return before[kind](test[6], value) end
  if how == 'at_most' then return not before[kind](test[6], value) end
  if how == 'below' then return before[kind](value, test[6]) end
  for i = 6, #test do
    if same(kind, value, test[i]) then return true end
  end
  return false
end

local conditions = tonumber(ARGV[at])
at = at + 1
for i = 1, conditions do
  local test = words()
  if test[1] == 'unless gone' then
    if not value_of(test[2], test[3], test[4]) then return {1} end
  elseif not holds(test) then
    return {0, i, test[1] == 'version' and tonumber(value_of(test[2], test[3], test[4]) or '1') or nil}
  end
end

local answers = {1}
while ARGV[at] do
  local command = words()
  if command[1] == 'STAND-IN' then
    -- A hash without fields is gone, so a stand-in is written first; beside others it is not wanted.
    if redis.call('HLEN', command[2]) > 1 then redis.call('HDEL', command[2], command[3]) end
  elseif command[1] == 'ZERO' then
    -- A number of a document that is null or not there counts from 0.
    if not part_of(command[2], command[3]) then redis.call('JSON.SET', command[2], command[3], '0') end
  elseif command[1] == 'LIST' then
    if not part_of(command[2], command[3]) then redis.call('JSON.SET', command[2], command[3], '[]') end
  else
    answers[#answers + 1] = redis.call(unpack(command))
  end
end
return answers
""")
"""Executes commands atomically if all conditions hold."""

_SET_ASIDE = """\
local stream, dead, group, consumer = KEYS[1], KEYS[2], ARGV[1], ARGV[2]

-- {id, consumer, idle, deliveries} of an entry that the group has not acknowledged.
local function pending(id) return redis.call('XPENDING', stream, group, id, id, 1)[1] end

local function set_aside(id, fields, reason)
  local words = {'XADD', dead}
  for word in string.gmatch(ARGV[3], '%S+') do words[#words + 1] = word end
  for _, word in ipairs({'*', 'kw:id', id, 'kw:group', group, 'kw:reason', reason}) do words[#words + 1] = word end
  for _, word in ipairs(fields) do words[#words + 1] = word end
  redis.call(unpack(words))
  redis.call('XACK', stream, group, id)
end
"""

CLAIMED = script(f"""\
-- Entries for a consumer: unfinished ones whose consumer is silent, then new ones; nothing is acknowledged.
-- Before that, entries that are due are appended.
-- KEYS: stream, dead letters, entries that wait if any may.
-- ARGV: group, consumer, words that trim stream and dead letters, silence in milliseconds, how many are wanted, most
-- deliveries, the id where the last look at unfinished entries ended, now in milliseconds or ''.
-- Answers {{where this look ended, how many were set aside, {{{{id, fields, how many deliveries}}...}}}}.
{_SET_ASIDE}
local wanted, most, at = tonumber(ARGV[5]), tonumber(ARGV[6]), ARGV[7]
local found, aside = {{}}, 0

-- The words of an entry that waits, each behind its length; the first one only makes it unique.
local function words_of(member)
  local words, place = {{}}, 1
  while place <= #member do
    local colon = string.find(member, ':', place, true)
    local last = colon + tonumber(string.sub(member, place, colon - 1))
    words[#words + 1] = string.sub(member, colon + 1, last)
    place = last + 1
  end
  return words
end

if KEYS[3] then
  local now = ARGV[8]
  if now == '' then
    local time = redis.call('TIME')
    now = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
  end
  for _, member in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', now, 'LIMIT', 0, wanted)) do
    local words = {{'XADD', stream}}
    for word in string.gmatch(ARGV[3], '%S+') do words[#words + 1] = word end
    words[#words + 1] = '*'
    for place, word in ipairs(words_of(member)) do
      if place > 1 then words[#words + 1] = word end
    end
    redis.call(unpack(words))
    redis.call('ZREM', KEYS[3], member)
  end
end
-- One XAUTOCLAIM looks at ten times as many entries as it wants: very many are looked through by several calls.
for _ = 1, 10 do
  local answer = redis.call('XAUTOCLAIM', stream, group, consumer, ARGV[4], at, 'COUNT', wanted - #found)
  at = answer[1]
  for _, entry in ipairs(answer[2]) do
    if entry and entry[2] then  -- of a trimmed entry, Redis 6.2 tells nothing
      local known = pending(entry[1])
      if known and known[4] > most then
        set_aside(entry[1], entry[2], most .. ' deliveries')
        aside = aside + 1
      else
        found[#found + 1] = {{entry[1], entry[2], known and known[4] or 1}}
      end
    end
  end
  if at == '0-0' or #found == wanted then break end
end
if #found < wanted then
  local count = wanted - #found
  local answer = redis.call('XREADGROUP', 'GROUP', group, consumer, 'COUNT', count, 'STREAMS', stream, '>')
  if answer then
    for _, entry in ipairs(answer[1][2]) do found[#found + 1] = {{entry[1], entry[2], 1}} end
  end
end
return {{at, aside, found}}
""")
"""Claims entries of a stream for a consumer."""

RELEASED = script("""\
-- Entries that a consumer still holds become free for the group, without counting as delivered once more.
-- KEYS: stream. ARGV: group, consumer, their age in milliseconds as if they had been delivered then, ids.
for at = 4, #ARGV do
  local known = redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[at], ARGV[at], 1)[1]
  if known and known[2] == ARGV[2] then
    redis.call('XCLAIM', KEYS[1], ARGV[1], ARGV[2], 0, ARGV[at], 'IDLE', ARGV[3], 'JUSTID')
  end
end
return 1
""")
"""Returns entries to their group."""

UNREADABLE = script(f"""\
-- Entries that a consumer holds and cannot read go to the dead letters.
-- KEYS: stream, dead letters. ARGV: group, consumer, words that trim the dead letters, ids.
{_SET_ASIDE}
for at = 4, #ARGV do
  local known, entry = pending(ARGV[at]), redis.call('XRANGE', stream, ARGV[at], ARGV[at])[1]
  if known and known[2] == consumer then
    if entry then set_aside(entry[1], entry[2], 'unreadable') else redis.call('XACK', stream, group, ARGV[at]) end
  end
end
return 1
""")
"""Moves unreadable entries to the dead letters."""

NEIGHBOURS = script("""\
-- The members around a member, as many as are wanted where there are enough.
-- KEYS: the sorted set. ARGV: ZRANK or ZREVRANK, member, how many are wanted, whether equal scores share a rank.
-- Answers {place of the first one, its rank, {member, score, ...}}, or nothing where the member is not there.
local rank, wanted = redis.call(ARGV[1], KEYS[1], ARGV[2]), tonumber(ARGV[3])
if not rank then return false end
local first = math.max(0, math.min(rank - math.floor(wanted / 2), redis.call('ZCARD', KEYS[1]) - wanted))
local words = {'ZRANGE', KEYS[1], first, first + wanted - 1, 'WITHSCORES'}
if ARGV[1] == 'ZREVRANK' then table.insert(words, 5, 'REV') end
local found, rank_of_first = redis.call(unpack(words)), first
if ARGV[4] == '1' then
  local low, high = '-inf', '(' .. found[2]
  if ARGV[1] == 'ZREVRANK' then low, high = '(' .. found[2], '+inf' end
  rank_of_first = redis.call('ZCOUNT', KEYS[1], low, high)
end
return {first, rank_of_first, found}
""")
"""Reads the members around a member."""
