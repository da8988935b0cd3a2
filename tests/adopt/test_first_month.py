"""The first month of docs/adopting.md, done literally on four stores that plain clients made."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pymongo import MongoClient
from redis import Redis
from tests.adopt.stores import fill_cassandra, fill_dynamodb, fill_mongodb
from tests.live.applications_redis import write as fill_redis

from keywright.drivers.cassandra import driver as cassandra
from keywright.drivers.dynamodb import driver as dynamodb
from keywright.local import Running

pytestmark = pytest.mark.live

ENGINES = ("cassandra", "dynamodb", "mongodb", "redis")
PREFIX = "month-"
DYNAMODB = f'dynamodb: {{flavour: dynamodb-local, name-prefix: "{PREFIX}", protect: false, managed-by: keywright}}'
VIEW = "cassandra/kinds/views/large_orders"

Keywright = Callable[..., str]


@pytest.fixture(scope="module")
def addresses(start: Callable[..., Running]) -> Iterator[dict[str, str]]:
    """The addresses of the stores; the servers are those of other tests, too."""
    running = {engine: start(engine, "month" if engine == "redis" else "") for engine in ENGINES}
    mongodb: MongoClient[Any] = MongoClient(running["mongodb"].url)
    mongodb.drop_database("shop")
    fill_mongodb(mongodb["shop"])
    tables = dynamodb.connect(running["dynamodb"].url)
    fill_dynamodb(tables.observe().client, PREFIX)
    keyspaces = cassandra.connect(running["cassandra"].url)
    fill_cassandra(keyspaces.observe().client)
    keys: Redis[Any] = Redis.from_url(running["redis"].url)
    keys.flushall()
    fill_redis(keys)
    yield {engine: server.url for engine, server in running.items()}
    keys.flushall()
    keyspaces.drop(["kinds", "kw_meta"])  # the history too, which other tests of the server would find
    tables.drop([name for name in tables.names() if name.startswith(PREFIX) and not name.endswith("kw-history")])
    mongodb.drop_database("shop")
    for opened in (keys, keyspaces, tables, mongodb):
        opened.close()


@pytest.fixture(scope="module")
def keywright(addresses: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Keywright:
    """`keywright WORD...` in one project; the output, once the exit code is the expected one."""
    folder = tmp_path_factory.mktemp("month")
    stores = {f"KEYWRIGHT_STORE_{engine.upper()}": address for engine, address in addresses.items()}

    def run(*words: str, exit_code: int = 0, are_local: bool = False) -> str:
        environment = {**os.environ, "NO_COLOR": "1", **({} if are_local else stores)}
        command = [sys.executable, "-m", "keywright", *words]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == exit_code, done.stdout + done.stderr
        return done.stdout + done.stderr

    run.folder = folder  # type: ignore[attr-defined]
    return run


def test_the_first_month(keywright: Keywright, addresses: dict[str, str]) -> None:
    folder: Path = keywright.folder  # type: ignore[attr-defined]
    stack = folder / "stacks" / "Pulumi.dev.yaml"
    (folder / "stacks").mkdir()
    stack.write_text(f"config:\n  keywright:environment:\n    mode: dev\n    {DYNAMODB}\n")
    (folder / "pyproject.toml").write_text('[tool.keywright]\nmodels = ["models"]\n')
    for engine in ENGINES:
        follow(keywright("adopt", addresses[engine]), stack)
    written = "".join(path.read_text() for path in folder.rglob("*.py"))
    assert not [address for address in addresses.values() if address in written]

    assert "bounds" not in keywright("check", exit_code=1)
    keywright("check", "--update-baseline")
    assert "no errors" in keywright("check")

    keywright("local", "up", are_local=True)
    try:
        assert "NOT" not in keywright("prove", "--local", are_local=True)
    finally:
        keywright("local", "down", are_local=True)

    keywright("--env", "dev", "migrate", "baseline", "--from", "live")
    assert "no difference" in keywright("migrate", "diff", "-m", "none")
    assert "nothing to apply" in keywright("--env", "dev", "migrate", "apply")

    drift = keywright("--env", "dev", "drift")
    assert VIEW in drift
    keywright("--env", "dev", "migrate", "take-over", VIEW)
    keywright("migrate", "diff", "-m", "drop the view")
    waiting = keywright("--env", "dev", "migrate", "apply", exit_code=4)
    assert "--ack 0003/10 --note TEXT" in waiting
    keywright("--env", "dev", "migrate", "apply", "--ack", "0003/10", "--note", "nobody reads it")
    assert VIEW not in keywright("--env", "dev", "drift")

    models = folder / "models" / "kinds.py"
    models.write_text(models.read_text().replace("    subject: ", "    is_flagged: bool | None = None\n    subject: "))
    assert 'add field "is_flagged" of "inbox"' in keywright("migrate", "diff", "-m", "flag mail")
    assert "every store matches 0004_flag_mail" in keywright("--env", "dev", "migrate", "apply")


def follow(output: str, stack: Path) -> None:
    """Add the lines that `adopt` asks for to the stack file."""
    _, asks, next_commands = output.partition("below keywright:environment:\n")
    lines = next_commands.partition("  keywright check")[0].splitlines() if asks else []
    stack.write_text(stack.read_text() + "".join(f"{line}\n" for line in lines))
