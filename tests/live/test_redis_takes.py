"""Taking what is next, and transactions, on a real server."""

import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from redis import Redis
from tests.engines.redis import patterned as p
from tests.live.redis_store import NOW, PRODUCTS, Start, Store, opened, stored

from keywright import runtime
from keywright.drivers.redis import driver as driver_of
from keywright.errors import UsageError
from keywright.record import replace
from keywright.runtime.validate.arguments import Arguments, ConditionFailed

pytestmark = pytest.mark.live
ROOT = Path(__file__).parents[2]


@pytest.fixture(params=PRODUCTS)
def scratch(start: Start, request: pytest.FixtureRequest) -> Iterator[Store]:
    """A database of its own, for writes."""
    with opened(start, 11, request.param) as store:
        yield store


def test_the_oldest_elements_of_a_list_are_taken_first(scratch: Store) -> None:
    scratch.load(p.Step(run="r", number=at) for at in range(5))
    taken = [[entry.number for entry in scratch.call("next_step", run="r")] for _ in range(4)]
    assert taken == [[0, 1], [2, 3], [4], []]
    assert scratch.judged("count_steps", None) != []  # RPOP is nothing that a count sends


def test_every_entry_is_taken_once_and_what_was_left_is_taken_again(scratch: Store) -> None:
    for at in range(7):
        scratch.call("add_line", p.Line(number=at))
    scratch.observed.events()
    with scratch.call("take_lines") as lines:
        assert [line.number for line in lines] == [0, 1, 2]
    assert scratch.judged("take_lines", lines) == []
    with Redis.from_url(scratch.url) as client:  # a consumer reads one and dies
        client.execute_command("XREADGROUP", "GROUP", "readers", "dead", "COUNT", 1, "STREAMS", "lines", ">")
        with scratch.call("take_lines", limit=2) as lines:
            assert [line.number for line in lines] == [4, 5]
        assert sorted(taken(scratch, 2)) == [3, 6]
        assert list(scratch.call("take_lines")) == []
        assert pending(client) == 0
        assert not client.exists("{lines}:dead")


def taken(store: Store, many: int) -> list[int]:
    """The numbers of so many lines, taken and acknowledged as they become free."""
    result: list[int] = []
    ends = time.monotonic() + 20
    while len(result) < many and time.monotonic() < ends:
        with store.call("take_lines") as lines:
            result += [line.number for line in lines]
    return result


def pending(client: Any, stream: str = "lines", group: str = "readers") -> int:
    return int(client.xpending(stream, group)["pending"])


def test_only_what_the_caller_acknowledges_is_done(scratch: Store) -> None:
    for at in range(3):
        scratch.call("add_line", p.Line(number=at))
    with Redis.from_url(scratch.url) as client:
        lines = scratch.call("take_lines")
        assert (len(lines), pending(client)) == (3, 3)
        lines.ack(lines[1])
        lines.ack(lines[1])
        assert pending(client) == 2
        with pytest.raises(UsageError, match="none that this call took"):
            lines.ack(p.Line(number=0))
        with pytest.raises(RuntimeError), lines:
            raise RuntimeError("the work fails")
        assert pending(client) == 2
        assert sorted(taken(scratch, 2)) == [0, 2]
        assert pending(client) == 0


def test_what_is_returned_is_delivered_again_at_once(scratch: Store) -> None:
    for at in range(3):
        scratch.call("add_job", p.Job(number=at))
    with scratch.call("take_jobs") as jobs:
        assert [jobs.deliveries(job) for job in jobs] == [1, 1, 1]
        scratch.observed.events()
        jobs.nack(jobs[1])
        assert scratch.judged("take_jobs", jobs) == []
        jobs.nack(jobs[1])
    again = scratch.call("take_jobs")  # long before the end of claim_after
    assert ([job.number for job in again], again.deliveries(again[0])) == ([1], 2)
    with pytest.raises(UsageError, match="none that this call took"):
        again.nack(p.Job(number=1))
    with pytest.raises(UsageError, match="claim_after"):
        again.nack(after=timedelta(hours=1))
    again.ack()
    again.nack()
    assert list(scratch.call("take_jobs")) == []


