"""What a call costs, beyond what the goldens show."""

from typing import Annotated, ClassVar

import pytest
from pydantic import BaseModel, Field
from tests.engines.mongodb.designs import design_of

import keywright as kw
from keywright.access.search import plan
from keywright.engines.mongodb.engine import ENGINE

shop = kw.MongoDatabase("shop")


class Order(BaseModel):
    """An index over each kind of path that a change can touch."""

    __store__: ClassVar = kw.Collection(
        shop,
        "orders",
        id="{order_id}",
        computed={"queue": "{state}-{lane}"},
        indexes=[
            kw.Index("queue", name="by_queue"),
            kw.Index("count", name="by_count"),
            kw.Index("note", name="by_note"),
            kw.Index("tags", name="by_tag"),
        ],
    )

    order_id: str
    state: str
    lane: str
    count: int
    note: str | None = None
    tags: Annotated[list[str], Field(max_length=5)]


CHANGES = {
    "a computed attribute": (kw.Update(Order, sets=["state", "lane"]), {"by_queue"}),
    "a field": (kw.Update(Order, sets="note"), {"by_note"}),
    "a field removed": (kw.Update(Order, unset="note"), {"by_note"}),
    "a list": (kw.Update(Order, pushes="tags"), {"by_tag"}),
    "a number": (kw.Increment(Order, "count"), {"by_count"}),
    "all": (kw.Put(Order), {"by_queue", "by_count", "by_note", "by_tag"}),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_write_costs_the_indexes_that_it_changes(change: str) -> None:
    declared, indexes = CHANGES[change]
    design = design_of(shop, Order, declared)
    (binding,), (pattern,), (database,) = design.bindings, design.patterns, ENGINE.lower(design)
    cost = ENGINE.cost(plan(ENGINE, database, binding, pattern))
    assert {arm for arm, _ in cost.arms if arm} == indexes
