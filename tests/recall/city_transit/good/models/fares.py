"""Tariffs and refunds in MongoDB."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.cards import CardId, Cents, Ulid

Product = Annotated[str, Field(pattern=r"^[a-z0-9-]{2,24}$"), kw.Size(avg=12, max=24), kw.Cardinality(distinct=60)]

fares = kw.MongoDatabase("fares", owner="fares")
cache = kw.RedisServer("transit-cache", role="cache", owner="platform")


class ZonePrice(BaseModel):
    """The price between two zones, at and outside of peak hours."""

    from_zone: Annotated[int, Field(ge=1, le=9)]
    to_zone: Annotated[int, Field(ge=1, le=9)]
    peak_cents: Cents
    off_peak_cents: Cents


class Tariff(BaseModel):
    """The prices of a product from a day on; a published tariff never changes, the next one follows it."""

    __store__: ClassVar = kw.Collection(
        fares,
        "tariffs",
        id="{tariff_id}",
        indexes=[kw.Index(["product", "-valid_from"], unique=True)],
        expected=1_500,
    )

    tariff_id: Ulid
    product: Product
    valid_from: datetime
    prices: Annotated[list[ZonePrice], Field(min_length=1, max_length=81)]
    daily_cap_cents: Cents
    weekly_cap_cents: Cents


publish_tariff = kw.Put(Tariff, if_absent=True, rate="2/day", p99_ms=100)
tariff = kw.Get(Tariff, eq="tariff_id", cache_ttl=timedelta(minutes=5), rate="5/s", p99_ms=30)
tariff_in_force = kw.Read(
    Tariff,
    eq="product",
    range="valid_from",
    order="-valid_from",
    limit=1,
    fields=["tariff_id", "valid_from"],
    cache_ttl=timedelta(minutes=5),
    rate="5/s",
    p99_ms=50,
)


class Refund(BaseModel):
    """A claim for money back; there is at most one for a journey."""

    __store__: ClassVar = kw.Collection(
        fares,
        "refunds",
        id="{refund_id}",
        indexes=[
            kw.Index("journey_id", unique=True),
            kw.Index(["status", "opened_at"]),
            kw.Index(["status", "-amount_cents"]),
            kw.Index("opened_at"),
        ],
        kind="money",
        expected=9_000_000,
        active=0.01,
        keep_forever="claims are kept for ten years by accounting law",
    )

    refund_id: Ulid
    journey_id: Ulid
    card_id: CardId
    amount_cents: Cents
    reason: Literal["delay", "double-charge", "gate-fault", "goodwill"]
    status: Literal["open", "review", "granted", "refused", "paid"]
    opened_at: datetime
    decided_at: datetime | None = None
    decided_by: Annotated[str | None, Field(max_length=40)] = None


claim_refund = kw.Put(Refund, if_absent=True, rate="2.5k/day", peak="10/s", p99_ms=100)
refund_queue = kw.Read(Refund, eq="status", order="opened_at", limit=50, rate="1/s", p99_ms=100)
largest_refunds = kw.Read(Refund, eq="status", order="-amount_cents", limit=25, rate="400/day", p99_ms=200)
decide_refund = kw.Update(
    Refund,
    sets=["status", "decided_at", "decided_by"],
    where={"status": "review"},
    rate="2.5k/day",
    p99_ms=100,
)
refunds_by_reason = kw.Aggregate(
    Refund,
    range="opened_at",
    span=timedelta(days=30),
    group=["{opened_at:date}", "{reason}"],
    measures={"cents": kw.Sum("amount_cents"), "claims": kw.Distinct("refund_id")},
    rate="24/day",
    p99_ms=10_000,
)
