"""The tests of patterns once more, each pattern called by a user with the rights of this pattern alone."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from redis import Redis
from redis.exceptions import ResponseError
from tests.engines.redis import patterned as p
from tests.live import redis_users
from tests.live.redis_store import PRODUCTS, Start, Store
from tests.live.redis_users import UserStore, give, logged_in
from tests.live.test_redis_patterns import *  # noqa: F403  # the tests; the fixtures are those below
from tests.live.test_redis_patterns import instances
from tests.live.test_redis_takes import *  # noqa: F403
from tests.live.test_redis_writes import *  # noqa: F403

from keywright.engines.redis.users import access_of, users_of
from keywright.record import replace
from keywright.runtime.redis.execute import prepare
from keywright.runtime.validate.arguments import Arguments

pytestmark = pytest.mark.live


@pytest.fixture(scope="module", params=("redis",))
def store(start: Start, request: pytest.FixtureRequest) -> Iterator[Store]:
    with redis_users.opened(start, 13, request.param) as created:
        created.load(instances())
        yield created


@pytest.fixture(params=("redis",))
def scratch(start: Start, request: pytest.FixtureRequest) -> Iterator[Store]:
    with redis_users.opened(start, 14, request.param) as created:
        yield created


@pytest.fixture(params=PRODUCTS)
def of_both(start: Start, request: pytest.FixtureRequest) -> Iterator[UserStore]:
    with redis_users.opened(start, 12, request.param) as created:
        yield created


USER = p.User(name="u", first="F", last="L", joined=NOW)  # noqa: F405
CALLS: dict[str, Arguments] = {
    "user": Arguments({"name": "u"}),
    "user_names": Arguments({"name": "u"}),
    "put_user": Arguments({}, (USER,)),
    "rename": Arguments({"name": "u", "nick": "n"}),
    "log_in": Arguments({"name": "u"}),
    "note": Arguments({"status": "new", "note_id": "n"}),
    "put_bid": Arguments({}, (p.Bid(lot="l", bidder="b", amount=1),)),
    "raise_bid": Arguments({"lot": "l", "bidder": "b"}),
    "best_bids": Arguments({"lot": "l"}, limit=3),
    "bid_rank_shared": Arguments({"lot": "l", "bidder": "b"}),
    "befriend": Arguments({}, (p.Friend(who="w", group="a", name="n"),)),
    "next_step": Arguments({"run": "r"}, limit=1),
    "take_jobs": Arguments({}, limit=3),
    "come": Arguments({}, (p.Guest(day=NOW.date(), guest="g"),)),  # noqa: F405
    "leave": Arguments({"hall": "h", "number": 1}),
    "allow": Arguments({"user": "u"}, limit=1),
    "allow_try": Arguments({"user": "u"}, limit=1),
    "pour": Arguments({"user": "u"}, limit=1),
    "book": Arguments({}, parts=((Arguments({}, (p.Booking(owner="o", booking_id="b", cents=1),)),),
                                 (Arguments({"owner": "o"}, by=-1),))),
    "note_both": Arguments({}, parts=((Arguments({}, (p.Booking(owner="o", booking_id="b", cents=1),)),),
                                      (Arguments({}, (p.Account(owner="o", cents=1),)),))),
}  # fmt: skip
"""A call of a pattern of each kind that needs all its commands, but for those of `RARE`."""

RARE: dict[str, set[str]] = {
    "take_jobs": {"+xadd", "+xack", "+xclaim", "+xrange", "+zrem", "+xpending"},
    "rename": {"+hdel"},
    "put_user": set(), "put_bid": set(), "befriend": {"+multi", "+exec"}, "come": {"+multi", "+exec"},
}  # fmt: skip
"""Rules for what happens now and then: dead letters, entries that are due, values of None, puts of several items."""


REFUSED = "no permission|No permission|can't run this command|can't access|ACL|EXEC without MULTI"
"""What servers say of a command or a key for which a user has no right, by itself or inside a script."""


@pytest.mark.parametrize("name", CALLS)
def test_a_user_needs_each_rule_of_a_pattern(of_both: UserStore, name: str) -> None:
    planned, run = of_both.plans[name], prepare(of_both.plans[name], of_both.codecs)
    (user,) = users_of([("only-one", planned)])
    with Redis.from_url(of_both.url, decode_responses=True) as admin:
        reset = _prepared(admin)
        give(admin, planned.target, user)
        with logged_in(of_both.url, user.name) as client:
            reset()
            run(client, CALLS[name])
            admin.script_flush()
            reset()
            run(client, CALLS[name])  # with EVAL: the script is gone
        needed = [rule for rule in user.rules if rule not in {*RARE.get(name, ()), "+eval"}]
        for rule in needed:
            give(admin, planned.target, replace(user, rules=tuple(each for each in user.rules if each != rule)))
            with logged_in(of_both.url, user.name) as client:
                reset()
                with pytest.raises(ResponseError, match=REFUSED):
                    run(client, CALLS[name])


def _prepared(admin: Any) -> Callable[[], None]:
    """A function that stores what the calls need."""

    def reset() -> None:
        admin.flushdb()
        admin.hset("user:u", mapping={"first": "F", "last": "L", "joined": "2026-01-01T00:00:00.000000Z"})
        admin.zadd("bids:{l}:0", {"b": 5})
        for shard in range(4):
            admin.zadd(f"bids:{{l}}:{shard}", {"b": 5})
        admin.hset("account:{o}", "cents", 5)
        admin.rpush("steps:r", '{"number":1,"text":"t"}')
        admin.setbit("seats:h", 1, 1)
        admin.xgroup_create("jobs", "workers", mkstream=True)

    return reset


def test_rights_on_keys_are_those_that_the_server_asks_for(start: Start) -> None:
    """What COMMAND INFO says of every command that a pattern sends."""
    for product in PRODUCTS:
        with Redis.from_url(start("redis", "patterns", product="" if product == "valkey" else product).url) as admin:
            connection: Any = admin.connection_pool.get_connection()
            commands = {rule[1:] for user in _every_user() for rule in user.rules if rule[0] == "+"}
            for command in sorted(commands - {"multi", "exec", "time"}):
                connection.send_command("COMMAND", "INFO", command)
                specs = connection.read_response()[0][8]
                if command != "set" and (asked := _asked(specs)):  # SET reads with GET only, which no pattern sends
                    assert (command, asked) == (command, access_of(command))
            connection.disconnect()


def _every_user() -> Iterator[Any]:
    plans = redis_users.plans()
    served = (plans[name] for name in plans.patterns if plans[name].is_served)
    yield from users_of((each.pattern.name, each) for each in served)


def _asked(specs: Any) -> frozenset[str]:
    """R and W by the flags of a command's keys; empty for commands that any right allows, such as EXISTS."""
    flags = {str(flag, "ascii").upper() for spec in specs for flag in _flags(spec)}
    writes = flags & {"INSERT", "DELETE", "UPDATE"}
    return frozenset((*(["R"] if "ACCESS" in flags else []), *(["W"] if writes else [])))


def _flags(spec: Any) -> Any:
    return spec[b"flags"] if isinstance(spec, dict) else spec[spec.index(b"flags") + 1]
