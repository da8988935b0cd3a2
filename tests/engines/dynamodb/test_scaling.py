"""Capacity that scales by itself: what may be said of it, the resources that do it, and who leaves it alone."""

from typing import Any

import pytest

from keywright.engines.contract.diff import differences
from keywright.engines.dynamodb.declare.settings import (
    Autoscaling,
    CapacityBounds,
    DynamoEnvironment,
    Scaled,
    Schedule,
    TableSettings,
    Throughput,
)
from keywright.engines.dynamodb.engine import ENGINE
from keywright.engines.dynamodb.schema.codec import describe
from keywright.engines.dynamodb.schema.companion_resources import companion_resources
from keywright.engines.dynamodb.schema.managed import managed
from keywright.engines.dynamodb.schema.place import place, refuse
from keywright.engines.dynamodb.schema.resources import options
from keywright.engines.dynamodb.schema.target import IndexTarget, KeyPart, TableTarget
from keywright.record import replace

TABLE = TableTarget(
    "shop", 1, (KeyPart("pk", "S", "HASH"),), indexes=(IndexTarget("by_day", (KeyPart("day", "S", "HASH"),)),)
)
MORNING = Schedule(name="morning", schedule="cron(0 8 * * ? *)", read=CapacityBounds(min=50, max=500))
SCALING = Autoscaling(
    read=Scaled(min=5, max=500, target=60), write=Scaled(min=1, max=100), schedules=(MORNING,)
)  # fmt: skip
SCALED = DynamoEnvironment(flavour="dynamodb", billing="provisioned", autoscaling=SCALING)


def problems(environment: DynamoEnvironment) -> list[tuple[str, str]]:
    """(code, problem) of what is refused."""
    return [(rejection.code, rejection.problem) for rejection in refuse(place(TABLE, environment), environment)]


def with_scaling(**changed: Any) -> DynamoEnvironment:
    return replace(SCALED, autoscaling=replace(SCALING, **changed))


def test_capacity_that_scales_begins_with_the_least_unless_it_is_said() -> None:
    begun = place(TABLE, SCALED).placement
    placement = place(TABLE, replace(SCALED, capacity=Throughput(read=7, write=3))).placement
    assert begun is not None
    assert placement is not None
    assert (begun.capacity, placement.capacity) == ((5, 1), (7, 3))
    assert problems(SCALED) == []


def test_a_local_server_has_the_capacity_and_no_scaling() -> None:
    placed = place(TABLE, replace(SCALED, flavour="dynamodb-local")).placement
    assert placed is not None
    assert (placed.capacity, placed.scaling) == ((5, 1), None)


STREAM = "arn:aws:kinesis:eu-west-1:111122223333:stream/changes"


@pytest.mark.parametrize(
    ("environment", "code", "problem"),
    [
        (
            with_scaling(read=Scaled(min=9, max=5)), "E0402",
            'the read capacity of table "shop" scales between 9 and 5',
        ),
        (
            with_scaling(write=Scaled(min=1, max=9, target=95)), "E0402",
            'the write capacity of table "shop" has the target 95 percent, DynamoDB allows 20 to 90',
        ),
        (
            replace(SCALED, capacity=Throughput(read=501, write=1)), "E0402",
            'the read capacity of table "shop" starts with 501 and scales between 5 and 500',
        ),
        (
            with_scaling(schedules=(MORNING, MORNING)), "E0402",
            'table "shop" has two schedules with the name "morning"',
        ),
        (
            with_scaling(schedules=(replace(MORNING, schedule="0 8 * * *"),)), "E0402",
            'schedule "morning" of table "shop" is "0 8 * * *"',
        ),
        (
            with_scaling(schedules=(replace(MORNING, read=None),)), "E0405",
            'schedule "morning" of table "shop" changes nothing',
        ),
        (
            with_scaling(schedules=(replace(MORNING, read=CapacityBounds(min=2, max=1)),)), "E0402",
            'by schedule "morning" the read capacity of table "shop" scales between 2 and 1',
        ),
        (
            replace(SCALED, billing="on-demand"), "E0402",
            'table "shop" has autoscaling and on-demand billing, which scales by itself',
        ),
        (
            DynamoEnvironment(flavour="dynamodb", tables={"shop": TableSettings(autoscaling=SCALING)}), "E0402",
            'table "shop" has autoscaling and on-demand billing, which scales by itself',
        ),
        (
            DynamoEnvironment(flavour="dynamodb", kinesis_stream="changes"), "E0402",
            'table "shop" has kinesis-stream: changes, which is no ARN of a stream',
        ),
        (
            DynamoEnvironment(flavour="dynamodb", kinesis_stream=STREAM, managed_by="keywright"), "E0402",
            'table "shop" has kinesis-stream, which needs a stack, but managed-by: keywright',
        ),
        (
            replace(SCALED, managed_by="keywright"), "E0402",
            'table "shop" has autoscaling, which needs a stack, but managed-by: keywright',
        ),
    ],
)  # fmt: skip
def test_what_is_wrong_is_refused_in_the_stack_file(environment: DynamoEnvironment, code: str, problem: str) -> None:
    assert problems(environment) == [(code, problem)]


