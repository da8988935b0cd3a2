"""What would be wrong is seen in the evidence of a real server; and the driver that gathers it."""

from collections.abc import Iterator
from datetime import date, timedelta
from typing import Any

import pytest
from redis import Redis
from tests.engines.redis import everything
from tests.engines.redis import patterned as p
from tests.live.redis_data import HOURS, instances, user
from tests.live.redis_store import NOW, Start, Store, clients, mutant, opened, stored

from keywright import runtime
from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.drivers.redis import driver as driver_of
from keywright.engines.interface import StatementFailed
from keywright.engines.redis.access.cost import COMPLEXITY
from keywright.record import replace

pytestmark = pytest.mark.live

NUMBER, SCRATCH = 12, 13


@pytest.fixture(scope="module")
def store(start: Start) -> Iterator[Store]:
    with opened(start, NUMBER) as created:
        created.load(instances())
        yield created


@pytest.fixture
def scratch(start: Start) -> Iterator[Store]:
    """A database of its own, for writes."""
    with opened(start, SCRATCH) as created:
        yield created


def without_a_key(planned: Planned[Any]) -> Planned[Any]:
    """The plan with one shard, or one bucket, fewer."""
    assert isinstance(planned.path, AccessPath)
    keys: Any = planned.path.call.keys  # type: ignore[attr-defined]
    from keywright.ir.template import Filter, Placeholder

    def fewer(slot: Any) -> Any:
        if slot.kind == "shards":
            filters = tuple(
                Filter("shard", entry.number - 1) if entry.name == "shard" else entry
                for entry in slot.placeholder.filters
            )
            return replace(slot, placeholder=Placeholder(slot.placeholder.path, filters), count=slot.count - 1)
        return slot

    filled = replace(keys.filled, slots=tuple(map(fewer, keys.filled.slots)))
    return mutant(planned, keys=replace(keys, filled=filled))


@pytest.mark.parametrize(
    ("name", "values"), [("best_bids", {"lot": "l"}), ("bids_below_ten", {"lot": "l"}), ("traces", {})]
)
def test_a_dropped_shard_is_seen(store: Store, name: str, values: dict[str, Any]) -> None:
    store.observed.events()
    planned = store.plans[name]
    wrong = without_a_key(planned)
    answer = store.prepared(wrong)(store.observed.client, store.given(name, values, limit=None))
    count = len(answer) if not isinstance(answer, int) else answer
    assert count < len(store.expected(name, values))
    assert any("keys were read" in entry for entry in store.judged(name, answer, planned))


def test_a_skipped_bucket_is_seen(store: Store) -> None:
    values = {"room": "r", "at": (HOURS[0] + timedelta(hours=1), HOURS[1])}
    wrong = [item for page in store.pages("events_between", values, 5) for item in page]
    assert wrong != store.expected("events_between", {"room": "r", "at": HOURS})


@pytest.mark.parametrize(
    ("name", "values"), [("numbers", {}), ("best_bids", {"lot": "l"}), ("events_between", {"room": "r", "at": HOURS})]
)
def test_a_wrong_direction_is_seen(store: Store, name: str, values: dict[str, Any]) -> None:
    planned = store.plans[name]
    assert isinstance(planned.path, AccessPath)
    store.observed.events()
    wrong = mutant(planned, is_backward=not planned.path.call.is_backward)  # type: ignore[attr-defined]
    answer = store.prepared(wrong)(store.observed.client, store.given(name, values))
    assert list(answer) != store.expected(name, values)[: len(answer)]
    assert any(" was read " in entry for entry in store.judged(name, answer, planned))


def test_commands_that_were_not_planned_are_seen(store: Store) -> None:
    client = store.observed.client
    store.observed.events()
    list(client.scan_iter(match="friends:*", count=1_000))
    client.keys("friends:*")
    assert [entry for entry in store.judged("friends", None) if "without naming them" in entry] == [
        "SCAN scans keys without naming them", "KEYS scans keys without naming them",
    ]  # fmt: skip
    client.execute_command("LRANGE", "steps:x", 0, -1)
    assert store.judged("steps", None) == ["LRANGE steps:x answered 25 elements, the limit is 4"]
    client.execute_command("SISMEMBER", "friends:v", "a:f1")
    client.execute_command("SISMEMBER", "friends:v", "a:f2")
    assert store.judged("are_friends", None) == ["2 round trips, 1 was planned"]
    client.execute_command("SMISMEMBER", "friends:v", "a:f1")
    assert store.judged("bid", None)[0] == "SMISMEMBER was sent, but the path has ZMSCORE, ZSCORE"
    client.execute_command("GET", "switch:{s}")
    assert '"switch:{s}" is stored as embstr, which is not a hash' in store.judged("user", None)
    assert store.judged("bid_rank", None) == ["nothing was sent"]


