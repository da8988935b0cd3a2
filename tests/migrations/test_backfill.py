"""Backfills over items in memory: every meeting with live writers, deleters and crashes, and what a pass reports."""

import threading
from collections.abc import Callable
from contextlib import suppress
from itertools import combinations_with_replacement, product
from typing import Any

import pytest
from tests.migrations.items import VERSION, Items, ahead
from tests.migrations.memory import MemoryLedger

from keywright.engines.contract.pages import Work
from keywright.engines.interface import StatementFailed
from keywright.errors import NeedsDecision, UsageError
from keywright.ir.transform import Transform, parse
from keywright.migrations.backfill import backfill
from keywright.migrations.backfill.backfill import BackfillSettings, PassProgress
from keywright.migrations.backfill.segments import Counts
from keywright.migrations.backfill.throttle import Clock
from keywright.record import replace

DAY = parse({"set": {"day": "{status}#{at}"}})


class Time:
    """Time that passes only while somebody sleeps."""

    def __init__(self) -> None:
        self.at = 1000.0

    @property
    def clock(self) -> Clock:
        return Clock(lambda: self.at, self.sleep)

    def sleep(self, seconds: float) -> None:
        self.at += seconds


def a_work(transform: Transform | None = DAY, **options: Any) -> Work:
    known: dict[str, Any] = {"reads": transform.reads, "writes": transform.writes} if transform else {}
    return Work(**{"object": "things", "transform": transform, **known, **options})


def some(count: int, **work: Any) -> Items:
    return Items(a_work(**work), {f"{at:04d}": {"status": "new", "at": "5"} for at in range(count)})


def a_ledger() -> MemoryLedger:
    return MemoryLedger(is_prepared=True)


def run(items: Items, ledger: MemoryLedger | None = None, **options: Any) -> backfill.PassReport:
    result: dict[str, Any] = {
        "segments": 2,
        "page": 2,
        "workers": 1,
        "is_alone": True,
        "clock": Time().clock,
        **options,
    }
    given = {name: result.pop(name) for name in ("code", "tell", "pages") if name in result}
    pages = given.pop("pages", items.pages)
    book = (ledger or a_ledger()).ledger
    return backfill.run(book, "0001/20", pages, items.work, settings=BackfillSettings(**result), **given)


class Crash(BaseException):
    """The process ends here."""


Act = Callable[[Items, dict[str, Any]], None]


def old_writer(key: str) -> Act:
    def act(items: Items, last: dict[str, Any]) -> None:
        if key in items.stored:
            items.stored[key] = last[key] = {"status": "paid", "at": "7", "note": "old"}

    return act


def new_writer(key: str) -> Act:
    def act(items: Items, last: dict[str, Any]) -> None:
        if key in items.stored:
            version = {} if items.work.version is None else {VERSION: 2}
            items.stored[key] = last[key] = {"status": "sent", "at": "8", "day": "sent#8", "note": "new", **version}

    return act


def deleter(key: str) -> Act:
    def act(items: Items, last: dict[str, Any]) -> None:
        items.stored.pop(key, None)
        last[key] = None

    return act


def crash(items: Items, last: dict[str, Any]) -> None:
    raise Crash


def acts() -> dict[str, Act]:
    makers = {"old": old_writer, "new": new_writer, "delete": deleter}
    result: dict[str, Act] = {
        f"{name} {key}": make(key) for (name, make), key in product(makers.items(), ("0000", "0001"))
    }
    return {**result, "crash": crash}


ACTIONS = ("read", "find", "write", "replace")
"""What may meet something: of an item, and of a row both before it is written and before that is known."""


def moments(version: int | None) -> int:
    """Atomic actions of an undisturbed pass."""
    items, ledger, count = some(2, version=version), a_ledger(), 0

    def tick(action: str) -> None:
        nonlocal count
        count += action in ACTIONS

    items.before = ledger.before = ledger.after = tick
    run(items, ledger, page=1, segments=1)
    return count


def disturbed(version: int | None, plan: dict[int, list[Act]]) -> tuple[Items, dict[str, Any]]:
    """The items after a pass in which something happens at some moments, and one after that; with the last writes."""
    items, ledger, count = some(2, version=version), a_ledger(), 0
    last = {key: dict(item) for key, item in items.stored.items()}

    def tick(action: str) -> None:
        nonlocal count
        count += action in ACTIONS
        for act in plan.pop(count, ()):
            if act is crash:
                ledger.refuse("replace", 100)
            act(items, last)

    items.before = ledger.before = ledger.after = tick
    while True:
        try:
            assert run(items, ledger, page=1, segments=1).counts.is_exact
            break
        except Crash:
            ledger._refused.clear()
    items.before = ledger.before = ledger.after = lambda action: None
    run(items)
    return items, last


