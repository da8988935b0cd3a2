"""Backfills that are killed by SIGKILL, on the four real servers, while applications write and delete.

A process applies a version that splits names; it dies at a random point between pages, or within one, and another one
goes on. Meanwhile old code renames readers and registers them in the old form, new code writes the new form, and both
delete. What is stored at the end is compared item by item with the last live write. KEYWRIGHT_CHAOS=1 kills more often.
"""

import json
import os
import random
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from tests.live.backfill_killed import main
from tests.live.forked import CONTEXT, Process, begun, code_of, ended
from tests.live.readers import READERS, Readers, Stored, project

from keywright.local import Running
from keywright.migrations.backfill.backfill import BackfillSettings
from keywright.migrations.backfill.segments import Counts
from keywright.project.migrations.folder import read_folder
from keywright.project.settings import read_settings

pytestmark = pytest.mark.live

IS_LONG = bool(os.environ.get("KEYWRIGHT_CHAOS"))
DEATHS, ITEMS = (12, 2000) if IS_LONG else (2, 600)
WRITERS, WRITES_A_SECOND = 2, 50
LEASE_SECONDS = 2
RATE = 150
"""Items a second that a process does that is to be killed: none comes to the end before."""


NEW_WAYS = ("deleted", "new")
OLD_WAYS = (*NEW_WAYS, "old", "renamed", "renamed")
"""What is done to a reader, by new code alone and beside old code."""


class Application:
    """Live writers and deleters of an engine's readers, of whom each has one writer: so his last write is known."""

    def __init__(self, readers: Readers) -> None:
        self.readers = readers
        self.names: dict[str, str | None] = {f"r{at}": f"Ada L{at}" for at in range(ITEMS)}
        self.counts = dict.fromkeys(("renamed", "old", "new", "deleted", "refused"), 0)
        self.failures: list[BaseException] = []
        self.is_deployed, self._ends = threading.Event(), threading.Event()
        for at in range(ITEMS):
            readers.put_old(f"r{at}", f"Ada L{at}")
        self._threads = [threading.Thread(target=self._live, args=(number,)) for number in range(WRITERS)]

    def begin(self) -> None:
        """Let old code and new code run."""
        for thread in self._threads:
            thread.start()

    def deploy(self) -> None:
        """From now on only new code writes."""
        self.is_deployed.set()

    def end(self) -> None:
        """Nobody writes any more."""
        self._ends.set()
        for thread in self._threads:
            if thread.ident is not None:
                thread.join()

    def _live(self, number: int) -> None:
        rng = random.Random(number)
        own = [key for at, key in enumerate(self.names) if at % WRITERS == number]
        try:
            while not self._ends.wait(1 / WRITES_A_SECOND):
                self._write(rng, rng.choice(own))
        except BaseException as error:  # noqa: BLE001 - a test fails of it, in the thread that looks
            self.failures.append(error)

    def _write(self, rng: random.Random, key: str) -> None:
        name = f"F{rng.randrange(10**6)} L{rng.randrange(10**6)}"
        way = rng.choice(NEW_WAYS if self.is_deployed.is_set() else OLD_WAYS)
        match way:
            case "deleted":
                self.readers.delete(key)
                self.names[key] = None
            case "new":
                self.readers.put_new(key, name)
                self.names[key] = name
            case "old":
                self.readers.put_old(key, name)
                self.names[key] = name
            case "renamed" if self.readers.rename(key, name):
                self.names[key] = name
            case _:
                way = "refused"
        self.counts[way] += 1


