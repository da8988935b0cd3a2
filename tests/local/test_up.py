"""Starting the servers of a project."""

import json
import socket
import stat
from pathlib import Path

import pytest

from keywright import local
from keywright.drivers.translate_errors import not_installed
from keywright.errors import Unavailable, UsageError
from keywright.local import Running, ServerEvent, UnavailableServer, WantedServer, process, several
from keywright.local.ports import END, FIRST, free_ports

from .conftest import Answers, Pretend

MONGODB = WantedServer("mongodb", "mongodb")
SESSIONS, SCORES = WantedServer("redis", "sessions"), WantedServer("redis", "scores")
WANTED = UnavailableServer("needs Java 17, found 25", "install Java 17")


def test_a_started_server_has_a_process_a_port_and_an_address(
    folder: Path, events: list[ServerEvent], pretend: Pretend
) -> None:
    pretend("mongodb")
    (server,) = local.up(folder, [MONGODB], tell=events.append)
    assert isinstance(server, Running)
    assert server.port is not None
    assert FIRST <= server.port < END
    assert server.url == f"mongodb://127.0.0.1:{server.port}/?directConnection=true"
    assert server.version == "1.2.3"
    assert server.pid
    assert process.started_at(server.pid)
    assert [event.phase for event in events] == ["start", "ready"]


def test_each_declared_redis_server_is_a_process_of_its_own(
    folder: Path, events: list[ServerEvent], pretend: Pretend
) -> None:
    pretend("redis")
    first, second = local.up(folder, [SESSIONS, SCORES], tell=events.append)
    assert isinstance(first, Running)
    assert isinstance(second, Running)
    assert first.pid != second.pid
    assert first.port != second.port
    assert local.log_path(folder, SESSIONS) == folder / "redis" / "sessions" / "log"
    assert local.log_path(folder, SESSIONS).is_file()


def test_a_running_server_is_left_alone(folder: Path, events: list[ServerEvent], pretend: Pretend) -> None:
    pretend("mongodb")
    before = local.up(folder, [MONGODB], tell=events.append)
    events.clear()
    assert local.up(folder, [MONGODB], tell=events.append) == before
    assert events == []


def test_a_server_begins_with_empty_data(folder: Path, events: list[ServerEvent], pretend: Pretend) -> None:
    pretend("mongodb")
    left = folder / "mongodb" / "data" / "rows"
    left.parent.mkdir(parents=True)
    left.write_text("old")
    local.up(folder, [MONGODB], tell=events.append)
    assert not left.exists()


def test_a_server_that_never_became_ready_is_started_anew(
    folder: Path, events: list[ServerEvent], pretend: Pretend
) -> None:
    pretend("mongodb")
    (first,) = local.up(folder, [MONGODB], tell=events.append)
    file = folder / "mongodb" / "process.json"
    file.write_text(json.dumps(json.loads(file.read_text()) | {"is_ready": False}))
    (second,) = local.up(folder, [MONGODB], tell=events.append)
    assert isinstance(first, Running)
    assert isinstance(second, Running)
    assert first.pid
    assert first.pid != second.pid
    assert process.started_at(first.pid) == ""


def test_a_server_that_dies_on_start_shows_the_end_of_its_log(
    folder: Path, events: list[ServerEvent], pretend: Pretend
) -> None:
    pretend("mongodb", "print('reading settings'); print('bad option: --nonsense'); raise SystemExit(3)")
    with pytest.raises(Unavailable) as caught:
        local.up(folder, [MONGODB], tell=events.append)
    assert caught.value.problem == (
        "mongodb ended with exit code 3 before it was ready; the end of its log:\n"
        "  reading settings\n"
        "  bad option: --nonsense"
    )
    assert caught.value.help == f"the whole log is {folder / 'mongodb' / 'log'}"


