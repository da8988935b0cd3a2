"""Ctrl-C in each migrate command, in front of every request that it sends to a real mongod: exit 130, and the lock is
free. Then a holder that lives while its lock is released, and older checkouts.
"""

import os
import shutil
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from tests.live.daily import Said
from tests.live.test_bump import BUMP, Bump, a_bump

from keywright import local
from keywright.api.live import connect
from keywright.api.migrate import replay
from keywright.drivers.mongodb import driver as mongodb
from keywright.local import Running
from keywright.migrations.run.store import StoreConnection
from keywright.record import replace

pytestmark = pytest.mark.live

LEDGER = ("prepare", "lock", "swap", "rows", "row", "put", "replace")
"""Functions of a ledger that a server is asked by."""


@dataclass
class Requests:
    """The requests of the main thread to a store, and what happens in front of one of them."""

    happens: Callable[[str], None]
    """Is called with what is asked: `put`, `swap`, `introspect`."""
    at: int = -1
    """In front of which request it happens; -1 for every one."""
    seen: list[str] = field(default_factory=list)
    """What was asked so far."""

    def site(self, store: StoreConnection) -> StoreConnection:
        ledger = replace(store.ledger, **{name: self._watched(name, getattr(store.ledger, name)) for name in LEDGER})
        driver = replace(store.driver, introspect=self._watched("introspect", store.driver.introspect))
        return replace(store, ledger=ledger, driver=driver)

    def _watched(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def watched(*arguments: Any) -> Any:
            if threading.current_thread() is threading.main_thread():
                self.seen.append(name)
                if self.at in (-1, len(self.seen) - 1):
                    self.happens(name)
            return call(*arguments)

        return watched


@contextmanager
def watching(requests: Requests) -> Iterator[None]:
    real = connect._site
    connect._site = lambda *given: requests.site(real(*given))
    try:
        yield
    finally:
        connect._site = real


def interrupt(name: str = "") -> None:
    signal.raise_signal(signal.SIGINT)


@pytest.fixture
def bump(tmp_path: Path, start: Callable[..., Running], monkeypatch: pytest.MonkeyPatch) -> Iterator[Bump]:
    """A store with two items, whose second migration is to be applied: a gate, then a backfill."""
    created = a_bump("mongodb", tmp_path, start, monkeypatch)
    created.put(100, 200)
    yield created
    created.clear()
    created.project.forget()


def is_free(bump: Bump) -> bool:
    with bump.project.site(bump.store) as site:
        return site.ledger.lock().owner is None


def finishes(bump: Bump) -> None:
    project = bump.project("apply", "--local", "--ack", "0002/10")
    assert project.code == 0, project
    assert bump.scores() == [101, 201]
    assert bump.project.keywright("drift", "--local").code == 0


def unchanged(bump: Bump) -> None:
    """What is needed before a command: nothing."""


def begun(bump: Bump) -> None:
    """The gate is open, and the backfill has met an item that it cannot transform."""
    folder = bump.project.root / "migrations" / "0002_bump"
    text = BUMP.replace("    return", "    if int(item['score']) == 200:\n        raise ValueError\n    return")
    (folder / "backfill_bump.py").write_text(text, encoding="utf-8")
    assert bump.project("diff", "--amend").code == 0
    assert bump.project("apply", "--local", "--ack", "0002/10").code == 5


def amended(bump: Bump) -> None:
    """The transform was mended since."""
    begun(bump)
    (bump.project.root / "migrations" / "0002_bump" / "backfill_bump.py").write_text(BUMP, encoding="utf-8")
    assert bump.project("diff", "--amend").code == 0


def altered(bump: Bump) -> None:
    """Somebody has the validator warn."""
    with database(bump) as result:
        result.command("collMod", "readers", validationAction="warn")


def forgotten(bump: Bump) -> None:
    """The store has no history."""
    with database(bump) as result:
        for name in ("_kw_history", "_kw_lock"):
            result.drop_collection(name)


@contextmanager
def database(bump: Bump) -> Iterator[Any]:
    with mongodb.client(os.environ["KEYWRIGHT_MONGODB_URL"]) as client:
        yield client[f"{bump.project.prefix}bump"]


BECAUSE = ("--reason", "because")
COMMANDS: dict[str, tuple[Callable[[Bump], None], tuple[str, ...], set[int]]] = {
    "status": (unchanged, ("status",), {1}),
    "plan": (unchanged, ("plan",), {1}),
    "accept": (altered, ("accept", "mongodb/bump/collections/readers", *BECAUSE), {0, 2}),
    "baseline": (forgotten, ("baseline",), {0, 4}),
    "resolve a gate": (unchanged, ("resolve", "0002/10", "--as", "applied", *BECAUSE), {0, 4}),
    "resolve as amended": (amended, ("resolve", "0002", "--as", "amended", *BECAUSE), {0, 2}),
    "abort": (begun, ("abort", "0002"), {0, 4}),
    "pause": (begun, ("backfill", "0002/20", "--pause"), {5}),
    "retry the quarantine": (begun, ("backfill", "0002/20", "--retry-quarantine"), {5}),
}
"""What is done before, the command, and its exit codes where nobody interrupts it, or only after it was done."""


@pytest.mark.parametrize("name", COMMANDS)
def test_ctrl_c_leaves_the_lock_free_and_the_history_whole(bump: Bump, name: str) -> None:
    before, words, codes = COMMANDS[name]
    before(bump)
    for at in range(200):
        requests = Requests(interrupt, at)
        with watching(requests):
            project = bump.project(*words, "--local")
        assert is_free(bump), (at, requests.seen)
        if len(requests.seen) <= at:
            break
        assert (project.code, project.err.splitlines()[-1:]) == (130, ["interrupted"]), (at, requests.seen, project)
    else:
        raise AssertionError("it never ends")
    assert project.code in codes, project
    assert bump.project("status", "--local").code in (0, 1, 5), "it can be read"


def test_ctrl_c_in_verify_leaves_no_server(bump: Bump, monkeypatch: pytest.MonkeyPatch) -> None:
    url = os.environ["KEYWRIGHT_MONGODB_URL"]
    monkeypatch.delenv("KEYWRIGHT_MONGODB_URL")
    started: list[Running] = []
    up = local.up

    def recorded(*arguments: Any, **options: Any) -> Any:
        answers = up(*arguments, **options)
        started.extend(answer for answer in answers if isinstance(answer, Running))
        return answers

    monkeypatch.setattr(replay.local, "up", recorded)
    with watching(Requests(lambda name: interrupt() if name == "put" else None)):
        project = bump.project("verify")
    assert (project.code, len(started)) == (130, 1), project
    assert not mongodb.is_ready(started[0].url)
    monkeypatch.setenv("KEYWRIGHT_MONGODB_URL", url)


def test_a_holder_that_lives_loses_the_lock_to_unlock_and_writes_nothing_more(bump: Bump) -> None:
    output: list[Said] = []

    def unlock(name: str) -> None:
        if name == "put" and not output:
            with database(bump) as result:
                (lock,) = result["_kw_lock"].find()
            output.append(bump.project("unlock", "--local", "--owner", str(lock["owner"])))

    with watching(Requests(unlock)):
        project = bump.project("apply", "--local", "--ack", "0002/10")
    assert [entry.code for entry in output] == [0], output
    assert (project.code, "the lock was lost" in project.err) == (4, True), project
    assert is_free(bump)
    assert bump.scores() == [100, 200]
    finishes(bump)


@pytest.mark.parametrize("how", ["--pause", "--resume", "--abort"])
def test_a_backfill_is_not_steered_from_an_older_checkout(bump: Bump, how: str) -> None:
    begun(bump)
    shutil.move(bump.project.root / "migrations", bump.project.root / "newer")
    assert bump.project("diff", "-m", "first").code == 0
    project = bump.project("backfill", "0002/20", how, "--local")
    assert (project.code, 'there is no migration "0002"' in project.err) == (2, True), project
    assert bump.project("new", "other", "--store", bump.store).code == 0
    before = rows(bump)
    project = bump.project("backfill", "0002/20", how, "--local")
    assert (project.code, "has been edited since mongodb/bump started it" in project.err) == (4, True), project
    assert rows(bump) == before


def rows(bump: Bump) -> dict[str, Any]:
    with bump.project.site(bump.store) as site:
        return dict(site.ledger.rows(""))


def test_verify_refuses_a_folder_that_was_edited_before_it_starts_a_server(
    bump: Bump, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = bump.project.root / "migrations" / "0001_first" / "migration.yaml"
    text = file.read_text(encoding="utf-8")
    file.write_text(f"{text}# by hand\n", encoding="utf-8")
    monkeypatch.setattr(replay.local, "up", lambda *arguments, **options: pytest.fail("a server was started"))
    project = bump.project("verify")
    file.write_text(text, encoding="utf-8")
    assert (project.code, "0001_first" in project.err, "restore it from git" in project.err) == (1, True, True), project
