"""A process that is stopped in a backfill for longer than its lease: when it wakes up, it changes nothing.

What it did is asked of the servers themselves: MongoDB's oplog, the stream of a DynamoDB table, what MONITOR shows of
Redis, and the times of writing in Cassandra.
"""

import json
import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import boto3
import pytest
from tests.interrupts import is_stopped
from tests.live.backfill_killed import main
from tests.live.forked import CONTEXT, begun, code_of, ended
from tests.live.test_bump import Bump, a_bump

from keywright.drivers.cassandra import driver as cassandra
from keywright.drivers.dynamodb import driver as dynamodb
from keywright.drivers.mongodb import driver as mongodb
from keywright.drivers.redis import driver as redis
from keywright.local import Running
from keywright.migrations.backfill.backfill import BackfillSettings

pytestmark = pytest.mark.live

LEASE_SECONDS = 6
"""So short that it can be waited for, and long enough for a busy machine to beat."""
COUNT = 20
WRITES = {"HSET", "HDEL", "HMSET", "SET", "DEL", "UNLINK", "EXPIRE", "PEXPIRE", "HSETNX"}


@contextmanager
def of_mongodb(url: str, prefix: str) -> Iterator[Callable[[], object]]:
    with mongodb.client(url) as client:
        oplog = client["local"]["oplog.rs"]
        (last,) = oplog.find(sort={"$natural": -1}, limit=1)
        yield lambda: list(oplog.find({"ts": {"$gt": last["ts"]}, "op": {"$ne": "n"}, "ns": {"$regex": f"^{prefix}"}}))


@contextmanager
def of_dynamodb(url: str, prefix: str) -> Iterator[Callable[[], object]]:
    client: Any = dynamodb.client(url)
    streams: Any = boto3.client(
        "dynamodbstreams", endpoint_url=client.meta.endpoint_url, region_name=dynamodb.LOCAL_REGION,
        aws_access_key_id=dynamodb.LOCAL_KEY, aws_secret_access_key=dynamodb.LOCAL_KEY,
    )  # fmt: skip
    arns = []
    for name in client.list_tables()["TableNames"]:
        if name.startswith(prefix):
            stream = {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}
            arns.append(client.update_table(TableName=name, StreamSpecification=stream)["TableDescription"]
                        ["LatestStreamArn"])  # fmt: skip

    def records() -> list[Any]:
        result: list[Any] = []
        for arn in arns:
            for shard in streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]:
                begin = {"StreamArn": arn, "ShardId": shard["ShardId"], "ShardIteratorType": "TRIM_HORIZON"}
                at = streams.get_shard_iterator(**begin)["ShardIterator"]
                result += streams.get_records(ShardIterator=at)["Records"]
        return result

    assert len(arns) == 2, "the table, and that of the history"
    yield records
    client.close()
    streams.close()


@contextmanager
def of_redis(url: str, prefix: str) -> Iterator[Callable[[], object]]:
    client = redis.client(url)
    with client.monitor() as monitor:

        def shown() -> list[str]:
            client.echo("it is over")
            result: list[str] = []
            while "it is over" not in (command := monitor.next_command()["command"]):
                result.append(command)
            return [entry for entry in result if entry.split()[0].upper() in WRITES]

        yield shown
    client.close()


@contextmanager
def of_cassandra(url: str, prefix: str) -> Iterator[Callable[[], object]]:
    session = cassandra.client(url)

    def times() -> list[Any]:
        rows = session.execute(f"SELECT id, writetime(score) FROM {prefix}bump.readers")
        rows_ = session.execute(f"SELECT key, writetime(row) FROM {prefix}kw_meta.history")
        return sorted(tuple(row) for row in (*rows, *rows_))

    before = times()
    yield lambda: [entry for entry in times() if entry not in before]
    session.cluster.shutdown()


TRACES: dict[str, Any] = {
    "mongodb": of_mongodb, "dynamodb": of_dynamodb, "redis": of_redis, "cassandra": of_cassandra,
}  # fmt: skip
"""What each server says that was written, from a moment on."""


def rows(bump: Bump) -> str:
    with bump.project.site(bump.store) as site:
        return json.dumps([site.ledger.rows(""), str(site.ledger.lock())])


@pytest.mark.parametrize("engine", TRACES)
def test_a_holder_that_wakes_up_changes_nothing(
    engine: str, tmp_path: Path, start: Callable[..., Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    bump = a_bump(engine, tmp_path, start, monkeypatch, LEASE_SECONDS)
    bump.put(*range(COUNT))
    page, settings = CONTEXT.Semaphore(0), BackfillSettings(segments=1, workers=1, page=3)
    stopped = begun(main, tmp_path / "said", bump.project.root, ["0002/10"], settings, 0, True, page, 1)
    while not is_stopped(stopped.pid):
        time.sleep(0.01)
    assert ended(stopped) is None, (tmp_path / "said").read_text()
    project = bump.project("apply", "--local")
    assert project.code == 0, project
    assert bump.scores() == [entry + 1 for entry in range(COUNT)]
    before = rows(bump)
    with TRACES[engine](os.environ[f"KEYWRIGHT_{engine.upper()}_URL"], bump.project.prefix) as trace:
        os.kill(stopped.pid, signal.SIGCONT)
        assert code_of(stopped) == 4, (tmp_path / "said").read_text()
        assert trace() == []
        assert rows(bump) == before
        assert bump.scores() == [entry + 1 for entry in range(COUNT)]
        bump.put(0)
        assert trace() != [], "what is written shows"
    bump.clear()
