"""Charts and counts: the scores in Redis, the days of each track in Cassandra."""

from datetime import date, timedelta
from typing import Annotated, ClassVar

from pydantic import BaseModel, Field

import keywright as kw

from .accounts import ListenerId, Market
from .catalogue import TrackId
from .plays import live

charts = kw.Keyspace("charts", owner="charts")


class TrackPlays(BaseModel):
    """Plays of a track on a day, for display; collectors add what they saw in ten seconds."""

    __store__: ClassVar = kw.CqlTable(
        charts,
        "track_plays",
        partition="track_id",
        clustering="-day",
        counters="plays",
        expected=4_000_000_000,
        active=0.001,
        kind="analytics",
        keep_forever="the curve of a track since its release is a product",
    )

    track_id: TrackId
    day: date
    plays: int


count_plays = kw.Increment(TrackPlays, "plays", by=3, rate="800/s", peak="2.2k/s", hot_key="20/s", p99_ms=60)
plays_of_track = kw.Read(TrackPlays, eq="track_id", order="-day", limit=90, rate="100/s", peak="300/s", p99_ms=40)


class ChartScore(BaseModel):
    """The chart of what is played everywhere."""

    __store__: ClassVar = kw.RedisSortedSet(
        live,
        key="chart:tracks",
        member="{track_id}",
        score="points",
        expected=40_000_000,
        kind="analytics",
        keep_forever="the chart of all times",
    )

    track_id: TrackId
    points: Annotated[int, Field(ge=0)]


score_track = kw.Increment(ChartScore, "points", rate="2.3k/s", peak="6.5k/s", hot_key="6.5k/s", p99_ms=10)
top_tracks = kw.Read(
    ChartScore,
    order="-points",
    limit=50,
    rate="200/s",
    peak="600/s",
    p99_ms=10,
    cache_ttl=timedelta(seconds=30),
)


class MarketListener(BaseModel):
    """A listener who played something on a day, for the figure of daily listeners."""

    __store__: ClassVar = kw.RedisSet(
        live,
        key="listeners:{market:tag}:{day:date}",
        member="{listener_id}",
        ttl=timedelta(days=30),
        expected=270_000_000,
        kind="analytics",
    )

    market: Market
    day: Annotated[date, kw.Cardinality(distinct=30)]
    listener_id: ListenerId


note_listener = kw.Put(MarketListener, rate="300/s", peak="900/s", p99_ms=10)
listeners_of_day = kw.Count(MarketListener, eq=["market", "day"], rate="2/s", p99_ms=20)
