"""Servers that keywright itself made, and servers with a configuration file, adopted and compared."""

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from redis.exceptions import ConnectionError as NotYet
from tests.projects import imported_alone
from tests.servers import redis_server

from keywright.api.adopt.sources import from_address
from keywright.compiler import load
from keywright.engines.contract.adoption import Adoption
from keywright.engines.redis.declare.settings import RedisEnvironment
from keywright.engines.redis.schema.capabilities import DIRECTIVES
from keywright.engines.redis.schema.directive import canonical
from keywright.engines.redis.schema.lower import lower, settings_of
from keywright.engines.redis.schema.target import ServerTarget
from keywright.engines.registry import part_of
from keywright.local import Running
from keywright.project.environments.environment import Environment
from keywright.project.settings import read_settings

pytestmark = pytest.mark.live

ROOT = Path(__file__).parents[2]
ADOPTION = part_of("redis", "adoption", "ADOPTION", Adoption)
STREAMS = """\
from typing import ClassVar
from pydantic import BaseModel
import keywright as kw
from datetime import timedelta

events = kw.RedisServer("events", role="queue", settings={"stream-node-max-entries": 50})


class Event(BaseModel):
    __store__: ClassVar = kw.RedisStream(
        events, key="events:orders", keep=1000,
        groups=[kw.ConsumerGroup("billing", idempotency="order_id", claim_after=timedelta(minutes=5))],
    )

    order_id: str
    total: int


append = kw.Put(Event)
"""
CONF = """\
include conf.d/*.conf
bind 127.0.0.1
requirepass "s3cret \\x41"
maxmemory-policy volatile-lfu
save 900 1
save 300 10 60 1000
appendonly yes
appendfsync always
APPENDFSYNC "everysec"
hash-max-ziplist-entries 64
slave-read-only no
client-output-buffer-limit replica 512mb 64mb 60
client-output-buffer-limit pubsub 32mb 8mb 120
notify-keyspace-events 'Ex'
repl-backlog-size 64mb
lfu-log-factor 20
lfu-log-factor 30
"""
ONLY_SNAPSHOTS = "timeout 10\nhz 20\n"


