"""What a plan counts in DynamoDB and Redis before a change meets it, and objects of others that are taken over."""

import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from tests.live.daily import Daily
from tests.live.unfit import PARTS, STACK
from tests.projects import with_imports
from tests.servers import Start

from keywright.drivers.cassandra import driver as cassandra
from keywright.drivers.dynamodb import driver as dynamodb
from keywright.drivers.redis import driver as redis

pytestmark = pytest.mark.live

NUMBERS = count()

DYNAMODB = """
    shop = kw.DynamoTable("shop", gsis=[INDEX])

    class Order(BaseModel):
        __store__: ClassVar = kw.Item(shop, pk="ORDER#{order_id}", sk="ORDER")
        order_id: str
        city: str | None = None
        MORE
"""
REDIS = """
    shop = kw.RedisServer("shop", role="primary")

    class Order(BaseModel):
        __store__: ClassVar = kw.RedisHash(shop, key="order:{order_id}", keep_forever="orders stay")
        order_id: Annotated[str, Field(pattern="^[0-9]+$")]
"""
CART = """
    class Cart(BaseModel):
        __store__: ClassVar = kw.RedisHash(shop, key="cart:{cart_id}", keep_forever="carts stay")
        cart_id: Annotated[str, Field(pattern="^[0-9]+$")]
"""
CASSANDRA = """
    shop = kw.Keyspace("shop")

    class Order(BaseModel):
        __store__: ClassVar = kw.CqlTable(shop, "orders", partition="order_id")
        order_id: str
        city: str | None = None
"""


@pytest.fixture
def project(tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], tuple[Daily, str]]:
    """`project(engine, models)`: one whose first version is applied, and the address of its server."""

    def made(engine: str, models: str) -> tuple[Daily, str]:
        url = start(engine, f"shop{next(NUMBERS)}" if engine == "redis" else "").url  # settings stay with a server
        monkeypatch.setenv(f"KEYWRIGHT_{engine.upper()}_URL", url)
        daily = Daily(tmp_path / "project", with_imports(models), stack=STACK.replace("{part}", PARTS[engine]))
        for words in (("diff", "-m", "first"), ("apply", "--local")):
            said = daily(*words)
            assert said.code == 0, said
        return daily, url

    return made


def test_items_that_an_index_would_leave_out_and_that_would_expire_at_once_are_counted(project: Any) -> None:
    daily, url = project("dynamodb", DYNAMODB.replace("INDEX", "").replace("MORE", ""))
    client, now = dynamodb.client(url), int(time.time())
    expiries = (now - 60, now - 3600, now + 3600, now - 6 * 365 * 86_400)  # the last one is left alone by the service
    for n, gone in enumerate(expiries):
        city = {"N": "7"} if n == 1 else {"S": "Ulm"}
        item = {"pk": {"S": f"ORDER#{n}"}, "sk": {"S": "ORDER"}, "city": city, "gone": {"N": str(gone)}}
        client.put_item(TableName=f"{daily.prefix}shop", Item=item)
    more = "gone: Annotated[AwareDatetime | None, kw.Ttl()] = None"
    daily.becomes(with_imports(DYNAMODB.replace("INDEX", 'kw.Gsi("by_city", pk="city")').replace("MORE", more)))
    said = daily("diff", "-m", "both")
    assert said.code == 0, said
    output = daily("plan", "--local").out
    assert f"{daily.prefix}shop: 1 item would be left out of the index\n" in output
    assert f"{daily.prefix}shop: 2 items would expire at once\n" in output
    client.close()


def test_keys_of_another_type_are_counted(project: Any) -> None:
    daily, url = project("redis", REDIS)
    with redis.client(url) as client:
        try:
            for n in range(3):
                client.rpush(f"cart:{n}", "x")
            client.hset("cart:9", mapping={"a": "b"})
            client.set("other:1", "x")
            daily.becomes(with_imports(REDIS + CART))
            said = daily("diff", "-m", "carts")
            assert said.code == 0, said
            assert "shop: 3 keys are of another type, and calls would fail\n" in daily("plan", "--local").out
        finally:
            client.flushall()


def taken(daily: Daily, *objects: str) -> None:
    """Take objects over, and see that they are managed then."""
    for entry in objects:
        assert f"  {entry}\n" in daily.keywright("drift", "--local").out
    for words in (("take-over", "--local", *objects), ("apply", "--local")):
        said = daily(*words)
        assert said.code == 0, said
    output = daily.keywright("drift", "--local")
    assert output.code == 0, output
    for entry in objects:
        assert f"  {entry}\n" not in output.out


def test_an_index_a_column_and_a_table_of_others_are_taken_over_in_cassandra(project: Any) -> None:
    daily, url = project("cassandra", CASSANDRA)
    session, name = cassandra.client(url), f"{daily.prefix}shop"

    def schema() -> list[str]:
        result: list[str] = []
        for entry in ("tables", "indexes", "columns"):
            rows = session.execute(f"SELECT * FROM system_schema.{entry} WHERE keyspace_name = '{name}'")
            result += map(repr, rows)
        return sorted(result)

    try:
        session.execute(f"ALTER TABLE {name}.orders ADD mood text")
        session.execute(f"CREATE CUSTOM INDEX of_others ON {name}.orders (mood) USING 'StorageAttachedIndex'")
        session.execute(f"CREATE TABLE {name}.basket (id text PRIMARY KEY, n int)")
        session.execute(f"INSERT INTO {name}.basket (id, n) VALUES ('a', 1)")
        before = schema()
        taken(
            daily,
            "cassandra/shop/indexes/of_others",
            "cassandra/shop/tables/basket",
            "cassandra/shop/tables/orders/columns/mood",
        )
        assert schema() == before
        assert session.execute(f"SELECT n FROM {name}.basket WHERE id = 'a'").one().n == 1
    finally:
        session.execute(f"DROP KEYSPACE IF EXISTS {name}")
        session.cluster.shutdown()


def test_a_group_and_a_setting_of_others_are_taken_over_in_redis(project: Any) -> None:
    daily, url = project("redis", REDIS)
    with redis.client(url) as client:
        before: Any = client.config_get("hash-max-listpack-entries")
        try:
            client.xadd("jobs", {"n": "1"})
            client.xgroup_create("jobs", "of_others", "0")
            client.xreadgroup("of_others", "somebody", {"jobs": ">"})
            client.config_set("hash-max-listpack-entries", "64")
            pending = client.xpending("jobs", "of_others")
            taken(daily, "redis/shop/streams/jobs/of_others", "redis/shop/settings/hash-max-listpack-entries")
            assert client.xpending("jobs", "of_others") == pending
            assert client.config_get("hash-max-listpack-entries") == {"hash-max-listpack-entries": "64"}
        finally:
            client.config_set("hash-max-listpack-entries", before["hash-max-listpack-entries"])
            client.flushall()
