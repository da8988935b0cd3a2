"""Tables as the inputs of Pulumi resources, and back."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.properties.dynamodb import targets

from keywright.engines.dynamodb.declare.settings import (
    Autoscaling,
    CapacityBounds,
    DynamoEnvironment,
    Replica,
    Scaled,
    Schedule,
    Throughput,
)
from keywright.engines.dynamodb.schema.codec import describe, parse
from keywright.engines.dynamodb.schema.companion_resources import companion_resources
from keywright.engines.dynamodb.schema.place import place, unplace
from keywright.engines.dynamodb.schema.resources import (
    from_resource,
    from_resources,
    ordered,
    to_resource,
    to_resources,
)
from keywright.engines.dynamodb.schema.target import IndexTarget, KeyPart, TableTarget
from keywright.record import replace

UNITS = st.builds(Throughput, read=st.integers(1, 40_000), write=st.integers(1, 40_000))
SCALED = st.builds(
    Scaled, min=st.integers(1, 40_000), max=st.integers(1, 40_000), target=st.integers(20, 90)
)  # fmt: skip
BOUNDS = st.builds(CapacityBounds, min=st.integers(1, 40_000), max=st.integers(1, 40_000))
SCHEDULES = st.builds(
    Schedule,
    name=st.sampled_from(["morning", "evening-read", "night"]),
    schedule=st.sampled_from(["cron(0 8 * * ? *)", "rate(1 day)"]),
    timezone=st.sampled_from(["UTC", "Europe/Berlin"]),
    read=st.none() | BOUNDS,
    write=BOUNDS,
)
SCALING = st.builds(
    Autoscaling,
    read=SCALED,
    write=SCALED,
    schedules=st.lists(SCHEDULES, max_size=3, unique_by=lambda schedule: schedule.name).map(tuple),
)
KEYS = st.sampled_from(["aws-owned", "aws-managed", "arn:aws:kms:eu-west-1:1:key/a"])
REPLICAS = st.builds(
    Replica,
    region=st.sampled_from(["us-east-1", "us-west-2", "eu-central-1"]),
    point_in_time_recovery=st.none() | st.booleans(),
    protect=st.none() | st.booleans(),
    encryption=st.none() | st.just("arn:aws:kms:us-east-1:1:key/b"),
)
ENVIRONMENTS = st.builds(
    DynamoEnvironment,
    flavour=st.just("dynamodb"),
    name_prefix=st.sampled_from(["", "dev-"]),
    tags=st.dictionaries(st.sampled_from(["team", "stage"]), st.text("abc", max_size=3)),
    billing=st.sampled_from(["on-demand", "provisioned"]),
    capacity=UNITS,
    on_demand_limits=st.none() | UNITS,
    warm_throughput=st.none() | UNITS,
    table_class=st.sampled_from(["standard", "standard-infrequent-access"]),
    point_in_time_recovery=st.booleans(),
    protect=st.booleans(),
    encryption=KEYS,
    autoscaling=st.none() | SCALING,
    replicas=st.lists(REPLICAS, max_size=2, unique_by=lambda replica: replica.region).map(tuple),
    consistency=st.sampled_from(["eventual", "strong"]),
    witness=st.none() | st.just("eu-west-2"),
    contributor_insights=st.booleans(),
    kinesis_stream=st.none() | st.just("arn:aws:kinesis:eu-west-1:111122223333:stream/changes"),
)
PK, SK = KeyPart("pk", "S", "HASH"), KeyPart("sk", "S", "RANGE")


@given(targets(), ENVIRONMENTS)
def test_what_is_told_of_a_table_is_read_again(declared: TableTarget, environment: DynamoEnvironment) -> None:
    table = replace(place(declared, environment), shape=())
    resources = (*to_resources(declared.name, table), *companion_resources(declared.name, table))
    stream = to_resource(table).get("streamViewType")  # one that replicas need is told like one that is declared
    assert from_resources(resources) == replace(table, stream=stream)
    assert len({resource.name for resource in resources}) == len(resources)


@given(targets(), ENVIRONMENTS)
def test_what_is_described_of_a_table_is_parsed_again(declared: TableTarget, environment: DynamoEnvironment) -> None:
    table = place(declared, environment)
    assert parse(json.loads(json.dumps(describe(table)))) == table
    assert unplace(table, environment) == declared


def test_the_older_spelling_of_an_index_means_the_same() -> None:
    table = TableTarget(
        "shop", 1, (PK, SK), (IndexTarget("inverted", (replace(SK, role="HASH"), replace(PK, role="RANGE"))),)
    )
    inputs = to_resource(table)
    older = {"name": "inverted", "hashKey": "sk", "rangeKey": "pk", "projectionType": "ALL"}
    assert from_resource({**inputs, "globalSecondaryIndexes": [older]}).indexes == table.indexes


def test_a_program_that_says_little_is_read_by_the_providers_defaults() -> None:
    inputs = {
        "name": "shop",
        "hashKey": "pk",
        "attributes": [{"name": "pk", "type": "S"}],
        "readCapacity": 5.0,
        "writeCapacity": 5.0,
    }
    table = from_resource(inputs)
    assert table.placement is not None
    assert (table.placement.billing, table.placement.capacity, table.placement.is_protected) == (
        "PROVISIONED",
        (5, 5),
        False,
    )
    assert (table.ttl, table.stream, table.placement.has_recovery, table.placement.tags) == (None, None, None, None)
    off = {"ttl": {"attributeName": "gone_at", "enabled": False}, "streamEnabled": False, "streamViewType": "NEW_IMAGE"}
    assert (from_resource({**inputs, **off}).ttl, from_resource({**inputs, **off}).stream) == (None, None)
    with pytest.raises(KeyError, match="pk"):
        from_resource({**inputs, "attributes": []})


def test_indexes_stand_in_the_order_in_which_they_were_made() -> None:
    indexes = [IndexTarget(name, (PK,)) for name in ("a", "b", "c", "d")]
    assert [index.name for index in ordered(indexes, ["c", "gone", "a"])] == ["c", "a", "b", "d"]
    table = TableTarget("shop", 1, (PK,), tuple(indexes))
    globalsecondaryindexes = to_resource(table, ["d"])["globalSecondaryIndexes"]
    assert [index["name"] for index in globalsecondaryindexes] == ["d", "a", "b", "c"]  # type: ignore[union-attr,index,call-overload]