def test_a_port_that_another_program_took_first_is_given_up_for_another(
    folder: Path, events: list[ServerEvent], pretend: Pretend, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        taken = other.getsockname()[1]

        class Ours(Answers):
            def is_ready(self, url: str) -> bool:
                return str(taken) not in url

        pretend("mongodb", driver=Ours)
        choices = [(taken,), free_ports([1])]
        monkeypatch.setattr(several, "free_ports", lambda spans: choices.pop(0))
        (server,) = local.up(folder, [MONGODB], tell=events.append)
    assert isinstance(server, Running)
    assert server.port != taken


def test_a_server_that_is_never_ready_is_stopped(folder: Path, events: list[ServerEvent], pretend: Pretend) -> None:
    pretend("mongodb", ready_seconds=0, driver=lambda: Answers(ready=False))
    with pytest.raises(Unavailable, match=r"mongodb was not ready after 0 s; the end of its log:\n  \(nothing\)"):
        local.up(folder, [MONGODB], tell=events.append)
    assert [event.phase for event in events] == ["start", "stop"]
    assert local.running(folder) == ()


def test_a_program_that_cannot_be_run_is_named(
    folder: Path, events: list[ServerEvent], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    text = tmp_path / "mongod"
    text.write_text("not a program")
    monkeypatch.setenv("KEYWRIGHT_MONGOD", str(text))
    with pytest.raises(Unavailable) as caught:
        local.up(folder, [MONGODB], tell=events.append)
    assert caught.value.problem == f'"{text}" cannot be run: Permission denied'
    assert caught.value.help == "it comes from $KEYWRIGHT_MONGOD"


def test_a_missing_engine_is_skipped_and_the_others_start(
    folder: Path, events: list[ServerEvent], pretend: Pretend
) -> None:
    pretend("mongodb", missing=WANTED)
    pretend("redis")
    absent, present = local.up(folder, [MONGODB, SESSIONS], tell=events.append)
    assert isinstance(absent, UnavailableServer)
    assert absent.reason == "needs Java 17, found 25"
    assert isinstance(present, Running)
    assert ServerEvent("mongodb", "mongodb", "skip", "needs Java 17, found 25") in events


def test_a_missing_engine_that_is_required_is_an_error_after_the_others_started(
    folder: Path, events: list[ServerEvent], pretend: Pretend
) -> None:
    pretend("mongodb", missing=WANTED)
    pretend("redis")
    with pytest.raises(Unavailable) as caught:
        local.up(folder, [MONGODB, SESSIONS], required={"mongodb"}, tell=events.append)
    assert caught.value.problem == 'no server for "mongodb", which is required: needs Java 17, found 25'
    assert [server.instance for server in local.running(folder)] == [SESSIONS]


def test_an_engine_without_its_extra_is_skipped(folder: Path, events: list[ServerEvent], pretend: Pretend) -> None:
    def no_driver() -> Answers:
        raise not_installed("mongodb")

    pretend("mongodb", driver=no_driver)
    answer = UnavailableServer('the extra "mongodb" is not installed', 'pip install "keywright[mongodb]"')
    assert local.up(folder, [MONGODB], tell=events.append) == (answer,)
    assert local.status(folder, [MONGODB]) == (answer,)


def test_an_unknown_engine_is_a_wrong_usage(folder: Path, events: list[ServerEvent]) -> None:
    with pytest.raises(UsageError) as caught:
        local.up(folder, [WantedServer("mongo", "mongo")], tell=events.append)
    assert caught.value.problem == 'there is no local server for "mongo"'
    assert caught.value.help == 'did you mean "mongodb"?'


def test_an_interrupt_stops_what_this_call_started_and_nothing_else(folder: Path, pretend: Pretend) -> None:
    pretend("mongodb")
    pretend("redis")
    (before,) = local.up(folder, [MONGODB], tell=lambda event: None)
    events: list[ServerEvent] = []

    def interrupt(event: ServerEvent) -> None:
        events.append(event)
        if event.phase == "ready":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        local.up(folder, [MONGODB, SESSIONS, SCORES], tell=interrupt)
    assert local.running(folder) == (before,)
    assert not (folder / "redis" / "sessions" / "process.json").exists()
    assert not (folder / "redis" / "scores" / "process.json").exists()


def test_what_a_server_stores_is_for_its_user_alone(folder: Path, events: list[ServerEvent], pretend: Pretend) -> None:
    pretend("mongodb")
    local.up(folder, [MONGODB], tell=events.append)
    own = folder / "mongodb"
    modes = {path: stat.S_IMODE(path.stat().st_mode) for path in (folder, own, *own.rglob("*"))}
    assert {mode for path, mode in modes.items() if path.is_dir()} == {0o700}
    assert {mode for path, mode in modes.items() if path.is_file()} == {0o600}
