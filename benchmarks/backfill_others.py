"""`python -m benchmarks backfill others`: guarded backfills of three more servers, against loops by hand.

One sample of each: what a loop does with the same client, the same guard and about as many calls at once.
"""

import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from cassandra.concurrent import execute_concurrent_with_args

from keywright import local
from keywright.drivers.cassandra import driver as cassandra
from keywright.drivers.dynamodb import driver as dynamodb
from keywright.drivers.redis import driver as redis
from keywright.engines.contract.pages import Work
from keywright.engines.interface import Driver
from keywright.local import Running, WantedServer
from keywright.migrations.backfill import backfill

from .backfill import TRANSFORM

ITEMS, AT_ONCE = 20_000, 1_000

Loop = Callable[[], None]


def main() -> None:
    """Start servers of its own, measure and print one line for each."""
    instances = [WantedServer(name, name) for name in SIDES]
    with tempfile.TemporaryDirectory() as name:
        servers = local.up(Path(name), instances, required=set(SIDES), tell=lambda event: None)
        try:
            for server in servers:
                assert isinstance(server, Running)
                measure(server)
        finally:
            local.down(Path(name), tell=lambda event: None)


def measure(server: Running) -> None:
    """One server, each side with items that are loaded anew."""
    connect, begin, peer = SIDES[server.instance.engine]
    url = server.url.replace("://", "://BENCHMARK@") if server.instance.engine == "dynamodb" else server.url
    with closing(connect(url)) as driver:
        load, loop, place, home = begin(url)
        load()
        loop()  # servers in Java are slow at first
        load()
        theirs = seconds(loop)
        load()
        ours = seconds(lambda: backfilled(driver, place, home))
    told = f"{ITEMS / ours:7.0f} items a second, by hand {ITEMS / theirs:7.0f}"
    print(f"{server.instance.engine:10} guarded {told}, {theirs / ours:5.2f}x of {peer}")


def seconds(work: Loop) -> float:
    """How long it takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def backfilled(driver: Driver, place: dict[str, Any], home: str) -> None:
    """A backfill as it is by default, with its history in the same server."""
    work = Work(reads=TRANSFORM.reads, writes=TRANSFORM.writes, version=2, transform=TRANSFORM, **place)
    ledger = driver.ledger(home, "users")
    ledger.prepare()
    report = backfill.run(ledger, "0001/20", driver.pages(work), work)
    assert report.counts.written == ITEMS, report


def of_redis(url: str) -> tuple[Loop, Loop, dict[str, Any], str]:
    """Hashes: a script for each, pipelined, that compares before it writes."""
    client = redis.client(url)
    script = "if redis.call('HGET',KEYS[1],'name')~=ARGV[1] then return 0 end redis.call('HDEL',KEYS[1],'name')"
    write = client.register_script(
        f"{script} return redis.call('HSET',KEYS[1],'first',ARGV[2],'last',ARGV[3],'_kw_v',2)"
    )

    def load() -> None:
        pipeline = client.pipeline(transaction=False)
        for at in range(ITEMS):
            pipeline.delete(f"user:{at}")
            pipeline.hset(f"user:{at}", mapping={"id": str(at), "name": f"First{at} Last", "note": "n" * 100})
        pipeline.execute()

    def loop() -> None:
        cursor = -1
        while cursor:
            cursor, keys = client.scan(max(cursor, 0), match="user:*", count=AT_ONCE)
            reading, writing = client.pipeline(transaction=False), client.pipeline(transaction=False)
            for key in keys:
                reading.hget(key, "name")
            for key, name in zip(keys, reading.execute(), strict=True):
                if name is not None:
                    write([key], [name, *name.split(" ", 1)], client=writing)
            writing.execute()

    return load, loop, {"object": "server", "keys": (("key", "user:{id}"),)}, "benchmark"


def of_cassandra(url: str) -> tuple[Loop, Loop, dict[str, Any], str]:
    """Rows: conditional updates, many at once."""
    session = cassandra.client(url)
    session.execute("CREATE KEYSPACE benchmark WITH replication = {'class': 'SimpleStrategy', 'replication_factor': 1}")
    columns = "id int PRIMARY KEY, name text, first text, last text, note text, kw_v int"
    session.execute(f"CREATE TABLE benchmark.users ({columns})")
    insert = session.prepare("INSERT INTO benchmark.users (id, name, note) VALUES (?, ?, ?)")
    update = session.prepare(
        "UPDATE benchmark.users SET first = ?, last = ?, name = null, kw_v = 2 WHERE id = ? IF name = ? AND kw_v = null"
    )

    def load() -> None:
        session.execute("TRUNCATE benchmark.users", timeout=60)
        rows = [(at, f"First{at} Last", "n" * 100) for at in range(ITEMS)]
        execute_concurrent_with_args(session, insert, rows, concurrency=64)

    def loop() -> None:
        found = session.execute("SELECT id, name FROM benchmark.users")
        rows = [(*name.split(" ", 1), id, name) for id, name in found]
        execute_concurrent_with_args(session, update, rows, concurrency=64)

    return load, loop, {"object": "benchmark.users"}, "benchmark"


def of_dynamodb(url: str) -> tuple[Loop, Loop, dict[str, Any], str]:
    """Items: conditional updates, one after the other."""
    client = dynamodb.client(url)
    key: Any = {"AttributeName": "pk", "KeyType": "HASH"}
    client.create_table(
        TableName="users", KeySchema=[key], BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
    )  # fmt: skip

    def load() -> None:
        for begin in range(0, ITEMS, 25):
            puts = [
                {"PutRequest": {"Item": {"pk": {"S": str(at)}, "name": {"S": f"First{at} Last"}}}}
                for at in range(begin, min(begin + 25, ITEMS))
            ]
            client.batch_write_item(RequestItems={"users": puts})  # type: ignore[dict-item]

    def loop() -> None:
        for page in client.get_paginator("scan").paginate(TableName="users", ConsistentRead=True):
            for one in page["Items"]:
                first, last = one["name"]["S"].split(" ", 1)
                client.update_item(
                    TableName="users", Key={"pk": one["pk"]}, ConditionExpression="#n = :n",
                    UpdateExpression="SET #f = :f, #l = :l, #v = :v REMOVE #n",
                    ExpressionAttributeNames={"#n": "name", "#f": "first", "#l": "last", "#v": "_kw_v"},
                    ExpressionAttributeValues={
                        ":n": one["name"], ":f": {"S": first}, ":l": {"S": last}, ":v": {"N": "2"},
                    },
                )  # fmt: skip

    return load, loop, {"object": "users"}, "kw-history"


SIDES: dict[str, tuple[Callable[[str], Driver], Callable[[str], tuple[Loop, Loop, dict[str, Any], str]], str]] = {
    "redis": (redis.connect, of_redis, "scripts in pipelines"),
    "cassandra": (cassandra.connect, of_cassandra, "conditional updates, 64 at once"),
    "dynamodb": (dynamodb.connect, of_dynamodb, "conditional update_item, one by one"),
}


if __name__ == "__main__":
    main()
