"""Writes carried out on a real server: what is stored is the changed item, and what must not be is refused."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from redis import Redis
from tests.engines.redis import patterned as p
from tests.live.redis_data import user
from tests.live.redis_store import NOW, PRODUCTS, Start, Store, opened, stored

from keywright import runtime
from keywright.access.path import AccessPath
from keywright.access.search import Planned
from keywright.engines.redis.engine import ENGINE
from keywright.errors import UsageError
from keywright.record import replace
from keywright.runtime.validate.arguments import Arguments, ConditionFailed

pytestmark = pytest.mark.live


@pytest.fixture(params=PRODUCTS)
def scratch(start: Start, request: pytest.FixtureRequest) -> Iterator[Store]:
    """A database of its own, for writes."""
    with opened(start, 9, request.param) as store:
        yield store


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


@pytest.mark.parametrize(("name", "first", "second"), ABSENT, ids=[entry[0] for entry in ABSENT])
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
    name = next(entry for entry in ("name", "note_id", "bidder", "number") if hasattr(item, entry))
    return {name: 77 if name == "number" else "another"}


def test_several_items_are_put_together_or_not_at_all(scratch: Store) -> None:
    scratch.call("sign_up_several", user("a"), user("b"))
    with pytest.raises(ConditionFailed, match="the item exists already"):
        scratch.call("sign_up_several", user("d"), user("d"))
    assert stored(scratch, user("d")) is None
    with pytest.raises(ConditionFailed, match="the item exists already"):
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
    with pytest.raises(ConditionFailed, match="no such item exists"):
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
    with pytest.raises(UsageError, match='the call has no value for "nick"'):
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


def test_a_value_that_is_set_anew_keeps_the_moment_of_its_end(scratch: Store) -> None:
    lease = p.Lease(name="l", until=datetime.now(UTC) + timedelta(days=1), holder="a")
    scratch.call("put_lease", lease)
    scratch.observed.events()
    scratch.call("take_over", name="l", until=lease.until, holder="b")
    assert scratch.judged("take_over", None) == []
    assert stored(scratch, lease) == runtime.to_item(lease.model_copy(update={"holder": "b"}))
    with Redis.from_url(scratch.url) as client:
        (key,) = client.keys("lease:*")  # type: ignore[misc]  # a list
        assert 86_000 < client.ttl(key) < 86_500  # type: ignore[operator]


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
    with pytest.raises(ConditionFailed, match="no such item exists"):
        scratch.call("log_in", name="nobody")
    assert stored(scratch, user("nobody")) is None
    with pytest.raises(UsageError, match="is not a whole number"):
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
        arguments = Arguments({"name": "u", "level": "high"})
        if holds:
            run(scratch.observed.client, arguments)
        else:
            with pytest.raises(ConditionFailed):
                run(scratch.observed.client, arguments)


def _with_where(store: Store, name: str, field: str, least: int) -> Planned[Any]:
    pattern = store.plans.patterns[name]
    where = tuple(
        replace(condition, values=(least,)) if condition.field == field else condition for condition in pattern.where
    )
    binding = store.plans[name].binding
    (path,) = ENGINE.paths(store.plans[name].target, binding, replace(pattern, where=where))
    assert isinstance(path, AccessPath)
    return replace(store.plans[name], path=path)


def test_counters_with_a_drawn_shard_are_read_together_and_deleted_together(scratch: Store) -> None:
    day = date(2026, 11, 21)
    for _ in range(60):
        scratch.call("hit", page="p", day=day)
    shards = scratch.call("hits_of_day", page="p", day=day)
    assert (len(shards), sum(shard.hits for shard in shards)) == (3, 60)
    assert scratch.judged("hits_of_day", shards)[:0] == []
    with pytest.raises(ConditionFailed):
        scratch.call("hit_below", page="q", day=day)
    scratch.call("hit", page="p", day=day - timedelta(days=2))
    week = [
        entry
        for page in scratch.pages("hits_of_week", {"page": "p", "day": (day - timedelta(days=6), day)}, 2)
        for entry in page
    ]
    assert sum(entry.hits for entry in week) == 61
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


@pytest.mark.parametrize(("name", "instance", "values"), DELETES, ids=[delete[0] for delete in DELETES])
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


@pytest.mark.parametrize(
    ("put", "instance", "name", "values", "other"),
    [
        ("put_user", user("u", level="low"), "drop_user_of_level", {"name": "u", "level": "low"}, {"level": "high"}),
        ("put_bid", p.Bid(lot="l", bidder="b", amount=3), "drop_bid_of",
         {"lot": "l", "bidder": "b", "amount": 3}, {"amount": 4}),
    ],
)  # fmt: skip
def test_an_item_with_other_values_is_not_deleted_and_what_is_gone_stays_gone(
    scratch: Store, put: str, instance: Any, name: str, values: dict[str, Any], other: dict[str, Any]
) -> None:
    scratch.call(put, instance)
    with pytest.raises(ConditionFailed):
        scratch.call(name, **{**values, **other})
    assert stored(scratch, instance) == runtime.to_item(instance)
    scratch.observed.events()
    scratch.call(name, **values)
    assert scratch.judged(name, None) == []
    assert stored(scratch, instance) is None
    scratch.call(name, **values)


@pytest.mark.parametrize(("before", "by"), [(2**53 - 2, 2), (2**53 - 1, 1), (-(2**53) + 1, -1), (0, 2**53)])
def test_a_score_stays_a_whole_number(scratch: Store, before: int, by: int) -> None:
    bid = p.Bid(lot="l", bidder="b", amount=before)
    scratch.call("put_bid", bid)
    with pytest.raises(ConditionFailed, match="would exceed 2\\^53"):
        scratch.call("raise_bid", lot="l", bidder="b", by=by)
    assert stored(scratch, bid) == runtime.to_item(bid)
    assert scratch.call("raise_bid", lot="l", bidder="b", by=-1 if by > 0 else 1) == before + (-1 if by > 0 else 1)