def native(target: ServerTarget) -> tuple[Any, ...]:
    return target.settings, target.streams


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, dict[str, str]]]:
    """A project whose servers keywright made and filled, and the address of each server."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "made").mkdir()
    (folder / "stacks").mkdir()
    shutil.copy(ROOT / "models" / "games.py", folder / "made" / "made_games.py")
    (folder / "made" / "made_streams.py").write_text(STREAMS)
    (folder / "pyproject.toml").write_text('[tool.keywright]\nmodels = ["made"]\n')
    stack = "config:\n  keywright:environment:\n    mode: dev\n    redis: {flavour: redis}\n"
    (folder / "stacks" / "Pulumi.dev.yaml").write_text(stack)
    run(folder, "local", "up")
    run(folder, "apply", "--local")
    run(folder, "sample", "--load", "--local", "--scale", "200")
    lines = [line.split() for line in run(folder, "local", "status").splitlines()]
    yield folder, {line[0]: line[-1] for line in lines if line and line[0].startswith("redis/")}
    run(folder, "local", "down")


def run(folder: Path, *words: str) -> str:
    command = [sys.executable, "-m", "keywright", *words]
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, "NO_COLOR": "1"}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_what_keywright_made_is_adopted_without_a_gap(made: tuple[Path, dict[str, str]]) -> None:
    folder, addresses = made
    with imported_alone(folder):
        design = load(read_settings(folder)).design.of_engine("redis")
    declared = {f"redis/{target.name}": target for target in lower(design)}
    assert declared.keys() == addresses.keys()
    for name, address in addresses.items():
        (adopted,) = from_address(address, Environment("dev"))
        assert not adopted.adopted.not_expressed
        (target,) = lower(adopted.adopted.design)
        assert native(target) == native(declared[name])
        kinds = sorted(structure.kind for structure in target.structures)
        assert kinds == sorted(structure.kind for structure in declared[name].structures)


def write_odd(client: "Redis[Any]") -> None:
    """Values of changing types, names of fields that Python does not accept, and keys that could be confused."""
    pipeline: Any = client.pipeline(transaction=False)
    for n in range(40):
        fields = {"a": ("1", "x", "")[n % 3], "b": ("1.5", "2")[n % 2], "c": ("true", "1")[n % 2], "zip": "007",
                  "big": "1" * 21, "exp": "1e5", "json": ('{"a":1}', "[1]", "")[n % 3], "dt": "2026-01-01T00:00:00Z",
                  "day": "2026-02-30", "class": "x", "model_x": "1", "copy": "2", "with space": "q"}  # fmt: skip
        pipeline.hset(f"item:{n}", mapping=fields)
        document = {"id": n, "n": None if n % 2 else n, "m": [1, "a", None], "t": (1, 1.5)[n % 2], "s": (1, "a")[n % 2],
                    "date": ("2026-01-01", "soon")[n % 2], "long": 10**20, "from": "x", "nothing": None,
                    "deep": {"x": {"y": [{"z": n}]} if n % 3 else {}},
                    **({"opt": {"q": 1}} if n % 4 else {})}  # fmt: skip
        pipeline.set(f"doc:{n}", json.dumps(document))
        pipeline.set(f"mixed:{n}", ('{"a":1}', "text")[n % 2])
        pipeline.set(f"pad:{n:05}", "")
        pipeline.set(f"list:{n}", json.dumps([{"a": n}]))
        pipeline.set(f"token:{'x' * (n % 5)}{n}-{n * 7919}", str(-n))
        pipeline.set(f"user:u{n}", "1")
        pipeline.set(f"user:u{n}:{n}", "2.5")
        pipeline.zadd(f"rank:{n}", {"a": float("inf"), "b": -1, "": 2})
        pipeline.sadd(f"tags:{n}", "1", "01")
        pipeline.rpush(f"feed:{n}", json.dumps({"a": n}), json.dumps({"a": None, "b": [1]}))
        pipeline.xadd(f"log:{n % 3}", {"a": "1", "json": '{"x":1}', **({"o": "1"} if n % 2 else {})})
        if n % 2:
            pipeline.set(f"both:{n}", "x")
        else:
            pipeline.hset(f"both:{n}", "a", "1")
    pipeline.execute()


def test_odd_values_are_read_on_a_server_with_default_settings(
    start: Callable[..., Running], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = start("redis", "odd").url
    client: Redis[Any] = Redis.from_url(url)
    client.flushall()
    write_odd(client)
    client.close()
    monkeypatch.setenv("KEYWRIGHT_STORE_REDIS", url)
    said = run(tmp_path, "adopt", url)
    assert "not expressed: redis/redis/keys/both:<number>: 20 strings: their keys could be the same" in said
    assert "13 new entities; 1 part not expressed" in said
    run(tmp_path, "--env", "dev", "migrate", "baseline", "--from", "live")
    assert "no difference" in run(tmp_path, "migrate", "diff", "-m", "next")
    findings = json.loads(run(tmp_path, "--env", "dev", "check", "--live", "--format", "json"))["findings"]
    assert not [finding for finding in findings if finding["code"] == "GEN019"]


@pytest.mark.parametrize("text", [CONF, CONF.partition("\n")[2], ONLY_SNAPSHOTS])
def test_a_server_with_the_file_has_the_settings_of_the_declaration(text: str, tmp_path: Path) -> None:
    (tmp_path / "conf.d").mkdir()
    (tmp_path / "conf.d" / "a.conf").write_text("maxmemory-policy allkeys-lru\ntcp-keepalive 100\n")
    (tmp_path / "redis.conf").write_text(text)
    paths = {
        "redis.conf": text,
        **({"conf.d/a.conf": (tmp_path / "conf.d" / "a.conf").read_text()} if "include" in text else {}),
    }
    schema = ADOPTION.read_schema(paths)
    assert schema is not None
    adopted = ADOPTION.adopt(schema.targets[0], {}, RedisEnvironment(flavour="redis", version="7.0"))
    declared = settings_of(adopted.design.physicals[0].spec)
    live = started(tmp_path)
    assert {name: canonical(DIRECTIVES[name], live[name]) for name in declared} == declared


def started(folder: Path) -> dict[str, str]:
    """The settings of a server that was started with the file of a folder, and is stopped at once."""
    program = redis_server()
    if program is None:
        pytest.skip("no redis-server is installed: `make redis-server` gets it")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = subprocess.Popen([program, "redis.conf", "--port", str(port)], cwd=folder, stdout=subprocess.DEVNULL)
    client: Redis[Any] = Redis(port=port, password="s3cret A", decode_responses=True)
    if "requirepass" not in (folder / "redis.conf").read_text():
        client = Redis(port=port, decode_responses=True)
    try:
        for _ in range(600):
            try:
                return client.config_get("*")
            except NotYet:
                time.sleep(0.05)
        raise AssertionError("it does not start")
    finally:
        client.close()
        server.terminate()
        server.wait()
