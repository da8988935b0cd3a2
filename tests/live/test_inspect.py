"""What a live store holds, written as a snapshot and as scripts, one project and server for each engine."""

import json
import os
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from tests.live.daily import Daily, books
from tests.projects import with_imports

from keywright.local import Running
from keywright.migrations import snapshot

pytestmark = pytest.mark.live

NUMBERS = count()
Start = Callable[..., Running]


def stack(part: str) -> str:
    return f"config:\n  keywright:environment:\n    mode: dev\n    {part}\n"


STACKS = {
    "dynamodb": stack('dynamodb: {{flavour: dynamodb-local, name-prefix: "{prefix}", protect: false}}'),
    "mongodb": stack('mongodb: {{flavour: mongodb, version: "6.0", database-prefix: "{prefix}"}}'),
    "cassandra": stack(
        'cassandra: {{flavour: cassandra, keyspace-prefix: "{prefix}", datacentres: {{datacenter1: 1}}}}'
    ),
    "redis": stack("redis: {{flavour: redis}}"),
}
MODELS = {
    "dynamodb": """
        shop = kw.DynamoTable("shop", gsis=[kw.Gsi("by_day", pk="day", project="keys")])

        class Order(BaseModel):
            __store__: ClassVar = kw.Item(shop, pk="ORDER#{order_id}", sk="ORDER")
            order_id: str
            day: str | None = None
    """,
    "cassandra": """
        shop = kw.Keyspace("shop")

        class Order(BaseModel):
            __store__: ClassVar = kw.CqlTable(shop, "orders", partition="order_id")
            order_id: str
            day: str | None = None
    """,
    "redis": """
        carts = kw.RedisServer("carts", role="primary", eviction="noeviction")

        class Cart(BaseModel):
            __store__: ClassVar = kw.RedisHash(carts, key="cart:{cart_id}")
            cart_id: str
    """,
}
FILES = {
    "dynamodb": ("dynamodb/shop/create-table.json", '"IndexName": "by_day"'),
    "mongodb": ("mongodb/daily/commands.js", 'createIndexes: "books"'),
    "cassandra": ("cassandra/shop/statements.cql", "CREATE TABLE"),
    "redis": ("redis/carts/commands.redis", "CONFIG SET maxmemory-policy noeviction"),
}


def project(engine: str, root: Path, start: Start, monkeypatch: pytest.MonkeyPatch) -> Daily:
    """A project on a server, to which nothing is applied yet."""
    server = start(engine, "carts" if engine == "redis" else "")
    url = server.url
    if engine == "dynamodb":  # tables of its own
        url = url.replace("://", f"://inspect{os.getpid()}x{next(NUMBERS)}@")
    monkeypatch.setenv(f"KEYWRIGHT_{engine.upper()}_URL", url)
    monkeypatch.setenv(f"KEYWRIGHT_STORE_{engine.upper()}", url)
    models = books("title") if engine == "mongodb" else with_imports(MODELS[engine])
    return Daily(root, models, stack=STACKS[engine])


@pytest.mark.parametrize("engine", STACKS)
def test_what_is_there_is_what_the_version_says(
    engine: str, tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    daily = project(engine, tmp_path / "project", start, monkeypatch)
    assert daily("diff", "-m", "first").code == 0
    said = daily("apply", "--local")
    assert said.code == 0, said
    stores = snapshot.load(daily("snapshot", "0001").out).stores
    for reach in (["inspect", "--local"], ["--env", "dev", "inspect"]):
        said = daily.keywright(*reach, "-o", "live.json")
        assert (said.code, said.out) == (0, "wrote live.json: 1 file of 1 object\n"), said
        result = snapshot.load((daily.root / "live.json").read_text()).stores
        assert natives(result) == natives(stores)
        assert daily.keywright(*reach, "-o", "live", "--as", "rendered").code == 0
        path, text = FILES[engine]
        assert text in (daily.root / "live" / path).read_text()
        assert sum(entry.is_file() for entry in (daily.root / "live").rglob("*")) == 1
    document = json.loads(daily.keywright("--env", "dev", "inspect", "--format", "json").out)
    assert [target["name"].removeprefix(daily.prefix) for target in document["targets"]] == [
        *stores[document["targets"][0]["store"]]
    ]


def natives(stores: Any) -> Any:
    return {store: {key: target["native"] for key, target in targets.items()} for store, targets in stores.items()}


def test_without_a_version_the_models_say_what_is_asked_for_and_nothing_need_be_there(
    tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    daily = project("dynamodb", tmp_path / "project", start, monkeypatch)
    said = daily.keywright("--env", "dev", "inspect")
    assert (said.code, said.out) == (0, "no objects\n")
    assert daily.keywright("--env", "dev", "inspect", "-o", "live.json").code == 0
    assert snapshot.load((daily.root / "live.json").read_text()) == snapshot.EMPTY
    assert daily.keywright("--env", "dev", "inspect", "-o", ".").code == 2
