"""Backfills on the four real servers: what they mean, what they resume, and whose writes they never touch."""

import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from tests.history.memory import MemoryLedger
from tests.live.backfill_worlds import WORLDS, World
from tests.properties.transforms import FIELDS, transforms

from keywright.engines.pages import Pages, Work
from keywright.history import backfill
from keywright.history.backfill import Settings
from keywright.history.segments import Counts
from keywright.history.transforming import code
from keywright.ir.transform import Transform, parse
from keywright.ir.transformed import REMOVED, Poison, apply, is_same
from keywright.local import Running

pytestmark = pytest.mark.live

Start = Callable[..., Running]

DAY = parse({"set": {"status_day": "{status}#{placed_at:date}"}})
SPLIT = parse({"split": {"name": {"on": " ", "into": ["first", "last"]}}, "unset": ["name"], "set": {"tier": "free"}})
PLACED = "2026-03-14T09:26:53.589793Z"


@pytest.fixture(scope="module", params=WORLDS)
def world(request: pytest.FixtureRequest, start: Start) -> Iterator[World]:
    with ExitStack() as stack:
        yield stack.enter_context(WORLDS[request.param](start(request.param)))


def a_ledger() -> MemoryLedger:
    return MemoryLedger(is_prepared=True)


def some(count: int) -> dict[str, dict[str, Any]]:
    return {str(at): {"status": "new", "placed_at": PLACED, "name": f"Ada L{at}"} for at in range(count)}


def expected(world: World, pages: Pages, work: Work, item: dict[str, Any]) -> dict[str, Any]:
    """The item as Python means it, the version included; a poisoned one as it is."""
    assert work.transform
    try:
        values = apply(work.transform, item, pages.form) or {}
    except Poison:
        return item
    version = {} if work.version is None else {world.version: pages.form(world.version, work.version)}
    return {name: value for name, value in {**item, **values, **version}.items() if value is not REMOVED}


@given(data=st.data())
@settings(
    max_examples=1000, deadline=None, phases=(Phase.explicit, Phase.generate),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)  # fmt: skip
def test_the_server_stores_what_python_means(world: World, data: st.DataObject) -> None:
    transform: Transform = data.draw(transforms())
    version = data.draw(st.sampled_from((None, 2))) if not transform.only_once else 2
    many = st.lists(st.dictionaries(st.sampled_from(FIELDS), world.values, max_size=5), min_size=1, max_size=20)
    items = {str(at): {"note": "n", **item} for at, item in enumerate(data.draw(many))}
    world.load(items)
    before = world.read()
    work = world.work(transform, version=version)
    pages = world.driver.pages(work)
    report = backfill.run(a_ledger().ledger, "0001/20", pages, work, settings=Settings(segments=2, page=7))
    after = {key: expected(world, pages, work, item) for key, item in before.items()}
    assert world.read() == after
    assert report.counts.is_exact
    assert report.counts.read == len(items)
    assert report.counts.contended == 0
    poisoned = sum(is_poison(transform, pages, item) for item in before.values())
    assert (report.counts.rejected, report.quarantined, report.is_blocked) == (poisoned, poisoned, poisoned > 0)
    changed = sum(not is_same(before[key], after[key]) for key in before)
    assert report.counts.written == changed
    again = backfill.verify(a_ledger().ledger, "0001/20", pages, work)
    assert (again.counts.contended, again.counts.rejected) == (0, poisoned)


def is_poison(transform: Transform, pages: Pages, item: dict[str, Any]) -> bool:
    try:
        apply(transform, item, pages.form)
    except Poison:
        return True
    return False


