"""Servers that plain clients filled, adopted from Valkey and from redis-server."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from tests.adopt.laws import assert_is_as_a_person_writes
from tests.live.applications_redis import SECRETS, write
from tests.projects import a_project, imported_alone, with_imports

from keywright import runtime
from keywright.api.adopt.sources import AdoptedTarget, from_address
from keywright.drivers.redis import driver as driver_of
from keywright.engines.redis.schema.lower import lower
from keywright.local import Running
from keywright.project.environments.environment import Environment

pytestmark = pytest.mark.live

SETTINGS = {
    "maxmemory-policy": "volatile-lru", "maxmemory": "200mb", "hash-max-listpack-entries": "64", "timeout": "300",
    "notify-keyspace-events": "Ex", "appendonly": "no", "save": "",
}  # fmt: skip
READS = frozenset((
    "auth", "client", "config", "dbsize", "exists", "get", "hello", "hgetall", "hlen", "info", "llen", "lrange",
    "memory", "ping", "scan", "scard", "select", "srandmember", "strlen", "ttl", "type", "xinfo", "xlen", "xrevrange",
    "zcard", "zrange",
))  # fmt: skip
"""Commands that `adopt` may send."""

NOT_EXPRESSED = {
    "keys/<bytes>": "1 string: their names are no text",
    "keys/<word>": "1 string: their keys have no word before their values",
    "keys/cart:<text>": "50 hashes: the names of their fields are data, and a RedisHash has declared fields",
    "keys/followers_of:<number>": "50 hashes: the names of their fields are data, and a RedisHash has declared fields",
    "keys/php:<number>": "12 strings: their values are PHP serialization",
    "keys/pickled:<number>": "12 strings: their values are Python's pickle",
    "keys/python:<number>": "12 strings: their values are text that looks like JSON and is none",
    "keys/recent:<number>": "20 lists: their elements are no JSON objects, and a RedisList contains objects",
    "keys/thumbnail:<number>": "12 strings: their values are binary data",
    "keys/zipped:<number>": "12 strings: their values are gzip",
}


@pytest.fixture(scope="module", params=["", "redis"], ids=["valkey", "redis-server"])
def url(start: Callable[..., Running], request: pytest.FixtureRequest) -> Iterator[str]:
    running = start("redis", "adopted", product=request.param)
    client: Redis[Any] = Redis.from_url(running.url)
    before = {name: client.config_get(name)[name] for name in SETTINGS}
    client.flushall()
    for name, value in SETTINGS.items():
        client.config_set(name, value)
    write(client)
    yield running.url
    client.flushall()
    for name, value in before.items():
        client.config_set(name, value)
    client.close()


@pytest.fixture(scope="module")
def target(url: str) -> AdoptedTarget:
    (target,) = from_address(url, Environment("dev"))
    return target


@pytest.fixture(scope="module")
def text(target: AdoptedTarget, tmp_path_factory: pytest.TempPathFactory) -> str:
    return assert_is_as_a_person_writes(target.adopted, tmp_path_factory.mktemp("source"))


def test_every_family_is_an_entity_or_listed(target: AdoptedTarget) -> None:
    bindings = {binding.spec.key: type(binding.spec).__name__ for binding in target.adopted.design.bindings}
    assert {part.object: part.reason for part in target.adopted.not_expressed} == NOT_EXPRESSED
    assert len(bindings) >= 42
    assert bindings["session:{session_id}"] == "RedisString"
    assert bindings["user:{user_id}"] == bindings["device:{device_id}:state"] == "RedisHash"
    assert bindings["signups:{day:date}"] == bindings["rate:{ip}:{window}"] == "RedisCounter"
    assert bindings["email_to_user:{email}"] == "RedisString"
    assert bindings["queue:{queue}"] == bindings["user:{user_id}:feed"] == "RedisList"
    assert bindings["online_users"] == bindings["seen:{day:date}"] == "RedisSet"
    assert bindings["lb:{board}:{week}"] == bindings["scores:{board_id:tag}:daily"] == "RedisSortedSet"
    assert bindings["shops:{area_id}"] == bindings["drivers:{area}"] == "RedisGeo"
    assert bindings["events:orders"] == bindings["chat:{chat_id}"] == "RedisStream"
    assert bindings["uniques:{day:date}"] == "RedisHyperLogLog"
    assert bindings["active:{day:date}"] == "RedisBitmap"


def test_types_are_those_of_the_values(text: str) -> None:
    personal = "    name: Annotated[str, kw.Pii()]\n    email: Annotated[str, kw.Pii()]\n"
    assert f"    user_id: int\n{personal}    logins: int\n" in text
    assert '    rating: Decimal\n    active: bool\n    created: datetime\n    plan: Literal["free", "paid"]\n' in text
    assert "    prefs: Pref\n" in text
    assert "    referrer: int | None = None  # in 34 % of 50 items\n" in text
    assert "    sku: UUID  # also in the value, where keywright does not write it\n" in text
    assert 'key="session:{session_id}", ttl=timedelta(minutes=30)' in text
    assert 'key="cache:product:{sku}", ttl=timedelta(minutes=5)' in text
    assert '"billing", idempotency="order_id", claim_after=timedelta(minutes=1)' in text


def test_no_value_and_no_part_of_a_key_that_may_be_one_is_written(text: str, target: AdoptedTarget) -> None:
    listed = " ".join(f"{part.object} {part.reason}" for part in target.adopted.not_expressed)
    assert not [secret for secret in SECRETS if secret in text or secret in listed]
    assert "chess" not in text
    assert "berlin" not in text


def test_the_settings_of_the_declaration_are_those_of_the_server(target: AdoptedTarget, url: str) -> None:
    (server,) = lower(target.adopted.design)
    settings = dict(server.settings)
    assert settings == {
        "appendonly": "no", "save": "", "maxmemory-policy": "volatile-lru", "hash-max-listpack-entries": "64",
        "notify-keyspace-events": "xE", "timeout": "300",
    }  # fmt: skip
    assert target.adopted.design.physicals[0].spec.role == "limiter"
    assert target.settings["maxmemory"] == 200 * 2**20
    assert [(stream.key, stream.groups) for stream in server.streams] == [("events:orders", ("billing", "shipping"))]


def test_only_reads_are_sent(url: str) -> None:
    client: Redis[Any] = Redis.from_url(url, decode_responses=True)
    client.config_resetstat()
    list(from_address(url, Environment("dev")))
    names = {name.removeprefix("cmdstat_") for name in client.info("commandstats")}
    sent = {name.partition("|")[0] for name in names - {"acl|list"}}
    client.close()
    assert sent - {"config"} <= READS
    assert "scan" in sent


def keywright(folder: Path, address: str, *words: str) -> str:
    environment = {**os.environ, "KEYWRIGHT_STORE_REDIS": address, "NO_COLOR": "1"}
    command = [sys.executable, "-m", "keywright", *words]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_first_migration_is_empty_and_the_stored_items_decode(url: str, tmp_path: Path) -> None:
    client: Redis[Any] = Redis.from_url(url)
    client.flushall()
    write(client)
    client.close()
    keywright(tmp_path, url, "adopt", url)
    written = "".join(path.read_text() for path in tmp_path.rglob("*") if path.is_file())
    assert "127.0.0.1" not in written
    assert "maxmemory: 209715200" in written
    keywright(tmp_path, url, "compile")
    keywright(tmp_path, url, "--env", "dev", "migrate", "baseline", "--from", "live")
    assert "no difference" in keywright(tmp_path, url, "migrate", "diff", "-m", "next")
    assert "every store matches" in keywright(tmp_path, url, "--env", "dev", "drift")
    assert "0 new entities" in keywright(tmp_path, url, "adopt", url)
    live = keywright(tmp_path, url, "--env", "dev", "check", "--live", "--format", "json")
    codes = {finding["code"] for finding in json.loads(live)["findings"]}
    assert "GEN019" not in codes


def test_the_proposed_patterns_are_served_and_proved(url: str, tmp_path: Path) -> None:
    client: Redis[Any] = Redis.from_url(url)
    client.flushall()
    write(client)
    client.config_resetstat()
    for number in range(3):
        client.hgetall(f"user:{1000 + number}")
    client.zrevrank("lb:chess:2026-W01", "alice")
    client.brpop(["queue:emails"])
    keywright(tmp_path, url, "adopt", url)
    text = (tmp_path / "models" / "redis.py").read_text()
    assert text.count("# all hashes: 3 HGETALL") == 1
    assert "# all sorted sets: 1 ZREVRANK\nrank_of_leaderboard_entry = kw.Rank(" in text
    assert 'take_from_queued_job = kw.Take(QueuedJob, eq="queue")  # all lists: 1 BRPOP' in text
    proofs = keywright(tmp_path, url, "prove", "--endpoint", f"redis={url}", "--load")
    assert "69 of 69 patterns proved" in proofs
    client.close()


QUEUE = """
server = kw.RedisServer("redis", role="queue")
senders = kw.ConsumerGroup("senders", idempotency="mail_id", claim_after=timedelta(minutes=1))


