"""Servers that change while they run: Redis where it is installed, else Valkey."""

import shutil
import subprocess
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from redis import Redis
from redis.exceptions import ResponseError
from tests.live.altering import PACE, becomes, outcomes, remaining, survives
from tests.live.drawn import drawn
from tests.properties.near import near
from tests.properties.redis import without_modules

from keywright.drivers.redis import driver as driver_of
from keywright.engines.redis.engine import ENGINE
from keywright.engines.redis.schema.target import ServerTarget, StreamTarget
from keywright.local import RECIPES, FoundServer, Running
from keywright.local.environment import cache_folder
from keywright.local.ports import free_ports
from keywright.migrations.run.runner import ApplyError, run
from keywright.record import replace

pytestmark = pytest.mark.live

Start = Callable[..., Running]


class Server:
    """A running server with everything that a test may do to it."""

    def __init__(self, url: str, version: str) -> None:
        self.environment = ENGINE.localise(None, version)
        self.driver = driver_of.connect(url)
        self.client: Redis = driver_of.client(url)
        self.untouched: Any = self.client.config_get("*")

    def place(self, target: ServerTarget) -> ServerTarget:
        """A target in this server's environment."""
        return ENGINE.place(target, self.environment)

    def reset(self) -> None:
        """Set it back to what it was when it started, without any key."""
        now: Any = self.client.config_get("*")
        for name, value in self.untouched.items():
            if now[name] != value:
                self.client.config_set(name, value)
        self.client.flushall()

    def close(self) -> None:
        """End the connections."""
        self.driver.close()
        self.client.close()


@pytest.fixture(scope="module")
def running(start: Start) -> Iterator[Server]:
    result = start("redis", "altered")
    server = Server(result.url, result.version)
    yield server
    server.close()


@pytest.fixture
def server(running: Server) -> Server:
    """A server that nobody has touched."""
    running.reset()
    return running


@pytest.fixture(scope="module")
def program(start: Start) -> str:
    """The program of the local server."""
    start("redis", "altered")
    found_server = RECIPES["redis"].locate(cache_folder())
    if not isinstance(found_server, FoundServer):
        pytest.skip("the local server is somebody else's: its program is not known")
    return str(found_server.location)


@contextmanager
def booted(program: str, folder: Path, *file: str) -> Iterator[Server]:
    """A server of its own, with a file or without one."""
    (port,) = free_ports((1,))
    arguments = (program, *file, "--port", str(port), "--bind", "127.0.0.1", "--dir", str(folder))
    with subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT) as process:
        url, ends = f"redis://127.0.0.1:{port}/0", time.monotonic() + 20
        try:
            while not driver_of.is_ready(url):
                assert process.poll() is None
                assert time.monotonic() < ends
            server = Server(url, driver_of.version(url))
            yield server
            server.close()
        finally:
            process.kill()


def a_server(*streams: StreamTarget, **directives: str) -> ServerTarget:
    result = {name.replace("_", "-"): value for name, value in directives.items()}
    return ServerTarget("sessions", 1, tuple(sorted(result.items())), streams)


BEFORE = a_server(
    StreamTarget("logins", ("alarms", "reports")), StreamTarget("old", ("x",)),
    appendonly="no", hz="20", maxmemory_policy="volatile-ttl", save="60 1000",
)  # fmt: skip
AFTER = a_server(
    StreamTarget("logins", ("alarms", "totals")), StreamTarget("new", ("x",)),
    appendonly="yes", appendfsync="always", maxmemory_policy="noeviction", save="",
)  # fmt: skip


def test_settings_change_and_consumer_groups_come_and_go(server: Server) -> None:
    assert becomes(ENGINE, server.place(BEFORE), server.place(AFTER), server.driver) == (
        'set "appendfsync" to always',
        'set "appendonly" to yes',
        'set "hz" to 10',
        'set "maxmemory-policy" to noeviction',
        'set "save" to nothing',
        'create consumer group "totals" of stream "logins"',
        'create consumer group "x" of stream "new"',
        'destroy consumer group "reports" of stream "logins"',
        'destroy consumer group "x" of stream "old"',
    )
    assert server.client.exists("logins", "old", "new") == 3  # entries are the data's
    assert server.client.config_get("hz") == {"hz": "10"}  # nobody names it any longer


def test_a_server_survives_every_crash(server: Server) -> None:
    result = survives(ENGINE, server.place(BEFORE), server.place(AFTER), server.driver, server.reset)
    assert len(result) == 10


def test_generated_servers_become_others(server: Server) -> None:
    @drawn(10)
    @given(near(ENGINE).map(lambda pair: tuple(map(without_modules, pair))).filter(lambda pair: pair[0] != pair[1]))
    def become_others(pair: tuple[ServerTarget, ServerTarget]) -> None:
        server.reset()
        before, after = map(server.place, pair)
        # A directive that is new in the declaration may be wanted as the server has it anyway.
        becomes(ENGINE, before, after, server.driver, kept=len(after.settings))

    become_others()


# The memory limit.


def a_limit(size: str, policy: str) -> ServerTarget:
    return a_server(maxmemory=size, maxmemory_policy=policy, hz="50")