class Killed(BaseException):
    """The process ends here: nothing that it would do afterwards is done."""


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_pass_that_is_killed_goes_on_from_its_last_page(world: World, moment: str) -> None:
    work = world.work(SPLIT, version=2)
    pages = world.driver.pages(work)
    options = Settings(segments=2, page=5, is_alone=True)
    killed = 0
    for checkpoint in range(2, 14, 3):
        world.load(some(60))
        ledger, sizes = a_ledger(), [5]
        kill_at(ledger, moment, checkpoint)
        counted = replace(pages, page=lambda *where, sizes=sizes: measured(pages.page(*where), sizes))
        try:
            backfill.run(ledger.ledger, "0001/20", counted, work, settings=options)
        except Killed:
            killed += 1
        revive(ledger)
        report = backfill.run(ledger.ledger, "0001/20", counted, work, settings=options)
        assert (report.ended, report.counts.is_exact, report.counts.rejected) == ("done", True, 0)
        # Of the page that was not checkpointed, the second run finds that it is new.
        assert 0 <= report.counts.already_new <= max(sizes)
        assert report.counts.read == report.counts.written + report.counts.already_new == 60
        wanted = {"status": "new", "placed_at": PLACED, "first": "Ada", "tier": "free"}
        version = {world.version: pages.form(world.version, 2)}
        assert world.read() == {str(at): {**wanted, "last": f"L{at}", **version} for at in range(60)}
    assert killed > 1


def measured(page: Any, sizes: list[int]) -> Any:
    """A page, whose size is written down: a server may give more than was asked for."""
    sizes.append(len(page[0]))
    return page


def kill_at(ledger: MemoryLedger, moment: str, checkpoint: int) -> None:
    """End the process before or after it writes a row: what it would do in its last moments fails."""
    calls = 0

    def kill(call: str) -> None:
        nonlocal calls
        calls += call == "replace"
        if calls == checkpoint:
            ledger.refuse("replace", 100)
            raise Killed

    setattr(ledger, moment, kill)


def revive(ledger: MemoryLedger) -> None:
    ledger.before = ledger.after = lambda call: None
    ledger._refused.clear()


class Application:
    """Live writers and deleters; each item is written by one thread, so that its last write is known."""

    def __init__(self, world: World, items: dict[str, dict[str, Any]], threads: int, seconds: float) -> None:
        self.world, self.ends = world, time.monotonic() + seconds
        self.last: dict[str, dict[str, Any]] = {key: dict(item) for key, item in items.items()}
        self.deleted: set[str] = set()
        self.failures: list[Exception] = []
        parts = [[key for key in items if int(key) % threads == number] for number in range(threads)]
        self.threads = [threading.Thread(target=self.live, args=(own,)) for own in parts]
        for one in self.threads:
            one.start()

    @property
    def is_alive(self) -> bool:
        return time.monotonic() < self.ends

    def live(self, own: list[str]) -> None:
        rng = random.Random(own[0])
        try:
            while self.is_alive and own:
                self.act(rng, own)
        except Exception as error:  # noqa: BLE001 - a test fails of it, in the thread that looks
            self.failures.append(error)

    def act(self, rng: random.Random, own: list[str]) -> None:
        key, status = rng.choice(own), f"s{rng.randrange(100)}"
        at = f"2026-03-{rng.randrange(10, 29)}T09:26:53.589793Z"
        values = {"status": status, "placed_at": at, "note": str(rng.random())}
        match rng.randrange(9):
            case 0:
                self.world.delete(key)
                self.deleted.add(key)
                own.remove(key)
                return
            case 1 | 2 | 3 | 4:  # a new writer; an old one knows nothing of the new field
                values["status_day"] = f"{status}#{at[:10]}"
        self.world.change(key, values)
        self.last[key] |= values

    def join(self) -> None:
        for one in self.threads:
            one.join()
        assert self.failures == []


