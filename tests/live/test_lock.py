"""Histories and their locks on the four real servers; KEYWRIGHT_CHAOS=1 makes the races long."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from importlib import import_module
from itertools import count
from typing import Any

import pytest
from redis import Redis
from tests.live import racers
from tests.live.racers import ENGINES, Crew, Mutant, Racer, Turn, Where

from keywright.engines.contract.ledger import UNHELD, Ledger, Lock
from keywright.engines.interface import Driver
from keywright.ir.json import Json
from keywright.local import Running
from keywright.migrations.lock.lock import Lease, locking, new_owner
from keywright.record import replace

pytestmark = pytest.mark.live

IS_CHAOS = bool(os.environ.get("KEYWRIGHT_CHAOS"))
RACERS, ROUNDS = 32, 50 if IS_CHAOS else 5
STOOD_STILL, KILLED = (Lease(60), Lease(60)) if IS_CHAOS else (Lease(2), Lease(1))
"""The real lease where there is time for it."""
NUMBERS = count()


@pytest.fixture(scope="module")
def crew() -> Iterator[Crew]:
    """Processes of all tests of this module."""
    created = Crew(RACERS, victims=len(ENGINES))
    yield created
    created.end()


@pytest.fixture(scope="module", params=ENGINES)
def server(request: pytest.FixtureRequest, crew: Crew, start: Callable[..., Running]) -> Iterator[Where]:
    """A part of a server that no other module sees; it is empty again afterwards."""
    url = start(request.param).url
    if request.param == "dynamodb":
        url = url.replace("://", "://locks@")
    if request.param == "redis":
        url = f"{url.rpartition('/')[0]}/9"
    where = Where(request.param, url, "kw_locks", "")
    yield where
    driver = where.connect()
    if where.engine != "dynamodb":  # whose tables are protected, and of this access key only
        driver.drop([where.home, *(name for name in driver.names() if name.startswith("kw_fresh"))])
    driver.close()


@pytest.fixture(scope="module")
def driver(server: Where) -> Iterator[Driver]:
    connected = server.connect()
    yield connected
    connected.close()


@pytest.fixture
def where(server: Where, driver: Driver) -> Where:
    """A store that nobody has used, beside those of other tests."""
    return replace(server, store=f"{server.engine}/content{next(NUMBERS)}")


@pytest.fixture
def ledger(where: Where, driver: Driver) -> Ledger:
    """The history of that store."""
    created = driver.ledger(where.home, where.store)
    created.prepare()
    return created


def hold(ledger: Ledger, lease: Lease, wait_seconds: float = 90) -> Any:
    return locking(ledger, new_owner(), lease, wait_seconds=wait_seconds, tell=lambda waiting: None)


def test_where_nothing_is_prepared_nothing_is_read_and_nothing_is_made(where: Where, driver: Driver) -> None:
    ledger = driver.ledger("kw_fresh_nowhere", where.store)
    assert (ledger.lock(), ledger.rows(""), ledger.row("0008")) == (UNHELD, {}, None)
    assert "kw_fresh_nowhere" not in driver.names()
    if where.engine == "redis":
        with Redis.from_url(where.url) as asking:
            assert list(asking.scan_iter("kw_fresh_nowhere*")) == []


def test_many_prepare_at_once(where: Where, driver: Driver, crew: Crew) -> None:
    fresh = replace(where, home="kw_fresh")
    assert set(crew.together(racers.prepare, fresh)) == {UNHELD}
    ledger = driver.ledger(fresh.home, fresh.store)
    ledger.prepare()
    assert ledger.swap(UNHELD, Lock("me", 1, 0))
    ledger.prepare()
    assert ledger.lock() == Lock("me", 1, 0), "what is there is left alone"


def test_only_the_lock_that_was_seen_is_swapped(ledger: Ledger) -> None:
    now = Lock("me", 7, 3)
    assert ledger.swap(UNHELD, now)
    for other in (
        UNHELD,
        replace(now, owner=None),
        replace(now, owner="you"),
        replace(now, fence=6),
        replace(now, beat=2),
    ):
        assert not ledger.swap(other, Lock("you", 8, 0))
    assert ledger.lock() == now
    assert ledger.swap(now, Lock(None, 7, 3))
    assert not ledger.swap(now, Lock("you", 8, 0))
    assert ledger.swap(Lock(None, 7, 3), Lock("you", 8, 0))
    assert ledger.lock() == Lock("you", 8, 0)


ROW: dict[str, Json] = {"z": 1, "a": [1.5, True, None, {"": ""}], "text": 'ü "%s" {} \\ \n', "big": 2**70, "$set": {}}


def test_a_row_is_written_under_the_present_fence_only(ledger: Ledger) -> None:
    ledger.swap(UNHELD, Lock("me", 2, 0))
    assert ledger.put("0008", ROW, 2)
    assert not ledger.put("0008", {}, 1)
    assert not ledger.put("0009", {}, 1)
    assert not ledger.put("0009", {}, 3)
    assert ledger.rows("") == {"0008": ROW}
    assert ledger.put("0008", {}, 2)
    assert ledger.rows("") == {"0008": {}}
    assert ledger.lock() == Lock("me", 2, 0)


def test_a_row_is_replaced_if_it_is_as_it_was_seen(ledger: Ledger) -> None:
    assert not ledger.replace("seg", {"by": "me"}, {"by": "you"}, 0)
    assert ledger.replace("seg", None, ROW, 0)
    assert not ledger.replace("seg", None, {}, 0)
    assert not ledger.replace("seg", {**ROW, "z": 2}, {}, 0)
    assert ledger.rows("") == {"seg": ROW}
    assert ledger.replace("seg", dict(reversed(ROW.items())), {"by": "me"}, 0), "the order of keys says nothing"
    assert ledger.rows("") == {"seg": {"by": "me"}}


def test_a_row_is_replaced_under_the_present_fence_only(ledger: Ledger) -> None:
    assert ledger.replace("seg", None, {"by": "me"}, 0)
    ledger.swap(UNHELD, Lock("you", 1, 0))
    assert not ledger.replace("seg", {"by": "me"}, {"by": "them"}, 0)
    assert not ledger.replace("new", None, {}, 0)
    assert not ledger.replace("new", None, {}, 2)
    assert ledger.rows("") == {"seg": {"by": "me"}}
    assert ledger.replace("seg", {"by": "me"}, {"by": "you"}, 1)
    assert ledger.replace("new", None, {}, 1)
    assert ledger.lock() == Lock("you", 1, 0)


def test_the_clock_is_that_of_the_server(ledger: Ledger) -> None:
    """It is on this machine; DynamoDB tells seconds."""
    before = datetime.now(UTC)
    moment = ledger.now()
    assert before - timedelta(seconds=1) <= moment <= datetime.now(UTC) + timedelta(seconds=1)


def test_rows_are_found_by_the_beginning_of_their_keys(
    where: Where, driver: Driver, ledger: Ledger, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_module(f"keywright.drivers.{where.engine}.ledger"), "PAGE", 3)
    other = driver.ledger(where.home, f"{where.store}0")
    other.prepare()
    assert other.put("0008/00001", {}, 0)
    keys = ["0008", *(f"0008/{n:05}" for n in range(12)), "0008/00011/seg/00007", "0009", "event/00000012"]
    for number in (5, 15, 0, *range(1, 5), *range(6, 15)):
        assert ledger.put(keys[number], {"n": number, "long": "x" * 100}, 0)
    for prefix in ("", "0008", "0008/", "0008/00011", "event/", "0007", "*", "0008?"):
        expected = [(key, number) for number, key in enumerate(keys) if key.startswith(prefix)]
        rows: Any = ledger.rows(prefix)
        assert [(key, row["n"]) for key, row in rows.items()] == expected
    assert [ledger.row(key) for key in keys] == list(ledger.rows("").values())
    assert [ledger.row(key) for key in ("", "0008/", "000", "0008/00001/")] == [None] * 4


def test_history_is_no_part_of_a_mongodb_database(where: Where, driver: Driver, ledger: Ledger) -> None:
    result = driver.introspect([where.home])[where.home]
    if where.engine == "mongodb":
        assert result is not None
        assert result["native"] == {"collections": {}, "indexes": {}}


def turns(crew: Crew, where: Where, rounds: int, mutant: Mutant = "") -> list[tuple[Turn, ...]]:
    """What the racers saw, by round."""
    return list(zip(*crew.together(racers.race, where, rounds, mutant), strict=True))


@pytest.mark.usefixtures("ledger")
def test_of_many_who_want_the_lock_one_gets_it(where: Where, crew: Crew) -> None:
    began, seen = time.monotonic(), turns(crew, where, ROUNDS)
    seconds, result = time.monotonic() - began, racers.violations(seen)
    races = f"{ROUNDS} rounds, {RACERS * ROUNDS} swaps"
    print(f"{where.engine}: {RACERS} racers, {races}, {result} violations, {seconds:.1f} s")
    assert (len(seen), result) == (ROUNDS, 0)


@pytest.mark.usefixtures("ledger")
@pytest.mark.parametrize("mutant", ["swap", "put"])
def test_a_lock_without_its_check_is_found_out(where: Where, crew: Crew, mutant: Mutant) -> None:
    assert racers.violations(turns(crew, where, 2, mutant)) == 2


def test_under_the_lock_nothing_is_lost(ledger: Ledger, where: Where, crew: Crew) -> None:
    fences = crew.together(racers.count_up, where, Lease(4))
    assert sorted(fences) == list(range(1, RACERS + 1))
    assert ledger.rows("") == {"count": {"n": RACERS}}
    assert ledger.lock().owner is None


def holds(racer: Racer, where: Where, lease: Lease) -> Lock:
    """Have a process hold the lock until it is told something."""
    racer.begin(racers.hold, where, lease)
    lock: Lock = racer.hear()
    return lock


def test_a_holder_that_stood_still_writes_nothing_when_it_goes_on(where: Where, ledger: Ledger, crew: Crew) -> None:
    racer, lease = crew.racers[0], STOOD_STILL
    first = holds(racer, where, lease)
    os.kill(racer.process.pid, signal.SIGSTOP)
    try:
        with hold(ledger, lease) as holding:
            holding.put("0001", {"by": "the second"})
            racer.pipe.send("go on")
            os.kill(racer.process.pid, signal.SIGCONT)
            assert racer.hear() == (True, False)
            holding.check()
            assert holding.fence == first.fence + 1
    finally:
        os.kill(racer.process.pid, signal.SIGCONT)
    assert ledger.rows("") == {"0001": {"by": "the second"}}


def test_a_holder_that_was_killed_is_waited_out(where: Where, ledger: Ledger, crew: Crew) -> None:
    victim, lease = crew.victims.pop(), KILLED
    first = holds(victim, where, lease)
    victim.process.kill()
    victim.process.join()
    victim.pipe.close()
    began = time.monotonic()
    with hold(ledger, lease) as holding:
        assert holding.fence == first.fence + 1
        assert time.monotonic() - began >= lease.takeover_seconds


def test_a_holder_that_is_interrupted_releases_the_lock_at_once(where: Where, ledger: Ledger, crew: Crew) -> None:
    racer = crew.racers[0]
    first = holds(racer, where, Lease(60))
    os.kill(racer.process.pid, signal.SIGINT)
    assert racer.hear() == "interrupted"
    assert ledger.lock() == replace(first, owner=None)
    with hold(ledger, Lease(60), wait_seconds=0) as holding:
        assert holding.fence == first.fence + 1