def test_what_is_returned_for_later_waits(scratch: Store) -> None:
    scratch.call("add_job", p.Job(number=1))
    scratch.call("take_jobs").nack(after=timedelta(seconds=1))
    begin = time.monotonic()
    while not (jobs := scratch.call("take_jobs")):
        time.sleep(0.02)
    assert [job.number for job in jobs] == [1]
    assert 0.9 < time.monotonic() - begin < 1.9  # before the end of claim_after


def test_what_is_returned_every_time_goes_to_the_dead_letters(scratch: Store) -> None:
    scratch.call("add_job", p.Job(number=1))
    counts: list[int] = []
    while jobs := scratch.call("take_jobs"):
        counts += [jobs.deliveries(job) for job in jobs]
        jobs.nack()
    assert (counts, jobs.set_aside) == ([1, 2, 3, 4, 5], 1)
    with Redis.from_url(scratch.url) as client:
        assert (client.xlen("{jobs}:dead"), pending(client, "jobs", "workers")) == (1, 0)


def test_what_another_consumer_has_claimed_is_not_returned(scratch: Store) -> None:
    scratch.call("add_job", p.Job(number=1))
    jobs = scratch.call("take_jobs")
    with Redis.from_url(scratch.url) as client:
        (entry,) = client.xpending_range("jobs", "workers", "-", "+", 1)
        client.xclaim("jobs", "workers", "other", 0, [entry["message_id"]])
        jobs.nack()
        (entry,) = client.xpending_range("jobs", "workers", "-", "+", 1)
        assert (entry["consumer"], entry["time_since_delivered"] < 1000) == (b"other", True)


WORKER = """
import sys, time
from redis import Redis
from tests.engines.redis import patterned
from tests.engines.redis.planning import Plans
from keywright import runtime
from keywright.engines.redis.engine import ENGINE
from keywright.runtime.validate.arguments import Arguments
from keywright.runtime.redis.execute import prepare

plans = Plans(patterned.__file__, vars(patterned), ENGINE.localise(None, sys.argv[2]))
take = prepare(plans["take_lines"], {"Line": runtime.codec_of(patterned.Line)})
with take(Redis.from_url(sys.argv[1]), Arguments({}, limit=3)) as lines:
    print(*[one.number for one in lines], flush=True)
    time.sleep(600)
"""


def test_a_worker_that_is_killed_loses_nothing(scratch: Store) -> None:
    for at in range(5):
        scratch.call("add_line", p.Line(number=at))
    version = driver_of.version(scratch.url)
    command = [sys.executable, "-c", WORKER, scratch.url, version]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as worker:
        assert worker.stdout is not None
        assert worker.stdout.readline().split() == ["0", "1", "2"]
        worker.kill()
    assert sorted(taken(scratch, 5)) == [0, 1, 2, 3, 4]
    with Redis.from_url(scratch.url) as client:
        assert pending(client) == 0


def test_an_unreadable_entry_goes_to_the_dead_letters_and_blocks_nothing(scratch: Store) -> None:
    scratch.call("add_line", p.Line(number=1))
    with Redis.from_url(scratch.url, decode_responses=True) as client:
        id = client.xadd("lines", {"number": "no number", "text": "x"})
        scratch.call("add_line", p.Line(number=2))
        with scratch.call("take_lines") as lines:
            assert ([line.number for line in lines], lines.set_aside) == ([1, 2], 1)
        ((_, fields),) = client.xrange("{lines}:dead")
        output = {"kw:id": id, "kw:group": "readers", "kw:reason": "unreadable"}
        assert fields == {**output, "number": "no number", "text": "x"}
        assert pending(client) == 0


def test_an_entry_that_fails_every_time_goes_to_the_dead_letters(scratch: Store) -> None:
    scratch.call("add_line", p.Line(number=1))
    deliveries, ends = 0, time.monotonic() + 20
    with Redis.from_url(scratch.url, decode_responses=True) as client:
        while not client.exists("{lines}:dead") and time.monotonic() < ends:
            deliveries += len(scratch.call("take_lines"))  # and nothing is acknowledged
        assert deliveries == 5
        ((_, fields),) = client.xrange("{lines}:dead")
        assert (fields["number"], fields["kw:reason"]) == ("1", "5 deliveries")
        assert pending(client) == 0
    scratch.call("add_line", p.Line(number=2))
    assert taken(scratch, 1) == [2]


