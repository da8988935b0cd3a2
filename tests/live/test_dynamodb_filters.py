"""Filters of parts, lengths and alternatives on a real DynamoDB Local, compared with what Python computes."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.engines.dynamodb import filtered as m
from tests.engines.dynamodb.planning import plans_of
from tests.live.conftest import Start
from tests.live.proved_models import proved

from keywright.drivers.dynamodb import driver as dynamodb
from keywright.engines.dynamodb.engine import ENGINE
from keywright.engines.interface import Driver
from keywright.local import Running
from keywright.migrations.run.runner import run
from keywright.runtime.dynamodb import codec
from keywright.runtime.dynamodb.execute import conditions as runtime_conditions
from keywright.runtime.dynamodb.execute import prepare
from keywright.runtime.validate.arguments import Arguments

pytestmark = pytest.mark.live

PLANS = plans_of(m)
CODECS = {name: codec(binding, PLANS.models[name]) for name, binding in PLANS.bindings.items()}
LOADED: list[Any] = m.some_instances()

EXPECTED: dict[str, Callable[[Any], bool]] = {
    "urgent": lambda order: "urgent" in (order.note or ""),
    "tagged": lambda order: "new" in order.tags,
    "worded": lambda order: "new" in order.words,
    "noted": lambda order: (order.note or "").startswith("late"),
    "of_may": lambda order: order.order_id.startswith("05"),
    "of_may_by_total": lambda order: (order.note or "").startswith("05"),
    "with_tags": lambda order: len(order.tags) >= 2,
    "with_few_tags": lambda order: len(order.tags) <= 1,
    "with_few_words": lambda order: len(order.words) <= 1,
    "with_words": lambda order: 1 <= len(order.words) <= 2,
    "with_parts": lambda order: order.parts is not None,
    "with_no_parts": lambda order: order.parts == [],
    "open_or_large": lambda order: order.state == "open" or order.total >= 50,
    "extremes": lambda order: order.total < 5 or order.total > 70,
    "odd": lambda order: (
        order.total > 3
        and (
            (order.state in ("open", "sent") and order.kind == "gift")
            or order.note is None
            or ("new" in order.tags and not order.words)
        )
    ),
}


@pytest.fixture(scope="module")
def driver(start: Callable[..., Running]) -> Iterator[Driver]:
    opened = dynamodb.connect(start("dynamodb").url.replace("://", "://filtered@"))
    for table in PLANS.tables.values():
        run(ENGINE.create(table), opened)
    for instance in LOADED:
        opened.load("shop", CODECS["Order"].to_items(instance))
    yield opened
    opened.drop(table.name for table in PLANS.tables.values())
    opened.close()


def call(driver: Driver, name: str, **values: Any) -> Any:
    """Call a pattern, and verify the evidence."""
    planned = PLANS.plan(name)
    observed = driver.observe()
    answer = prepare(planned, CODECS)(observed.client, Arguments(values))
    returned = len(answer) if hasattr(answer, "items") else 1
    assert list(ENGINE.verify_evidence(planned, observed.events(), returned)) == []
    return answer


def ids(orders: Any) -> list[str]:
    return sorted(order.order_id for order in orders)


@pytest.mark.parametrize("name", EXPECTED)
def test_a_filter_returns_the_items_that_meet_it(driver: Driver, name: str) -> None:
    expected = [order for order in LOADED if EXPECTED[name](order)]
    assert 0 < len(expected) < len(LOADED)
    found = [order for user in ("ann", "bob") for order in call(driver, name, user_id=user)]
    assert ids(found) == ids(expected)


def test_alternatives_filter_gets_counts_and_scans(driver: Driver) -> None:
    own = [order for order in LOADED if order.user_id == "bob"]
    assert call(driver, "several", user_id="bob") == sum(o.state == "open" or o.kind == "gift" for o in own)
    urgent, calm = (next(o for o in own if EXPECTED["urgent"](o) is wanted) for wanted in (True, False))
    assert call(driver, "got", user_id="bob", order_id=urgent.order_id) == urgent
    assert call(driver, "got", user_id="bob", order_id=calm.order_id) is None
    found = [o for o in LOADED if o.order_id.startswith("05") or o.state == "open"]
    assert ids(call(driver, "everywhere")) == ids(found)


def test_filters_are_proved(start: Start, tmp_path: Path) -> None:
    problems = proved(m, start, tmp_path)
    assert {"odd", "several", "with_few_words", "everywhere"} <= problems.keys()
    assert not any(problems.values()), problems


def test_a_proof_finds_alternatives_that_are_not_asked_for(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    any_of = runtime_conditions._any_of

    def first_alone(binding: Any, condition: Any) -> Any:
        from keywright.record import replace

        return any_of(binding, replace(condition, alternatives=condition.alternatives[:1]))

    monkeypatch.setattr(runtime_conditions, "_any_of", first_alone)
    problems = proved(m, start, tmp_path)
    assert problems["several"]
    assert not problems["with_tags"]
