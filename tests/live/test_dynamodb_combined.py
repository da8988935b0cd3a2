"""Reads of several entities in one request on a real DynamoDB Local, compared with what Python computes."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel
from tests.engines.dynamodb import combined as m
from tests.engines.dynamodb.planning import plans_of
from tests.live.conftest import Start
from tests.live.proved_models import proved

from keywright.access.path import AccessPath
from keywright.access.query import arguments_of_parts
from keywright.declare.answers import Page
from keywright.drivers.dynamodb import driver as dynamodb
from keywright.engines.dynamodb.engine import ENGINE
from keywright.engines.interface import Driver
from keywright.local import Running
from keywright.migrations.run.runner import run
from keywright.runtime import InvalidCursor
from keywright.runtime.dynamodb import codec
from keywright.runtime.dynamodb.execute import covering, prepare, reads_together
from keywright.runtime.dynamodb.execute.spans import KeyRange
from keywright.runtime.validate.arguments import Arguments

pytestmark = pytest.mark.live

PLANS = plans_of(m)
CODECS = {name: codec(binding, PLANS.models[name]) for name, binding in PLANS.bindings.items()}
LOADED = m.some_instances()


@pytest.fixture(scope="module")
def driver(start: Callable[..., Running]) -> Iterator[Driver]:
    """Loaded tables, with one order under its former discriminator and one item that no model declares."""
    opened = dynamodb.connect(start("dynamodb").url.replace("://", "://combined@"))
    for table in PLANS.tables.values():
        run(ENGINE.create(table), opened)
    for instance in LOADED:
        name = type(instance).__name__
        (item,) = CODECS[name].to_items(instance)
        if isinstance(instance, m.Order) and instance.total == 2:
            item["entity_type"] = {"S": "ORD"}
        opened.load(PLANS.tables[PLANS.bindings[name].physical.name].name, [item])
    opened.load("crm", [{"pk": {"S": "CUSTOMER#ann"}, "sk": {"S": "D"}, "entity_type": {"S": "Draft"}}])
    yield opened
    opened.drop(table.name for table in PLANS.tables.values())
    opened.close()


def call(driver: Driver, name: str, *, limit: int | None = None, cursor: str | None = None, **values: Any) -> Any:
    """Call a pattern, and verify the evidence."""
    planned = PLANS.plan(name)
    assert isinstance(planned.path, AccessPath), planned.path
    parts = []
    for part, others in zip(planned.pattern.parts, arguments_of_parts(planned.pattern.parts), strict=True):
        paths = [*part.eq, *(path for path in (part.range, part.prefix) if path)]
        parts.append((Arguments({path: values[others.get(path, path)] for path in paths}),))
    observed = driver.observe()
    arguments = Arguments(values, limit=limit or planned.pattern.limit, cursor=cursor, parts=tuple(parts))
    answer = prepare(planned, CODECS)(observed.client, arguments)
    assert list(ENGINE.verify_evidence(planned, observed.events(), len(answer))) == []
    return answer


def key_of(instance: BaseModel, index: str = "sk") -> str:
    (item,) = CODECS[type(instance).__name__].to_items(instance)
    return str(item[index]["S"])


def of(name: str, *kinds: type[BaseModel], index: str = "sk") -> list[BaseModel]:
    """The instances of a customer or album, in the order of a sort key."""
    owned = [instance for instance in LOADED if isinstance(instance, kinds) and name in instance.__dict__.values()]
    return sorted(owned, key=lambda instance: key_of(instance, index))


FEED = "g1sk"
CASES: list[tuple[str, dict[str, Any], list[BaseModel]]] = [
    ("everything", {"id": "ann"}, of("ann", m.Customer, m.Order, m.Payment, m.Note)),
    ("everything", {"id": "ann!"}, of("ann!", m.Customer, m.Order, m.Payment, m.Note)),
    ("everything", {"id": "nobody"}, []),
    ("newest_orders", {"id": "bob"}, of("bob", m.Customer, m.Order)[::-1]),
    (
        "orders_between",
        {"customer_id": "bob", "placed_at": (m.START + m.DAY, m.START + 3 * m.DAY)},
        of("bob", m.Order)[1:4] + of("bob", m.Customer),
    ),
    ("orders_between", {"customer_id": "bob", "placed_at": (m.START + 9 * m.DAY, m.START)}, of("bob", m.Customer)),
    ("orders_between", {"customer_id": "bob", "placed_at": (None, None)}, of("bob", m.Order, m.Customer)),
    ("around", {"id": "ann"}, of("ann", m.Customer, m.Payment)),
    ("some_payments", {"customer_id": "ann", "number": (1, 2)}, of("ann", m.Note) + of("ann", m.Payment)[1:3]),
    ("feed_of", {"customer_id": "ann"}, of("ann", m.Order, m.Payment, index=FEED)[::-1]),
    (
        "feed_between",
        {"customer_id": "ann", "placed_at": (m.START, m.START + m.DAY), "paid_at": (m.START + 2 * m.DAY, None)},
        sorted([*of("ann", m.Order)[:2], *of("ann", m.Payment)[2:]], key=lambda instance: key_of(instance, FEED)),
    ),
    ("whole_album", {"album": "red"}, of("red", m.Album, m.Song)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "values", "expected"), CASES, ids=[f"{at}-{case[0]}" for at, case in enumerate(CASES)]
)
@pytest.mark.parametrize("limit", [1, 2, 5, 50])
def test_one_query_returns_all_entities_in_the_order_of_the_key(
    driver: Driver, name: str, values: dict[str, Any], expected: list[BaseModel], limit: int
) -> None:
    items: list[BaseModel] = []
    cursor: str | None = None
    for _ in range(100):
        page: Page[BaseModel] = call(driver, name, limit=limit, cursor=cursor, **values)
        assert len(page) <= limit
        items += page
        cursor = page.cursor
        if cursor is None:
            break
    assert items == expected


def test_a_cursor_belongs_to_one_partition(driver: Driver) -> None:
    page = call(driver, "everything", limit=2, id="ann")
    with pytest.raises(InvalidCursor):
        call(driver, "everything", limit=2, cursor=page.cursor, id="bob")


def test_items_are_got_at_one_moment(driver: Driver) -> None:
    planned = PLANS.plan("customer_with_order")
    observed = driver.observe()
    run_pattern = prepare(planned, CODECS)
    order_key = {"customer_id": "bob", "placed_at": m.START + m.DAY}
    parts = ((Arguments({"id": "ann"}),), (Arguments(order_key),))
    customer, order = run_pattern(observed.client, Arguments({}, parts=parts))
    assert customer == m.Customer(id="ann", name="Ann")
    assert (order.order_id, order.total, order.model_fields_set) == ("bob-1", 1, {"order_id", "total"})
    assert list(ENGINE.verify_evidence(planned, observed.events(), 2)) == []
    missing = ((Arguments({"id": "none"}),), (Arguments({**order_key, "customer_id": "none"}),))
    assert run_pattern(observed.client, Arguments({}, parts=missing)) == (None, None)


def test_one_item_may_be_got_twice(driver: Driver) -> None:
    planned = PLANS.plan("two_customers")
    parts = ((Arguments({"id": "ann"}),), (Arguments({"id": "ann"}),))
    answer = prepare(planned, CODECS)(driver.observe().client, Arguments({}, parts=parts))
    assert answer == (m.Customer(id="ann", name="Ann"),) * 2


def test_the_patterns_are_proved(start: Start, tmp_path: Path) -> None:
    problems = proved(m, start, tmp_path)
    assert len(problems) == 10
    assert not any(problems.values()), problems


def test_a_proof_finds_items_that_are_dropped(start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    contains = covering.contains

    def without_half(key_range: KeyRange, item: dict[str, Any]) -> bool:
        return contains(key_range, item) and len(item["sk"]["S"]) % 2 == 0

    monkeypatch.setattr(reads_together, "contains", without_half)
    problems = proved(m, start, tmp_path)
    assert problems["everything"]
    assert not problems["two_customers"]
