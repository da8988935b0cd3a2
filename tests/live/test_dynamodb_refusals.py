"""What DynamoDB's check refuses, sent to a real DynamoDB Local, which refuses it too."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from botocore.exceptions import ClientError

from keywright.drivers import dynamodb
from keywright.local import Running

pytestmark = pytest.mark.live


def a_table(**changes: Any) -> dict[str, Any]:
    """The input of CreateTable for a table with a numeric key and a text in an index."""
    usual: dict[str, Any] = {
        "TableName": "things",
        "AttributeDefinitions": defined(pk="S", sk="N", place="S"),
        "KeySchema": keys("pk", "sk"),
        "GlobalSecondaryIndexes": [an_index("by_place", keys("place"))],
        "BillingMode": "PAY_PER_REQUEST",
    }
    return usual | changes


def defined(**types: str) -> list[dict[str, str]]:
    return [{"AttributeName": name, "AttributeType": type} for name, type in types.items()]


def keys(hashed: str, *ranges: str) -> list[dict[str, str]]:
    return [
        {"AttributeName": hashed, "KeyType": "HASH"},
        *({"AttributeName": name, "KeyType": "RANGE"} for name in ranges),
    ]


def an_index(name: str, schema: list[dict[str, str]], *included: str) -> dict[str, Any]:
    projection: dict[str, Any] = {"ProjectionType": "ALL"}
    if included:
        projection = {"ProjectionType": "INCLUDE", "NonKeyAttributes": list(included)}
    return {"IndexName": name, "KeySchema": schema, "Projection": projection}


MANY = {f"a{n}": "S" for n in range(6)}
REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("DDB012", {"GlobalSecondaryIndexes": [an_index("by_place", keys("place"), *(f"n{n}" for n in range(101)))]},
     "attributes per table can be projected"),
    ("DDB028", {"AttributeDefinitions": defined(pk="S", sk="N", place="S", **MANY),
     "LocalSecondaryIndexes": [an_index(f"by_{name}", keys("pk", name)) for name in MANY]},
     "Cannot have more than 5 local secondary indexes"),
    ("DDB101", {"AttributeDefinitions": defined(pk="S", sk="N")}, "place is not defined in AttributeDefinitions"),
    ("DDB101", {"AttributeDefinitions": defined(pk="S", sk="N", place="S", unused="S")},
     "number of attributes in key schema must match"),
    ("DDB105", {"AttributeDefinitions": defined(pk="S", sk="BOOL", place="S")}, "enum value set: [B, N, S]"),
    ("DDB105", {"KeySchema": keys("pk", "pk")}, "same name"),
    ("DDB105", {"KeySchema": [*keys("pk"), *keys("sk")]}, "must have exactly one hash key"),
    ("DDB105", {"KeySchema": keys("pk"), "AttributeDefinitions": defined(pk="S", place="S"),
     "LocalSecondaryIndexes": [an_index("by_place", keys("pk", "place"))]}, "not allowed on hash tables"),
    ("DDB105", {"AttributeDefinitions": defined(pk="S", sk="N", **MANY),
     "GlobalSecondaryIndexes": [an_index("by_all", [key for name in [*MANY][:5] for key in keys(name)])]},
     "at most 4 partition keys"),
    ("DDB105", {"AttributeDefinitions": defined(pk="S", sk="N", **MANY),
     "GlobalSecondaryIndexes": [an_index("by_all", keys(*MANY))]}, "at most 4 sort keys"),
    ("DDB113", {"TableName": "ab"}, "between 3 and 255 characters"),
    ("DDB113", {"TableName": "a" * 256}, "between 3 and 255 characters"),
    ("DDB113", {"TableName": "a b"}, "may contain only the characters"),
    ("DDB113", {"GlobalSecondaryIndexes": [an_index("a" * 256, keys("place"))]}, "between 3 and 255 characters"),
]  # fmt: skip
"""Code, what is wrong with a table, and a part of the server's own words."""


def told(error: ClientError) -> str:
    """What the server says, in one line."""
    return " ".join(str(error).split())


@pytest.fixture(scope="module")
def truth(start: Callable[..., Running]) -> Iterator[Any]:
    """A client that sees one table, which is without fault."""
    asking: Any = dynamodb.client(start("dynamodb").url.replace("://", "://truth@"))
    asking.create_table(**a_table(TableName="faultless"))
    yield asking
    asking.close()


@pytest.mark.parametrize(("code", "changes", "words"), REFUSED)
def test_the_server_refuses_a_table_that_the_check_does(
    truth: Any, code: str, changes: dict[str, Any], words: str
) -> None:
    with pytest.raises(ClientError) as refused:
        truth.create_table(**a_table(**changes))
    assert words in told(refused.value)


def nested(levels: int) -> Any:
    """A list in a list, and so on."""
    value: Any = {"L": []}
    for _ in range(levels - 1):
        value = {"L": [value]}
    return value


VALUES: list[tuple[str, dict[str, Any], str]] = [
    ("DDB104", {"sk": {"S": "1"}}, "Type mismatch for key"),
    ("DDB104", {"place": {"N": "1"}}, "Type mismatch for Index Key"),
    ("DDB104", {"place": {"NULL": True}}, "Invalid attribute value type"),
    ("DDB113", {"x": {"N": "1" * 39}}, "DynamoDB only supports precision up to 38 digits"),
    ("DDB113", {"x": {"N": "1E126"}}, "Number overflow"),
    ("DDB113", {"x": {"N": "1E-131"}}, "Number underflow"),
    ("DDB113", {"x": {"N": "nan"}}, "cannot be converted into a number"),
    ("DDB113", {"x": {"SS": []}}, "may not be empty"),
    ("DDB113", {"x": nested(33)}, "nested levels beyond supported limit"),
]
"""Code, attributes of an item, and a part of the server's own words."""


@pytest.mark.parametrize(("code", "attributes", "words"), VALUES)
def test_the_server_refuses_an_item_that_the_check_does(
    truth: Any, code: str, attributes: dict[str, Any], words: str
) -> None:
    with pytest.raises(ClientError) as refused:
        truth.put_item(TableName="faultless", Item={"pk": {"S": "a"}, "sk": {"N": "1"}, **attributes})
    assert words in told(refused.value)


def test_values_at_the_edge_are_held(truth: Any) -> None:
    edges = {"a": {"N": "1" * 38}, "b": {"N": "9.9E125"}, "c": {"N": "1E-130"}, "d": nested(31)}
    truth.put_item(TableName="faultless", Item={"pk": {"S": "a"}, "sk": {"N": "1"}, **edges})


def test_every_illegal_code_was_seen() -> None:
    seen = {code for code, _, _ in (*REFUSED, *VALUES)}
    assert seen == {"DDB012", "DDB028", "DDB101", "DDB104", "DDB105", "DDB113"}
