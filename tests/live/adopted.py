"""Databases that were there first, made by plain clients, and everything in them as bytes."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

from bson import encode
from bson.raw_bson import RawBSONDocument
from cassandra.cluster import Session
from pymongo import ASCENDING, DESCENDING, MongoClient
from redis import Redis

LATER = datetime(2126, 1, 1, tzinfo=UTC)
WRITTEN_OUT = ("allow_auto_snapshot", "cdc", "incremental_backups", "memtable")
"""Options that Cassandra leaves unset until a table is altered for the first time, and then writes out."""
COLLECTIONS, TABLES, CQL_TABLES, KEYS = 40, 10, 20, 1_000

INDEXES: tuple[tuple[Any, dict[str, Any]], ...] = (
    ("email", {"unique": True, "name": "email of users"}),
    ([("city", ASCENDING), ("age", DESCENDING)], {}),
    ("seen", {"expireAfterSeconds": 3600}),
    ("age", {"partialFilterExpression": {"age": {"$gt": 5}}, "name": "grown"}),
    ([("note", "text")], {"default_language": "german", "weights": {"note": 3}}),
    ([("city", "hashed")], {}),
    ([("more.$**", 1)], {"name": "more of it"}),
    ("nick", {"sparse": True}),
    ("nick", {"collation": {"locale": "fr", "strength": 2}, "name": "nick_fr"}),
    ("n", {"hidden": True}),
    ([("place", "2dsphere")], {}),
)
OPTIONS: tuple[dict[str, Any], ...] = (
    {},
    {"capped": True, "size": 65536, "max": 50},
    {"validator": {"$jsonSchema": {"required": ["n"]}}, "validationLevel": "moderate", "validationAction": "warn"},
    {"viewOn": "users", "pipeline": [{"$match": {"n": {"$gt": 2}}}]},
    {"timeseries": {"timeField": "seen", "metaField": "city", "granularity": "hours"}, "expireAfterSeconds": 10**9},
    {"collation": {"locale": "sv", "strength": 1}},
    {"changeStreamPreAndPostImages": {"enabled": True}},
    {"clusteredIndex": {"key": {"_id": 1}, "unique": True, "name": "by id"}},
)


def documents(number: int) -> list[dict[str, Any]]:
    return [
        {"_id": n, "n": n, "email": f"{n}@example.org", "city": f"c{n % 3}", "age": n, "seen": LATER, "note": "wort",
         "more": {"left": n, "right": [number, None]}, "place": {"type": "Point", "coordinates": [n, 1.5]}}
        for n in range(8)
    ]  # fmt: skip


def make_mongodb(url: str, database: str) -> None:
    """Forty collections of every kind; `users` and `orders` are among them."""
    with MongoClient[Any](url) as client:
        db = client[database]
        for at, name in enumerate(["users", "orders", *(f"other{n:02}" for n in range(COLLECTIONS - 2))]):
            options = OPTIONS[at % len(OPTIONS)] if at > 1 else {}
            db.command("create", name, **options)
            if "viewOn" in options:
                continue
            db[name].insert_many(documents(at))
            if "timeseries" in options:
                db[name].create_index([("city", 1), ("n", -1)])
                continue
            for keys, more in INDEXES if at < 2 else INDEXES[at % 7 : at % 7 + 4]:
                is_rejected = ("collation" in options and "text" in str(keys)) or (
                    "capped" in options and "seen" in keys
                )
                if not is_rejected:
                    db[name].create_index(keys, **more)
        db.command("collMod", "users", validator={"n": {"$gte": 0}}, validationLevel="moderate")


def mongodb(url: str, database: str) -> dict[str, Any]:
    """Definitions and documents of each collection, those of keywright's history left out."""
    result: dict[str, Any] = {}
    with MongoClient[Any](url, document_class=RawBSONDocument) as client:
        db = client[database]
        for collection in db.list_collections():
            name = collection["name"]
            if name.startswith(("system.", "_kw_")):
                continue
            is_view = collection["type"] == "view"
            indexes = {} if is_view else {index["name"]: encode(index) for index in db[name].list_indexes()}
            result[name] = encode(collection), indexes, [each.raw for each in db[name].find()]
    return result


def make_dynamodb(client: Any, prefix: str) -> None:
    """Ten tables with indexes of both kinds, expiries, streams and provisioned capacity; `shop` is the first."""
    for at in range(TABLES):
        name = f"{prefix}{'shop' if at == 0 else f'other-{at}'}"
        units = {"ReadCapacityUnits": 5, "WriteCapacityUnits": 4}
        billing: dict[str, Any] = {"BillingMode": "PROVISIONED", "ProvisionedThroughput": units}
        index = {
            "IndexName": "of_others", "KeySchema": [{"AttributeName": "city", "KeyType": "HASH"}],
            "Projection": {"ProjectionType": "ALL"},
        }  # fmt: skip
        local = {**index, "IndexName": "local_of_others"}
        local["KeySchema"] = [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "city", "KeyType": "RANGE"}]
        is_billed = at % 2 == 0
        client.create_table(
            TableName=name,
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
            AttributeDefinitions=[{"AttributeName": entry, "AttributeType": "S"} for entry in ("pk", "sk", "city")],
            GlobalSecondaryIndexes=[{**index, **({"ProvisionedThroughput": units} if is_billed else {})}],
            LocalSecondaryIndexes=[local],
            StreamSpecification={"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"},
            **(billing if is_billed else {"BillingMode": "PAY_PER_REQUEST"}),
        )
        if at % 3 == 0:
            spec = {"Enabled": True, "AttributeName": "gone"}
            client.update_time_to_live(TableName=name, TimeToLiveSpecification=spec)
        for n in range(6):
            item = {"pk": {"S": f"ORDER#{n}"}, "sk": {"S": "ORDER"}, "city": {"S": "Ulm"}, "extra": {"N": "1.50"},
                    "gone": {"N": str(int(LATER.timestamp()))}, "order_id": {"S": str(n)}}  # fmt: skip
            client.put_item(TableName=name, Item=item)


