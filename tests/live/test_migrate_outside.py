"""What goes wrong around a migration: networks, servers, disks, and the people at two terminals."""

import errno
import json
import os
import re
import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from tests.live.crash_cases import CASES, Case
from tests.live.crashing import Trap, apply, project, watched
from tests.live.daily import Daily, books, ended
from tests.live.proxy import Proxy
from tests.live.test_migrate_crash import IS_LONG, SECONDS, World, together
from tests.live.test_redis import booted, program

from keywright.api.live import connect
from keywright.cli.main import run
from keywright.drivers.mongodb import driver as mongodb
from keywright.drivers.mongodb import ledger
from keywright.local import Running, WantedServer
from keywright.migrations.lock import lease
from keywright.migrations.run import runner
from keywright.migrations.run.runner import Pace
from keywright.project import files as writing
from keywright.record import replace

pytestmark = pytest.mark.live

Start = Callable[..., Running]


def case_of(engine: str) -> Case:
    """What a store becomes: on its way to the second version it meets enough, to the last one where there is time."""
    case = CASES[engine]()
    return case if IS_LONG else replace(case, states=case.states[:2])


def server_of(engine: str, start: Start) -> Running:
    return start(engine, "crash" if engine == "redis" else "")


def begun_on(
    engine: str, start: Start, folder: Path, monkeypatch: pytest.MonkeyPatch, lease_seconds: float = 60
) -> World:
    """A store of an engine, where the first version is."""
    server = server_of(engine, start)
    monkeypatch.setenv(f"KEYWRIGHT_{engine.upper()}_URL", server.url)
    at_once(lambda instance: server_of(instance.engine, start), monkeypatch)
    world = World(folder / engine, case_of(engine), server, lease_seconds)
    assert apply(world.root, *world.runs[0]) == 0
    return world


def at_once(server: Callable[[WantedServer], Running], patch: pytest.MonkeyPatch) -> None:
    """In this process, servers are not asked whether they run, and steps are looked at often."""
    patch.setattr(connect, "running_servers", lambda settings, expected: {entry: server(entry) for entry in expected})
    patch.setattr(runner, "Pace", lambda: Pace(SECONDS, 0.01, 1))


