"""JSON documents on Redis Stack: written, read and changed by path, converted, and refused."""

import json
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal
from typing import Annotated, Any, ClassVar
from uuid import UUID

import pytest
from pydantic import BaseModel, Field
from redis import Redis
from redis.exceptions import ResponseError
from tests.engines.redis import documents as d
from tests.engines.redis.designs import design_of
from tests.engines.redis.documents import NOW, person
from tests.live.redis_store import Start, Store, clients, stored
from tests.migrations.memory import MemoryLedger

import keywright as kw
from keywright import runtime
from keywright.drivers.redis import driver as redis
from keywright.engines.contract.pages import Work
from keywright.engines.redis.access.layout import layout_of
from keywright.engines.redis.access.memory import memory
from keywright.engines.redis.engine import ENGINE
from keywright.engines.redis.schema.item import commands as item_commands
from keywright.ir.transform import parse
from keywright.migrations.backfill import backfill
from keywright.migrations.backfill.segments import Counts
from keywright.runtime.validate.arguments import ConditionFailed

pytestmark = pytest.mark.live


@pytest.fixture(scope="module")
def url(start: Start) -> str:
    return start("redis", "documents", product="redis-stack").url


@pytest.fixture
def store(start: Start, url: str) -> Iterator[Store]:
    """A logical database of its own."""
    opened = Store(url, 9, d, start("redis", "documents", product="redis-stack").version)
    try:
        yield opened
    finally:
        opened.close()


def called(store: Store, pattern: str, /, by: Any = 1, **values: Any) -> Any:
    """Carry out a pattern, whose own fields may be called `name`."""
    return store.prepared(store.plans[pattern])(store.observed.client, store.given(pattern, values, by=by))


FULL = person(
    "full", home=d.Address(city="ü", street=d.Street(name='"q"', number=-1)), logins=2**63 - 1, credit=1e22,
    debt=Decimal("12.50"), nick="n\n", middle="m", born=date(2000, 1, 2), is_admin=True, tags=["a", ""],
    friends={"b", "a"}, parts={"x.y": 1, "": 2}, uid=UUID(int=7), **{'odd "name".x': 4},
    anything={"deep": [1, None, {"a": 0.1}]},
)  # fmt: skip


@pytest.mark.parametrize("item", [person("plain"), FULL, d.Session(token="t", until=NOW + timedelta(days=9_000))])
def test_a_put_is_stored_and_read_back_by_every_client(store: Store, item: Any) -> None:
    put, get = ("put_session", "session") if isinstance(item, d.Session) else ("put_profile", "profile")
    assert stored(store, item) is None
    store.call(put, item)
    assert store.judged(put, None) == []
    assert stored(store, item) == runtime.to_item(item)
    identity = {"token": "t"} if isinstance(item, d.Session) else {"name": item.name}
    for name, client in clients(store.url).items():
        assert store.call(get, client=client, **identity) == item, name
        client.close()


def test_parts_are_read_by_path(store: Store) -> None:
    store.load([FULL, person("plain")])
    part = store.call("profile_names", name="full")
    assert (part.first, part.nick, part.odd) == ("F", "n\n", 4)
    assert store.judged("profile_names", part) == []
    assert store.call("profile_nick", name="plain").nick is None
    assert store.call("profile_address", name="full").address == FULL.address
    assert store.call("profile_names", name="missing") is None
    page = store.call("profiles_in_part", name=["full", "missing", "plain"])
    assert [(part.first, part.tags) for part in page.items] == [("F", ["a", ""]), ("F", [])]


def test_several_documents_are_read_at_once(store: Store) -> None:
    store.load([person(f"p{at}", logins=at % 3, is_admin=at % 2 == 0) for at in range(6)])
    names = [f"p{at}" for at in range(7)]
    assert [item.name for item in store.call("profiles", name=names).items] == names[:6]
    assert store.judged("profiles", store.call("profiles", name=names)) == []
    assert [item.name for item in store.call("profiles_in_order", name=names).items] == ["p2", "p5", "p1"]
    assert store.call("count_profiles", name=names) == 6
    assert store.call("count_admins", name=names) == 3
    assert store.call("profile_if_admin", name="p1") is None


def test_a_taken_key_is_refused(store: Store) -> None:
    store.call("sign_up", person("a"))
    store.call("open_session", d.Session(token="t"))
    for name, item in (("sign_up", person("a", first="other")), ("open_session", d.Session(token="t", visits=3))):
        with pytest.raises(ConditionFailed, match="exists already"):
            store.call(name, item)
    assert stored(store, person("a")) == runtime.to_item(person("a"))


