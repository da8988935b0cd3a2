"""Tables that scale, have replicas and are followed, by the real command line and the stand-in for the AWS provider."""

import json
import time
from collections import Counter
from typing import Any

import pytest
import yaml
from tests.projects import imported_alone
from tests.pulumi.standin import quotas
from tests.pulumi.tables_only import addresses as addresses
from tests.pulumi.world import World

from keywright.api.live.connect import StoreSelector
from keywright.api.stack.desired import stack_of
from keywright.api.stack.provide import provided
from keywright.engines.monitoring.alarms import ALARM
from keywright.project.settings import read_settings

pytestmark = pytest.mark.live

PROGRAM = """
import keywright.pulumi

tables = keywright.pulumi.Tables("dynamodb")
tables.consume("messaging", "push", "push-messages", queue="arn:of:queue")
"""

SCALED = """{billing: provisioned, contributor-insights: true, autoscaling: {
          read: {min: 5, max: 500}, write: {min: 2, max: 200},
          schedules: [{name: morning, schedule: "cron(0 8 * * ? *)", read: {min: 50, max: 500}}]}}"""

MESSAGING = "dev-messaging"
POSITION = "KEYWRIGHT_POSITION"


@pytest.fixture
def tables(world: World) -> World:
    """The example with its tables alone, of which one is provisioned."""
    (world.root / "stacks" / "__main__.py").write_text(PROGRAM, encoding="utf-8")
    said(world, "stack", "init", "dev")
    return world


def said(world: World, *arguments: str) -> str:
    done = world.pulumi(*arguments)
    assert done.code == 0, done.text
    return done.text


def up(world: World, *arguments: str) -> str:
    return said(world, "up", "--yes", "--skip-preview", "-s", "dev", *arguments)


def messaging(world: World, settings: str) -> None:
    """Say this of the table, and nothing else."""
    file = world.root / "stacks" / "Pulumi.dev.yaml"
    document: Any = yaml.safe_load(file.read_text(encoding="utf-8"))
    document["config"]["keywright:environment"]["dynamodb"]["tables"] = {"messaging": yaml.safe_load(settings)}
    file.write_text(yaml.safe_dump(document, sort_keys=False), encoding="utf-8")


def capacity(world: World) -> list[tuple[int, int]]:
    """Read and write units of the table and its indexes by name."""
    live = world.dynamodb.describe_table(TableName=MESSAGING)["Table"]
    parts = [live, *sorted(live["GlobalSecondaryIndexes"], key=lambda entry: str(entry["IndexName"]))]
    units = (part["ProvisionedThroughput"] for part in parts)
    return [(unit["ReadCapacityUnits"], unit["WriteCapacityUnits"]) for unit in units]


def scale(world: World) -> None:
    """What the service does when the load grows."""
    units: Any = {"ReadCapacityUnits": 77, "WriteCapacityUnits": 33}
    index = [{"Update": {"IndexName": "inverted", "ProvisionedThroughput": units}}]
    world.dynamodb.update_table(
        TableName=MESSAGING, ProvisionedThroughput=units, GlobalSecondaryIndexUpdates=index
    )  # fmt: skip


BY_SENDER = 'by_sender = kw.Gsi("by_sender", pk="sender_id", sk="message_id", project="keys")'


def test_capacity_that_scales_is_left_alone_also_when_an_index_is_made(tables: World) -> None:
    messaging(tables, SCALED)
    up(tables)
    assert capacity(tables) == [(5, 2)] * 3
    scale(tables)
    said(tables, "refresh", "--yes", "-s", "dev")
    up(tables, "--expect-no-changes")
    assert capacity(tables) == [(77, 33), (5, 2), (77, 33)]

    table = "\nmessaging = kw.DynamoTable("
    tables.edit("models/messaging.py", table, f"{BY_SENDER}\n{table}")
    tables.edit("models/messaging.py", "gsis=[by_activity, inverted]", "gsis=[by_activity, inverted, by_sender]")
    steps = {(entry["op"], entry["urn"].split("::")[-1]) for entry in tables.preview("dev")}
    new = "messaging/index/by_sender"
    assert steps == {
        ("update", "messaging"), ("create", f"{new}/insights"),
        ("create", f"{new}/read"), ("create", f"{new}/read/policy"), ("create", f"{new}/read/schedule/morning"),
        ("create", f"{new}/write"), ("create", f"{new}/write/policy"),
    }  # fmt: skip
    up(tables)
    assert capacity(tables) == [(77, 33), (5, 2), (5, 2), (77, 33)]
    said(tables, "destroy", "--yes", "-s", "dev")


def test_a_stream_of_kinesis_is_added_changed_and_removed(tables: World) -> None:
    stream = "arn:aws:kinesis:eu-west-1:111122223333:stream/{}"
    up(tables)
    for settings, operation in (
        (f"{{kinesis-stream: '{stream.format('one')}'}}", "create"),
        (f"{{kinesis-stream: '{stream.format('two')}'}}", "replace"),
        ("{}", "delete"),
    ):
        messaging(tables, settings)
        steps = {(entry["op"], entry["urn"].split("::")[-1]) for entry in tables.preview("dev")}
        assert (operation, "messaging/kinesis") in steps
        assert {name for _, name in steps} == {"messaging/kinesis"}
        up(tables)
        up(tables, "--expect-no-changes")
    said(tables, "destroy", "--yes", "-s", "dev")


