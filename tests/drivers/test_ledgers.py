"""What ledgers make of answers that a test server never gives; no server answers here."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from botocore.exceptions import ClientError
from cassandra import InvalidRequest, WriteTimeout, WriteType
from cassandra.protocol import ErrorMessage

from keywright.drivers.cassandra import ledger as cassandra_ledger
from keywright.drivers.dynamodb import ledger as dynamodb_ledger
from keywright.drivers.mongodb import ledger as mongodb_ledger
from keywright.engines.contract.ledger import UNHELD, Lock
from keywright.engines.interface import StatementFailed

MINE, THEIRS = Lock("me", 1, 0), Lock("they", 1, 0)
UNKNOWN = ErrorMessage(cassandra_ledger.CAS_WRITE_UNKNOWN, "nobody knows", None)
TIMED_OUT = WriteTimeout("too late", write_type=WriteType.CAS)


class Session:
    """Fails each write, and reads one lock."""

    def __init__(self, failure: Exception, lock: Lock) -> None:
        self.failure, self.lock, self.writes = failure, lock, 0

    def execute(self, statement: Any, values: Any) -> Any:
        if statement.query_string.startswith("UPDATE"):
            self.writes += 1
            raise self.failure
        row = SimpleNamespace(owner=self.lock.owner or "", fence=self.lock.fence, beat=self.lock.beat, row="{}")
        return [row]


@pytest.mark.parametrize("failure", [UNKNOWN, TIMED_OUT])
@pytest.mark.parametrize(("lock", "is_done"), [(MINE, True), (THEIRS, False)])
def test_a_cassandra_write_that_may_have_been_done_is_looked_for(failure: Exception, lock: Lock, is_done: bool) -> None:
    session = Session(failure, lock)
    ledger = cassandra_ledger.ledger(session, "kw_meta", "store", agree=lambda: None)
    assert ledger.swap(UNHELD, MINE) is is_done
    assert session.writes == 1


def test_a_cassandra_write_that_was_not_done_is_sent_again_a_few_times() -> None:
    session = Session(TIMED_OUT, UNHELD)
    ledger = cassandra_ledger.ledger(session, "kw_meta", "store", agree=lambda: None)
    with pytest.raises(StatementFailed, match="each of 5 attempts"):
        ledger.swap(UNHELD, MINE)
    assert session.writes == 5


@pytest.mark.parametrize(
    ("row", "fence", "is_done"), [({}, 1, True), ({}, 2, True), ({"n": 1}, 2, False)], ids=["done", "done late", "lost"]
)
def test_a_cassandra_row_that_may_have_been_written_is_looked_for(row: Any, fence: int, is_done: bool) -> None:
    ledger = cassandra_ledger.ledger(Session(TIMED_OUT, Lock("x", fence, 0)), "kw_meta", "store", agree=lambda: None)
    assert ledger.put("0008", row, 1) is is_done


@pytest.mark.parametrize("failure", [InvalidRequest("no"), ErrorMessage(0x1001, "overloaded", None)])
def test_what_a_cassandra_refuses_is_not_sent_again(failure: Exception) -> None:
    session = Session(failure, UNHELD)
    ledger = cassandra_ledger.ledger(session, "kw_meta", "store", agree=lambda: None)
    with pytest.raises(type(failure)):
        ledger.swap(UNHELD, MINE)
    assert session.writes == 1


def refused(code: str, *reasons: str) -> ClientError:
    response: Any = {
        "Error": {"Code": code, "Message": "no"},
        "CancellationReasons": [{"Code": reason} for reason in reasons],
    }
    return ClientError(response, "Call")


def answering(*answers: Exception | None) -> Callable[..., None]:
    rest = list(answers)

    def answer(**arguments: object) -> None:
        if (error := rest.pop(0)) is not None:
            raise error

    return answer


CONFLICT = refused("TransactionConflictException")
CANCELLED = refused("TransactionCanceledException", "TransactionConflict", "None")


def test_a_dynamodb_request_that_met_another_one_is_sent_again() -> None:
    update, write = answering(CONFLICT, CONFLICT, None), answering(CANCELLED, CANCELLED, None)
    ledger = dynamodb_ledger.ledger(SimpleNamespace(update_item=update, transact_write_items=write), "t", "store")
    assert ledger.swap(UNHELD, MINE)
    assert ledger.put("0008", {}, 1)


@pytest.mark.parametrize("reason", ["ConditionalCheckFailed", "ItemCollectionSizeLimitExceeded"])
def test_a_dynamodb_write_that_is_refused_is_not_sent_again(reason: str) -> None:
    write = answering(refused("TransactionCanceledException", reason, "None"))
    ledger = dynamodb_ledger.ledger(SimpleNamespace(transact_write_items=write), "t", "store")
    if reason == "ConditionalCheckFailed":
        assert not ledger.put("0008", {}, 1)
    else:
        with pytest.raises(ClientError):
            ledger.put("0008", {}, 1)


def test_requests_that_always_meet_others_fail_in_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dynamodb_ledger.time, "sleep", lambda seconds: None)
    write = answering(*[CANCELLED] * dynamodb_ledger.ATTEMPTS)
    ledger = dynamodb_ledger.ledger(SimpleNamespace(transact_write_items=write), "t", "store")
    with pytest.raises(StatementFailed, match="all 20 attempts"):
        ledger.put("0008", {}, 1)


def test_a_new_dynamodb_table_is_asked_to_be_recoverable_until_it_can_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dynamodb_ledger.time, "sleep", lambda seconds: None)
    update = answering(refused("ContinuousBackupsUnavailableException"), None)
    dynamodb_ledger._enable_recovery(SimpleNamespace(update_continuous_backups=update), "t")
    with pytest.raises(IndexError):
        update()


class StandAlone:
    """A client of a server without a replica set."""

    admin = SimpleNamespace(command=lambda name: {"isWritablePrimary": True})

    def __getitem__(self, name: str) -> Any:
        return SimpleNamespace(get_collection=lambda name, **options: None)


def test_a_mongodb_that_stands_alone_is_refused() -> None:
    ledger = mongodb_ledger.ledger(StandAlone(), "content", "mongodb/content")
    with pytest.raises(StatementFailed, match=r"standalone server has no transactions.*--replSet"):
        ledger.prepare()
