"""The last minutes in Redis: gauges that the stream processor sets, rankings, and approximate audiences of a day."""

from datetime import date, timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.common import Count, TenantId, VideoId, ViewerId
from models.console import ApiKey, Tenant, Video

live = kw.RedisServer("live", role="sessions", owner="analytics", persistence=[kw.Aof(fsync="everysec")])
work = kw.RedisServer("work", role="queue", owner="console", persistence=[kw.Aof(fsync="everysec"), kw.Rdb()])
gate = kw.RedisServer("gate", role="limiter", owner="ingest")
query_cache = kw.RedisServer("query-cache", role="cache", owner="analytics")


class LiveVideo(BaseModel):
    """How a video is doing now; the stream processor replaces it every ten seconds while somebody watches."""

    __store__: ClassVar = kw.RedisHash(
        live, key="live:{tenant_id}:{video_id}", ttl=timedelta(minutes=1), expected=200_000, kind="session"
    )

    tenant_id: TenantId
    video_id: VideoId
    viewers: Count
    stalled: Count
    failed: Count
    kbps_mean: Annotated[float, Field(ge=0)]
    updated_at: AwareDatetime


set_live_video = kw.Put(LiveVideo, rate="8k/s", peak="20k/s", p99_ms=10)
live_video = kw.Get(LiveVideo, eq=["tenant_id", "video_id"], rate="500/s", peak="3k/s", p99_ms=5)


class LiveTenant(BaseModel):
    """How a publisher is doing now."""

    __store__: ClassVar = kw.RedisHash(
        live, key="tenant:{tenant_id}", ttl=timedelta(minutes=1), expected=1_200, kind="session"
    )

    tenant_id: TenantId
    viewers: Count
    stalled: Count
    failed: Count
    updated_at: AwareDatetime


set_live_tenant = kw.Put(LiveTenant, rate="240/s", p99_ms=10)
live_tenant = kw.Get(LiveTenant, eq="tenant_id", rate="400/s", peak="2k/s", p99_ms=5)


class TrendingVideo(BaseModel):
    """The videos of a publisher with the most viewers now."""

    __store__: ClassVar = kw.RedisSortedSet(
        live,
        key="trending:{tenant_id:tag}",
        member="{video_id}",
        score="viewers",
        max_length=500,
        ttl=timedelta(minutes=5),
        expected=1_200 * 150,
        kind="session",
    )

    tenant_id: TenantId
    video_id: VideoId
    viewers: Count


rank_video = kw.Put(TrendingVideo, rate="8k/s", peak="20k/s", hot_key="2k/s", p99_ms=10)
unrank_video = kw.Delete(TrendingVideo, rate="100/s", p99_ms=10)
trending = kw.Read(TrendingVideo, eq="tenant_id", order="-viewers", limit=20, rate="300/s", peak="2k/s", p99_ms=10)


class AudienceDay(BaseModel):
    """A viewer of a video on a day: counted, never listed."""

    __store__: ClassVar = kw.RedisHyperLogLog(
        live,
        key="audience:{tenant_id}:{video_id}:{day:date}",
        member="{viewer_id}",
        ttl=timedelta(days=3),
        kind="analytics",
    )

    tenant_id: TenantId
    video_id: Annotated[VideoId, kw.Cardinality(distinct=600_000)]
    day: date
    viewer_id: ViewerId


count_viewer = kw.Put(AudienceDay, rate="290/s", peak="2k/s", hot_key="400/s", p99_ms=10)
audience_of_day = kw.Count(AudienceDay, eq=["tenant_id", "video_id", "day"], rate="40/s", p99_ms=10)


class BatchSeen(BaseModel):
    """A batch of events that was taken in: a player that repeats it within an hour is told so."""

    __store__: ClassVar = kw.RedisString(
        gate, key="batch:{batch_id}", value="at", ttl=timedelta(hours=1), expected=45_000_000, kind="token"
    )

    batch_id: UUID
    at: AwareDatetime


first_time = kw.Put(BatchSeen, if_absent=True, rate="13k/s", peak="33k/s", p99_ms=5)


