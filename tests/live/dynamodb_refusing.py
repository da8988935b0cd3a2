"""What DynamoDB refuses, though somebody might write it: claims of pages, each with the request and the error."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from botocore.exceptions import ClientError, ParamValidationError
from tests.live.truth import Truths

Client = Any
"""A client of boto3, which makes its operations when it is made."""

truth = Truths("dynamodb")

KEY = {"pk": {"S": "a"}, "sk": {"S": "1"}}
NUMBERS = {f"a{n}": "S" for n in range(6)}
ATTRIBUTES = ("pk", "sk", "place", "city", "street", "x")


def refused(do: Callable[[], object], words: str) -> str:
    """The error that an attempt ends with, whose message holds these words."""
    with pytest.raises((ClientError, ParamValidationError)) as error:
        do()
    assert words in " ".join(str(error.value).split())
    name = error.value.response["Error"]["Code"] if isinstance(error.value, ClientError) else "boto3"
    return f"{name}: {words}"


def defined(**types: str) -> list[dict[str, str]]:
    """Definitions of attributes."""
    return [{"AttributeName": name, "AttributeType": type} for name, type in types.items()]


def keys(hashed: str, *ranges: str) -> list[dict[str, str]]:
    """The schema of a key."""
    ranged = [{"AttributeName": name, "KeyType": "RANGE"} for name in ranges]
    return [{"AttributeName": hashed, "KeyType": "HASH"}, *ranged]


def index(name: str, schema: list[dict[str, str]], projection: str = "ALL", *included: str) -> dict[str, Any]:
    """An index, of whole items if nothing else is said."""
    names = {"NonKeyAttributes": list(included)} if included else {}
    return {"IndexName": name, "KeySchema": schema, "Projection": {"ProjectionType": projection, **names}}


def table(**changes: Any) -> dict[str, Any]:
    """What makes the table `things`, of texts, with an index over `place`."""
    usual: dict[str, Any] = {
        "TableName": "things",
        "AttributeDefinitions": defined(pk="S", sk="S", place="S"),
        "KeySchema": keys("pk", "sk"),
        "GlobalSecondaryIndexes": [index("by_place", keys("place"))],
        "BillingMode": "PAY_PER_REQUEST",
    }
    return usual | changes


def addressed() -> dict[str, Any]:
    """What makes it with an index of several sort attributes."""
    return table(
        AttributeDefinitions=defined(pk="S", sk="S", place="S", city="S", street="S"),
        GlobalSecondaryIndexes=[index("by_address", keys("place", "city", "street"))],
    )


def put(client: Client, **more: Any) -> dict[str, Any]:
    """Puts an item into `things`, and tells what it took."""
    answer: dict[str, Any] = client.put_item(TableName="things", Item={**KEY, **more}, ReturnConsumedCapacity="INDEXES")
    return answer


def asking(condition: str, index: str | None = None, **values: str) -> dict[str, Any]:
    """A query of `things`."""
    return {
        "TableName": "things",
        "KeyConditionExpression": condition,
        "ExpressionAttributeNames": {f"#{name}": name for name in ATTRIBUTES if f"#{name}" in condition},
        "ExpressionAttributeValues": {f":{name}": {"S": value} for name, value in values.items()},
    } | ({"IndexName": index} if index else {})


def projecting(*names: str) -> dict[str, Any]:
    """What has the index of `things` project attributes of these names."""
    return {"GlobalSecondaryIndexes": [index("by_place", keys("place"), "INCLUDE", *names)]}


NAMES = [f"n{n}" for n in range(100)]
TOO_MANY = "No more than 20 attributes per table can be projected"
"""What DynamoDB Local says of more than 100: the number in its message is a former one."""

TABLES: list[tuple[str, str, dict[str, Any], str]] = [
    ("DDB011", "A table has 20 global indexes at the most",
     {"GlobalSecondaryIndexes": [index(f"by_place{n}", keys("place")) for n in range(21)]},
     "GlobalSecondaryIndex count exceeds the per-table limit"),
    ("DDB107", "Keys that an index names to be projected count among the 100 names of a table",
     projecting("pk", *NAMES), TOO_MANY),
    ("DDB028", "A table has five local indexes at the most",
     {"AttributeDefinitions": defined(pk="S", sk="S", place="S", **NUMBERS),
      "LocalSecondaryIndexes": [index(f"by_{name}", keys("pk", name)) for name in NUMBERS]},
     "Cannot have more than 5 local secondary indexes"),
    ("DDB101", "An attribute of a key is defined", {"AttributeDefinitions": defined(pk="S", sk="S")},
     "place is not defined in AttributeDefinitions"),
    ("DDB101", "An attribute that is defined is in a key",
     {"AttributeDefinitions": defined(pk="S", sk="S", place="S", unused="S")},
     "number of attributes in key schema must match"),
    ("DDB105", "A key is of texts, numbers or bytes",
     {"AttributeDefinitions": defined(pk="S", sk="BOOL", place="S")}, "enum value set: [B, N, S]"),
    ("DDB105", "A key names an attribute once", {"KeySchema": keys("pk", "pk")}, "same name"),
    ("DDB105", "The key of a table has one partition attribute", {"KeySchema": [*keys("pk"), *keys("sk")]},
     "must have exactly one hash key"),
    ("DDB105", "Local indexes are of tables with a sort key",
     {"KeySchema": keys("pk"), "AttributeDefinitions": defined(pk="S", place="S"),
      "LocalSecondaryIndexes": [index("by_there", keys("pk", "place"))]},
     "not allowed on hash tables"),
    ("DDB105", "The key of a global index has four partition attributes at the most",
     {"AttributeDefinitions": defined(pk="S", sk="S", **NUMBERS),
      "GlobalSecondaryIndexes": [index("by_all", [key for name in [*NUMBERS][:5] for key in keys(name)])]},
     "at most 4 partition keys"),
    ("DDB105", "It has four sort attributes at the most",
     {"AttributeDefinitions": defined(pk="S", sk="S", **NUMBERS),
      "GlobalSecondaryIndexes": [index("by_all", keys(*NUMBERS))]},
     "at most 4 sort keys"),
    ("DDB113", "The name of a table has 3 characters or more", {"TableName": "ab"}, "between 3 and 255 characters"),
    ("DDB113", "It has 255 at the most", {"TableName": "a" * 256}, "between 3 and 255 characters"),
    ("DDB113", "It has no blanks", {"TableName": "a b"}, "may contain only the characters"),
    ("DDB113", "The name of an index has 255 characters at the most",
     {"GlobalSecondaryIndexes": [index("a" * 256, keys("place"))]}, "between 3 and 255 characters"),
]  # fmt: skip


def _made(changes: dict[str, Any], words: str, client: Client) -> str:
    return refused(lambda: client.create_table(**table(**changes)), words)


for _code, _text, _changes, _words in TABLES:
    truth(_code, _text)(partial(_made, _changes, _words))


def nested(levels: int) -> Any:
    """A list in a list, and so on."""
    value: Any = {"L": []}
    for _ in range(levels - 1):
        value = {"L": [value]}
    return value


ITEMS: list[tuple[str, str, dict[str, Any], str]] = [
    *((code, "An item has 400 KB at the most", {"x": {"S": "x" * 400 * 1024}},
       "Item size has exceeded the maximum allowed size") for code in ("DDB001", "GEN011")),
    ("DDB102", "A partition key has 2048 bytes at the most", {"pk": {"S": "x" * 2049}}, "under 2048 bytes"),
    ("DDB102", "A sort key has 1024 bytes at the most", {"sk": {"S": "x" * 1025}}, "under 1024 bytes"),
    ("DDB102", "An item whose key in an index is longer is not written", {"place": {"S": "x" * 2049}},
     "Size limit exceeded"),
    ("DDB103", "A key is no empty text", {"pk": {"S": ""}}, "cannot contain an empty string value"),
    ("DDB103", "A key in an index is none either", {"place": {"S": ""}}, "cannot contain an empty string value"),
    ("DDB104", "A key has the type that the table says", {"sk": {"N": "1"}}, "Type mismatch for key"),
    ("DDB104", "A key in an index has the type that the table says", {"place": {"N": "1"}},
     "Type mismatch for Index Key"),
    ("DDB104", "A key in an index is not null", {"place": {"NULL": True}}, "Invalid attribute value type"),
    ("DDB113", "A number has 38 digits at the most", {"x": {"N": "1" * 39}}, "only supports precision up to 38 digits"),
    ("DDB113", "A number is below 1E126", {"x": {"N": "1E126"}}, "Number overflow"),
    ("DDB113", "A number that is not 0 is 1E-130 at the least", {"x": {"N": "1E-131"}}, "Number underflow"),
    ("DDB113", "There is no not-a-number", {"x": {"N": "nan"}}, "cannot be converted into a number"),
    ("DDB113", "A set is not empty", {"x": {"SS": []}}, "may not be empty"),
    ("DDB113", "Lists are nested 32 levels deep at the most", {"x": nested(33)},
     "nested levels beyond supported limit"),
]  # fmt: skip


def _put(attributes: dict[str, Any], words: str, client: Client) -> str:
    client.create_table(**table())
    return refused(lambda: put(client, **attributes), words)


for _code, _text, _attributes, _words in ITEMS:
    truth(_code, _text)(partial(_put, _attributes, _words))


GAP = "RANGE key attributes city must have equality conditions"
QUERIES: list[tuple[str, str, dict[str, Any], str]] = [
    *((code, "A query gives the partition key", asking("#sk = :sk", sk="1"),
       "Query condition missed key schema element") for code in ("DDB003", "DDB027", "GEN004")),
    ("DDB003", "A query gives it by equality, and not its beginning", asking("begins_with(#pk, :pk)", pk="a"),
     "Query key condition not supported"),
    ("DDB008", "A query asks one partition", asking("#pk = :a OR #pk = :b", a="a", b="b"),
     "Invalid operator used in KeyConditionExpression: OR"),
    *((code, "A global index is not read strongly",
       {**asking("#place = :p", "by_place", p="a"), "ConsistentRead": True},
       "Consistent reads are not supported on global secondary indexes") for code in ("DDB017", "GEN009")),
    ("DDB106", "A query leaves no sort attribute open before one that it gives",
     asking("#place = :p AND #street = :s", "by_address", p="a", s="b"), GAP),
    ("DDB106", "A range is on the last sort attribute that it gives",
     asking("#place = :p AND #city > :c AND #street = :s", "by_address", p="a", c="b", s="c"), GAP),
]  # fmt: skip


def _asked(query: dict[str, Any], words: str, client: Client) -> str:
    client.create_table(**(addressed() if query.get("IndexName") == "by_address" else table()))
    return refused(lambda: client.query(**query), words)


for _code, _text, _query, _words in QUERIES:
    truth(_code, _text)(partial(_asked, _query, _words))


@truth("DDB106", "A filter does not judge an attribute of the key")
def _(client: Client) -> str:
    client.create_table(**addressed())
    query = asking("#place = :p", "by_address", p="a", s="b")
    query["ExpressionAttributeNames"]["#street"] = "street"
    return refused(
        lambda: client.query(**query, FilterExpression="#street = :s"),
        "Filter Expression can only contain non-primary key attributes",
    )


@truth("DDB111", "An attribute is compared with 100 values at the most")
def _(client: Client) -> str:
    client.create_table(**table())
    query = asking("#pk = :pk", pk="a")
    query["ExpressionAttributeNames"]["#x"] = "x"
    query["ExpressionAttributeValues"] |= {f":v{n}": {"N": str(n)} for n in range(101)}
    filtered = f"#x IN ({', '.join(f':v{n}' for n in range(101))})"
    return refused(lambda: client.query(**query, FilterExpression=filtered), "too many operands")


def changed(client: Client, expression: str, *names: str, **values: Any) -> dict[str, Any]:
    """Updates the item of `KEY`, and tells what it took and what it became."""
    answer: dict[str, Any] = client.update_item(
        TableName="things", Key=KEY, UpdateExpression=expression, ExpressionAttributeNames={f"#{n}": n for n in names},
        ExpressionAttributeValues={f":{name}": value for name, value in values.items()},
        ReturnConsumedCapacity="INDEXES", ReturnValues="ALL_NEW",
    )  # fmt: skip
    return answer


@truth("DDB111", "An expression has 4096 bytes at the most")
def _(client: Client) -> str:
    client.create_table(**table())
    names = [f"{'x' * 40}{n}" for n in range(120)]
    expression = "SET " + ", ".join(f"#{name} = :v" for name in names)
    return refused(
        lambda: changed(client, expression, *names, v={"S": "a"}),
        "Expression size has exceeded the maximum allowed size",
    )


@truth("DDB022", "An attribute of the key is not updated")
def _(client: Client) -> str:
    client.create_table(**table())
    return refused(lambda: changed(client, "SET #sk = :v", "sk", v={"S": "2"}), "This attribute is part of the key")


@truth("DDB023", "A text is not added to")
def _(client: Client) -> str:
    client.create_table(**table())
    put(client, x={"S": "9"})
    return refused(lambda: changed(client, "ADD #x :v", "x", v={"N": "1"}), "incorrect data type")


def puts(number: int, size: int = 0) -> list[dict[str, Any]]:
    """Actions of a transaction, each of which puts an item."""
    text = {"S": "x" * size}
    return [{"Put": {"TableName": "things", "Item": {**KEY, "sk": {"S": str(n)}, "x": text}}} for n in range(number)]


for _text, _actions, _words in (
    ("A transaction has 100 actions at the most", puts(101), "less than or equal to 100"),
    ("A transaction has 4 MB at the most", puts(11, 399 * 1024), "Transaction payload size cannot exceed 4MB"),
):

    @truth("DDB021", _text)
    def _(client: Client, actions: list[dict[str, Any]] = _actions, words: str = _words) -> str:
        client.create_table(**table())
        return refused(lambda: client.transact_write_items(TransactItems=actions), words)


@truth("DDB012", "All indexes of a table project 100 names at the most")
def _(client: Client) -> str:
    client.create_table(**table(**projecting(*NAMES)))
    more = table(TableName="more", **projecting(*NAMES, "more"))
    return f"100 are taken; 101: {refused(lambda: client.create_table(**more), TOO_MANY)}"


@truth("DDB012", "A global index does not fetch what it does not hold")
def _(client: Client) -> str:
    client.create_table(**table(GlobalSecondaryIndexes=[index("by_place", keys("place"), "KEYS_ONLY")]))
    query = asking("#place = :p", "by_place", p="a")
    return refused(lambda: client.query(**query, ProjectionExpression="x"), "index by_place does not project")


@truth("DDB018", "The key of a table does not change")
def _(client: Client) -> str:
    client.create_table(**table())
    return refused(
        lambda: client.update_table(TableName="things", KeySchema=keys("pk")), 'Unknown parameter in input: "KeySchema"'
    )


@truth("INF602", "No two tables have one name")
def _(client: Client) -> str:
    client.create_table(**table())
    return refused(lambda: client.create_table(**table()), "Cannot create preexisting table")


@truth("DDB028", "No local index is added to a table")
def _(client: Client) -> str:
    client.create_table(**table())
    added = [{"Create": index("by_x", keys("pk", "x"))}]
    words = 'Unknown parameter in input: "LocalSecondaryIndexUpdates"'
    return refused(lambda: client.update_table(TableName="things", LocalSecondaryIndexUpdates=added), words)


@truth("E0508", "A table expires by one attribute")
def _(client: Client) -> str:
    client.create_table(**table())
    expire(client, "gone_at")
    return refused(lambda: expire(client, "valid_until"), "TimeToLive is active on a different AttributeName")


def expire(client: Client, attribute: str) -> None:
    """Has `things` expire by an attribute."""
    said = {"AttributeName": attribute, "Enabled": True}
    client.update_time_to_live(TableName="things", TimeToLiveSpecification=said)


@truth("GEN005", "A statement reads one table")
def _(client: Client) -> str:
    client.create_table(**table())
    joined = 'SELECT * FROM "things" AS a JOIN "things" AS b ON a.pk = b.place'
    return refused(
        lambda: client.execute_statement(Statement=joined), "Only select from a single table or index is supported"
    )


@truth("GEN016", "Of a transaction that fails nothing is written")
def _(client: Client) -> str:
    client.create_table(**table())
    first, second = puts(2)
    second["Put"]["ConditionExpression"] = "attribute_exists(pk)"
    output = refused(lambda: client.transact_write_items(TransactItems=[first, second]), "ConditionalCheckFailed")
    return f"{output}, {client.scan(TableName='things')['Count']} items"