def test_scaling_of_all_does_not_reach_a_table_that_is_paid_on_demand() -> None:
    assert problems(replace(SCALED, tables={"shop": TableSettings(billing="on-demand")})) == []
    others = {"games": TableSettings(billing="provisioned")}
    assert problems(replace(SCALED, billing="on-demand", tables=others)) == []


def test_the_table_and_each_index_scale_by_themselves() -> None:
    resources = companion_resources("shop", place(TABLE, SCALED))
    assert [(resource.type.split(":")[-1], resource.name, resource.within) for resource in resources] == [
        ("Target", "shop/read", "shop"),
        ("Policy", "shop/read/policy", "shop/read"),
        ("ScheduledAction", "shop/read/schedule/morning", "shop/read"),
        ("Target", "shop/write", "shop"),
        ("Policy", "shop/write/policy", "shop/write"),
        ("Target", "shop/index/by_day/read", "shop"),
        ("Policy", "shop/index/by_day/read/policy", "shop/index/by_day/read"),
        ("ScheduledAction", "shop/index/by_day/read/schedule/morning", "shop/index/by_day/read"),
        ("Target", "shop/index/by_day/write", "shop"),
        ("Policy", "shop/index/by_day/write/policy", "shop/index/by_day/write"),
    ]
    what = {
        "serviceNamespace": "dynamodb",
        "resourceId": "table/shop/index/by_day",
        "scalableDimension": "dynamodb:index:ReadCapacityUnits",
    }
    target, policy, action = resources[5:8]
    assert target.inputs == {**what, "minCapacity": 5, "maxCapacity": 500}
    assert policy.inputs == {
        **what,
        "name": "DynamoDBReadCapacityUtilization",
        "policyType": "TargetTrackingScaling",
        "targetTrackingScalingPolicyConfiguration": {
            "targetValue": 60,
            "predefinedMetricSpecification": {"predefinedMetricType": "DynamoDBReadCapacityUtilization"},
        },
    }
    assert action.inputs == {
        **what,
        "name": "morning-read",
        "schedule": "cron(0 8 * * ? *)",
        "timezone": "UTC",
        "scalableTargetAction": {"minCapacity": 50, "maxCapacity": 500},
    }


def test_what_follows_the_load_or_the_clock_is_ignored_and_nothing_else() -> None:
    scaled = place(TABLE, SCALED)
    assert options(scaled)["ignoreChanges"] == [
        "readCapacity", "writeCapacity",
        "globalSecondaryIndexes[0].readCapacity", "globalSecondaryIndexes[0].writeCapacity",
    ]  # fmt: skip
    assert "ignoreChanges" not in options(place(TABLE, replace(SCALED, autoscaling=None)))
    ignored = {resource.name: resource.ignores for resource in companion_resources("shop", scaled) if resource.ignores}
    bounds = ("minCapacity", "maxCapacity")
    assert ignored == {"shop/read": bounds, "shop/index/by_day/read": bounds}, "write capacity has no schedule"


def test_capacity_that_scales_is_no_drift_and_is_not_set_back() -> None:
    table = place(TABLE, SCALED)
    assert table.placement is not None
    live = replace(table, placement=replace(table.placement, capacity=(321, 99), scaling=None))
    table_target = managed(live, table)
    assert list(differences(describe(table)["native"], describe(table_target)["native"])) == []
    assert ENGINE.migrate(table_target, table) == ()
    assert ENGINE.migrate(live, table) == ()


def test_capacity_is_set_where_the_billing_changes() -> None:
    (statement,) = ENGINE.migrate(place(TABLE, DynamoEnvironment(flavour="dynamodb")), place(TABLE, SCALED))
    native: Any = statement.native
    assert native["input"]["ProvisionedThroughput"] == {"ReadCapacityUnits": 5, "WriteCapacityUnits": 1}


def test_what_the_service_does_not_report_as_it_was_said_is_no_drift() -> None:
    environment = DynamoEnvironment(
        flavour="dynamodb", warm_throughput=Throughput(read=12_000, write=4_000), encryption="aws-managed",
        contributor_insights=True, kinesis_stream=STREAM,
    )  # fmt: skip
    table = place(TABLE, environment)
    assert table.placement is not None
    key = "arn:aws:kms:eu-west-1:111122223333:key/of-the-account"
    live = replace(
        table, placement=replace(table.placement, warm=None, encryption=key, has_insights=False, kinesis_stream=None)
    )
    assert managed(live, table) == table
    without = replace(live, placement=replace(table.placement, encryption="aws-owned"))
    assert managed(without, table) != table