@pytest.mark.parametrize("version", [None, 2])
def test_whatever_happens_meanwhile_the_end_is_the_transform_of_the_last_live_write(version: int | None) -> None:
    many = moments(version)
    assert many > 10
    single = [(at, act) for at in range(1, many + 1) for act in acts().values()]
    for entry, other in combinations_with_replacement(single, 2):
        plan: dict[int, list[Act]] = {}
        for at, act in (entry, other):
            plan.setdefault(at, []).append(act)
        items, last = disturbed(version, plan)
        output = {} if version is None else {VERSION: 2}
        assert items.stored == {
            key: {**item, "day": f"{item['status']}#{item['at']}", **output} for key, item in last.items() if item
        }


def test_a_resumed_pass_repeats_one_page_at_the_most() -> None:
    for at in range(1, 40):
        items, ledger = some(10, version=2), a_ledger()
        calls = 0

        def kill(call: str, at: int = at, ledger: MemoryLedger = ledger) -> None:
            nonlocal calls
            calls += 1
            if calls == at:
                ledger.refuse("replace", 100)
                raise Crash

        ledger.before = ledger.after = kill
        with suppress(Crash):
            run(items, ledger)
        ledger.before = ledger.after = lambda call: None
        ledger._refused.clear()
        report = run(items, ledger)
        assert (report.ended, report.counts.read, report.counts.is_exact) == ("done", 10, True)
        assert report.counts.already_new <= 2
        assert sorted(items.written) == sorted(items.stored)


def test_a_worker_holds_one_page() -> None:
    items = some(101)
    assert run(items, page=7, segments=3).counts == Counts(read=101, written=101)
    assert items.largest_page == 7


def test_two_workers_share_the_segments() -> None:
    items, clock = some(200), Clock()
    assert run(items, workers=4, segments=16, clock=clock).counts == Counts(read=200, written=200)
    assert sorted(items.written) == sorted(items.stored)


def test_a_segment_of_a_dead_worker_is_taken_when_its_lease_is_over() -> None:
    items, ledger, time = some(4, version=2), a_ledger(), Time()

    def die(action: str) -> None:
        ledger.refuse("replace", 100)
        raise Crash

    items.before = lambda action: die(action) if action == "write" else None
    with pytest.raises(Crash):
        run(items, ledger, clock=time.clock, is_alone=False)
    items.before = lambda action: None
    ledger._refused.clear()
    began = time.at
    assert run(items, ledger, clock=time.clock, is_alone=False, lease_seconds=60).counts == Counts(4, 4)
    assert 60 <= time.at - began < 90


def test_a_worker_whose_segment_was_taken_leaves_it() -> None:
    items, ledger = some(4, version=2), a_ledger()
    stolen: list[str] = []

    def steal(action: str) -> None:
        if action == "write" and not stolen:
            stolen.append(action)
            assert run(items, ledger).ended == "done"

    items.before = steal
    report = run(items, ledger)
    assert report.counts == Counts(read=4, written=4)
    assert sorted(items.written) == sorted(items.stored)


def test_what_somebody_writes_again_and_again_is_left_for_the_next_pass() -> None:
    items = some(2, version=2)

    def disturb(action: str) -> None:
        if action == "write":
            items.stored["0000"]["at"] += "0"

    items.before = disturb
    report = run(items, segments=1, tries=3)
    assert report.counts == Counts(read=2, written=1, contended=1)
    items.before = lambda action: None
    verified = backfill.verify(a_ledger().ledger, "0001/20", items.pages, items.work)
    assert (verified.counts.contended, verified.counts.already_new) == (1, 1)


def test_poison_is_kept_by_key_and_blocks() -> None:
    transform = parse({"cast": {"n": "int"}})
    stored = {"a": {"n": "1"}, "b": {"n": "secret"}, "c": {"n": 3}}
    items, ledger = Items(a_work(transform), stored), a_ledger()
    report = run(items, ledger, segments=1)
    assert report.counts == Counts(read=3, written=1, already_new=1, rejected=1)
    (row,) = ledger.ledger.rows("0001/20/bad/").values()
    assert row == {"key": "b", "error": '"n" is a str that cannot be read as int', "state": "open", "run": 1}
    assert (report.is_blocked, run(items, ledger, max_failed=1).is_blocked) == (True, False)
    items.stored["b"]["n"] = "2"
    assert backfill.retry_quarantine(ledger.ledger, "0001/20", items.pages, items.work) == Counts(1, 1)
    report = run(items, ledger)
    assert (report.is_blocked, report.quarantined) == (False, 0)
    assert report.counts == Counts(read=3, written=2, already_new=1), "what is mended is not counted as rejected"


def test_what_the_store_refuses_is_kept_too() -> None:
    items, ledger = some(3, version=2), a_ledger()
    items.refused = frozenset(["0001"])
    report = run(items, ledger)
    assert (report.counts, report.quarantined) == (Counts(read=3, written=2, rejected=1), 1)


