"""Tables as the inputs of Pulumi resources, and back."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.properties.dynamodb import targets

from keywright.engines.dynamodb.place import place
from keywright.engines.dynamodb.resources import from_resource, ordered, to_resource
from keywright.engines.dynamodb.settings import DynamoEnvironment, Throughput
from keywright.engines.dynamodb.target import IndexTarget, KeyPart, TableTarget

UNITS = st.builds(Throughput, read=st.integers(1, 40_000), write=st.integers(1, 40_000))
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
    encryption=st.sampled_from(["aws-owned", "aws-managed", "arn:aws:kms:eu-west-1:1:key/a"]),
)
PK, SK = KeyPart("pk", "S", "HASH"), KeyPart("sk", "S", "RANGE")


@given(targets(), ENVIRONMENTS)
def test_what_is_told_of_a_table_is_read_again(declared: TableTarget, environment: DynamoEnvironment) -> None:
    table = replace(place(declared, environment), shape=())
    assert from_resource(to_resource(table)) == table


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
    found = from_resource(inputs)
    assert found.placement is not None
    assert (found.placement.billing, found.placement.capacity, found.placement.is_protected) == (
        "PROVISIONED",
        (5, 5),
        False,
    )
    assert (found.ttl, found.stream, found.placement.has_recovery, found.placement.tags) == (None, None, None, None)
    off = {"ttl": {"attributeName": "gone_at", "enabled": False}, "streamEnabled": False, "streamViewType": "NEW_IMAGE"}
    assert (from_resource({**inputs, **off}).ttl, from_resource({**inputs, **off}).stream) == (None, None)
    with pytest.raises(KeyError, match="pk"):
        from_resource({**inputs, "attributes": []})


def test_indexes_stand_in_the_order_in_which_they_were_made() -> None:
    indexes = [IndexTarget(name, (PK,)) for name in ("a", "b", "c", "d")]
    assert [one.name for one in ordered(indexes, ["c", "gone", "a"])] == ["c", "a", "b", "d"]
    table = TableTarget("shop", 1, (PK,), tuple(indexes))
    told = to_resource(table, ["d"])["globalSecondaryIndexes"]
    assert [one["name"] for one in told] == ["d", "a", "b", "c"]  # type: ignore[union-attr,index,call-overload]
