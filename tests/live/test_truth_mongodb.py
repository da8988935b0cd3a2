"""What pages say of MongoDB, shown on a real mongod: what it takes, and what the files beside this one claim."""

import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest
from tests.live import mongodb_observing as mongodb_observing
from tests.live.mongodb_finding import found_by
from tests.live.mongodb_refusing import Client, index, refused, series, truth
from tests.live.truth import Claim

from keywright.local import Running

pytestmark = pytest.mark.live


@truth("MDB003", "A document that is found by one element comes with all of them")
def _(client: Client) -> str:
    client.shop.c.insert_one({"parts": [{"part": 1, "amount": 5}, {"part": 2, "amount": 6}]})
    (result,) = client.shop.c.find({"parts.part": 1}, {"parts.amount": 1})
    return f"{len(result['parts'])} elements"


@truth("MDB007", "Two fields of the elements of one array may stand in an index")
def _(client: Client) -> str:
    client.shop.command(index([("a.b", 1), ("a.c", 1)]))
    client.shop.c.insert_one({"a": [{"b": 1, "c": [1, 2]}, {"b": 2, "c": []}]})
    return "taken"


@truth("MDB011", "A partial index tests for one of several, from 6.0 on")
def _(client: Client) -> str:
    client.shop.command(index([("a", 1)], partialFilterExpression={"b": {"$in": [1, 2]}}))
    return "taken"


for _code in ("MDB005", "MDB008"):

    @truth(_code, "A reference may lead nowhere, and stays when its target goes")
    def _(client: Client) -> str:
        client.shop.authors.insert_one({"_id": "a"})
        client.shop.c.insert_many([{"author": "a"}, {"author": "nobody"}])
        client.shop.authors.delete_one({"_id": "a"})
        return f"taken, {client.shop.c.count_documents({})} documents without a target"


@truth("MDB013", "What is no date never expires")
def _(client: Client) -> str:
    client.shop.command(index([("at", 1)], expireAfterSeconds=0))
    past = datetime.now(UTC) - timedelta(days=1)
    client.shop.c.insert_many([{"at": past}, {"at": past.isoformat()}, {"at": past.timestamp()}])
    before = client.admin.command({"setParameter": 1, "ttlMonitorSleepSecs": 1})["was"]
    try:
        _until(lambda: client.shop.c.count_documents({"at": {"$type": "date"}}) == 0)
        time.sleep(1.5)  # and one more round, in which nothing else goes
    finally:
        client.admin.command({"setParameter": 1, "ttlMonitorSleepSecs": before})
    kinds = sorted(type(entry["at"]).__name__ for entry in client.shop.c.find())
    return f"of a date, a text and a number these stay: {', '.join(kinds)}"


def _until(is_so: Callable[[], bool]) -> None:
    end = time.monotonic() + 90
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.2)


@truth("MDB015", "Measurements of one source share a document of the buckets")
def _(client: Client) -> str:
    series(client)
    start = datetime(2026, 1, 1, tzinfo=UTC)
    client.shop.c.insert_many([{"at": start + timedelta(seconds=n), "m": "a", "v": n} for n in range(1_000)])
    return f"1000 measurements in {client.shop['system.buckets.c'].count_documents({})} document"


@truth("MDB106", "An index that is the beginning of another one is built")
def _(client: Client) -> str:
    client.shop.command(index([("a", 1)]))
    client.shop.command(index([("a", 1), ("b", 1)], "y"))
    return "taken"


@truth("MDB106", "The longer index serves what the shorter one served")
def _(client: Client) -> str:
    client.shop.c.insert_many([{"a": n % 10, "b": n} for n in range(100)])
    client.shop.command(index([("a", 1), ("b", 1)]))
    return found_by(client, {"a": 1})


@truth("MDB112", "Of documents without the field a unique index takes one")
def _(client: Client) -> str:
    client.shop.command(index([("phone", 1)], unique=True))
    client.shop.c.insert_one({"_id": 1})
    return refused(lambda: client.shop.c.insert_one({"_id": 2}), "duplicate key")


@truth("MDB112", "With a filter on the field it takes them all")
def _(client: Client) -> str:
    client.shop.command(index([("phone", 1)], unique=True, partialFilterExpression={"phone": {"$exists": True}}))
    client.shop.c.insert_many([{"_id": 1}, {"_id": 2}])
    return "taken"


truth.beyond(
    "MDB018", "What a minority has acknowledged is taken back by a failover", "a local server is a majority by itself"
)
truth.beyond("MDB113", "Thousands of collections slow a server down", "it takes more data than a test has")


@pytest.fixture
def client(start: Callable[..., Running]) -> Iterator[Client]:
    """A client of a server without the database `shop`."""
    with Client(start("mongodb").url) as asking:
        asking.drop_database("shop")
        yield asking
        asking.drop_database("shop")


@pytest.mark.parametrize("claim", truth.shown, ids=str)
def test_mongod_does_what_pages_say(claim: Claim, client: Client, is_true: Callable[..., bool]) -> None:
    assert is_true(truth, claim, client, f"mongod {client.server_info()['version']}")
