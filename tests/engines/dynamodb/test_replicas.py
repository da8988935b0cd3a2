"""Tables in several regions: what may be said of them, and what their resource says."""

from typing import Any

import pytest

from keywright.engines.dynamodb.declare.settings import Autoscaling, DynamoEnvironment, Replica, Scaled, Throughput
from keywright.engines.dynamodb.engine import ENGINE
from keywright.engines.dynamodb.schema.managed import managed
from keywright.engines.dynamodb.schema.place import place, refuse
from keywright.engines.dynamodb.schema.resources import to_resource
from keywright.engines.dynamodb.schema.target import IndexTarget, KeyPart, TableTarget
from keywright.record import replace

TABLE = TableTarget("shop", 1, (KeyPart("pk", "S", "HASH"), KeyPart("sk", "S", "RANGE")))
US, ASIA = Replica(region="us-east-1"), Replica(region="ap-northeast-1")
EVERYWHERE = DynamoEnvironment(flavour="dynamodb", replicas=(US, ASIA))
STRONG = replace(EVERYWHERE, consistency="strong")
SCALING = Autoscaling(read=Scaled(min=1, max=9), write=Scaled(min=1, max=9))


def told(environment: DynamoEnvironment, table: TableTarget = TABLE) -> Any:
    return to_resource(place(table, environment))


def problems(environment: DynamoEnvironment, table: TableTarget = TABLE) -> list[str]:
    return [rejection.problem for rejection in refuse(place(table, environment), environment)]


def test_a_replica_is_as_the_table_unless_it_says_otherwise() -> None:
    replica = replace(US, point_in_time_recovery=False, protect=False, encryption="arn:aws:kms:us-east-1:1:key/a")
    asia, us = told(replace(EVERYWHERE, replicas=(replica, ASIA)))["replicas"]
    assert asia == {
        "regionName": "ap-northeast-1", "consistencyMode": "EVENTUAL", "pointInTimeRecovery": True,
        "deletionProtectionEnabled": True, "propagateTags": True,
    }  # fmt: skip
    assert us == {
        "regionName": "us-east-1", "consistencyMode": "EVENTUAL", "pointInTimeRecovery": False,
        "deletionProtectionEnabled": False, "propagateTags": True, "kmsKeyArn": "arn:aws:kms:us-east-1:1:key/a",
    }  # fmt: skip


def test_changes_travel_by_a_stream_of_both_images() -> None:
    assert (told(EVERYWHERE)["streamEnabled"], told(EVERYWHERE)["streamViewType"]) == (True, "NEW_AND_OLD_IMAGES")
    assert "streamEnabled" not in told(STRONG), "strong consistency has none"
    table = place(TABLE, EVERYWHERE)
    live = replace(table, stream="NEW_AND_OLD_IMAGES")
    assert managed(live, table) == table, "what only replicas need is no drift"
    assert ENGINE.migrate(managed(live, table), table) == ()
    declared = replace(table, stream="NEW_AND_OLD_IMAGES")
    assert managed(live, declared) == declared


def test_a_witness_votes_where_two_regions_hold_the_data() -> None:
    inputs = told(replace(STRONG, replicas=(US,), witness="us-west-2"))
    assert inputs["globalTableWitness"] == {"regionName": "us-west-2"}
    assert [replica["consistencyMode"] for replica in inputs["replicas"]] == ["STRONG"]


def test_a_local_server_has_no_other_region() -> None:
    assert "replicas" not in told(replace(EVERYWHERE, flavour="dynamodb-local"))


LOCAL = IndexTarget("local", (TABLE.keys[0], KeyPart("at", "S", "RANGE")))


@pytest.mark.parametrize(
    ("environment", "table", "problem"),
    [
        (EVERYWHERE, TABLE, None),
        (STRONG, TABLE, None),
        (replace(STRONG, replicas=(US,), witness="us-west-2"), TABLE, None),
        (replace(EVERYWHERE, billing="provisioned", autoscaling=SCALING), TABLE, None),
        (replace(EVERYWHERE, replicas=(US, US)), TABLE, 'with "us-east-1" twice'),
        (
            replace(EVERYWHERE, billing="provisioned", capacity=Throughput(read=1, write=1)), TABLE,
            "and provisioned capacity without autoscaling",
        ),
        (
            replace(EVERYWHERE, replicas=(US,), encryption="arn:aws:kms:eu-west-1:1:key/a"), TABLE,
            'and that in "us-east-1" would have no customer-managed key as the table has',
        ),
        (
            EVERYWHERE, replace(TABLE, stream="NEW_IMAGE"),
            "which need a stream of new and old images, and declares one of NEW_IMAGE",
        ),
        (replace(EVERYWHERE, witness="us-west-2"), TABLE, "and a witness, which only strong consistency has"),
        (
            replace(STRONG, replicas=(US,)), TABLE,
            "with strong consistency in 2 regions, including its own; DynamoDB supports it in 3",
        ),
        (
            STRONG, replace(TABLE, ttl="ends_at"),
            "with strong consistency, with which DynamoDB has no items that expire",
        ),
        (
            STRONG, replace(TABLE, local_indexes=(LOCAL,)),
            "with strong consistency, with which DynamoDB has no local indexes",
        ),
    ],
)  # fmt: skip
def test_what_the_service_does_not_have_is_refused(
    environment: DynamoEnvironment, table: TableTarget, problem: str | None
) -> None:
    result = problems(environment, table)
    assert len(result) == (1 if problem else 0)
    assert all(entry.startswith('table "shop" has replicas') and entry.endswith(str(problem)) for entry in result)
