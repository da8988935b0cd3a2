"""What listeners are offered: mixes computed for each of them, and new releases chosen by editors."""

from datetime import date, timedelta
from typing import Annotated, ClassVar

from pydantic import BaseModel, Field

import keywright as kw

from .accounts import ListenerId, Market
from .catalogue import AlbumId, ArtistId, TrackId

discovery = kw.Keyspace("discovery", owner="discovery")


class DailyMix(BaseModel):
    """One of a listener's six mixes of a day, computed at night for those who came in the last month."""

    __store__: ClassVar = kw.CqlTable(
        discovery,
        "daily_mixes",
        partition=["listener_id", "day"],
        clustering="number",
        ttl=timedelta(days=4),
        compaction=kw.TimeWindow(window=timedelta(hours=4)),
        expected=300_000_000,
        active=0.1,
        kind="feed",
    )

    listener_id: ListenerId
    day: Annotated[date, kw.Cardinality(distinct=5)]
    number: Annotated[int, Field(ge=1, le=6)]
    title: Annotated[str, Field(max_length=80)]
    track_ids: Annotated[list[TrackId], Field(max_length=50), kw.Size(avg=1_300, max=1_400)]


write_mixes = kw.Put(DailyMix, batch=6, rate="150/s", peak="900/s", p99_ms=80)
mixes_of_day = kw.Read(
    DailyMix, eq=["listener_id", "day"], order="number", limit=6, rate="300/s", peak="900/s", p99_ms=40
)


class NewRelease(BaseModel):
    """A new album on a market's shelf of a week, four hundred chosen by editors and shown to everybody."""

    __store__: ClassVar = kw.CqlTable(
        discovery,
        "new_releases",
        partition=["market", "week"],
        clustering=["-released_on", "album_id"],
        computed={"week": "{released_on:week}"},
        ttl=timedelta(days=180),
        compaction=kw.TimeWindow(window=timedelta(days=6)),
        expected=620_000,
        active=0.05,
        kind="feed",
    )

    market: Market
    released_on: date
    album_id: AlbumId
    artist_id: ArtistId
    title: Annotated[str, Field(max_length=300), kw.Size(avg=24, max=600)]


place_release = kw.Put(NewRelease, rate="3.5k/day", p99_ms=60)
shelf_of_week = kw.Read(
    NewRelease,
    eq=["market", "week"],
    order="-released_on",
    limit=50,
    rate="300/s",
    peak="900/s",
    hot_key="120/s",
    p99_ms=40,
    cache_ttl=timedelta(minutes=1),
)
