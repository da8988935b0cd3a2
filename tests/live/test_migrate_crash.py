"""Migrations that die at every moment, on the four real servers.

For each engine a store goes through versions that together hold every change which a version lands by native
statements; that none is missing is read off the engine's own table of changes. Every run ends right after one call of
the store (a row of the history, a look, a statement), which is every moment that a server can tell from another: before
an intent is after whatever came before it. Most deaths are simulated in this process (see `crashing`), with the lock
still held and released by `unlock`; of each engine some are real processes under SIGKILL, the last of which is waited
out. By default each run is killed at the first moment at which none was killed before, until one gets through: so every
moment is survived once, and every recovery is itself cut off. KEYWRIGHT_CHAOS=1 begins anew for each of them.
"""

import os
import re
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from tests.live import crashing
from tests.live.crash_cases import CASES, Case, rows_that_land
from tests.live.crashing import Killed, Trap, apply, gates, project, watched
from tests.live.forked import Process, begun, code_of

from keywright.api.live import connect
from keywright.api.live.local_servers import connected
from keywright.cli.main import run
from keywright.drivers.dynamodb import driver as dynamodb
from keywright.engines.contract.classes import row_of
from keywright.engines.contract.plan import ObjectState, probe_among
from keywright.local import Running
from keywright.migrations.lock.lock import unlock
from keywright.migrations.run import runner
from keywright.migrations.run.position import position, snapshot_before
from keywright.migrations.run.records import is_step_done, pending, recorded, step_key
from keywright.migrations.run.runner import Pace
from keywright.migrations.snapshot import applied
from keywright.project.migrations.folder import Folder
from keywright.project.settings import read_settings

pytestmark = pytest.mark.live

IS_LONG = bool(os.environ.get("KEYWRIGHT_CHAOS"))
NUMBERS = count()
SECONDS = 30
"""The longest wait for one step: on these servers none takes that long."""


@pytest.fixture(scope="module", params=sorted(CASES))
def case(request: pytest.FixtureRequest) -> Case:
    return CASES[request.param]()


@pytest.fixture(scope="module")
def server(case: Case, start: Callable[..., Running]) -> Running:
    engine = case.engine.name
    return start(engine, "crash" if engine == "redis" else "")


