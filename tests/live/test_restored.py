"""Backups that are several versions older or newer than the history, and older code, on a server of each engine."""

import os
import re
import shlex
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from tests.live.daily import Daily, Said
from tests.projects import with_imports

from keywright.drivers.cassandra import driver as cassandra
from keywright.drivers.dynamodb import driver as dynamodb
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
HEADS = {
    "mongodb": ('kw.MongoDatabase("daily")', 'kw.Collection(d, "p", id="{k}", validation="off", indexes=[MORE])'),
    "dynamodb": ('kw.DynamoTable("daily", gsis=[MORE])', 'kw.Item(d, pk="P#{k}", sk="P")'),
    "cassandra": ('kw.Keyspace("daily")', 'kw.CqlTable(d, "p", partition="k")'),
    "redis": ('kw.RedisServer("daily", role="primary", settings={MORE})', 'kw.RedisHash(d, key="p:{k}")'),
}
STORES = {"mongodb": "mongodb/daily", "dynamodb": "dynamodb", "cassandra": "cassandra/daily", "redis": "redis/daily"}
SETTINGS = ('"hash-max-listpack-entries": 99', '"list-compress-depth": 1', '"active-expire-effort": 2')


def models(engine: str, count: int) -> str:
    """Models with so many of three further things: indexes, columns or settings."""
    store, entity = HEADS[engine]
    more = {
        "mongodb": [f'kw.Index("f{n}")' for n in range(count)],
        "dynamodb": [f'kw.Gsi("by_{n}", pk="f{n}")' for n in range(count)],
        "redis": list(SETTINGS[:count]),
    }.get(engine, [])
    fields = range(count if engine == "cassandra" else 3)
    output = "".join(f"    f{n}: str | None = None\n" for n in fields)
    text = f"d = {store}\n\n\nclass P(BaseModel):\n    __store__: ClassVar = {entity}\n    k: str\n{output}"
    return with_imports(text.replace("MORE", ", ".join(more)))


REFUSED = (
    ("plan",), ("apply",), ("drift",), ("status",), ("resolve", "0002", "--as", "applied", "--reason", "x"),
    ("abort", "0002"), ("accept", "x", "--reason", "x"), ("baseline",),
)  # fmt: skip
"""What a checkout that is older than the store may not do."""


class World:
    """A project of one engine with four versions, and a client that a person would use."""

    def __init__(self, root: Path, engine: str, url: str) -> None:
        self.engine, self.project = engine, Daily(root, models(engine, 0), stack=STACK)
        if engine != "mongodb":
            open_ = {"dynamodb": dynamodb.client, "cassandra": cassandra.client, "redis": Redis.from_url}[engine]
            self.client: Any = open_(url)
        for count in range(4):
            self.project.becomes(models(engine, count))
            self.does("diff", "-m", f"more {count}")
            if count == 0:
                self.does("apply", "--local")  # else all would be made at once
        self.does("apply", "--local")

    def does(self, *words: str) -> Said:
        project = self.project(*words)
        assert project.code == 0, project
        return project

    def back(self, count: int) -> None:
        """Bring the store to where it was with so many things, as a backup would."""
        prefix = self.project.prefix
        for n in range(count, 3):
            match self.engine:
                case "mongodb":
                    with self.project.collection() as books:
                        books.database["p"].drop_index(f"f{n}_1")
                case "dynamodb":
                    drop = {"Delete": {"IndexName": f"by_{n}"}}
                    self.client.update_table(TableName=f"{prefix}daily", GlobalSecondaryIndexUpdates=[drop])
                    self.wait_until_gone(f"{prefix}daily", f"by_{n}")
                case "cassandra":
                    self.client.execute(f"ALTER TABLE {prefix}daily.p DROP f{n}")
                case _:
                    name = SETTINGS[n].partition(":")[0].strip('"')
                    usual = {"hash-max-listpack-entries": 128, "list-compress-depth": 0, "active-expire-effort": 1}
                    self.client.config_set(name, usual[name])

    def wait_until_gone(self, table: str, index: str) -> None:
        """DynamoDB changes one index at a time."""
        for _ in range(600):
            globalsecondaryindexes = self.client.describe_table(TableName=table)["Table"].get(
                "GlobalSecondaryIndexes", []
            )
            if index not in [index["IndexName"] for index in globalsecondaryindexes]:
                return
            time.sleep(0.1)
        raise AssertionError(f"{index} is still there")

    def forget_rows(self, *numbers: str) -> None:
        """Have the history of an older backup: rows of later versions are not in it."""
        with self.project.site(STORES[self.engine]) as site:
            ledger = site.ledger
            for key, row in ledger.rows("").items():
                if key.partition("/")[0] in numbers:
                    gone = {**row, "state": "aborted" if "/" not in key else "undone"}  # type: ignore[dict-item]
                    assert ledger.put(key, gone, ledger.lock().fence)

    def told(self, said: Said) -> Said:
        """Carry out the command that a message names."""
        command = re.findall(r"`keywright migrate (resolve [^`]+)`", said.err)[0]
        return self.project(*shlex.split(command.replace("TEXT", "because")), "--local")

    def is_right(self) -> None:
        self.does("apply", "--local")
        self.does("status", "--local", "--require", "0004")
        said = self.project.keywright("drift", "--local")
        assert said.code == 0, said

    def close(self) -> None:
        match self.engine:
            case "mongodb":
                self.project.forget()
            case "cassandra":
                self.client.execute(f"DROP KEYSPACE IF EXISTS {self.project.prefix}daily")
                self.client.execute(f"DROP KEYSPACE IF EXISTS {self.project.prefix}kw_meta")
                self.client.cluster.shutdown()
            case "redis":
                self.back(0)
                self.client.flushall()
                self.client.close()
            case _:
                self.client.close()


