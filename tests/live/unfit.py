"""Stores whose items were written by others: some are not what their model takes, some have more than it knows."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from tests.projects import with_imports

from keywright.drivers.cassandra import driver as cassandra
from keywright.drivers.dynamodb import driver as dynamodb
from keywright.drivers.mongodb import driver as mongodb
from keywright.drivers.redis import driver as redis
from keywright.record import Record

PARTS = {
    "mongodb": 'mongodb: {{flavour: mongodb, version: "6.0", database-prefix: "{prefix}"}}',
    "dynamodb": 'dynamodb: {{flavour: dynamodb-local, name-prefix: "{prefix}"}}',
    "cassandra": 'cassandra: {{flavour: cassandra, keyspace-prefix: "{prefix}", datacentres: {{datacenter1: 1}}}}',
    "redis": "redis: {{flavour: valkey}}",
}
STACK = "config:\n  keywright:environment:\n    mode: dev\n    {part}\n"

MODELS = """
    place = PLACE

    class Part(BaseModel):
        name: Annotated[str, Field(max_length=5)]

    class Thing(BaseModel):
        __store__: ClassVar = THING
        group: Annotated[str, Field(pattern="^[a-z]+$")]
        thing_id: Annotated[str, Field(pattern="^[a-z0-9-]+$")]
        state: Literal["new", "done"]
        age: Annotated[int, Field(ge=0)]
        tags: Annotated[list[str], Field(max_length=2)] = []
        part: Part | None = None

    class Person(BaseModel):
        __store__: ClassVar = PERSON
        email: Annotated[str, Field(pattern="^[a-z@.]+$"), kw.Pii()]
        age: Annotated[int, Field(ge=0)]

    thing = kw.Get(Thing, eq=["group", "thing_id"], rate="1/s")
    person = kw.Get(Person, eq="email", rate="1/s")
"""
PAGES = '    things = kw.Read(Thing, eq="group", order="thing_id", limit=20, rate="1/s")\n'
QUEUE = """
    group = kw.ConsumerGroup("workers", idempotency="name", claim_after=timedelta(minutes=5))

    class Job(BaseModel):
        __store__: ClassVar = kw.RedisStream(place, key="jobs", keep=100, groups=[group])
        name: str
        age: Annotated[int, Field(ge=0)]

    jobs = kw.Take(Job, group=group, limit=10, rate="1/s")
