"""Secrets in every place where a stack may have one are in no state, output, log or history in clear."""

import base64
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pymongo
import pytest
import redis
from cassandra.cluster import NoHostAvailable
from tests.pulumi.shop import CONTENT, Shop
from tests.pulumi.test_apply import made as made
from tests.pulumi.test_apply import shop as shop
from tests.pulumi.test_stores import cql
from tests.pulumi.world import Said, World

pytestmark = pytest.mark.live

PASSWORD, OPTION, KEY, OTHER = "pl4nted/Pass@word", "pl4nted-0ption", "pl4nted-access-key", "pl4nted-0f-the-program"
"""A password in front of a host, a value among its options, AWS credentials, and a secret of another resource."""

RIGHTS = f"PASSWORD = '{PASSWORD}' AND LOGIN = true AND SUPERUSER = true"
"""Of the role in Cassandra."""

SECRETS = tuple(
    form
    for secret in (PASSWORD, OPTION, KEY, OTHER)
    for form in (secret, quote(secret, safe=""), base64.b64encode(secret.encode()).decode())
)


def planted(text: str | bytes) -> list[str]:
    """The secrets that stand in a text, as they are, percent-encoded or in base64."""
    read = text if isinstance(text, bytes) else text.encode()
    return [secret for secret in SECRETS if secret.encode() in read]


def planted_files(world: World, path: Path) -> list[str]:
    """The files of the project, of the state and of Pulumi's own folder that hold a secret.

    path: the folder in which the test itself has written some.
    """
    files = (file for file in world.root.parent.rglob("*") if file.is_file() and not file.is_symlink())
    return [str(file) for file in files if path not in file.parents and planted(file.read_bytes())]


@contextmanager
def users(world: World) -> Iterator[dict[str, str]]:
    """Addresses of the stores with a user whose password is planted."""
    login = f"planted:{quote(PASSWORD, safe='')}@"
    addresses = {
        "MONGODB": world.addresses["MONGODB"].partition("/?")[0].replace("://", f"://{login}")
        + f"/?directConnection=true&authSource=admin&appName={OPTION}",
        "REDIS_SESSIONS": world.addresses["REDIS_SESSIONS"].replace("://", f"://{login}") + f"?client_name={OPTION}",
        "CASSANDRA": world.addresses["CASSANDRA"].replace("cassandra:cassandra@", login),
    }
    with (
        pymongo.MongoClient[Any](world.addresses["MONGODB"]) as mongodb,
        redis.Redis.from_url(world.addresses["REDIS_SESSIONS"]) as sessions,
    ):
        try:
            mongodb.admin.command("createUser", "planted", pwd=PASSWORD, roles=["root"])
            sessions.acl_setuser("planted", enabled=True, reset=True, passwords=[f"+{PASSWORD}"], keys=["*"],
                                 categories=["+@all"])  # fmt: skip
            cql(world.addresses["CASSANDRA"], f"CREATE ROLE planted WITH {RIGHTS}")
            ends = time.monotonic() + 60
            while True:  # a busy server takes a new role a moment later
                try:
                    cql(addresses["CASSANDRA"], "SELECT key FROM system.local")
                    break
                except NoHostAvailable:
                    assert time.monotonic() < ends
            yield addresses
        finally:
            mongodb.admin.command("dropUser", "planted")
            sessions.acl_deluser("planted")
            cql(world.addresses["CASSANDRA"], "DROP ROLE IF EXISTS planted")


def wrong(world: World, addresses: dict[str, str], path: Path) -> Iterator[tuple[str, dict[str, str]]]:
    """Each store that has something to do, with the variables by which it gets a wrong password."""
    denied = {name: address.replace("planted:", "planted:no-") for name, address in addresses.items()}
    world.edit("models/sessions.py", "kw.Rdb()]", 'kw.Rdb()], settings={"hz": 20}')
    (path / "redis").write_text(denied["REDIS_SESSIONS"], encoding="utf-8")
    yield "redis/sessions", {}
    (path / "redis").write_text(addresses["REDIS_SESSIONS"], encoding="utf-8")
    world.edit("models/viewing.py", "    completed: bool\n", "    completed: bool\n    rating: int | None = None\n")
    yield "cassandra/netflix", {"KEYWRIGHT_STORE_CASSANDRA": denied["CASSANDRA"]}
    world.edit("models/content.py", 'kw.Index(["author_id", "-created_at"])', 'kw.Index(["author_id", "created_at"])')
    assert world.pulumi("config", "set", "--secret", "keywright:mongodbUri", denied["MONGODB"], "-s", "dev").code == 0
    yield "mongodb/content", {}


