"""Migrations that are killed: at every call that a run makes of its stores, in this process or, by SIGKILL, in another.

A process that is killed here is an exception that nobody catches: from then on its ledgers answer nothing, so that no
lock is let go and no row is written, and its heart has stopped. Started as a program (`python -m tests.live.crashing`),
this module kills itself in earnest: see `main`.
"""

import json
import os
import signal
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from tests.live.crash_cases import Case
from tests.projects import a_project

from keywright.api.live import connect
from keywright.cli.main import run
from keywright.engines.contract.plan import Statement
from keywright.engines.interface import Driver, StatementFailed
from keywright.engines.registry import engine_of
from keywright.ir.json import Json
from keywright.migrations.author.draft import Draft
from keywright.migrations.author.planner import author
from keywright.migrations.migration import Migration
from keywright.migrations.rendered import rendered
from keywright.migrations.run.store import StoreConnection
from keywright.migrations.snapshot import EMPTY, Snapshot, described, key_of
from keywright.project.migrations.folder import Folder, read_folder, write_migrations
from keywright.record import replace

STACK = """\
config:
  keywright:environment:
    mode: dev
    dynamodb: {{flavour: dynamodb-local, managed-by: keywright, protect: true, name-prefix: "{prefix}"}}
    mongodb: {{flavour: mongodb, database-prefix: "{prefix}"}}
    cassandra: {{flavour: cassandra, datacentres: {{dc1: 1}}, keyspace-prefix: "{prefix}"}}
    redis: {{flavour: redis}}
"""
"""An environment whose names no other one has; Redis, which has none, is emptied instead."""


def project(folder: Path, case: Case, prefix: str, lease_seconds: float = 60) -> Folder:
    """A project whose versions lead through the states of a case."""
    pyproject = f'[tool.keywright]\nmodels = ["models"]\nlease-seconds = {lease_seconds}\n'
    settings = a_project(folder, {"pyproject.toml": pyproject, "stacks/Pulumi.dev.yaml": STACK.format(prefix=prefix)})
    migrations: list[Migration] = []
    for state in case.states:
        before = migrations[-1].snapshot if migrations else EMPTY
        targets = {key_of(case.engine, entry): described(case.engine, entry) for entry in state}
        draft = Draft(before=before, after=Snapshot({case.store: targets}))
        number, parent = f"{len(migrations) + 1:04d}", f"{len(migrations):04d}" if migrations else None
        migration = author(draft, engine_of, number=number, slug="crashed", parent=parent)
        write_migrations(settings.root / settings.migrations, [entry.folder for entry in migrations],
                       [(migration, rendered(migration, before, engine_of))])  # fmt: skip
        migrations.append(migration)
    return read_folder(settings)


def gates(folder: Folder) -> list[str]:
    """The options that open all gates."""
    return [
        f"--ack={migration.number}/{step.n}"
        for migration in folder.migrations
        for step in migration.steps
        if step.by == "human"
    ]


class Killed(BaseException):
    """What takes the place of SIGKILL; nothing catches it."""


