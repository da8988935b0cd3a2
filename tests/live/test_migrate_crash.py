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
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from tests.live.crash_cases import CASES, Case, rows_that_land
from tests.live.crashing import Killed, Trap, apply, gates, project, watched

from keywright.api import sites
from keywright.api.live import connected
from keywright.cli.main import run
from keywright.engines.classes import row_of
from keywright.history.lock import unlock
from keywright.history.records import recorded
from keywright.local import Running
from keywright.project.migrations import Folder
from keywright.project.settings import read_settings

pytestmark = pytest.mark.live

IS_LONG = bool(os.environ.get("KEYWRIGHT_CHAOS"))
NUMBERS = count()


@pytest.fixture(scope="module", params=sorted(CASES))
def case(request: pytest.FixtureRequest) -> Case:
    return CASES[request.param]()


@pytest.fixture(scope="module")
def server(case: Case, start: Callable[..., Running]) -> Running:
    engine = case.engine.name
    return start(engine, "crash" if engine == "redis" else "")


@pytest.fixture
def cheap(server: Running, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One connection for all runs of this process, which differ in what they do with it."""
    with connected(server) as driver:

        @contextmanager
        def same(_: Any) -> Iterator[Any]:
            yield driver

        monkeypatch.setattr(sites, "connected", same)
        monkeypatch.setattr(sites, "running_servers", lambda settings, wanted: dict.fromkeys(wanted, server))
        yield


class World:
    """A project on names, or a Redis server, that nobody has used."""

    def __init__(self, folder: Path, case: Case, server: Running, lease_seconds: float = 60) -> None:
        self.root, self.case = folder, case
        self.folder: Folder = project(folder, case, f"crash{next(NUMBERS)}_", lease_seconds)
        if case.engine.name == "redis":
            with Redis.from_url(server.url) as asking:
                asking.flushall()
                asking.config_set("maxmemory-policy", "noeviction")
                asking.config_set("timeout", "0")

    @contextmanager
    def site(self) -> Iterator[Any]:
        """Its store."""
        where = sites.Where(read_settings(self.root), "dev", is_local=True)
        with sites.opened(where, [self.case.store]) as opened:
            yield opened[self.case.store]

    def native(self) -> list[Any]:
        """What the server holds of each version's targets, names aside."""
        with self.site() as site:
            placed = [site.place(key, told) for one in self.folder.versions for key, told in self._targets(one)]
            live = site.driver.introspect(sorted({one.name for one in placed}))
            managed = [(one, live[one.name]) for one in placed]
            return [
                site.engine.describe(site.engine.managed(site.engine.parse(found), one))["native"] if found else None
                for one, found in managed
            ]

    def _targets(self, version: Any) -> list[tuple[str, Any]]:
        return sorted(version.snapshot.stores.get(self.case.store, {}).items())

    def unlock(self) -> None:
        """Release the lock of the process that died."""
        with self.site() as site:
            owner = site.ledger.lock().owner
            assert owner is None or unlock(site.ledger, owner)

    def is_through(self, capsys: pytest.CaptureFixture[str]) -> None:
        """Every version is done, nothing differs, nobody holds the lock."""
        assert run(["--project", str(self.root), "drift", "--local"]) == 0, capsys.readouterr()
        with self.site() as site:
            history = recorded(site.ledger.rows(""))
            assert all(history.is_done(one) for one in self.folder.versions)
            assert site.ledger.lock().owner is None

    def apply(self, trap: Trap) -> None:
        """The first version, from nothing, then all others."""
        for options in (("--to", "0001"), ()):
            code = apply(self.root, *options, *gates(self.folder))
            assert code == 0
        assert not trap.is_dead


def test_every_change_that_lands_is_put_to_the_test(case: Case, tmp_path: Path) -> None:
    folder = project(tmp_path, case, "")
    landed = [one.change for version in folder.versions for one in version.landings if one.change.is_native]
    rows = {row_of(case.engine.classes, change) for change in landed}
    assert {(one.kind, one.why) for one in rows} == {(one.kind, one.why) for one in rows_that_land(case.engine)}


@pytest.mark.usefixtures("cheap")
def test_a_run_survives_death_at_every_moment(
    case: Case, server: Running, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    undisturbed, quiet = World(tmp_path / "undisturbed", case, server), Trap()
    with watched(quiet):
        undisturbed.apply(quiet)
    undisturbed.is_through(capsys)
    wanted = undisturbed.native()
    assert set(quiet.effects.values()) == {1}
    survivor = World(tmp_path / "survivor", case, server)
    seen, effects = survive(survivor)
    survivor.is_through(capsys)
    assert survivor.native() == wanted
    assert effects == quiet.effects, "each statement was sent once, by whichever run"
    assert set(quiet.moments) <= seen
    with capsys.disabled():
        print(f"{case.store}: {len(seen)} deaths, {effects.total()} statements")


def survive(world: World) -> tuple[set[str], Any]:
    """Run, each time until the first moment that no run before has come to; then once more to the end."""
    seen: set[str] = set()

    def kill(moment: str) -> None:
        seen.add(moment)
        raise Killed(moment)

    trap = Trap(is_due=lambda moment: moment not in seen, kill=kill)
    with watched(trap):
        while True:
            trap.is_dead = False
            try:
                world.apply(trap)
            except Killed:
                trap.is_dead = False
                with pytest.MonkeyPatch.context() as patch:
                    patch.setattr(trap, "is_due", lambda moment: False)
                    world.unlock()
            else:
                return seen, trap.effects
