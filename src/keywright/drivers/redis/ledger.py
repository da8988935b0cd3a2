"""Histories on a Redis server: one hash for each store, with its lock and its rows.

Histories, including the fence, may be lost with the server's memory or in a failover: not for important stores.
"""

import json
from datetime import UTC, datetime
from typing import Any

from keywright.engines.contract.ledger import UNHELD, Ledger, Lock
from keywright.engines.interface import StatementFailed
from keywright.ir.json import Json, canonical

PAGE = 500
"""Fields that one HSCAN examines."""

WAIT_MILLISECONDS = 1_000
"""The longest wait for a replica to receive a write, if there are replicas."""

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
if redis.call('HGET', KEYS[1], 'fence') ~= ARGV[5] then return 0 end
local found = redis.call('HGET', KEYS[1], ARGV[1])
if ARGV[3] == 'absent' and found or ARGV[3] == 'present' and found ~= ARGV[4] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
return 1
"""


def ledger(client: Any, home: str, store: str) -> Ledger:
    """The history of a store under names that begin with `home`, such as `kw`.

    client: a client that returns text and never retries. If the answer to a successful request is lost, a retry would
    report a conflict. Lock and rows are one key, so that no eviction removes one without the other.
    """
    name = f"{home}:{{{store}}}"
    return Ledger(
        place=f'hash "{name}"',
        prepare=lambda: _prepare(client, name),
        lock=lambda: _lock(client, name),
        swap=lambda lock, new: _written(client, _SWAP, name, *_words(lock), *_words(new)),
        rows=lambda prefix: _rows(client, name, prefix),
        row=lambda key: _row(client, name, key),
        put=lambda key, row, fence: _written(client, _PUT, name, f"row:{key}", canonical(row), fence),
        replace=lambda key, before, after, fence: _replace(client, name, key, before, after, fence),
        now=lambda: datetime.fromtimestamp(client.time()[0], UTC),
    )


def _prepare(client: Any, name: str) -> None:
    _written(client, _PREPARE, name)


def _words(lock: Lock) -> tuple[str, int, int]:
    return lock.owner or "", lock.fence, lock.beat


def _lock(client: Any, name: str) -> Lock:
    owner, fence, beat = client.hmget(name, "owner", "fence", "beat")
    return UNHELD if fence is None else Lock(owner or None, int(fence), int(beat))


def _rows(client: Any, name: str, prefix: str) -> dict[str, Json]:
    field_prefix = f"row:{prefix}"
    pattern = "".join(f"\\{sign}" if sign in "*?[]^\\" else sign for sign in field_prefix) + "*"
    fields = dict(client.hscan_iter(name, match=pattern, count=PAGE))  # HSCAN may return a field twice
    return {field.removeprefix("row:"): json.loads(fields[field]) for field in sorted(fields)}


def _row(client: Any, name: str, key: str) -> Json:
    row = client.hget(name, f"row:{key}")
    return json.loads(row) if row is not None else None


def _replace(client: Any, name: str, key: str, before: Json, after: Json, fence: int) -> bool:
    precondition = ("absent", "") if before is None else ("present", canonical(before))
    return _written(client, _REPLACE, name, f"row:{key}", canonical(after), *precondition, fence)


def _written(client: Any, script: str, name: str, *words: str | int) -> bool:
    """Run a script, and wait until its writes have reached a replica, if the server has replicas."""
    with client.client() as connection:  # WAIT covers only the writes of its own connection
        is_written = bool(connection.eval(script, 1, name, *words))
        has_replicas = is_written and int(connection.info("replication").get("connected_slaves", 0)) > 0
        if has_replicas and not connection.wait(1, WAIT_MILLISECONDS):
            raise StatementFailed(f"no replica had the write after {WAIT_MILLISECONDS} ms, so that it may be lost")
    return is_written
