"""Calls as a person would send them."""

from typing import Any

import pytest
from tests.engines.redis import patterned
from tests.engines.redis.planning import Plans

from keywright.access.path import AccessPath
from keywright.engines.redis.engine import ENGINE

PLANS = Plans(patterned.__file__, vars(patterned))

READS = [
    ("user", "HGETALL user:{name}"),
    ("user_names", "HMGET user:{name} first nick"),
    ("user_nick", "HMGET user:{name} nick first"),
    ("blank", "HGETALL blank:{name}"),
    ("count_users", "EXISTS user:{name} ..."),
    ("count_admins", "HGETALL user:{name}"),
    ("switch", "GET switch:{name:tag}"),
    ("best_bids", "ZRANGE bids:{lot:tag}:{bidder:shard(4)} +inf -inf BYSCORE REV LIMIT 0 :limit WITHSCORES"),
    ("events_between_up", "ZRANGE events:{room}:{at:hour} :at.first :at.last BYSCORE LIMIT 0 :limit WITHSCORES"),
    ("bids_below_ten", "ZCOUNT bids:{lot:tag}:{bidder:shard(4)} -inf (10"),
    ("all_numbers", "ZRANGE numbers -inf +inf BYSCORE WITHSCORES"),
    ("bid_rank", "ZREVRANK bids:{lot:tag}:{bidder:shard(4)} {bidder}"),
    ("bid_rank_up", "ZRANK bids:{lot:tag}:{bidder:shard(4)} {bidder}"),
    ("some_bids", "ZMSCORE bids:{lot:tag}:{bidder:shard(4)} {bidder} ..."),
    ("friends", "SSCAN friends:{who} 0 COUNT :limit"),
    ("all_friends", "SMEMBERS friends:{who}"),
    ("are_friends", "SISMEMBER friends:{who} {group}:{name}"),
    ("steps", "LRANGE steps:{run} 0 :limit-1"),
    ("last_step", "LRANGE steps:{run} 0 0"),
    ("lines", "XREVRANGE lines + - COUNT :limit"),
    ("count_row", "BITCOUNT seats:{hall} :number.first :number.last BIT"),
    ("count_front", "BITCOUNT seats:{hall} 0 9 BIT"),
    ("shop", "GEOPOS shops:{kind} {name}"),
    ("count_shops_near", "GEOSEARCH shops:{kind} FROMLONLAT :place.longitude :place.latitude "
     "BYRADIUS :place.metres m ASC WITHCOORD WITHDIST"),
    ("new_note", "SET note:{status}:{note_id} :json NX EX 18000"),
    ("new_number", "ZADD numbers NX :weight {number}"),
    ("drop_bid", "ZREM bids:{lot:tag}:{bidder:shard(4)} {bidder}"),
    ("drop_lot", "UNLINK bids:{lot:tag}:{bidder:shard(4)}"),
]  # fmt: skip
"""(pattern, its commands)."""


@pytest.mark.parametrize(("pattern", "commands"), READS, ids=[entry for entry, _ in READS])
def test_a_pattern_is_so_many_commands(pattern: str, commands: str) -> None:
    assert PLANS.commands(pattern)["commands"] == commands.split("|")


WHOLE: list[tuple[str, Any]] = [
    ("put_event", {
        "commands": ["ZADD events:{room}:{at:hour} :at {number:pad(4)}:{what}", "EXPIRE events:{room}:{at:hour} 86400"],
        "transaction": True,
    }),
    ("best_bids", {
        "commands": ["ZRANGE bids:{lot:tag}:{bidder:shard(4)} +inf -inf BYSCORE REV LIMIT 0 :limit WITHSCORES"],
        "keys": 4,
    }),
    ("promote", {
        "script": {
            "if": [
                "user:{name} is present", "user:{name} _kw_v is absent or at most 1", "logins >= 3", "nick is present",
            ],
            "commands": ["HSET user:{name} level :level", "EXPIRE user:{name} 3600"],
        }
    }),
    ("rejoin", {
        "script": {
            "if": ["user:{name} is present", "user:{name} _kw_v is absent or at most 1"],
            "commands": [
                "HSET user:{name} joined :joined sign_up_month {joined:month}", "EXPIRE user:{name} 3600",
            ],
        }
    }),
    ("log_in", {
        "script": {
            "if": ["user:{name} is present", "user:{name} _kw_v is absent or at most 1"],
            "commands": ["HINCRBY user:{name} logins :by", "EXPIRE user:{name} 3600", "HGET user:{name} logins"],
        }
    }),
    ("raise_bid", {
        "script": {
            "if": ["amount stays below 2^53"],
            "commands": [
                "ZINCRBY bids:{lot:tag}:{bidder:shard(4)} :by {bidder}",
                "ZREMRANGEBYRANK bids:{lot:tag}:{bidder:shard(4)} 0 -51",
            ],
        }
    }),
    ("take_over", {
        "script": {
            "if": ["lease:{name}:{until:iso} is present"], "commands": ["SET lease:{name}:{until:iso} :holder KEEPTTL"],
        },
    }),
    ("leave", {"script": {"if": ["seats:{hall} :number is present"], "commands": ["SETBIT seats:{hall} :number 0"]}}),
    ("take_lines", {
        "script": {
            "commands": [
                "XAUTOCLAIM lines readers :consumer 20 :cursor COUNT :limit", "XPENDING lines readers :id :id 1",
                "XADD {lines}:dead * :fields if delivered more than 5 times",
                "XACK lines readers :id if delivered more than 5 times",
                "XREADGROUP GROUP readers :consumer COUNT :limit STREAMS lines >",
            ],
        },
        "acknowledge": {"commands": ["XACK lines readers :ids"]},
        "return": {"commands": ["XCLAIM lines readers :consumer 0 :ids IDLE :milliseconds JUSTID"]},
    }),
    ("add_job", {"commands": [
        "XADD jobs MAXLEN ~ 1000 * :fields", "ZADD {jobs}:delayed :run_at :entry instead, if run_at is to come",
    ]}),
    ("book", {
        "script": {
            "if": [
                "booking:{owner:tag}:{booking_id} is absent", "account:{owner:tag} is present",
                "account:{owner:tag} _kw_v is absent or at most 1", "cents >= 1",
            ],
            "commands": [
                "SET booking:{owner:tag}:{booking_id} :json", "HINCRBY account:{owner:tag} cents :by",
                "HGET account:{owner:tag} cents",
            ],
        }
    }),
]  # fmt: skip


@pytest.mark.parametrize(("pattern", "shown"), WHOLE, ids=[entry for entry, _ in WHOLE])
def test_a_pattern_is_shown_whole(pattern: str, shown: Any) -> None:
    assert PLANS.commands(pattern) == shown


def test_everything_that_is_served_can_be_shown() -> None:
    for name in PLANS.patterns:
        planned = PLANS[name]
        if isinstance(planned.path, AccessPath):
            query: Any = ENGINE.query(planned)
            assert (query.get("script") or query)["commands"]
