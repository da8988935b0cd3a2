"""`apply --local` of models whose keys change: refused while items are under the former ones, in every engine."""

import os
from itertools import count
from pathlib import Path
from typing import Any

import pytest
import redis
from pymongo import MongoClient
from tests.live.daily import Daily
from tests.live.test_inspect import STACKS, Start
from tests.projects import imported_alone, with_imports

from keywright import api

pytestmark = pytest.mark.live

NUMBERS = count()

HEADS = {
    "dynamodb": 'store = kw.DynamoTable("shop")',
    "mongodb": 'store = kw.MongoDatabase("shop")',
    "cassandra": 'store = kw.Keyspace("shop")',
    "redis": 'store = kw.RedisServer("shop", role="primary", eviction="noeviction")',
}
BODY = """
    class Order(BaseModel):
        __store__: ClassVar = {binding}
        order_id: Annotated[str, Field(pattern="^[a-z0-9]{{1,8}}$")]
        at: AwareDatetime
        note: str
"""
OTHER = {
    "dynamodb": """
    class Note(BaseModel):
        __store__: ClassVar = kw.Item(store, pk="NOTE#{order_id}", sk="NOTE")
        order_id: Annotated[str, Field(pattern="^[a-z0-9]{1,8}$")]
""",
    "mongodb": "",
    "cassandra": "",
    "redis": """
    class Note(BaseModel):
        __store__: ClassVar = kw.RedisHash(store, key="note:{order_id}")
        order_id: Annotated[str, Field(pattern="^[a-z0-9]{1,8}$")]
        text: str
""",
}

CASES = [
    ("dynamodb", 'kw.Item(store, pk="ORDER#{order_id}", sk="ORDER")', ("ORDER#", "SALE#"), "shop/Order/pk"),
    ("dynamodb", 'kw.Item(store, pk="ORDER#{order_id}", sk="AT#{at:iso}")', (":iso", ":date"), "shop/Order/sk"),
    ("mongodb", 'kw.Collection(store, "orders", id="o-{order_id}")', ("o-", "order-"), "shop/Order/id"),
    ("cassandra",
     'kw.CqlTable(store, "orders", partition=["order_id", "day"], clustering="at", computed={"day": "{at:date}"})',
     ("{at:date}", "{at:month}"), 'shop/Order/computed["day"]'),
    ("redis", 'kw.RedisHash(store, key="order:{order_id}")', ("order:", "sale:"), "shop/Order/key"),
]  # fmt: skip


def models(engine: str, binding: str) -> str:
    """A model file with an entity in this binding, and another beside it where one table holds several."""
    return with_imports(HEADS[engine], BODY.format(binding=binding), OTHER[engine])


def project(engine: str, binding: str, root: Path, start: Start, monkeypatch: pytest.MonkeyPatch) -> Daily:
    server = start(engine, f"keys{next(NUMBERS)}" if engine == "redis" else "")
    url = server.url
    if engine == "dynamodb":  # tables of its own
        url = url.replace("://", f"://keys{os.getpid()}x{next(NUMBERS)}@")
    monkeypatch.setenv(f"KEYWRIGHT_{engine.upper()}_URL", url)
    return Daily(root, models(engine, binding), stack=STACKS[engine])


def remove_orders(daily: Daily, engine: str) -> int:
    """Remove all orders, as the models have them now; how many there were."""
    with imported_alone(daily.root):
        (target,) = api.compile(api.load(str(daily.root)), "dev").targets
    removed = 0
    with daily.site(target.store) as site:
        pages = site.driver.pages(site.engine.work(target.placed, "Order"))
        for segment in pages.split(1):
            cursor: Any = None
            while True:
                items, cursor = pages.page(segment, cursor, 100)
                removed += len(items)
                for stored_item in items:
                    pages.remove(stored_item.key)
                if cursor is None:
                    break
    return removed


