"""Stopping servers, and telling which ones run."""

import json
from pathlib import Path

import pytest

from keywright import local
from keywright.errors import UsageError
from keywright.local import FoundServer, Running, ServerEvent, UnavailableServer, WantedServer, process

from .conftest import Pretend

MONGODB, SESSIONS = WantedServer("mongodb", "mongodb"), WantedServer("redis", "sessions")
STUBBORN = """
import signal, socket, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
server = socket.create_server(("127.0.0.1", int(sys.argv[1])))
while True:
    server.accept()[0].close()
"""


def test_down_stops_the_server_and_keeps_its_log(folder: Path, events: list[ServerEvent], pretend: Pretend) -> None:
    pretend("mongodb")
    (server,) = local.up(folder, [MONGODB], tell=events.append)
    assert local.down(folder, tell=events.append) == (server,)
    assert isinstance(server, Running)
    assert server.pid
    assert process.started_at(server.pid) == ""
    assert local.log_path(folder, MONGODB).is_file()
    assert local.running(folder) == ()


def test_down_takes_only_the_engines_that_it_is_given(
    folder: Path, events: list[ServerEvent], pretend: Pretend
) -> None:
    pretend("mongodb")
    pretend("redis")
    mongodb, redis = local.up(folder, [MONGODB, SESSIONS], tell=events.append)
    assert local.down(folder, ["redis"], tell=events.append) == (redis,)
    assert local.running(folder) == (mongodb,)


def test_down_without_any_server_does_nothing(folder: Path, events: list[ServerEvent]) -> None:
    assert local.down(folder, tell=events.append) == ()
    assert events == []
    assert not folder.exists()


def test_down_refuses_an_unknown_engine(folder: Path, events: list[ServerEvent]) -> None:
    with pytest.raises(UsageError, match='there is no local server for "firestore"'):
        local.down(folder, ["firestore"], tell=events.append)


def test_a_server_that_ignores_the_request_is_killed(folder: Path, events: list[ServerEvent], pretend: Pretend) -> None:
    pretend("mongodb", STUBBORN, stop_seconds=0.1)
    (server,) = local.up(folder, [MONGODB], tell=events.append)
    local.down(folder, tell=events.append)
    assert isinstance(server, Running)
    assert server.pid
    assert process.started_at(server.pid) == ""


def test_a_listener_that_fails_leaves_no_server_behind(folder: Path, pretend: Pretend) -> None:
    pretend("mongodb")
    pretend("redis")

    def broken(event: ServerEvent) -> None:
        raise BrokenPipeError

    local.up(folder, [MONGODB, SESSIONS], tell=lambda event: None)
    with pytest.raises(BrokenPipeError):
        local.down(folder, tell=broken)
    assert local.running(folder) == ()
    assert not (folder / "mongodb" / "process.json").exists()


def test_a_process_with_another_start_time_is_not_touched(
    folder: Path, events: list[ServerEvent], pretend: Pretend
) -> None:
    pretend("mongodb")
    (server,) = local.up(folder, [MONGODB], tell=events.append)
    assert isinstance(server, Running)
    assert server.pid
    file = folder / "mongodb" / "process.json"
    ours = file.read_text()
    file.write_text(json.dumps(json.loads(ours) | {"started_at": "1"}))
    assert local.down(folder, tell=events.append) == ()
    assert process.started_at(server.pid)
    file.write_text(ours)


def test_the_record_of_a_process_that_is_gone_counts_for_nothing(
    folder: Path, events: list[ServerEvent], pretend: Pretend
) -> None:
    pretend("mongodb")
    (server,) = local.up(folder, [MONGODB], tell=events.append)
    assert isinstance(server, Running)
    assert server.pid
    process.end(server.pid, process.started_at(server.pid), 0)
    assert (folder / "mongodb" / "process.json").exists()
    assert local.running(folder) == ()


def test_a_record_that_cannot_be_read_counts_for_nothing(folder: Path) -> None:
    (folder / "mongodb").mkdir(parents=True)
    (folder / "mongodb" / "process.json").write_text("{")
    assert local.running(folder) == ()


def test_status_tells_what_runs_what_could_and_what_is_missing(
    folder: Path, events: list[ServerEvent], pretend: Pretend
) -> None:
    pretend("mongodb")
    pretend("redis")
    pretend("cassandra", missing=UnavailableServer("needs Java 17, found 25", "install Java 17"))
    (mongodb,) = local.up(folder, [MONGODB], tell=events.append)
    first, second, third = local.status(folder, [MONGODB, SESSIONS, WantedServer("cassandra", "cassandra")])
    assert first == mongodb
    assert isinstance(second, FoundServer)
    assert second.source == "test"
    assert isinstance(third, UnavailableServer)
    assert third.reason == "needs Java 17, found 25"
