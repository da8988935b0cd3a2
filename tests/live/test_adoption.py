"""A user whose databases were there first: a baseline, one change, and all else is as it was, to the byte."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from tests.live import adopted
from tests.live.daily import Daily
from tests.projects import with_imports

from keywright.drivers.cassandra import driver as cassandra
from keywright.drivers.dynamodb import driver as dynamodb
from keywright.drivers.mongodb import driver as mongodb
from keywright.local import Running

pytestmark = pytest.mark.live

STACK = """\
config:
  keywright:environment:
    mode: dev
    mongodb: {{flavour: mongodb, version: "6.0", database-prefix: "{prefix}"}}
    dynamodb: {{flavour: dynamodb-local, name-prefix: "{prefix}"}}
    cassandra: {{flavour: cassandra, keyspace-prefix: "{prefix}", datacentres: {{datacenter1: 1}}}}
    redis: {{flavour: redis}}
"""
MODELS = """
    first = kw.MongoDatabase("first")

    class User(BaseModel):
        __store__: ClassVar = kw.Collection(
            first, "users", id="{n}", indexes=[kw.Index("email", unique=True), kw.Index(["city", "-age"]), *USERS],
            validation="off"
        )
        n: int
        email: str
        city: str
        age: int
        NEW

    class Purchase(BaseModel):
        __store__: ClassVar = kw.Collection(first, "orders", id="{n}", validation="off")
        n: int
        city: str

    shop = kw.DynamoTable("shop", gsis=[*SHOP])

    class Order(BaseModel):
        __store__: ClassVar = kw.Item(shop, pk="ORDER#{order_id}", sk="ORDER")
        order_id: str
        city: str
        NEW

    keyspace = kw.Keyspace("first")

    class Visit(BaseModel):
        __store__: ClassVar = kw.CqlTable(
            keyspace, "orders", partition="id", clustering="-at", indexes=[kw.CqlIndex("day", using="legacy")]
        )
        id: str
        at: int
        day: str | None = None
        NEW

    carts = kw.RedisServer("first", role="primary")

    class Cart(BaseModel):
        __store__: ClassVar = kw.RedisHash(carts, key="cart:{cart_id}")
        cart_id: str
        NEW
"""


COUNTS = """\
  cassandra/first: managed: 1 column, 1 index, 2 options and 1 table; unmanaged: \
3 columns, 2 options, 19 tables and 1 type
  dynamodb: managed: 1 table; unmanaged: 1 index, 1 local index, 2 options and 9 tables
  mongodb/first: managed: 2 collections and 2 indexes; unmanaged: 38 collections, 20 indexes and 3 options
  redis/first: managed: none; unmanaged: 4 settings and 125 streams
"""


def models(*, is_changed: bool) -> str:
    users, shop = ('kw.Index("age")', 'kw.Gsi("by_city", pk="city", sk="order_id")') if is_changed else ("", "")
    text = MODELS.replace("*USERS", users).replace("*SHOP", shop)
    return with_imports(text.replace("NEW", "added: str | None = None" if is_changed else ""))


class World:
    """Four servers with what was there first, and a project that declares a part of it."""

    def __init__(self, root: Path, urls: dict[str, str]) -> None:
        self.project, self.urls = Daily(root, models(is_changed=False), stack=STACK), urls
        self.name = f"{self.project.prefix}first"
        self.dynamodb = dynamodb.client(urls["dynamodb"])
        self.cassandra = cassandra.client(urls["cassandra"])
        self.redis: Any = Redis.from_url(urls["redis"])
        adopted.make_mongodb(urls["mongodb"], self.name)
        adopted.make_dynamodb(self.dynamodb, self.project.prefix)
        adopted.make_cassandra(self.cassandra, self.name)
        adopted.make_redis(self.redis)

    def everything(self) -> dict[str, dict[str, Any]]:
        """Every definition and every item."""
        return {
            "mongodb": adopted.mongodb(self.urls["mongodb"], self.name),
            "dynamodb": adopted.dynamodb(self.dynamodb, self.project.prefix),
            "cassandra": adopted.cassandra(self.cassandra, self.name),
            "redis": adopted.redis(self.redis),
        }

    def does(self, *arguments: str) -> str:
        """A command that succeeds, and what it says."""
        said = self.project.keywright(*arguments)
        assert said.code == 0, said
        return said.out

    def close(self) -> None:
        self.dynamodb.close()
        self.cassandra.execute(f"DROP KEYSPACE {self.name}")
        self.cassandra.cluster.shutdown()
        self.redis.close()
        with mongodb.client(self.urls["mongodb"]) as client:
            client.drop_database(self.name)


@pytest.fixture
def world(tmp_path: Path, start: Callable[..., Running], monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    urls = {engine: start(engine).url for engine in ("mongodb", "dynamodb", "cassandra")}
    urls["dynamodb"] = urls["dynamodb"].replace("://", f"://first{os.getpid()}@")  # tables of its own
    urls["redis"] = start("redis", "first").url
    for engine, url in urls.items():
        monkeypatch.setenv(f"KEYWRIGHT_{engine.upper()}_URL", url)
    created = World(tmp_path / "project", urls)
    yield created
    created.close()


def test_all_that_no_model_changes_is_as_it_was_to_the_byte(world: World) -> None:
    before = world.everything()
    assert len(before["mongodb"]) == adopted.COLLECTIONS
    assert len(before["dynamodb"]) == adopted.TABLES
    assert sum(name.startswith("rows ") for name in before["cassandra"]) == adopted.CQL_TABLES
    assert len(before["redis"]) == adopted.KEYS + 1
    assert world.does("migrate", "baseline", "--from", "live", "--local").endswith(COUNTS)
    assert world.everything() == before
    assert world.does("migrate", "diff") == "no difference: the last migration matches the models\n"
    world.project.becomes(models(is_changed=True))
    world.does("migrate", "diff", "-m", "added")
    assert world.project("lint").code == 0
    world.project("plan", "--local")
    world.does("migrate", "apply", "--local")
    after = world.everything()
    _, indexes, _ = after["mongodb"]["users"]
    assert indexes.pop("age_1")
    assert after["dynamodb"]["shop"][1].pop("by_city")
    added = [name for name in after["cassandra"] if name.startswith("columns 'orders' 'added'")]
    assert {after["cassandra"].pop(name) for name in added} >= {"there", "'text'"}
    for engine, result in before.items():
        assert {
            name: (result[name], after[engine][name]) for name in result if after[engine][name] != result[name]
        } == {}
        assert after[engine].keys() == result.keys()
    said = world.does("drift", "--local")
    assert said.startswith("every store matches its history\n")
