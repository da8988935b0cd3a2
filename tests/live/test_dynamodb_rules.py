"""What rules of DynamoDB say of the server, seen on a real DynamoDB Local."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from botocore.exceptions import ClientError

from keywright.drivers import dynamodb
from keywright.local import Running

pytestmark = pytest.mark.live

KEY = {"pk": {"S": "a"}, "sk": {"S": "1"}}
NAMES = {"#x": "x", "#sk": "sk"}


def keys(hashed: str, *ranges: str) -> list[dict[str, str]]:
    return [
        {"AttributeName": hashed, "KeyType": "HASH"},
        *({"AttributeName": name, "KeyType": "RANGE"} for name in ranges),
    ]


@pytest.fixture(scope="module")
def truth(start: Callable[..., Running]) -> Iterator[Any]:
    """A client that sees one table with an index of one attribute and one of four."""
    asking: Any = dynamodb.client(start("dynamodb").url.replace("://", "://rules@"))
    names = ("pk", "sk", "place", "city", "street", "number")
    asking.create_table(
        TableName="things",
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in names],
        KeySchema=keys("pk", "sk"),
        GlobalSecondaryIndexes=[
            {"IndexName": "by_place", "KeySchema": keys("place"), "Projection": {"ProjectionType": "ALL"}},
            {
                "IndexName": "by_address",
                "KeySchema": keys("place", "city", "street", "number"),
                "Projection": {"ProjectionType": "ALL"},
            },
        ],
        BillingMode="PAY_PER_REQUEST",
    )
    asking.put_item(TableName="things", Item=KEY)
    yield asking
    asking.close()


def put(**more: Any) -> dict[str, Any]:
    return {"Item": {**KEY, **more}}


def query(condition: str, **values: str) -> dict[str, Any]:
    names = {f"#{name}": name for name in ("pk", "sk", "place", "city", "street", "number") if f"#{name}" in condition}
    return {
        "KeyConditionExpression": condition,
        "ExpressionAttributeNames": names,
        "ExpressionAttributeValues": {f":{name}": {"S": value} for name, value in values.items()},
    }


REFUSED: list[tuple[str, str, dict[str, Any], str]] = [
    ("DDB001", "put_item", put(x={"S": "x" * 400 * 1024}), "Item size has exceeded the maximum allowed size"),
    ("DDB003", "query", query("#sk = :sk", sk="1"), "Query condition missed key schema element"),
    ("DDB003", "query", query("begins_with(#pk, :pk)", pk="a"), "Query key condition not supported"),
    ("DDB017", "query", {**query("#place = :p", p="a"), "IndexName": "by_place", "ConsistentRead": True},
     "Consistent reads are not supported on global secondary indexes"),
    ("DDB022", "update_item", {"Key": KEY, "UpdateExpression": "SET #sk = :v", "ExpressionAttributeNames":
     {"#sk": "sk"}, "ExpressionAttributeValues": {":v": {"S": "2"}}}, "This attribute is part of the key"),
    ("DDB102", "put_item", {"Item": {"pk": {"S": "x" * 2049}, "sk": {"S": "1"}}}, "under 2048 bytes"),
    ("DDB102", "put_item", {"Item": {"pk": {"S": "a"}, "sk": {"S": "x" * 1025}}}, "under 1024 bytes"),
    ("DDB102", "put_item", put(place={"S": "x" * 2049}), "Size limit exceeded"),
    ("DDB103", "put_item", {"Item": {"pk": {"S": ""}, "sk": {"S": "1"}}}, "empty string value"),
    ("DDB103", "put_item", put(place={"S": ""}), "empty string value"),
    ("DDB106", "query", {**query("#place = :p AND #street = :s", p="a", s="b"), "IndexName": "by_address"},
     "RANGE key attributes city must have equality conditions"),
    ("DDB106", "query", {**query("#place = :p AND #city > :c AND #street = :s", p="a", c="b", s="c"),
     "IndexName": "by_address"}, "RANGE key attributes city must have equality conditions"),
    ("DDB111", "query", {**query("#pk = :pk", pk="a"), "FilterExpression":
     f"#x IN ({', '.join(f':v{n}' for n in range(101))})", "ExpressionAttributeNames": {"#pk": "pk", "#x": "x"},
     "ExpressionAttributeValues": {":pk": {"S": "a"}} | {f":v{n}": {"N": str(n)} for n in range(101)}},
     "too many operands"),
    ("DDB111", "update_item", {"Key": KEY, "UpdateExpression": "SET " + ", ".join(f"#{'x' * 40}{n} = :v" for n in
     range(120)), "ExpressionAttributeNames": {f"#{'x' * 40}{n}": f"x{n}" for n in range(120)},
     "ExpressionAttributeValues": {":v": {"S": "a"}}}, "Expression size has exceeded the maximum allowed size"),
]  # fmt: skip
"""Code, what is called with what, and a part of the server's own words."""


@pytest.mark.parametrize(("code", "operation", "given", "words"), REFUSED)
def test_the_server_refuses_what_a_rule_says_that_it_does(
    truth: Any, code: str, operation: str, given: dict[str, Any], words: str
) -> None:
    with pytest.raises(ClientError) as refused:
        getattr(truth, operation)(TableName="things", **given)
    assert words in " ".join(str(refused.value).split())


def test_a_transaction_has_a_hundred_actions_at_the_most(truth: Any) -> None:
    actions = [{"Put": {"TableName": "things", "Item": {"pk": {"S": "t"}, "sk": {"S": str(n)}}}} for n in range(101)]
    with pytest.raises(ClientError) as refused:
        truth.transact_write_items(TransactItems=actions)
    assert "less than or equal to 100" in str(refused.value)


def test_a_change_of_an_index_key_takes_two_units_of_the_index(truth: Any) -> None:
    truth.put_item(TableName="things", Item={**KEY, "place": {"S": "here"}})
    told = truth.update_item(
        TableName="things",
        Key=KEY,
        UpdateExpression="SET place = :p",
        ExpressionAttributeValues={":p": {"S": "there"}},
        ReturnConsumedCapacity="INDEXES",
    )
    assert told["ConsumedCapacity"]["GlobalSecondaryIndexes"]["by_place"]["CapacityUnits"] == 2


def test_a_filter_is_paid_by_what_was_looked_at(truth: Any) -> None:
    for number in range(5):
        truth.put_item(TableName="things", Item={"pk": {"S": "f"}, "sk": {"S": str(number)}, "x": {"N": str(number)}})
    found = truth.query(
        TableName="things",
        KeyConditionExpression="pk = :pk",
        FilterExpression="x = :x",
        ExpressionAttributeValues={":pk": {"S": "f"}, ":x": {"N": "3"}},
    )
    assert (found["Count"], found["ScannedCount"]) == (1, 5)


def test_floats_are_refused_by_the_client() -> None:
    from boto3.dynamodb.types import TypeSerializer

    with pytest.raises(TypeError, match="Float types are not supported"):
        TypeSerializer().serialize(1.5)
