"""Redis targets on a real server: Redis where it is installed, else Valkey."""

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given
from pydantic import BaseModel
from redis import Redis
from tests.engines.redis import everything
from tests.live.drawn import drawn
from tests.properties.redis import targets, without_modules

from keywright import runtime
from keywright.drivers.redis import driver as driver_of
from keywright.engines.contract.diff import differences
from keywright.engines.environment import ByteSize
from keywright.engines.interface import Driver, StatementFailed
from keywright.engines.redis.declare.settings import RedisEnvironment, ServerSettings
from keywright.engines.redis.engine import ENGINE
from keywright.engines.redis.schema.capabilities import DIRECTIVES, default
from keywright.engines.redis.schema.item import commands
from keywright.engines.redis.schema.target import ServerTarget, StreamTarget
from keywright.local import RECIPES, FoundServer, Running
from keywright.local.environment import cache_folder
from keywright.local.ports import free_ports
from keywright.migrations.run.runner import Done, run
from keywright.record import replace

pytestmark = pytest.mark.live

Start = Callable[..., Running]

SESSIONS = ServerTarget(
    "sessions",
    1,
    (
        ("appendfsync", "everysec"),
        ("appendonly", "yes"),
        ("maxmemory-policy", "volatile-ttl"),
        ("notify-keyspace-events", "xE"),
        ("save", "3600 1 300 100 60 10000"),
    ),
    (StreamTarget("events:logins", ("alarms", "reports")),),
)


def here(version: str) -> RedisEnvironment:
    redis_environment = RedisEnvironment(flavour="redis", servers={"sessions": ServerSettings(ram=ByteSize(2**30))})
    return ENGINE.localise(redis_environment, version)


@contextmanager
def connected(server: Running) -> Iterator[Driver]:
    driver = driver_of.connect(server.url)
    try:
        yield driver
    finally:
        driver.close()


def applied(target: ServerTarget, driver: Driver) -> list[Done]:
    return run(ENGINE.create(target), driver)


def remaining(target: ServerTarget, driver: Driver) -> list[Any]:
    """What still differs between the target and the live server."""
    live = ENGINE.parse(driver.introspect([target.name])[target.name] or {})
    native = ENGINE.describe(ENGINE.managed(live, target))["native"]
    return list(differences(ENGINE.describe(target)["native"], native))


def outcomes(done: list[Done]) -> list[str]:
    return [entry.outcome for entry in done]


def test_a_fresh_server_becomes_its_target_and_a_second_run_changes_nothing(start: Start) -> None:
    server = start("redis", "fresh")
    target = ENGINE.place(SESSIONS, here(server.version))
    with connected(server) as driver:
        first = applied(target, driver)
        assert {entry.statement.object: entry.outcome for entry in first} == {
            ("settings", "appendfsync"): "kept",
            ("settings", "appendonly"): "made",
            ("settings", "maxmemory-policy"): "made",
            ("settings", "notify-keyspace-events"): "made",
            ("settings", "save"): "made",
            ("settings", "maxmemory"): "made",
            ("streams", "events:logins", "alarms"): "made",
            ("streams", "events:logins", "reports"): "made",
        }
        assert remaining(target, driver) == []
        assert set(outcomes(applied(target, driver))) == {"kept"}


def test_a_half_created_server_is_completed(start: Start) -> None:
    server = start("redis", "half")
    target = ENGINE.place(SESSIONS, here(server.version))
    with connected(server) as driver:
        for statement in ENGINE.create(target)[1:7:2]:
            driver.run(statement)
        assert sorted(set(outcomes(applied(target, driver)))) == ["kept", "made"]
        assert remaining(target, driver) == []


def test_a_setting_that_somebody_chose_is_reported_and_left_alone(start: Start) -> None:
    server = start("redis", "chosen")
    target = ENGINE.place(SESSIONS, here(server.version))
    with connected(server) as driver, driver_of.client(server.url) as asking:
        asking.config_set("maxmemory-policy", "allkeys-random")
        done = applied(target, driver)
        assert (done[-1].statement.object, done[-1].outcome) == (("settings", "maxmemory-policy"), "conflict")
        assert asking.config_get("maxmemory-policy") == {"maxmemory-policy": "allkeys-random"}
        assert next(iter(remaining(target, driver))).path == ("settings", "maxmemory")


