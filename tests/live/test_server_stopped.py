"""Servers that stand still in the middle of a step, by SIGSTOP: a full disk, a sleeping machine, a long collection.

The statement is on its way by then, so that the server carries it out when it goes on, whoever waits for it no longer.
Each server is the test's own. KEYWRIGHT_CHAOS=1 has all engines stand still, and at every statement.
"""

import json
import os
import re
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from cassandra.cluster import ExecutionProfile
from redis import Redis
from tests.live.backfill_killed import main
from tests.live.crash_cases import CASES
from tests.live.crashing import Trap, apply, watched
from tests.live.readers import READERS, project
from tests.live.test_migrate_crash import IS_LONG, World, empty, undisturbed
from tests.live.test_migrate_outside import at_once, case_of, in_vain, is_lost_well

from keywright import local
from keywright.drivers.cassandra import driver as cassandra
from keywright.drivers.dynamodb import driver as dynamodb
from keywright.drivers.mongodb import driver as mongodb
from keywright.drivers.mongodb import ledger as mongodb_ledger
from keywright.drivers.mongodb import pages as mongodb_pages
from keywright.drivers.redis import driver as redis
from keywright.engines.contract.ledger import Ledger
from keywright.engines.interface import StatementFailed
from keywright.local import Running, WantedServer
from keywright.migrations.backfill.backfill import BackfillSettings
from keywright.migrations.backfill.segments import Counts
from keywright.migrations.lock import lease
from keywright.migrations.lock.lock import unlock
from keywright.project.migrations.folder import read_folder
from keywright.project.settings import read_settings
from keywright.record import Record, replace

pytestmark = pytest.mark.live

Start = Callable[..., Running]

CHEAP = ("mongodb", "redis")
LONG = [
    pytest.param(
        case, marks=pytest.mark.skipif(not IS_LONG and case not in CHEAP, reason="KEYWRIGHT_CHAOS=1 is not set")
    )
    for case in sorted(CASES)
]