CHANGES: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    ("rename", {"nick": 'x"'}, {"nick": 'x"'}), ("rename", {"nick": None}, {"nick": None}),
    ("set_middle", {"middle": None}, {"middle": None}), ("set_middle", {"middle": "k"}, {"middle": "k"}),
    ("forget_nick", {}, {"nick": None, "born": None}),
    ("retitle", {"first": "G", "last": "M"}, {"first": "G", "last": "M"}),
    ("move", {"address": d.Address(city="c", street=d.Street(name="x"))},
     {"address": d.Address(city="c", street=d.Street(name="x"))}),
    ("move_city", {"address.city": "there", "address.street.number": 4},
     {"address": d.Address(city="there", street=d.Street(name="s", number=4))}),
    ("tag", {"tags": "new"}, {"tags": ["a", "", "new"]}), ("set_odd", {"odd": 9}, {"odd": 9}),
    ("promote_here", {"is_admin": False}, {"is_admin": False}), ("promote", {"is_admin": False}, {"is_admin": False}),
    ("rename_if_first", {"first": "F", "nick": "k"}, {"nick": "k"}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "values", "expected"), CHANGES)
def test_an_update_changes_its_paths_and_nothing_else(
    store: Store, name: str, values: dict[str, Any], expected: dict[str, Any]
) -> None:
    store.load([FULL])
    Redis.from_url(store.url).expire("profile:full", 9)
    called(store, name, name="full", **values)
    assert store.judged(name, None) == []
    changed = FULL.model_copy(update=expected)
    assert store.call("profile", name="full") == changed
    document = json.loads(Redis.from_url(store.url).execute_command("JSON.GET", "profile:full"))
    written = runtime.to_item(changed).value
    assert document == written
    assert Redis.from_url(store.url).ttl("profile:full") > 9


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("promote_here", {"is_admin": True}),
        ("promote", {"is_admin": True}),
        ("rename_if_first", {"first": "other", "nick": "k"}),
        ("drop_admin", {}),
    ],
)
def test_a_condition_that_fails_changes_nothing(store: Store, name: str, values: dict[str, Any]) -> None:
    item = person("p", address=d.Address(city="there", street=d.Street(name="s")), logins=9)
    store.call("put_profile", item)
    with pytest.raises(ConditionFailed):
        called(store, name, name="p", **values)
    assert store.call("profile", name="p") == item


def test_a_missing_document_is_not_made_by_a_change(store: Store) -> None:
    for name, values in (("rename", {"nick": "x"}), ("log_in", {}), ("tag", {"tags": "x"})):
        with pytest.raises(ConditionFailed, match="no such item"):
            called(store, name, name="x", **values)
    assert Redis.from_url(store.url).exists("profile:x") == 0


def test_a_part_of_an_object_that_is_not_there_is_refused(store: Store) -> None:
    store.call("put_profile", person("p"))
    client = Redis.from_url(store.url)
    client.execute_command("JSON.DEL", "profile:p", "$.address")
    with pytest.raises(ConditionFailed, match="no object at the path"):
        called(store, "move_city", name="p", **{"address.city": "x", "address.street.number": 1})


def test_a_full_list_takes_no_more(store: Store) -> None:
    store.call("put_profile", person("p", tags=list("abcd")))
    called(store, "tag", name="p", tags="e")
    with pytest.raises(ConditionFailed, match="as many elements"):
        called(store, "tag", name="p", tags="f")
    Redis.from_url(store.url).execute_command("JSON.DEL", "profile:p", "$.tags")
    called(store, "tag", name="p", tags="g")
    assert store.call("profile", name="p").tags == ["g"]


def test_a_number_is_increased_within_its_bounds(store: Store) -> None:
    store.call("put_profile", person("p", logins=2**63 - 3))
    client = Redis.from_url(store.url)

    def add(name: str, by: Any = 1) -> Any:
        return called(store, name, by=by, name="p")

    assert add("log_in", 2) == 2**63 - 1
    with pytest.raises(ConditionFailed):
        add("log_in")
    with pytest.raises(ConditionFailed):
        add("log_in_below")
    assert add("log_in", -(2**63) + 1) == 0
    assert add("log_in_below", 5) == 5
    assert add("earn", 0.5) == 0.5
    assert add("earn", 1.7e308) == 1.7e308
    with pytest.raises(ConditionFailed):
        add("earn", 1.7e308)
    for gone in (("JSON.DEL", "profile:p", "$.logins"), ("JSON.SET", "profile:p", "$.logins", "null")):
        client.execute_command(*gone)
        assert add("log_in", 3) == 3


def test_numbers_that_the_server_would_round_are_refused(store: Store) -> None:
    client = Redis.from_url(store.url)
    client.execute_command("JSON.SET", "n", "$", f"[{2**64}]")
    assert client.execute_command("JSON.GET", "n") != f"[{2**64}]".encode()
    client.execute_command("JSON.SET", "n", "$", f"[{2**63 - 1}]")
    client.execute_command("JSON.NUMINCRBY", "n", "$[0]", 1)
    assert json.loads(client.execute_command("JSON.GET", "n")) == [-(2**63)]  # wraps around
    with pytest.raises(ResponseError):
        client.execute_command("JSON.SET", "n", "$", "[Infinity]")


