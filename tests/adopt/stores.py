"""Stores as plain clients make them: 50 collections with 150 indexes, 12 DynamoDB tables, 30 CQL tables."""

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from bson import Decimal128, Int64, ObjectId, Regex
from bson.binary import Binary, UuidRepresentation
from tests.live.adopted import INDEXES, OPTIONS, documents

from keywright.engines.cassandra.adopt.cql_tokens import statements

FIRST = datetime(2026, 1, 1, tzinfo=UTC)
CQL = (Path(__file__).parent / "kinds.cql").read_text()

FILTERS: tuple[dict[str, Any], ...] = (
    {"big": {"$gt": 3}}, {"big": {"$lte": 3}}, {"big": {"$gte": 1, "$lt": 9}}, {"status": {"$eq": "new"}},
    {"status": {"$in": ["new", "paid"]}}, {"coupon": {"$exists": 1}}, {"mixed": {"$type": "string"}},
    {"mixed": {"$type": ["int", "string", 18]}}, {"mixed": {"$type": 16}}, {"address.city": {"$gt": "a"}},
    {"$and": [{"big": {"$gt": 1}}, {"status": "new"}]}, {"$and": [{"big": {"$gt": 1}}, {"big": {"$lt": 7}}]},
    {"$or": [{"big": 1}, {"status": "paid", "big": {"$gt": 3}}]}, {"class": "a", "$or": [{"big": 1}, {"big": 2}]},
    {"$and": [{"$or": [{"big": 5}, {"status": "paid"}]}, {"class": "a"}]}, {"note": None}, {"total": {"$lt": 0.5}},
    {"placedAt": {"$gt": FIRST, "$type": "date"}}, {"lines.sku": {"$in": ["s1", "s2"]}},
    {"$and": [{"big": {"$gt": 1}}, {"big": {"$gt": 3}}]}, {"customer_id": {"$exists": True, "$type": "objectId"}},
)  # fmt: skip
"""A filter with each operator, and their combinations."""


EXPIRING: tuple[tuple[Any, dict[str, Any]], ...] = (
    ([("placedAt", 1)], {"name": "new", "expireAfterSeconds": 10**9, "partialFilterExpression": {"status": "new"}}),
    ([("placedAt", 1)], {"name": "paid", "expireAfterSeconds": 10**8, "partialFilterExpression": {"status": "paid"}}),
    ([("placedAt", -1)], {"expireAfterSeconds": 10**9, "sparse": True}),
    ([("shipment.at", 1)], {"expireAfterSeconds": 10**9}),
    ([("shipment.tries", 1)], {"name": "first try", "expireAfterSeconds": 10**9, "hidden": True}),
)  # fmt: skip
"""Several expiries of one collection."""

SPECIAL: tuple[tuple[Any, dict[str, Any]], ...] = (
    ([("class", 1), ("big", "hashed"), ("placedAt", -1)], {}),
    ([("big", "hashed"), ("class", 1)], {"name": "spread", "sparse": True}),
    ([("$**", 1)], {"name": "some", "wildcardProjection": {"attrs": 1, "address": {"city": True}}}),
    ([("$**", 1)], {"name": "most", "wildcardProjection": {"lines": 0, "_id": 0, "email": False}}),
    ([("$**", 1)], {"name": "all"}),
)
"""Hashed indexes of several fields, and wildcard indexes with a projection."""


def orders(count: int) -> Iterator[dict[str, Any]]:
    drawn = random.Random(1)
    for number in range(count):
        yield {
            "customer_id": ObjectId(), "status": drawn.choice(["new", "paid", "sent"]), "class": "a",
            "email": f"a{number}@example.org", "placedAt": FIRST + timedelta(minutes=number), "total": drawn.random(),
            "lines": [{"sku": f"s{n}", "qty": n, "price": Decimal128("1.5")} for n in range(drawn.randint(0, 4))],
            "address": {"street": "x", "city": "y"}, "note": "long " * 60 if number % 3 else None,
            "mixed": number if number % 2 else str(number), "big": Int64(number), "parts": [[1, 2], [number]],
            "attrs": {f"k{drawn.randint(0, 500)}": "v"}, "owner": drawn.choice(["ann", "bob"]),
            "shipment": {"at": FIRST + timedelta(minutes=number), "tries": [FIRST]},
            "token": Binary.from_uuid(UUID(int=number), UuidRepresentation.STANDARD),
            **({"coupon": "c"} if number % 10 == 0 else {}),
        }  # fmt: skip


