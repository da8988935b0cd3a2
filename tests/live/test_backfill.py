"""Backfills on the four real servers: what they mean, what they resume, and whose writes they never touch."""

import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.live.backfill_worlds import WORLDS, World
from tests.live.drawn import drawn
from tests.migrations.memory import MemoryLedger
from tests.properties.transforms import FIELDS, transforms

from keywright.drivers.mongodb import pages as mongodb_pages
from keywright.engines.contract.pages import ChangeOutcome, ItemChange, Pages, Work
from keywright.ir.apply_transform import REMOVED, Poison, apply, is_same
from keywright.ir.transform import Transform, parse
from keywright.local import Running
from keywright.migrations.backfill import backfill
from keywright.migrations.backfill.backfill import BackfillSettings
from keywright.migrations.backfill.item_transform import code
from keywright.migrations.backfill.segments import Counts
from keywright.record import replace

pytestmark = pytest.mark.live

Start = Callable[..., Running]

DAY = parse({"set": {"status_day": "{status}#{placed_at:date}"}})
SPLIT = parse({"split": {"name": {"on": " ", "into": ["first", "last"]}}, "unset": ["name"], "set": {"tier": "free"}})
PLACED = "2026-03-14T09:26:53.589793Z"


@pytest.fixture(autouse=True)
def small_segments(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few documents are split too."""
    monkeypatch.setattr(mongodb_pages, "LEAST", 1)


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
@drawn(8)
def test_the_server_stores_what_python_means(world: World, data: st.DataObject) -> None:
    transform: Transform = data.draw(transforms())
    version = data.draw(st.sampled_from((None, 2))) if not transform.only_once else 2
    many = st.lists(st.dictionaries(st.sampled_from(FIELDS), world.values, max_size=5), min_size=1, max_size=20)
    items = {str(at): {"note": "n", **item} for at, item in enumerate(data.draw(many))}
    world.load(items)
    before = world.read()
    work = world.work(transform, version=version)
    pages = world.driver.pages(work)
    report = backfill.run(
        a_ledger().ledger, "0001/20", pages, work, settings=BackfillSettings(segments=2, page=7, ahead=7)
    )
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
    options = BackfillSettings(segments=2, page=5, ahead=5, workers=1, is_alone=True)
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
        goal = {"status": "new", "placed_at": PLACED, "first": "Ada", "tier": "free"}
        version = {world.version: pages.form(world.version, 2)}
        assert world.read() == {str(at): {**goal, "last": f"L{at}", **version} for at in range(60)}
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

    def __init__(
        self, world: World, write: Callable[[World, random.Random, str], dict[str, Any]], seconds: float
    ) -> None:
        self.world, self.write, self.ends = world, write, time.monotonic() + seconds
        self.last: dict[str, dict[str, Any]] = some(ITEMS)
        self.deleted: set[str] = set()
        self.failures: list[Exception] = []
        parts = [[key for key in self.last if int(key) % WRITERS == number] for number in range(WRITERS)]
        self.threads = [threading.Thread(target=self.live, args=(own,)) for own in parts]
        for thread in self.threads:
            thread.start()

    @property
    def is_alive(self) -> bool:
        return time.monotonic() < self.ends

    def live(self, own: list[str]) -> None:
        rng = random.Random(own[0])
        try:
            while self.is_alive:
                key = rng.choice(own)
                if rng.random() < 0.1 and len(own) > ITEMS // WRITERS // 2:
                    self.world.delete(key)
                    self.deleted.add(key)
                    own.remove(key)
                else:
                    self.last[key] |= self.write(self.world, rng, key)
        except Exception as error:  # noqa: BLE001 - a test fails of it, in the thread that looks
            self.failures.append(error)

    def backfilled(self, pages: Pages, work: Work) -> dict[str, dict[str, Any]]:
        """The items when the application has ended: after passes all the while, and one more behind it."""
        total = Counts()
        while self.is_alive:
            options = BackfillSettings(segments=2, page=20, ahead=20, workers=2)
            report = backfill.run(a_ledger().ledger, "0001/20", pages, work, settings=options)
            assert (report.ended, report.counts.is_exact, report.counts.rejected) == ("done", True, 0)
            total += report.counts
        for thread in self.threads:
            thread.join()
        assert self.failures == []
        assert total.written > 20
        backfill.run(a_ledger().ledger, "0001/21", pages, work)
        assert backfill.verify(a_ledger().ledger, "0001/21", pages, work).counts.contended == 0
        result = self.world.read()
        assert result.keys() == self.last.keys() - self.deleted
        return result


ITEMS, WRITERS = 200, 3


def pages_of(world: World, work: Work, form: str) -> Pages:
    """The pages of a pass in which the server does all that it can, or only the guarded writes."""
    pages = world.driver.pages(work)
    if form == "server" and pages.server_side is None:
        pytest.skip("this server cannot say the transform")
    return pages if form == "server" else replace(pages, server_side=None, write=lambda changes: slowly(pages, changes))


def slowly(pages: Pages, changes: Sequence[ItemChange]) -> tuple[ChangeOutcome, ...]:
    """Write what was read a while ago, so that live writes come between."""
    time.sleep(0.02)
    return pages.write(changes)


@pytest.mark.parametrize("form", ["server", "guarded"])
def test_what_is_derived_follows_the_last_live_write(world: World, form: str) -> None:
    """Without a version: some writers know nothing of the new field."""

    def write(world: World, rng: random.Random, key: str) -> dict[str, Any]:
        status, at = f"s{rng.randrange(100)}", f"2026-03-{rng.randrange(10, 29)}T09:26:53.589793Z"
        values = {"status": status, "placed_at": at, "note": str(rng.random())}
        known = {"status_day": f"{status}#{at[:10]}"} if rng.random() < 0.5 else {}
        world.change(key, {**values, **known})
        return values

    world.load(some(ITEMS))
    work = world.work(DAY)
    pages = pages_of(world, work, form)
    live = Application(world, write, seconds=1.5)
    for key, item in live.backfilled(pages, work).items():
        last = live.last[key]
        assert item == {**last, "status_day": f"{last['status']}#{last['placed_at'][:10]}"}


@pytest.mark.parametrize("form", ["server", "guarded"])
def test_no_write_is_lost_and_no_deleted_item_comes_back(world: World, form: str) -> None:
    """With a version, and a transform that removes what it reads: what it took from an older write would be lost."""

    def write(world: World, rng: random.Random, key: str) -> dict[str, Any]:
        first, last = f"F{rng.randrange(10**6)}", f"L{rng.randrange(10**6)}"
        if rng.random() < 0.5:
            world.put(key, {"status": "old", "name": f"{first} {last}"})
        else:
            version = {world.version: pages.form(world.version, 2)}
            world.put(key, {"status": "new", "first": first, "last": last, "tier": "gold", **version})
        return {"first": first, "last": last}

    world.load(some(ITEMS))
    work = world.work(SPLIT, version=2)
    pages = pages_of(world, work, form)
    live = Application(world, write, seconds=1.5)
    for key, item in live.backfilled(pages, work).items():
        last = {"first": "Ada", "last": f"L{key}", **live.last[key]}
        assert (item["first"], item["last"]) == (last["first"], last["last"])


def test_poison_goes_to_quarantine_and_leaves_it(world: World) -> None:
    items = some(30)
    items["3"]["placed_at"] = "2026-02-30T00:00:00.000000Z"
    items["7"]["placed_at"] = "never"
    world.load(items)
    work = world.work(DAY, version=2)
    pages, ledger = world.driver.pages(work), a_ledger()
    report = backfill.run(ledger.ledger, "0001/20", pages, work, settings=BackfillSettings(segments=2))
    assert report.counts == Counts(read=30, written=28, rejected=2)
    assert (report.ended, report.quarantined, report.is_blocked) == ("done", 2, True)
    rows = [row for key, row in ledger.ledger.rows("0001/20/bad/").items()]
    assert all(isinstance(row, dict) and "never" not in str(row) for row in rows)
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
    result = world.read()
    assert (result["4"]["name"], result["3"]["first"], result["3"]["last"]) == ("Cher", "ADA", "L3")
    assert "name" not in result["3"]


def test_the_history_of_the_store_itself_keeps_a_pass(world: World) -> None:
    ledger = world.driver.ledger(world.home, "things")
    ledger.prepare()
    world.load(some(20))
    work = world.work(SPLIT, version=2)
    pages = world.driver.pages(work)
    report = backfill.run(
        ledger, "0001/20", pages, work, settings=BackfillSettings(segments=3, page=4, ahead=4, workers=2)
    )
    assert report.counts == Counts(read=20, written=20)
    assert backfill.verify(ledger, "0001/20", pages, work).counts == Counts(read=20, already_new=20)
