"""Patterns on a node of a cluster, whose keys are in slots, with the client for clusters."""

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from typing import Any

import pytest
from redis import RedisCluster
from redis.exceptions import RedisClusterException, ResponseError
from tests.engines.redis import patterned as p
from tests.engines.redis.planning import CLUSTER, Plans
from tests.live.redis_showing import a_cluster
from tests.live.test_redis import program

from keywright import runtime
from keywright.access.path import NotServed
from keywright.engines.redis.access.keys import slot
from keywright.errors import UsageError
from keywright.local import Running
from keywright.runtime.redis.execute import prepare
from keywright.runtime.validate.arguments import Arguments, ConditionFailed

pytestmark = pytest.mark.live

PLANS = Plans(p.__file__, vars(p), CLUSTER)
CODECS = {binding.name: runtime.codec_of(getattr(p, binding.name)) for binding in PLANS.design.bindings}


@pytest.fixture(scope="module")
def url(start: Callable[..., Running], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a cluster of one node, which has all slots."""
    with a_cluster(program(start), tmp_path_factory.mktemp("cluster")) as address:
        yield address


@pytest.fixture
def client(url: str) -> Iterator[RedisCluster]:
    with RedisCluster.from_url(url) as from_url:
        yield from_url


def call(client: Any, name: str, *items: Any, values: dict[str, Any] | None = None, **more: Any) -> Any:
    pattern = PLANS.patterns[name]
    arguments = Arguments(values or {}, items, more.pop("limit", pattern.limit), by=pattern.by, **more)
    return prepare(PLANS[name], CODECS)(client, arguments)


@pytest.mark.parametrize("key", ["foo", "123456789", "{user}:1", "{}x", "a{b}{c}", "{", "a{b", "}{x}", "ü{ü}"])
def test_the_slot_of_a_key_is_that_of_the_server(client: RedisCluster, key: str) -> None:
    assert slot(key) == client.cluster_keyslot(key)


def test_keys_in_several_slots_are_read_and_written(client: RedisCluster) -> None:
    notes = [p.Note(status="new", note_id=f"n{at}", text="t", words=["a"]) for at in range(12)]
    assert len({slot(runtime.key_of(note)) for note in notes}) > 6
    call(client, "put_note", *notes)
    result = call(
        client, "notes", values={"status": "new", "note_id": [note.note_id for note in notes], "words": "a"}, limit=None
    )
    assert list(result) == notes
    users = [p.User(name=f"u{at}", first="F", last="L", joined=JOINED, logins=at) for at in range(5)]
    call(client, "sign_up_several", *users)
    with pytest.raises(ConditionFailed):
        call(client, "sign_up", users[0])
    assert call(client, "count_users", values={"name": [f"u{at}" for at in range(9)]}) == 5
    names = [f"u{at}" for at in range(9)]
    assert [entry.logins for entry in call(client, "users_in_order", values={"name": names})] == [4, 3, 2]
    days = [date(2026, 1, at + 1) for at in range(4)]
    call(client, "come", *(p.Guest(day=day, guest="g") for day in days))
    refused = PLANS["guests_of_days"].path
    assert isinstance(refused, NotServed)
    assert "PFCOUNT needs keys in one slot" in refused.reason
    with pytest.raises((ResponseError, RedisClusterException), match=r"(?i)slot"):
        client.execute_command("PFCOUNT", *(f"guests:{day}" for day in days))
    call(client, "visit", *(p.Visit(site="s", day=day, guest=f"g{at % 3}") for at, day in enumerate(days)))
    assert call(client, "visitors", values={"site": "s", "day": days}) == 3
    for _ in range(30):
        call(client, "hit", values={"page": "p", "day": date(2026, 1, 1)})
    assert sum(entry.hits for entry in call(client, "hits_of_day", values={"page": "p", "day": date(2026, 1, 1)})) == 30
    call(client, "drop_hits", values={"page": "p", "day": date(2026, 1, 1)})
    assert list(call(client, "hits_of_day", values={"page": "p", "day": date(2026, 1, 1)})) == []


def test_shards_with_one_tag_are_merged(client: RedisCluster) -> None:
    call(client, "put_bid", *(p.Bid(lot="l", bidder=f"b{at}", amount=at) for at in range(20)))
    assert [entry.amount for entry in call(client, "best_bids", values={"lot": "l"})] == [19, 18, 17]
    call(client, "drop_lot", values={"lot": "l"})
    assert list(call(client, "best_bids", values={"lot": "l"})) == []


def test_a_transaction_is_carried_out_in_one_slot_and_refused_in_several(client: RedisCluster) -> None:
    call(client, "open_account", p.Account(owner="o", cents=5))
    booking = p.Booking(owner="o", booking_id="b", cents=1)
    call(client, "book", parts=((Arguments({}, (booking,)),), (Arguments({"owner": "o"}, by=-1),)))
    assert call(client, "account", values={"owner": "o"}).cents == 4
    call(client, "note_both", parts=((Arguments({}, (booking,)),), (Arguments({}, (p.Account(owner="o", cents=1),)),)))
    other = (Arguments({}, (p.Booking(owner="x", booking_id="b", cents=1),)),)
    with pytest.raises(UsageError, match="in several slots"):
        call(client, "book", parts=(other, (Arguments({"owner": "o"}, by=-1),)))


JOINED = p.datetime(2026, 1, 1, tzinfo=p.UTC)


def test_scripts_with_several_keys_name_one_slot(client: RedisCluster) -> None:
    def call(name: str, **options: Any) -> Any:
        return prepare(PLANS[name], CODECS)(client, Arguments(options.pop("values", {}), **options))

    client.xgroup_create("jobs", "workers", mkstream=True)
    due, now = datetime(2026, 1, 1, 0, 0, 5, tzinfo=UTC), datetime(2026, 1, 1, tzinfo=UTC)
    call("add_job", items=(p.Job(number=1, run_at=due), p.Job(number=2)), now=now)
    assert [job.number for job in call("take_jobs", limit=3, now=now)] == [2]
    jobs = call("take_jobs", limit=3, now=due)
    assert [job.number for job in jobs] == [1]
    jobs.nack()
    assert [job.number for job in call("take_jobs", limit=3, now=due)] == [1]
    assert [call("pour", values={"user": "u"}, limit=1) for _ in range(4)] == [True] * 3 + [False]
    call("put_bid", items=(p.Bid(lot="l", bidder="b", amount=5),))
    around = call("bids_around", values={"lot": "l", "bidder": "b"}, limit=5)
    assert (around.items, around.ranks) == ((p.Bid(lot="l", bidder="b", amount=5),), (0,))
