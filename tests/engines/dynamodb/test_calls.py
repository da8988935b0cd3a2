"""Calls with a client that does what a local server never does: leaves work undone, and cancels transactions."""

from datetime import timedelta
from typing import Any

import pytest
from tests.engines.dynamodb import patterned as m
from tests.engines.dynamodb.planning import plans_of

from keywright.drivers.dynamodb.recorder import observed
from keywright.errors import UsageError
from keywright.runtime.dynamodb import codec
from keywright.runtime.dynamodb.execute import batches, cursor, prepare, together
from keywright.runtime.dynamodb.execute.cursor import PagePosition
from keywright.runtime.validate.arguments import Arguments, ConditionFailed

PLANS = plans_of(m)
CODECS = {name: codec(binding, PLANS.models[name]) for name, binding in PLANS.bindings.items()}
PATTERN = PLANS.patterns["tasks_of_team"]


class Failed(Exception):
    """An error of a client, as botocore makes it."""

    def __init__(self, code: str, *reasons: str) -> None:
        super().__init__(code)
        self.response = {"Error": {"Code": code}, "CancellationReasons": [{"Code": reason} for reason in reasons]}


class Client:
    """Answers with what it was given, one after the other, and keeps what it was asked."""

    def __init__(self, *answers: Any) -> None:
        self.answers = list(answers)
        self.asked: list[dict[str, Any]] = []

    def __getattr__(self, name: str) -> Any:
        def send(**request: Any) -> Any:
            self.asked.append({"": name, **request})
            answer = self.answers.pop(0) if self.answers else {}
            if isinstance(answer, Exception):
                raise answer
            return answer

        return send


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batches, "_PAUSE", 0)
    monkeypatch.setattr(together, "_PAUSE", 0)


def call(name: str, client: Client, *, items: tuple[Any, ...] = (), **values: Any) -> Any:
    planned = PLANS.plan(name)
    return prepare(planned, CODECS)(client, Arguments(values, items=items, limit=planned.pattern.limit, by=-1))


def test_keys_that_were_left_out_are_asked_again() -> None:
    items = [CODECS["Offer"].to_items(offer)[0] for offer in m.some_offers()[:2]]
    keys = [{name: item[name] for name in ("pk", "sk")} for item in items]
    client = Client(
        {"Responses": {"copies": [items[1]]}, "UnprocessedKeys": {"copies": {"Keys": keys[:1]}}},
        {"Responses": {"copies": [items[0]]}, "UnprocessedKeys": {}},
    )
    assert batches.get_items(client, "copies", keys) == items
    assert client.asked[1]["RequestItems"] == {"copies": {"Keys": keys[:1]}}


def test_more_than_a_hundred_keys_are_asked_in_several_requests() -> None:
    keys = [{"pk": {"S": str(number)}} for number in range(250)]
    client = Client(*[{"Responses": {}}] * 3)
    assert batches.get_items(client, "t", [*keys, keys[0]]) == [None] * 251
    assert [len(entry["RequestItems"]["t"]["Keys"]) for entry in client.asked] == [100, 100, 50]


def test_writes_that_were_left_out_are_sent_again() -> None:
    requests = [{"PutRequest": {"Item": {"pk": {"S": str(number)}}}} for number in range(30)]
    client = Client({"UnprocessedItems": {"t": requests[3:5]}})
    batches.write_items(client, "t", requests)
    assert [len(entry["RequestItems"]["t"]) for entry in client.asked] == [25, 2, 5]


def test_a_number_in_a_key_is_the_same_in_whatever_digits() -> None:
    items = batches.get_items(Client({"Responses": {"t": [{"n": {"N": "1.5"}}]}}), "t", [{"n": {"N": "1.50"}}])
    assert items == [{"n": {"N": "1.5"}}]


def test_a_transaction_that_meets_another_is_sent_again_and_not_for_ever() -> None:
    conflict = Failed("TransactionCanceledException", "None", "TransactionConflict", "None")
    client = Client(conflict, conflict, {})
    call("reprice", client, sku="a", day=m.some_offers()[0].day, price=1)
    assert len(client.asked) == 3
    with pytest.raises(Failed, match="TransactionCanceled"):
        call("reprice", Client(*[conflict] * 20), sku="a", day=m.some_offers()[0].day, price=1)


