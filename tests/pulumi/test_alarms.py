"""Alarms as a program asks for them: beside tables, on nodes of services, and for a topic of the program's own."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.projects import a_project
from tests.pulumi.services import MODELS

ROOT = Path(__file__).parents[2]
ALARM = "aws:cloudwatch/metricAlarm:MetricAlarm"
TOPIC = "arn:aws:sns:eu-west-1:123456789012:on-call"

TABLE = """

shop = kw.DynamoTable("shop", gsis=[kw.Gsi("by_day", pk="day")])


class Order(BaseModel):
    __store__: ClassVar = kw.Item(shop, pk="ORDER#{order_id}", sk="ORDER")
    order_id: str
    day: str


order = kw.Get(Order, rate="1/s", p99_ms=10)
"""

STACK = f"""
config:
  keywright:environment:
    mode: dev
    monitoring: {{alarms: true, topic: "{TOPIC}"}}
    dynamodb: {{flavour: dynamodb, name-prefix: "dev-"}}
    redis: {{flavour: elasticache, version: "8.1", servers: {{sessions: {{nodes: [sessions-001]}}}}}}
    mongodb: {{flavour: documentdb, version: "5.0", instances: [content-1]}}
"""

PROGRAM = """
import pulumi_aws as aws
import keywright.pulumi

keywright.pulumi.provision()
"""

OWN_TOPIC = PROGRAM.replace("provision()", 'provision(topic=aws.sns.Topic("on-call").arn)')


def asked(folder: Path, program: str) -> dict[str, Any]:
    """The alarms that a program asks a mock of the engine for, by name."""
    files = {"models/shop.py": MODELS + TABLE, "stacks/__main__.py": program, "stacks/Pulumi.dev.yaml": STACK}
    a_project(folder, files)
    done = subprocess.run(
        [sys.executable, "-m", "tests.pulumi.recorded", "dev", "stacks/__main__.py"],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return {load["name"]: load for load in json.loads(done.stdout)["resources"] if load["type"] == ALARM}


def test_a_program_has_those_of_tables_and_of_the_nodes_that_are_named(tmp_path: Path) -> None:
    result = asked(tmp_path, PROGRAM)
    assert {name for name in result if name.startswith("shop/")} == {
        *(f"shop{part}/alarm/{side}-throttled" for part in ("", "/index/by_day") for side in ("read", "write")),
        "shop/GetItem/alarm/slow",
        "shop/GetItem/alarm/system-errors",
    }
    assert "sessions/sessions-001/alarm/memory-full" in result
    assert "documentdb/content-1/alarm/lags" in result
    assert result["shop/index/by_day/alarm/read-throttled"]["object"] == {
        "name": "dev-shop/index/by_day/read-throttled",
        "alarmDescription": result["shop/index/by_day/alarm/read-throttled"]["object"]["alarmDescription"],
        "namespace": "AWS/DynamoDB",
        "metricName": "ReadThrottleEvents",
        "dimensions": {"TableName": "dev-shop", "GlobalSecondaryIndexName": "by_day"},
        "statistic": "Sum",
        "period": 60.0,
        "evaluationPeriods": 1.0,
        "comparisonOperator": "GreaterThanThreshold",
        "threshold": 0.0,
        "treatMissingData": "notBreaching",
        "alarmActions": [TOPIC],
        "okActions": [TOPIC],
        "tags": {},
    }
    slow = result["shop/GetItem/alarm/slow"]["object"]
    assert (slow["extendedStatistic"], slow["threshold"]) == ("p99", 10)
    assert "statistic" not in slow


def test_a_topic_of_the_program_is_told_in_place_of_the_environments(tmp_path: Path) -> None:
    for entry in asked(tmp_path, OWN_TOPIC).values():
        assert entry["object"]["alarmActions"] == entry["object"]["okActions"] == ["arn:of:on-call"]
