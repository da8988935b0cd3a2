"""Auctions and what follows them, in Cassandra: written once in the region where it happens, read rarely."""

from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import BaseModel, Field

import keywright as kw
from models.common import (
    AdvertiserId,
    Amount,
    BidderId,
    Cpm,
    CreativeId,
    Currency,
    DeviceHash,
    LineId,
    PlacementId,
    PublisherId,
)

exchange = kw.Keyspace("exchange", owner="auction-core")


class Auction(BaseModel):
    """A tenth of the auctions with their OpenRTB request, for disputes between buyers and sellers."""

    __store__: ClassVar = kw.CqlTable(
        exchange,
        "auctions",
        partition=["placement_id", "hour"],
        clustering=["-held_at", "auction_id"],
        computed={"hour": "{held_at:hour}"},
        ttl=timedelta(days=30),
        compaction=kw.TimeWindow(window=timedelta(days=1)),
        compression="Zstd",
        kind="event",
    )

    placement_id: PlacementId
    held_at: datetime
    auction_id: UUID
    winner: BidderId | None = None
    bids: Annotated[int, Field(ge=0, le=200)]
    cleared: Cpm | None = None
    house_take: Cpm | None = None
    request: Annotated[str, kw.Size(avg=3_200, max=16_000), kw.Pii()]


log_auction = kw.Put(Auction, rate="1.2k/s", peak="3k/s", hot_key="6/s", p99_ms=60)
auctions_of_placement = kw.Read(
    Auction,
    eq="placement_id",
    range="held_at",
    span=timedelta(minutes=30),
    order="-held_at",
    limit=200,
    fan_out=2,
    rate="4k/day",
    p99_ms=400,
)


class Impression(BaseModel):
    """An advertisement that was shown: what both sides are invoiced by."""

    __store__: ClassVar = kw.CqlTable(
        exchange,
        "impressions",
        partition=["line_id", "hour"],
        clustering=["-shown_at", "impression_id"],
        computed={"hour": "{shown_at:hour}"},
        ttl=timedelta(days=90),
        compaction=kw.TimeWindow(window=timedelta(days=3)),
        kind="event",
    )

    line_id: LineId
    shown_at: datetime
    impression_id: UUID
    creative_id: CreativeId
    placement_id: PlacementId
    device: DeviceHash
    price: Cpm
    currency: Currency


log_impression = kw.Put(Impression, rate="4k/s", peak="9k/s", hot_key="20/s", p99_ms=40)
impressions_of_line = kw.Read(
    Impression,
    eq="line_id",
    range="shown_at",
    span=timedelta(hours=1),
    order="-shown_at",
    limit=1_000,
    fan_out=2,
    rate="3/s",
    p99_ms=300,
)


class Click(BaseModel):
    """A click, by the line that paid for it."""

    __store__: ClassVar = kw.CqlTable(
        exchange,
        "clicks",
        partition=["line_id", "day"],
        clustering=["-clicked_at", "click_id"],
        computed={"day": "{clicked_at:date}"},
        ttl=timedelta(days=90),
        compaction=kw.TimeWindow(window=timedelta(days=3)),
        kind="event",
    )

    line_id: LineId
    clicked_at: datetime
    click_id: UUID
    impression_id: UUID
    creative_id: CreativeId
    placement_id: PlacementId


class ClickToken(BaseModel):
    """The same click by its number, which the advertiser's page sends back with a purchase within thirty days."""

    __store__: ClassVar = kw.CqlTable(
        exchange,
        "click_tokens",
        partition="click_id",
        ttl=timedelta(days=30),
        compaction=kw.TimeWindow(window=timedelta(days=1)),
        expected=105_000_000,
        kind="token",
    )

    click_id: UUID
    line_id: LineId
    clicked_at: datetime


log_click = kw.Transact([kw.Put(Click), kw.Put(ClickToken)], rate="40/s", peak="150/s", p99_ms=60)
click_of_purchase = kw.Get(ClickToken, eq="click_id", rate="25/s", peak="90/s", p99_ms=30)
clicks_of_line = kw.Read(Click, eq=["line_id", "day"], order="-clicked_at", limit=500, rate="1/s", p99_ms=200)


