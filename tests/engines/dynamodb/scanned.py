"""Tables whose patterns scan: entities alone, several by discriminator, several by the prefix of their keys."""

from datetime import UTC, datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel

import keywright as kw

OPEN = kw.Gsi("open", pk="g1pk", sk="g1sk", project=["order_id", "total"])
SHOP = kw.DynamoTable("shop", gsis=[OPEN])
LOG = kw.DynamoTable("log", pk="entry_id", sk=None, discriminator=None)
OLD = kw.DynamoTable("old", pk="k", sk=None, discriminator=None)

Name = Annotated[str, kw.Size(avg=6, max=12)]


class Order(BaseModel):
    __store__: ClassVar = kw.Item(
        SHOP,
        pk="ORDER#{order_id}",
        sk="ORDER",
        gsis=[OPEN.key(pk="OPEN", sk="{placed_at:iso}", where={"status": "open"})],
        expected=500,
    )

    order_id: Name
    status: Literal["open", "paid"]
    placed_at: datetime
    total: int
    tags: list[Name] = []


class Customer(BaseModel):
    __store__: ClassVar = kw.Item(SHOP, pk="CUSTOMER#{customer_id}", sk="CUSTOMER")

    customer_id: Name


class Entry(BaseModel):
    __store__: ClassVar = kw.Item(LOG, expected=20_000)

    entry_id: Name
    level: Literal["info", "warning", "error"]
    text: Annotated[str, kw.Size(avg=20, max=40)]


class Left(BaseModel):
    __store__: ClassVar = kw.Item(OLD, pk="L#{number}")

    number: int


class Right(BaseModel):
    __store__: ClassVar = kw.Item(OLD, pk="R#{number}")

    number: int


class Offer(BaseModel):
    __store__: ClassVar = kw.Item(SHOP, pk="OFFER#{sku}", sk="OFFER", read_copies=3)

    sku: Name


put_orders = kw.Put(Order)
put_customers = kw.Put(Customer)
put_entries = kw.Put(Entry)
put_left = kw.Put(Left)
put_right = kw.Put(Right)
put_offers = kw.Put(Offer)

all_orders = kw.Read(Order, scan=True, limit=20)
all_customers = kw.Read(Customer, scan=True, limit=50, consistency="strong")
large_orders = kw.Read(Order, range="total", scan=True, limit=20, fields=["order_id", "total"])
tagged_orders = kw.Read(Order, contains="tags", scan=True, limit=20)
order_with_id = kw.Read(Order, prefix="order_id", scan=True, limit=20)
open_totals = kw.Read(Order, where={"status": "open"}, scan=True, limit=20, fields=["order_id", "total"])
entries = kw.Read(Entry, scan=True, segments=4, limit=100)
errors = kw.Read(Entry, where={"level": "error"}, scan=True, segments=4, limit=30)
count_of_errors = kw.Count(Entry, where={"level": "error"}, scan=True, segments=4)
count_of_orders = kw.Count(Order, scan=True)
lefts = kw.Read(Left, scan=True, limit=10)
rights = kw.Read(Right, scan=True, limit=10, segments=2)
all_offers = kw.Read(Offer, scan=True, limit=10)
unserved = kw.Read(Order, range="total", limit=20)

START = datetime(2026, 3, 1, tzinfo=UTC)


def some_instances() -> list[BaseModel]:
    """Orders and customers, entries of a log, and two entities without a discriminator."""
    instances: list[BaseModel] = []
    for number in range(60):
        instances.append(
            Order(
                order_id=f"o{number}",
                status="paid" if number % 3 else "open",
                placed_at=START + timedelta(hours=number),
                total=number,
                tags=["new"] if number % 5 == 0 else [],
            )
        )
        instances.append(Customer(customer_id=f"c{number}"))
    for number in range(150):
        level: Literal["info", "error"] = "error" if number % 10 == 0 else "info"
        instances.append(Entry(entry_id=f"e{number}", level=level, text="x" * (number % 40)))
    instances += (Left(number=number) for number in range(25))
    instances += (Right(number=number) for number in range(30))
    return instances