class Victim:
    """A store, and the processes that split its names."""

    def __init__(self, engine: str, url: str, folder: Path, stack: ExitStack) -> None:
        self.engine, self.rng = engine, random.Random(engine)
        self.daily, self.file = project(folder / engine, engine, LEASE_SECONDS), folder / f"{engine}.said"
        migration = read_folder(read_settings(self.daily.root)).migrations[1]
        (at,) = [at for at, step in enumerate(migration.steps) if step.op == "backfill"]
        gates = [(number, f"0002/{step.n}") for number, step in enumerate(migration.steps) if step.by == "human"]
        self.step = f"0002/{migration.steps[at].n}"
        self.first_gates = [place for number, place in gates if number < at]
        self.gates = [place for _, place in gates]
        assert self.daily("apply", "--local", "--to", "0001").code == 0
        self.application = Application(stack.enter_context(READERS[engine](url, self.daily.prefix)))
        stack.callback(self.application.end)
        while "the lock was lost" in (said := self.daily("apply", "--local")).err:
            pass  # so much goes on that it could not beat
        assert (said.code, f"error: {self.first_gates[-1]} waits for a person" in said.err) == (4, True), said

    def is_killed(self, is_guarded: bool) -> bool:
        """Let a process begin or go on, and kill it somewhere within one of its next pages; False if it lost its lock
        before, as it may where so much goes on that it cannot beat.
        """
        process = self.begun(BackfillSettings(segments=4, page=10, ahead=10, rate=RATE), 0.03, is_guarded)
        if all(self.is_behind_a_page(process) for _ in range(self.rng.randrange(1, 6))):
            threading.Timer(self.rng.uniform(0, 0.15), process.kill).start()
        if code_of(process) == -signal.SIGKILL:
            return True
        assert self.has_lost_its_lock(process), self.said()
        return False

    def is_behind_a_page(self, process: Process) -> bool:
        """Whether the process lives to see another page behind it."""
        while not self.page.acquire(timeout=0.1):
            if ended(process) is not None:
                return False
        return True

    def has_lost_its_lock(self, process: Process) -> bool:
        """Whether that is how the process ended; nothing else may have happened to it but a gate that is shut, and a
        server that had no time to answer.
        """
        code, problem = ended(process), self.said().splitlines()[-2]
        assert problem.startswith("error: ")
        if code == 3:
            assert problem.endswith("timed out"), self.said()
            return True
        assert code == 4, self.said()
        return "the lock was lost: no heartbeat succeeded for 1.33 s" in problem

    def begun(self, settings: BackfillSettings, pause: float = 0, is_guarded: bool = False) -> Process:
        """A process that applies; it stops at the gate behind the backfill."""
        self.page = CONTEXT.Semaphore(0)
        return begun(main, self.file, self.daily.root, self.first_gates, settings, pause, is_guarded, self.page)

    def said(self) -> str:
        """What the processes have said."""
        return self.file.read_text(encoding="utf-8")

    def counts(self) -> Counts:
        """What the history tells of the pass, to whoever asks."""
        said = self.daily("backfill", self.step, "--local", "--format", "json")
        assert said.code == 0, said
        return Counts(**json.loads(said.out)["counts"])

    def split(self) -> None:
        """The whole life of it: deaths, a deployment, and the end."""
        self.application.begin()
        deaths = 0
        while deaths < DEATHS:
            deaths += self.is_killed(is_guarded=deaths % 2 == 0)
        self.application.deploy()
        while True:
            process = self.begun(BackfillSettings(segments=4, page=100, ahead=100))
            code_of(process)
            if not self.has_lost_its_lock(process):
                break
        assert f"error: {self.gates[-1]} waits for a person" in self.said()
        self.application.end()
        assert self.application.failures == []
        assert min(self.application.counts.values()) > 0, self.application.counts


@pytest.fixture
def victims(start: Callable[..., Running], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Victim]]:
    """A store of each engine, whose next stage is the backfill."""
    with ExitStack() as stack:
        created: list[Victim] = []
        for engine in READERS:
            url = start(engine, "killed" if engine == "redis" else "").url
            url = url.replace("://", "://killed@") if engine == "dynamodb" else url
            monkeypatch.setenv(f"KEYWRIGHT_{engine.upper()}_URL", url)
            created.append(Victim(engine, url, tmp_path, stack))
        yield created


def test_a_backfill_that_is_killed_loses_no_write_and_revives_nobody(
    victims: list[Victim], capsys: pytest.CaptureFixture[str]
) -> None:
    with ThreadPoolExecutor(len(victims)) as pool:
        for done in [pool.submit(victim.split) for victim in victims]:
            done.result()
    for victim in victims:
        counts, live = victim.counts(), victim.application
        assert counts.is_exact, counts
        assert (counts.rejected, counts.contended) == (0, 0)
        stored = live.readers.read()
        assert {key: named(item) for key, item in stored.items()} == {
            key: name for key, name in live.names.items() if name is not None
        }
        split = sum(item["tier"] == "free" for item in stored.values())
        assert split > len(stored) / 4, "what became of the others is the application's own work"
        with capsys.disabled():
            print(
                f"\n{victim.engine}: {DEATHS} deaths, {live.counts}, {split} of {len(stored)} readers split, {counts}"
            )
        assert victim.daily("apply", "--local", *(f"--ack={gate}" for gate in victim.gates)).code == 0


def named(item: Stored) -> str:
    """The name that code sees which reads both forms; every item has the new one."""
    assert item.get("_kw_v", item.get("kw_v")) in (2, "2"), item
    return str(item["name"]) if "name" in item else f"{item['first']} {item['last']}"


def test_ctrl_c_ends_a_backfill_at_once_however_slow_it_is_told_to_be(
    start: Callable[..., Running], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two items a second: a page is worth a quarter of a minute of waiting."""
    url = start("mongodb").url
    monkeypatch.setenv("KEYWRIGHT_MONGODB_URL", url)
    with ExitStack() as stack:
        victim = Victim("mongodb", url, tmp_path, stack)
        process = victim.begun(BackfillSettings(segments=4, rate=2), is_guarded=True)
        assert victim.is_behind_a_page(process), victim.said()
        os.kill(process.pid, signal.SIGINT)
        assert code_of(process, seconds=10) == 1
        assert victim.said().splitlines()[-1] == "KeyboardInterrupt"
        with victim.daily.site("mongodb/killed") as site:
            assert site.ledger.lock().owner is None
            rows: Any = site.ledger.rows(f"0002/{int(victim.step.rpartition('/')[2]):05d}/seg/")
        assert {row["state"] for row in rows.values()} <= {"TODO", "DONE"}, "segments are let go too"