def test_other_peoples_keys_are_none_of_our_business(start: Start) -> None:
    server = start("redis", "shared")
    target = ENGINE.place(SESSIONS, here(server.version))
    with connected(server) as driver, driver_of.client(server.url) as asking:
        asking.set("a", "b")
        asking.xgroup_create("strange", "group", mkstream=True)
        applied(target, driver)
        assert remaining(target, driver) == []
        assert asking.exists("a", "strange") == 2


def test_a_key_of_another_type_fails_with_the_words_of_the_server(start: Start) -> None:
    server = start("redis", "wrong-type")
    target = ENGINE.place(SESSIONS, here(server.version))
    with connected(server) as driver, driver_of.client(server.url) as asking:
        asking.set("events:logins", "text")
        with pytest.raises(StatementFailed, match="WRONGTYPE"):
            driver.run(ENGINE.create(target)[-1])


def test_introspection_is_complete_and_shows_no_secret(start: Start) -> None:
    server = start("redis", "whole")
    with connected(server) as driver:
        described = driver.introspect(["s", "t"])
        native: Any = (described["s"] or {})["native"]
        assert driver.names() == (f"127.0.0.1:{server.port}",)
        assert [entry and entry["name"] for entry in described.values()] == ["s", "t"]
        assert native["server"]["flavour"] in ("redis", "valkey")
        assert not {"requirepass", "port", "dir"} & native["settings"].keys()
        environment = here(server.version)
        names = {name for name, directive in DIRECTIVES.items() if not _is_lacking(directive, environment)}
        assert names <= native["settings"].keys()


def _is_lacking(directive: Any, environment: RedisEnvironment) -> bool:
    """Whether this server's version does not have the directive."""
    target = ENGINE.place(ServerTarget("s", 1, ((directive.name, directive.default),)), environment)
    return any(rejection.code == "RED105" for rejection in ENGINE.refuse(target, environment))


def test_the_defaults_are_those_of_a_server_that_nobody_configured(start: Start) -> None:
    server = start("redis", "untouched")
    environment = here(server.version)
    with connected(server) as driver:
        native: Any = (driver.introspect(["s"])["s"] or {})["native"]
    output = {name: value for name, value in native["settings"].items() if name in DIRECTIVES and name != "save"}
    ours = {name: default(DIRECTIVES[name], environment.flavour, environment.version) for name in output}
    assert output == ours


_numbers = count()


@drawn(10, phases=tuple(Phase))
@given(targets().map(without_modules))
def test_generated_servers_are_made_and_read_back(start: Start, declared: ServerTarget) -> None:
    server = start("redis", f"generated-{next(_numbers)}")
    target = ENGINE.place(declared, here(server.version))
    assert list(ENGINE.refuse(target, here(server.version))) == []
    with connected(server) as driver:
        applied(target, driver)
        assert remaining(target, driver) == []
        assert set(outcomes(applied(target, driver))) <= {"kept"}


# Configuration files, as the server itself reads them.


def program(start: Start) -> str:
    """The program of the local server."""
    start("redis", "untouched")
    server = RECIPES["redis"].locate(cache_folder())
    if not isinstance(server, FoundServer):
        pytest.skip("the local server is somebody else's: its program is not known")
    return str(server.location)


