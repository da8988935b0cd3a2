"""What type checkers infer of calls: pyright reads this file with `make check`; nothing runs it."""

from typing import Any, assert_type

from models.shop import Order, change_status, order_by_id, orders_of_user, register_user
from models.telemetry import Reading, readings_of_sensor

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
