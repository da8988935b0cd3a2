"""What DynamoDB does and bills where a page says that it is slow, dear or wrong: claims, shown by what it answers."""

from datetime import UTC, datetime
from typing import Any

import boto3
from tests.live.dynamodb_refusing import (
    KEY,
    Client,
    asking,
    changed,
    defined,
    expire,
    index,
    keys,
    nested,
    put,
    table,
    truth,
)

from keywright.engines.dynamodb.schema.capabilities import LOCAL_KEY

PLACE = {"place": {"S": "here"}}


def units(told: dict[str, Any]) -> str:
    """What a request took, in units."""
    return in_units(told["ConsumedCapacity"]["CapacityUnits"])


def in_units(number: float) -> str:
    """A number of units."""
    return f"{number:g} unit{'' if number == 1 else 's'}"


def there(client: Client, name: str) -> int:
    """Entries of an index of `things`."""
    count: int = client.scan(TableName="things", IndexName=name)["Count"]
    return count


def got(client: Client, **more: Any) -> dict[str, Any]:
    """The item of `KEY`, with what it took."""
    answer: dict[str, Any] = client.get_item(TableName="things", Key=KEY, ReturnConsumedCapacity="TOTAL", **more)
    return answer


@truth("DDB001", "An item is billed by its size: 400 KB take 400 units to write, and 100 to read strongly")
def _(client: Client) -> str:
    client.create_table(**table())
    written = put(client, x={"S": "x" * (400 * 1024 - 20)})
    return f"{units(written)}, and {units(got(client, ConsistentRead=True))}"


@truth("GEN018", "An item is billed whole, whatever of it is asked for")
def _(client: Client) -> str:
    client.create_table(**table())
    put(client, x={"S": "x" * 40_000})
    return f"{units(got(client))}, and {units(got(client, ProjectionExpression='sk'))} for its key"


@truth("GEN010", "A strong read takes twice what an eventual one does")
def _(client: Client) -> str:
    client.create_table(**table())
    put(client)
    return f"{units(got(client, ConsistentRead=True))}, and {units(got(client))}"


@truth("DDB019", "Each read is paid, though nothing has changed")
def _(client: Client) -> str:
    client.create_table(**table())
    put(client)
    return f"{units(got(client))}, then {units(got(client))}"


@truth("DDB002", "A scan is paid by what it reads, and not by what it finds")
def _(client: Client) -> str:
    client.create_table(**table())
    for number in range(100):
        put(client, sk={"S": f"{number:02}"}, x={"N": str(number)})
    scan = client.scan(
        TableName="things", FilterExpression="x = :x", ExpressionAttributeValues={":x": {"N": "7"}},
        ReturnConsumedCapacity="TOTAL",
    )  # fmt: skip
    return f"{scan['Count']} of {scan['ScannedCount']} items that were read"


@truth("DDB015", "A range that the sort key does not have in front is filtered after reading")
def _(client: Client) -> str:
    client.create_table(**table())
    for number in range(5):
        put(client, sk={"S": str(number)}, x={"S": str(number)})
    query = client.query(**asking("#pk = :pk", pk="a", x="3"), FilterExpression="x > :x")
    return f"{query['Count']} of {query['ScannedCount']} items that were read"


@truth("DDB008", "Who reads one shard finds a part")
def _(client: Client) -> str:
    client.create_table(**table())
    for number in range(8):
        put(client, pk={"S": f"a#{number % 4}"}, sk={"S": str(number)})
    return f"{client.query(**asking('#pk = :pk', pk='a#0'))['Count']} of 8 items"


def several(client: Client, projection: str) -> None:
    """Makes `things` with five indexes."""
    names = {f"k{n}": "S" for n in range(5)}
    client.create_table(**table(
        AttributeDefinitions=defined(pk="S", sk="S", **names),
        GlobalSecondaryIndexes=[index(f"by_{name}", keys(name), projection) for name in names],
    ))  # fmt: skip


@truth("DDB011", "With five indexes an insert takes 6 units")
def _(client: Client) -> str:
    several(client, "KEYS_ONLY")
    return units(put(client, **{f"k{n}": {"S": "a"} for n in range(5)}))


@truth("DDB011", "An update of what none of them holds takes 1 unit")
def _(client: Client) -> str:
    several(client, "KEYS_ONLY")
    put(client, **{f"k{n}": {"S": "a"} for n in range(5)})
    return units(changed(client, "SET #x = :x", "x", x={"S": "b"}))


