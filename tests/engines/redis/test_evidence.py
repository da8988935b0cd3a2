"""Evidence that disagrees with a path is told in a sentence."""

from typing import Any

import pytest
from tests.engines.redis import patterned
from tests.engines.redis.planning import CLUSTER, Plans

from keywright.engines.redis.access.keys import slot
from keywright.engines.redis.engine import ENGINE

PLANS = Plans(patterned.__file__, vars(patterned))
CLUSTERED = Plans(patterned.__file__, vars(patterned), CLUSTER)


def event(*lines: str, kind: str = "command", elements: int = 1, encoding: str | None = None, **more: Any) -> Any:
    """One round trip; the second word of each command is its key."""
    commands = [line.split() for line in lines]
    keys = [words[1] for words in commands]
    return {
        "kind": kind, "commands": commands, "elements": [elements] * len(commands), "keys": [[key] for key in keys],
        "slots": {key: slot(key) for key in keys}, "encodings": dict.fromkeys(keys, encoding), **more,
    }  # fmt: skip


BEST = "ZRANGE bids:{l}:%d inf -inf BYSCORE REV LIMIT 0 3 WITHSCORES"

CASES: list[tuple[str, tuple[Any, ...], int, list[str]]] = [
    ("user", (event("HGETALL user:u", encoding="listpack"),), 0, []),
    ("user", (event("HGETALL user:u", encoding="embstr"),), 0, ['"user:u" is stored as embstr, which is not a hash']),
    ("user", (event("GET user:u"),), 0, ["GET was sent, but the path has HGETALL, HMGET"]),
    ("user", (event("HGETALL user:u"), event("HGETALL user:u")), 0, ["2 round trips, 1 was planned"]),
    ("friends", (event("SCAN 0"),), 0, ["SCAN scans keys without naming them"]),
    ("friends", (event("SSCAN friends:w 0 COUNT 10", elements=500),), 10, []),
    ("friends", (event("SSCAN friends:w 0 COUNT 10", elements=11),), 11, ["11 items were returned, the limit is 10"]),
    ("steps", (event("LRANGE steps:r 0 9", elements=10),), 4, ["LRANGE steps:r answered 10 elements, the limit is 4"]),
    ("best_bids", (event(*(BEST % at for at in range(4)), kind="pipeline", elements=3),), 3, []),
    ("best_bids", (event(*(BEST % at for at in range(3)), kind="pipeline"),), 3, ["3 of 4 keys were read"]),
    ("best_bids", (event(*((BEST % at).replace("REV ", "") for at in range(4)), kind="pipeline"),), 3,
     [f"bids:{{l}}:{at} was read forward" for at in range(4)]),
    ("count_users", (event("EXISTS user:a"),), 0, []),
    ("put_user", (event("DEL user:u", "HSET user:u a 1", "EXPIRE user:u 9", kind="transaction"),), 0, []),
    ("put_user", (), 0, ["nothing was sent"]),
    ("count_row", (), 0, []),
    ("allow", (event("EVALSHA call:u", error="NOSCRIPT"), event("EVAL call:u")), 0, []),
    ("allow", (event("INCR call:u"),), 0, ["INCR was sent, but the path has EVAL, EVALSHA"]),
    ("book", (event("EVALSHA 2"),), 0, []),
    ("note_both", (event("EVALSHA 2"),), 0, ["EVALSHA was sent, but the path has DEL, HSET, SET"]),
]  # fmt: skip


@pytest.mark.parametrize(("pattern", "events", "returned", "said"), CASES)
def test_what_disagrees_is_said(pattern: str, events: tuple[Any, ...], returned: int, said: list[str]) -> None:
    assert list(ENGINE.verify_evidence(PLANS[pattern], events, returned)) == said


def test_keys_in_several_slots_are_not_named_at_once_on_a_cluster() -> None:
    both = event("EXISTS user:a", "EXISTS user:b", kind="command")
    (said,) = ENGINE.verify_evidence(CLUSTERED["count_users"], (both,), 0)
    assert said == "keys in several slots were named at once: user:a, user:b"
    assert list(ENGINE.verify_evidence(CLUSTERED["count_users"], ({**both, "kind": "pipeline"},), 0)) == []