class Own(Record):
    """A server that nobody else uses."""

    server: Running
    """The server."""
    wanted: list[Any]
    """What it holds in the end where nothing stands still."""

    def stop(self) -> None:
        """Let it stand still."""
        self._signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """Let it go on."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        assert self.server.pid is not None
        os.killpg(self.server.pid, number)


@pytest.fixture(scope="module", params=LONG)
def own(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Own]:
    engine, folder = request.param, tmp_path_factory.mktemp("own")
    instance = WantedServer(engine, "crash" if engine == "redis" else engine)
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv(f"KEYWRIGHT_{engine.upper()}_URL", raising=False)
        (server,) = local.up(folder, [instance], tell=lambda event: None)
    if not isinstance(server, Running):
        pytest.skip(f"{engine}: {server.reason}")
    if engine == "mongodb":
        abort_early(server)
    try:
        with pytest.MonkeyPatch.context() as patch:
            at_once(lambda instance: server, patch)
            yield Own(server, undisturbed(World(folder / "undisturbed", case_of(engine), server))[1])
    finally:
        local.down(folder, tell=lambda event: None)


def abort_early(server: Running) -> None:
    """Transactions that nobody ends are aborted by MongoDB after 60 seconds by default.

    Source: transactionLifetimeLimitSeconds of
    https://www.mongodb.com/docs/manual/reference/parameters/#mongodb-parameter-param.transactionLifetimeLimitSeconds,
    2026-11-23.
    """
    with mongodb.client(server.url) as client:
        client.admin.command("setParameter", 1, transactionLifetimeLimitSeconds=15)


def nobody_waits_long(server: Running, patch: pytest.MonkeyPatch) -> None:
    """The clients give up soon: else it would take most of a minute."""
    for module in (cassandra, dynamodb, mongodb, redis):
        patch.setattr(module, "client", partial(module.client, timeout_seconds=1))
    patch.setattr(cassandra, "ExecutionProfile", partial(ExecutionProfile, request_timeout=2))
    patch.setattr(mongodb_ledger, "TIMEOUT_SECONDS", 1)
    patch.setattr(lease, "PATIENCE_SECONDS", 0.5)
    often = "&heartbeatFrequencyMS=500" if server.instance.engine == "mongodb" else ""
    at_once(lambda instance: replace(server, url=server.url + often), patch)


@pytest.mark.parametrize(
    ("stands_still", "lease_seconds", "code"),
    [
        pytest.param(1, 60, 0, id="for a moment"),
        pytest.param(2.5, 2, 4, id="for longer than a lock lives without a beat"),
        pytest.param(None, 60, 3, id="for longer than anybody waits"),
    ],
)
def test_a_server_stands_still_within_a_step(
    stands_still: float | None,
    lease_seconds: float,
    code: int,
    own: Own,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    engine = own.server.instance.engine
    if stands_still is None:
        nobody_waits_long(own.server, monkeypatch)
    world = World(tmp_path, case_of(engine), own.server, lease_seconds)
    assert apply(world.root, *world.runs[0]) == 0
    trap, undone, known = Trap(prefix=world.prefix, is_deadly=False), Counter[str](), set[str]()
    while True:
        stopped = stops(own, trap, known, stands_still)
        capsys.readouterr()
        try:
            with watched(trap):
                result = apply(world.root, *world.runs[1])
        finally:
            own.go_on()
        readouterr = capsys.readouterr()
        assert result == (code if stopped else 0), readouterr
        if result == 3:
            is_lost_well(result, readouterr)
        if result == 4:
            assert "the lock was lost: no heartbeat succeeded for 1.33 s" in readouterr.err
            assert "run the same command again; it continues from the recorded state" in readouterr.err
        if not stopped or code == 0:
            break
        world.unlock()
        undone += in_vain(world, trap)
    assert world.end() == own.wanted
    with capsys.disabled():
        print(f"\n{world.case.store}: stood still {len(known)} times")
    assert not trap.effects - undone - Counter(trap.effects.keys())
    world.forget()


def stops(own: Own, trap: Trap, known: set[str], seconds: float | None) -> list[str]:
    """Let the server stand still once, at a statement at which it did not yet; what is returned then tells at which."""
    stopped: list[str] = []
    is_everywhere = IS_LONG and seconds is not None  # else it would take most of an hour

    def begins(effect: str) -> None:
        if stopped or effect in known or (known and not is_everywhere):
            return
        known.add(effect)
        stopped.append(effect)
        own.stop()
        if seconds is not None:
            threading.Timer(seconds, own.go_on).start()

    trap.begins = begins
    trap.revive()
    return stopped


READ, STOPPED = 200, 3
"""Readers, and the page behind which the server stands still."""


@contextmanager
def unused(server: Running) -> Iterator[None]:
    """Within the block, a Redis server, which has no names, is as nobody has used it; and afterwards."""
    if server.instance.engine != "redis":
        yield
        return
    with Redis.from_url(server.url) as asking:
        empty(server.url)
        before: Any = asking.config_get()
        yield
        after: Any = asking.config_get()
        for name in before:
            if after[name] != before[name]:
                asking.config_set(name, before[name])


class Pages:
    """Told of each page that is behind a backfill; lets the server stand still once."""

    def __init__(self, own: Own, seconds: float | None) -> None:
        self.number, self._own, self._seconds = 0, own, seconds

    def release(self) -> None:
        """One more page."""
        self.number += 1
        if self.number == STOPPED:
            self._own.stop()
            if self._seconds is not None:
                threading.Timer(self._seconds, self._own.go_on).start()


def assert_free(ledger: Ledger) -> None:
    """Release the lock. In MongoDB a transaction that nobody ends keeps its document until the server ends it."""
    ends = time.monotonic() + 60
    while holder := ledger.lock().owner:
        try:
            unlock(ledger, holder)
        except StatementFailed:
            assert time.monotonic() < ends


@pytest.mark.parametrize(
    ("stands_still", "lease_seconds", "code", "why"),
    [
        pytest.param(2.5, 2, 4, "the lock was lost", id="for longer than a lock lives without a beat"),
        # What was sent and not answered may be carried out later, and stand in the way of what is sent again.
        pytest.param(None, 60, 3, "could not reach it|WriteConflict", id="for longer than anybody waits"),
    ],
)
def test_a_server_stands_still_within_a_backfill(
    stands_still: float | None,
    lease_seconds: float,
    code: int,
    why: str,
    own: Own,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    engine = own.server.instance.engine
    daily = project(tmp_path, engine, lease_seconds)
    migration = read_folder(read_settings(daily.root)).migrations[1]
    gate = next(f"0002/{step.n}" for step in migration.steps if step.by == "human")
    step = next(f"0002/{step.n}" for step in migration.steps if step.op == "backfill")
    settings, pages = BackfillSettings(segments=4, page=10), Pages(own, stands_still)
    monkeypatch.setattr(mongodb_pages, "LEAST", 1)
    with unused(own.server), READERS[engine](own.server.url, daily.prefix) as readers:
        assert daily("apply", "--local", "--to", "0001").code == 0
        for at in range(READ):
            readers.put_old(f"r{at}", f"Ada L{at}")
        assert daily("apply", "--local").code == 4, "the gate before the backfill"
        capsys.readouterr()
        with pytest.MonkeyPatch.context() as patch:
            if stands_still is None:
                nobody_waits_long(own.server, patch)
            try:
                result = main(tmp_path, [gate], settings, 0, True, pages)
            finally:
                own.go_on()
        readouterr = capsys.readouterr()
        assert (result, pages.number >= STOPPED) == (code, True), readouterr
        assert re.search(why, readouterr.err)
        with daily.site(*migration.stores) as site:
            assert_free(site.ledger)
        assert main(tmp_path, [gate], settings, 0, True, pages) == 4, "the gate behind the backfill"
        counts = Counts(**json.loads(daily("backfill", step, "--local", "--format", "json").out)["counts"])
        assert (counts.is_exact, counts.rejected, counts.contended) == (True, 0, 0)
        assert READ <= counts.read <= READ + settings.workers * settings.page, "a page of each worker is met again"
        names = {key: (entry["first"], entry["last"]) for key, entry in readers.read().items()}
        assert names == {f"r{at}": ("Ada", f"L{at}") for at in range(READ)}
