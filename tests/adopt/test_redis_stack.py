"""Documents of Redis Stack that plain clients wrote, adopted: models, the empty first migration, and proofs."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from keywright.local import Running

pytestmark = pytest.mark.live


@pytest.fixture
def url(start: Callable[..., Running]) -> Iterator[str]:
    running = start("redis", "adopted", product="redis-stack")
    client: Redis[Any] = Redis.from_url(running.url)
    client.flushall()
    write(client)
    yield running.url
    client.flushall()
    client.close()


def write(client: "Redis[Any]") -> None:
    """Families of documents, one of which has names that are data, and one of which holds lists."""
    pipeline: Any = client.pipeline(transaction=False)
    for number in range(40):
        product = {"title": f"Product {number}", "price": 12.5 + number, "tags": ["a", "b"],
                   "status": ("new", "sold")[number % 2], "stock": {"shelf": number, "room": "b"},
                   "seen": "2026-01-01T00:00:00.000000Z", "note": None if number % 2 else "n"}  # fmt: skip
        pipeline.execute_command("JSON.SET", f"product:{number}", "$", json.dumps(product))
        names = {f"u{number}x{at}": at for at in range(6)}
        pipeline.execute_command("JSON.SET", f"likes:{number}", "$", json.dumps(names))
        pipeline.execute_command("JSON.SET", f"recent:{number}", "$", json.dumps([number]))
        pipeline.execute_command("JSON.SET", f"visit:{number}", "$", json.dumps({"user_id": number, "count": 3}))
        pipeline.expire(f"visit:{number}", 3600)
    pipeline.execute()


def keywright(folder: Path, address: str, *words: str) -> str:
    environment = {**os.environ, "KEYWRIGHT_STORE_REDIS": address, "NO_COLOR": "1"}
    command = [sys.executable, "-m", "keywright", *words]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_documents_are_adopted_and_the_first_migration_is_empty(url: str, tmp_path: Path) -> None:
    keywright(tmp_path, url, "adopt", url)
    text = (tmp_path / "models" / "redis.py").read_text()
    assert 'kw.RedisJson(redis, key="product:{product_id}")' in text
    assert 'redis, key="visit:{user_id}", ttl=timedelta(hours=1)' in text
    assert "    stock: Stock\n" in text
    assert "their documents are no JSON objects" in text
    assert "the names of their fields are data, and a RedisJson has declared fields" in text
    assert "flavour: redis-stack" in (tmp_path / "stacks" / "Pulumi.dev.yaml").read_text()
    keywright(tmp_path, url, "compile")
    keywright(tmp_path, url, "--env", "dev", "migrate", "baseline", "--from", "live")
    assert "no difference" in keywright(tmp_path, url, "migrate", "diff", "-m", "next")
    assert "every store matches" in keywright(tmp_path, url, "--env", "dev", "drift")
    assert "0 new entities" in keywright(tmp_path, url, "adopt", url)
    live = keywright(tmp_path, url, "--env", "dev", "check", "--live", "--format", "json")
    assert "GEN019" not in {finding["code"] for finding in json.loads(live)["findings"]}


def test_the_proposed_patterns_are_served_and_proved(url: str, tmp_path: Path) -> None:
    client: Redis[Any] = Redis.from_url(url)
    client.config_resetstat()
    client.execute_command("JSON.GET", "product:1")
    keywright(tmp_path, url, "adopt", url)
    text = (tmp_path / "models" / "redis.py").read_text()
    assert 'product_by_id = kw.Get(Product, eq="product_id")  # all JSON documents: 1 JSON.GET' in text
    assert "2 of 2 patterns proved" in keywright(tmp_path, url, "prove", "--endpoint", f"redis={url}", "--load")
    client.close()


INDEXES = (
    ("FT.CREATE", "idx:goods", "ON", "JSON", "PREFIX", 1, "goods:", "SCHEMA", "$.title", "AS", "title", "TEXT",
     "WEIGHT", 2, "$.status", "AS", "status", "TAG", "CASESENSITIVE", "$.tags[*]", "AS", "tags", "TAG", "$.price", "AS",
     "cost", "NUMERIC", "SORTABLE", "$.maker.country", "AS", "country", "TAG", "CASESENSITIVE", "$.embedding", "AS",
     "embedding", "VECTOR", "HNSW", 6, "TYPE", "FLOAT32", "DIM", 3, "DISTANCE_METRIC", "COSINE"),
    ("FT.CREATE", "idx:people", "ON", "HASH", "PREFIX", 1, "person:", "STOPWORDS", 0, "SCHEMA", "town", "TAG",
     "CASESENSITIVE", "SORTABLE", "share", "NUMERIC", "motto", "TEXT", "NOSTEM"),
    ("FT.CREATE", "idx:all", "ON", "HASH", "PREFIX", 2, "a:", "b:", "SCHEMA", "town", "TAG"),
    ("FT.CREATE", "idx:empty", "ON", "JSON", "PREFIX", 1, "goods:", "SCHEMA", "$.status", "AS", "s", "TAG",
     "INDEXEMPTY"),
)  # fmt: skip


def test_indexes_of_search_are_adopted_with_their_entities(url: str, tmp_path: Path) -> None:
    client: Redis[Any] = Redis.from_url(url)
    client.flushall()
    for number in range(40):
        goods = {"title": f"Shirt {number}", "status": ("new", "sold")[number % 2], "tags": ["a"],
                 "price": number + 0.5, "maker": {"country": "ch"}, "embedding": [1, number, 0.5]}  # fmt: skip
        client.execute_command("JSON.SET", f"goods:{number}", "$", json.dumps(goods))
        client.hset(f"person:{number}", mapping={"town": "Bern", "share": f"{number}.5", "motto": "be kind"})
    for words in INDEXES:
        client.execute_command(*words)
    client.config_resetstat()
    client.execute_command("FT.SEARCH", "idx:people", "*", "LIMIT", 0, 1)
    keywright(tmp_path, url, "adopt", url)
    text = (tmp_path / "models" / "redis.py").read_text()
    assert "embedding: Annotated[list[float], kw.Vector(3)]" in text
    assert '"idx:goods"' in text
    assert "alias=False" in text
    assert "not expressed: indexes/idx:all: its prefixes are not the beginning of one entity's keys" in text
    assert 'not expressed: indexes/idx:empty: "s" has INDEXEMPTY' in text
    assert "# all indexes: 1 FT.SEARCH" in text
    keywright(tmp_path, url, "compile")
    keywright(tmp_path, url, "--env", "dev", "migrate", "baseline", "--from", "live")
    assert "no difference" in keywright(tmp_path, url, "migrate", "diff", "-m", "next")
    assert "every store matches" in keywright(tmp_path, url, "--env", "dev", "drift")
    client.flushall()
    proofs = keywright(tmp_path, url, "prove", "--endpoint", f"redis={url}", "--load")
    assert "patterns proved" in proofs
    client.close()


MODELS = """
from typing import ClassVar, Literal

