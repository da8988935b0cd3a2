"""The buyers' side in MongoDB: advertisers, their orders and lines, and what is shown."""

from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.common import (
    AdvertiserId,
    Amount,
    BidderId,
    Box,
    Category,
    Country,
    Cpm,
    CreativeId,
    Currency,
    Domain,
    Format,
    LineId,
    OrderId,
    SegmentId,
)

demand = kw.MongoDatabase("demand", owner="demand")


class Advertiser(BaseModel):
    """A brand that buys through one of the bidders."""

    __store__: ClassVar = kw.Collection(
        demand,
        "advertisers",
        id="{advertiser_id}",
        indexes=[kw.Index(["bidder_id", "brand"]), kw.Index("domain", unique=True)],
        expected=48_000,
    )

    advertiser_id: AdvertiserId
    bidder_id: BidderId
    brand: Annotated[str, Field(max_length=100)]
    domain: Domain
    country: Country
    categories: Annotated[list[Category], Field(max_length=6)]
    standing: Literal["applied", "approved", "suspended"] = "applied"
    joined_on: date


advertiser = kw.Get(Advertiser, eq="advertiser_id", rate="30/s", p99_ms=25)
advertiser_of_domain = kw.Get(Advertiser, eq="domain", rate="2/s", p99_ms=30)
brands_of_bidder = kw.Read(Advertiser, eq="bidder_id", order="brand", limit=100, rate="3/s", p99_ms=60)
apply_for_access = kw.Put(Advertiser, if_absent=True, rate="60/day", p99_ms=120)
judge_advertiser = kw.Update(Advertiser, sets="standing", rate="90/day", p99_ms=120)


class InsertionOrder(BaseModel):
    """A signed order; its lines may not promise more than it has left."""

    __store__: ClassVar = kw.Collection(
        demand,
        "insertion_orders",
        id="{order_id}",
        indexes=[kw.Index(["advertiser_id", "-starts_on"])],
        expected=400_000,
        active=0.05,
        keep_forever="a contract, which auditors of either side may ask for",
    )

    order_id: OrderId
    advertiser_id: Annotated[AdvertiserId, kw.Ref(Advertiser, on_missing="fail", max_referrers=6_000)]
    title: Annotated[str, Field(max_length=140)]
    budget: Amount
    unallocated: Amount
    currency: Currency
    starts_on: date
    ends_on: date
    state: Literal["draft", "signed", "finished", "cancelled"]


class Targeting(BaseModel):
    """Whom and where a line wants."""

    countries: Annotated[list[Country], Field(max_length=60)] = []
    segments: Annotated[list[SegmentId], Field(max_length=40)] = []
    excluded_categories: Annotated[list[Category], Field(max_length=40)] = []
    hours: Annotated[list[Annotated[int, Field(ge=0, le=23)]], Field(max_length=24)] = []


class LineItem(BaseModel):
    """A part of an order with its own price, audience and creatives."""

    __store__: ClassVar = kw.Collection(
        demand,
        "line_items",
        id="{line_id}",
        indexes=[
            kw.Index(["order_id", "created_at"]),
            kw.Index(["advertiser_id", "-created_at"], where={"state": kw.OneOf(["draft", "ready", "live", "paused"])}),
        ],
        expected=1_600_000,
        active=0.04,
        keep_forever="part of the contract that its order is",
    )

    line_id: LineId
    order_id: Annotated[OrderId, kw.Ref(InsertionOrder, on_missing="fail", max_referrers=300)]
    advertiser_id: Annotated[AdvertiserId, kw.Ref(Advertiser, on_missing="fail", max_referrers=25_000)]
    format: Format
    ceiling: Cpm
    budget: Amount
    targeting: Targeting
    creatives: Annotated[list[CreativeId], Field(max_length=50)] = []
    state: Literal["draft", "ready", "live", "paused", "ended", "archived"]
    created_at: datetime