def test_a_transform_that_fails_too_often_gives_its_segment_up() -> None:
    items = Items(a_work(parse({"cast": {"n": "int"}})), {f"{at:04d}": {"n": "x"} for at in range(40)})
    report = run(items, segments=1, kept=5)
    assert (report.ended, report.is_blocked) == ("failed", True)
    assert report.problems == ("more than 5 items were rejected",)
    assert report.counts.rejected < 10


def test_another_transform_needs_a_restart() -> None:
    ledger = a_ledger()
    run(some(4), ledger)
    other = some(4, transform=parse({"set": {"day": "{at}#{status}"}}))
    with pytest.raises(NeedsDecision):
        run(other, ledger)
    assert run(other, ledger, restart=True).counts == Counts(read=4, written=4)
    assert run(other, ledger).counts == Counts(read=4, written=4)


def test_a_pass_that_cannot_tell_what_it_has_done_needs_a_version() -> None:
    chain = parse({"map": {"status": {"new": "old", "old": "gone"}}})
    with pytest.raises(UsageError, match="no schema version"):
        run(some(1, transform=chain))
    items = some(2, transform=chain, version=2)
    assert [run(items).counts.written for _ in range(2)] == [2, 0]
    assert items.stored["0000"]["status"] == "old"


def test_the_server_does_what_it_can_and_python_the_rest() -> None:
    items = some(10, version=2)
    pages = replace(items.pages, server_side=ahead(items, left=["0003", "0007"]))
    assert run(items, pages=pages).counts == Counts(read=10, written=10)
    assert {key for key, item in items.stored.items() if "by" not in item} == {"0003", "0007"}
    assert items.stored["0003"]["day"] == "new#5"


def test_a_control_row_pauses_slows_and_ends_a_pass() -> None:
    items, ledger, time = some(40), a_ledger(), Time()
    backfill.control(ledger.ledger, "0001/20", rate=10)
    run(items, ledger, clock=time.clock)
    assert 3 <= time.at - 1000 <= 5
    backfill.control(ledger.ledger, "0001/20", state="pause")
    naps: list[float] = []

    def sleep(seconds: float) -> None:
        naps.append(seconds)
        if 12 < sum(naps) < 13:
            backfill.control(ledger.ledger, "0001/20", state="run", rate=0)
        time.sleep(seconds)

    assert run(items, ledger, restart=True, clock=Clock(lambda: time.at, sleep)).ended == "done"
    assert sum(naps) == pytest.approx(15), "a pause is looked at every five seconds"
    assert max(naps) < 1, "and left at once where the process is to end"
    backfill.control(ledger.ledger, "0001/20", state="abort")
    report = run(items, ledger, restart=True)
    assert (report.ended, report.is_blocked, report.counts) == ("aborted", True, Counts())


def test_progress_tells_rate_and_time_left() -> None:
    items, time, progresses = some(40), Time(), list[PassProgress]()
    run(items, clock=time.clock, rate=10, segments=1, page=10, tell=progresses.append)
    assert [progress.counts.read for progress in progresses] == [10, 20, 30, 40, 40][: len(progresses)]
    assert progresses[1].per_second == pytest.approx(20, rel=0.5)
    assert progresses[-1].seconds_left == 0
    assert (progresses[-1].segments_done, progresses[-1].segments) == (1, 1)


def test_a_server_that_is_lost_leaves_the_pass_as_it_is() -> None:
    items, ledger = some(10, version=2), a_ledger()
    ledger.lose_answers("replace", 1)
    with pytest.raises(StatementFailed):
        run(items, ledger)
    assert run(items, ledger).counts == Counts(read=10, written=10)


def test_a_failing_worker_ends_the_others() -> None:
    items, done = some(400), threading.Event()

    def fail(action: str) -> None:
        if action == "write" and not done.is_set():
            done.set()
            raise StatementFailed("lost")

    items.before = fail
    with pytest.raises(StatementFailed):
        run(items, workers=3, segments=40, clock=Clock(), poll_seconds=1000)
    assert len(items.written) < 400


def test_status_tells_where_a_pass_is() -> None:
    items, ledger = some(4), a_ledger()
    assert backfill.status(ledger.ledger, "0001/20") is None
    run(items, ledger)
    status = backfill.status(ledger.ledger, "0001/20")
    assert status is not None
    plan, rows, counts, bad = status
    assert (plan.run, len(rows), counts, bad) == (1, 2, Counts(read=4, written=4), 0)
    assert {row["state"] for row in rows.values()} == {"DONE"}


def test_a_verify_pass_that_is_over_begins_anew() -> None:
    items, ledger = some(4), a_ledger()
    settings = BackfillSettings(segments=2, clock=Time().clock)
    for expected in (4, 0):
        report = backfill.verify(ledger.ledger, "0001/20", items.pages, items.work, settings=settings)
        assert (report.ended, report.counts.contended) == ("done", expected)
        assert items.written == [] or expected == 0
        run(items, ledger)
