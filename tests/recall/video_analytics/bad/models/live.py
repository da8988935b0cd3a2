"""The last minutes in Redis: gauges that the stream processor sets, rankings, and approximate audiences of a day."""

from datetime import date, timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.common import Count, MemberId, TenantId, VideoId, ViewerId
from models.console import ApiKey, Tenant, Video

live = kw.RedisServer(
    "live",
    role="sessions",
    owner="analytics",
    persistence=[kw.Aof(fsync="everysec")],
    settings={"notify-keyspace-events": "KEA"},
)
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


class MostWatched(BaseModel):
    """The time for which each video of all publishers was watched so far: the ranking on the public start page."""

    __store__: ClassVar = kw.RedisSortedSet(
        live,
        key="most-watched:{scope}",
        member="{video_id}",
        score="watched_ms",
        expected=40_000_000,
        active=0.02,
        kind="analytics",
    )

    scope: Literal["all"]
    video_id: VideoId
    watched_ms: Annotated[int, Field(ge=0)]


add_watched = kw.Increment(MostWatched, "watched_ms", by=10_000, rate="8k/s", peak="20k/s", p99_ms=10)
most_watched = kw.Read(MostWatched, eq="scope", order="-watched_ms", limit=50, rate="20/s", p99_ms=20)


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
        gate, key="{app:tag}:batch:{batch_id}", value="at", ttl=timedelta(hours=1), expected=45_000_000, kind="token"
    )

    app: Literal["gate"] = "gate"
    batch_id: UUID
    at: AwareDatetime


first_time = kw.Put(BatchSeen, if_absent=True, rate="13k/s", peak="33k/s", p99_ms=5)


class IngestPermit(BaseModel):
    """Sixty thousand batches of one publisher in ten seconds."""

    __store__: ClassVar = kw.RedisRateLimit(
        gate,
        key="{app:tag}:ingest:{tenant_id}",
        limit=60_000,
        per=timedelta(seconds=10),
        window="fixed",
        expected=1_200,
    )

    app: Literal["gate"] = "gate"
    tenant_id: TenantId


class QueryPermit(BaseModel):
    """Three hundred queries of one publisher in a minute."""

    __store__: ClassVar = kw.RedisRateLimit(
        gate, key="{app:tag}:query:{tenant_id}", limit=300, per=timedelta(minutes=1), window="sliding", expected=1_200
    )

    app: Literal["gate"] = "gate"
    tenant_id: TenantId


may_ingest = kw.Take(IngestPermit, rate="13k/s", peak="33k/s", hot_key="4k/s", p99_ms=5)
may_query = kw.Take(QueryPermit, rate="250/s", peak="1.5k/s", p99_ms=5)


class QueryResult(BaseModel):
    """The answer to a query of a chart, for as long as a minute's figures stay the same."""

    __store__: ClassVar = kw.RedisString(
        query_cache, key="result:{tenant_id}:{query}", ttl=timedelta(seconds=45), expected=60_000, kind="cache"
    )

    tenant_id: TenantId
    query: Annotated[str, Field(max_length=4_000), kw.Size(avg=600, max=4_000)]
    rows: Annotated[str, kw.Size(avg=12_000, max=400_000)]
    computed_at: AwareDatetime


keep_result = kw.Put(QueryResult, rate="150/s", peak="600/s", p99_ms=15)
kept_result = kw.Get(QueryResult, eq=["tenant_id", "query"], rate="250/s", peak="1.5k/s", p99_ms=15)


class ExportPreview(BaseModel):
    """The first pages of an export as the console shows them before somebody downloads the file."""

    __store__: ClassVar = kw.RedisString(
        query_cache, key="preview:{export_id}", ttl=timedelta(hours=2), expected=400, kind="cache"
    )

    export_id: UUID
    pages: Annotated[str, kw.Size(avg=3_500_000, max=20_000_000)]
    rendered_at: AwareDatetime


keep_preview = kw.Put(ExportPreview, rate="3k/day", peak="3/s", p99_ms=200)
export_preview = kw.Get(ExportPreview, eq="export_id", rate="2/s", peak="10/s", p99_ms=150)

cached_tenant = kw.bind(
    Tenant,
    kw.RedisCache(
        query_cache, key="tenant:{tenant_id}", ttl=timedelta(seconds=1), source_of_truth=Tenant, expected=1_200
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


class RecentlyOpened(BaseModel):
    """What a member has opened in the console, the last one first."""

    __store__: ClassVar = kw.RedisList(live, key="recent:{member_id}", expected=9_000_000, active=0.05, kind="feed")

    member_id: MemberId
    page: Annotated[str, Field(max_length=120), kw.Size(avg=60, max=240)]
    opened_at: AwareDatetime


remember_page = kw.Put(RecentlyOpened, rate="15/s", peak="80/s", p99_ms=10)
recently_opened = kw.Read(RecentlyOpened, eq="member_id", limit=20, rate="10/s", p99_ms=10)


class CollectorSwitch(BaseModel):
    """Which share of the events collectors keep at the moment; a collector looks at it for each event."""

    __store__: ClassVar = kw.RedisHash(
        live, key="collector:{scope}", expected=1, keep_forever="the one setting of all collectors"
    )

    scope: Literal["all"]
    keep_percent: Annotated[int, Field(ge=1, le=100)]
    changed_at: AwareDatetime


set_collector = kw.Put(CollectorSwitch, rate="20/day", p99_ms=20)
collector_switch = kw.Get(CollectorSwitch, eq="scope", rate="90k/s", peak="220k/s", hot_key="220k/s", p99_ms=3)