@truth("DDB011", "An update of what all of them hold takes 6")
def _(client: Client) -> str:
    several(client, "ALL")
    put(client, **{f"k{n}": {"S": "a"} for n in range(5)})
    return units(changed(client, "SET #x = :x", "x", x={"S": "b"}))


@truth("DDB011", "An update of all their keys takes 11")
def _(client: Client) -> str:
    several(client, "KEYS_ONLY")
    put(client, **{f"k{n}": {"S": "a"} for n in range(5)})
    expression = "SET " + ", ".join(f"#k{n} = :v" for n in range(5))
    return units(changed(client, expression, *(f"k{n}" for n in range(5)), v={"S": "b"}))


@truth("DDB109", "A change of its key takes two units of an index")
def _(client: Client) -> str:
    client.create_table(**table())
    put(client, **PLACE)
    consumedcapacity = changed(client, "SET #place = :p", "place", p={"S": "there"})["ConsumedCapacity"]
    return in_units(consumedcapacity["GlobalSecondaryIndexes"]["by_place"]["CapacityUnits"])


@truth("DDB109", "The first key of an item takes one unit of an index")
def _(client: Client) -> str:
    client.create_table(**table())
    put(client)
    consumedcapacity = changed(client, "SET #place = :p", "place", p={"S": "there"})["ConsumedCapacity"]
    return in_units(consumedcapacity["GlobalSecondaryIndexes"]["by_place"]["CapacityUnits"])


@truth("DDB013", "An item with the key of an index is written there too, though nobody reads it")
def _(client: Client) -> str:
    client.create_table(**table())
    alone = units(put(client, sk={"S": "2"}))
    return f"{units(put(client, **PLACE))}, and {alone} without"


@truth("DDB013", "The server counts the entries of an index")
def _(client: Client) -> str:
    client.create_table(**table())
    put(client, **PLACE)
    put(client, sk={"S": "2"})
    output = client.describe_table(TableName="things")["Table"]
    return f"{output['ItemCount']} items, {output['GlobalSecondaryIndexes'][0]['ItemCount']} entry"


@truth("DDB014", "Items of two entities with one key are found together")
def _(client: Client) -> str:
    client.create_table(**table())
    put(client, pk={"S": "ORDER#7"}, sk={"S": "ORDER"})
    put(client, pk={"S": "ORDER#7"}, sk={"S": "USER"}, email={"S": "ORDER#7"})
    return f"{client.query(**asking('#pk = :pk', pk='ORDER#7'))['Count']} items"


@truth("GEN101", "An item takes the place of another one with its key")
def _(client: Client) -> str:
    client.create_table(**table())
    put(client, pk={"S": "a#b#c"}, user={"S": "a#b"}, order={"S": "c"})
    put(client, pk={"S": "a#b#c"}, user={"S": "a"}, order={"S": "b#c"})
    return f"taken, {client.scan(TableName='things')['Count']} item"


@truth("DDB016", "An item need not say what it is")
def _(client: Client) -> str:
    client.create_table(**table())
    put(client)
    return "taken"


@truth("DDB017", "A local index is read strongly, for twice the units")
def _(client: Client) -> str:
    client.create_table(**table(LocalSecondaryIndexes=[index("by_there", keys("pk", "place"))]))
    put(client, **PLACE)
    query = {**asking("#pk = :pk", "by_there", pk="a"), "ReturnConsumedCapacity": "TOTAL"}
    return f"{units(client.query(**query, ConsistentRead=True))}, and {units(client.query(**query))}"


@truth("DDB023", "As text 10 comes before 9")
def _(client: Client) -> str:
    client.create_table(**table())
    for number in ("9", "10"):
        put(client, sk={"S": number})
    return ", ".join(item["sk"]["S"] for item in client.query(**asking("#pk = :pk", pk="a"))["Items"])


@truth("GEN107", "Numbers are decimal: 0.1 and 0.2 make 0.3")
def _(client: Client) -> str:
    client.create_table(**table())
    put(client, x={"N": "0.1"})
    return str(changed(client, "ADD #x :x", "x", x={"N": "0.2"})["Attributes"]["x"]["N"])


@truth("DDB101", "An index over an attribute that no item has is made, and stays empty")
def _(client: Client) -> str:
    client.create_table(**table())
    put(client)
    return f"taken, {there(client, 'by_place')} entries of 1 item"


@truth("DDB103", "Another attribute may be an empty text")
def _(client: Client) -> str:
    client.create_table(**table())
    put(client, x={"S": ""})
    return "taken"