def test_replicas_are_kept_as_they_are_told(tables: World) -> None:
    messaging(tables, "{replicas: [{region: us-east-1}]}")
    up(tables)
    said(tables, "refresh", "--yes", "-s", "dev")
    up(tables, "--expect-no-changes")
    messaging(tables, "{replicas: [{region: us-east-1, protect: true}]}")
    (step,) = tables.preview("dev")
    assert list(step["detailedDiff"]) == ["replicas[0].deletionProtectionEnabled"]
    messaging(tables, "{replicas: [{region: us-east-1}], consistency: strong}")
    done = tables.pulumi("preview", "-s", "dev")
    assert "with strong consistency in 2 regions, including its own; DynamoDB supports it in 3" in done.text
    assert "Pulumi.dev.yaml:" in done.text
    assert "Traceback" not in done.text


def test_a_table_is_not_decreased_too_often_and_the_state_stays_usable(tables: World) -> None:
    messaging(tables, "{billing: provisioned, capacity: {read: 5, write: 3}}")
    up(tables)
    state = json.loads(said(tables, "stack", "export", "-s", "dev"))
    table = next(
        resource for resource in state["deployment"]["resources"] if resource["urn"].endswith("Table::messaging")
    )
    table["outputs"][quotas.HISTORY] = {"decreases of the table": [time.time()] * quotas.FREE_DECREASES}
    file = tables.root / "state.json"
    file.write_text(json.dumps(state), encoding="utf-8")
    said(tables, "stack", "import", "-s", "dev", "--file", str(file))

    messaging(tables, "{billing: provisioned, capacity: {read: 4, write: 3}}")
    done = tables.pulumi("up", "--yes", "--skip-preview", "-s", "dev")
    assert done.code != 0
    assert "the capacity of the table was decreased 4 times today: wait for an hour" in done.text
    assert capacity(tables)[0] == (5, 3)
    messaging(tables, "{billing: provisioned, capacity: {read: 6, write: 3}}")
    up(tables)
    assert capacity(tables) == [(6, 3)] * 3


def test_production_is_made_whole_and_follows_its_position(tables: World) -> None:
    said(tables, "stack", "init", "prod")
    options = ("up", "--yes", "--skip-preview", "-s", "prod")
    done = tables.pulumi(*options, **{POSITION: "0003"})
    assert done.code == 0, done.text
    done = tables.pulumi(*options, "--expect-no-changes", **{POSITION: "0003"})
    assert done.code == 0, done.text
    steps = tables.preview("prod", **{POSITION: "0004/30"})
    assert {(step["op"], step["urn"].split("::")[-1]) for step in steps} == {
        ("update", "shop"),
        *(("create", f"shop/index/open_orders/alarm/{side}-throttled") for side in ("read", "write")),
        *(("delete", f"shop/index/open/alarm/{side}-throttled") for side in ("read", "write")),
        ("create", "shop/index/open_orders/insights"),
        ("delete", "shop/index/open/insights"),
    }
    state = json.loads(said(tables, "stack", "export", "-s", "prod"))["deployment"]["resources"]
    kinds = Counter(entry["type"].split(":")[-1] for entry in state if entry["type"].startswith("aws:"))
    assert kinds == {
        "Table": 3, "Target": 6, "Policy": 6, "ScheduledAction": 6, "ContributorInsights": 8, "EventSourceMapping": 1,
        "MetricAlarm": len(alarms(tables, "0003")),
    }  # fmt: skip
    shop = next(entry for entry in state if entry["urn"].endswith("Table::shop"))
    assert [replica["regionName"] for replica in shop["inputs"]["replicas"]] == ["us-east-1"]


def alarms(world: World, position: str) -> list[str]:
    """Those that stand beside the tables of production at a position."""
    with imported_alone(world.root):
        stack = provided(stack_of(StoreSelector(read_settings(world.root), "prod", is_local=False), position))
    return [resource.name for table in stack.tables.values() for resource in table.companions if resource.type == ALARM]


def test_a_table_that_was_paid_on_demand_has_capacity_first_and_scales_then(tables: World) -> None:
    up(tables)
    messaging(tables, SCALED)
    done = tables.pulumi("preview", "-s", "dev")
    assert done.code != 0, "what is ignored is never sent, and so there would be no capacity"
    assert "readCapacity" in done.text
    messaging(tables, "{billing: provisioned, capacity: {read: 5, write: 2}}")
    up(tables)
    messaging(tables, SCALED)
    up(tables)
    assert capacity(tables) == [(5, 2)] * 3
    messaging(tables, "{billing: on-demand}")
    up(tables)
    up(tables, "--expect-no-changes")
