"""Histories on a Redis server: one hash for each store, with its lock and its rows.

What is written may be lost with the server's memory or in a failover, the fence too: not for stores that matter.
"""

import json
from typing import Any

from keywright.engines.interface import StatementFailed
from keywright.engines.ledger import UNHELD, Ledger, Lock
from keywright.ir.json import Json, canonical

PAGE = 500
"""Fields that one HSCAN looks at."""

WAIT_MILLISECONDS = 1_000
"""The longest wait for a replica to have what was written, where there are any."""

_PREPARE = """\
return redis.call('HSETNX', KEYS[1], 'fence', 0) == 1 and redis.call('HSET', KEYS[1], 'owner', '', 'beat', 0) or 0
"""

_SWAP = """\
local seen = redis.call('HMGET', KEYS[1], 'owner', 'fence', 'beat')
if seen[1] ~= ARGV[1] or seen[2] ~= ARGV[2] or seen[3] ~= ARGV[3] then return 0 end
redis.call('HSET', KEYS[1], 'owner', ARGV[4], 'fence', ARGV[5], 'beat', ARGV[6])
return 1
"""

_PUT = """\
if redis.call('HGET', KEYS[1], 'fence') ~= ARGV[3] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 1
"""

_REPLACE = """\
local found = redis.call('HGET', KEYS[1], ARGV[1])
if ARGV[3] == 'absent' and found or ARGV[3] == 'present' and found ~= ARGV[4] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 1
"""


def ledger(asking: Any, home: str, store: str) -> Ledger:
    """The history of a store under names that begin with `home`, such as `kw`.

    asking: a client that answers with text and sends nothing twice: the first answer may be lost, and the second one
    would deny what the first has done. Lock and rows are one key, so that no eviction takes one without the other.
    """
    name = f"{home}:{{{store}}}"
    return Ledger(
        place=f'hash "{name}"',
        prepare=lambda: _prepare(asking, name),
        lock=lambda: _lock(asking, name),
        swap=lambda seen, new: _written(asking, _SWAP, name, *_words(seen), *_words(new)),
        rows=lambda prefix: _rows(asking, name, prefix),
        put=lambda key, row, fence: _written(asking, _PUT, name, f"row:{key}", canonical(row), fence),
        replace=lambda key, before, after: _replace(asking, name, key, before, after),
    )


def _prepare(asking: Any, name: str) -> None:
    _written(asking, _PREPARE, name)


def _words(lock: Lock) -> tuple[str, int, int]:
    return lock.owner or "", lock.fence, lock.beat


def _lock(asking: Any, name: str) -> Lock:
    owner, fence, beat = asking.hmget(name, "owner", "fence", "beat")
    return UNHELD if fence is None else Lock(owner or None, int(fence), int(beat))


def _rows(asking: Any, name: str, prefix: str) -> dict[str, Json]:
    begin = f"row:{prefix}"
    pattern = "".join(f"\\{sign}" if sign in "*?[]^\\" else sign for sign in begin) + "*"
    found = dict(asking.hscan_iter(name, match=pattern, count=PAGE))  # a field may come twice
    return {field.removeprefix("row:"): json.loads(found[field]) for field in sorted(found)}


def _replace(asking: Any, name: str, key: str, before: Json, after: Json) -> bool:
    seen = ("absent", "") if before is None else ("present", canonical(before))
    return _written(asking, _REPLACE, name, f"row:{key}", canonical(after), *seen)


def _written(asking: Any, script: str, name: str, *words: str | int) -> bool:
    """Run a script; what it wrote has reached a replica, where the server has any."""
    with asking.client() as one:  # WAIT is about the writes of its own connection
        is_written = bool(one.eval(script, 1, name, *words))
        has_replicas = is_written and int(one.info("replication").get("connected_slaves", 0)) > 0
        if has_replicas and not one.wait(1, WAIT_MILLISECONDS):
            raise StatementFailed(f"no replica had it after {WAIT_MILLISECONDS} ms, so that it may be lost")
    return is_written