@pytest.fixture
def world(start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[World]:
    """A store of MongoDB."""
    created = begun_on("mongodb", start, tmp_path, monkeypatch, lease_seconds=2)
    yield created
    created.forget()


def finishes(world: World, trap: Trap, undone: Counter[str]) -> None:
    """The same command does the rest, and sends nothing that took effect again.

    undone: how often each statement was asked for in vain.
    """
    trap.is_due, trap.begins = lambda moment: False, lambda effect: None
    with watched(trap):
        assert apply(world.root, *world.runs[1]) == 0
    world.end()
    assert not trap.effects - undone - Counter(trap.effects.keys())
    world.forget()


def in_vain(world: World, trap: Trap) -> Counter[str]:
    """The statements that were asked for, and of which the server shows nothing."""
    shown_nothing = {effect.replace(world.prefix, "") for effect in world.unfinished()}
    return Counter(shown_nothing & trap.effects.keys())


@pytest.mark.parametrize("engine", sorted(CASES))
def test_the_network_is_cut_within_a_step(
    engine: str, start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before a statement, then in place of the answer to one; and so on for every step, where there is time.

    The locks that nobody could release are released by hand, but for the last one of Redis, which is waited out.
    """
    server = server_of(engine, start)
    proxy = Proxy(server.url)
    monkeypatch.setattr(mongodb, "client", partial(mongodb.client, timeout_seconds=1))
    monkeypatch.setattr(ledger, "TIMEOUT_SECONDS", 1)
    monkeypatch.setattr(lease, "PATIENCE_SECONDS", 0.5)
    at_once(lambda instance: replace(server, url=proxy.url), monkeypatch)
    try:
        world = World(tmp_path, case_of(engine), server, lease_seconds=6)
        assert apply(world.root, *world.runs[0]) == 0
        trap, undone, known = Trap(prefix=world.prefix, is_deadly=False), Counter[str](), set[str]()
        for loss in LOSSES * (100 if IS_LONG else 1):
            trap.revive()
            loses(trap, proxy, loss, known)
            capsys.readouterr()
            with watched(trap):
                code = apply(world.root, *world.runs[1])
            if code == 0:
                break
            is_lost_well(code, capsys.readouterr())
            proxy.heal()
            if engine != "redis" or loss == LOSSES[0]:
                world.unlock()
            undone += in_vain(world, trap)
        assert len(known) >= len(LOSSES)
        with capsys.disabled():
            print(f"\n{world.case.store}: the network was lost {len(known)} times")
        finishes(world, trap, undone)
    finally:
        proxy.end()


LOSSES = ("before a statement", "instead of its answer")


def loses(trap: Trap, proxy: Proxy, loss: str, known: set[str]) -> None:
    """Let the network be lost once, where it was not lost before."""
    here: list[str] = []

    def is_new(what: str) -> bool:
        if here or what in known:
            return False
        known.add(what)
        here.append(what)
        return True

    is_before = loss == "before a statement"
    trap.kill = lambda moment: proxy.cut()
    trap.is_due = lambda moment: is_before and moment.endswith(" intent") and is_new(moment)
    trap.begins = lambda effect: proxy.lose_answers() if not is_before and is_new(effect) else None


def is_lost_well(code: int, said: Any) -> None:
    """Whoever reads what was said knows what to do."""
    assert code == 3, said
    assert said.err.splitlines()[-2].startswith("error: "), said
    assert "run the same command again" in said.err.splitlines()[-1]
    assert "Traceback" not in said.err


def test_a_server_is_stopped_within_a_step_and_started_again(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A Redis of its own, which keeps what it is told."""
    file = tmp_path / "server" / "server.conf"
    file.parent.mkdir()
    file.write_text('save ""\nappendonly yes\nappendfsync always\n')
    binary = program(start)
    with booted(binary, file) as url:
        monkeypatch.setenv("KEYWRIGHT_REDIS_URL", url)
        server = Running(start("redis", "crash").instance, None, None, url, "", "")
        world = World(tmp_path / "project", CASES["redis"](), server, lease_seconds=6)
        assert apply(world.root, *world.runs[0]) == 0

        def stop(moment: str) -> None:
            with Redis.from_url(url) as asking:
                asking.shutdown(nosave=True)

        trap = Trap(prefix=world.prefix, is_deadly=False, kill=stop)
        trap.is_due = lambda moment: "after effect 0002/" in moment
        with watched(trap):
            code = apply(world.root, *world.runs[1])
        readouterr = capsys.readouterr()
        assert code == 3, readouterr
        assert "could not reach it" in readouterr.err
    with booted(binary, file) as url:
        monkeypatch.setenv("KEYWRIGHT_REDIS_URL", url)
        trap.revive()
        finishes(world, trap, in_vain(world, trap))


def test_ctrl_c_lets_the_locks_go_at_once_and_the_rest_is_done_later(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    worlds = [begun_on(engine, start, tmp_path, monkeypatch) for engine in CASES]
    codes = together(worlds, False, {"at": "after effect 0002/", "does": "stop"})
    assert codes == dict.fromkeys(worlds, 130)
    for world in worlds:
        assert world.said.read_text(encoding="utf-8").splitlines()[-1] == "interrupted"
        with world.site() as site:
            assert site.ledger.lock().owner is None
        trap = Trap(effects=Counter(world.log.read_text(encoding="utf-8").splitlines()))
        finishes(world, trap, Counter())


def begun(world: World, *options: str, **where: Any) -> "subprocess.Popen[str]":
    """A terminal at which somebody applies."""
    output = {**where, "folder": str(world.root), "log": str(world.log), "options": (*world.runs[1], *options)}
    command = [sys.executable, "-m", "tests.live.crashing", json.dumps(output)]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True)


def test_of_two_terminals_one_works_and_the_other_waits_or_gives_up(world: World) -> None:
    """The first one stands still for longer than a dead one would be waited out."""
    first = begun(world, at="after effect 0002/", does="rest", delay=3)
    assert first.stdout is not None
    while not first.stdout.readline().startswith("at: "):
        assert first.poll() is None
    second, third = begun(world), begun(world, "--lock-timeout", "0.1")
    gave_up = ended(third)
    print(file=first.stdin, flush=True)
    waited, worked = ended(second), ended(first)
    assert (gave_up.code, waited.code, worked.code) == (4, 0, 0)
    assert f"/{first.pid}/" in gave_up.err
    assert "release its lock: keywright migrate unlock --owner " in gave_up.err
    assert waited.out == "nothing to apply\n"
    world.end()
    assert set(Counter(world.log.read_text(encoding="utf-8").splitlines()).values()) == {1}


@pytest.fixture
def library(tmp_path: Path) -> Daily:
    """A project with one version, and models that are ahead of it; no server is asked."""
    daily = Daily(tmp_path / "library", books("title"))
    assert daily("diff", "-m", "first").code == 0
    daily.becomes(books("title", "author", more="author: str | None = None"))
    return daily


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def test_where_the_disk_is_full_nothing_is_half_written(library: Daily) -> None:
    """Each file in its turn is the one for which there is no room."""
    before = files(library.root / "migrations")
    for at in count():
        with pytest.MonkeyPatch.context() as patch:
            written = full_at(at, patch)
            said = library("diff", "-m", "authors")
        if len(written) <= at:
            break
        assert said.code == 2
        assert re.fullmatch(r'error: cannot write ".*": no space left on device\n  help: .*\n', said.err)
        assert files(library.root / "migrations") == before
    assert at > 3
    assert said.code == 0
    assert library("diff", "--check").code == 0


def full_at(at: int, patch: pytest.MonkeyPatch) -> list[str]:
    """The files of versions that are written, of which one meets a full disk halfway."""
    written, real = list[str](), writing._write

    def write(path: str, text: str) -> None:
        if f"{os.sep}migrations{os.sep}" in path and Path(path).parent.is_dir():
            written.append(path)
            if len(written) == at + 1:
                Path(path).write_text(text[: len(text) // 2], encoding="utf-8")
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path)
        real(path, text)

    patch.setattr(writing, "_write", write)
    return written


UNREADABLE, NO_VALUE = (
    "could not reach it: its address is invalid",
    "an option without a value; write ?name=value&name=value",
)


@pytest.mark.parametrize(
    ("engine", "address", "why"),
    [
        ("mongodb", "mongodb://me:secret@127.0.0.1:1/?secret", f"its address has {NO_VALUE}"),
        ("mongodb", "mongodb://me:sec@ret@127.0.0.1:1/", f"{UNREADABLE}, or its name is unknown"),
        ("redis", "redis://me:secret@127.0.0.1:1/?secret", f"its address has {NO_VALUE}"),
        ("cassandra", "cassandra://me:secret@127.0.0.1:1/?secret", f"its address has {NO_VALUE}"),
        ("redis", "redis://me:secret@127.0.0.1:1/?socket_timeout=secret", UNREADABLE),
    ],
)
def test_an_address_that_a_client_cannot_read_is_no_bug(
    engine: str,
    address: str,
    why: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv(f"KEYWRIGHT_STORE_{engine.upper()}", address)
    project(tmp_path, CASES[engine](), "")
    assert run(["--project", str(tmp_path), "--env", "dev", "migrate", "status"]) == 3
    assert capsys.readouterr().err == (
        f"error: {engine}/crashed: {why}\n"
        f"  help: check that it runs, and the address in KEYWRIGHT_STORE_{engine.upper()}\n"
    )


def test_a_file_that_may_not_grow_is_told_as_a_full_disk_is(library: Daily) -> None:
    before = files(library.root / "migrations")

    def small() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))

    process = subprocess.run(
        [sys.executable, "-m", "keywright", "migrate", "diff", "-m", "authors"], cwd=library.root, text=True,
        capture_output=True, check=False, preexec_fn=small,
    )  # fmt: skip
    assert process.returncode == 2, process.stderr
    assert "file too large" in process.stderr
    assert files(library.root / "migrations") == before
