"""Items of one entity on each real server, read and written past keywright, by the clients that applications have."""

import itertools
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

from hypothesis import strategies as st
from tests.properties.transforms import FIELDS, texts

from keywright.drivers.cassandra import driver as cassandra
from keywright.drivers.dynamodb import driver as dynamodb
from keywright.drivers.dynamodb.values import native, plain
from keywright.drivers.mongodb import driver as mongodb
from keywright.drivers.mongodb.values import CODEC
from keywright.drivers.mongodb.values import native as to_bson
from keywright.drivers.mongodb.values import plain as from_bson
from keywright.drivers.redis import driver as redis
from keywright.engines.contract.pages import Work
from keywright.engines.contract.shape import Discriminator
from keywright.engines.interface import Driver
from keywright.ir.transform import Transform
from keywright.local import Running
from keywright.record import Record

COUNT = itertools.count()

COLUMNS = ("status", "placed_at", "status_day", "name", "first", "last", "tier", "note", *FIELDS)

Stored = dict[str, Any]


class World(Record):
    """A place on one server."""

    driver: Driver
    place: dict[str, Any]
    """What `Work` needs to find the items."""
    home: str
    """Where the history of the store is kept."""
    version: str
    """Name of the version attribute."""
    values: st.SearchStrategy[Any]
    """Values that the fields can hold."""
    put: Callable[[str, Stored], None]
    """Write an item whole."""
    change: Callable[[str, Stored], None]
    """Write some fields of an item, if it is there, as it is in every engine's power."""
    delete: Callable[[str], None]
    read: Callable[[], dict[str, Stored]]
    """All items by key, without the key."""
    clear: Callable[[], None]

    def work(self, transform: Transform | None = None, **options: Any) -> Work:
        known: dict[str, Any] = {"reads": transform.reads, "writes": transform.writes} if transform else {}
        return Work(**{**self.place, **known, "transform": transform, **options})

    def load(self, items: Mapping[str, Stored]) -> None:
        self.clear()
        for key, item in items.items():
            self.put(key, item)


def scalars() -> st.SearchStrategy[Any]:
    small = st.integers(-5, 120) | st.sampled_from((2**31, -(2**40)))
    numbers = small | st.sampled_from((Decimal("1.5"), Decimal("-0.25")))
    return texts() | texts() | st.none() | st.booleans() | numbers | st.just([1, "x"])