@pytest.mark.parametrize(
    ("engine", "binding", "change", "object"), CASES, ids=[f"{case[0]}-{case[3]}" for case in CASES]
)
def test_a_changed_key_is_refused_while_items_are_under_the_former_one(
    engine: str, binding: str, change: tuple[str, str], object: str, tmp_path: Path, start: Start,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    daily = project(engine, binding, tmp_path / "project", start, monkeypatch)
    before, after = models(engine, binding), models(engine, binding.replace(*change))
    assert before != after
    for empty in (before, after, before):  # without items, keys may change
        daily.becomes(empty)
        said = daily.keywright("apply", "--local")
        assert said.code == 0, said
    assert daily.keywright("sample", "--load", "--local", "--scale", "3").code == 0
    live = daily.keywright("inspect", "--local", "--format", "json").out
    more = after.replace("    note: str\n", "    note: str\n    more: str | None = None\n")
    daily.becomes(more)
    for _ in range(2):
        said = daily.keywright("apply", "--local")
        assert said.code == 2, said
        assert f"{object}: error[RB101]: " in said.err
        assert "contains items of Order under the former key, which would become unreachable" in said.err
        assert "declare generation= and rebuild=Rebuild(from_generation=...)" in said.err
        assert f"`keywright apply --local --allow {object}`" in said.err
    assert daily.keywright("inspect", "--local", "--format", "json").out == live
    daily.becomes(before)
    assert daily.keywright("apply", "--local").code == 0
    assert remove_orders(daily, engine) == 3
    daily.becomes(after)
    for _ in range(2):
        said = daily.keywright("apply", "--local")
        assert said.code == 0, said


def test_items_may_be_left_behind_by_name(tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    binding = 'kw.Item(store, pk="ORDER#{order_id}", sk="ORDER")'
    daily = project("dynamodb", binding, tmp_path / "project", start, monkeypatch)
    assert daily.keywright("apply", "--local").code == 0
    assert daily.keywright("sample", "--load", "--local", "--scale", "3").code == 0
    daily.becomes(models("dynamodb", binding.replace("ORDER#", "SALE#")))
    for other in ("shop/Note", "shop/Orde", "shop/Order/sk", "shop/Order/pk2"):
        assert daily.keywright("apply", "--local", "--allow", other).code == 2
    said = daily.keywright("apply", "--local", "--allow", "shop/Order/pk")
    assert said.code == 0, said
    assert daily.keywright("apply", "--local").code == 0


def test_items_that_were_moved_are_under_no_former_key(
    tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    binding = 'kw.Collection(store, "orders", id="o-{order_id}")'
    daily = project("mongodb", binding, tmp_path / "project", start, monkeypatch)
    assert daily.keywright("apply", "--local").code == 0
    assert daily.keywright("sample", "--load", "--local", "--scale", "3").code == 0
    daily.becomes(models("mongodb", binding.replace("o-", "order-")))
    assert daily.keywright("apply", "--local").code == 2
    with MongoClient[Any](os.environ["KEYWRIGHT_MONGODB_URL"]) as client:
        orders = client[f"{daily.prefix}shop"]["orders"]
        for entry in list(orders.find()):
            orders.insert_one({**entry, "_id": str(entry["_id"]).replace("o-", "order-", 1)})
            orders.delete_one({"_id": entry["_id"]})
    assert daily.keywright("apply", "--local").code == 0


STRUCTURES = """
store = kw.RedisServer("shop", role="primary", eviction="noeviction")
readers = kw.ConsumerGroup("readers", idempotency="text", claim_after=timedelta(minutes=5))

class Call(BaseModel):
    __store__: ClassVar = kw.RedisRateLimit(
        store, key="call:{user:tag}", limit=5, per=timedelta(minutes=1), window="fixed"
    )
    user: str

class Event(BaseModel):
    __store__: ClassVar = kw.RedisStream(store, key="events:all", keep=100, groups=[readers])
    text: str

class Tag(BaseModel):
    __store__: ClassVar = kw.RedisSet(store, key="tags:{user}", member="{tag}")
    user: str
    tag: str

class Online(BaseModel):
    __store__: ClassVar = kw.RedisSortedSet(store, key="online:{room:tag}", member="{user}", score="at")
    room: str
    user: str
    at: AwareDatetime
"""

KEYS = {
    "Call": ("call:", lambda client: client.incr("call:{ann}:29360123")),
    "Event": ("events:", lambda client: client.xadd("events:all", {"text": "x"})),
    "Tag": ("tags:", lambda client: client.sadd("tags:ann", "x")),
    "Online": ("online:", lambda client: client.zadd("online:{hall}", {"ann": 1})),
}  # fmt: skip
"""How the key of an entity begins, and who writes under it."""


@pytest.mark.parametrize("entity", KEYS)
def test_every_structure_of_redis_is_looked_for(
    entity: str, tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    begins, write = KEYS[entity]
    daily = project("redis", "", tmp_path / "project", start, monkeypatch)
    before, after = (with_imports(STRUCTURES.replace(*words)) for words in (("", ""), (f'key="{begins}', 'key="new:')))
    daily.becomes(before)
    assert daily.keywright("apply", "--local").code == 0
    with redis.Redis.from_url(os.environ["KEYWRIGHT_REDIS_URL"]) as client:
        client.set("call:of-nobody", "a key that no entity writes")
        daily.becomes(after)
        said = daily.keywright("apply", "--local")  # a stream without entries is there for its groups
        assert said.code == 0, said
        daily.becomes(before)
        assert daily.keywright("apply", "--local").code == 0
        write(client)
    daily.becomes(after)
    said = daily.keywright("apply", "--local")
    assert said.code == 2, said
    assert f"shop/{entity}/key: error[RB101]: " in said.err


ITEM = 'kw.Item(store, pk="ORDER#{order_id}", sk="ORDER")'
HOMES = [
    ("dynamodb", ITEM, ('DynamoTable("shop"', 'DynamoTable("sales"'), "shop"),
    ("dynamodb", ITEM,
     ('DynamoTable("shop"', 'DynamoTable("shop", generation=2, rebuild=kw.Rebuild(from_generation=1)'), "shop"),
    ("mongodb", 'kw.Collection(store, "orders", id="o-{order_id}")', ('"orders"', '"sales"'), "shop/orders"),
    ("mongodb", 'kw.Collection(store, "orders", id="o-{order_id}")',
     ('"orders"', '"orders", generation=2, rebuild=kw.Rebuild(from_generation=1)'), "shop/orders"),
    ("cassandra", 'kw.CqlTable(store, "orders", partition="order_id", clustering="at")', ('"orders"', '"sales"'),
     "shop/orders"),
]  # fmt: skip
"""An engine, a binding, what becomes of it, and the table or collection that leaves the models."""


@pytest.mark.parametrize(("engine", "binding", "change", "object"), HOMES)
def test_a_table_that_leaves_the_models_with_items_is_refused(
    engine: str, binding: str, change: tuple[str, str], object: str, tmp_path: Path, start: Start,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    daily = project(engine, binding, tmp_path / "project", start, monkeypatch)
    before = models(engine, binding)
    after = before.replace(*change)
    assert before != after
    for empty in (before, after, before):
        daily.becomes(empty)
        said = daily.keywright("apply", "--local")
        assert said.code == 0, said
    is_refused_until_allowed(daily, after, object, "BC101", "is removed from the models, and")


def is_refused_until_allowed(daily: Daily, after: str, object: str, code: str, words: str) -> None:
    assert daily.keywright("sample", "--load", "--local", "--scale", "3").code == 0
    daily.becomes(after)
    for _ in range(2):
        said = daily.keywright("apply", "--local")
        assert said.code == 2, said
        assert f"{object}: error[{code}]: " in said.err
        assert words in said.err
        assert "contains items, which would be dropped or become unreachable" in said.err
    assert daily.keywright("apply", "--local", "--allow", f"{object}x").code == 2
    assert f"`keywright apply --local --allow {object}`" in said.err
    for arguments in (("--allow", object), ()):
        said = daily.keywright("apply", "--local", *arguments)
        assert said.code == 0, said


@pytest.mark.parametrize(("engine", "binding", "head"), [
    ("mongodb", HOMES[2][1], 'MongoDatabase("'), ("cassandra", HOMES[4][1], 'Keyspace("'),
])  # fmt: skip
def test_a_database_with_items_that_gets_another_name_is_refused(
    engine: str, binding: str, head: str, tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    daily = project(engine, binding, tmp_path / "project", start, monkeypatch)
    before = models(engine, binding)
    assert daily.keywright("apply", "--local").code == 0
    after = before.replace(f"{head}shop", f"{head}store")
    assert before != after
    is_refused_until_allowed(daily, after, "shop/orders", "DS102", "is removed from the models; ")


VISITS = """
    class Visit(BaseModel):
        __store__: ClassVar = {binding}
        visit_id: Annotated[str, Field(pattern="^[a-z0-9]{{1,8}}$")]
"""
DROPPED = [
    ("dynamodb", ITEM, 'kw.Item(kw.DynamoTable("visits"), pk="VISIT#{visit_id}", sk="VISIT")', "visits"),
    ("mongodb", HOMES[2][1], 'kw.Collection(store, "visits", id="{visit_id}")', "shop/visits"),
    ("cassandra", HOMES[4][1], 'kw.CqlTable(store, "visits", partition="visit_id")', "shop/visits"),
]
"""An engine, a binding, another beside it, and the table or collection that the other one has for itself."""


@pytest.mark.parametrize(("engine", "binding", "other", "object"), DROPPED)
def test_a_table_that_is_removed_with_items_is_refused(
    engine: str, binding: str, other: str, object: str, tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    daily = project(engine, binding, tmp_path / "project", start, monkeypatch)
    daily.becomes(
        with_imports(HEADS[engine], BODY.format(binding=binding), OTHER[engine], VISITS.format(binding=other))
    )
    said = daily.keywright("apply", "--local")
    assert said.code == 0, said
    is_refused_until_allowed(daily, models(engine, binding), object, "DS102", "is removed from the models; ")