@pytest.fixture
def given(tmp_path: Path) -> Path:
    """Where the test writes files of passwords."""
    folder = tmp_path / "given"
    folder.mkdir()
    return folder


def test_a_stack_shows_no_secret_in_its_state_its_outputs_its_logs_and_its_failures(dev: World, given: Path) -> None:
    with users(dev) as addresses:
        (given / "redis").write_text(addresses["REDIS_SESSIONS"] + "\n", encoding="utf-8")
        variables = {
            "KEYWRIGHT_STORE_MONGODB": "",
            "KEYWRIGHT_STORE_CASSANDRA": addresses["CASSANDRA"],
            "KEYWRIGHT_STORE_REDIS_SESSIONS": "",
            "KEYWRIGHT_STORE_REDIS_SESSIONS_FILE": str(given / "redis"),
            "AWS_SECRET_ACCESS_KEY": KEY,
        }
        for key, value in (("keywright:mongodbUri", addresses["MONGODB"]), ("shop:token", OTHER)):
            assert dev.pulumi("config", "set", "--secret", key, value, "-s", "dev").code == 0

        def said(*words: str, **others: str) -> Said:
            done = dev.pulumi(*words, "-s", "dev", **{**variables, **others})
            assert [line for line in done.text.splitlines() if planted(line)] == []
            assert "Traceback" not in done.text
            return done

        for words in (
            ("preview", "--diff"),
            ("preview", "--json"),
            ("up", "--yes", "--skip-preview", "--debug", "--logtostderr", "-v=3"),
        ):
            done = said(*words)
            assert done.code == 0, done.text
        for words in (
            ("stack", "export"),
            ("stack", "output", "--json"),
            ("stack",),
            ("config",),
            ("stack", "history"),
        ):
            done = said(*words)
            assert done.code == 0, done.text
        assert said("refresh", "--yes", "--skip-preview").code == 0
        assert planted_files(dev, given) == []

        for store, change in wrong(dev, addresses, given):
            done = said("up", "--yes", "--skip-preview", **change)
            assert done.code != 0
            assert f"{store}: " in done.text, done.text
            said("preview", "--diff", **change)
        assert planted_files(dev, given) == []


def stored(shop: Shop) -> str:
    """All that DynamoDB and MongoDB hold, histories and locks included."""
    tables = shop.dynamodb.list_tables()["TableNames"]
    items = [shop.dynamodb.scan(TableName=table)["Items"] for table in tables]
    with pymongo.MongoClient[Any](shop.addresses["MONGODB"]) as client:
        databases = [client[name] for name in client.list_database_names() if name not in ("admin", "config", "local")]
        finds = [list(database[name].find()) for database in databases for name in database.list_collection_names()]
    assert len(items) > 1
    assert finds
    return repr((items, finds))


def test_a_migration_by_a_stack_keeps_no_secret_in_its_history(made: Shop, given: Path) -> None:
    with users(made) as addresses:
        made.edit("stacks/Pulumi.prod.yaml", "dynamodb:", "mongodb: {flavour: mongodb, version: '6.0'}\n    dynamodb:")
        (made.root / "models" / "content.py").write_text(CONTENT, encoding="utf-8")
        made.index("by_day", "day")
        assert made.pulumi("config", "set", "--secret", "keywright:mongodbUri", addresses["MONGODB"]).code == 0
        variables = {"KEYWRIGHT_STORE_MONGODB": "", "AWS_SECRET_ACCESS_KEY": KEY}
        for words in (("plan",), ("apply",), ("status", "--format", "json"), ("status",)):
            said = made.migrate(*words, **variables)
            assert planted(said.text) == []
            assert said.code in ((0, 1) if words == ("plan",) else (0,)), said.text
        assert planted(stored(made)) == []
        denied = addresses["MONGODB"].replace("planted:", "planted:no-")
        assert made.pulumi("config", "set", "--secret", "keywright:mongodbUri", denied).code == 0
        said = made.migrate("status", **variables)
        assert (said.code, planted(said.text)) == (3, []), said.text
        assert planted_files(made, given) == []