@pytest.fixture(params=HEADS)
def world(
    request: pytest.FixtureRequest, tmp_path: Path, start: Callable[..., Running], monkeypatch: pytest.MonkeyPatch
) -> Iterator[World]:
    engine = request.param
    url = start(engine, "restored" if engine == "redis" else "").url
    if engine == "dynamodb":
        url = url.replace("://", f"://restored{os.getpid()}@")
    monkeypatch.setenv(f"KEYWRIGHT_{engine.upper()}_URL", url)
    created = World(tmp_path / "project", engine, url)
    yield created
    created.close()


def test_a_store_or_history_that_is_several_versions_off_is_told_with_the_command_that_mends_it(world: World) -> None:
    project = world.project
    world.back(1)
    drift = project.keywright("drift", "--local")
    assert (drift.code, "every store matches 0002_more_1, as after a restore" in drift.err) == (1, True), drift
    plan = project("plan", "--local")
    assert (plan.code, plan.out.startswith("drift: ")) == (1, True), plan
    wrong = project("resolve", "0004", "--as", "undone", "--reason", "x", "--local")
    assert (wrong.code, "resolve 0003 --as undone" in wrong.err) == (4, True), wrong
    said = project("apply", "--local")
    assert said.code == 4
    done = world.told(said)
    assert (done.code, done.out.startswith("0003, 0004 is recorded as undone")) == (0, True), done
    world.is_right()

    world.forget_rows("0003", "0004")
    said = project.keywright("drift", "--local")
    if said.code:  # a history of objects alone; what is adopted needs no word
        assert "every store already matches 0004_more_3" in said.err, said
        assert world.told(said).code == 0
    world.is_right()

    older = project.root / "migrations"
    for name in ("0003_more_2", "0004_more_3"):
        shutil.rmtree(older / name)
    sums = (older / "keywright.sum").read_text().splitlines()
    shutil.rmtree(older)
    for count in range(2):
        project.becomes(models(world.engine, count))
        assert project("diff", "-m", f"more {count}").code == 0
    assert (older / "keywright.sum").read_text().splitlines()[1:] == sums[1:3], "the code of an older release"
    for words in REFUSED:
        said = project.keywright("drift", "--local") if words == ("drift",) else project(*words, "--local")
        assert said.code == 4, (words, said)
        assert f'{STORES[world.engine]} has migration "0003"' in said.err, (words, said)
        assert "`git pull`" in said.err
    world.does("status", "--local", "--require", "0002")