@pytest.mark.parametrize("is_server_side", [True, False], ids=["server", "guarded"])
def test_no_newer_write_is_lost_and_no_deleted_item_comes_back(world: World, is_server_side: bool) -> None:
    world.load(some(200))
    work = world.work(DAY)
    pages = world.driver.pages(work)
    if is_server_side and pages.server_side is None:
        pytest.skip("this server cannot say the transform")
    pages = pages if is_server_side else replace(pages, server_side=None)
    live = Application(world, some(200), threads=3, seconds=3)
    rounds, total = 0, Counts()
    while live.is_alive:
        options = Settings(segments=2, page=20, workers=2)
        report = backfill.run(a_ledger().ledger, "0001/20", pages, work, settings=options)
        assert (report.ended, report.counts.is_exact) == ("done", True)
        total, rounds = total + report.counts, rounds + 1
    live.join()
    seen = world.read()
    assert seen.keys() == live.last.keys() - live.deleted
    derived = ("status_day",)
    for key, item in seen.items():
        assert without(item, derived) == without(live.last[key], derived)
    backfill.run(a_ledger().ledger, "0001/21", pages, work)
    assert backfill.verify(a_ledger().ledger, "0001/21", pages, work).counts.contended == 0
    for key, item in world.read().items():
        assert item == {**live.last[key], "status_day": f"{item['status']}#{item['placed_at'][:10]}"}
    assert total.written > 200


def without(item: dict[str, Any], names: tuple[str, ...]) -> dict[str, Any]:
    return {name: value for name, value in item.items() if name not in names}


def test_poison_goes_to_quarantine_and_leaves_it(world: World) -> None:
    items = some(30)
    items["3"]["placed_at"] = "2026-02-30T00:00:00.000000Z"
    items["7"]["placed_at"] = "never"
    world.load(items)
    work = world.work(DAY, version=2)
    pages, ledger = world.driver.pages(work), a_ledger()
    report = backfill.run(ledger.ledger, "0001/20", pages, work, settings=Settings(segments=2))
    assert report.counts == Counts(read=30, written=28, rejected=2)
    assert (report.ended, report.quarantined, report.is_blocked) == ("done", 2, True)
    told = [row for key, row in ledger.ledger.rows("0001/20/bad/").items()]
    assert all(isinstance(row, dict) and "never" not in str(row) for row in told)
    world.change("3", {"placed_at": PLACED})
    assert backfill.retry_quarantine(ledger.ledger, "0001/20", pages, work).written == 1
    world.delete("7")
    assert backfill.retry_quarantine(ledger.ledger, "0001/20", pages, work) == Counts()
    report = backfill.run(ledger.ledger, "0001/20", pages, work)
    assert (report.quarantined, report.is_blocked) == (0, False)
    assert world.read()["3"]["status_day"] == "new#2026-03-14"


def test_python_decides_what_no_transform_can_say(world: World) -> None:
    text = (
        'READS, WRITES = ("name",), ("first", "last", "name")\n'
        "def transform(item):\n"
        '    first, _, last = item["name"].rpartition(" ")\n'
        '    return {"first": first.upper(), "last": last, "name": None} if first else None\n'
    )
    module = code(text, "backfill_thing.py")
    items = some(10)
    items["4"]["name"] = "Cher"
    world.load(items)
    work = world.work(reads=module.reads, writes=module.writes)
    pages = world.driver.pages(work)
    report = backfill.run(a_ledger().ledger, "0001/20", pages, work, code=module)
    assert report.counts == Counts(read=10, written=9, unchanged=1)
    found = world.read()
    assert (found["4"]["name"], found["3"]["first"], found["3"]["last"]) == ("Cher", "ADA", "L3")
    assert "name" not in found["3"]


def test_the_history_of_the_store_itself_keeps_a_pass(world: World) -> None:
    ledger = world.driver.ledger(world.home, "things")
    ledger.prepare()
    world.load(some(20))
    work = world.work(SPLIT, version=2)
    pages = world.driver.pages(work)
    report = backfill.run(ledger, "0001/20", pages, work, settings=Settings(segments=3, page=4, workers=2))
    assert report.counts == Counts(read=20, written=20)
    assert backfill.verify(ledger, "0001/20", pages, work).counts == Counts(read=20, already_new=20)
