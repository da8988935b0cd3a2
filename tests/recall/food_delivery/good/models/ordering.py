"""Orders from the checkout to the door, what happened to them, and what is kept of them afterwards."""

from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.catalogue import Dish, Outlet, take_portion
from models.common import (
    BrandId,
    ChoiceLabel,
    CourierNo,
    Currency,
    CustomerNo,
    DayText,
    DishId,
    GeoSpot,
    Market,
    Minor,
    OrderNo,
    OutletId,
)

of_customer = kw.Gsi(
    "of_customer",
    pk="customer_no",
    sk=["placed_at", "order_no"],
    project=["outlet_id", "outlet_name", "stage", "total_minor", "currency"],
)
in_kitchen = kw.Gsi(
    "in_kitchen",
    pk="kitchen_pk",
    sk="kitchen_sk",
    project=["order_no", "stage", "lines", "due_at", "outlet_id"],
)
orders = kw.DynamoTable(
    "orders",
    owner="ordering",
    gsis=[of_customer, in_kitchen],
    stream=kw.Stream(
        consumers=[
            kw.Consumer("event-bus", idempotency=["order_no", "revision"], on_failure="queue"),
            kw.Consumer("history-writer", idempotency=["order_no", "revision"], on_failure="queue"),
        ]
    ),
)
history = kw.DynamoTable("history", owner="ordering")
steps = kw.DynamoTable("steps", owner="logistics")
tills = kw.DynamoTable("tills", owner="partners")
figures = kw.DynamoTable("figures", owner="insights")


class Stage(StrEnum):
    """Where an order is on its way."""

    PLACED = "placed"
    ACCEPTED = "accepted"
    COOKING = "cooking"
    READY = "ready"
    RIDING = "riding"
    DELIVERED = "delivered"
    CANCELLED = "cancelled"


class Line(BaseModel):
    """A dish of an order, as it was sold."""

    dish_id: DishId
    title: Annotated[str, Field(max_length=90), kw.Size(avg=24, max=180), kw.CopiedFrom(Dish, "title", sync="never")]
    choices: Annotated[list[ChoiceLabel], Field(max_length=12)] = []
    quantity: Annotated[int, Field(ge=1, le=99)]
    price_minor: Annotated[Minor, kw.CopiedFrom(Dish, "price_minor", sync="never")]


class DropOff(BaseModel):
    """The door as it was at the time of the order."""

    street: Annotated[str, Field(max_length=120), kw.Size(avg=24, max=240), kw.Pii()]
    door: Annotated[str, Field(max_length=80), kw.Size(avg=12, max=160), kw.Pii()] = ""
    spot: Annotated[GeoSpot, kw.Pii()]


class Order(kw.Model):
    """An order; it leaves this table ninety days later, when complaints about it are no longer accepted."""

    __store__: ClassVar = kw.Item(
        orders,
        pk="ORDER#{order_no}",
        sk="ORDER",
        gsis=[
            in_kitchen.key(
                pk="KITCHEN#{outlet_id}",
                sk="{due_at:iso}#{order_no}",
                where={"stage": kw.OneOf([Stage.PLACED, Stage.ACCEPTED, Stage.COOKING, Stage.READY])},
            )
        ],
        expected=900_000_000,
        active=0.02,
    )

    order_no: OrderNo
    customer_no: CustomerNo
    outlet_id: Annotated[OutletId, kw.Ref(Outlet, on_missing="ignore", max_referrers=400_000)]
    outlet_name: Annotated[
        str, Field(max_length=90), kw.Size(avg=22, max=180), kw.CopiedFrom(Outlet, "name", sync="never")
    ]
    market: Market
    stage: Stage
    lines: Annotated[list[Line], Field(min_length=1, max_length=40), kw.Size(avg=260, max=12_000)]
    drop_off: DropOff
    courier_no: CourierNo | None = None
    total_minor: Minor
    currency: Currency
    placed_at: datetime
    due_at: datetime
    revision: Annotated[int, Field(ge=1)] = 1
    purge_at: Annotated[datetime, kw.Ttl()]


class CheckoutMark(kw.Model):
    """That a basket was ordered, so that pressing the button twice makes one order."""

    __store__: ClassVar = kw.Item(orders, pk="CHECKOUT#{basket_id}", sk="MARK", kind="token", expected=20_000_000)

    basket_id: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$"), kw.Size(avg=32, max=32)]
    order_no: OrderNo
    purge_at: Annotated[datetime, kw.Ttl()]


