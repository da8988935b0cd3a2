"""What the stand-in for the AWS provider enforces, since neither DynamoDB Local nor a recorded kind does."""

from typing import Any

import pytest
from tests.pulumi.standin import kinds, quotas, table

HOUR = 3600
NOON = 20_000 * quotas.DAY + 12 * HOUR

TABLE: dict[str, Any] = {
    "name": "shop", "hashKey": "pk", "attributes": [{"name": "pk", "type": "S"}], "billingMode": "PAY_PER_REQUEST",
}  # fmt: skip
REPLICA = {"regionName": "us-east-1", "consistencyMode": "EVENTUAL"}
STRONG = {"regionName": "us-east-1", "consistencyMode": "STRONG"}
STREAM = {"streamEnabled": True, "streamViewType": "NEW_AND_OLD_IMAGES"}


def units(read: int) -> dict[str, Any]:
    return {"billingMode": "PROVISIONED", "readCapacity": read, "writeCapacity": 1}


def decreased(history: dict[str, Any], at: float) -> dict[str, Any]:
    """The history after one decrease more."""
    return quotas.after(history, units(2), units(1), lambda: at)


def test_four_decreases_of_a_day_are_free_and_then_one_an_hour() -> None:
    history: dict[str, Any] = {}
    for minute in range(4):
        history = decreased(history, NOON + 60 * minute)
    with pytest.raises(quotas.TooOften, match="the capacity of the table was decreased 4 times today"):
        decreased(history, NOON + 240)
    later = decreased(history, NOON + 180 + HOUR)
    with pytest.raises(quotas.TooOften):
        decreased(later, NOON + 180 + HOUR + 60)
    assert decreased(history, NOON + 12 * HOUR), "the next day"
    assert quotas.after(history, units(1), units(2), lambda: NOON + 240) == history, "more is no decrease"


def test_a_decrease_of_an_index_counts_for_the_index() -> None:
    def with_index(read: int) -> dict[str, Any]:
        return {**units(5), "globalSecondaryIndexes": [{"name": "by_day", "readCapacity": read, "writeCapacity": 1}]}

    result = quotas.after({}, with_index(2), with_index(1), lambda: NOON)
    assert result == {quotas.HISTORY: {'decreases of index "by_day"': [NOON]}}


def test_billing_goes_to_on_demand_four_times_in_a_day_and_back_at_any_time() -> None:
    history: dict[str, Any] = {}
    for hour in range(4):
        history = quotas.after(history, units(1), TABLE, lambda at=NOON + hour * HOUR: at)  # type: ignore[misc]
        history = quotas.after(history, TABLE, units(1), lambda: NOON)
    with pytest.raises(quotas.TooOften, match="4 times within 24 hours"):
        quotas.after(history, units(1), TABLE, lambda: NOON + 23 * HOUR)
    assert quotas.after(history, units(1), TABLE, lambda: NOON + 24 * HOUR)


def test_an_index_has_four_parts_in_each_half() -> None:
    names = ["a", "b", "c", "d", "e"]
    attributes = [*TABLE["attributes"], *({"name": name, "type": "S"} for name in names)]

    def wrong(role: str, of: list[str]) -> list[tuple[str, str]]:
        keys = [{"attributeName": entry, "keyType": role} for entry in of]
        declared = [attribute for attribute in attributes if attribute["name"] in ("pk", *of)]
        index = {"name": "by", "projectionType": "ALL", "keySchemas": keys}
        return list(table.wrong({**TABLE, "attributes": declared, "globalSecondaryIndexes": [index]}))

    at = "globalSecondaryIndexes[0].keySchemas"
    assert wrong("HASH", names) == [(at, "5 HASH parts, 4 are allowed")]
    assert wrong("RANGE", names) == [(at, "5 RANGE parts, 4 are allowed")]
    assert wrong("HASH", names[:4]) == []


@pytest.mark.parametrize(
    ("more", "found"),
    [
        ({"replicas": [REPLICA], **STREAM}, []),
        ({"replicas": [STRONG, {**STRONG, "regionName": "us-east-2"}]}, []),
        ({"replicas": [STRONG], "globalTableWitness": {"regionName": "us-east-2"}}, []),
        ({"replicas": [REPLICA]}, [("streamViewType", "replicas need NEW_AND_OLD_IMAGES")]),
        ({"replicas": [STRONG]}, [("replicas", "strong consistency has two replicas, or one and a witness")]),
        ({"globalTableWitness": {"regionName": "a"}}, [("globalTableWitness", "only with strong consistency")]),
    ],
)
def test_replicas_have_a_stream_or_their_number(more: dict[str, Any], found: list[tuple[str, str]]) -> None:
    assert list(table.wrong({**TABLE, **more})) == found


def test_a_kind_that_is_remembered_has_what_it_needs() -> None:
    target = {
        "serviceNamespace": "dynamodb", "resourceId": "table/shop", "scalableDimension": "dynamodb:table:x",
        "minCapacity": 1, "maxCapacity": 2,
    }  # fmt: skip
    type = "aws:appautoscaling/target:Target"
    assert list(kinds.wrong(type, target)) == []
    assert list(kinds.wrong(type, {**target, "minCapacity": 3})) == [("minCapacity", "3 is above the most, 2")]
    del target["resourceId"]
    assert list(kinds.wrong(type, target)) == [("resourceId", "is missing")]


def test_a_parameter_group_is_given_a_name_and_keeps_it() -> None:
    type, group = "aws:memorydb/parameterGroup:ParameterGroup", {"family": "memorydb_redis7"}
    first = kinds.named(type, group, {}, "cache-1")
    assert first == {**group, "name": "cache-1"}
    assert kinds.named(type, group, first, "cache-2") == first
    assert kinds.named(type, {**group, "name": "mine"}, first, "cache-2")["name"] == "mine"
    assert kinds.create(type, first)[0] == "cache-1"
    assert kinds.named("aws:lambda/eventSourceMapping:EventSourceMapping", {}, {}, "no") == {}