def test_complexities_are_those_that_the_server_documents(store: Store) -> None:
    with clients(store.url)["text"] as client:
        for name, formula in COMPLEXITY.items():
            if name.startswith(("JSON.", "FT.")):
                continue  # Redis Stack has no documents of its modules' commands
            answer: Any = client.execute_command("COMMAND DOCS", name)
            assert (name, formula in str(answer)) == (name, True)


# The driver.


def test_a_recorded_client_answers_as_any_other(store: Store) -> None:
    client = store.observed.client
    with clients(store.url)["bytes"] as other:
        for words in (("HGETALL", "user:u1"), ("ZRANGE", "numbers", 0, 3, "WITHSCORES"), ("TYPE", "lines")):
            assert client.execute_command(*words) == other.execute_command(*words)
        assert client.hgetall("user:u1") == other.hgetall("user:u1")
        assert client.pipeline().get("a").llen("steps:x").execute() == [None, 25]
    assert [event["kind"] for event in store.observed.events()] == ["command"] * 4 + ["transaction"]
    assert store.observed.events() == ()


@pytest.mark.parametrize("instance", everything.INSTANCES, ids=lambda entry: type(entry).__name__)
def test_every_type_is_told_as_it_is_stored(scratch: Store, instance: Any) -> None:
    if isinstance(instance, everything.Session):
        instance = instance.model_copy(update={"ends_at": NOW + timedelta(days=36_500)})
    item = runtime.to_item(instance)
    assert scratch.driver.stored("x", item) is None
    scratch.driver.load("x", [item])
    assert scratch.driver.stored("x", item) == item


def test_a_member_that_was_not_counted_is_not_stored(scratch: Store) -> None:
    scratch.load([p.Guest(day=date(2026, 1, 1), guest=f"g{at}") for at in range(50)])
    counted = [stored(scratch, p.Guest(day=date(2026, 1, 1), guest=f"g{at}")) for at in range(50)]
    assert None not in counted
    others = [stored(scratch, p.Guest(day=date(2026, 1, 1), guest=f"other{at}")) for at in range(50)]
    assert others.count(None) > 45
    with Redis.from_url(scratch.url) as client:
        assert client.keys("guests*") == [b"guests:2026-01-01"]
    assert scratch.call("guests", day=date(2026, 1, 1)) == 50
    scratch.call("record_call", p.Call(user="u"))
    assert stored(scratch, p.Call(user="u")) is not None
    assert scratch.call("allow_try", user="u") is True
    assert stored(scratch, p.Try(user="u")) is not None
    assert stored(scratch, p.Try(user="v")) is None


def test_what_is_stored_is_not_what_somebody_else_wrote(scratch: Store) -> None:
    scratch.load([user("u", nick="x"), p.Bid(lot="l", bidder="b", amount=3)])
    for other in (user("u", nick="y"), p.Bid(lot="l", bidder="b", amount=4)):
        assert stored(scratch, other) not in (None, runtime.to_item(other))
    with Redis.from_url(scratch.url) as client:
        client.hset("user:u", "stray", b"\xff")
    assert stored(scratch, user("u")).value["stray"] == b"\xff"


def test_a_recorded_client_reads_bytes_that_are_no_text(scratch: Store) -> None:
    hashed = next(instance for instance in everything.INSTANCES if isinstance(instance, everything.Hashed))
    scratch.driver.load("x", [runtime.to_item(hashed)])
    answer = scratch.observed.client.execute_command("HGETALL", runtime.key_of(hashed))
    assert runtime.from_item(everything.Hashed, (runtime.key_of(hashed), answer)) == hashed
    assert len(scratch.observed.events()) == 1


def test_long_values_are_not_part_of_the_evidence(scratch: Store) -> None:
    scratch.call("put_note", p.Note(status="new", note_id="n", text="x" * 5_000))
    (event,) = scratch.observed.events()
    assert max(len(str(word)) for words in event["commands"] for word in words) < 250  # type: ignore[union-attr]


def test_the_first_database_is_never_emptied(start: Start) -> None:
    driver = driver_of.connect(start("redis", "patterns").url)
    with pytest.raises(StatementFailed, match="database 0 must not be emptied"):
        driver.drop(["anything"])
    driver.drop([])
    driver.close()


def test_what_is_dropped_is_gone_there_and_nowhere_else(start: Start) -> None:
    server = start("redis", "patterns")
    stores = [Store(server.url, number, p, server.version) for number in (5, 6)]
    for entry in stores:
        entry.load([p.Switch(name="s", on=True)])
    stores[0].driver.drop(["patterned"])
    assert [stored(entry, p.Switch(name="s", on=True)) is None for entry in stores] == [True, False]
    with Redis.from_url(stores[1].url) as client:  # groups were made in this database by the steps
        assert client.exists("lines") == 1
    for entry in stores:
        entry.close()