write_order = kw.Put(Order, if_absent=True)
mark_checkout = kw.Put(CheckoutMark, if_absent=True)
place_order = kw.Transact([mark_checkout, write_order], rate="100/s", peak="620/s", p99_ms=60)
place_limited_order = kw.Transact(
    [mark_checkout, write_order, take_portion], rate="15/s", peak="80/s", hot_key="4/s", p99_ms=80
)
order = kw.Get(Order, eq="order_no", rate="700/s", peak="4k/s", p99_ms=15)
order_before_change = kw.Get(Order, eq="order_no", consistency="strong", rate="300/s", peak="1.8k/s", p99_ms=20)
orders_of_customer = kw.Read(
    Order,
    eq="customer_no",
    fields=["order_no", "outlet_id", "outlet_name", "stage", "total_minor", "currency", "placed_at"],
    range="placed_at",
    span=timedelta(days=90),
    order="-placed_at",
    limit=20,
    rate="350/s",
    peak="2k/s",
    p99_ms=25,
)
kitchen_queue = kw.Read(
    Order,
    eq="outlet_id",
    where={"stage": kw.OneOf([Stage.PLACED, Stage.ACCEPTED, Stage.COOKING, Stage.READY])},
    fields=["order_no", "stage", "lines", "due_at"],
    order="due_at",
    limit=40,
    rate="500/s",
    peak="2.5k/s",
    hot_key="3/s",
    p99_ms=30,
)
move_order = kw.Update(
    Order, eq=["order_no", "outlet_id", "due_at"], sets=["stage", "revision"], rate="550/s", peak="3.4k/s", p99_ms=30
)
assign_order = kw.Update(Order, sets=["courier_no", "revision"], rate="120/s", peak="750/s", p99_ms=30)


class DeliveryStep(kw.Model):
    """A step of a delivery as the apps report it, for the analysts, who fetch hour after hour."""

    __store__: ClassVar = kw.Item(
        steps,
        pk="STEPS#{at:hour}#{order_no:shard(24)}",
        sk="{at:iso}#{order_no}",
        kind="event",
        expected=1_400_000_000,
        active=0.01,
    )

    at: datetime
    order_no: OrderNo
    what: Literal["offered", "accepted", "at_counter", "picked_up", "at_door", "handed_over", "failed"]
    courier_no: CourierNo
    wait_seconds: Annotated[int, Field(ge=0, le=14_400)] = 0
    purge_at: Annotated[datetime, kw.Ttl()]


report_step = kw.Put(DeliveryStep, rate="700/s", peak="4.2k/s", p99_ms=30)
steps_between = kw.Read(
    DeliveryStep,
    range="at",
    span=timedelta(hours=1),
    order="at",
    limit=500,
    fan_out=24,
    rate="4/s",
    p99_ms=400,
)


class TillMessage(kw.Model):
    """What went to or came from the till of an outlet, for thirty days, while brands ask about it."""

    __store__: ClassVar = kw.Item(
        tills,
        pk="TILL#{brand_id}#{outlet_id}#{day}",
        sk="{at:iso}#{message_id}",
        kind="event",
        expected=6_700_000_000,
        active=0.01,
    )

    brand_id: BrandId
    outlet_id: OutletId
    day: DayText
    at: datetime
    message_id: Annotated[str, Field(pattern=r"^m[0-9a-f]{16}$"), kw.Size(avg=17, max=17)]
    order_no: OrderNo
    type: Literal["sent", "confirmed", "refused", "printed", "item_missing"]
    detail: Annotated[str, Field(max_length=300), kw.Size(avg=60, max=600)] = ""
    purge_at: Annotated[datetime, kw.Ttl()]


record_till_message = kw.Put(TillMessage, rate="2.6k/s", peak="7k/s", hot_key="3/s", p99_ms=30)
till_messages_of_day = kw.Read(
    TillMessage,
    eq=["brand_id", "outlet_id", "day"],
    range="at",
    span=timedelta(days=1),
    order="-at",
    limit=100,
    rate="4/s",
    peak="20/s",
    p99_ms=60,
)


class MarketDay(kw.Model):
    """Orders and turnover of a market and day, in twenty parts that the dashboard adds up."""

    __store__: ClassVar = kw.Item(
        figures, pk="FIGURES#{market}#{day}#{part:pad(2)}", sk="DAY", kind="analytics", expected=90_000
    )

    market: Market
    day: DayText
    part: Annotated[int, Field(ge=0, le=19)]
    orders: Annotated[int, Field(ge=0)] = 0
    turnover_minor: Annotated[int, Field(ge=0)] = 0
    purge_at: Annotated[datetime, kw.Ttl()]


store_market_part = kw.Put(MarketDay, rate="24/s", p99_ms=60)
market_part = kw.Get(MarketDay, eq=["market", "day", "part"], rate="40/s", p99_ms=30)


class PastOrder(kw.Model):
    """What a customer sees of a delivered order for three years; it has no address."""

    __store__: ClassVar = kw.Item(
        history,
        pk="PAST#{customer_no}",
        sk="{delivered_at:iso}#{order_no}",
        expected=10_000_000_000,
        active=0.002,
    )

    customer_no: CustomerNo
    delivered_at: datetime
    order_no: OrderNo
    outlet_name: Annotated[
        str, Field(max_length=90), kw.Size(avg=22, max=180), kw.CopiedFrom(Order, "outlet_name", sync="never")
    ]
    lines: Annotated[list[Line], Field(max_length=40), kw.Size(avg=260, max=12_000)]
    total_minor: Annotated[Minor, kw.CopiedFrom(Order, "total_minor", sync="never")]
    currency: Currency
    purge_at: Annotated[datetime, kw.Ttl()]


keep_past_order = kw.Put(PastOrder, rate="112/s", peak="680/s", p99_ms=80)
past_orders = kw.Read(
    PastOrder,
    eq="customer_no",
    range="delivered_at",
    span=timedelta(days=1_095),
    order="-delivered_at",
    limit=20,
    rate="25/s",
    peak="120/s",
    p99_ms=60,
)
