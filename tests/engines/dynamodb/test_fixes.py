"""Fixes: the smallest declaration that heals a pattern, as lowering the edited models would give it."""

from datetime import datetime
from typing import Any, ClassVar, Literal

from pydantic import BaseModel
from tests.engines.dynamodb.planning import HERE, Plans, plans

import keywright as kw
from keywright.access.path import PatternFix
from keywright.access.search import plan, smallest_fix
from keywright.engines.dynamodb.engine import ENGINE
from keywright.engines.dynamodb.schema.target import TableTarget

lookup = kw.Gsi("lookup", pk="gsi1pk", sk="gsi1sk")
shop = kw.DynamoTable("shop", gsis=[lookup])


class User(BaseModel):
    __store__: ClassVar = kw.Item(shop, pk="USER#{user_id}", sk="USER", gsis=[lookup.key(pk="MAIL#{mail}", sk="USER")])

    user_id: str
    mail: str


class Order(BaseModel):
    __store__: ClassVar = kw.Item(shop, pk="USER#{user_id}", sk="ORDER#{order_id}")

    user_id: str
    order_id: str
    status: Literal["open", "done"]
    placed_at: datetime
    total: int
    note: str | None = None


order_by_id = kw.Get(Order, eq="order_id", fields="total")
orders_by_date = kw.Read(Order, eq="user_id", order="-placed_at", limit=5)
orders_of_status = kw.Read(Order, where={"status": "open"}, order="placed_at", limit=5)
count_since = kw.Count(Order, range="placed_at")
found = kw.Read(Order, search="note", limit=5)
strong = kw.Get(Order, eq="order_id", consistency="strong")
noted = kw.Read(Order, eq="note", order="total", limit=5)

DECLARED: dict[str, Any] = {
    "shop": shop, "User": User, "Order": Order, "order_by_id": order_by_id, "orders_by_date": orders_by_date,
    "orders_of_status": orders_of_status, "count_since": count_since, "found": found, "strong": strong, "noted": noted,
}  # fmt: skip


def declared() -> Plans:
    return plans(**DECLARED)


def fix(name: str) -> tuple[Plans, PatternFix[TableTarget] | None]:
    created = declared()
    planned = created.plan(name)
    assert not planned.is_served
    return created, smallest_fix(ENGINE, planned)


def texts(name: str) -> list[str]:
    """Everything that is proposed."""
    created = declared()
    planned = created.plan(name)
    return [entry.text for entry in ENGINE.fixes(planned.target, planned.binding, planned.pattern)]


def test_an_index_that_is_there_can_be_reused_by_a_key_of_the_entity() -> None:
    created = declared()
    planned = created.plan("orders_by_date")
    result, other = ENGINE.fixes(planned.target, planned.binding, planned.pattern)
    assert (result.text, result.subject, result.argument) == (
        'lookup.key(pk="ORDER#{user_id}", sk="{placed_at:iso}")', "Order", "gsis",
    )  # fmt: skip
    assert result.target.indexes == planned.target.indexes
    assert result.target.shape[1].keys[2:] == (
        ('gsi "lookup" pk', "ORDER#{user_id}"),
        ('gsi "lookup" sk', "{placed_at:iso}"),
    )
    assert other.text == 'kw.Gsi("by_user_id_placed_at", pk="user_id", sk="placed_at")'
    assert smallest_fix(ENGINE, planned) == other  # its entries hold no texts beside the fields


def test_a_further_index_holds_what_the_pattern_needs_and_no_more() -> None:
    _, result = fix("order_by_id")
    assert result is not None
    assert (result.text, result.subject, result.argument) == (
        'kw.Gsi("by_order_id", pk="order_id", project=["total"])', "shop", "gsis",
    )  # fmt: skip
    assert texts("order_by_id") == ['lookup.key(pk="ORDER#{order_id}", sk="ORDER")', result.text]


def test_where_nothing_is_given_all_values_of_a_field_with_few_are_asked() -> None:
    created, result = fix("count_since")
    assert result is not None
    assert result.text == 'kw.Gsi("by_status_placed_at", pk="status", sk="placed_at", project="keys")'
    healed = plan(ENGINE, result.target, created.bindings["Order"], created.patterns["count_since"])
    assert healed.is_served


def test_a_field_that_may_be_none_is_a_key_where_its_value_is_given() -> None:
    assert texts("noted") == ['kw.Gsi("by_note_total", pk="note", sk="total")']


def test_nothing_is_proposed_that_could_not_help() -> None:
    assert texts("found") == []
    assert texts("strong") == []


def test_the_fix_is_what_the_edited_models_are_lowered_to() -> None:
    """Pasted into the models, the line gives the very target that the planner tried."""
    again = kw.Gsi("lookup", pk="gsi1pk", sk="gsi1sk")
    table = kw.DynamoTable("shop", gsis=[again, kw.Gsi("by_order_id", pk="order_id", project=["total"])])

    class User(BaseModel):
        __store__: ClassVar = kw.Item(
            table, pk="USER#{user_id}", sk="USER", gsis=[again.key(pk="MAIL#{mail}", sk="USER")]
        )

        user_id: str
        mail: str

    class Order(BaseModel):
        __store__: ClassVar = kw.Item(table, pk="USER#{user_id}", sk="ORDER#{order_id}")

        user_id: str
        order_id: str
        status: Literal["open", "done"]
        placed_at: datetime
        total: int
        note: str | None = None

    _, result = fix("order_by_id")
    assert result is not None
    assert result.target == plans(shop=table, User=User, Order=Order).tables["shop"]
    assert ENGINE.unplace(result.target, HERE).name == "shop"


def test_a_fix_costs_what_an_entry_takes() -> None:
    _, result = fix("order_by_id")
    assert result is not None
    assert result.write_cost == 1
    # order_id 8, total 5 + 1, pk 2 + 5, sk 2 + 6, and what nothing bounds; 100 for the entry itself
    assert result.stored_bytes == 8 + 6 + 7 + 8 + 100
