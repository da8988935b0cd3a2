"""The example's program, by what it asks of the engine: the whole request of every resource, in each environment."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from keywright.engines.dynamodb.declare.settings import DynamoEnvironment, Replica, Throughput
from keywright.engines.dynamodb.schema.place import place
from keywright.engines.dynamodb.schema.resources import to_resource
from keywright.engines.dynamodb.schema.target import IndexTarget, KeyPart, TableTarget
from keywright.provision.values import snake

ROOT = Path(__file__).parents[2]
GOLDEN = Path(__file__).parent / "golden"


def asked(environment: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    """What the program says to a mock of the engine; a process of its own, since the SDK keeps the state of one run."""
    return subprocess.run(
        [sys.executable, "-m", "tests.pulumi.recorded", environment],
        cwd=ROOT, env={**os.environ, **variables}, capture_output=True, text=True, check=False,
    )  # fmt: skip


def tables(found: Any) -> dict[str, Any]:
    return {
        resource["name"]: resource for resource in found["resources"] if resource["type"] == "aws:dynamodb/table:Table"
    }


@pytest.mark.parametrize(("environment", "position"), [("dev", None), ("staging", "0011/end"), ("prod", "0004/30")])
def test_every_request_is_as_expected(
    environment: str, position: str | None, is_golden: Callable[[Path, str], bool]
) -> None:
    process = asked(environment, **({"KEYWRIGHT_POSITION": position} if position else {}))
    assert process.returncode == 0, process.stderr
    assert is_golden(GOLDEN / f"{environment}.json", process.stdout)


def test_every_argument_of_a_table_is_given_or_left_out_for_a_reason() -> None:
    code = "import inspect, json, pulumi_aws as aws; from keywright.provision.dynamodb.table import OMITTED; "
    code += "print(json.dumps([list(inspect.signature(aws.dynamodb.Table._internal_init).parameters), list(OMITTED)]))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    known, left_out = json.loads(done.stdout)
    known = {entry for entry in known if entry not in ("__self__", "resource_name", "opts", "__props__")}
    units = Throughput(read=5, write=6)
    environments = [
        DynamoEnvironment(flavour="dynamodb", on_demand_limits=units, warm_throughput=units, tags={"team": "a"}),
        DynamoEnvironment(flavour="dynamodb", billing="provisioned", capacity=units),
        DynamoEnvironment(flavour="dynamodb", replicas=(Replica(region="us-east-1"),), witness="us-west-2"),
    ]
    keys = (KeyPart("pk", "S", "HASH"), KeyPart("sk", "S", "RANGE"))
    index = IndexTarget("by_sk", (KeyPart("sk", "S", "HASH"),))
    local = IndexTarget("local", (keys[0], KeyPart("at", "S", "RANGE")))
    table = TableTarget("shop", 1, keys, (index,), (local,), "ends_at", "NEW_IMAGE")
    names = {name for environment in environments for name in snake(to_resource(place(table, environment)))}
    assert names | set(left_out) == known
    assert not names & set(left_out)


def test_a_gated_environment_is_given_its_position_and_nothing_of_what_is_to_come() -> None:
    process = asked("prod", KEYWRIGHT_POSITION="0002")
    assert process.returncode == 0, process.stderr
    indexes = {
        table["name"] for table in tables(json.loads(process.stdout))["shop"]["object"]["globalSecondaryIndexes"]
    }
    assert "by_day" not in indexes
    assert "not applied here yet" not in process.stderr, "who says the position knows that"


def test_a_position_that_there_is_none_of_is_a_sentence() -> None:
    process = asked("prod", KEYWRIGHT_POSITION="0099")
    assert process.returncode != 0
    assert 'there is no migration "0099"' in process.stderr
