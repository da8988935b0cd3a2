"""What customers watch: lists, price alerts and the messages that they get."""

from datetime import datetime
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.common import CustomerId, InstrumentId, Ulid
from models.customers import Customer
from models.market import Instrument

# Alerts that wait for a price: an alert leaves the index when `armed_at_micros` is removed.
armed = kw.Gsi("armed", pk=["instrument_id", "direction", "alert_shard"], sk="armed_at_micros")

engagement = kw.DynamoTable("engagement", owner="engagement", gsis=[armed])


class Watchlist(BaseModel):
    """A named list of instruments in the order that the customer gave them."""

    __store__: ClassVar = kw.Item(
        engagement, pk="CUSTOMER#{customer_id}", sk="WATCHLIST#{watchlist_id}", expected=2_500_000, active=0.15
    )

    customer_id: Annotated[CustomerId, kw.Ref(Customer, on_missing="ignore", max_referrers=20)]
    watchlist_id: Ulid
    name: Annotated[str, Field(max_length=60)]
    instrument_ids: Annotated[
        list[Annotated[InstrumentId, kw.Ref(Instrument, on_missing="hide", max_referrers=1_500_000)]],
        Field(max_length=200),
    ] = []
    changed_at: datetime


save_watchlist = kw.Put(Watchlist, rate="1/s", peak="60/s", p99_ms=50)
watchlists_of_customer = kw.Read(Watchlist, eq="customer_id", limit=20, rate="30/s", peak="900/s", p99_ms=30)


class PriceAlert(BaseModel):
    """A price at which a customer wants to know; a fired alert remains in the list until the customer removes it."""

    __store__: ClassVar = kw.Item(
        engagement,
        pk="CUSTOMER#{customer_id}",
        sk="ALERT#{alert_id}",
        expected=4_000_000,
        active=0.1,
        computed={"alert_shard": "{alert_id:shard(4)}"},
    )

    customer_id: Annotated[CustomerId, kw.Ref(Customer, on_missing="ignore", max_referrers=100)]
    alert_id: Ulid
    instrument_id: Annotated[InstrumentId, kw.Ref(Instrument, on_missing="hide", max_referrers=300_000)]
    direction: Literal["above", "below"]
    price_micros: Annotated[int, Field(gt=0)]
    armed_at_micros: int | None = None
    state: Literal["armed", "fired"]
    created_at: datetime
    expires_at: Annotated[datetime, kw.Ttl()]


set_alert = kw.Put(PriceAlert, if_absent=True, rate="1/s", peak="40/s", p99_ms=50)
alerts_of_customer = kw.Read(PriceAlert, eq="customer_id", limit=100, rate="5/s", peak="120/s", p99_ms=30)
alerts_between_prices = kw.Read(
    PriceAlert,
    eq=["instrument_id", "direction"],
    range="armed_at_micros",
    order="armed_at_micros",
    limit=200,
    fan_out=4,
    rate="40/s",
    peak="200/s",
    hot_key="8/s",
    p99_ms=100,
)
fire_alert = kw.Update(
    PriceAlert, sets="state", unset="armed_at_micros", where={"state": "armed"}, rate="1/s", peak="250/s", p99_ms=50
)


class Notification(BaseModel):
    """A message in the customer's inbox, for ninety days; its number follows from its cause, so none comes twice."""

    __store__: ClassVar = kw.Item(
        engagement,
        pk="CUSTOMER#{customer_id}",
        sk="NOTE#{sent_at:iso}#{notification_id}",
        kind="feed",
        expected=120_000_000,
        active=0.01,
    )

    customer_id: Annotated[CustomerId, kw.Ref(Customer, on_missing="ignore", max_referrers=4_000)]
    notification_id: Ulid
    sent_at: datetime
    topic: Literal["order", "alert", "margin", "statement", "corporate_action"]
    title: Annotated[str, Field(max_length=120)]
    text: Annotated[str, Field(max_length=500), kw.Size(avg=120, max=1_000), kw.Pii()]
    expires_at: Annotated[datetime, kw.Ttl()]


notify = kw.Put(Notification, if_absent=True, rate="15/s", peak="1.6k/s", p99_ms=50)
inbox = kw.Read(Notification, eq="customer_id", order="-sent_at", limit=30, rate="12/s", peak="400/s", p99_ms=50)
