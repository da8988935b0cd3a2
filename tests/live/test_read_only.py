"""What only looks needs no more than the right to read, on each engine; what is missing is named."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pymongo
import pytest
import redis
from botocore.client import BaseClient
from tests.live.daily import Daily, Said
from tests.projects import with_imports
from tests.servers import Start

from keywright.drivers.cassandra import driver as cassandra
from keywright.local import RECIPES, FoundServer, process
from keywright.local.environment import cache_folder
from keywright.local.ports import free_ports
from keywright.local.start import start as begin
from keywright.record import replace

pytestmark = pytest.mark.live

SECRET = "r3ader-s3cret"

COMMANDS: tuple[tuple[str, ...], ...] = (
    ("migrate", "status"), ("migrate", "plan"), ("drift",), ("inspect",), ("check", "--live"),
)  # fmt: skip

READS = ("Describe", "List", "Get", "BatchGet", "Query", "Scan")
"""What the actions begin with that change nothing."""

STACK = """\
config:
  keywright:environment:
    mode: dev
    {part}
"""

MODELS = {
    "mongodb": """
        daily = kw.MongoDatabase("daily")

        class Book(BaseModel):
            __store__: ClassVar = kw.Collection(daily, "books", id="{isbn}", indexes=[kw.Index("title")])
            isbn: Annotated[str, Field(max_length=13)]
            title: Annotated[str, Field(max_length=80)]

        book = kw.Get(Book, rate="1/s")
        """,
    "cassandra": """
        daily = kw.Keyspace("daily")

        class Book(BaseModel):
            __store__: ClassVar = kw.CqlTable(daily, "books", partition="isbn")
            isbn: str
            title: str

        book = kw.Get(Book, rate="1/s")
        """,
    "redis": """
        daily = kw.RedisServer("daily", role="cache")

        class Book(BaseModel):
            __store__: ClassVar = kw.RedisHash(daily, key="book:{isbn}", kind="cache")
            isbn: Annotated[str, Field(pattern="^[0-9]+$")]
            title: str

        book = kw.Get(Book, rate="1/s")
        """,
    "dynamodb": """
        daily = kw.DynamoTable("daily")

        class Book(BaseModel):
            __store__: ClassVar = kw.Item(daily, pk="BOOK#{isbn}", sk="BOOK")
            isbn: Annotated[str, Field(pattern="^[0-9]+$")]
            title: str

        book = kw.Get(Book, rate="1/s")
        """,
}

PARTS = {
    "mongodb": "mongodb: {{flavour: mongodb, version: '6.0', database-prefix: '{prefix}'}}",
    "cassandra": "cassandra: {{flavour: cassandra, datacentres: {{datacenter1: 1}}, keyspace-prefix: '{prefix}'}}",
    "redis": "redis: {{flavour: valkey, version: '9.1'}}",
    "dynamodb": "dynamodb: {{flavour: dynamodb-local, managed-by: keywright, name-prefix: '{prefix}'}}",
}


@pytest.fixture
def applied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], Daily]:
    """A project of an engine whose first migration was applied by the owner of the server."""

    def made(engine: str, owner: str) -> Daily:
        stack = STACK.replace("{part}", PARTS[engine])
        daily = Daily(tmp_path / "project", with_imports(MODELS[engine]), stack=stack)
        monkeypatch.setenv(f"KEYWRIGHT_STORE_{engine.upper()}", owner)
        for words in (("diff", "-m", "first"), ("apply", "--env", "dev")):
            said = daily(*words)
            assert said.code == 0, said
        return daily

    return made


def looked(daily: Daily) -> dict[str, Said]:
    """What each command said."""
    return {" ".join(words): daily.keywright("--env", "dev", *words) for words in COMMANDS}


@pytest.fixture
def own(start: Start, tmp_path: Path) -> Iterator[Callable[..., str]]:
    """A server of the test's own, by a recipe whose command is changed; its address."""
    pids: list[tuple[int, str]] = []

    def started(engine: str, command: Callable[..., tuple[str, ...]]) -> str:
        recipe = RECIPES[engine]
        if not isinstance(recipe.locate(cache_folder()), FoundServer):
            start(engine)
        server = recipe.locate(cache_folder())
        assert isinstance(server, FoundServer)
        (port,) = free_ports((recipe.ports,))
        changed = replace(
            recipe, command=lambda found_server, data, port: command(recipe.command(found_server, data, port), data)
        )
        record = begin(changed, engine, server, tmp_path / "own", port, threading.Event())
        pids.append((record.pid, record.started_at))
        return recipe.url(port)

    yield started
    for pid, at in pids:
        process.end(pid, at, 0)


