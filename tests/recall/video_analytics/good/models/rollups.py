"""Figures by minute and hour in Cassandra; the stream processor writes whole rows, so a repeated write is no harm."""

from datetime import timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.common import CampaignId, Count, TenantId, VideoId, playback, rollups


class TenantMinute(BaseModel):
    """A publisher's minute: the first screen of the console."""

    __store__: ClassVar = kw.CqlTable(
        rollups,
        "tenant_minutes",
        partition=["tenant_id", "day"],
        clustering="-minute",
        computed={"day": "{minute:date}"},
        ttl=timedelta(days=30),
        compaction=kw.TimeWindow(window=timedelta(days=1)),
        kind="analytics",
        expected=52_000_000,
        active=0.05,
    )

    tenant_id: TenantId
    minute: AwareDatetime
    viewers: Count
    starts: Count
    failures: Count
    startup_ms_sum: Count
    stalled_ms_sum: Count
    watched_ms_sum: Count


write_tenant_minute = kw.Put(TenantMinute, rate="20/s", p99_ms=50)
minutes_of_tenant = kw.Read(
    TenantMinute,
    eq="tenant_id",
    range="minute",
    span=timedelta(hours=6),
    order="-minute",
    limit=360,
    fan_out=2,
    rate="60/s",
    peak="200/s",
    p99_ms=100,
)


class VideoMinute(BaseModel):
    """A video's minute, while somebody watches it."""

    __store__: ClassVar = kw.CqlTable(
        rollups,
        "video_minutes",
        partition=["tenant_id", "video_id", "day"],
        clustering="-minute",
        computed={"day": "{minute:date}"},
        ttl=timedelta(days=14),
        compaction=kw.TimeWindow(window=timedelta(hours=12)),
        kind="analytics",
        expected=4_000_000_000,
        active=0.01,
    )

    tenant_id: TenantId
    video_id: VideoId
    minute: AwareDatetime
    viewers: Count
    starts: Count
    failures: Count
    startup_ms_sum: Count
    stalled_ms_sum: Count
    watched_ms_sum: Count
    kbps_mean: Annotated[float, Field(ge=0)]


write_video_minutes = kw.Put(VideoMinute, rate="170/s", batch=20, p99_ms=100)
minutes_of_video = kw.Read(
    VideoMinute,
    eq=["tenant_id", "video_id"],
    range="minute",
    span=timedelta(hours=3),
    order="-minute",
    limit=180,
    fan_out=2,
    rate="80/s",
    peak="300/s",
    p99_ms=100,
)


class VideoHour(BaseModel):
    """A video's hour, kept for thirteen months to compare a season with the last one."""

    __store__: ClassVar = kw.CqlTable(
        rollups,
        "video_hours",
        partition=["tenant_id", "video_id", "month"],
        clustering="-hour",
        computed={"month": "{hour:month}"},
        ttl=timedelta(days=400),
        compaction=kw.TimeWindow(window=timedelta(days=14)),
        kind="analytics",
        expected=12_000_000_000,
        active=0.002,
    )

    tenant_id: TenantId
    video_id: VideoId
    hour: AwareDatetime
    viewers: Count
    starts: Count
    failures: Count
    startup_ms_p50: Count
    startup_ms_p95: Count
    stalled_ms_sum: Count
    watched_ms_sum: Count


write_video_hours = kw.Put(VideoHour, rate="18/s", batch=20, p99_ms=100)
hours_of_video = kw.Read(
    VideoHour,
    eq=["tenant_id", "video_id"],
    range="hour",
    span=timedelta(days=30),
    order="-hour",
    limit=720,
    fan_out=2,
    rate="25/s",
    p99_ms=200,
)


class DimensionHour(BaseModel):
    """A publisher's hour by country, network, device or player: at most five hundred values of each."""

    __store__: ClassVar = kw.CqlTable(
        rollups,
        "dimension_hours",
        partition=["tenant_id", "dimension", "day"],
        clustering=["-hour", "value"],
        computed={"day": "{hour:date}"},
        ttl=timedelta(days=400),
        compaction=kw.TimeWindow(window=timedelta(days=14)),
        kind="analytics",
        expected=3_000_000_000,
        active=0.005,
    )

    tenant_id: TenantId
    dimension: Annotated[Literal["country", "network", "device", "player", "cdn", "system"], kw.Cardinality(distinct=6)]
    hour: AwareDatetime
    value: Annotated[str, Field(max_length=60), kw.Size(avg=12, max=120)]
    viewers: Count
    starts: Count
    failures: Count
    startup_ms_p95: Count
    stalled_ms_sum: Count
    watched_ms_sum: Count


