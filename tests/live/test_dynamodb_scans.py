"""Scans on a real DynamoDB Local, compared with what Python computes."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from botocore.exceptions import ClientError
from pydantic import BaseModel
from tests.engines.dynamodb import scanned as m
from tests.engines.dynamodb.planning import plans_of
from tests.live.conftest import Start
from tests.live.proved_models import proved

from keywright.declare.scanning import MOST_SEGMENTS
from keywright.drivers.dynamodb import driver as dynamodb
from keywright.engines.dynamodb.engine import ENGINE
from keywright.engines.interface import Driver
from keywright.local import Running
from keywright.migrations.run.runner import run
from keywright.runtime import InvalidCursor
from keywright.runtime.dynamodb import codec
from keywright.runtime.dynamodb.execute import prepare
from keywright.runtime.dynamodb.execute import scans as runtime_scans
from keywright.runtime.validate.arguments import Arguments

pytestmark = pytest.mark.live

PLANS = plans_of(m)
CODECS = {name: codec(binding, PLANS.models[name]) for name, binding in PLANS.bindings.items()}
LOADED = m.some_instances()


@pytest.fixture(scope="module")
def driver(start: Callable[..., Running]) -> Iterator[Driver]:
    opened = dynamodb.connect(start("dynamodb").url.replace("://", "://scanned@"))
    for table in PLANS.tables.values():
        run(ENGINE.create(table), opened)
    for instance in LOADED:
        name = type(instance).__name__
        items = CODECS[name].to_items(instance)
        opened.load(PLANS.tables[PLANS.bindings[name].physical.name].name, items)
    yield opened
    opened.drop(table.name for table in PLANS.tables.values())
    opened.close()


def call(driver: Driver, name: str, **arguments: Any) -> Any:
    """Call a pattern, and verify the evidence."""
    planned = PLANS.plan(name)
    observed = driver.observe()
    values = arguments.pop("values", {})
    answer = prepare(planned, CODECS)(
        observed.client, Arguments(values, **{"limit": planned.pattern.limit, **arguments})
    )
    returned = answer if isinstance(answer, int) else len(answer)
    assert list(ENGINE.verify_evidence(planned, observed.events(), returned)) == []
    return answer


def pages(driver: Driver, name: str, **arguments: Any) -> list[Any]:
    """All items of a pattern, page by page."""
    items: list[Any] = []
    cursor: str | None = None
    while True:
        page = call(driver, name, cursor=cursor, **arguments)
        items += page.items
        cursor = page.cursor
        if cursor is None:
            return items


def ids(instances: list[Any], field: str) -> list[Any]:
    return sorted(getattr(instance, field) for instance in instances)


def of(kind: type[BaseModel]) -> list[Any]:
    return [instance for instance in LOADED if isinstance(instance, kind)]


def test_a_scan_returns_each_item_of_its_entity_once(driver: Driver) -> None:
    assert ids(pages(driver, "all_orders"), "order_id") == ids(of(m.Order), "order_id")
    assert ids(pages(driver, "all_customers"), "customer_id") == ids(of(m.Customer), "customer_id")
    assert ids(pages(driver, "lefts"), "number") == [*range(25)]
    assert ids(pages(driver, "rights"), "number") == [*range(30)]


def test_a_scan_filters_what_it_reads(driver: Driver) -> None:
    totals = pages(driver, "large_orders", values={"total": (50, None)})
    assert ids(totals, "total") == [*range(50, 60)]
    assert len(pages(driver, "tagged_orders", values={"tags": "new"})) == 12
    assert ids(pages(driver, "order_with_id", values={"order_id": "o5"}), "order_id") == [
        "o5", *(f"o{number}" for number in range(50, 60))
    ]  # fmt: skip


def test_a_scan_of_a_sparse_index_reads_only_its_entries(driver: Driver) -> None:
    assert str(PLANS.path("open_totals").by) == "gsi open"
    assert ids(pages(driver, "open_totals"), "total") == [*range(0, 60, 3)]


def test_segments_are_read_apart_or_one_after_the_other(driver: Driver) -> None:
    apart = [pages(driver, "entries", segment=segment) for segment in range(4)]
    assert sum(map(bool, apart)) > 1
    together = pages(driver, "entries")
    assert together == [entry for part in apart for entry in part]
    assert ids(together, "entry_id") == ids(of(m.Entry), "entry_id")
    assert len(pages(driver, "errors")) == 15
    counts = [call(driver, "count_of_errors", segment=segment) for segment in range(4)]
    assert sum(counts) == call(driver, "count_of_errors") == 15
    assert call(driver, "count_of_orders") == 60


def test_a_cursor_belongs_to_its_segment(driver: Driver) -> None:
    segment, cursor = next(
        (segment, page.cursor)
        for segment in range(4)
        if (page := call(driver, "entries", limit=1, segment=segment)).cursor
    )
    with pytest.raises(InvalidCursor):
        call(driver, "entries", limit=1, segment=(segment + 1) % 4, cursor=cursor)


def test_the_server_rejects_more_segments_than_a_declaration_may_have(driver: Driver) -> None:
    client = driver.observe().client
    assert client.scan(TableName="log", Segment=0, TotalSegments=MOST_SEGMENTS)["Count"] <= 1
    with pytest.raises(ClientError, match="ValidationException"):
        client.scan(TableName="log", Segment=0, TotalSegments=MOST_SEGMENTS + 1)


def test_scans_are_proved(start: Start, tmp_path: Path) -> None:
    problems = proved(m, start, tmp_path)
    assert {name for name, pattern in PLANS.patterns.items() if pattern.scans} - {"all_offers"} <= problems.keys()
    assert not any(problems.values()), problems


def test_a_proof_finds_a_segment_that_is_not_read(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key_range = runtime_scans.KeyRange

    def first_alone(id: str) -> Any:
        return key_range(id=id, is_empty=id == "1")

    monkeypatch.setattr(runtime_scans, "KeyRange", first_alone)
    problems = proved(m, start, tmp_path)
    assert problems["rights"]
    assert not problems["all_orders"]