class IngestPermit(BaseModel):
    """Sixty thousand batches of one publisher in ten seconds."""

    __store__: ClassVar = kw.RedisRateLimit(
        gate, key="ingest:{tenant_id:tag}", limit=60_000, per=timedelta(seconds=10), window="fixed", expected=1_200
    )

    tenant_id: TenantId


class QueryPermit(BaseModel):
    """Three hundred queries of one publisher in a minute."""

    __store__: ClassVar = kw.RedisRateLimit(
        gate, key="query:{tenant_id:tag}", limit=300, per=timedelta(minutes=1), window="sliding", expected=1_200
    )

    tenant_id: TenantId


may_ingest = kw.Take(IngestPermit, rate="13k/s", peak="33k/s", hot_key="4k/s", p99_ms=5)
may_query = kw.Take(QueryPermit, rate="250/s", peak="1.5k/s", p99_ms=5)


class QueryResult(BaseModel):
    """The answer to a query of a chart, for as long as a minute's figures stay the same."""

    __store__: ClassVar = kw.RedisString(
        query_cache, key="result:{tenant_id}:{query_hash}", ttl=timedelta(seconds=45), expected=60_000, kind="cache"
    )

    tenant_id: TenantId
    query_hash: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$", min_length=32, max_length=32)]
    rows: Annotated[str, kw.Size(avg=12_000, max=400_000)]
    computed_at: AwareDatetime


keep_result = kw.Put(QueryResult, rate="150/s", peak="600/s", p99_ms=15)
kept_result = kw.Get(QueryResult, eq=["tenant_id", "query_hash"], rate="250/s", peak="1.5k/s", p99_ms=15)

cached_tenant = kw.bind(
    Tenant,
    kw.RedisCache(
        query_cache, key="tenant:{tenant_id}", ttl=timedelta(minutes=5), source_of_truth=Tenant, expected=1_200
    ),
)
cached_key = kw.bind(
    ApiKey,
    kw.RedisCache(query_cache, key="key:{key_hash}", ttl=timedelta(minutes=1), source_of_truth=ApiKey, expected=9_000),
)
cached_video = kw.bind(
    Video,
    kw.RedisCache(
        query_cache, key="video:{video_id}", ttl=timedelta(minutes=15), source_of_truth=Video, expected=800_000
    ),
)

tenant_shown = kw.Get(cached_tenant, eq="tenant_id", rate="3k/s", peak="8k/s", p99_ms=4)
key_shown = kw.Get(cached_key, eq="key_hash", rate="13k/s", peak="33k/s", p99_ms=4)
forget_key = kw.Delete(cached_key, rate="5/day", p99_ms=10)
video_shown = kw.Get(cached_video, eq="video_id", rate="900/s", peak="4k/s", p99_ms=4)
fill_video = kw.Put(cached_video, rate="60/s", peak="300/s", p99_ms=5)


exporter = kw.ConsumerGroup("exporter", idempotency="export_id", claim_after=timedelta(minutes=15), max_deliveries=3)
notifier = kw.ConsumerGroup("notifier", idempotency=["incident_id", "state"], claim_after=timedelta(minutes=1))


class ExportOrdered(BaseModel):
    """An export that waits for a worker."""

    __store__: ClassVar = kw.RedisStream(
        work, key="work:exports", keep=50_000, groups=[exporter], kind="queue", expected=50_000
    )

    export_id: UUID
    tenant_id: TenantId
    ordered_at: AwareDatetime


queue_export = kw.Put(ExportOrdered, rate="3k/day", peak="5/s", p99_ms=20)
next_export = kw.Take(ExportOrdered, group=exporter, rate="3k/day", p99_ms=50)


class IncidentChanged(BaseModel):
    """An incident whose receivers have to be told."""

    __store__: ClassVar = kw.RedisStream(
        work, key="work:incidents", keep=100_000, groups=[notifier], kind="queue", expected=100_000
    )

    incident_id: UUID
    tenant_id: TenantId
    state: Literal["open", "acknowledged", "resolved"]
    changed_at: AwareDatetime


announce_incident = kw.Put(IncidentChanged, rate="8k/day", peak="20/s", p99_ms=20)
next_incident = kw.Take(IncidentChanged, group=notifier, limit=20, rate="1/s", peak="10/s", p99_ms=50)