def fill_mongodb(database: Any) -> None:
    """50 collections with 150 indexes of every kind."""
    for number, options in enumerate(OPTIONS):
        database.create_collection(f"option{number}", **options)
    for number in range(30):
        collection = database[f"plain{number}"]
        collection.insert_many(documents(number))
        for offset in (0, 3, 5) if number % 2 else (0, 3, 5, 7):
            keys, options = INDEXES[(number + offset) % len(INDEXES)]
            collection.create_index(keys, **options)
    clustered = {"key": {"_id": 1}, "unique": True}
    database.create_collection("days", clusteredIndex=clustered, expireAfterSeconds=10**9)
    database.days.insert_one({"_id": FIRST, "n": 1})
    database.create_collection("ticks", timeseries={"timeField": "at"}, expireAfterSeconds=10**9)
    database.ticks.insert_many([{"at": FIRST, "n": number} for number in range(9)])
    database.create_collection("levels", timeseries={"timeField": "at", "metaField": "place"})
    database.levels.create_index([("place", 1), ("at", 1)])
    for number in range(12):
        database[f"empty{number}"].create_index([(f"field{number}", 1), ("at", -1)])
    database.empty0.create_index("visit.ended.at", expireAfterSeconds=10**9)
    database.empty0.create_index([("visit.place", "hashed"), ("visit.ended.by", 1)])
    database.orders.insert_many(list(orders(1000)))
    database.orders.create_index("email", unique=True)
    database.orders.create_index([("customer_id", 1), ("placedAt", -1)])
    database.orders.create_index("address.city")
    database.orders.create_index("lines.sku", name="by sku")
    database.orders.create_index("placedAt", expireAfterSeconds=10**9)
    database.orders.create_index("status", partialFilterExpression={"status": "new"})
    database.orders.create_index("total", partialFilterExpression={"total": {"$gte": 5.0}})
    for keys, options in (*EXPIRING, *SPECIAL):
        database.orders.create_index(keys, **options)
    for number, filter in enumerate(FILTERS):
        database.orders.create_index("owner", name=f"owner {number}", partialFilterExpression=filter)
    paid = [{"$match": {"status": "paid", "total": {"$gte": 5.0}}}]
    database.create_collection("paid_orders", viewOn="orders", pipeline=paid)
    database.create_collection("order_statuses", viewOn="orders", pipeline=[{"$project": {"status": 1, "placedAt": 1}}])
    database.sessions.insert_many([{"_id": str(UUID(int=number)), "user": number} for number in range(50)])
    database.pairs.insert_many([{"_id": {"a": 1, "b": number}, "v": Regex("x")} for number in range(5)])


ALL = {"ProjectionType": "ALL"}
Key = tuple[tuple[str, str, str], ...]


def text(value: object) -> dict[str, str]:
    return {"S": str(value)}


def number(value: object) -> dict[str, str]:
    return {"N": str(value)}


def create(client: Any, name: str, key: Key, indexes: dict[str, tuple[Key, Any]] | None = None, **options: Any) -> None:
    """A table; an index whose partition key is that of the table is a local one if it has `local` in its name."""
    parts = {part[0]: part[1] for part in (*key, *(part for index in (indexes or {}).values() for part in index[0]))}
    described = {
        index: {
            "IndexName": index,
            "KeySchema": [{"AttributeName": attribute, "KeyType": role} for attribute, _, role in index_key],
            "Projection": projection,
        }
        for index, (index_key, projection) in (indexes or {}).items()
    }
    kinds = {
        "LocalSecondaryIndexes": [index for name, index in described.items() if "local" in name],
        "GlobalSecondaryIndexes": [index for name, index in described.items() if "local" not in name],
    }
    client.create_table(
        TableName=name,
        BillingMode="PAY_PER_REQUEST",
        KeySchema=[{"AttributeName": attribute, "KeyType": role} for attribute, _, role in key],
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": type} for name, type in parts.items()],
        **{kind: indexes for kind, indexes in kinds.items() if indexes},
        **options,
    )