@contextmanager
def of_mongodb(server: Running) -> Iterator[World]:
    driver, client = mongodb.connect(server.url), mongodb.client(server.url)
    database = f"backfill{next(COUNT)}"
    things = client[database].get_collection("things", codec_options=CODEC)
    times = st.datetimes(datetime(1900, 1, 1), datetime(2100, 1, 1), timezones=st.just(UTC))
    milliseconds = times.map(lambda at: at.replace(microsecond=at.microsecond // 1000 * 1000))

    def read() -> dict[str, Stored]:
        return {entry.pop("_id"): {name: from_bson(value) for name, value in entry.items()} for entry in things.find()}

    yield World(
        driver=driver,
        place={"object": f"{database}.things"},
        home=database,
        version="_kw_v",
        values=scalars() | milliseconds | st.floats(-10, 10) | st.fixed_dictionaries({"x": texts()}),
        put=lambda key, item: things.replace_one({"_id": key}, to_bson({**item, "_id": key}), upsert=True) and None,
        change=lambda key, item: things.update_one({"_id": key}, {"$set": to_bson(item)}) and None,
        delete=lambda key: things.delete_one({"_id": key}) and None,
        read=read,
        clear=lambda: things.delete_many({}) and None,
    )
    client.drop_database(database)
    client.close()
    driver.close()


@contextmanager
def of_dynamodb(server: Running) -> Iterator[World]:
    url = server.url.replace("://", f"://BACKFILL{next(COUNT)}@")
    driver, client = dynamodb.connect(url), dynamodb.client(url)
    client.create_table(
        TableName="things",
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk")],
        BillingMode="PAY_PER_REQUEST",
    )
    # Of another entity, in the same table: it must stay as it is.
    client.put_item(TableName="things", Item={"pk": {"S": "OTHER"}, "sk": {"S": "OTHER"}, "_kw_type": {"S": "Other"},
                                              "status": {"S": "new"}, "a": {"S": "x"}})  # fmt: skip

    def key_of(key: str) -> Stored:
        return {"pk": {"S": f"THING#{key}"}, "sk": {"S": "THING"}}

    def put(key: str, item: Stored) -> None:
        values = {name: native(value) for name, value in item.items()}
        client.put_item(TableName="things", Item={**key_of(key), "_kw_type": {"S": "Thing"}, **values})

    def change(key: str, item: Stored) -> None:
        names = {f"#n{at}": name for at, name in enumerate(item)}
        values = {f":v{at}": native(value) for at, value in enumerate(item.values())}
        sets = ", ".join(f"#n{at} = :v{at}" for at in range(len(item)))
        try:
            client.update_item(
                TableName="things", Key=key_of(key), UpdateExpression=f"SET {sets}", ExpressionAttributeNames=names,
                ExpressionAttributeValues=values, ConditionExpression="attribute_exists(pk)",
            )  # fmt: skip
        except client.exceptions.ConditionalCheckFailedException:
            return

    def read() -> dict[str, Stored]:
        result: dict[str, Stored] = {}
        for page in client.get_paginator("scan").paginate(TableName="things", ConsistentRead=True):
            for entry in page["Items"]:
                values = {name: plain(value) for name, value in entry.items()}
                key, kind = values.pop("pk"), values.pop("_kw_type")
                values.pop("sk")
                if kind == "Thing":
                    result[key.removeprefix("THING#")] = values
                else:
                    assert values == {"status": "new", "a": "x"}
        return result

    def delete(key: str) -> None:
        client.delete_item(TableName="things", Key=key_of(key))

    def clear() -> None:
        for key in read():
            delete(key)

    yield World(
        driver=driver,
        place={"object": "things", "discriminator": Discriminator("_kw_type", "Thing")},
        home="kw-history",
        version="_kw_v",
        values=scalars(),
        put=put, change=change, delete=delete, read=read, clear=clear,
    )  # fmt: skip
    client.close()
    driver.close()


@contextmanager
def of_cassandra(server: Running) -> Iterator[World]:
    driver, session = cassandra.connect(server.url), cassandra.client(server.url)
    keyspace = f"backfill{next(COUNT)}"
    replication = "{'class': 'SimpleStrategy', 'replication_factor': 1}"
    session.execute(f"CREATE KEYSPACE {keyspace} WITH replication = {replication}")
    columns = ", ".join(f"{name} text" for name in COLUMNS)
    session.execute(
        f"CREATE TABLE {keyspace}.things (part text, place int, {columns}, kw_v int, PRIMARY KEY (part, place))"
        " WITH CLUSTERING ORDER BY (place DESC)"
    )
    where = "WHERE part = %s AND place = %s"

    def key_of(key: str) -> tuple[str, int]:
        number = int(key)
        return ("many" if number % 3 else f"p{number}"), number  # one partition that is larger than a page

    def put(key: str, item: Stored) -> None:
        kept = {name: value for name, value in item.items() if value is not None}
        names, marks = ", ".join(["part", "place", *kept]), ", ".join(["%s"] * (len(kept) + 2))
        session.execute(f"INSERT INTO {keyspace}.things ({names}) VALUES ({marks})", (*key_of(key), *kept.values()))

    def change(key: str, item: Stored) -> None:
        sets = ", ".join(f"{name} = %s" for name in item)
        session.execute(f"UPDATE {keyspace}.things SET {sets} {where}", (*item.values(), *key_of(key)))

    def read() -> dict[str, Stored]:
        result: dict[str, Stored] = {}
        for row in session.execute(f"SELECT * FROM {keyspace}.things"):
            values = {name: value for name, value in row._asdict().items() if value is not None}
            values.pop("part")
            result[str(values.pop("place"))] = values
        return result

    yield World(
        driver=driver,
        place={"object": f"{keyspace}.things"},
        home=keyspace,
        version="kw_v",
        values=texts(),
        put=put,
        change=change,
        delete=lambda key: session.execute(f"DELETE FROM {keyspace}.things {where}", key_of(key)) and None,
        read=read,
        clear=lambda: session.execute(f"TRUNCATE {keyspace}.things", timeout=30) and None,
    )
    session.execute(f"DROP KEYSPACE {keyspace}", timeout=30)
    session.cluster.shutdown()
    driver.close()


@contextmanager
def of_redis(server: Running) -> Iterator[World]:
    driver, client = redis.connect(server.url), redis.client(server.url)
    begin = f"bf{next(COUNT)}:thing:"
    other = f"{begin}1:cart"  # a key of another entity, which begins as ours do
    client.hset(other, mapping={"status": "new", "a": "x"})

    def put(key: str, item: Stored) -> None:
        pipeline = client.pipeline()
        pipeline.delete(begin + key)
        pipeline.hset(begin + key, mapping={"id": key, **item})
        pipeline.execute()

    changed = client.register_script("""
        if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HSET', KEYS[1], unpack(ARGV)) end
    """)

    def read() -> dict[str, Stored]:
        assert client.hgetall(other) == {"status": "new", "a": "x"}
        result = {key: client.hgetall(key) for key in client.scan_iter(match=f"{begin}[0-9]*") if key != other}
        return {
            key.removeprefix(begin): {name: value for name, value in entry.items() if name != "id"}
            for key, entry in result.items()
        }

    def clear() -> None:
        for key in list(read()):
            client.delete(begin + key)

    yield World(
        driver=driver,
        place={"object": "server", "keys": (("key", begin + "{id}"),), "others": ((("key", begin + "{id}:cart"),),)},
        home=f"h{begin}",
        version="_kw_v",
        values=texts(),
        put=put,
        change=lambda key, item: changed([begin + key], [word for pair in item.items() for word in pair]) and None,
        delete=lambda key: client.delete(begin + key) and None,
        read=read,
        clear=clear,
    )
    for key in client.scan_iter(match=f"*{begin}*"):
        client.delete(key)
    client.close()
    driver.close()


WORLDS = {"mongodb": of_mongodb, "dynamodb": of_dynamodb, "cassandra": of_cassandra, "redis": of_redis}