LIMITS = [
    ("100000000", "200000000", ["maxmemory", "maxmemory-policy"]),
    ("200000000", "100000000", ["maxmemory-policy", "maxmemory"]),
    ("0", "100000000", ["maxmemory-policy", "maxmemory"]),
    ("100000000", "0", ["maxmemory", "maxmemory-policy"]),
]


@pytest.mark.parametrize(("old", "new", "order"), LIMITS, ids=["larger", "smaller", "one comes", "it goes"])
def test_memory_that_comes_comes_first_and_memory_that_goes_goes_last(
    server: Server, old: str, new: str, order: list[str]
) -> None:
    before, after = (
        server.place(server_target) for server_target in (a_limit(old, "noeviction"), a_limit(new, "allkeys-lru"))
    )
    becomes(ENGINE, before, after, server.driver)
    assert [statement.object[1] for statement in ENGINE.migrate(before, after)] == order


def test_nothing_is_evicted_by_a_policy_that_goes(server: Server) -> None:
    before, after = (
        server.place(server_target)
        for server_target in (a_limit("0", "volatile-ttl"), a_limit("1000000", "noeviction"))
    )
    outcomes(ENGINE.create(before), server.driver)
    for number in range(100):
        server.client.set(f"key:{number}", "x" * 20_000, ex=1000)
    statements = ENGINE.migrate(before, after)
    assert outcomes(statements, server.driver) == Counter(made=2)
    with pytest.raises(ResponseError, match="used memory > 'maxmemory'"):
        server.client.set("more", "x")
    assert len(list(server.client.scan_iter("key:*"))) == 100
    server.client.config_set("maxmemory-policy", "volatile-ttl")
    server.client.config_set("maxmemory", "1000000")
    assert len(list(server.client.scan_iter("key:*"))) < 100  # as it would be in the other order


# What is kept over a restart.


def test_what_was_changed_is_there_after_a_restart(program: str, tmp_path: Path) -> None:
    file = tmp_path / "server.conf"
    file.write_text("maxmemory-policy volatile-ttl\n")
    before, after = a_server(maxmemory_policy="volatile-ttl"), a_server(maxmemory_policy="allkeys-lru", hz="50")
    with booted(program, tmp_path, str(file)) as server:
        statements = ENGINE.migrate(server.place(before), server.place(after))
        assert outcomes(statements, server.driver) == Counter(made=2)
    with booted(program, tmp_path, str(file)) as server:
        assert remaining(ENGINE, server.place(after), server.driver) == []
        assert outcomes(statements, server.driver) == Counter(kept=2)


def test_a_server_without_a_file_is_changed_all_the_same(program: str, tmp_path: Path) -> None:
    before, after = a_server(hz="10"), a_server(hz="50")
    with booted(program, tmp_path) as server:
        with pytest.raises(ResponseError, match="The server is running without a config file"):
            server.client.config_rewrite()
        assert len(becomes(ENGINE, server.place(before), server.place(after), server.driver)) == 1


def test_a_setting_that_cannot_be_kept_is_not_made(program: str, tmp_path: Path) -> None:
    folder = tmp_path / "settings"
    folder.mkdir()
    file = folder / "server.conf"
    file.write_text("hz 10\n")
    with booted(program, tmp_path, str(file)) as server:
        shutil.rmtree(folder)
        statements = ENGINE.migrate(server.place(a_server(hz="10")), server.place(a_server(hz="50")))
        with pytest.raises(ApplyError, match="Rewriting config file: No such file or directory"):
            run(statements, server.driver, pace=PACE)
        assert server.client.config_get("hz") == {"hz": "10"}
        folder.mkdir()
        assert outcomes(statements, server.driver) == Counter(made=1)
        assert "hz 50" in file.read_text()


def test_what_is_read_at_start_has_no_step(server: Server) -> None:
    before, after = (server.place(a_server(cluster_enabled=value)) for value in ("no", "yes"))
    assert ENGINE.migrate(before, after) == ()
    with pytest.raises(ResponseError, match="immutable"):
        server.client.config_set("cluster-enabled", "yes")


def test_a_setting_that_somebody_else_chose_is_a_conflict(server: Server) -> None:
    before, after = (server.place(a_server(hz=number)) for number in ("20", "30"))
    outcomes(ENGINE.create(before), server.driver)
    server.client.config_set("hz", "40")
    assert outcomes(ENGINE.migrate(before, after), server.driver) == Counter(conflict=1)
    assert server.client.config_get("hz") == {"hz": "40"}


def test_a_group_whose_stream_is_gone_is_gone(server: Server) -> None:
    before, after = server.place(a_server(StreamTarget("old", ("x",)))), server.place(a_server())
    outcomes(ENGINE.create(before), server.driver)
    server.client.delete("old")
    with pytest.raises(ResponseError, match="requires the key to exist"):
        server.client.xgroup_destroy("old", "x")
    assert outcomes(ENGINE.migrate(before, after), server.driver) == Counter(kept=1)


def test_a_new_generation_leaves_the_groups_of_the_former_one(server: Server) -> None:
    """Keys of both generations stand side by side until the former is dropped."""
    before = server.place(BEFORE)
    assert before.streams
    assert ENGINE.migrate(before, replace(before, generation=2, streams=())) == ()