def fill_single_table(client: Any, name: str) -> None:
    """Five entities, told apart by their keys."""
    create(
        client, name, (("pk", "S", "HASH"), ("sk", "S", "RANGE")),
        {"gsi1": ((("gsi1pk", "S", "HASH"), ("gsi1sk", "S", "RANGE")), ALL)},
    )  # fmt: skip
    items: list[dict[str, Any]] = []
    for user in range(12):
        own = {"pk": text(f"USER#u{user}"), "user_id": text(f"u{user}")}
        email = f"u{user}@example.org"
        items.append(
            own | {"sk": text("PROFILE"), "email": text(email), "gsi1pk": text(f"EMAIL#{email}"),
                   "gsi1sk": text("USER"), "age": number(user), "address": {"M": {"city": text("x")}}}
        )  # fmt: skip
        items.append(own | {"sk": text("SETTINGS"), "theme": text("dark"), "flags": {"SS": ["a", "b"]}})
        for order in range(3):
            at = f"2026-01-{order + 1:02}T00:00:00.000000Z"
            items.append(
                own | {"sk": text(f"ORDER#{at}#o{user}-{order}"), "order_id": text(f"o{user}-{order}"), "at": text(at),
                       "gsi1pk": text(f"ORDER#o{user}-{order}"), "gsi1sk": text("ORDER"), "total": number("1.5")}
            )  # fmt: skip
            items.append(own | {"sk": text(f"VISIT#{order:06}"), "visit": number(order), "note": {"NULL": True}})
    days = [f"2026-01-0{day}" for day in range(1, 5)]
    items += ({"pk": text(f"DAY#{day}"), "sk": text("TOTAL"), "day": text(day), "orders": number(1)} for day in days)
    for item in items:
        client.put_item(TableName=name, Item=item)


def fill_typed_table(client: Any, name: str) -> None:
    """Two entities, told apart by an attribute."""
    create(client, name, (("PK", "S", "HASH"), ("SK", "S", "RANGE")))
    for tenant in range(20):
        own = {"PK": text(f"T#{tenant}"), "tenantId": text(tenant)}
        client.put_item(TableName=name, Item=own | {"SK": text("A"), "type": text("Tenant"), "plan": text("x")})
        project = {"SK": text(f"P#{tenant * 7}"), "type": text("Project"), "projectId": text(tenant * 7)}
        client.put_item(TableName=name, Item=own | project)


def fill_plain_tables(client: Any, prefix: str) -> None:
    """A table with a stream, an expiry and values of several types, and tables without items."""
    stream = {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"}
    create(
        client, f"{prefix}sessions", (("id", "S", "HASH"),),
        {"by_user": ((("userId", "S", "HASH"), ("at", "N", "RANGE")), {"ProjectionType": "KEYS_ONLY"}),
         "by_kind": ((("kind", "S", "HASH"),), {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["userId", "data"]})},
        StreamSpecification=stream,
    )  # fmt: skip
    expiry = {"Enabled": True, "AttributeName": "expires"}
    client.update_time_to_live(TableName=f"{prefix}sessions", TimeToLiveSpecification=expiry)
    for session in range(40):
        flag = {"flag": {"BOOL": True}} if session % 4 == 0 else {}
        client.put_item(
            TableName=f"{prefix}sessions",
            Item={"id": text(session), "userId": text(session % 5), "at": number(session), "kind": text("web"),
                  "data": {"M": {"a": text("x")}}, "expires": number(4_000_000_000 + session), "class": text("c"),
                  "mixed": number(1) if session % 2 else text("one"), **flag},
        )  # fmt: skip
    create(
        client, f"{prefix}empty", (("a", "S", "HASH"), ("b", "B", "RANGE")),
        {"local_c": ((("a", "S", "HASH"), ("c", "N", "RANGE")), ALL)},
    )  # fmt: skip
    for number_ in range(6):
        create(client, f"{prefix}plain{number_}", (("id", "N" if number_ % 2 else "S", "HASH"),))


def fill_dynamodb(client: Any, prefix: str = "") -> None:
    """12 tables, of which three have five entities each."""
    for name in ("app", "shop", "games"):
        fill_single_table(client, prefix + name)
    fill_typed_table(client, f"{prefix}typed")
    fill_plain_tables(client, prefix)


def fill_cassandra(session: Any) -> None:
    """The keyspace `kinds`: 30 tables, types, indexes and views."""
    for statement in statements(CQL):
        session.execute(" ".join(token.text for token in statement.tokens), timeout=60)