@pytest.mark.parametrize(
    ("name", "call"), [("record_call", p.Call(user="r")), ("come", p.Guest(day=date(2026, 1, 1), guest="g"))]
)
def test_what_is_only_counted_is_put_too(scratch: Store, name: str, call: Any) -> None:
    scratch.call(name, call)
    assert scratch.judged(name, None) == []


def test_a_rate_limit_allows_so_many_in_any_period(scratch: Store) -> None:
    def allowed(seconds: float, **more: Any) -> bool:
        return bool(scratch.call("allow", user="u", now=NOW + timedelta(seconds=seconds), **more))

    assert [allowed(at) for at in (0, 1, 2, 3, 4, 5, 59.9)] == [True] * 5 + [False] * 2
    assert [allowed(at) for at in (60.5, 60.6, 61.5)] == [True, False, True]
    assert allowed(63.5, limit=3) is False  # two have left the window by then
    assert allowed(63.5, limit=2) is True
    assert [scratch.call("allow", user="v") for _ in range(7)] == [True] * 5 + [False] * 2
    with Redis.from_url(scratch.url) as client:
        assert client.zcard("call:v") == 5
        assert 0 < client.ttl("call:v") <= 60  # type: ignore[operator]


def test_a_fixed_window_begins_again_with_each_period(scratch: Store) -> None:
    begin = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)
    tries = [scratch.call("allow_try", user="u", now=begin + timedelta(seconds=at)) for at in (1, 2, 3, 4, 59, 60, 61)]
    assert tries == [True, True, True, False, False, True, True]
    assert scratch.judged("allow_try", None)[:0] == []
    assert scratch.call("allow_try", user="v", now=begin, limit=4) is False
    assert scratch.call("allow_try", user="v", now=begin, limit=3) is True


def test_a_bucket_allows_a_burst_and_then_a_steady_flow(scratch: Store) -> None:
    def poured(seconds: float, **more: Any) -> bool:
        return bool(scratch.call("pour", user="u", now=NOW + timedelta(seconds=seconds), **more))

    assert [poured(0) for _ in range(5)] == [True] * 3 + [False] * 2
    assert [poured(at) for at in (9.9, 10, 10.1, 19.9, 20)] == [False, True, False, False, True]
    assert [poured(at) for at in (300, 300, 300, 300)] == [True] * 3 + [False]  # no more than the bucket holds
    assert (poured(320, limit=3), poured(320, limit=2), poured(329.9), poured(330)) == (False, True, False, True)
    assert [scratch.call("pour", user="v") for _ in range(5)] == [True] * 3 + [False] * 2
    scratch.observed.events()
    assert scratch.call("pour", user="v") is False
    assert scratch.judged("pour", None) == []
    with Redis.from_url(scratch.url) as client:
        assert client.type("pour:v:0") == b"string"
        assert 0 < client.pttl("pour:v:0") <= 30_000  # type: ignore[operator]


def test_a_limit_changes_its_window_while_programs_with_both_run(scratch: Store) -> None:
    bucket = scratch.plans["pour"]
    call: Any = bucket.access_path.call
    sliding = replace(call.structure, window="sliding", burst=None)
    path = replace(bucket.access_path, call=replace(call, structure=sliding))
    before = scratch.prepared(replace(bucket, path=path))
    arguments = Arguments({"user": "w"}, limit=1)
    for _ in range(2):
        assert before(scratch.observed.client, arguments) is True
        assert scratch.call("pour", user="w") is True


# Transactions.


def parts(*calls: Any) -> tuple[tuple[Arguments, ...], ...]:
    return tuple(tuple(call) for call in calls)


def test_a_transaction_writes_all_or_nothing(scratch: Store) -> None:
    scratch.call("open_account", p.Account(owner="o", cents=2))
    scratch.observed.events()

    def book(number: str, *, by: int = -1) -> None:
        booking = p.Booking(owner="o", booking_id=number, cents=1)
        scratch.call("book", parts=parts([Arguments({}, (booking,))], [Arguments({"owner": "o"}, by=by)]))

    book("b1")
    assert scratch.judged("book", None) == []
    with pytest.raises(ConditionFailed, match="the item exists already"):
        book("b1")
    book("b2")
    with pytest.raises(ConditionFailed, match="the condition at least"):
        book("b3")
    account = p.Account(owner="o", cents=0)
    assert stored(scratch, account) == runtime.to_item(account)
    assert stored(scratch, p.Booking(owner="o", booking_id="b3", cents=1)) is None


