"""Indexes of Search on Redis Stack: read by every client, changed under readers, resumed, and refused."""

import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from redis import Redis
from redis.exceptions import ResponseError
from tests.engines.redis import searched as s
from tests.engines.redis.designs import design_of
from tests.engines.redis.planning import Plans
from tests.live.conftest import Start
from tests.live.drawn import drawn
from tests.live.redis_store import clients, mutant
from tests.projects import a_project, imported_alone
from tests.properties.redis import targets

import keywright as kw
from keywright import api, runtime
from keywright.api.live.local_servers import instance_of
from keywright.api.prove.prove import prove_on
from keywright.api.prove.scratch import Server
from keywright.drivers.redis import driver as driver_of
from keywright.drivers.redis.searches import failures
from keywright.engines.redis.engine import ENGINE
from keywright.engines.redis.schema.target import ServerTarget
from keywright.errors import UsageError
from keywright.local import Running
from keywright.migrations.run.runner import run
from keywright.record import replace
from keywright.runtime.redis.execute import prepare
from keywright.runtime.validate.arguments import Arguments

pytestmark = pytest.mark.live

STACK = 'config:\n  keywright:environment:\n    mode: dev\n    redis: {flavour: redis-stack, version: "7.4"}\n'
NOW = datetime(2026, 11, 21, 12, 30, tzinfo=UTC)


@pytest.fixture
def server(start: Start) -> Iterator[Running]:
    """A server whose first database is empty before and after."""
    running = start("redis", "searches", product="redis-stack")
    with Redis.from_url(running.url) as client:
        client.flushall()
        yield running
        client.flushall()


def product(number: int, **values: Any) -> s.Product:
    return s.Product(**{
        "sku": f"s{number}", "title": f"Red shirt {number}", "brand": ("Acme", "Bolt, Inc.")[number % 2],
        "status": ("new", "sold")[number % 2], "maker": s.Maker(name="m"), "price": number * 1.5,
        "made_at": NOW + timedelta(days=number), "embedding": [1.0, float(number), 0.5, 0.0],
        "tags": ["a", f"t{number}"], "owner": UUID(int=number),
        **values,
    })  # fmt: skip


class Searched:
    """The declarations on a server, with their indexes."""

    def __init__(self, running: Running) -> None:
        self.environment = ENGINE.localise(None, running.version)
        self.plans = Plans(s.__file__, vars(s), self.environment)
        self.driver = driver_of.connect(running.url)
        self.client = self.driver.observe().client
        self.codecs = {
            binding.name: runtime.codec_of(getattr(s, binding.name)) for binding in self.plans.design.bindings
        }
        (self.target,) = self.plans.targets.values()
        run(searches(ENGINE.create(self.target)), self.driver)

    def call(
        self, pattern: str, *, client: Any = None, limit: int | None = None, cursor: Any = None, **values: Any
    ) -> Any:
        planned = self.plans[pattern]
        most = limit or planned.pattern.limit
        return prepare(planned, self.codecs)(client or self.client, Arguments(values, limit=most, cursor=cursor))

    def load(self, *instances: Any) -> None:
        self.driver.load("x", [runtime.to_item(instance) for instance in instances])


def searches(statements: Any) -> list[Any]:
    """The statements about indexes: settings belong to the server of all tests."""
    return [statement for statement in statements if statement.object[0] in ("indexes", "built")]


@pytest.fixture
def store(server: Running) -> Iterator[Searched]:
    searched = Searched(server)
    yield searched
    searched.driver.close()


def test_every_read_is_proved(server: Running, tmp_path: Any) -> None:
    with imported_alone(tmp_path), open(str(s.__file__), encoding="utf-8") as file:
        a_project(tmp_path, {"models/case.py": file.read(), "stacks/Pulumi.dev.yaml": STACK})
        project = api.load(str(tmp_path))
        compiled = api.compile(project)
        (instance,) = {instance_of(target) for target in compiled.targets}
        results = prove_on(project, compiled, [Server(instance, server.url, server.version)], scale=60)
    served = {result.row.pattern.name: result.proof for result in results if result.row.planned.is_served}
    assert {name: proof.problems for name, proof in served.items() if proof and proof.problems} == {}
    assert all(served.values())
    unserved = {result.row.pattern.name for result in results} - served.keys()
    assert unserved == {"by_note", "by_stock_order", "by_two"}
    with Redis.from_url(server.url) as client:
        assert client.dbsize() == 0
        assert client.execute_command("FT._LIST") == []


