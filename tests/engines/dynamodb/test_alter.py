"""Settings of the service that no local server has, as calls."""

from typing import Any

from keywright.engines.dynamodb.declare.settings import DynamoEnvironment, Throughput
from keywright.engines.dynamodb.engine import ENGINE
from keywright.engines.dynamodb.schema.target import IndexTarget, KeyPart, TableTarget

TABLE = TableTarget(
    "shop", 1, (KeyPart("pk", "S", "HASH"),), indexes=(IndexTarget("by_day", (KeyPart("day", "S", "HASH"),)),)
)
LIMITED = DynamoEnvironment(flavour="dynamodb", on_demand_limits=Throughput(read=9, write=8), protect=False)
PROVISIONED = DynamoEnvironment(
    flavour="dynamodb",
    billing="provisioned",
    capacity=Throughput(read=5, write=3),
    table_class="standard-infrequent-access",
    point_in_time_recovery=False,
)
UNITS = {"ReadCapacityUnits": 5, "WriteCapacityUnits": 3}


def calls(before: DynamoEnvironment, after: DynamoEnvironment) -> list[tuple[str, Any]]:
    """(operation, input without the name of the table) of each step."""
    steps: Any = ENGINE.migrate(*(ENGINE.place(TABLE, dynamo_environment) for dynamo_environment in (before, after)))
    inputs = ({key: value for key, value in step.native["input"].items() if key != "TableName"} for step in steps)
    return [(step.native["operation"], given) for step, given in zip(steps, inputs, strict=True)]


def test_what_depends_on_the_billing_goes_before_it_changes() -> None:
    assert calls(LIMITED, PROVISIONED) == [
        ("UpdateTable", {"OnDemandThroughput": {"MaxReadRequestUnits": -1, "MaxWriteRequestUnits": -1}}),
        (
            "UpdateTable",
            {
                "BillingMode": "PROVISIONED",
                "ProvisionedThroughput": UNITS,
                "GlobalSecondaryIndexUpdates": [{"Update": {"IndexName": "by_day", "ProvisionedThroughput": UNITS}}],
            },
        ),
        ("UpdateTable", {"TableClass": "STANDARD_INFREQUENT_ACCESS"}),
        ("UpdateContinuousBackups", {"PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": False}}),
        ("UpdateTable", {"DeletionProtectionEnabled": True}),
    ]


def test_what_depends_on_the_billing_comes_after_it_has_changed() -> None:
    assert calls(PROVISIONED, LIMITED) == [
        ("UpdateTable", {"BillingMode": "PAY_PER_REQUEST"}),
        ("UpdateTable", {"OnDemandThroughput": {"MaxReadRequestUnits": 9, "MaxWriteRequestUnits": 8}}),
        ("UpdateTable", {"TableClass": "STANDARD"}),
        ("UpdateContinuousBackups", {"PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": True}}),
        ("UpdateTable", {"DeletionProtectionEnabled": False}),
    ]


def test_what_the_service_does_not_report_as_it_was_said_has_no_step() -> None:
    plain = DynamoEnvironment(flavour="dynamodb")
    dynamo_environment = DynamoEnvironment(
        flavour="dynamodb", warm_throughput=Throughput(read=1, write=1), encryption="aws-managed", tags={"a": "b"}
    )
    assert calls(plain, dynamo_environment) == []