class Mail(BaseModel):
    __store__: ClassVar = kw.RedisStream(server, key="jobs:mail", keep=None, groups=[senders], due="send_at")

    mail_id: int
    queued_at: datetime
    send_at: datetime | None = None
"""


def test_a_queue_of_keywright_is_adopted_with_its_due_time(url: str, tmp_path: Path) -> None:
    client: Redis[Any] = Redis.from_url(url)
    client.flushall()
    client.xgroup_create("jobs:mail", "senders", mkstream=True)
    now = datetime.now(UTC)
    with imported_alone(tmp_path):
        a_project(tmp_path / "before", {"models/queue.py": with_imports(QUEUE)})
        sys.path.insert(0, str(tmp_path / "before"))
        mail = import_module("models.queue").Mail
        times = (None, now - timedelta(days=1), now + timedelta(days=1), now + timedelta(days=2))
        mails = [mail(mail_id=at, queued_at=now, send_at=time) for at, time in enumerate(times * 3)]
        with closing(driver_of.connect(url)) as driver:
            driver.load("redis", map(runtime.to_item, mails))
    assert (client.xlen("jobs:mail"), client.zcard("{jobs:mail}:delayed")) == (6, 6)
    (adopted,) = from_address(url, Environment("dev"))
    text = assert_is_as_a_person_writes(adopted.adopted, tmp_path)
    assert 'due="send_at"' in text
    assert "take" in {pattern.kind for pattern in adopted.adopted.design.patterns}
    assert not adopted.adopted.not_expressed
    client.flushall()
    client.close()