@contextmanager
def booted(program: str, file: Path) -> Iterator[str]:
    """The address of a server that runs on a file."""
    (port,) = free_ports((1,))
    arguments = (program, str(file), "--port", str(port), "--bind", "127.0.0.1", "--dir", str(file.parent))
    with subprocess.Popen(arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        url, ends = f"redis://127.0.0.1:{port}/0", time.monotonic() + 20
        try:
            while not driver_of.is_ready(url):
                if process.poll() is not None or time.monotonic() > ends:
                    process.kill()
                    pytest.fail(f"did not start: {process.stdout.read() if process.stdout else ''}")
            yield url
        finally:
            process.kill()


WHOLE = replace(
    SESSIONS,
    settings=tuple(
        sorted(
            {
                **dict(SESSIONS.settings),
                "client-output-buffer-limit": "normal 0 0 0 slave 1048576 524288 30 pubsub 33554432 8388608 60",
                "latency-tracking-info-percentiles": "50 99.9",
                "notify-keyspace-events": "g$lKE",
                "repl-backlog-size": "67108864",
                "shutdown-on-sigterm": "save now",
                "zset-max-ziplist-entries": "64",
            }.items()
        )
    ),
)


@pytest.mark.parametrize("target", [SESSIONS, WHOLE, replace(SESSIONS, settings=(("appendonly", "no"), ("save", "")))])
def test_a_server_that_starts_on_its_file_needs_groups_only(start: Start, tmp_path: Path, target: ServerTarget) -> None:
    environment = replace(here(start("redis", "untouched").version), io_threads=2)
    placed = ENGINE.place(target, environment)
    (artefact,) = ENGINE.render(target, placed, environment)
    file = tmp_path / "server.conf"
    file.write_text(artefact.text)
    with booted(program(start), file) as url:
        driver = driver_of.connect(url)
        done = applied(placed, driver)
        assert {entry.statement.object[0] for entry in done if entry.outcome != "kept"} == {"streams"}
        assert remaining(placed, driver) == []
        driver.close()


def test_servers_on_the_files_of_the_examples_have_their_settings(start: Start, tmp_path: Path) -> None:
    from keywright import api

    project = api.load(str(Path(__file__).parents[2]))
    environment = here(start("redis", "untouched").version)
    for declared in ENGINE.lower(project.design.of_engine("redis")):
        placed = ENGINE.place(declared, environment)
        (artefact,) = ENGINE.render(declared, placed, environment)
        folder = tmp_path / declared.name
        folder.mkdir()
        (folder / "server.conf").write_text(artefact.text)
        with booted(program(start), folder / "server.conf") as url:
            driver = driver_of.connect(url)
            left = {difference.path[0] for difference in remaining(placed, driver)}
            assert left <= {"streams"}  # consumer groups are no settings: `apply` makes them
            driver.close()


# The run-time codec.


def answer(asking: "Redis", item: Any) -> Any:
    """What a client is told of an item that it reads back."""
    key, member = item.key, getattr(item.value, "member", None)
    match item.structure.kind:
        case "hash":
            return asking.hgetall(key)
        case "list":
            return asking.lrange(key, 0, 0)[0]  # type: ignore[index]
        case "set":
            return asking.smembers(key).pop()  # type: ignore[union-attr]
        case "sorted set":
            return asking.zrange(key, 0, 0, withscores=True)[0]  # type: ignore[index]
        case "stream":
            return asking.xrange(key)[0][1]  # type: ignore[index]
        case "bitmap":
            return asking.bitpos(key, 1)
        case "geo":
            return (member, asking.geopos(key, member)[0])
        case "hyperloglog":
            assert asking.pfcount(key) == 1
            return item.value
        case "rate limit":
            assert asking.zcard(key) == 1
            return None
        case _:
            return asking.get(key)


def rounded(instance: BaseModel) -> BaseModel:
    """Places are kept to about half a metre."""
    if not isinstance(instance, everything.Shop):
        return instance
    place = everything.Place(longitude=round(instance.place.longitude, 4), latitude=round(instance.place.latitude, 4))
    return instance.model_copy(update={"place": place})


@pytest.mark.parametrize("instance", everything.INSTANCES, ids=lambda entry: type(entry).__name__)
def test_every_type_goes_to_the_server_and_comes_back(start: Start, instance: BaseModel) -> None:
    if isinstance(instance, everything.Session):
        instance = instance.model_copy(update={"ends_at": everything.NOON + timedelta(days=36_500)})
    with Redis.from_url(start("redis", "codec").url) as asking:
        item = runtime.to_item(instance)
        asking.delete(item.key)
        for command in commands(item, time.time()):
            asking.execute_command(*command)
        assert rounded(runtime.from_item(type(instance), (item.key, answer(asking, item)))) == rounded(instance)


def test_items_are_loaded_in_batches_and_keys_end_when_they_should(start: Start) -> None:
    server = start("redis", "loaded")
    ends_at = everything.NOON + timedelta(days=36_500)
    items = (runtime.to_item(everything.Session(token=f"{number}", ends_at=ends_at)) for number in range(1_200))
    with connected(server) as driver, driver_of.client(server.url) as asking:
        assert driver.load("everything", items) == 1_200
        assert asking.dbsize() == 1_200
        assert asking.expiretime("session:7") == int(ends_at.timestamp()) + 11
        driver.load("everything", [runtime.to_item(everything.INSTANCES[3])])
        assert 0 < asking.ttl("k2:string:n") <= 3_600  # type: ignore[operator]


def test_a_replaced_hash_keeps_no_field_of_the_old_one(start: Start) -> None:
    server = start("redis", "codec")
    with connected(server) as driver, driver_of.client(server.url) as asking:
        asking.hset("session:t", "old", "1")
        driver.load("everything", [runtime.to_item(everything.Session(token="t"))])
        assert asking.hgetall("session:t") == {"_kw_v": "1"}