def test_mongodb_with_the_role_read(own: Any, applied: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def secured(words: tuple[str, ...], data: Path) -> tuple[str, ...]:
        key = data / "key"
        key.write_text("a" * 64, encoding="utf-8")
        key.chmod(0o600)
        return (*words, "--auth", "--keyFile", str(key))

    url = own("mongodb", secured)
    with pymongo.MongoClient[Any](url) as client:
        client.admin.command("createUser", "owner", pwd=SECRET, roles=["root"])
    owner = url.replace("://", f"://owner:{SECRET}@")
    daily = applied("mongodb", owner)
    with pymongo.MongoClient[Any](owner) as client:
        roles = [{"role": "read", "db": f"{daily.prefix}daily"}]
        client.admin.command("createUser", "reader", pwd=SECRET, roles=roles)
    monkeypatch.setenv("KEYWRIGHT_STORE_MONGODB", url.replace("://", f"://reader:{SECRET}@"))
    said = looked(daily)
    assert {name: entry for name, entry in said.items() if entry.code} == {}
    refused = daily("apply", "--env", "dev")
    assert SECRET not in str(said) + str(refused)


def test_cassandra_with_the_right_to_select(own: Any, applied: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def secured(words: tuple[str, ...], data: Path) -> tuple[str, ...]:
        file = data / "cassandra.yaml"
        text = file.read_text(encoding="utf-8").replace("authorizer: AllowAll", "authorizer: Cassandra")
        file.write_text(text, encoding="utf-8")
        return words

    url = own("cassandra", secured)
    daily = applied("cassandra", url)
    session = cassandra.client(url)
    session.execute(f"CREATE ROLE reader WITH PASSWORD = '{SECRET}' AND LOGIN = true")
    for keyspace in (f"{daily.prefix}daily", f"{daily.prefix}kw_meta"):
        session.execute(f"GRANT SELECT ON KEYSPACE {keyspace} TO reader")
    monkeypatch.setenv("KEYWRIGHT_STORE_CASSANDRA", url.replace("cassandra:cassandra@", f"reader:{SECRET}@"))
    refused = daily.keywright("--env", "dev", "drift")
    assert refused.code == 3
    assert "no SELECT permission on <table system.IndexInfo>" in refused.err  # whether an index has been built
    for keyspace in ("system", "system_views"):  # what is built, which ALL KEYSPACES does not reach
        session.execute(f"GRANT SELECT ON KEYSPACE {keyspace} TO reader")
    session.cluster.shutdown()
    until = time.monotonic() + 30
    while daily.keywright("--env", "dev", "drift").code == 3 and time.monotonic() < until:
        time.sleep(0.2)  # the server remembers for a while what a role may do
    said = looked(daily)
    assert {name: entry for name, entry in said.items() if entry.code} == {}
    assert SECRET not in str(said)


def test_redis_with_the_right_to_read(start: Start, applied: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    url = start("redis", "readonly").url
    daily = applied("redis", url)
    with redis.Redis.from_url(url) as client:
        client.acl_setuser(
            "reader", enabled=True, reset=True, passwords=[f"+{SECRET}"], keys=["*"],
            categories=["+@read", "-@write"], commands=["+info", "+config|get", "+ping"],
        )  # fmt: skip
    monkeypatch.setenv("KEYWRIGHT_STORE_REDIS", url.replace("://", f"://reader:{SECRET}@"))
    said = looked(daily)
    assert {name: entry for name, entry in said.items() if entry.code} == {}
    with redis.Redis.from_url(url) as client:
        client.acl_setuser("reader", enabled=True, commands=["-config|get"])
    refused = daily.keywright("--env", "dev", "drift")
    assert refused.code == 3
    assert "config|get" in refused.err
    assert SECRET not in str(said) + str(refused)


def test_dynamodb_is_sent_actions_that_read_alone(start: Start, applied: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    daily = applied("dynamodb", start("dynamodb").url)
    sent: list[str] = []
    call = BaseClient._make_api_call  # pyright: ignore[reportPrivateUsage]

    def recorded(self: Any, operation_name: str, api_params: Any) -> Any:
        sent.append(operation_name)
        return call(self, operation_name, api_params)

    monkeypatch.setattr(BaseClient, "_make_api_call", recorded)
    said = looked(daily)
    assert {name: entry for name, entry in said.items() if entry.code} == {}
    assert sent
    assert [entry for entry in sent if not entry.startswith(READS)] == []