class Purchase(BaseModel):
    """A purchase that followed a click; advertisers compare three years."""

    __store__: ClassVar = kw.CqlTable(
        exchange,
        "purchases",
        partition=["advertiser_id", "month"],
        clustering=["-bought_at", "purchase_id"],
        computed={"month": "{bought_at:month}"},
        ttl=timedelta(days=1_095),
        compaction=kw.TimeWindow(window=timedelta(days=36)),
        kind="event",
    )

    advertiser_id: AdvertiserId
    bought_at: datetime
    purchase_id: UUID
    line_id: LineId
    worth: Amount
    currency: Currency


log_purchase = kw.Put(Purchase, rate="8/s", peak="40/s", p99_ms=60)
purchases_of_month = kw.Read(
    Purchase, eq=["advertiser_id", "month"], order="-bought_at", limit=500, rate="6k/day", p99_ms=300
)


class ViewMeasurement(BaseModel):
    """How much of an advertisement was in view, as the script on the page reports it."""

    __store__: ClassVar = kw.CqlTable(
        exchange,
        "view_measurements",
        partition=["placement_id", "hour"],
        clustering=["-measured_at", "impression_id"],
        computed={"hour": "{measured_at:hour}"},
        ttl=timedelta(days=20),
        compaction=kw.TimeWindow(window=timedelta(hours=16)),
        kind="reading",
    )

    placement_id: PlacementId
    measured_at: datetime
    impression_id: UUID
    share_percent: Annotated[int, Field(ge=0, le=100)]
    visible_ms: Annotated[int, Field(ge=0, le=3_600_000)]


log_view = kw.Put(ViewMeasurement, rate="2.5k/s", peak="6k/s", hot_key="12/s", p99_ms=60)
views_of_placement = kw.Read(
    ViewMeasurement,
    eq=["placement_id", "hour"],
    order="-measured_at",
    limit=1_000,
    rate="1/s",
    p99_ms=300,
)


class BidderFault(BaseModel):
    """A late or malformed answer of a bidder, in partitions of a quarter of the auctions' identifiers."""

    __store__: ClassVar = kw.CqlTable(
        exchange,
        "bidder_faults",
        partition=["bidder_id", "hour", "lane"],
        clustering=["-seen_at", "auction_id"],
        computed={"hour": "{seen_at:hour}"},
        ttl=timedelta(days=14),
        compaction=kw.TimeWindow(window=timedelta(hours=12)),
        kind="event",
    )

    bidder_id: BidderId
    lane: Annotated[int, Field(ge=0, le=3)]
    seen_at: datetime
    auction_id: UUID
    fault: Literal["late", "malformed", "refused", "overpriced"]
    waited_ms: Annotated[int, Field(ge=0, le=2_000)]


log_fault = kw.Put(BidderFault, rate="900/s", peak="2.5k/s", hot_key="20/s", p99_ms=60)
faults_of_hour = kw.Read(
    BidderFault, eq=["bidder_id", "hour", "lane"], order="-seen_at", limit=500, rate="2/s", p99_ms=200
)


class Sponsorship(BaseModel):
    """A placement that one advertiser takes for a day; two may want it at the same moment."""

    __store__: ClassVar = kw.CqlTable(
        exchange,
        "sponsorships",
        partition="placement_id",
        clustering="-day",
        compaction=kw.Leveled(),
        expected=5_000_000,
        active=0.02,
        keep_forever="part of the contract with the publisher, short rows",
    )

    placement_id: PlacementId
    day: date
    publisher_id: PublisherId
    holder: AdvertiserId | None = None
    state: Literal["open", "taken", "shown"]


offer_day = kw.Put(Sponsorship, if_absent=True, rate="600/day", p99_ms=150)
take_day = kw.Update(Sponsorship, sets=["holder", "state"], where={"state": "open"}, rate="500/day", p99_ms=200)
state_of_day = kw.Get(Sponsorship, eq=["placement_id", "day"], consistency="strong", rate="2k/day", p99_ms=150)
calendar = kw.Read(Sponsorship, eq="placement_id", order="-day", limit=62, rate="4k/day", p99_ms=150)
