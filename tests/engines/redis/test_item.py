"""The commands that write an item."""

from typing import Any

import pytest

from keywright.engines.redis.schema.item import GeoMember, RedisCommand, RedisItem, RedisValue, Scored, commands
from keywright.engines.redis.schema.target import StructureTarget

NOW = 1_700_000_000.25


def written(value: RedisValue, expires_at: int | None = None, **structure: Any) -> tuple[RedisCommand, ...]:
    return commands(RedisItem(StructureTarget("E", **structure), "k", value, expires_at), NOW)


CASES: list[tuple[dict[str, Any], RedisValue, tuple[RedisCommand, ...]]] = [
    ({"kind": "string"}, "v", (("SET", "k", "v"),)),
    ({"kind": "string", "ttl_seconds": 60}, b"v", (("SET", "k", b"v"), ("EXPIRE", "k", 60))),
    ({"kind": "cache", "ttl_seconds": 5}, "{}", (("SET", "k", "{}"), ("EXPIRE", "k", 5))),
    ({"kind": "counter"}, 3, (("SET", "k", 3),)),
    ({"kind": "hash"}, {"a": "1", "b": b"2"}, (("DEL", "k"), ("HSET", "k", "a", "1", "b", b"2"))),
    ({"kind": "hash"}, {}, (("DEL", "k"), ("HSET", "k", "_kw_v", "1"))),
    ({"kind": "list"}, "v", (("LPUSH", "k", "v"),)),
    ({"kind": "list", "kept": 50}, "v", (("LPUSH", "k", "v"), ("LTRIM", "k", 0, 49))),
    ({"kind": "set"}, "m", (("SADD", "k", "m"),)),
    ({"kind": "sorted set", "kept": 9}, Scored("m", 1.5),
     (("ZADD", "k", "1.5", "m"), ("ZREMRANGEBYRANK", "k", 0, -10))),
    ({"kind": "stream"}, {"a": "1"}, (("XADD", "k", "*", "a", "1"),)),
    ({"kind": "stream", "kept": 10}, {"a": "1"}, (("XADD", "k", "MAXLEN", "~", 10, "*", "a", "1"),)),
    ({"kind": "stream", "kept_seconds": 60}, {"a": "1"},
     (("XADD", "k", "MINID", "~", 1_699_999_940_250, "*", "a", "1"),)),
    ({"kind": "bitmap"}, 7, (("SETBIT", "k", 7, 1),)),
    ({"kind": "hyperloglog"}, "m", (("PFADD", "k", "m"),)),
    ({"kind": "geo"}, GeoMember("m", 13.4, 52.5), (("GEOADD", "k", "13.4", "52.5", "m"),)),
]  # fmt: skip


@pytest.mark.parametrize(("structure", "value", "expected"), CASES)
def test_an_item_is_written_by(
    structure: dict[str, Any], value: RedisValue, expected: tuple[RedisCommand, ...]
) -> None:
    assert written(value, **structure) == expected


def test_a_stated_end_wins_over_a_time_to_live() -> None:
    assert written("v", 99, kind="string", ttl_seconds=60) == (("SET", "k", "v"), ("EXPIREAT", "k", 99))


def test_a_fixed_window_has_a_key_of_its_own_and_outlives_the_next() -> None:
    limit = {"kind": "rate limit", "limit": 5, "per_seconds": 60, "window": "fixed"}
    assert written(None, **limit) == (("INCR", "k:28333333"), ("EXPIRE", "k:28333333", 120))


def test_equal_calls_of_a_sliding_window_are_counted_apart() -> None:
    limit = {"kind": "rate limit", "limit": 5, "per_seconds": 60, "window": "sliding"}
    entry, other = written(None, **limit), written(None, **limit)
    assert entry[0] == ("ZREMRANGEBYSCORE", "k", "-inf", "1699999940.25")
    assert (entry[1][:3], entry[2]) == (("ZADD", "k", "1700000000.25"), ("EXPIRE", "k", 60))
    assert entry[1][3] != other[1][3]


def test_a_structure_holds_only_what_it_can() -> None:
    with pytest.raises(TypeError, match="a hash cannot contain a str"):
        written("v", kind="hash")