def test_every_client_reads_the_same_pages(store: Searched, server: Running) -> None:
    items = [product(number) for number in range(25)]
    store.load(*items, s.Visitor(name="v", city="Bern", visits=3), s.Visitor(name="w", city="Bern", visits=5))
    expected = [item.sku for item in reversed(items) if item.status == "new"]
    for name, client in clients(server.url).items():
        found, cursor = [], None
        while True:
            page = store.call("dearest", client=client, status="new", cursor=cursor)
            found += [item.sku for item in page.items]
            cursor = page.cursor
            if cursor is None:
                break
        assert found == expected, name
        assert [item.name for item in store.call("by_city", client=client, city="Bern").items] == ["w", "v"]
        assert store.call("count_status", client=client, status="new") == 13
        assert store.call("similar", client=client, embedding=items[7].embedding).items[0] == items[7]
        client.close()


def test_places_are_found_in_the_order_of_their_distance_by_every_client(store: Searched, server: Running) -> None:
    store.load(*(
        s.Shop(name=f"s{at}", kind="a" if at % 2 else "b", place=s.Place(longitude=-7 + at / 10, latitude=-46.5))
        for at in range(12)
    ))  # fmt: skip
    for name, client in clients(server.url).items():
        found, cursor = [], None
        while True:
            page = store.call("near_shops", client=client, place=(-7.0, -46.5), cursor=cursor)
            found += [item.name for item in page.items]
            cursor = page.cursor
            if cursor is None:
                break
        assert found == [f"s{at}" for at in range(12)], name
        near = store.call("near_of_kind", client=client, place=(-7.0, -46.5, 25_000.0), kind="a")
        assert [item.name for item in near.items] == ["s1", "s3"]
        client.close()


def test_values_are_found_as_they_are(store: Searched) -> None:
    brands = (
        "Bolt, Inc.",
        "a|b",
        "{x}",
        "$y",
        "-z",
        "Ünï",
        "a*",
        'q"q',
        "back\\slash",
        "two words",
        "TWO WORDS",
        " pad",
    )
    store.load(*(product(number, brand=brand, tags=[brand[:10]]) for number, brand in enumerate(brands)))
    for brand in brands:
        assert [item.brand for item in store.call("by_brand", brand=brand).items] == [brand]
        assert store.call("count_brand", brand=brand) == 1
        assert [item.brand for item in store.call("tagged", tags=brand[:10]).items] == [brand]
    assert store.call("by_brand", brand="pad").items == ()
    assert [item.sku for item in store.call("search", search="shirts -(red)").items] != []
    with pytest.raises(UsageError, match="empty text"):
        store.call("by_brand", brand="")
    assert store.call("search", search="---").items == ()


def test_blanks_around_a_text_of_a_hash_count(store: Searched) -> None:
    store.load(*(s.Visitor(name=f"v{at}", city=city) for at, city in enumerate((" Bern ", "Bern", "Bern\n", "Biel"))))
    assert [item.name for item in store.call("by_city", city="Bern").items] == ["v1"]
    assert [item.name for item in store.call("by_city", city=" Bern ").items] == ["v0"]
    assert store.call("count_city", city="Bern\n") == 1
    with pytest.raises(UsageError, match="empty text"):
        store.call("by_city", city="  ")


def test_a_value_with_the_separator_of_its_index_is_refused(store: Searched) -> None:
    planned = store.plans["by_city"]
    call: Any = planned.access_path.call
    terms = tuple(replace(term, separator=",") for term in call.terms)
    with pytest.raises(UsageError, match="separates values"):
        prepare(mutant(planned, terms=terms), store.codecs)(store.client, Arguments({"city": "Bern, CH"}, limit=1))


def changed_index(**options: Any) -> ServerTarget:
    """The server with another index of the products."""
    fields = [kw.SearchField("status", "tag"), kw.SearchField("price", "numeric", sortable=True),
              kw.SearchField("sku2", "tag")]  # fmt: skip
    server = kw.RedisServer("searched", role="primary", persistence=[])

    class Product(s.Product):
        __store__ = kw.RedisJson(
            server, key="product:{sku}", computed={"sku2": "{brand}-{status}"},
            indexes=[kw.SearchIndex("products", fields, **options)],
        )  # fmt: skip

    (target,) = ENGINE.lower(design_of(__file__, server=server, Product=Product))
    return ENGINE.place(target, ENGINE.localise(None, "redis-stack 7.4.1"))


def live(store: Searched) -> Any:
    return (store.driver.introspect(["searched"])["searched"] or {})["native"]


def only(target: ServerTarget, name: str) -> ServerTarget:
    return replace(target, indexes=tuple(index for index in target.indexes if index.name == name), settings=())


def test_a_changed_index_is_complete_before_its_name_moves_to_it(store: Searched) -> None:
    store.load(*(product(number % 600, sku=f"n{number}") for number in range(6_000)))
    before, after = only(store.target, "products"), only(changed_index(), "products")
    counts: set[int] = set()
    is_over = threading.Event()

    def read() -> None:
        while not is_over.is_set():
            counts.add(store.call("count_status", status="new"))

    reader = threading.Thread(target=read)
    reader.start()
    try:
        done = run(ENGINE.migrate(before, after), store.driver)
    finally:
        is_over.set()
        reader.join()
    assert counts == {3_000}
    assert len(done) == 3
    (index,) = after.indexes
    assert live(store)["indexes"]["products"] == index.definition
    assert set(live(store)["built"]) == {index.built, *(each.built for each in store.target.indexes[1:])}
    again = run(ENGINE.migrate(before, after), store.driver)
    assert all(step.outcome != "conflict" for step in again)