def test_a_transaction_without_conditions_is_multi_and_exec(scratch: Store) -> None:
    booking, account = p.Booking(owner="o", booking_id="b", cents=1), p.Account(owner="o", cents=5)
    scratch.call("note_both", parts=parts([Arguments({}, (booking,))], [Arguments({}, (account,))]))
    (event,) = scratch.observed.events()
    assert event["kind"] == "transaction"
    assert [stored(scratch, entry) for entry in (booking, account)] == [
        runtime.to_item(entry) for entry in (booking, account)
    ]


def test_one_item_is_not_written_twice_where_conditions_are_judged_first(scratch: Store) -> None:
    scratch.call("open_account", p.Account(owner="o", cents=1))
    twice = [Arguments({"owner": "o"}, by=-1), Arguments({"owner": "o"}, by=-1)]
    with pytest.raises(UsageError, match="is written twice in one transaction"):
        scratch.call("book", parts=parts([Arguments({}, (p.Booking(owner="o", booking_id="b", cents=1),))], twice))


# Entries that wait.


def at(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


def test_an_entry_waits_until_it_is_due(scratch: Store) -> None:
    body = bytes(range(256)) + "ä:3:".encode()
    for number, due in enumerate((None, at(-5), at(10), at(5), at(5))):
        scratch.call("add_job", p.Job(number=number, run_at=due, body=body), now=NOW)
    assert scratch.judged("add_job", None)[:0] == []
    with Redis.from_url(scratch.url) as client:
        assert (client.xlen("jobs"), client.zcard("{jobs}:delayed")) == (2, 3)
        assert [job.number for job in scratch.call("take_jobs", now=NOW)] == [0, 1]
        assert list(scratch.call("take_jobs", now=at(4.999))) == []
        first = scratch.call("take_jobs", now=at(5))
        assert sorted(job.number for job in first) == [3, 4]
        assert all(job.body == body and job.run_at == at(5) for job in first)
        assert [job.number for job in scratch.call("take_jobs", now=at(99))] == [2]
        assert (client.xlen("jobs"), client.exists("{jobs}:delayed")) == (5, 0)


def test_the_clock_of_the_server_decides_what_is_due(scratch: Store) -> None:
    due = datetime.now(UTC) + timedelta(seconds=0.5)
    scratch.call("add_job", p.Job(number=1, run_at=due))
    scratch.observed.events()
    assert list(scratch.call("take_jobs")) == []
    assert scratch.judged("take_jobs", None) == []
    while not (jobs := scratch.call("take_jobs")):
        time.sleep(0.02)
    assert ([job.number for job in jobs], datetime.now(UTC) >= due) == ([1], True)


def test_many_entries_that_are_due_are_appended_page_by_page(scratch: Store) -> None:
    for number in range(8):
        scratch.call("add_job", p.Job(number=number, run_at=at(number)), now=at(-1))
    pages = [[job.number for job in scratch.call("take_jobs", now=at(6), limit=3)] for _ in range(4)]
    assert pages == [[0, 1, 2], [3, 4, 5], [6], []]


def test_an_entry_waits_as_part_of_a_transaction_too(scratch: Store) -> None:
    later = datetime.now(UTC) + timedelta(hours=1)
    jobs = (p.Job(number=1), p.Job(number=2, run_at=later))
    scratch.call("add_two_jobs", parts=parts(*([Arguments({}, (job,))] for job in jobs)))
    with Redis.from_url(scratch.url) as client:
        assert (client.xlen("jobs"), client.zcard("{jobs}:delayed")) == (1, 1)


def test_what_waits_is_found_as_stored(scratch: Store) -> None:
    job = p.Job(number=1, run_at=datetime.now(UTC) + timedelta(hours=1))
    assert stored(scratch, job) is None
    scratch.load([job])
    found = stored(scratch, job)
    assert found is not None
    assert found.value == runtime.to_item(job).value
