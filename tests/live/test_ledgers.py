"""What single engines do for a history beyond the contract of all, on real servers."""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pymongo
import pytest
from cassandra.cluster import Session
from pymongo import MongoClient
from pymongo.client_session import ClientSession
from pymongo.errors import PyMongoError
from redis import Redis
from tests.live.forked import begun, code_of
from tests.live.test_redis import booted, program

from keywright.drivers.cassandra import driver as cassandra
from keywright.drivers.dynamodb import driver as dynamodb
from keywright.drivers.dynamodb import ledger as dynamodb_ledger
from keywright.drivers.mongodb import ledger as mongodb_ledger
from keywright.drivers.mongodb.lock_session import LockSession
from keywright.drivers.redis import driver as redis
from keywright.drivers.redis import ledger as redis_ledger
from keywright.engines.contract.ledger import UNHELD, Ledger, Lock
from keywright.engines.interface import StatementFailed
from keywright.local import Running
from keywright.migrations.lock.lock import unlock

pytestmark = pytest.mark.live

Start = Callable[..., Running]
MINE, THEIRS = Lock("me", 1, 0), Lock("they", 2, 0)


def test_a_dynamodb_table_is_protected_and_on_demand(start: Start) -> None:
    client: Any = dynamodb.client(start("dynamodb").url.replace("://", "://ledgers@"))
    dynamodb_ledger.ledger(client, "kw-history", "dynamodb").prepare()
    table = client.describe_table(TableName="kw-history")["Table"]
    assert (table["TableStatus"], table["DeletionProtectionEnabled"]) == ("ACTIVE", True)
    assert table["BillingModeSummary"]["BillingMode"] == "PAY_PER_REQUEST"
    client.close()


def test_a_cassandra_keyspace_has_a_copy_on_each_node_up_to_three(start: Start) -> None:
    url = start("cassandra").url
    driver, session = cassandra.connect(url), cassandra.client(url)
    driver.ledger("kw_copies", "cassandra/shop").prepare()
    assert replication(session) == {"class": "org.apache.cassandra.locator.NetworkTopologyStrategy", "datacenter1": "1"}
    driver.drop(["kw_copies"])
    session.cluster.shutdown()
    driver.close()


def replication(session: Session) -> dict[str, str]:
    query = "SELECT replication FROM system_schema.keyspaces WHERE keyspace_name = 'kw_copies'"
    return dict(session.execute(query).one().replication)


def until(is_so: Callable[[], bool]) -> None:
    ends = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < ends


@pytest.fixture
def asking(start: Start) -> Iterator[MongoClient[Any]]:
    with MongoClient[Any](start("mongodb").url) as mongo_client:
        yield mongo_client
        mongo_client.drop_database("kw_ledgers")


@pytest.fixture
def ledger(asking: MongoClient[Any]) -> Ledger:
    created = mongodb_ledger.ledger(asking, "kw_ledgers", "mongodb/content")
    created.prepare()
    assert created.swap(UNHELD, MINE)
    return created


def test_a_mongodb_takeover_waits_for_a_transaction_that_has_written_the_lock(
    asking: MongoClient[Any], ledger: Ledger
) -> None:
    database, ends, has_waited = asking["kw_ledgers"], list[bool](), list[bool]()
    takeover = threading.Thread(target=lambda: ends.append(ledger.swap(MINE, THEIRS)))

    def update_one(*args: Any, **kwargs: Any) -> Any:
        if not takeover.ident:
            takeover.start()
            takeover.join(0.3)
            has_waited.append(takeover.is_alive())
        return database["_kw_history"].update_one(*args, **kwargs)

    slow = SimpleNamespace(update_one=update_one)
    session = LockSession(asking)
    assert mongodb_ledger._put(session, database["_kw_lock"], slow, "mongodb/content", "0008", {"n": 1}, 1)
    takeover.join(20)
    assert (has_waited, ends) == ([True], [True])
    assert (ledger.rows(""), ledger.lock()) == ({"0008": {"n": 1}}, THEIRS)
    assert database["_kw_lock"].find_one()["writes"] == 1


