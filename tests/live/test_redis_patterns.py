"""Patterns carried out on a real server, compared with what Python answers and with the server's own evidence."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from redis import Redis
from tests.engines.redis import everything
from tests.engines.redis import patterned as p
from tests.live.redis_store import NOW, Store, clients, mutant

from keywright import runtime
from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.drivers import redis as driver_of
from keywright.engines.interface import StatementFailed
from keywright.engines.redis.complexity import COMPLEXITY
from keywright.engines.redis.engine import ENGINE
from keywright.errors import UsageError
from keywright.local import Running
from keywright.runtime.given import ConditionFailed, Given

pytestmark = pytest.mark.live

Start = Callable[..., Running]


def user(name: str, **values: Any) -> p.User:
    return p.User(**{"name": name, "first": "F", "last": "L", "joined": NOW, **values})


def instances() -> Iterator[Any]:
    yield from (
        user(f"u{at}", logins=at % 3, is_admin=at % 2 == 0, nick=f"n{at}" if at % 2 else None, tags=["a"] * at,
             born=date(2000, 1, at + 1) if at else None, address=p.Address(city=f"c{at}"), debt=Decimal(at))
        for at in range(6)
    )  # fmt: skip
    for at in range(9):
        yield p.Note(status="new" if at % 2 else "old", note_id=f"n{at}", text="ü", words=["a", f"w{at % 3}"])
    yield p.Switch(name="s", on=True)
    for at in range(60):  # five hours, several at one moment
        moment = NOW - timedelta(minutes=5 * (at // 2))
        yield p.Event(room="r", at=moment, number=at, what="come" if at % 3 else "go")
    yield from (p.Bid(lot="l", bidder=f"b{at}", amount=at // 4) for at in range(40))
    yield from (p.Number(number=at, weight=at // 5 - 1.5) for at in range(15))
    yield from (p.Friend(who="w", group="a" if at % 2 else "b", name=f"f{at}") for at in range(700))
    yield from (p.Friend(who="v", group="a", name=f"f{at}") for at in range(5))
    yield from (p.Step(run="x", number=at, text="t" * at) for at in range(25))
    yield from (p.Line(number=at, text=None if at % 2 else "t") for at in range(11))
    yield from (p.Trace(number=at) for at in range(20))
    yield from (p.Seat(hall="h", number=at * at) for at in range(20))
    yield from (p.Shop(kind="k", name=f"s{at}", place=p.Place(longitude=at, latitude=at % 3)) for at in range(12))
    yield from (p.Shop(kind="ring", name=f"s{at}", place=p.Place(longitude=7, latitude=46)) for at in range(6))


@pytest.fixture(scope="module")
def store(start: Start) -> Iterator[Store]:
    server = start("redis", "patterns")
    made = Store(server.url, 3, p, server.version)
    made.load(instances())
    yield made
    made.close()


@pytest.fixture
def scratch(start: Start) -> Iterator[Store]:
    """A database of its own, for writes."""
    server = start("redis", "patterns")
    made = Store(server.url, 4, p, server.version)
    yield made
    made.close()


HOURS = (NOW - timedelta(hours=2, minutes=10), NOW)

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
    if limit is not None and limit < 7 and name.endswith("friends"):
        pytest.skip("hundreds of pages tell no more")
    wanted = store.expected(name, values)
    pages = list(store.pages(name, values, limit))
    found = [item for page in pages for item in page]
    assert all(limit is None or len(page) <= limit for page in pages)
    assert all(len(page) == limit for page in pages[:-1])
    if not is_ordered(store, name):
        wanted, found = sorted(wanted, key=repr), sorted(found, key=repr)
    assert found == wanted


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
            found = [item for page in store.pages(name, values, 20, client=client) for item in page]
            assert sorted(found, key=repr) == sorted(store.expected(name, values), key=repr)
        assert [one.number for one in store.call("lines", client=client)] == [10, 9, 8, 7]
        assert store.call("shop", kind="k", name="s3", client=client).name == "s3"
        assert [one.name for one in store.call("shops_near", kind="k", place=(0, 0), client=client)] == [
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
        assert [one.number for one in steps] == list(range(24, -1, -1))
        lines = [item for page in store.pages("lines", {}, limit) for item in page]
        assert [one.number for one in lines] == list(range(10, -1, -1))
        assert [one.text for one in lines[:2]] == ["t", None]
    store.observed.events()
    assert store.call("last_step", run="x").number == 24
    assert store.judged("last_step", None) == []
    assert store.call("last_step", run="y") is None


def test_the_entries_of_several_streams_are_merged_by_their_time(scratch: Store) -> None:
    with Redis.from_url(scratch.url) as client:
        for at in range(12):
            client.execute_command("XADD", f"trace:{at * 7 % 3}", f"{1000 + at // 5}-{at}", "number", at)
    for limit in (1, 4, None):
        found = [item.number for page in scratch.pages("traces", {}, limit) for item in page]
        assert found == list(range(11, -1, -1))


def test_the_latest_buckets_are_walked_from_now(store: Store) -> None:
    found = [item for page in store.pages("latest_in_room", {"room": "r"}, 3, now=NOW) for item in page]
    kept = [one for one in store.expected("events_between", {"room": "r", "at": (NOW - timedelta(hours=4), NOW)})
            if one.at >= datetime(2026, 11, 21, 9, tzinfo=UTC)]  # fmt: skip
    assert found == kept


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
    for name, given, wanted in values:
        store.observed.events()
        assert (name, given, store.call(name, **given)) == (name, given, wanted)
        assert store.judged(name, None) == []


def test_a_rank_counts_those_before_in_the_same_shard(store: Store) -> None:
    bids = [one for one in store.items if isinstance(one, p.Bid)]
    by_shard: dict[str, list[p.Bid]] = {}
    for one in bids:
        by_shard.setdefault(runtime.key_of(one), []).append(one)
    assert len(by_shard) == 4
    for some in by_shard.values():
        some.sort(key=lambda one: (one.amount, one.bidder))
        for place, one in enumerate(some):
            assert store.call("bid_rank_up", lot="l", bidder=one.bidder) == place
            assert store.call("bid_rank", lot="l", bidder=one.bidder) == len(some) - 1 - place
    assert store.call("bid_rank", lot="l", bidder="nobody") is None


@pytest.mark.parametrize("limit", [1, 2, 4, 100])
def test_what_is_near_comes_by_distance_page_by_page(store: Store, limit: int) -> None:
    found = [item for page in store.pages("shops_near", {"kind": "k", "place": (3.1, 0.2)}, limit) for item in page]
    assert len({one.name for one in found}) == len(found) == 12

    def distance(one: Any) -> float:
        return float((one.place.longitude - 3.1) ** 2 + (one.place.latitude - 0.2) ** 2)

    assert [one.name for one in found] == [one.name for one in sorted(found, key=distance)]
    near = [item for page in store.pages("shops_near", {"kind": "k", "place": (3, 0, 160_000)}, limit) for item in page]
    assert {one.name for one in near} == {"s3", "s4"}
    ring = [item for page in store.pages("shops_near", {"kind": "ring", "place": (0, 0)}, limit) for item in page]
    assert [one.name for one in ring] == [f"s{at}" for at in range(6)]


# Cursors.


def test_a_cursor_of_another_pattern_or_a_broken_one_is_refused(store: Store) -> None:
    cursor = store.call("numbers", limit=2).cursor
    with pytest.raises(UsageError, match='the cursor is one of "numbers", not of "all_numbers"'):
        store.call("all_numbers", limit=2, cursor=cursor)
    for broken in ("", "x", cursor[:-3], cursor[3:], "é", cursor.swapcase()):
        with pytest.raises(UsageError, match="is no cursor"):
            store.call("numbers", limit=2, cursor=broken)
    for name, values, other in (
        ("friends", {"who": "w"}, {"who": "v"}), ("best_bids", {"lot": "l"}, {"lot": "m"}),
        ("events_between", {"room": "r", "at": HOURS}, {"room": "s", "at": HOURS}),
    ):  # fmt: skip
        page = store.call(name, **values, limit=2)
        with pytest.raises(UsageError, match="of a call with other values"):
            store.call(name, **other, limit=2, cursor=page.cursor)
    with pytest.raises(UsageError, match="at least one item"):
        store.call("numbers", limit=0)


def test_a_page_goes_on_behind_its_last_member_when_others_come_and_go(scratch: Store) -> None:
    scratch.load(p.Number(number=at, weight=1.0) for at in range(100, 130))
    first = scratch.call("numbers", limit=10)
    assert [one.number for one in first] == list(range(100, 110))
    with Redis.from_url(scratch.url) as client:
        client.execute_command("ZREM", "numbers", "103", "109")  # the last one of the page is gone
        client.execute_command("ZADD", "numbers", 0, "7", 1, "1005")
    found = [one.number for page in _on(scratch, "numbers", first.cursor, 7) for one in page]
    assert found == list(range(110, 130))


def _on(store: Store, name: str, cursor: str | None, limit: int) -> Iterator[Any]:
    while cursor is not None:
        page = store.call(name, cursor=cursor, limit=limit)
        yield page
        cursor = page.cursor


def test_a_stream_is_read_on_while_entries_come(scratch: Store) -> None:
    scratch.load(p.Line(number=at) for at in range(10))
    first = scratch.call("lines", limit=4)
    scratch.load([p.Line(number=99)])
    assert [one.number for page in _on(scratch, "lines", first.cursor, 4) for one in page] == [5, 4, 3, 2, 1, 0]


# Writes.


def stored(store: Store, instance: Any) -> Any:
    return store.driver.stored("x", runtime.to_item(instance))


PUTS: list[tuple[str, Any]] = [
    ("put_user", user("p1", nick="x", tags=["a"])),
    ("put_blank", p.Blank(name="b", a="1", until=NOW + timedelta(days=9_000))),
    ("put_blank", p.Blank(name="b")), ("put_note", p.Note(status="new", note_id="n", text="t")),
    ("put_event", p.Event(room="r", at=NOW, number=1, what="go")), ("put_bid", p.Bid(lot="l", bidder="b", amount=3)),
    ("befriend", p.Friend(who="w", group="a", name="n")), ("add_step", p.Step(run="r", number=1)),
    ("add_line", p.Line(number=1)), ("sit", p.Seat(hall="h", number=3)),
    ("open_shop", p.Shop(kind="k", name="n", place=p.Place(longitude=7.123456, latitude=46.987654))),
    ("open_account", p.Account(owner="o", cents=3)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "instance"), PUTS, ids=[f"{name}-{at}" for at, (name, _) in enumerate(PUTS)])
def test_a_put_is_stored_as_its_item(scratch: Store, name: str, instance: Any) -> None:
    assert stored(scratch, instance) is None
    scratch.call(name, instance)
    assert scratch.judged(name, None) == []
    assert stored(scratch, instance) == runtime.to_item(instance)
    scratch.call(name, instance, instance)
    assert stored(scratch, instance) == runtime.to_item(instance)


ABSENT: list[tuple[str, Any, Any]] = [
    ("sign_up", user("a"), user("a", first="other")),
    ("new_note", p.Note(status="new", note_id="n", text="t"), p.Note(status="new", note_id="n", text="other")),
    ("new_switch", p.Switch(name="s", on=True), p.Switch(name="s", on=False)),
    ("first_bid", p.Bid(lot="l", bidder="b", amount=3), p.Bid(lot="l", bidder="b", amount=4)),
    ("new_number", p.Number(number=1, weight=2), p.Number(number=1, weight=3)),
    ("befriend_first", p.Friend(who="w", group="a", name="n"), p.Friend(who="w", group="a", name="n")),
    ("sit_alone", p.Seat(hall="h", number=3), p.Seat(hall="h", number=3)),
    ("open_new_shop", p.Shop(kind="k", name="n", place=p.Place(longitude=7, latitude=46)),
     p.Shop(kind="k", name="n", place=p.Place(longitude=8, latitude=46))),
]  # fmt: skip


@pytest.mark.parametrize(("name", "first", "second"), ABSENT, ids=[one[0] for one in ABSENT])
def test_a_taken_key_is_refused_and_nothing_is_changed(scratch: Store, name: str, first: Any, second: Any) -> None:
    scratch.call(name, first)
    assert scratch.judged(name, None) == []
    with pytest.raises(ConditionFailed):
        scratch.call(name, second)
    assert stored(scratch, first) == runtime.to_item(first)
    other = first.model_copy(update=_renamed(first))
    with pytest.raises(ConditionFailed):
        scratch.call(name, other, second)
    assert stored(scratch, other) is None


def _renamed(item: Any) -> dict[str, Any]:
    """Another name for an item, under which nothing is stored."""
    name = next(one for one in ("name", "note_id", "bidder", "number") if hasattr(item, one))
    return {name: 77 if name == "number" else "another"}


def test_several_items_are_put_together_or_not_at_all(scratch: Store) -> None:
    scratch.call("sign_up_several", user("a"), user("b"))
    with pytest.raises(ConditionFailed, match='"user:d" is there already'):
        scratch.call("sign_up_several", user("d"), user("d"))
    assert stored(scratch, user("d")) is None
    with pytest.raises(ConditionFailed, match='"user:b" is there already'):
        scratch.call("sign_up_several", user("c"), user("b"))
    assert stored(scratch, user("c")) is None


def now_stored(store: Store, name: str, before: Any, update: dict[str, Any], /, **values: Any) -> None:
    """An item is put, a pattern is carried out, and what is stored is the changed item."""
    store.load([before])
    store.observed.events()
    store.call(name, **values)
    assert store.judged(name, None) == []
    after = before.model_copy(update=update)
    assert stored(store, after) == runtime.to_item(after)


def test_fields_of_a_hash_are_changed_with_what_is_made_of_them(scratch: Store) -> None:
    now_stored(scratch, "rename", user("u"), {"nick": "x"}, name="u", nick="x")
    now_stored(scratch, "rename", user("u", nick="x"), {"nick": None}, name="u", nick=None)
    now_stored(scratch, "retitle", user("u"), {"first": "A", "last": "B"}, name="u", first="A", last="B")
    later = NOW + timedelta(days=40)
    now_stored(scratch, "rejoin", user("u"), {"joined": later}, name="u", joined=later)
    home = p.Address(city="Bern", zip="3000")
    now_stored(scratch, "move", user("u"), {"address": home}, name="u", address=home)
    some = user("u", nick="x", born=date(2000, 1, 1))
    now_stored(scratch, "forget_nick", some, {"nick": None, "born": None}, name="u")
    now_stored(scratch, "promote", user("u", nick="x", logins=3), {"level": "high"}, name="u", level="high")
    now_stored(
        scratch,
        "promote_low",
        user("u", joined=datetime(2025, 1, 1, tzinfo=UTC)),
        {"level": "high"},
        name="u",
        level="high",
    )
    now_stored(scratch, "rename_if_first", user("u"), {"nick": "x"}, name="u", first="F", nick="x")


def test_an_update_of_what_is_not_there_or_not_so_is_refused(scratch: Store) -> None:
    with pytest.raises(ConditionFailed, match='"user:u" is not there'):
        scratch.call("rename", name="u", nick="x")
    assert stored(scratch, user("u")) is None
    scratch.load([user("u", logins=2, nick="x", level="high")])
    for name, values in (
        ("promote", {"level": "low"}), ("promote_low", {"level": "low"}),
        ("rename_if_first", {"first": "other", "nick": "y"}), ("log_in_below", {"by": 1}),
    ):  # fmt: skip
        if name == "log_in_below":
            scratch.call("log_in", name="u", by=10)
        with pytest.raises(ConditionFailed):
            scratch.call(name, name="u", **values)
    left = user("u", logins=12, nick="x", level="high")
    assert stored(scratch, left) == runtime.to_item(left)
    with pytest.raises(UsageError, match='the call does not give "nick"'):
        scratch.call("rename", name="u")
    with pytest.raises(UsageError, match='"level" cannot be None'):
        scratch.call("promote", name="u", level=None)


def test_a_write_renews_the_life_of_its_key(scratch: Store) -> None:
    scratch.load([user("u"), p.Note(status="new", note_id="n", text="t")])
    with Redis.from_url(scratch.url) as client:
        for name, values in (("rename", {"nick": "x"}), ("log_in", {})):
            client.expire("user:u", 5)
            scratch.call(name, name="u", **values)
            assert 3_590 < client.ttl("user:u") <= 3_600  # type: ignore[operator]
        client.expire("user:u", 5)
        with pytest.raises(ConditionFailed):
            scratch.call("promote", name="u", level="high")
        assert client.ttl("user:u") <= 5  # type: ignore[operator]


def test_a_hash_whose_fields_are_all_removed_is_still_there(scratch: Store) -> None:
    full = p.Blank(name="b", a="1", b=2)
    now_stored(scratch, "set_blank", full, {"a": None, "b": None}, name="b", a=None, b=None)
    assert scratch.call("blank", name="b").a is None
    now_stored(scratch, "set_blank", p.Blank(name="b"), {"a": "x", "b": 3}, name="b", a="x", b=3)
    now_stored(scratch, "clear_blank", full, {"a": None, "b": None}, name="b")
    later = NOW + timedelta(days=9_000)
    now_stored(scratch, "extend_blank", full, {"until": later}, name="b", until=later)
    now_stored(scratch, "extend_blank", full.model_copy(update={"until": later}), {"until": None}, name="b", until=None)
    with Redis.from_url(scratch.url) as client:
        assert client.ttl("blank:b") == -1


def test_values_and_scores_and_places_are_set(scratch: Store) -> None:
    now_stored(scratch, "flip", p.Switch(name="s", on=True), {"on": False}, name="s", on=False)
    now_stored(scratch, "flip_on", p.Switch(name="s", on=False), {"on": True}, name="s", on=True)
    with pytest.raises(ConditionFailed):
        scratch.call("flip_on", name="s", on=True)
    now_stored(scratch, "set_bid", p.Bid(lot="l", bidder="b", amount=3), {"amount": 9}, lot="l", bidder="b", amount=9)
    with pytest.raises(ConditionFailed):
        scratch.call("set_bid", lot="l", bidder="c", amount=9)
    here, there = p.Place(longitude=7, latitude=46), p.Place(longitude=-70.5, latitude=-33)
    now_stored(
        scratch, "move_shop", p.Shop(kind="k", name="n", place=here), {"place": there}, kind="k", name="n", place=there
    )
    with pytest.raises(ConditionFailed):
        scratch.call("move_shop", kind="k", name="m", place=there)


def test_numbers_are_added_to(scratch: Store) -> None:
    scratch.load([user("u", logins=2**53), p.Number(number=1, weight=1.5), p.Bid(lot="l", bidder="b", amount=3)])
    assert scratch.call("log_in", name="u") == 2**53 + 1
    assert scratch.call("log_in", name="u", by=-3) == 2**53 - 2
    with pytest.raises(ConditionFailed):
        scratch.call("log_in_below", name="u")
    assert scratch.call("earn", name="u", by=0.25) == 0.25
    assert scratch.call("add_weight", number=1, by=0.5) == 2.0
    assert scratch.call("add_weight", number=2, by=0.5) == 0.5  # begins at 0
    assert scratch.call("raise_bid", lot="l", bidder="b", by=4) == 7
    assert scratch.call("raise_low_bid", lot="l", bidder="b", by=4) == 11
    with pytest.raises(ConditionFailed):
        scratch.call("raise_low_bid", lot="l", bidder="b")
    with pytest.raises(ConditionFailed, match="is not there"):
        scratch.call("log_in", name="nobody")
    assert stored(scratch, user("nobody")) is None
    with pytest.raises(UsageError, match="no whole number"):
        scratch.call("log_in", name="u", by=0.5)


def test_a_whole_number_is_compared_to_its_last_digit(scratch: Store) -> None:
    big = 2**62
    for logins, least, holds in (
        (big, big + 1, False),
        (big + 1, big + 1, True),
        (-big - 1, -big, False),
        (5, 40, False),
    ):
        scratch.load([user("u", logins=logins, nick="x")])
        planned = _with_where(scratch, "promote", "logins", least)
        run = scratch.prepared(planned)
        given = Given({"name": "u", "level": "high"})
        if holds:
            run(scratch.observed.client, given)
        else:
            with pytest.raises(ConditionFailed):
                run(scratch.observed.client, given)


def _with_where(store: Store, name: str, field: str, least: int) -> Planned[Any]:
    pattern = store.plans.patterns[name]
    where = tuple(replace(one, values=(least,)) if one.field == field else one for one in pattern.where)
    binding = store.plans[name].binding
    (path,) = ENGINE.paths(store.plans[name].target, binding, replace(pattern, where=where))
    assert isinstance(path, AccessPath)
    return replace(store.plans[name], path=path)


def test_counters_with_a_drawn_shard_are_read_together_and_deleted_together(scratch: Store) -> None:
    day = date(2026, 11, 21)
    for _ in range(60):
        scratch.call("hit", page="p", day=day)
    shards = scratch.call("hits_of_day", page="p", day=day)
    assert (len(shards), sum(one.hits for one in shards)) == (3, 60)
    assert scratch.judged("hits_of_day", shards)[:0] == []
    with pytest.raises(ConditionFailed):
        scratch.call("hit_below", page="q", day=day)
    scratch.call("hit", page="p", day=day - timedelta(days=2))
    week = [
        one
        for page in scratch.pages("hits_of_week", {"page": "p", "day": (day - timedelta(days=6), day)}, 2)
        for one in page
    ]
    assert sum(one.hits for one in week) == 61
    scratch.call("drop_hits", page="p", day=day)
    assert len(scratch.call("hits_of_day", page="p", day=day)) == 0


DELETES: list[tuple[str, Any, dict[str, Any]]] = [
    ("drop_user", user("u"), {"name": "u"}), ("drop_switch", p.Switch(name="s", on=True), {"name": "s"}),
    ("drop_bid", p.Bid(lot="l", bidder="b", amount=3), {"lot": "l", "bidder": "b"}),
    ("drop_number", p.Number(number=1, weight=1), {"number": 1}),
    ("part", p.Friend(who="w", group="a", name="n"), {"who": "w", "group": "a", "name": "n"}),
    ("drop_step", p.Step(run="r", number=1, text="t"), {"run": "r", "number": 1, "text": "t"}),
    ("leave", p.Seat(hall="h", number=3), {"hall": "h", "number": 3}),
    ("close_shop", p.Shop(kind="k", name="n", place=p.Place(longitude=7, latitude=46)), {"kind": "k", "name": "n"}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "instance", "values"), DELETES, ids=[one[0] for one in DELETES])
def test_a_delete_takes_one_item_and_may_be_repeated(scratch: Store, name: str, instance: Any, values: Any) -> None:
    other = instance.model_copy(update=_renamed(instance))
    if not isinstance(instance, p.Step):
        scratch.load([other])
    scratch.load([instance])
    for _ in range(2):
        scratch.call(name, **values)
        assert scratch.judged(name, None) == []
        assert stored(scratch, instance) is None
    if not isinstance(instance, p.Step):
        assert stored(scratch, other) == runtime.to_item(other)


def test_a_delete_with_a_condition_is_refused_where_it_does_not_hold(scratch: Store) -> None:
    scratch.load([user("u", level="high"), p.Bid(lot="l", bidder="b", amount=30)])
    for name, values in (
        ("drop_low", {"name": "u"}),
        ("drop_low_bid", {"lot": "l", "bidder": "b"}),
        ("drop_low", {"name": "x"}),
    ):
        with pytest.raises(ConditionFailed):
            scratch.call(name, **values)
    scratch.load([user("u"), p.Bid(lot="l", bidder="b", amount=3)])
    scratch.call("drop_low", name="u")
    scratch.call("drop_low_bid", lot="l", bidder="b")
    assert stored(scratch, user("u")) is None
    assert scratch.call("bid", lot="l", bidder="b") is None


def test_all_under_a_key_go_together(scratch: Store) -> None:
    scratch.load([p.Bid(lot="l", bidder=f"b{at}", amount=at) for at in range(20)])
    scratch.call("drop_lot", lot="l")
    assert scratch.judged("drop_lot", None) == []
    assert len(scratch.call("best_bids", lot="l")) == 0
    scratch.load([p.Friend(who="w", group="a", name=f"f{at}") for at in range(20)])
    scratch.call("part_from_all", who="w")
    assert scratch.call("count_friends", who="w") == 0


def test_to_clear_a_bit_makes_no_key(scratch: Store) -> None:
    scratch.call("leave", hall="none", number=100_000)
    with Redis.from_url(scratch.url) as client:
        assert not client.exists("seats:none")


# Taking.


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


# What would be wrong is seen.


def without_a_key(planned: Planned[Any]) -> Planned[Any]:
    """The plan with one shard, or one bucket, fewer."""
    assert isinstance(planned.path, AccessPath)
    keys: Any = planned.path.call.keys  # type: ignore[attr-defined]
    from keywright.ir.template import Filter, Placeholder

    def fewer(slot: Any) -> Any:
        if slot.kind == "shards":
            filters = tuple(
                Filter("shard", one.number - 1) if one.name == "shard" else one for one in slot.placeholder.filters
            )
            return replace(slot, placeholder=Placeholder(slot.placeholder.path, filters), count=slot.count - 1)
        return slot

    filled = replace(keys.filled, slots=tuple(map(fewer, keys.filled.slots)))
    return mutant(planned, keys=replace(keys, filled=filled))


@pytest.mark.parametrize(
    ("name", "values"), [("best_bids", {"lot": "l"}), ("bids_below_ten", {"lot": "l"}), ("traces", {})]
)
def test_a_dropped_shard_is_seen(store: Store, name: str, values: dict[str, Any]) -> None:
    store.observed.events()
    planned = store.plans[name]
    wrong = without_a_key(planned)
    answer = store.prepared(wrong)(store.observed.client, store.given(name, values, limit=None))
    found = len(answer) if not isinstance(answer, int) else answer
    assert found < len(store.expected(name, values))
    assert any("keys were asked" in one for one in store.judged(name, answer, planned))


def test_a_skipped_bucket_is_seen(store: Store) -> None:
    values = {"room": "r", "at": (HOURS[0] + timedelta(hours=1), HOURS[1])}
    wrong = [item for page in store.pages("events_between", values, 5) for item in page]
    assert wrong != store.expected("events_between", {"room": "r", "at": HOURS})


@pytest.mark.parametrize(
    ("name", "values"), [("numbers", {}), ("best_bids", {"lot": "l"}), ("events_between", {"room": "r", "at": HOURS})]
)
def test_a_wrong_direction_is_seen(store: Store, name: str, values: dict[str, Any]) -> None:
    planned = store.plans[name]
    assert isinstance(planned.path, AccessPath)
    store.observed.events()
    wrong = mutant(planned, is_backward=not planned.path.call.is_backward)  # type: ignore[attr-defined]
    answer = store.prepared(wrong)(store.observed.client, store.given(name, values))
    assert list(answer) != store.expected(name, values)[: len(answer)]
    assert any(" was read " in one for one in store.judged(name, answer, planned))


def test_commands_that_were_not_planned_are_seen(store: Store) -> None:
    client = store.observed.client
    store.observed.events()
    list(client.scan_iter(match="friends:*", count=1_000))
    client.keys("friends:*")
    assert [one for one in store.judged("friends", None) if "nobody named" in one] == [
        "SCAN looks at keys that nobody named", "KEYS looks at keys that nobody named",
    ]  # fmt: skip
    client.execute_command("LRANGE", "steps:x", 0, -1)
    assert store.judged("steps", None) == ["LRANGE steps:x answered 25 elements, the limit is 4"]
    client.execute_command("SISMEMBER", "friends:v", "a:f1")
    client.execute_command("SISMEMBER", "friends:v", "a:f2")
    assert store.judged("are_friends", None) == ["2 round trips, 1 were planned"]
    client.execute_command("SMISMEMBER", "friends:v", "a:f1")
    assert store.judged("bid", None)[0] == "SMISMEMBER was sent, the path has ZMSCORE, ZSCORE"
    client.execute_command("GET", "switch:{s}")
    assert '"switch:{s}" is kept as embstr, which no hash is' in store.judged("user", None)
    assert store.judged("bid_rank", None) == ["nothing was sent"]


def test_complexities_are_those_that_the_server_documents(store: Store) -> None:
    with clients(store.url)["text"] as client:
        for name, formula in COMPLEXITY.items():
            answer: Any = client.execute_command("COMMAND DOCS", name)
            assert (name, formula in str(answer)) == (name, True)


# The driver.


def test_a_recorded_client_answers_as_any_other(store: Store) -> None:
    client = store.observed.client
    with clients(store.url)["bytes"] as other:
        for words in (("HGETALL", "user:u1"), ("ZRANGE", "numbers", 0, 3, "WITHSCORES"), ("TYPE", "lines")):
            assert client.execute_command(*words) == other.execute_command(*words)
        assert client.hgetall("user:u1") == other.hgetall("user:u1")
        assert client.pipeline().get("a").llen("steps:x").execute() == [None, 25]
    assert [event["kind"] for event in store.observed.events()] == ["command"] * 4 + ["transaction"]
    assert store.observed.events() == ()


@pytest.mark.parametrize("instance", everything.INSTANCES, ids=lambda one: type(one).__name__)
def test_every_type_is_told_as_it_is_stored(scratch: Store, instance: Any) -> None:
    if isinstance(instance, everything.Session):
        instance = instance.model_copy(update={"ends_at": NOW + timedelta(days=36_500)})
    item = runtime.to_item(instance)
    assert scratch.driver.stored("x", item) is None
    scratch.driver.load("x", [item])
    # What has been counted cannot be told.
    is_told = item.structure.kind not in ("hyperloglog", "rate limit")
    assert scratch.driver.stored("x", item) == (item if is_told else None)


def test_what_is_stored_is_not_what_somebody_else_wrote(scratch: Store) -> None:
    scratch.load([user("u", nick="x"), p.Bid(lot="l", bidder="b", amount=3)])
    for other in (user("u", nick="y"), p.Bid(lot="l", bidder="b", amount=4)):
        assert stored(scratch, other) not in (None, runtime.to_item(other))
    with Redis.from_url(scratch.url) as client:
        client.hset("user:u", "stray", b"\xff")
    assert stored(scratch, user("u")).value["stray"] == b"\xff"


def test_a_recorded_client_reads_bytes_that_are_no_text(scratch: Store) -> None:
    whole = next(one for one in everything.INSTANCES if isinstance(one, everything.Hashed))
    scratch.driver.load("x", [runtime.to_item(whole)])
    answer = scratch.observed.client.execute_command("HGETALL", runtime.key_of(whole))
    assert runtime.from_item(everything.Hashed, (runtime.key_of(whole), answer)) == whole
    assert len(scratch.observed.events()) == 1


def test_long_values_are_not_part_of_the_evidence(scratch: Store) -> None:
    scratch.call("put_note", p.Note(status="new", note_id="n", text="x" * 5_000))
    (event,) = scratch.observed.events()
    assert max(len(str(word)) for words in event["commands"] for word in words) < 250  # type: ignore[union-attr]


def test_the_first_database_is_never_emptied(start: Start) -> None:
    driver = driver_of.connect(start("redis", "patterns").url)
    with pytest.raises(StatementFailed, match="database 0 is not emptied"):
        driver.drop(["anything"])
    driver.drop([])
    driver.close()


def test_what_is_dropped_is_gone_there_and_nowhere_else(start: Start) -> None:
    server = start("redis", "patterns")
    stores = [Store(server.url, number, p, server.version) for number in (5, 6)]
    for one in stores:
        one.load([p.Switch(name="s", on=True)])
    stores[0].driver.drop(["patterned"])
    assert [stored(one, p.Switch(name="s", on=True)) is None for one in stores] == [True, False]
    with Redis.from_url(stores[1].url) as client:  # groups were made in this database by the steps
        assert client.exists("lines") == 1
    for one in stores:
        one.close()