def test_a_failed_condition_of_a_transaction_is_told_as_one() -> None:
    failed = Failed("TransactionCanceledException", "None", "ConditionalCheckFailed", "None")
    client = Client(failed, {})
    with pytest.raises(ConditionFailed):
        call("reprice", client, sku="a", day=m.some_offers()[0].day, price=1)
    assert len(client.asked) == 1


def test_each_shard_is_tried_once() -> None:
    failed = Failed("ConditionalCheckFailedException")
    client = Client(*[failed] * 5)
    with pytest.raises(ConditionFailed):
        call("take_one", client, sku="a")
    assert sorted(entry["Key"]["pk"]["S"] for entry in client.asked) == [f"STOCK#a#{shard}" for shard in range(5)]


@pytest.mark.parametrize("name", ["take_one", "reprice", "put_new", "drop_done"])
def test_other_errors_of_the_client_are_its_own(name: str) -> None:
    task = m.some_tasks(1)[0]
    values: dict[str, Any] = {"sku": "a", "day": m.some_offers()[0].day, "price": 1}
    values |= {"team": task.team, "due": task.due, "task_id": task.task_id}
    with pytest.raises(Failed, match="Throttling"):
        call(name, Client(Failed("ThrottlingException")), items=(task,), **values)
    with pytest.raises(KeyError):
        call(name, Client(KeyError("no client of ours")), items=(task,), **values)


def test_what_a_call_lacks_is_said() -> None:
    with pytest.raises(UsageError, match='the call has no value for "team"'):
        call("tasks_of_team", Client())
    with pytest.raises(UsageError, match="takes two ends"):
        call("tasks_between", Client(), team="red", due=m.START)
    with pytest.raises(UsageError, match="covers more than"):
        call("of_days", Client(), due=(m.START, m.START + timedelta(days=9)))
    with pytest.raises(UsageError, match="has no start"):
        call("of_days", Client(), due=(None, m.START))
    with pytest.raises(UsageError, match='"task_id" is None'):
        call("task_by_id", Client(), task_id=None)


def test_a_range_that_ends_before_it_begins_asks_nothing() -> None:
    client = Client()
    page = call("tasks_between", client, team="red", due=(m.START + timedelta(1), m.START))
    assert (page.items, page.cursor, client.asked) == ((), None, [])


def test_a_cursor_keeps_every_native_value() -> None:
    position = PagePosition(
        "2026-03-01", {"a|b": {"pk": {"S": "ä#"}, "n": {"N": "1.5"}, "b": {"B": b"\0\xff"}}, "c": None}, 7
    )
    written = cursor.written(PATTERN, position)
    assert cursor.read(PATTERN, written) == position
    assert set(written) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


def test_recorded_requests_are_json_with_what_the_server_says() -> None:
    consumed = {
        "Table": {"CapacityUnits": 1.0},
        "GlobalSecondaryIndexes": {"a": {"CapacityUnits": 2.0}, "b": {"CapacityUnits": 0.0}},
    }
    client = Client({"Count": 1, "ScannedCount": 2, "Items": [{}], "ConsumedCapacity": consumed}, Failed("Nope"), 5)
    seen = observed(client)
    answer = seen.client.query(TableName="t", IndexName="i", ExpressionAttributeValues={":v": {"B": b"\0"}})
    assert "ConsumedCapacity" not in answer
    with pytest.raises(Failed):
        seen.client.put_item(TableName="t")
    assert seen.client.describe_table(TableName="t") == 5
    assert client.asked[0]["ReturnConsumedCapacity"] == "INDEXES"
    assert seen.events() == (
        {
            "operation": "Query",
            "request": {"TableName": "t", "IndexName": "i", "ExpressionAttributeValues": {":v": {"B": "AA=="}}},
            "index": "i", "count": 1, "scanned": 2, "units": {"": 1.0, "a": 2.0},
        },
        {"operation": "PutItem", "request": {"TableName": "t"}, "error": "Nope"},
    )  # fmt: skip
    assert seen.events() == ()