def test_a_mongodb_takeover_aborts_the_transaction_of_a_killed_holder(
    start: Start, asking: MongoClient[Any], ledger: Ledger, tmp_path: Path
) -> None:
    """The server itself would do so after up to 90 seconds."""
    killed = begun(killed_within_a_commit, tmp_path / "said", start("mongodb").url)
    assert code_of(killed) == -signal.SIGKILL, (tmp_path / "said").read_text()
    theirs = ledger.lock()
    with pymongo.timeout(1), pytest.raises(PyMongoError) as blocked:
        asking["kw_ledgers"]["_kw_lock"].update_one({}, {"$inc": {"beat": 1}})
    assert blocked.value.timeout
    assert unlock(ledger, "killed")
    assert ledger.swap(ledger.lock(), Lock("me", theirs.fence + 2, 0))
    assert ledger.put("0009", {"by": "me"}, theirs.fence + 2)
    assert ledger.rows("") == {"0009": {"by": "me"}}


def killed_within_a_commit(url: str) -> int:
    """Take the lock, and die when a row is written but not committed."""
    with MongoClient[Any](url) as mongo_client, pytest.MonkeyPatch.context() as patch:
        ledger = mongodb_ledger.ledger(mongo_client, "kw_ledgers", "mongodb/content")
        lock = ledger.lock()
        assert ledger.swap(lock, Lock("killed", lock.fence + 1, 0))
        patch.setattr(ClientSession, "commit_transaction", lambda session: os.kill(os.getpid(), signal.SIGKILL))
        ledger.put("0008", {"by": "killed"}, lock.fence + 1)
    return 0


def test_a_mongodb_transaction_that_is_interrupted_is_aborted(asking: MongoClient[Any], ledger: Ledger) -> None:
    session = LockSession(asking)

    def interrupted(own: Any) -> bool:
        asking["kw_ledgers"]["_kw_lock"].update_one({}, {"$inc": {"writes": 1}}, session=own)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        session.transaction(interrupted)
    assert session.transaction(lambda own: True)
    assert ledger.swap(MINE, THEIRS)


def test_a_mongodb_transaction_that_has_only_read_the_lock_would_be_committed_after_a_takeover(
    asking: MongoClient[Any], ledger: Ledger
) -> None:
    database = asking["kw_ledgers"]
    with asking.start_session() as session, session.start_transaction():
        assert database["_kw_lock"].find_one({"_id": "mongodb/content", "fence": 1}, session=session)
        assert ledger.swap(MINE, THEIRS)
        database["_kw_history"].insert_one({"_id": "mongodb/content#0008", "row": "{}"}, session=session)
    assert ledger.rows("") == {"0008": {}}, "which is why `put` writes the lock"


def test_beats_and_writes_of_one_holder_do_not_disturb_each_other(ledger: Ledger) -> None:
    def beat() -> None:
        for number in range(50):
            assert ledger.swap(Lock("me", 1, number), Lock("me", 1, number + 1))

    heart = threading.Thread(target=beat)
    heart.start()
    assert all(ledger.put(f"{number:04}", {}, 1) for number in range(50))
    heart.join()
    assert (ledger.lock(), len(ledger.rows(""))) == (Lock("me", 1, 50), 50)


def test_what_redis_writes_has_reached_a_replica(start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_ledger, "WAIT_MILLISECONDS", 200)
    for name in ("primary", "replica"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "server.conf").write_text('save ""\nenable-debug-command yes\nrepl-diskless-sync-delay 0\n')
    run = program(start)
    with (
        booted(run, tmp_path / "primary/server.conf") as first,
        booted(run, tmp_path / "replica/server.conf") as second,
    ):
        driver, replica = redis.connect(first), Redis.from_url(second, decode_responses=True)
        ledger = driver.ledger("kw", "redis/sessions")
        ledger.prepare()
        replica.replicaof("127.0.0.1", first.rpartition(":")[2].partition("/")[0])
        until(lambda: replica.info("replication")["master_link_status"] == "up")
        assert ledger.swap(UNHELD, MINE)
        assert replica.hget("kw:{redis/sessions}", "owner") == "me"
        asleep = threading.Thread(target=lambda: replica.execute_command("DEBUG", "SLEEP", 1))
        asleep.start()
        with pytest.raises(StatementFailed, match="no replica had the write"):
            until(lambda: not ledger.put("0008", {}, 1))
        asleep.join()
        replica.close()
        driver.close()
