"""Readers on each real server whose names a version splits, and the code that writes them meanwhile."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cassandra.query import SimpleStatement
from pymongo.errors import WriteError
from tests.live.daily import Daily
from tests.projects import with_imports

from keywright.drivers.cassandra import driver as cassandra
from keywright.drivers.dynamodb import driver as dynamodb
from keywright.drivers.dynamodb.values import plain
from keywright.drivers.mongodb import driver as mongodb
from keywright.drivers.redis import driver as redis
from keywright.record import Record

STACK = """\
config:
  keywright:environment:
    mode: dev
    dynamodb: {{flavour: dynamodb-local, name-prefix: "{prefix}"}}
    mongodb: {{flavour: mongodb, database-prefix: "{prefix}"}}
    cassandra: {{flavour: cassandra, datacentres: {{dc1: 1}}, keyspace-prefix: "{prefix}"}}
    redis: {{flavour: redis}}
"""

MODELS = """
    place = PLACE

    class Reader(BaseModel):
        __store__: ClassVar = STORE
        reader_id: Annotated[str, Field(max_length=40)]
"""

STORES = {
    "cassandra": ('kw.Keyspace("killed")', 'kw.CqlTable(place, "readers", partition="reader_id"MORE)'),
    "dynamodb": ('kw.DynamoTable("killed")', 'kw.Item(place, pk="READER#{reader_id}", sk="READER"MORE)'),
    "mongodb": ('kw.MongoDatabase("killed")', 'kw.Collection(place, "readers", id="{reader_id}"MORE)'),
    "redis": (
        'kw.RedisServer("killed", role="primary")',
        'kw.RedisHash(place, key="reader:{reader_id}", keep_forever="readers stay"MORE)',
    ),
}
"""What holds the readers, and how."""

NAME = "name: Annotated[str, Field(max_length=60)]"
NAMES = (
    "first: Annotated[str, Field(max_length=60)]",
    "last: Annotated[str, Field(max_length=60)]",
    'tier: Annotated[str, Field(max_length=9)] = "free"',
)
SPLIT = (
    ', schema_version=2, upgrades={1: kw.Upgrade(split={"name": kw.Split(on=" ", into=["first", "last"])},'
    ' set={"tier": "free"}, unset="name")}'
)


def models(engine: str, *, is_split: bool) -> str:
    """A model file of readers with one name, or with two."""
    place, store = STORES[engine]
    text = with_imports(MODELS.replace("STORE", store).replace("PLACE", place).replace("MORE", SPLIT * is_split))
    return text + "".join(f"    {line}\n" for line in (NAMES if is_split else (NAME,)))


Stored = dict[str, Any]


class Readers(Record):
    """The stored readers, written by the clients that applications have, as code of either version writes them."""

    put_old: Callable[[str, str], None]
    """(key, name): write one whole, in the old form."""
    put_new: Callable[[str, str], None]
    """The same in the new one."""
    rename: Callable[[str, str], bool]
    """Give one another name as old code does, which knows of no version; whether that took effect."""
    delete: Callable[[str], None]
    read: Callable[[], dict[str, Stored]]
    """All of them by key, without the key."""


def halves(name: str) -> Stored:
    """What new code makes of a name."""
    first, _, last = name.partition(" ")
    return {"first": first, "last": last, "tier": "gold"}


@contextmanager
def in_mongodb(url: str, prefix: str) -> Iterator[Readers]:
    client: Any = mongodb.client(url)
    readers = client[f"{prefix}killed"]["readers"]

    def put(key: str, item: Stored) -> None:
        readers.replace_one({"_id": key}, {"_id": key, **item}, upsert=True)

    def rename(key: str, name: str) -> bool:
        try:
            return bool(readers.update_one({"_id": key}, {"$set": {"name": name}}).matched_count)
        except WriteError:  # the validator admits either form, and no mixture
            return False

    try:
        yield Readers(
            put_old=lambda key, name: put(key, {"name": name}),
            put_new=lambda key, name: put(key, {**halves(name), "_kw_v": 2}),
            rename=rename,
            delete=lambda key: readers.delete_one({"_id": key}) and None,
            read=lambda: {entry.pop("_id"): entry for entry in readers.find()},
        )
    finally:
        client.drop_database(f"{prefix}killed")
        client.close()


@contextmanager
def in_dynamodb(url: str, prefix: str) -> Iterator[Readers]:
    client: Any = dynamodb.client(url)
    table = f"{prefix}killed"

    def key_of(key: str) -> Stored:
        return {"pk": {"S": f"READER#{key}"}, "sk": {"S": "READER"}}

    def put(key: str, item: Stored, **more: Any) -> None:
        native = {name: {"S": value} for name, value in {"entity_type": "Reader", "reader_id": key, **item}.items()}
        client.put_item(TableName=table, Item={**key_of(key), **native, **more})

    def rename(key: str, name: str) -> bool:
        try:
            client.update_item(
                TableName=table, Key=key_of(key), UpdateExpression="SET #name = :name",
                ConditionExpression="attribute_exists(pk)", ExpressionAttributeNames={"#name": "name"},
                ExpressionAttributeValues={":name": {"S": name}},
            )  # fmt: skip
        except client.exceptions.ConditionalCheckFailedException:
            return False
        return True

    def read() -> dict[str, Stored]:
        pages = client.get_paginator("scan").paginate(TableName=table, ConsistentRead=True)
        result = ({name: plain(value) for name, value in item.items()} for page in pages for item in page["Items"])
        return {
            entry.pop("reader_id"): {n: v for n, v in entry.items() if n not in ("pk", "sk", "entity_type")}
            for entry in result
        }

    try:
        yield Readers(
            put_old=lambda key, name: put(key, {"name": name}),
            put_new=lambda key, name: put(key, halves(name), _kw_v={"N": "2"}),
            rename=rename,
            delete=lambda key: client.delete_item(TableName=table, Key=key_of(key)) and None,
            read=read,
        )
    finally:
        client.close()


@contextmanager
def in_cassandra(url: str, prefix: str) -> Iterator[Readers]:
    session = cassandra.client(url)
    table = f"{prefix}killed.readers"

    def put(key: str, item: Stored) -> None:
        names, marks = ", ".join(["reader_id", *item]), ", ".join(["%s"] * (len(item) + 1))
        session.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", (key, *item.values()))

    def rename(key: str, name: str) -> bool:
        """An UPDATE would make a row that is not there."""
        if session.execute(f"SELECT reader_id FROM {table} WHERE reader_id = %s", (key,)).one() is None:
            return False
        session.execute(f"UPDATE {table} SET name = %s WHERE reader_id = %s", (name, key))
        return True

    def read() -> dict[str, Stored]:
        """In small pages: this server fails where it meets too many tombstones at once."""
        rows = (row._asdict() for row in session.execute(SimpleStatement(f"SELECT * FROM {table}", fetch_size=100)))
        return {row.pop("reader_id"): {name: value for name, value in row.items() if value is not None} for row in rows}

    try:
        yield Readers(
            put_old=lambda key, name: put(key, {"name": name}),
            put_new=lambda key, name: put(key, {**halves(name), "kw_v": 2, "name": None}),
            rename=rename,
            delete=lambda key: session.execute(f"DELETE FROM {table} WHERE reader_id = %s", (key,)) and None,
            read=read,
        )
    finally:
        for keyspace in (f"{prefix}killed", f"{prefix}kw_meta"):
            session.execute(f"DROP KEYSPACE IF EXISTS {keyspace}", timeout=30)
        session.cluster.shutdown()


@contextmanager
def in_redis(url: str, prefix: str) -> Iterator[Readers]:
    client = redis.client(url)

    def put(key: str, item: Stored) -> None:
        pipeline = client.pipeline()
        pipeline.delete(f"reader:{key}")
        pipeline.hset(f"reader:{key}", mapping={"reader_id": key, **item})
        pipeline.execute()

    renamed = client.register_script("""
        if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
        redis.call('HSET', KEYS[1], 'name', ARGV[1])
        return 1
    """)

    def read() -> dict[str, Stored]:
        rows: list[Any] = [client.hgetall(key) for key in client.scan_iter(match="reader:*")]
        return {row.pop("reader_id"): row for row in rows}

    try:
        yield Readers(
            put_old=lambda key, name: put(key, {"name": name}),
            put_new=lambda key, name: put(key, {**halves(name), "_kw_v": "2"}),
            rename=lambda key, name: bool(renamed([f"reader:{key}"], [name])),
            delete=lambda key: client.delete(f"reader:{key}") and None,
            read=read,
        )
    finally:
        client.flushall()
        client.close()


READERS = {"cassandra": in_cassandra, "dynamodb": in_dynamodb, "mongodb": in_mongodb, "redis": in_redis}
"""The readers of each engine, by its address and how its names begin."""


def project(folder: Path, engine: str, lease_seconds: float) -> Daily:
    """A project whose second version splits the names of readers."""
    daily = Daily(folder, models(engine, is_split=False), lease_seconds, STACK)
    assert daily("diff", "-m", "one name").code == 0
    daily.becomes(models(engine, is_split=True))
    assert daily("diff", "-m", "two names").code == 0
    return daily
