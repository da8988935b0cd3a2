"""What type checkers infer of calls: pyright and mypy read this file with `make check`; nothing runs it."""

from typing import Any, assert_type

from models.shop import Order, change_status, order_by_id, orders_of_user, register_user
from models.telemetry import Reading, readings_of_sensor
from tests.engines.dynamodb.combined import Customer, Note, Payment, customer_with_order, everything, newest_orders
from tests.engines.dynamodb.combined import Order as CrmOrder

from keywright import runtime
from keywright.declare.answers import Page, Runs


def calls(db: Runs, user: Any) -> None:
    """Every kind of answer has the type of the pattern's own model."""
    assert_type(order_by_id(db, order_id="o-1"), Order | None)
    page = orders_of_user(db, user_id="u-1", limit=20)
    assert_type(page, Page[Order])
    assert_type(page.items, tuple[Order, ...])
    assert_type(page.cursor, str | None)
    for order in page:
        assert_type(order, Order)
    for some in readings_of_sensor.pages(db, sensor_id="s-1", at=(None, None)):
        assert_type(some, Page[Reading])
    assert_type(register_user(db, user), None)
    assert_type(change_status(db, user_id="u-1", status="paid"), None)


def combined_reads(db: Runs) -> None:
    """One request for several entities answers with the union of their types, or with a tuple."""
    page = newest_orders(db, id="c-1", limit=5)
    assert_type(page, Page[Customer | CrmOrder])
    for item in page:
        if isinstance(item, Customer):
            assert_type(item.name, str)
    assert_type(everything(db, id="c-1"), Page[Customer | CrmOrder | Payment | Note])
    for some in everything.pages(db, id="c-1"):
        assert_type(some, Page[Customer | CrmOrder | Payment | Note])
    customer, order = customer_with_order(db, {"id": "c-1"}, {"customer_id": "c-1", "placed_at": "2026-03-01"})
    assert_type(customer, Customer | None)
    assert_type(order, CrmOrder | None)


def annotated(db: runtime.Database, refused: runtime.InvalidValue, unread: runtime.InvalidItem) -> runtime.Page[Order]:
    """All public types are of `keywright.runtime`, and serve as annotations."""
    choice: runtime.OnInvalid = "skip"
    assert_type(refused.argument, str)
    assert_type(unread.entity, str)
    try:
        return orders_of_user(db, user_id="u-1", on_invalid=choice)
    except runtime.InvalidCursor as error:
        assert_type(error.pattern, str)
    except runtime.ConditionFailed:
        pass
    return orders_of_user(db, user_id="u-1", on_invalid=lambda error: None)
