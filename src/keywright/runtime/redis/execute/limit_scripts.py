"""Lua scripts of rate limits: one for each kind of window."""

from .scripts import script

SLIDING = script("""\
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
"""Counts calls of a rate limit with a sliding window."""

FIXED = script("""\
-- A call is allowed while the counter of its period is below `limit`; only what is allowed is counted.
-- KEYS: the counter of the period. ARGV: limit, seconds that the counter is kept, how many calls are asked for.
local asked = tonumber(ARGV[3])
if tonumber(redis.call('GET', KEYS[1]) or '0') + asked > tonumber(ARGV[1]) then return 0 end
redis.call('INCRBY', KEYS[1], asked)
redis.call('EXPIRE', KEYS[1], ARGV[2])
return 1
""")
"""Counts calls of a rate limit with a counter for each period."""

BUCKET = script("""\
-- A call takes tokens of a bucket; it is allowed where they are there, else nothing is taken.
-- The bucket is kept as the moment at which it is full again, and is gone by then.
-- KEYS: the bucket.
-- ARGV: tokens that flow in during a period, the period, most tokens, how many are asked for, now or ''.
local seconds, most = tonumber(ARGV[2]) / tonumber(ARGV[1]), tonumber(ARGV[3])
local now = tonumber(ARGV[5])
if not now then
  local time = redis.call('TIME')  -- the clock of the server: those of its clients differ
  now = time[1] + time[2] / 1000000
end
local full = math.max(now, tonumber(redis.call('GET', KEYS[1]) or '0')) + tonumber(ARGV[4]) * seconds
-- A microsecond more, because a moment is a rounded number.
if full - now > most * seconds + 0.000001 then return 0 end
redis.call('SET', KEYS[1], string.format('%.6f', full), 'PX', string.format('%.0f', math.ceil((full - now) * 1000)))
return 1
""")
"""Takes tokens of a bucket."""