@pytest.fixture
def cheap(server: Running, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with cheaply(server, monkeypatch):
        yield


@contextmanager
def cheaply(server: Running, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One connection for all runs of this process, which differ in what they do with it."""
    with connected(server) as driver:

        @contextmanager
        def same(_: Any) -> Iterator[Any]:
            yield driver

        monkeypatch.setattr(connect, "connected", same)
        monkeypatch.setattr(connect, "running_servers", lambda settings, expected: dict.fromkeys(expected, server))
        monkeypatch.setattr(runner, "Pace", lambda: Pace(SECONDS, 0.01, 1))
        yield


def empty(url: str) -> None:
    """Make a Redis server as if nobody had used it."""
    with Redis.from_url(url) as asking:
        asking.flushall()
        asking.config_set("maxmemory-policy", "noeviction")
        asking.config_set("timeout", "0")


class World:
    """A project on names, or a Redis server, that nobody has used."""

    def __init__(self, root: Path, case: Case, server: Running, lease_seconds: float = 60) -> None:
        self.root, self.case, self.prefix = root, case, f"crash{next(NUMBERS)}_"
        self.folder: Folder = project(root, case, self.prefix, lease_seconds)
        self.url = server.url
        self.runs = (("--to", "0001"), tuple(gates(self.folder)))
        if case.engine.name == "redis":
            empty(server.url)

    @contextmanager
    def site(self) -> Iterator[Any]:
        """Its store."""
        where = connect.StoreSelector(read_settings(self.root), "dev", is_local=True)
        with connect.opened(where, [self.case.store]) as opened:
            yield opened[self.case.store]

    @property
    def log(self) -> Path:
        """The statements that processes have sent."""
        return self.root / "statements"

    @property
    def said(self) -> Path:
        """What processes have said."""
        return self.root / "said"

    def forget(self) -> None:
        """Remove what was made: a server fills up, and DynamoDB Local builds no index beside some expiring tables."""
        if self.case.engine.name == "redis":
            return
        with self.site() as site:
            names = [name for name in site.driver.names() if name.startswith(self.prefix)]
            if self.case.engine.name == "dynamodb":
                client: Any = dynamodb.client(self.url)
                for name in names:
                    client.update_table(TableName=name, DeletionProtectionEnabled=False)
                client.close()
            site.driver.drop(names)

    def unfinished(self) -> set[str]:
        """The statements of stages that were begun, as far as the server, once it rests, shows nothing of them."""
        with self.site() as site:
            history = {site.store: recorded(site.ledger.rows(""))}
            migration = pending(self.folder.migrations, history)[0]
            before = position(migration, snapshot_before(self.folder.migrations, migration), history)
            step = next(step for step in migration.steps if not is_step_done(migration, step, history))
            after = applied(before, migration.changes_of(step))
            steps = site.statements(before[site.store], after[site.store])
            live = settled(lambda: site.driver.introspect({step.target for step in steps}))
            absent = [
                step for at, step in enumerate(steps) if probe_among(steps, at, live[step.target]) is ObjectState.ABSENT
            ]
            return {f"{step_key(migration, step)} {entry.summary}" for entry in absent}

    def unlock(self) -> None:
        """Release the lock of the process that died."""
        with self.site() as site:
            owner = site.ledger.lock().owner
            assert owner is None or unlock(site.ledger, owner)

    def end(self) -> list[Any]:
        """What the server holds of each version's targets, once every version is done, nothing differs, and nobody
        holds the lock.
        """
        assert run(["--project", str(self.root), "drift", "--local"]) == 0
        with self.site() as site:
            history = recorded(site.ledger.rows(""))
            assert all(history.is_done(migration) for migration in self.folder.migrations)
            assert site.ledger.lock().owner is None
            targets = [migration.snapshot.stores.get(self.case.store, {}) for migration in self.folder.migrations]
            return [self._native(site, key, output) for target in targets for key, output in sorted(target.items())]

    def _native(self, site: Any, key: str, told: Any) -> Any:
        placed = site.place(key, told)
        live = site.driver.introspect([placed.name])[placed.name]
        return live and site.engine.describe(site.engine.managed(site.engine.parse(live), placed))["native"]

    def named(self, moment: str) -> str:
        """What tells moments apart: their place in a long run, else their kind."""
        return moment if IS_LONG else self.kind(moment)

    def kind(self, moment: str) -> str:
        """A moment by what it is, whatever the version: what its stage changes, and what was done last.

        A look alters nothing, so that of looks it counts what they come after, and not the change.
        """
        match = re.search(r"(\d{4})(?:/(\d{5}))?", moment)
        rest = re.sub(r'"[^"]*"|\d{4}(/\d{5})?', "", moment)
        if match is None or match[2] is None:
            return re.sub(r"look \d", "look", rest)
        migration = next(migration for migration in self.folder.migrations if migration.number == match[1])
        step = next(step for step in migration.steps if step.n == int(match[2]))
        if "look" in rest:
            before = rest.split()[4]
            return f"{step.op} look after {before if before in ('intent', 'done') else 'effect'}"
        rows = [row_of(self.case.engine.classes, change) for change in migration.changes_of(step) if change.is_native]
        return f"{step.op} {sorted({(row.kind.__name__, row.why) for row in rows})} {rest}"


def test_every_change_that_lands_is_put_to_the_test(case: Case, tmp_path: Path) -> None:
    folder = project(tmp_path, case, "")
    applied = [
        numbered_change.change
        for migration in folder.migrations
        for numbered_change in migration.changes
        if numbered_change.change.is_native
    ]
    rows = {row_of(case.engine.classes, change) for change in applied}
    assert {(row.kind, row.why) for row in rows} == {
        (class_rule.kind, class_rule.why) for class_rule in rows_that_land(case.engine)
    }


@pytest.mark.usefixtures("cheap")
def test_a_run_survives_death_at_every_moment(
    case: Case, server: Running, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    quiet, expected = undisturbed(World(tmp_path / "undisturbed", case, server))
    count, left, known = 0, {""}, set[str]()
    while left:
        world = World(tmp_path / world_name(count), case, server)
        deaths, effects = survive(world, known)
        assert (world.end(), effects) == (expected, quiet.effects), "each statement was sent once, by whichever run"
        world.forget()
        count += len(deaths)
        known |= {world.named(death) for death in deaths}
        left = {world.named(moment) for moment in quiet.moments} - known
        assert deaths or not left
    with capsys.disabled():
        print(f"\n{case.store}: {count} deaths, {len(quiet.moments)} moments, {quiet.effects.total()} statements")


@pytest.mark.skipif(not IS_LONG, reason="KEYWRIGHT_CHAOS=1 is not set")
@pytest.mark.usefixtures("cheap")
def test_a_run_survives_each_death_alone(case: Case, server: Running, tmp_path: Path) -> None:
    quiet, expected = undisturbed(World(tmp_path / "undisturbed", case, server))
    for at, moment in enumerate(quiet.moments):
        world = World(tmp_path / world_name(at), case, server)
        deaths, effects = survive(world, {*quiet.moments} - {moment})
        assert (deaths[:1], world.end(), effects) == ([moment], expected, quiet.effects)
        world.forget()


def world_name(at: int) -> str:
    return f"world{at}"


def undisturbed(world: World) -> tuple[Trap, list[Any]]:
    """What happens where nobody dies, and what that ends in."""
    trap = Trap(prefix=world.prefix)
    with watched(trap):
        for options in world.runs:
            assert apply(world.root, *options) == 0
            trap.revive()
    assert set(trap.effects.values()) == {1}
    end = world.end()
    world.forget()
    return trap, end


def survive(world: World, passed: set[str]) -> tuple[list[str], Any]:
    """Run, each time until the first moment that no run before has come to; then once more to the end.

    passed: moments at which none dies. Returns those at which one did, and how often each statement was sent.
    """
    deaths: list[str] = []
    known = set(passed)

    def kill(moment: str) -> None:
        known.add(world.named(moment))
        deaths.append(moment)
        raise Killed(moment)

    trap = Trap(is_due=lambda moment: world.named(moment) not in known, kill=kill, prefix=world.prefix)
    for options in world.runs:
        while True:
            try:
                with watched(trap):
                    assert apply(world.root, *options) == 0
                break
            except Killed:
                trap.revive()
                world.unlock()
        trap.revive()
    return deaths, trap.effects


def settled(look: Callable[[], Any]) -> Any:
    """What is seen once it stays the same for a while."""
    seen, times = look(), 0
    while times < 5:
        time.sleep(0.05)
        seen, times = (now := look()), times + 1 if now == seen else 0
    return seen


ROUNDS: tuple[tuple[bool, dict[str, Any]], ...] = (
    (True, {"at": "after effect 0001"}),
    (True, {"at": "after 0001 done"}),
    (False, {"at": "after 0002/00010 intent"}),
    (False, {"at": "after effect 0002/"}),
    (False, {"at": "after look 1 after 0002/"}),
    (False, {"at": "after 0002/00020 done"}),
    (False, {"within": "0002/", "delay": 0.002}),
)
"""When processes are killed, one after the other: whether in the run that makes everything, and where."""


def test_processes_survive_sigkill(
    start: Callable[..., Running], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One process for each engine at a time; the locks are released by hand but for the last, which is waited out."""
    worlds: list[World] = []
    for name, created in CASES.items():
        server = start(name, "crash" if name == "redis" else "")
        monkeypatch.setenv(f"KEYWRIGHT_{name.upper()}_URL", server.url)
        worlds.append(World(tmp_path / name, created(), server, lease_seconds=6))
    for is_first, where in ROUNDS:
        for world in worlds:
            world.unlock()
        assert together(worlds, is_first, where) == dict.fromkeys(worlds, -signal.SIGKILL)
    undone = {world: world.unfinished() for world in worlds}
    assert together(worlds, False, {}) == dict.fromkeys(worlds, 0)
    for world in worlds:
        world.end()
        counted = Counter(world.log.read_text(encoding="utf-8").splitlines())
        twice = {effect for effect, times in counted.items() if times > 1}
        assert twice <= undone[world], "sent again was only what a dead process had asked for in vain"
        assert set(counted.values()) <= {1, 2}
        world.forget()


def together(worlds: list[World], is_first: bool, where: dict[str, Any]) -> dict[World, int]:
    """How processes end that work at the same time, each on a store of its own."""
    running: dict[World, Process] = {}
    for world in worlds:
        output = {
            **where,
            "folder": str(world.root),
            "log": str(world.log),
            "options": world.runs[0 if is_first else 1],
        }
        running[world] = begun(crashing.main, world.said, output)
    return {world: code_of(process) for world, process in running.items()}