"""
STORES = {
    "mongodb": (
        'kw.MongoDatabase("unfit")',
        'kw.Collection(place, "things", id="{group}/{thing_id}", indexes=[kw.Index(["group", "thing_id"])])',
        'kw.Collection(place, "people", id="{email}")',
    ),
    "dynamodb": (
        'kw.DynamoTable("unfit")',
        'kw.Item(place, pk="GROUP#{group}", sk="THING#{thing_id}")',
        'kw.Item(place, pk="PERSON#{email}", sk="PERSON")',
    ),
    "cassandra": (
        'kw.Keyspace("unfit")',
        'kw.CqlTable(place, "things", partition="group", clustering="thing_id")',
        'kw.CqlTable(place, "people", partition="email")',
    ),
    "redis": (
        'kw.RedisServer("unfit", role="primary")',
        'kw.RedisHash(place, key="thing:{group}:{thing_id}", keep_forever="all of them")',
        'kw.RedisHash(place, key="person:{email}", keep_forever="all of them")',
    ),
}


def models(engine: str) -> str:
    """The model file of an engine."""
    place, thing, person = STORES[engine]
    text = MODELS.replace("PLACE", place).replace("THING", thing).replace("PERSON", person)
    return with_imports(text + (QUEUE if engine == "redis" else PAGES))


GOOD: dict[str, Any] = {"state": "new", "age": 1, "tags": ["a"], "part": {"name": "p"}}
THINGS: dict[str, dict[str, Any]] = {
    "good": {},
    "longer": {"tags": ["a", "b", "c"]},
    "negative": {"age": -7},
    "stateless": {"state": "s3cret-state"},
    "textual": {"age": "s3cret-age"},
    "inner": {"part": {"name": "s3cret-name"}},
    "older": {"legacy": "s3cret-legacy"},
    "oldest": {"legacy": "s3cret-legacy", "part": {"name": "p", "former": "s3cret-former"}},
}
"""What is stored of each thing, beside what a good one has; Cassandra refuses what is of no column and no type."""

Put = Callable[[str, dict[str, Any], dict[str, Any]], None]
"""(table, key, values): write one as others do."""


class Unfit(Record):
    """A store and its plain client."""

    client: Any
    """What `runtime.open` takes."""
    put: Put
    """Write one item."""
    everything: Callable[[], Any]
    """All that is stored, to be compared."""

    def fill(self, things: dict[str, dict[str, Any]]) -> None:
        """Store things, and a person whose age is wrong."""
        for name, more in things.items():
            self.put("things", {"group": "g", "thing_id": name}, {**GOOD, **more})
        self.put("people", {"email": "jane@example.org"}, {"age": -1})


@contextmanager
def in_mongodb(url: str, prefix: str) -> Iterator[Unfit]:
    with mongodb.client(url) as client:
        base = client[f"{prefix}unfit"]

        def put(table: str, key: dict[str, Any], values: dict[str, Any]) -> None:
            id = "/".join(key.values())
            own = key if table == "things" else {}
            base[table].insert_one({"_id": id, **own, **values}, bypass_document_validation=True)

        def everything() -> Any:
            return base.command("dbHash")["md5"]

        yield Unfit(client, put, everything)
        client.drop_database(base.name)


def native(value: Any) -> Any:
    match value:
        case dict():
            return {"M": {name: native(inner) for name, inner in value.items()}}
        case list():
            return {"L": [native(inner) for inner in value]}
        case int():
            return {"N": str(value)}
        case _:
            return {"S": value}


@contextmanager
def in_dynamodb(url: str, prefix: str) -> Iterator[Unfit]:
    client: Any = dynamodb.client(url)
    table = f"{prefix}unfit"

    def put(kind: str, key: dict[str, Any], values: dict[str, Any]) -> None:
        if kind == "things":
            keys = {"pk": f"GROUP#{key['group']}", "sk": f"THING#{key['thing_id']}", "entity_type": "Thing"}
        else:
            keys = {"pk": f"PERSON#{key['email']}", "sk": "PERSON", "entity_type": "Person"}
        item = {name: native(value) for name, value in {**keys, **key, **values}.items()}
        client.put_item(TableName=table, Item=item)

    yield Unfit(client, put, lambda: client.scan(TableName=table)["Items"])
    client.close()


@contextmanager
def in_cassandra(url: str, prefix: str) -> Iterator[Unfit]:
    session = cassandra.client(url)
    keyspace = f"{prefix}unfit"

    def put(table: str, key: dict[str, Any], values: dict[str, Any]) -> None:
        values = {**key, **values}
        if values.get("part"):
            values["part"] = (values["part"]["name"],)
        names, marks = ", ".join(f'"{name}"' for name in values), ", ".join("?" for _ in values)
        statement = session.prepare(f"INSERT INTO {keyspace}.{table} ({names}) VALUES ({marks})")
        session.execute(statement, tuple(values.values()))

    def everything() -> Any:
        return [
            sorted(map(repr, session.execute(f"SELECT * FROM {keyspace}.{entry}"))) for entry in ("things", "people")
        ]

    yield Unfit(session, put, everything)
    session.execute(f"DROP KEYSPACE IF EXISTS {keyspace}")
    session.cluster.shutdown()


@contextmanager
def in_redis(url: str, prefix: str) -> Iterator[Unfit]:
    client = redis.client(url)

    def put(table: str, key: dict[str, Any], values: dict[str, Any]) -> None:
        name = f"thing:{key['group']}:{key['thing_id']}" if table == "things" else f"person:{key['email']}"
        written = {k: json.dumps(v) if isinstance(v, (dict, list)) else str(v) for k, v in values.items()}
        client.hset(name, mapping=written)

    def everything() -> Any:
        return {key: (client.dump(key), client.object("encoding", key)) for key in client.scan_iter()}

    yield Unfit(client, put, everything)
    client.flushall()
    client.close()


STORED = {"mongodb": in_mongodb, "dynamodb": in_dynamodb, "cassandra": in_cassandra, "redis": in_redis}
"""The stores of each engine, by its address and how its names begin."""