def test_a_change_is_resumed_after_each_step(store: Searched) -> None:
    before, after = only(store.target, "products"), only(changed_index(), "products")
    statements = ENGINE.migrate(before, after)
    for count in range(len(statements) + 1):
        for statement in statements[:count]:
            store.driver.run(statement)
        run(statements, store.driver)
        assert live(store)["indexes"]["products"] == after.indexes[0].definition
        run(ENGINE.migrate(after, before), store.driver)
        assert live(store)["indexes"]["products"] == before.indexes[0].definition


def test_an_index_without_an_alias_gets_one_and_keeps_its_name(store: Searched) -> None:
    plain, direct = only(changed_index(), "products"), only(changed_index(alias=False), "products")
    run(ENGINE.migrate(only(store.target, "products"), replace(plain, indexes=())), store.driver)
    run(ENGINE.migrate(replace(plain, indexes=()), direct), store.driver)
    assert live(store)["indexes"]["products"] == direct.indexes[0].definition
    run(ENGINE.migrate(direct, plain), store.driver)
    assert live(store)["indexes"]["products"] == plain.indexes[0].definition
    run(ENGINE.migrate(plain, replace(plain, indexes=())), store.driver)
    assert "products" not in live(store)["indexes"]
    assert plain.indexes[0].built not in live(store).get("built", {})


def test_an_applied_server_is_described_as_its_target(store: Searched) -> None:
    description = store.driver.introspect(["searched"])["searched"]
    assert description is not None
    managed = ENGINE.managed(ENGINE.parse(description), store.target)
    assert managed.indexes == store.target.indexes
    store.driver.run(ENGINE.migrate(store.target, replace(store.target, indexes=store.target.indexes[1:]))[-1])
    description = store.driver.introspect(["searched"])["searched"]
    assert description is not None
    assert ENGINE.managed(ENGINE.parse(description), store.target).indexes == store.target.indexes[1:]


def test_a_generation_has_indexes_of_its_own(store: Searched) -> None:
    second = replace(ENGINE.unplace(store.target, store.environment), generation=2)
    placed = ENGINE.place(second, store.environment)
    assert {index.name for index in placed.indexes} == {"k2:products", "k2:shops", "k2:visitors"}
    run(searches(ENGINE.migrate(store.target, placed)), store.driver)
    assert {"products", "k2:products"} <= live(store)["indexes"].keys()
    assert ENGINE.unplace(placed, store.environment).indexes == second.indexes


def test_what_is_refused_at_compile_time_fails_on_the_server(store: Searched, server: Running) -> None:
    with Redis.from_url(server.url.replace("/0", "/3")) as client, pytest.raises(ResponseError, match="db != 0"):
        client.execute_command("FT.CREATE", "i", "ON", "HASH", "PREFIX", 1, "i:", "SCHEMA", "a", "TAG")
    with Redis.from_url(server.url) as client:
        create = ("FT.CREATE", "misfits", "ON", "JSON", "PREFIX", 1, "m:", "SCHEMA", "$.n", "AS", "n", "NUMERIC")
        client.execute_command(*create)
        client.execute_command("JSON.SET", "m:1", "$", '{"n": "1.5"}')  # a decimal, as text
        client.execute_command("JSON.SET", "m:2", "$", '{"n": 1.5}')
        found = client.execute_command("FT.SEARCH", "misfits", "*", "NOCONTENT")
        assert (found[b"total_results"] if isinstance(found, dict) else found[0]) == 1
        assert failures(client)["misfits"] == 1
    assert ENGINE.refuse(store.target, replace(store.environment, flavour="valkey", version="9.1"))


def test_generated_indexes_become_others(server: Running) -> None:
    environment, driver = ENGINE.localise(None, server.version), driver_of.connect(server.url)

    @drawn(25)
    @given(targets(), targets())
    def become_others(first: ServerTarget, second: ServerTarget) -> None:
        with Redis.from_url(server.url) as client:
            client.flushall()
        before, after = (
            replace(ENGINE.place(each, environment), name="s", generation=1, settings=(), streams=())
            for each in (first, replace(second, generation=first.generation))
        )
        for statements in (ENGINE.create(before), ENGINE.migrate(before, after), ENGINE.migrate(before, after)):
            run(searches(statements), driver)
        description = driver.introspect(["s"])["s"]
        assert description is not None
        live = ENGINE.managed(ENGINE.parse(description), after)
        assert (live.indexes, live.built) == (after.indexes, after.built)
        assert {index.name for index in ENGINE.parse(description).indexes} == {index.name for index in after.indexes}

    become_others()
    driver.close()
