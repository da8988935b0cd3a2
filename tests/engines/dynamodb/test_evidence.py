"""Evidence against paths: what a recorded client could tell, and the sentence for it."""

from typing import Any

import pytest
from tests.engines.dynamodb import patterned
from tests.engines.dynamodb.planning import plans_of

from keywright.engines.dynamodb.engine import ENGINE

PLANS = plans_of(patterned)


def judged(name: str, *events: dict[str, Any]) -> list[str]:
    return list(ENGINE.verify_evidence(PLANS.plan(name), events, 0))


def a_query(**changes: Any) -> dict[str, Any]:
    """Evidence of a page of `tasks_of_team` as it should be."""
    request = {"ScanIndexForward": False, "KeyConditionExpression": "#pk = :v0", "Limit": 7}
    usual = {"operation": "Query", "request": request, "count": 3, "scanned": 3, "units": {"": 0.5}}
    return usual | changes


def test_what_agrees_is_not_mentioned() -> None:
    assert judged("tasks_of_team", a_query()) == []
    # A query that finds nothing is charged by the service, and not by the local server.
    assert judged("tasks_of_team", a_query(count=0, scanned=0, units={"": 0.0})) == []
    assert judged("put_task", {"operation": "PutItem", "request": {}, "error": "ConditionalCheckFailedException"}) == []


DISAGREES: list[tuple[str, dict[str, Any], str]] = [
    ("tasks_of_team", {"operation": "Scan", "request": {}}, "Scan was sent, but the path is Query"),
    ("tasks_of_team", a_query(scanned=5), "examined 5 items and returned 3, although nothing is filtered"),
    ("tasks_of_team", a_query(index="main"), 'read index "main", but the path is by the table'),
    ("tasks_of_team", a_query(request={}), "read forward, but the order needs the other direction"),
    ("tasks_of_team", a_query(units={"": 0.0}), "Query consumed 0 units of the table, predicted 0.5 to any"),
    (
        "tasks_of_team", a_query(request={"ScanIndexForward": False, "ConsistentRead": True}),
        "an eventual read was planned, but another was sent",
    ),
    (
        "tasks_of_team", a_query(scanned=8, count=8, units={"": 4.0}),
        "examined 8 items, predicted at most 7",
    ),
    (
        "reading", {"operation": "GetItem", "request": {}, "count": 1, "units": {"": 3.0}},
        "GetItem consumed 3 units of the table, predicted 0.5 to 0.5",
    ),
    (
        "reprice", {"operation": "UpdateItem", "request": {}, "units": {"": 1.0}},
        "UpdateItem was sent, but the path is TransactWriteItems",
    ),
    (
        "again", {"operation": "UpdateItem", "request": {}, "units": {"": 1.0, "owned": 1.0, "elsewhere": 1.0}},
        'wrote to index "elsewhere", which the change does not affect',
    ),
]  # fmt: skip


@pytest.mark.parametrize(("name", "event", "sentence"), DISAGREES, ids=[disagree[2][:40] for disagree in DISAGREES])
def test_what_disagrees_is_said(name: str, event: dict[str, Any], sentence: str) -> None:
    assert sentence in judged(name, event)


def test_all_partitions_of_a_merged_page_are_asked() -> None:
    def part(shard: int) -> dict[str, Any]:
        names = {"#g2pk": "g2pk"}
        values = {":v0": {"S": f"OPEN#bug#{shard}"}}
        request = {
            "KeyConditionExpression": "#g2pk = :v0", "ExpressionAttributeNames": names,
            "ExpressionAttributeValues": values, "ScanIndexForward": False,
        }  # fmt: skip
        return {"operation": "Query", "index": "sparse", "request": request, "count": 0, "scanned": 0, "units": {}}

    assert judged("waiting_of_kind", *map(part, range(4))) == []
    assert judged("waiting_of_kind", *map(part, range(3))) == [
        "read 3 partitions of 4, but all of them are merged"
    ]  # fmt: skip
    assert "read 5 partitions, but the path has at most 4" in judged("waiting_of_kind", *map(part, range(5)))
