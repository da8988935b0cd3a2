"""What is played: the history of two years in Cassandra, and what plays now in Redis."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw

from .accounts import DeviceId, ListenerId, Market
from .catalogue import ArtistId, TrackId

plays = kw.Keyspace("plays", owner="playback")
live = kw.RedisServer("live", role="primary", owner="playback", settings={"notify-keyspace-events": "KEA"})


class Source(BaseModel):
    """Where a play was started: a user-defined type in the row."""

    kind: Literal["album", "artist", "playlist", "mix", "search", "radio"]
    reference: Annotated[str, Field(max_length=22)]


class PlayEvent(BaseModel):
    """A track that was played; a month of one listener is a partition of some hundreds of rows, latest first."""

    __store__: ClassVar = kw.CqlTable(
        plays,
        "play_events",
        partition=["listener_id", "month"],
        clustering="-started_at",
        computed={"month": "{started_at:month}"},
        ttl=timedelta(days=730),
        compaction=kw.TimeWindow(window=timedelta(days=25)),
        compression="Zstd",
        expected=145_000_000_000,
        active=0.01,
        kind="event",
    )

    listener_id: ListenerId
    started_at: datetime
    play_id: Annotated[str, Field(pattern=r"^[0-9A-Z]{26}$"), kw.Size(avg=26, max=26)]
    track_id: TrackId
    artist_id: ArtistId
    device_id: DeviceId
    market: Market
    played_ms: Annotated[int, Field(ge=0, le=36_000_000)]
    ended_by: Literal["end", "skip", "stop", "error"]
    source: Source


record_play = kw.Put(PlayEvent, rate="2.3k/s", peak="6.5k/s", p99_ms=40)
recent_plays = kw.Read(
    PlayEvent,
    eq="listener_id",
    range="started_at",
    span=timedelta(days=14),
    order="-started_at",
    limit=100,
    fan_out=2,
    rate="150/s",
    peak="450/s",
    p99_ms=60,
)


class PlaybackState(BaseModel):
    """What a listener plays and where in the track, so that another device can take over."""

    __store__: ClassVar = kw.RedisHash(
        live, key="playback:{listener_id}", ttl=timedelta(days=7), expected=9_000_000, active=0.3, kind="session"
    )

    listener_id: ListenerId
    device_id: DeviceId
    track_id: TrackId
    position_ms: Annotated[int, Field(ge=0, le=36_000_000)]
    playing: bool
    updated_at: datetime


playback_state = kw.Get(PlaybackState, eq="listener_id", rate="1.2k/s", peak="3.5k/s", p99_ms=5)
start_playback = kw.Put(PlaybackState, rate="2.3k/s", peak="6.5k/s", p99_ms=10)
report_position = kw.Update(
    PlaybackState, sets=["position_ms", "playing", "updated_at"], rate="14k/s", peak="36k/s", p99_ms=10
)