def test_an_expiry_is_of_the_document_that_is_there(store: Store) -> None:
    client = Redis.from_url(store.url)
    until = NOW + timedelta(days=9_000)
    store.call("put_session", d.Session(token="t", until=until))
    assert client.expiretime("session:t") == int((until + timedelta(seconds=5)).timestamp())
    called(store, "visit", token="t")
    assert client.expiretime("session:t") > 0
    store.call("put_session", d.Session(token="t"))
    assert client.ttl("session:t") == -1


def test_deletes(store: Store) -> None:
    store.load([person("p"), person("q", is_admin=True)])
    store.call("drop_profile", name="p")
    store.call("drop_admin", name="q")
    assert store.call("profiles", name=["p", "q"]).items == ()


def test_two_documents_change_together(store: Store) -> None:
    store.load([person("p"), d.Session(token="t")])
    part = [[store.given("log_in", {"name": "p"}, by=1)], [store.given("visit", {"token": "t"}, by=2)]]
    store.prepared(store.plans["both"])(store.observed.client, store.given("both", {}, parts=part))
    assert (store.call("profile", name="p").logins, store.call("session", token="t").visits) == (1, 2)
    part[1] = [store.given("visit", {"token": "gone"}, by=2)]
    with pytest.raises(ConditionFailed):
        store.prepared(store.plans["both"])(store.observed.client, store.given("both", {}, parts=part))
    assert store.call("profile", name="p").logins == 1


DAY = parse({"set": {"status_day": "{status}#{placed_at:date}"}})


def test_a_backfill_changes_documents_and_keeps_their_expiry(url: str) -> None:
    driver, client = redis.connect(url), redis.client(url)
    for number, status in enumerate(("new", "old")):
        document = {"status": status, "placed_at": "2026-03-14", "lines": [1.5, "é", 2**62]}
        client.execute_command("JSON.SET", f"bfdoc:{number}", "$", json.dumps(document))
    client.execute_command("JSON.SET", "bfdoc:list", "$", "[1]")
    client.expire("bfdoc:0", 900)
    client.set("bfdoc:text", "{}")
    for stamp in ({"once": "0001/20"}, {"version": 2}):
        work = Work(object="server", reads=DAY.reads, writes=DAY.writes, transform=DAY, kind="json",
                    keys=(("key", "bfdoc:{id}"),), **stamp)  # fmt: skip
        pages = driver.pages(work)
        report = backfill.run(MemoryLedger(is_prepared=True).ledger, "0001/20", pages, work)
        assert report.counts == Counts(read=3, written=2, rejected=1)
        assert backfill.verify(MemoryLedger(is_prepared=True).ledger, "0001/20", pages, work).counts.contended == 0
    expected = {"status": "new", "placed_at": "2026-03-14", "lines": [1.5, "é", 2**62], "status_day": "new#2026-03-14"}
    assert json.loads(client.execute_command("JSON.GET", "bfdoc:0")) == expected | {"_kw_v": 2}
    assert 880 < client.ttl("bfdoc:0") <= 900
    client.flushdb()
    client.close()
    driver.close()


def test_estimates_are_near_the_memory_of_a_server(url: str) -> None:
    client = Redis.from_url(url, db=10)

    class Sized(BaseModel):
        __store__: ClassVar = kw.RedisJson(d.server, key="sized:{name}", expected=5_000)
        name: Annotated[str, Field(pattern="^[0-9]{6}$")]
        title: Annotated[str, Field(min_length=30, max_length=30)]
        count: int
        share: float
        tags: Annotated[list[int], Field(min_length=6, max_length=6)]
        part: d.Street

    design = design_of(__file__, server=d.server, Sized=Sized)
    (binding,) = design.bindings
    (target,) = (ENGINE.place(server, ENGINE.localise(None, "redis-stack 7.4.1")) for server in ENGINE.lower(design))
    layout = layout_of(target, binding)
    assert layout is not None
    client.execute_command("JSON.SET", "warm", "$", "{}")
    before, count = client.info("memory")["used_memory"], 5_000
    pipeline = client.pipeline(transaction=False)
    for at in range(count):
        item = Sized(name=f"{at:06}", title=f"{at:030}", count=at, share=at + 0.5, tags=[at] * 6,
                     part=d.Street(name="", number=at))  # fmt: skip
        pipeline.execute_command(*item_commands(runtime.to_item(item), 0)[0])
    pipeline.execute()
    used = (client.info("memory")["used_memory"] - before) / count
    estimate = (memory(layout, binding) or 0) / count
    client.flushdb()
    assert abs(estimate / used - 1) < 0.15, (estimate, used)
