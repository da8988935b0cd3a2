"""Taking what is next, and transactions, on a real server."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from redis import Redis
from tests.engines.redis import patterned as p
from tests.live.redis_store import NOW, Start, Store, opened, stored

from keywright import runtime
from keywright.errors import UsageError
from keywright.runtime.given import ConditionFailed, Given

pytestmark = pytest.mark.live


@pytest.fixture
def scratch(start: Start) -> Iterator[Store]:
    """A database of its own, for writes."""
    with opened(start, 11) as made:
        yield made


def test_the_oldest_elements_of_a_list_are_taken_first(scratch: Store) -> None:
    scratch.load(p.Step(run="r", number=at) for at in range(5))
    taken = [[one.number for one in scratch.call("next_step", run="r")] for _ in range(4)]
    assert taken == [[0, 1], [2, 3], [4], []]
    assert scratch.judged("count_steps", None) != []  # RPOP is nothing that a count sends


def test_every_entry_is_taken_once_and_what_was_left_is_taken_again(scratch: Store) -> None:
    for at in range(7):
        scratch.call("add_line", p.Line(number=at))
    assert [one.number for one in scratch.call("take_lines")] == [0, 1, 2]
    with Redis.from_url(scratch.url) as client:  # a consumer reads one and dies
        client.execute_command("XREADGROUP", "GROUP", "readers", "dead", "COUNT", 1, "STREAMS", "lines", ">")
        assert [one.number for one in scratch.call("take_lines", limit=2)] == [4, 5]
        ends = datetime.now(UTC) + timedelta(seconds=5)
        taken: list[int] = []
        while 3 not in taken and datetime.now(UTC) < ends:
            taken += [one.number for one in scratch.call("take_lines")]
        assert taken == [6, 3] or taken == [3, 6]
        assert scratch.call("take_lines") == []
        pending: Any = client.xpending("lines", "readers")
        assert pending["pending"] == 0


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


# Transactions.


def parts(*calls: Any) -> tuple[tuple[Given, ...], ...]:
    return tuple(tuple(one) for one in calls)


def test_a_transaction_writes_all_or_nothing(scratch: Store) -> None:
    scratch.call("open_account", p.Account(owner="o", cents=2))
    scratch.observed.events()

    def book(number: str, *, by: int = -1) -> None:
        booking = p.Booking(owner="o", booking_id=number, cents=1)
        scratch.call("book", parts=parts([Given({}, (booking,))], [Given({"owner": "o"}, by=by)]))

    book("b1")
    assert scratch.judged("book", None) == []
    with pytest.raises(ConditionFailed, match=r'"booking:\{o\}:b1" is there already'):
        book("b1")
    book("b2")
    with pytest.raises(ConditionFailed, match="is not at least 1"):
        book("b3")
    account = p.Account(owner="o", cents=0)
    assert stored(scratch, account) == runtime.to_item(account)
    assert stored(scratch, p.Booking(owner="o", booking_id="b3", cents=1)) is None


def test_a_transaction_without_conditions_is_multi_and_exec(scratch: Store) -> None:
    booking, account = p.Booking(owner="o", booking_id="b", cents=1), p.Account(owner="o", cents=5)
    scratch.call("note_both", parts=parts([Given({}, (booking,))], [Given({}, (account,))]))
    (event,) = scratch.observed.events()
    assert event["kind"] == "transaction"
    assert [stored(scratch, one) for one in (booking, account)] == [runtime.to_item(one) for one in (booking, account)]


def test_one_item_is_not_written_twice_where_conditions_are_judged_first(scratch: Store) -> None:
    scratch.call("open_account", p.Account(owner="o", cents=1))
    twice = [Given({"owner": "o"}, by=-1), Given({"owner": "o"}, by=-1)]
    with pytest.raises(UsageError, match="is written twice in one transaction"):
        scratch.call("book", parts=parts([Given({}, (p.Booking(owner="o", booking_id="b", cents=1),))], twice))