from pydantic import BaseModel

import keywright as kw

shop = kw.RedisServer("redis", role="primary", persistence=[])


class Thing(BaseModel):
    __store__: ClassVar = kw.RedisJson(shop, key="thing:{sku}", INDEXES)

    sku: str
    status: Literal["new", "sold"] = "new"
    price: float = 0.0


thing = kw.Get(Thing)
PATTERNS
"""
FIRST = 'indexes=[kw.SearchIndex("things", [kw.SearchField("status", "tag")])]'
SECOND = FIRST.replace('"tag")', '"tag"), kw.SearchField("price", "numeric", sortable=True)')
STATUS = 'by_status = kw.Read(Thing, eq="status", limit=5)'
PRICE = f'{STATUS}\nby_price = kw.Read(Thing, range="price", order="price", limit=5)'


def test_an_index_is_added_changed_and_dropped_by_migrations(url: str, tmp_path: Path) -> None:
    client: Redis[Any] = Redis.from_url(url, decode_responses=True)
    client.flushall()
    keywright(tmp_path, url, "adopt", url)
    model = tmp_path / "models" / "redis.py"
    for at, (indexes, patterns) in enumerate((("", ""), (FIRST, STATUS), (SECOND, PRICE), ("", ""))):
        model.write_text(MODELS.replace(", INDEXES", f", {indexes}" if indexes else "").replace("PATTERNS", patterns))
        keywright(tmp_path, url, "migrate", "diff", "-m", f"step {at}")
        gate = ("--ack", "0004/10", "--note", "nobody searches") if at == 3 else ()  # calls could need the index
        plan = keywright(tmp_path, url, "--env", "dev", "migrate", "apply", *gate)
        assert "every store matches" in keywright(tmp_path, url, "--env", "dev", "drift"), plan
        names = client.execute_command("FT._LIST")
        assert len(names) == bool(indexes)
        assert all(name.startswith("things:") for name in names)
    client.close()
