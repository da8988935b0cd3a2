"""Baskets before they are ordered, and what is held for them, in Redis alone."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar

from pydantic import BaseModel, Field

import keywright as kw
from models.common import ChoiceLabel, Currency, CustomerNo, DishId, Minor, OutletId, ZoneId

carts = kw.RedisServer(
    "carts",
    role="primary",
    owner="checkout",
    persistence=[kw.Aof(fsync="everysec"), kw.Rdb()],
    settings={
        "slowlog-log-slower-than": 10_000,
        "slowlog-max-len": 512,
        "repl-backlog-size": "256mb",
        "min-replicas-to-write": 1,
        "min-replicas-max-lag": 10,
    },
)

BasketId = Annotated[str, Field(pattern=r"^[0-9a-f]{32}$"), kw.Size(avg=32, max=32)]


class BasketLine(BaseModel):
    """A dish and how it is wanted."""

    dish_id: DishId
    quantity: Annotated[int, Field(ge=1, le=99)]
    choices: Annotated[list[ChoiceLabel], Field(max_length=12)] = []


class Basket(kw.Model):
    """What a customer is about to order; it is thrown away three days after the last change."""

    __store__: ClassVar = kw.RedisHash(carts, key="basket:{basket_id}", ttl=timedelta(days=3), expected=9_000_000)

    basket_id: BasketId
    customer_no: CustomerNo | None = None
    outlet_id: OutletId
    currency: Currency
    lines: Annotated[list[BasketLine], Field(max_length=40), kw.Size(avg=180, max=9_000)] = []
    note: Annotated[str, Field(max_length=200), kw.Size(avg=6, max=400), kw.Pii()] = ""
    changed_at: datetime


open_basket = kw.Put(Basket, rate="250/s", peak="1.4k/s", p99_ms=10)
basket = kw.Get(Basket, eq="basket_id", rate="1.5k/s", peak="8k/s", p99_ms=5)
change_lines = kw.Update(Basket, sets=["lines", "changed_at"], rate="900/s", peak="5k/s", p99_ms=8)
change_note = kw.Update(Basket, sets=["note", "changed_at"], rate="40/s", peak="250/s", p99_ms=8)
discard_basket = kw.Delete(Basket, rate="120/s", peak="700/s", p99_ms=8)


class GroupShare(kw.Model):
    """What one of up to twenty people adds to an order of a group; each writes under a key of their own."""

    __store__: ClassVar = kw.RedisHash(
        carts, key="share:{basket_id:tag}:{seat:pad(2)}", ttl=timedelta(hours=12), expected=120_000
    )

    basket_id: BasketId
    seat: Annotated[int, Field(ge=1, le=20)]
    nickname: Annotated[str, Field(max_length=30), kw.Size(avg=7, max=60), kw.Pii()]
    lines: Annotated[list[BasketLine], Field(max_length=10), kw.Size(avg=90, max=3_000)] = []
    ready: bool = False


save_share = kw.Put(GroupShare, rate="8/s", peak="90/s", p99_ms=8)
share_of_seat = kw.Get(GroupShare, eq=["basket_id", "seat"], rate="60/s", peak="500/s", p99_ms=5)


class SlotBooking(kw.Model):
    """A delivery window that is kept for a basket while its customer pays; the order itself is in DynamoDB."""

    __store__: ClassVar = kw.RedisHash(carts, key="window:{basket_id}", ttl=timedelta(minutes=12), expected=40_000)

    basket_id: BasketId
    zone_id: ZoneId
    window_start: datetime
    surcharge_minor: Minor
    booked_at: datetime


book_window = kw.Put(SlotBooking, if_absent=True, rate="20/s", peak="140/s", p99_ms=10)
booked_window = kw.Get(SlotBooking, eq="basket_id", rate="40/s", peak="280/s", p99_ms=8)
free_window = kw.Delete(SlotBooking, rate="20/s", peak="130/s", p99_ms=10)