@truth("DDB108", "An index with the table's key turned round holds every item")
def _(client: Client) -> str:
    client.create_table(**table(
        AttributeDefinitions=defined(pk="S", sk="S"),
        GlobalSecondaryIndexes=[index("turned", keys("sk", "pk"))],
    ))  # fmt: skip
    for number in range(3):
        put(client, sk={"S": str(number)})
    return f"{there(client, 'turned')} entries of 3 items"


@truth("DDB107", "An index may name attributes to be projected that are keys")
def _(client: Client) -> str:
    named = index("by_place", keys("place"), "INCLUDE", "pk", "place")
    client.create_table(**table(GlobalSecondaryIndexes=[named]))
    return "taken"


@truth("DDB110", "An index may have less write capacity than its table")
def _(client: Client) -> str:
    capacity = [{"ReadCapacityUnits": 5, "WriteCapacityUnits": written} for written in (50, 1)]
    client.create_table(**table(
        BillingMode="PROVISIONED", ProvisionedThroughput=capacity[0],
        GlobalSecondaryIndexes=[{**index("by_place", keys("place")), "ProvisionedThroughput": capacity[1]}],
    ))  # fmt: skip
    return "taken"


@truth("DDB113", "Values at the edge are held")
def _(client: Client) -> str:
    client.create_table(**table())
    put(client, a={"N": "1" * 38}, b={"N": "9.9E125"}, c={"N": "1E-130"}, d=nested(31))
    return "taken"


def records(client: Client, view: str, *contents: str) -> list[dict[str, Any]]:
    """The records of a stream with such images, of which each content of an item makes one."""
    created = client.create_table(**table(StreamSpecification={"StreamEnabled": True, "StreamViewType": view}))
    for content in contents:
        put(client, x={"S": content})
    streams: Any = boto3.Session().client(
        "dynamodbstreams", endpoint_url=client.meta.endpoint_url, region_name=client.meta.region_name,
        aws_access_key_id="truth", aws_secret_access_key=LOCAL_KEY,
    )  # fmt: skip
    arn = created["TableDescription"]["LatestStreamArn"]
    (shard,) = streams.describe_stream(StreamArn=arn)["StreamDescription"]["Shards"]
    begin = streams.get_shard_iterator(StreamArn=arn, ShardId=shard["ShardId"], ShardIteratorType="TRIM_HORIZON")
    answer: list[dict[str, Any]] = streams.get_records(ShardIterator=begin["ShardIterator"])["Records"]
    streams.close()
    return answer


@truth("DDB025", "A stream of keys carries nothing else")
def _(client: Client) -> str:
    (record,) = records(client, "KEYS_ONLY", "x")
    carried = sorted(name for name in record["dynamodb"] if name in {"Keys", "NewImage", "OldImage"})
    return f"{record['eventName']} with {', '.join(carried)}"


@truth("DDB064", "A change of an item carries it twice in a stream with both images")
def _(client: Client) -> str:
    _, record = records(client, "NEW_AND_OLD_IMAGES", "x" * 50_000, "y" * 50_000)
    sizes = [len(record["dynamodb"][image]["x"]["S"]) for image in ("OldImage", "NewImage")]
    return f"{' and '.join(f'{size:,}' for size in sizes)} characters in one record"


@truth("DDB063", "A put in a transaction takes twice the units of a put")
def _(client: Client) -> str:
    client.create_table(**table())
    together = client.transact_write_items(
        TransactItems=[{"Put": {"TableName": "things", "Item": KEY}}], ReturnConsumedCapacity="TOTAL"
    )
    return f"{in_units(together['ConsumedCapacity'][0]['CapacityUnits'])}, and {units(put(client))} alone"


@truth("DDB038", "An item under a random shard is found by a query of each shard")
def _(client: Client) -> str:
    client.create_table(**table())
    put(client, pk={"S": "a#7"})
    counts = [client.query(**asking("#pk = :pk", pk=f"a#{shard}"))["Count"] for shard in range(10)]
    return f"{len(counts)} queries for {sum(counts)} item"


_SHARED = "DynamoDB Local deletes nothing while any of its tables has an index whose key an expired item lacks"

truth.beyond("DDB024", "What is no number of seconds never expires", _SHARED)
truth.beyond("DDB112", "What expired more than five years ago is left alone", _SHARED)


@truth("DDB024", "What has expired is read until it is deleted")
def _(client: Client) -> str:
    client.create_table(**table())
    expire(client, "gone_at")
    put(client, gone_at={"N": f"{datetime.now(UTC).timestamp() - 60:.0f}"})
    return "read" if "Item" in got(client) else "not read"
