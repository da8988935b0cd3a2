"""Campaigns for drivers and promotions for riders, in MongoDB."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

import keywright as kw
from pydantic import BaseModel, Field

from models.people import CityId, Driver, DriverId, Rider, RiderId

growth = kw.MongoDatabase("growth", owner="growth")

CampaignId = Annotated[UUID, kw.Cardinality(distinct=20_000)]
Code = Annotated[str, Field(pattern=r"^[A-Z0-9]{4,16}$"), kw.Size(avg=9, max=16), kw.Cardinality(distinct=40_000)]


class Campaign(BaseModel):
    """A bonus for so many trips within a week."""

    __store__: ClassVar = kw.Collection(
        growth,
        "campaigns",
        id="{campaign_id}",
        indexes=[kw.Index(["city_id", "state", "ends_at"])],
        expected=20_000,
    )

    campaign_id: CampaignId
    city_id: CityId
    state: Literal["draft", "running", "closed"]
    title: Annotated[str, Field(max_length=80), kw.Size(avg=30, max=160)]
    trips_needed: Annotated[int, Field(ge=1, le=500)]
    reward_minor: Annotated[int, Field(ge=0)]
    starts_at: datetime
    ends_at: datetime


class CampaignProgress(BaseModel):
    """A driver's trips that count for a campaign, written as a total: a repeated write changes nothing."""

    __store__: ClassVar = kw.Collection(
        growth,
        "campaign_progress",
        id="{campaign_id}:{driver_id}",
        indexes=[kw.Index(["campaign_id", "settled"]), kw.Index(["driver_id", "-updated_at"])],
        expected=25_000_000,
        active=0.04,
    )

    campaign_id: Annotated[CampaignId, kw.Ref(Campaign, on_missing="hide", max_referrers=300_000)]
    driver_id: Annotated[DriverId, kw.Ref(Driver, on_missing="hide", max_referrers=300)]
    trips: Annotated[int, Field(ge=0)]
    settled: bool = False
    updated_at: Annotated[datetime, kw.Ttl(after=timedelta(days=200))]


campaigns_of_city = kw.Read(Campaign, eq=["city_id", "state"], order="ends_at", limit=30, rate="40/s", p99_ms=50)
publish_campaign = kw.Put(Campaign, rate="300/day", p99_ms=200)
close_campaign = kw.Update(Campaign, sets="state", where={"state": "running"}, rate="60/day", p99_ms=200)
join_campaign = kw.Put(CampaignProgress, if_absent=True, rate="150k/day", p99_ms=100)
record_progress = kw.Update(
    CampaignProgress,
    sets=["trips", "updated_at"],
    where={"settled": False},
    rate="120/s",
    peak="400/s",
    p99_ms=100,
)
progress = kw.Get(CampaignProgress, eq=["campaign_id", "driver_id"], rate="100/s", peak="400/s", p99_ms=30)
progress_of_driver = kw.Read(
    CampaignProgress, eq="driver_id", order="-updated_at", limit=10, rate="60/s", peak="200/s", p99_ms=50
)
progress_to_settle = kw.Read(
    CampaignProgress, eq="campaign_id", where={"settled": False}, limit=200, rate="4k/day", p99_ms=200
)
settle_progress = kw.Update(CampaignProgress, sets="settled", batch=200, rate="4k/day", p99_ms=500)


class PromoStock(BaseModel):
    """What is left of a code, in 64 slices: the rider's hash tells the slice, so that no document is in demand."""

    __store__: ClassVar = kw.Collection(
        growth,
        "promo_stock",
        id="{code}#{slice:pad(2)}",
        indexes=[kw.Index(["code", "slice"], unique=True)],
        kind="stock",
        expected=600_000,
        active=0.1,
    )

    code: Code
    slice: Annotated[int, Field(ge=0, le=63)]
    left: Annotated[int, Field(ge=0)]
    discount_minor: Annotated[int, Field(ge=0)]
    ends_at: Annotated[datetime, kw.Ttl(after=timedelta(days=90))]


class Redemption(BaseModel):
    """A rider's use of a code, once for each code."""

    __store__: ClassVar = kw.Collection(
        growth,
        "redemptions",
        id="{code}#{rider_id}",
        kind="event",
        expected=300_000_000,
        active=0.02,
    )

    code: Annotated[Code, kw.Ref(PromoStock, on_missing="ignore", max_referrers=2_000_000)]
    rider_id: Annotated[RiderId, kw.Ref(Rider, on_missing="ignore", max_referrers=500)]
    discount_minor: Annotated[int, Field(ge=0), kw.CopiedFrom(PromoStock, "discount_minor", sync="never")]
    redeemed_at: Annotated[datetime, kw.Ttl(after=timedelta(days=730))]


redeem = kw.Transact(
    [
        kw.Put(Redemption, if_absent=True),
        kw.Increment(PromoStock, "left", by=-1, where={"left": kw.AtLeast(1)}),
    ],
    rate="50/s",
    peak="350/s",
    hot_key="6/s",
    p99_ms=150,
)
promo_stock = kw.Read(PromoStock, eq="code", order="slice", limit=64, rate="10/s", p99_ms=50)
stock_promo = kw.Put(PromoStock, if_absent=True, batch=64, rate="40/day", p99_ms=500)
