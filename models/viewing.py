"""Viewing history in Cassandra: a million events a second, two years kept, read when the app opens."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import BaseModel, Field

import keywright as kw

ViewerId = Annotated[UUID, kw.Cardinality(distinct=250_000_000)]
ShowId = Annotated[UUID, kw.Cardinality(distinct=20_000)]

netflix = kw.Keyspace("netflix", owner="viewing")


class Device(BaseModel):
    """What it was watched on: a user-defined type in the row."""

    kind: Literal["tv", "phone", "tablet", "browser"]
    name: Annotated[str, Field(max_length=60)]


class ViewingEvent(BaseModel):
    """A play, pause or resume; a month of one viewer is a partition, latest first."""

    __store__: ClassVar = kw.CqlTable(
        netflix,
        "viewing_history",
        partition=["viewer_id", "month"],
        clustering=["-watched_at", "show_id"],
        computed={"month": "{watched_at:month}"},
        ttl=timedelta(days=730),
        compaction=kw.TimeWindow(window=timedelta(days=30)),
        gc_grace=timedelta(days=10),
        kind="event",
    )

    viewer_id: ViewerId
    show_id: ShowId
    watched_at: datetime
    position_seconds: int
    completed: bool
    device: Device


record_view = kw.Put(ViewingEvent, rate="400k/s", peak="1M/s", p99_ms=20)
recent_views = kw.Read(
    ViewingEvent,
    eq="viewer_id",
    range="watched_at",
    span=timedelta(days=30),
    order="-watched_at",
    limit=50,
    fan_out=2,
    consistency="strong",
    rate="50k/s",
    p99_ms=50,
)
month_of_views = kw.Read(
    ViewingEvent, eq=["viewer_id", "month"], order="-watched_at", limit=100, rate="500/s", p99_ms=50
)


class ResumePoint(BaseModel):
    """Where a viewer stopped in each show; the first generation of the table had a partition for each of the two."""

    __store__: ClassVar = kw.CqlTable(
        netflix,
        "resume_points",
        partition="viewer_id",
        clustering="show_id",
        generation=2,
        rebuild=kw.Rebuild(from_generation=1),
    )

    viewer_id: ViewerId
    show_id: ShowId
    position_seconds: int
    updated_at: datetime


resume_point = kw.Get(ResumePoint, eq=["viewer_id", "show_id"], consistency="strong", rate="80k/s", p99_ms=20)
keep_watching = kw.Read(ResumePoint, eq="viewer_id", limit=200, rate="50k/s", p99_ms=50)
remember_point = kw.Put(ResumePoint, rate="400k/s", peak="1M/s", p99_ms=50)


class Episode(BaseModel):
    """An episode; what is true of the whole show stands once in its partition."""

    __store__: ClassVar = kw.CqlTable(
        netflix,
        "episodes",
        partition="show_id",
        clustering=["season", "number"],
        static=["show_title", "rating"],
        compaction=kw.Leveled(),
    )

    show_id: ShowId
    show_title: Annotated[str, Field(max_length=200)]
    rating: Literal["all", "teen", "adult"]
    season: int
    number: int
    title: Annotated[str, Field(max_length=200)]


season = kw.Read(Episode, eq=["show_id", "season"], order="number", limit=60, rate="20k/s", p99_ms=20)
write_episode = kw.Put(Episode, rate="1k/day", p99_ms=50)


class PlayCount(BaseModel):
    """How often a show was played on a day."""

    __store__: ClassVar = kw.CqlTable(
        netflix, "play_counts", partition="show_id", clustering="-day", counters="plays", kind="analytics"
    )

    show_id: ShowId
    day: Annotated[str, Field(max_length=10)]
    plays: int


count_play = kw.Increment(PlayCount, "plays", rate="100k/s", p99_ms=50)
plays_of_show = kw.Read(PlayCount, eq="show_id", order="-day", limit=30, rate="100/s", p99_ms=50)