@dataclass
class Trap:
    """Watches what a run does to its stores, and ends it where it is told to."""

    is_due: Callable[[str], bool] = lambda moment: False
    """Whether it ends at a moment: right after a call of which the moment tells."""
    kill: Callable[[str], object] = lambda moment: None
    """Ends it."""
    moments: list[str] = field(default_factory=list)
    """What was done, in order."""
    effects: Counter[str] = field(default_factory=Counter)
    """How often each statement was sent to a server."""
    begins: Callable[[str], object] = lambda effect: None
    """Told of each statement before it is sent."""
    prefix: str = ""
    """What names begin with, and what is told does not."""
    is_deadly: bool = True
    """Whether a run that is ended reaches its stores no more."""
    is_dead: bool = False
    _anchor: str = "start"
    _looks: int = 0

    def revive(self) -> None:
        """Begin with the next run."""
        self.is_dead, self._anchor, self._looks = False, "start", 0

    def happened(self, moment: str) -> None:
        """Something is done, and nothing after it."""
        self.moments.append(moment)
        if self.is_due(moment):
            self.is_dead = self.is_deadly
            self.kill(moment)

    def site(self, site: StoreConnection) -> StoreConnection:
        """The same store, watched."""
        driver = replace(site.driver, run=self._run(site.driver), introspect=self._introspect(site.driver))
        words = ("prepare", "lock", "swap", "rows", "row", "replace")
        ledger = replace(site.ledger, put=self._put(site), **{w: self._alive(getattr(site.ledger, w)) for w in words})
        return replace(site, driver=driver, ledger=ledger)

    def _alive(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def called(*given: Any) -> Any:
            if self.is_dead:
                raise StatementFailed("the process is dead")
            return function(*given)

        return called

    def _put(self, site: StoreConnection) -> Callable[[str, Json, int], bool]:
        def put(key: str, row: Any, fence: int) -> bool:
            done: bool = self._alive(site.ledger.put)(key, row, fence)
            self._anchor, self._looks = f"{key} {row['state']}", 0
            self.happened(f"after {self._anchor}")
            return done

        return put

    def _run(self, driver: Driver) -> Callable[[Statement], None]:
        def ran(statement: Statement) -> None:
            effect = f"{self._anchor.partition(' ')[0]} {statement.summary.replace(self.prefix, '')}"
            self.effects[effect] += 1
            self.begins(effect)
            driver.run(statement)
            self._anchor, self._looks = effect, 0
            self.happened(f"after effect {effect}")

        return ran

    def _introspect(self, driver: Driver) -> Callable[..., Any]:
        def introspected(names: Any) -> Any:
            descriptions = driver.introspect(names)
            self._looks = min(self._looks + 1, 2)  # a build is looked at until it is done
            self.happened(f"after look {self._looks} after {self._anchor}")
            return descriptions

        return introspected


@contextmanager
def watched(trap: Trap) -> Iterator[None]:
    """Within the block, all stores that keywright opens are watched."""
    site = connect._site
    connect._site = lambda *given: trap.site(site(*given))
    try:
        yield
    finally:
        connect._site = site


def apply(folder: Path, *options: str) -> int:
    """The command line that is put to the test."""
    return run(["--project", str(folder), "migrate", "apply", "--local", *options])


def die(moment: str) -> NoReturn:
    """End this process as nothing else can."""
    os.kill(os.getpid(), signal.SIGKILL)
    while True:
        time.sleep(1)


def main(told: Mapping[str, Any]) -> int:
    """Apply, and do something to this very process at the first moment that contains `at`: `does` says whether it is
    killed, interrupted, or stands still for a while and until a line comes in; or, where that is `within`, kill it
    while a server is carrying out the first statement that contains `within`. Each statement is noted in a file
    beforehand.
    """
    log, at, within = Path(told["log"]), told.get("at"), told.get("within")
    deeds: dict[str, Callable[[str], object]] = {
        "die": die,
        "stop": lambda moment: os.kill(os.getpid(), signal.SIGINT),
        "rest": lambda moment: (time.sleep(told["delay"]), sys.stdin.readline()),
    }
    done: list[str] = []

    def begins(effect: str) -> None:
        with log.open("a", encoding="utf-8") as file:
            file.write(f"{effect}\n")
        if within is not None and within in effect:
            threading.Timer(told["delay"], die, [effect]).start()

    def kill(moment: str) -> None:
        done.append(moment)
        print(f"at: {moment}", flush=True)
        deeds[told.get("does", "die")](moment)

    def is_due(moment: str) -> bool:
        return at is not None and at in moment and not done

    with watched(Trap(is_due=is_due, kill=kill, begins=begins, is_deadly=False)):
        return apply(Path(told["folder"]), *told["options"])


if __name__ == "__main__":
    sys.exit(main(json.loads(sys.argv[1])))
