"""What Redis declarations can know to be wrong about themselves."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

import keywright as kw

server = kw.RedisServer("s", role="cache")

WRONG: list[tuple[Callable[[], Any], str, str]] = [
    (lambda: kw.RedisServer("s", role="cache", persistence=[kw.Aof(), kw.Aof(fsync="no")]), "E0503",
     "persistence names Aof(...) twice"),
    (lambda: kw.RedisServer("s", role="cache", generation=2), "E0506",
     "generation=2 has no source for its data"),
    (lambda: kw.Rdb(after={}), "E0503", "after={} is not a mapping of times to changes"),
    (lambda: kw.Rdb(after={0: 1}), "E0503", "after={0: 1} is not a mapping of times to changes"),
    (lambda: kw.RedisHash(server, key="k", ttl=timedelta(milliseconds=1500)), "E0509",
     "ttl=1.5 s is not a whole number of seconds"),
    (lambda: kw.RedisStream(server, key="k", keep=timedelta(microseconds=1)), "E0509",
     "keep=0.000001 s is not a whole number of seconds"),
    (lambda: kw.RedisStream(server, key="k", keep=None, due="at"), "E0503",
     "due= has no group, whose kw.Take appends the entries"),
    (lambda: kw.RedisStream(server, key="k:{a}", keep=None, due="at", groups=[kw.ConsumerGroup("g", idempotency="a",
     claim_after=timedelta(seconds=1))]), "E0503",
     'due= does not accept the key "k:{a}", because groups take entries of a constant key only'),
    (lambda: kw.RedisRateLimit(server, key="k", limit=1, per=timedelta(seconds=1), window="fixed", member="m"), "E0503",
     'a limit with window="fixed" has no members: it only counts calls'),
    (lambda: kw.RedisRateLimit(server, key="k", limit=1, per=timedelta(seconds=1), window="bucket", member="m"),
     "E0503", 'a limit with window="bucket" has no members: it only counts calls'),
    (lambda: kw.RedisRateLimit(server, key="k", limit=1, per=timedelta(seconds=1), window="sliding", burst=2),
     "E0503", 'burst=2 has no effect on window="sliding"'),
    (lambda: kw.RedisRateLimit(server, key="k", limit=1, per=timedelta(seconds=1), window="bucket", burst=0), "E0509",
     "RedisRateLimit(burst=...) does not take 0, only 1 or more"),
]  # fmt: skip


@pytest.mark.parametrize(("declare", "code", "problem"), WRONG)
def test_a_wrong_declaration_is_refused(declare: Callable[[], Any], code: str, problem: str) -> None:
    with pytest.raises(kw.DeclarationError) as refused:
        declare()
    assert (refused.value.code, refused.value.problem) == (code, problem)


def test_keys_are_found_by_equality_and_members_by_order() -> None:
    scores = kw.RedisSortedSet(server, key="k", member="{a}", score="b")
    assert (scores.is_ordered("key"), scores.is_ordered("member")) == (False, True)