write_dimension_hours = kw.Put(DimensionHour, rate="5/s", batch=20, p99_ms=100)
hours_of_dimension = kw.Read(
    DimensionHour,
    eq=["tenant_id", "dimension"],
    range="hour",
    span=timedelta(days=1),
    order="-hour",
    limit=1_000,
    fan_out=2,
    rate="30/s",
    p99_ms=250,
)


class RetentionPoint(BaseModel):
    """How many still watched at a second of a video; a nightly job writes the whole curve again."""

    __store__: ClassVar = kw.CqlTable(
        rollups,
        "retention_curves",
        partition=["tenant_id", "video_id"],
        clustering="second",
        compaction=kw.Leveled(),
        kind="analytics",
        expected=8_000_000_000,
        active=0.01,
        keep_forever="a curve lives as long as its video; removing a video deletes the partition",
    )

    tenant_id: TenantId
    video_id: VideoId
    second: Annotated[int, Field(ge=0, le=43_200)]
    watching: Count
    replayed: Count
    skipped: Count


write_curve = kw.Put(RetentionPoint, rate="200/s", batch=20, p99_ms=200)
curve_of_video = kw.Read(
    RetentionPoint, eq=["tenant_id", "video_id"], order="second", limit=3_000, rate="12/s", p99_ms=200
)
remove_curve = kw.Delete(RetentionPoint, eq=["tenant_id", "video_id"], rate="5k/day", p99_ms=200)


class PlayDay(BaseModel):
    """The plays of a video on a day, as the public badge shows them: about right at once, exact in the hours."""

    __store__: ClassVar = kw.CqlTable(
        rollups,
        "play_days",
        partition=["tenant_id", "video_id"],
        clustering="-day",
        counters=["plays", "completions"],
        kind="analytics",
        keep_forever="one row for each day on which a video was watched; removing a video deletes the partition",
    )

    tenant_id: TenantId
    video_id: VideoId
    day: Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$", min_length=10, max_length=10)]
    plays: int
    completions: int


count_play = kw.Increment(PlayDay, "plays", rate="290/s", peak="2k/s", hot_key="400/s", p99_ms=50)
count_completion = kw.Increment(PlayDay, "completions", rate="110/s", peak="800/s", p99_ms=50)
plays_of_video = kw.Read(PlayDay, eq=["tenant_id", "video_id"], order="-day", limit=30, rate="400/s", p99_ms=50)
remove_plays = kw.Delete(PlayDay, eq=["tenant_id", "video_id"], rate="5k/day", p99_ms=200)


class AdImpression(BaseModel):
    """An advertisement that was shown; the ad server's identifier makes a repeated report the same row."""

    __store__: ClassVar = kw.CqlTable(
        playback,
        "ad_impressions",
        partition=["tenant_id", "campaign_id", "day", "shard"],
        clustering=["-at", "impression_id"],
        computed={"day": "{at:date}", "shard": "{impression_id:shard(32)}"},
        ttl=timedelta(days=60),
        compaction=kw.TimeWindow(window=timedelta(days=2)),
        kind="event",
        expected=9_000_000_000,
        active=0.002,
    )

    tenant_id: TenantId
    campaign_id: CampaignId
    at: AwareDatetime
    impression_id: Annotated[str, Field(pattern=r"^[A-Za-z0-9-]{20,40}$", max_length=40), kw.Size(avg=36, max=40)]
    video_id: VideoId
    shown_ms: Count
    outcome: Literal["completed", "skipped", "clicked", "failed"]


record_impression = kw.Put(AdImpression, rate="1.7k/s", peak="9k/s", hot_key="300/s", p99_ms=50)
impressions_of_campaign = kw.Read(
    AdImpression,
    eq=["tenant_id", "campaign_id"],
    range="at",
    span=timedelta(hours=1),
    order="-at",
    limit=200,
    fan_out=64,
    rate="500/day",
    p99_ms=1_500,
)


class CampaignHour(BaseModel):
    """A campaign's hour: the figures of its report."""

    __store__: ClassVar = kw.CqlTable(
        rollups,
        "campaign_hours",
        partition=["tenant_id", "campaign_id", "month"],
        clustering="-hour",
        computed={"month": "{hour:month}"},
        ttl=timedelta(days=800),
        compaction=kw.TimeWindow(window=timedelta(days=28)),
        kind="analytics",
        expected=90_000_000,
        active=0.02,
    )

    tenant_id: TenantId
    campaign_id: CampaignId
    hour: AwareDatetime
    shown: Count
    completed: Count
    clicked: Count
    failed: Count


write_campaign_hours = kw.Put(CampaignHour, rate="1/s", batch=10, p99_ms=100)
hours_of_campaign = kw.Read(
    CampaignHour,
    eq=["tenant_id", "campaign_id"],
    range="hour",
    span=timedelta(days=14),
    order="-hour",
    limit=336,
    fan_out=2,
    rate="3/s",
    p99_ms=200,
)
