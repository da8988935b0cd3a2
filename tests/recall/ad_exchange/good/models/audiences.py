"""Segments of devices and the consent behind them, in Cassandra, and reports in MongoDB."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.common import Amount, BidderId, Currency, DeviceHash, PlacementId, PublisherId, SegmentId

audiences = kw.Keyspace("audiences", owner="audiences")
insight = kw.MongoDatabase("insight", owner="insight")


class Membership(BaseModel):
    """A segment of a device, until the provider withdraws it or thirty days have passed."""

    __store__: ClassVar = kw.CqlTable(
        audiences,
        "memberships",
        partition="device",
        clustering="segment_id",
        ttl=timedelta(days=30),
        compaction=kw.Unified(scaling="T4"),
        expected=2_400_000_000,
        active=0.3,
    )

    device: DeviceHash
    segment_id: SegmentId
    provider: Annotated[str, Field(max_length=20)]
    confidence_percent: Annotated[int, Field(ge=0, le=100)]


join_segment = kw.Put(Membership, rate="1.5k/s", peak="4k/s", p99_ms=50)
segments_of_device = kw.Read(Membership, eq="device", order="segment_id", limit=60, rate="3k/s", peak="8k/s", p99_ms=20)
leave_segment = kw.Delete(Membership, rate="180/s", peak="600/s", p99_ms=50)


class Consent(BaseModel):
    """The latest answer of a device's owner to the question of consent."""

    __store__: ClassVar = kw.CqlTable(
        audiences,
        "consents",
        partition="device",
        ttl=timedelta(days=390),
        compaction=kw.Unified(scaling="T4"),
        expected=300_000_000,
    )

    device: DeviceHash
    purposes: Annotated[int, Field(ge=0, le=4_095)]
    given_at: datetime
    interface: Literal["banner", "settings", "application"]


consent = kw.Get(Consent, eq="device", consistency="strong", rate="3k/s", peak="8k/s", p99_ms=25)
record_consent = kw.Put(Consent, rate="300/s", peak="900/s", p99_ms=50)
withdraw_consent = kw.Delete(Consent, rate="2/s", p99_ms=50)


class AnswerTime(BaseModel):
    """The median answer time of a bidder in a second, of each region's auctions together."""

    __store__: ClassVar = kw.TimeSeries(
        insight,
        "answer_times",
        time="second",
        meta="bidder_id",
        granularity="seconds",
        ttl=timedelta(days=14),
        kind="reading",
    )

    bidder_id: BidderId
    second: datetime
    median_ms: Annotated[int, Field(ge=0, le=2_000)]
    requests: Annotated[int, Field(ge=0)]
    timeouts: Annotated[int, Field(ge=0)]


record_answer_times = kw.Put(AnswerTime, batch=140, rate="1/s", p99_ms=200)
answer_times = kw.Read(
    AnswerTime,
    eq="bidder_id",
    range="second",
    span=timedelta(minutes=30),
    order="-second",
    limit=1_800,
    rate="1/s",
    p99_ms=250,
)


class PlacementHour(BaseModel):
    """What a placement has earned in an hour, for the publisher's reports."""

    __store__: ClassVar = kw.Collection(
        insight,
        "placement_hours",
        id="{placement_id}-{hour:hour}",
        indexes=[kw.Index(["publisher_id", "placement_id", "-hour"]), kw.Index(["publisher_id", "-hour"])],
        shard_key=kw.ShardKey(on=["publisher_id", "placement_id"]),
        expected=950_000_000,
        active=0.01,
        kind="analytics",
    )

    placement_id: PlacementId
    publisher_id: PublisherId
    hour: Annotated[datetime, kw.Ttl(after=timedelta(days=730))]
    offered: Annotated[int, Field(ge=0)]
    sold: Annotated[int, Field(ge=0)]
    revenue: Amount
    currency: Currency


hours_of_placement = kw.Read(
    PlacementHour,
    eq=["publisher_id", "placement_id"],
    range="hour",
    span=timedelta(days=7),
    order="-hour",
    limit=200,
    rate="140/s",
    peak="400/s",
    p99_ms=80,
)
hours_of_publisher = kw.Read(
    PlacementHour,
    eq="publisher_id",
    range="hour",
    span=timedelta(hours=6),
    order="-hour",
    limit=500,
    rate="60/s",
    peak="180/s",
    p99_ms=120,
)
save_hours = kw.Put(PlacementHour, batch=500, rate="3k/day", peak="2/s", p99_ms=800)
