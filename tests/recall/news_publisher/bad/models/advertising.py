"""Advertising and syndication in Cassandra: every billed figure is counted from rows that can be shown."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar

import keywright as kw
from pydantic import BaseModel, Field

from models.accounts import ReaderId
from models.live import pulse

CampaignId = Annotated[str, kw.Size(avg=14, max=20), kw.Cardinality(distinct=2_500)]
PartnerId = Annotated[str, Field(max_length=16, pattern=r"^[a-z0-9]+$"), kw.Cardinality(distinct=60)]
Month = Annotated[str, Field(min_length=7, max_length=7, pattern=r"^\d{4}-\d{2}$"), kw.Cardinality(distinct=36)]

advertising = kw.Keyspace("advertising", owner="advertising")


class Impression(BaseModel):
    """An advertisement that was shown; an hour of a campaign is spread over sixteen partitions."""

    __store__: ClassVar = kw.CqlTable(
        advertising,
        "impressions",
        partition=["campaign_id", "hour", "shard"],
        clustering=["-shown_at", "impression_id"],
        computed={"hour": "{shown_at:hour}", "shard": "{impression_id:shard(16)}"},
        ttl=timedelta(days=45),
        compaction=kw.TimeWindow(window=timedelta(days=2)),
        settings={"cdc": True},
        kind="event",
    )

    campaign_id: CampaignId
    shown_at: datetime
    impression_id: Annotated[str, kw.Size(avg=26, max=26)]
    placement: Annotated[str, Field(max_length=32)]
    is_viewable: bool


record_impression = kw.Put(Impression, rate="6k/s", peak="22k/s", p99_ms=30)
impressions_of_shard = kw.Read(
    Impression,
    eq=["campaign_id", "hour", "shard"],
    order="-shown_at",
    limit=1_000,
    rate="30/s",
    p99_ms=300,
)


class CampaignHour(BaseModel):
    """The billed figures of a campaign's hour, counted as its advertisements are shown."""

    __store__: ClassVar = kw.CqlTable(
        advertising,
        "campaign_hours",
        partition=["campaign_id", "month"],
        clustering="-hour_start",
        computed={"month": "{hour_start:month}"},
        counters=["impressions", "viewable"],
        kind="money",
        expected=20_000_000,
        active=0.02,
        keep_forever="invoices to advertisers are kept for ten years",
    )

    campaign_id: CampaignId
    hour_start: datetime
    impressions: int
    viewable: int


count_impression = kw.Increment(CampaignHour, "impressions", rate="6k/s", peak="22k/s", p99_ms=30)
count_viewable = kw.Increment(CampaignHour, "viewable", rate="4k/s", peak="15k/s", p99_ms=30)
hours_of_campaign = kw.Read(
    CampaignHour,
    eq=["campaign_id", "month"],
    order="-hour_start",
    limit=750,
    consistency="strong",
    rate="5k/day",
    p99_ms=200,
)


class LicensedReader(BaseModel):
    """How many readers read our texts at a partner in a month; partners are invoiced per reader."""

    __store__: ClassVar = kw.RedisHyperLogLog(
        pulse,
        key="licensed:{partner_id}:{month}",
        member="{reader_id}",
        ttl=timedelta(days=1_100),
        kind="money",
        expected=2_200,
    )

    partner_id: PartnerId
    month: Month
    reader_id: ReaderId


record_licensed = kw.Put(LicensedReader, rate="80/s", peak="300/s", p99_ms=10)
billable_readers = kw.Count(LicensedReader, eq=["partner_id", "month"], rate="60/month", p99_ms=50)
