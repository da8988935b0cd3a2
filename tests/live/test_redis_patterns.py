"""Reads carried out on a real server, compared with what Python answers and with the server's own evidence."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from redis import Redis
from tests.engines.redis import patterned as p
from tests.live.redis_data import HOURS, instances
from tests.live.redis_store import NOW, PRODUCTS, Start, Store, clients, opened

from keywright import runtime
from keywright.errors import UsageError
from keywright.runtime import InvalidCursor

pytestmark = pytest.mark.live

NUMBER, SCRATCH = 3, 4


@pytest.fixture(scope="module", params=PRODUCTS)
def store(start: Start, request: pytest.FixtureRequest) -> Iterator[Store]:
    with opened(start, NUMBER, request.param) as created:
        created.load(instances())
        yield created


@pytest.fixture(params=PRODUCTS)
def scratch(start: Start, request: pytest.FixtureRequest) -> Iterator[Store]:
    """A database of its own, for writes."""
    with opened(start, SCRATCH, request.param) as created:
        yield created


READS: list[tuple[str, dict[str, Any]]] = [
    ("users", {"name": ["u3", "u1", "nobody", "u1", "u5"]}),
    ("users_in_order", {"name": [f"u{at}" for at in range(9)]}),
    ("users_who_log_in", {"name": [f"u{at}" for at in range(9)]}),
    ("notes", {"status": "new", "note_id": ["n1", "n3", "n5", "n6", "n7"], "words": "w1"}),
    ("events_between", {"room": "r", "at": HOURS}),
    ("events_between_up", {"room": "r", "at": HOURS}),
    ("comings", {"room": "r", "at": HOURS}),
    ("best_bids", {"lot": "l"}),
    ("best_bids_by_name", {"lot": "l"}),
    ("bids_between", {"lot": "l", "amount": (2, 5)}),
    ("bids_between", {"lot": "l", "amount": (None, 5)}),
    ("bids_from_ten", {"lot": "l"}),
    ("bids_at", {"lot": "l", "amount": 3}),
    ("some_bids", {"lot": "l", "bidder": ["b9", "b1", "b30", "c"]}),
    ("bids_like", {"lot": "l", "bidder": "b1"}),
    ("bids_like", {"lot": "nothing", "bidder": "b1"}),
    ("numbers", {}),
    ("all_numbers", {}),
    ("friends", {"who": "w"}),
    ("friends", {"who": "v"}),
    ("all_friends", {"who": "w"}),
    ("friends_of_group", {"who": "w", "group": "a"}),
    ("friends_of_two", {"who": ["v", "w", "nobody"]}),
    ("which_are_friends", {"who": "w", "group": "b", "name": ["f2", "f3", "f4", "f8", "zz"]}),
    ("long_steps", {"run": "x"}),
    ("traces", {}),
    ("seats_of", {"hall": "h", "number": [3, 4, 9, 10, 16, 5_000_000]}),
]
"""Reads, and what their calls give."""

IDS = [f"{name}-{at}" for at, (name, _) in enumerate(READS)]


def is_ordered(store: Store, name: str) -> bool:
    return bool(store.plans.patterns[name].order)


@pytest.mark.parametrize("limit", [1, 3, 7, 100, None])
@pytest.mark.parametrize(("name", "values"), READS, ids=IDS)
def test_all_pages_hold_what_python_answers(store: Store, name: str, values: dict[str, Any], limit: int | None) -> None:
    if limit is not None and name.endswith("friends"):
        limit = max(limit, 20)  # hundreds of pages tell no more
    expected = store.expected(name, values)
    pages = list(store.pages(name, values, limit))
    items = [item for page in pages for item in page]
    assert all(limit is None or len(page) <= limit for page in pages)
    assert all(len(page) == limit for page in pages[:-1])
    if not is_ordered(store, name):
        expected, items = sorted(expected, key=repr), sorted(items, key=repr)
    assert items == expected


@pytest.mark.parametrize(("name", "values"), READS, ids=IDS)
def test_the_evidence_of_a_read_agrees_with_its_path(store: Store, name: str, values: dict[str, Any]) -> None:
    store.observed.events()
    answer = store.call(name, **values)
    assert store.judged(name, answer) == []


@pytest.mark.parametrize("form", ["text", "bytes", "text, protocol 2", "bytes, protocol 3"])
def test_every_form_of_client_is_answered_alike(store: Store, form: str) -> None:
    client = clients(store.url)[form]
    with client:
        for name, values in READS:
            items = [item for page in store.pages(name, values, 20, client=client) for item in page]
            assert sorted(items, key=repr) == sorted(store.expected(name, values), key=repr)
        assert [entry.number for entry in store.call("lines", client=client)] == [10, 9, 8, 7]
        assert store.call("shop", kind="k", name="s3", client=client).name == "s3"
        assert [entry.name for entry in store.call("shops_near", kind="k", place=(0, 0), client=client)] == [
            "s0",
            "s1",
            "s2",
        ]
        assert store.call("count_row", hall="h", number=(0, 16), client=client) == 5
        assert store.call("bid_rank", lot="l", bidder="b1", client=client) is not None
        assert store.call("user_names", name="u1", client=client).nick == "n1"


def test_lists_and_streams_come_newest_first(store: Store) -> None:
    for limit in (1, 4, 100, None):
        steps = [item for page in store.pages("steps", {"run": "x"}, limit) for item in page]
        assert [step.number for step in steps] == list(range(24, -1, -1))
        lines = [item for page in store.pages("lines", {}, limit) for item in page]
        assert [line.number for line in lines] == list(range(10, -1, -1))
        assert [line.text for line in lines[:2]] == ["t", None]
    store.observed.events()
    assert store.call("last_step", run="x").number == 24
    assert store.judged("last_step", None) == []
    assert store.call("last_step", run="y") is None


def test_the_entries_of_several_streams_are_merged_by_their_time(scratch: Store) -> None:
    with Redis.from_url(scratch.url) as client:
        for at in range(12):
            client.execute_command("XADD", f"trace:{at * 7 % 3}", f"{1000 + at // 5}-{at}", "number", at)
    for limit in (1, 4, None):
        numbers = [item.number for page in scratch.pages("traces", {}, limit) for item in page]
        assert numbers == list(range(11, -1, -1))


def test_the_latest_buckets_are_walked_from_now(store: Store) -> None:
    items = [item for page in store.pages("latest_in_room", {"room": "r"}, 3, now=NOW) for item in page]
    kept = [entry for entry in store.expected("events_between", {"room": "r", "at": (NOW - timedelta(hours=4), NOW)})
            if entry.at >= datetime(2026, 11, 21, 9, tzinfo=UTC)]  # fmt: skip
    assert items == kept


def test_one_item_is_found_by_its_key_or_member(store: Store) -> None:
    assert store.call("user", name="u1") == store.items[1]
    assert store.call("user", name="nobody") is None
    assert store.call("user_if_admin", name="u0") == store.items[0]
    assert store.call("user_if_admin", name="u1") is None
    assert store.call("note", status="old", note_id="n2").words == ["a", "w2"]
    assert store.call("note_anyhow", note_id="n3").status == "new"
    assert store.call("switch", name="s").on is True
    assert store.call("are_friends", who="v", group="a", name="f1") == p.Friend(who="v", group="a", name="f1")
    assert store.call("are_friends", who="v", group="b", name="f1") is None
    assert store.call("bid", lot="l", bidder="b7") == p.Bid(lot="l", bidder="b7", amount=1)
    assert store.call("event", room="r", at=NOW, number=1, what="come").number == 1
    assert store.call("event", room="r", at=NOW - timedelta(minutes=1), number=1, what="come") is None
    assert store.call("seat", hall="h", number=16) == p.Seat(hall="h", number=16)
    assert store.call("seat", hall="h", number=17) is None
    assert store.call("shop", kind="k", name="none") is None


def test_of_a_hash_only_the_wanted_fields_are_read(store: Store) -> None:
    store.observed.events()
    part = store.call("user_names", name="u1")
    assert (part.first, part.nick, part.model_fields_set) == ("F", "n1", {"name", "first", "nick"})
    assert not hasattr(part, "joined")
    (event,) = store.observed.events()
    assert event["commands"] == [["HMGET", "user:u1", "first", "nick"]]
    assert store.call("user_nick", name="u2").nick is None
    assert store.call("user_nick", name="nobody") is None
    shaped = store.call("user_address", name="u3")
    assert (shaped.address, shaped.level, shaped.name) == (p.Address(city="c3"), "low", "u3")


def test_the_server_counts(store: Store) -> None:
    values: list[tuple[str, dict[str, Any], int]] = [
        ("count_users", {"name": ["u1", "u2", "x"]}, 2),
        ("count_admins", {"name": ["u1", "u2", "x"]}, 1),
        ("count_friends", {"who": "w"}, 700),
        ("count_friends_of_group", {"who": "w", "group": "a"}, 350),
        ("count_steps", {"run": "x"}, 25),
        ("count_lines", {}, 11),
        ("count_seats", {"hall": "h"}, 20),
        ("count_row", {"hall": "h", "number": (4, 16)}, 3),
        ("count_row", {"hall": "h", "number": (None, 16)}, 5),
        ("count_row", {"hall": "h", "number": (5, None)}, 17),
        ("count_row", {"hall": "h", "number": (-5, -1)}, 0),
        ("count_row", {"hall": "h", "number": (-5, 0)}, 1),
        ("count_row", {"hall": "none", "number": (5, 4)}, 0),
        ("count_front", {"hall": "h"}, 4),
        ("bids_below_ten", {"lot": "l"}, 40),
        ("count_events", {"room": "r", "at": HOURS}, len(store.expected("count_events", {"room": "r", "at": HOURS}))),
        ("count_comings", {"room": "r", "at": HOURS}, len(store.expected("count_comings", {"room": "r", "at": HOURS}))),
        ("count_shops", {"kind": "k"}, 12),
        ("count_shops_near", {"kind": "k", "place": (0, 0, 300_000)}, 2),
    ]  # fmt: skip
    for name, given, goal in values:
        store.observed.events()
        assert (name, given, store.call(name, **given)) == (name, given, goal)
        assert store.judged(name, None) == []


def test_a_rank_counts_those_before_in_the_same_shard(store: Store) -> None:
    bids = [item for item in store.items if isinstance(item, p.Bid)]
    by_shard: dict[str, list[p.Bid]] = {}
    for bid in bids:
        by_shard.setdefault(runtime.key_of(bid), []).append(bid)
    assert len(by_shard) == 4
    for some in by_shard.values():
        some.sort(key=lambda entry: (entry.amount, entry.bidder))
        for place, bid in enumerate(some):
            assert store.call("bid_rank_up", lot="l", bidder=bid.bidder) == place
            assert store.call("bid_rank", lot="l", bidder=bid.bidder) == len(some) - 1 - place
    assert store.call("bid_rank", lot="l", bidder="nobody") is None


@pytest.mark.parametrize("limit", [1, 2, 4, 100])
def test_what_is_near_comes_by_distance_page_by_page(store: Store, limit: int) -> None:
    items = [item for page in store.pages("shops_near", {"kind": "k", "place": (3.1, 0.2)}, limit) for item in page]
    assert len({item.name for item in items}) == len(items) == 12

    def distance(one: Any) -> float:
        return float((one.place.longitude - 3.1) ** 2 + (one.place.latitude - 0.2) ** 2)

    assert [item.name for item in items] == [item.name for item in sorted(items, key=distance)]
    near = [item for page in store.pages("shops_near", {"kind": "k", "place": (3, 0, 160_000)}, limit) for item in page]
    assert {entry.name for entry in near} == {"s3", "s4"}
    ring = [item for page in store.pages("shops_near", {"kind": "ring", "place": (0, 0)}, limit) for item in page]
    assert [entry.name for entry in ring] == [f"s{at}" for at in range(6)]


# Cursors.


def test_a_cursor_of_another_pattern_or_a_broken_one_is_refused(store: Store) -> None:
    cursor = store.call("numbers", limit=2).cursor
    with pytest.raises(InvalidCursor):
        store.call("all_numbers", limit=2, cursor=cursor)
    for broken in ("", "x", cursor[:-3], cursor[3:], "é", cursor.swapcase()):
        with pytest.raises(InvalidCursor):
            store.call("numbers", limit=2, cursor=broken)
    for name, values, other in (
        ("friends", {"who": "w"}, {"who": "v"}), ("best_bids", {"lot": "l"}, {"lot": "m"}),
        ("events_between", {"room": "r", "at": HOURS}, {"room": "s", "at": HOURS}),
    ):  # fmt: skip
        page = store.call(name, **values, limit=2)
        with pytest.raises(UsageError, match="belongs to a call with other values"):
            store.call(name, **other, limit=2, cursor=page.cursor)
    with pytest.raises(UsageError, match="at least one item"):
        store.call("numbers", limit=0)


def test_a_page_goes_on_behind_its_last_member_when_others_come_and_go(scratch: Store) -> None:
    scratch.load(p.Number(number=at, weight=1.0) for at in range(100, 130))
    first = scratch.call("numbers", limit=10)
    assert [entry.number for entry in first] == list(range(100, 110))
    with Redis.from_url(scratch.url) as client:
        client.execute_command("ZREM", "numbers", "103", "109")  # the last one of the page is gone
        client.execute_command("ZADD", "numbers", 0, "7", 1, "1005")
    numbers = [entry.number for page in _on(scratch, "numbers", first.cursor, 7) for entry in page]
    assert numbers == list(range(110, 130))


def _on(store: Store, name: str, cursor: str | None, limit: int) -> Iterator[Any]:
    while cursor is not None:
        page = store.call(name, cursor=cursor, limit=limit)
        yield page
        cursor = page.cursor


def test_a_stream_is_read_on_while_entries_come(scratch: Store) -> None:
    scratch.load(p.Line(number=at) for at in range(10))
    first = scratch.call("lines", limit=4)
    scratch.load([p.Line(number=99)])
    assert [entry.number for page in _on(scratch, "lines", first.cursor, 4) for entry in page] == [5, 4, 3, 2, 1, 0]


def test_a_member_of_several_estimates_counts_once(scratch: Store) -> None:
    days = [date(2026, 1, at + 1) for at in range(3)]
    for day in days:
        for at in range(20):
            scratch.call("visit", p.Visit(site="s", day=day, guest=f"g{at}"))
    scratch.observed.events()
    assert scratch.call("visitors", site="s", day=days) == 20
    assert scratch.judged("visitors", None) == []
    assert scratch.call("visitors", site="s", day=[]) == 0
