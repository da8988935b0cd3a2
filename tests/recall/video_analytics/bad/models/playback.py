"""Raw playback in Cassandra: what players sent, and one summary for each session under the keys that it is read by."""

from datetime import timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.common import Cdn, Count, Country, Millis, Player, SessionId, TenantId, VideoId, ViewerId, playback


class Heartbeat(BaseModel):
    """What a player reports every ten seconds; a session is a partition of a few thousand rows at most."""

    __store__: ClassVar = kw.CqlTable(
        playback,
        "heartbeats",
        partition="session_id",
        clustering="sequence",
        compaction=kw.TimeWindow(window=timedelta(hours=12)),
        compression="Zstd",
        kind="event",
        expected=95_000_000_000,
        active=0.02,
    )

    session_id: SessionId
    sequence: Annotated[int, Field(ge=0, le=10_000)]
    at: AwareDatetime
    position_ms: Millis
    bitrate_kbps: Annotated[int, Field(ge=0, le=200_000)]
    buffered_ms: Millis
    stalled_ms: Millis
    dropped_frames: Count
    cdn: Cdn


record_heartbeats = kw.Put(Heartbeat, rate="13k/s", peak="33k/s", batch=6, p99_ms=100)
heartbeats_of_session = kw.Read(Heartbeat, eq="session_id", order="sequence", limit=500, rate="5/s", p99_ms=150)


class Session(BaseModel):
    """A session that has ended."""

    __store__: ClassVar = kw.CqlTable(
        playback,
        "sessions",
        partition="session_id",
        ttl=timedelta(days=90),
        compaction=kw.TimeWindow(window=timedelta(days=3)),
        indexes=[kw.CqlIndex("network")],
        kind="event",
        expected=2_250_000_000,
        active=0.01,
    )

    session_id: SessionId
    tenant_id: TenantId
    video_id: VideoId
    viewer_id: ViewerId
    started_at: AwareDatetime
    watched_ms: Millis
    startup_ms: Millis
    stalled_ms: Millis
    mean_kbps: Annotated[int, Field(ge=0, le=200_000)]
    ended: Literal["completed", "left", "failed", "lost"]
    country: Country
    network: Annotated[int, Field(ge=0, le=4_294_967_295)]
    cdn: Cdn
    player: Player


close_session = kw.Put(Session, rate="290/s", peak="2k/s", p99_ms=50)
session = kw.Get(Session, eq="session_id", rate="15/s", p99_ms=50)
sessions_of_network = kw.Read(Session, eq="network", limit=100, rate="300/s", peak="900/s", p99_ms=200)


class SessionOfViewer(BaseModel):
    """A session in the list of its viewer, for support; a month of one viewer is a partition."""

    __store__: ClassVar = kw.CqlTable(
        playback,
        "sessions_by_viewer",
        partition=["tenant_id", "viewer_id", "month"],
        clustering=["-started_at", "session_id"],
        computed={"month": "{started_at:month}"},
        ttl=timedelta(days=90),
        compaction=kw.TimeWindow(window=timedelta(days=3)),
        kind="event",
        expected=2_250_000_000,
        active=0.001,
    )

    tenant_id: TenantId
    viewer_id: ViewerId
    started_at: AwareDatetime
    session_id: SessionId
    video_id: VideoId
    watched_ms: Millis
    ended: Literal["completed", "left", "failed", "lost"]


list_session_of_viewer = kw.Put(SessionOfViewer, rate="290/s", peak="2k/s", p99_ms=50)
sessions_of_viewer = kw.Read(
    SessionOfViewer,
    eq=["tenant_id", "viewer_id", "month"],
    order="-started_at",
    limit=50,
    joins=[kw.Join(Session, on={"session_id": "session_id"}, fields=["startup_ms", "stalled_ms", "mean_kbps", "cdn"])],
    rate="10/s",
    p99_ms=100,
)


class SessionOfVideo(BaseModel):
    """A session in the list of its video; a premiere has a million a day, so that a day has sixteen partitions."""

    __store__: ClassVar = kw.CqlTable(
        playback,
        "sessions_by_video",
        partition=["tenant_id", "video_id", "day", "shard"],
        clustering=["-started_at", "session_id"],
        static="last_session_at",
        computed={"day": "{started_at:date}", "shard": "{session_id:shard(16)}"},
        ttl=timedelta(days=30),
        compaction=kw.TimeWindow(window=timedelta(days=1)),
        kind="event",
        expected=750_000_000,
        active=0.005,
    )

    tenant_id: TenantId
    video_id: VideoId
    last_session_at: AwareDatetime
    started_at: AwareDatetime
    session_id: SessionId
    watched_ms: Millis
    startup_ms: Millis
    stalled_ms: Millis
    country: Country
    ended: Literal["completed", "left", "failed", "lost"]


list_session_of_video = kw.Put(SessionOfVideo, rate="290/s", peak="2k/s", hot_key="400/s", p99_ms=50)
sessions_of_video = kw.Read(
    SessionOfVideo,
    eq=["tenant_id", "video_id"],
    range="started_at",
    span=timedelta(hours=1),
    order="-started_at",
    limit=100,
    fan_out=32,
    rate="3/s",
    p99_ms=400,
)


class PlaybackError(BaseModel):
    """An error that a player reported; an hour of one publisher has eight partitions."""

    __store__: ClassVar = kw.CqlTable(
        playback,
        "playback_errors",
        partition=["tenant_id", "hour", "shard"],
        clustering=["-at", "session_id", "sequence"],
        computed={"hour": "{at:hour}", "shard": "{session_id:shard(8)}"},
        indexes=[kw.CqlIndex("video_id"), kw.CqlIndex("code"), kw.CqlIndex("fatal")],
        ttl=timedelta(days=30),
        compaction=kw.TimeWindow(window=timedelta(days=1)),
        kind="event",
        expected=600_000_000,
        active=0.01,
    )

    tenant_id: TenantId
    at: AwareDatetime
    session_id: SessionId
    sequence: Annotated[int, Field(ge=0, le=10_000)]
    video_id: VideoId
    code: Annotated[str, Field(pattern=r"^[A-Z0-9_]{3,40}$", max_length=40)]
    fatal: bool
    message: Annotated[str, Field(max_length=300), kw.Size(avg=80, max=600)]


record_error = kw.Put(PlaybackError, rate="230/s", peak="4k/s", p99_ms=50)
latest_errors = kw.Read(
    PlaybackError,
    eq="tenant_id",
    range="at",
    span=timedelta(minutes=15),
    order="-at",
    limit=100,
    fan_out=16,
    rate="8/s",
    p99_ms=300,
)
errors_like = kw.Read(PlaybackError, eq=["video_id", "code", "fatal"], limit=100, rate="4k/day", p99_ms=800)