def dynamodb(client: Any, prefix: str) -> dict[str, Any]:
    """Definitions and items of each table."""
    result: dict[str, Any] = {}
    for name in client.list_tables()["TableNames"]:
        if not name.startswith(prefix) or name.endswith("kw-history"):
            continue
        table = client.describe_table(TableName=name)["Table"]
        indexes = {entry["IndexName"]: _without_counts(entry) for entry in table.pop("GlobalSecondaryIndexes", [])}
        ttl = client.describe_time_to_live(TableName=name)["TimeToLiveDescription"]
        items = client.scan(TableName=name)["Items"]
        result[name.removeprefix(prefix)] = (_without_counts(table), indexes, ttl, sorted(map(json.dumps, items)))
    return result


def _without_counts(told: dict[str, Any]) -> dict[str, Any]:
    """Without sizes, and without the names of attributes that some index needs."""
    left = {"ItemCount", "TableSizeBytes", "IndexSizeBytes", "AttributeDefinitions"}
    return {
        key: [_without_counts(entry) for entry in value] if key == "LocalSecondaryIndexes" else value
        for key, value in told.items()
        if key not in left
    }


def make_cassandra(session: Session, keyspace: str) -> None:
    """Twenty tables with types, indexes, static columns and options; `orders` and `users` are among them."""
    replication = "{'class': 'SimpleStrategy', 'replication_factor': 1}"
    session.execute(f"CREATE KEYSPACE {keyspace} WITH replication = {replication} AND durable_writes = false")
    session.execute(f"CREATE TYPE {keyspace}.place (street text, city text)")
    for at in range(CQL_TABLES):
        name = ("orders", "users")[at] if at < 2 else f"other{at:02}"
        ttl, grace = (86_400_000 if at % 2 else 0), 864_000 if at % 3 else 3_600
        session.execute(
            f"CREATE TABLE {keyspace}.{name} (id text, at bigint, day text, extra set<text>, whole text STATIC,"
            " home frozen<place>, PRIMARY KEY (id, at)) WITH CLUSTERING ORDER BY (at DESC)"
            f" AND default_time_to_live = {ttl} AND gc_grace_seconds = {grace} AND comment = 'of others'"
        )
        session.execute(f"CREATE INDEX of_others_{at} ON {keyspace}.{name} (day)")
        for n in range(4):
            session.execute(
                f"INSERT INTO {keyspace}.{name} (id, at, day, extra, whole, home)"
                f" VALUES ('{n}', {n}, 'd{n}', {{'a', 'b'}}, 'w', {{street: 's', city: 'c'}})"
            )


def cassandra(session: Session, keyspace: str) -> dict[str, Any]:
    """Definitions and rows, with the times at which they were written."""
    result: dict[str, Any] = {}
    for schema in ("keyspaces", "tables", "types", "indexes", "columns"):
        rows = session.execute(f"SELECT * FROM system_schema.{schema} WHERE keyspace_name = '{keyspace}'")
        for row in rows:
            output = {name: repr(value) for name, value in row._asdict().items() if name not in WRITTEN_OUT}
            name = output.get("column_name") or output.get("index_name") or ""
            what = f"{schema} {output.get('table_name', output.get('type_name'))} {name}"
            result |= {what: "there"} | {f"{what}: {column}": value for column, value in output.items()}
    tables = session.execute(f"SELECT table_name FROM system_schema.tables WHERE keyspace_name = '{keyspace}'")
    for (name,) in list(tables):
        rows = session.execute(f"SELECT id, at, day, extra, whole, home, writetime(day) FROM {keyspace}.{name}")
        result[f"rows {name}"] = sorted(map(repr, rows))
    return result


def make_redis(client: "Redis[Any]") -> None:
    """A thousand keys of every type, and settings of somebody's."""
    pipeline: Any = client.pipeline()
    for n in range(KEYS):
        key = f"other:{n}"
        match n % 8:
            case 0:
                pipeline.set(key, f"v{n}", ex=timedelta(days=900))
            case 1:
                pipeline.hset(key, mapping={"a": n, "b": "x"})
            case 2:
                pipeline.rpush(key, *range(5))
            case 3:
                pipeline.sadd(key, "a", "b", n)
            case 4:
                pipeline.zadd(key, {"a": 1.5, "b": n})
            case 5:
                pipeline.xadd(key, {"n": n})
                pipeline.xgroup_create(key, "of_others")
            case 6:
                pipeline.hset(f"cart:{n}", mapping={"cart_id": n, "extra": "kept"})
            case _:
                pipeline.pfadd(key, "a", n)
    pipeline.execute()
    client.config_set("maxmemory-policy", "allkeys-lfu")
    client.config_set("hash-max-listpack-entries", "64")


def redis(client: "Redis[Any]") -> dict[str, Any]:
    """Every key as it would be moved to another server, with its expiry; and every setting."""
    result: dict[str, Any] = {"settings": client.config_get("*")}
    for key in client.scan_iter(count=1000):
        if not key.startswith(b"kw"):
            result[repr(key)] = client.dump(key), client.execute_command("PEXPIRETIME", key)
    return result