insertion_order = kw.Get(InsertionOrder, eq="order_id", rate="15/s", p99_ms=30)
orders_of_advertiser = kw.Read(
    InsertionOrder, eq="advertiser_id", order="-starts_on", limit=50, rate="12/s", peak="60/s", p99_ms=60
)
draft_order = kw.Put(InsertionOrder, if_absent=True, rate="400/day", p99_ms=120)
sign_order = kw.Update(InsertionOrder, sets="state", where={"state": "draft"}, rate="300/day", p99_ms=120)
line_item = kw.Get(LineItem, eq="line_id", rate="40/s", p99_ms=25)
lines_of_order = kw.Read(LineItem, eq="order_id", order="created_at", limit=100, rate="10/s", p99_ms=60)
lines_in_work = kw.Read(
    LineItem,
    eq="advertiser_id",
    where={"state": kw.OneOf(["draft", "ready", "live", "paused"])},
    order="-created_at",
    limit=100,
    rate="90/s",
    peak="220/s",
    p99_ms=60,
)
book_line = kw.Transact(
    [
        kw.Put(LineItem, if_absent=True),
        kw.Increment(InsertionOrder, "unallocated", by=-500, where={"state": "signed", "unallocated": kw.AtLeast(500)}),
    ],
    rate="1.5k/day",
    p99_ms=200,
)
switch_line = kw.Update(LineItem, sets="state", rate="25k/day", peak="20/s", p99_ms=100)
retarget_line = kw.Update(LineItem, sets=["targeting", "ceiling", "creatives"], rate="9k/day", p99_ms=100)


class Creative(BaseModel):
    """What every auction needs to know of an advertisement; the findings of the scanner are documents of their own."""

    __store__: ClassVar = kw.Collection(
        demand,
        "creatives",
        id="{creative_id}",
        indexes=[kw.Index(["advertiser_id", "-submitted_at"])],
        expected=6_000_000,
        active=0.1,
        keep_forever="a complaint may come years after an advertisement was shown",
    )

    creative_id: CreativeId
    advertiser_id: Annotated[AdvertiserId, kw.Ref(Advertiser, on_missing="fail", max_referrers=60_000)]
    format: Format
    size: Box
    landing_domain: Domain
    categories: Annotated[list[Category], Field(max_length=6)]
    markup_digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    verdict: Literal["pending", "clean", "rejected"] = "pending"
    submitted_at: datetime


creative = kw.Get(Creative, eq="creative_id", rate="2k/s", peak="5k/s", p99_ms=15)
creatives_of_advertiser = kw.Read(Creative, eq="advertiser_id", order="-submitted_at", limit=60, rate="14/s", p99_ms=80)
submit_creative = kw.Put(Creative, if_absent=True, rate="20k/day", peak="12/s", p99_ms=120)
judge_creative = kw.Update(Creative, sets="verdict", rate="24k/day", peak="12/s", p99_ms=120)


class CreativeScan(BaseModel):
    """One run of the malware scanner over a creative, with all that the page did."""

    __store__: ClassVar = kw.Collection(
        demand,
        "creative_scans",
        id="{scan_id}",
        indexes=[kw.Index(["creative_id", "-scanned_at"])],
        expected=5_000_000,
        active=0.01,
        kind="event",
    )

    scan_id: Annotated[str, Field(pattern=r"^[0-9a-f]{24}$")]
    creative_id: Annotated[CreativeId, kw.Ref(Creative, on_missing="ignore", max_referrers=200)]
    scanned_at: Annotated[datetime, kw.Ttl(after=timedelta(days=180))]
    engine: Annotated[str, Field(max_length=30)]
    findings: Annotated[list[Annotated[str, Field(max_length=160)]], Field(max_length=50)] = []
    transcript: Annotated[str, kw.Size(avg=6_000, max=60_000)]


record_scan = kw.Put(CreativeScan, if_absent=True, rate="28k/day", peak="15/s", p99_ms=200)
scans_of_creative = kw.Read(CreativeScan, eq="creative_id", order="-scanned_at", limit=5, rate="1/s", p99_ms=150)


class CreativeAsset(BaseModel):
    """The film of a video creative; its bytes are in object storage under the digest."""

    __store__: ClassVar = kw.Collection(
        demand,
        "creative_assets",
        id="{digest}",
        indexes=[kw.Index(["creative_id", "digest"])],
        expected=120_000,
        active=0.05,
        keep_forever="belongs to the creative",
    )

    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$"), kw.Size(avg=64, max=64)]
    creative_id: Annotated[CreativeId, kw.Ref(Creative, on_missing="ignore", max_referrers=12)]
    mime: Annotated[str, Field(max_length=40)]
    byte_count: Annotated[int, Field(ge=1, le=200_000_000)]
    bucket_path: Annotated[str, Field(max_length=160)]


asset = kw.Get(CreativeAsset, eq="digest", rate="20/s", p99_ms=40)
assets_of_creative = kw.Read(CreativeAsset, eq="creative_id", order="digest", limit=12, rate="8/s", p99_ms=60)
upload_asset = kw.Put(CreativeAsset, if_absent=True, rate="400/day", p99_ms=200)
