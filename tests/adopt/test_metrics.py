"""Exports of CloudWatch, as rates of DynamoDB tables and indexes."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Keywright
from tests.cli.conftest import keywright as keywright

from keywright.engines.dynamodb.adopt.metrics import measured

TABLE = {
    "TableName": "orders",
    "AttributeDefinitions": [
        {"AttributeName": "customer", "AttributeType": "S"},
        {"AttributeName": "number", "AttributeType": "N"},
        {"AttributeName": "state", "AttributeType": "S"},
    ],
    "KeySchema": [
        {"AttributeName": "customer", "KeyType": "HASH"},
        {"AttributeName": "number", "KeyType": "RANGE"},
    ],
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "by_state",
            "Projection": {"ProjectionType": "KEYS_ONLY"},
            "KeySchema": [{"AttributeName": "state", "KeyType": "HASH"}],
        }
    ],
}
TIMES = [f"2026-11-{day}T10:{minute:02d}:00+00:00" for day in (20, 27) for minute in range(60)]


def query(id: str, table: str = "orders", metric: str = "Read", index: str = "", stat: str = "Sum") -> dict[str, Any]:
    dimensions = [{"Name": "TableName", "Value": table}]
    dimensions += [{"Name": "GlobalSecondaryIndexName", "Value": index}] if index else []
    name = f"Consumed{metric}CapacityUnits"
    named = {"Namespace": "AWS/DynamoDB", "MetricName": name, "Dimensions": dimensions}
    return {"Id": id, "MetricStat": {"Metric": named, "Period": 60, "Stat": stat}, "ReturnData": True}


def result(id: str, *values: float) -> dict[str, Any]:
    return {"Id": id, "Label": id, "Timestamps": TIMES[-len(values) :], "Values": values, "StatusCode": "Complete"}


QUERIES = [query("reads"), query("writes", metric="Write"), query("states", index="by_state"), query("x", "others")]
RESULTS = {
    "Messages": [],
    "MetricDataResults": [
        result("reads", *[600.0] * 119, 60_000),
        result("writes", *[60_000.0] * 60),
        result("states", 6.0),
        result("x", 6.0),
    ],
}


def test_consumption_is_evidence_for_the_reads_of_a_table(
    keywright: Keywright, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, document in (("table", TABLE), ("queries", QUERIES), ("metrics", RESULTS)):
        Path(f"{name}.json").write_text(json.dumps(document))
    said = keywright("adopt", "table.json", "queries.json", "metrics.json").out
    assert "not expressed: metrics/others: no such table is read in: name its store or its schema file too" in said
    text = Path("models/orders.py").read_text()
    assert (
        """\
# the table: 0.22 read units a second, 1000 in the busiest minute (CloudWatch, 7 days)
# the table: 1000 write units a second, 1000 in the busiest minute (CloudWatch, 1 hour)
order_by_customer_and_number = kw.Get("""
        in text
    )
    assert (
        """\
# from index "by_state"
# index "by_state": 0.1 read units a second (CloudWatch, 1 minute)
orders_by_state = kw.Read("""
        in text
    )
    assert keywright("compile").code == 0


@pytest.mark.parametrize(
    ("queries", "reason"),
    [
        ([], "results without a query: name also the file of --metric-data-queries, which has tables and periods"),
        ([query("a", stat="Average")],
         'metric "a": no sum of consumed units: query ConsumedReadCapacityUnits with Stat "Sum"'),
        ([query("a", metric="Whatever")],
         'metric "a": no sum of consumed units: query ConsumedReadCapacityUnits with Stat "Sum"'),
    ],
)  # fmt: skip
def test_results_that_give_no_rate_are_listed(queries: list[Any], reason: str) -> None:
    files = {"m.json": json.dumps({"MetricDataQueries": queries, "MetricDataResults": [result("a", 5)]})}
    measures = measured(files)
    assert not measures.rates
    assert [(part.object, part.reason) for part in measures.not_expressed] == [("m.json", reason)]
    assert measures.files == ("m.json",)


def test_pages_of_results_are_one_and_odd_values_are_left_out() -> None:
    first = {"MetricDataQueries": QUERIES, "MetricDataResults": [result("reads", 60)]}
    odd = {"Id": "reads", "Timestamps": ["x", TIMES[0], None, TIMES[-2], TIMES[-1]], "Values": [1, "6", 5, 180.0, -1]}
    second = {"MetricDataResults": [odd, result("reads", 60), {"Id": "writes", "Values": 5}, "x"]}
    measures = measured({"1.json": json.dumps(first), "2.json": json.dumps(second)})
    text = "the table: 2 read units a second, 3 in the busiest minute (CloudWatch, 2 minutes)"
    assert measures.rates == {"orders": {("read", ""): text}}


@pytest.mark.parametrize("text", ["", "[" * 100_000 + "MetricStat", '["MetricStat"]', "{}", "[5]"])
def test_other_files_are_no_exports(text: str) -> None:
    assert measured({"a.json": text}).files == ()
