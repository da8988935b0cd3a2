"""Rankings and small figures of the running season, in Redis."""

from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.common import Division, PlayerId, Region, Season

boards = kw.RedisServer("leaderboards", role="primary", owner="competitive")


class SeasonRating(BaseModel):
    """A player's rating among those of the same region and division; match history can rebuild it."""

    __store__: ClassVar = kw.RedisSortedSet(
        boards,
        key="rating:{season}:{region}:{division}",
        member="{player_id}",
        score="rating",
        ttl=timedelta(days=120),
        expected=8_000_000,
    )

    season: Season
    region: Region
    division: Division
    player_id: PlayerId
    rating: Annotated[int, Field(ge=0, le=4_000)]


set_rating = kw.Put(SeasonRating, rate="80/s", peak="250/s", p99_ms=10)
top_of_division = kw.Read(
    SeasonRating,
    eq=["season", "region", "division"],
    order="-rating",
    limit=100,
    rate="150/s",
    peak="600/s",
    p99_ms=10,
    cache_ttl=timedelta(seconds=10),
)
rank = kw.Rank(
    SeasonRating,
    eq=["season", "region", "division", "player_id"],
    order="-rating",
    rate="300/s",
    peak="1k/s",
    p99_ms=10,
)
leave_division = kw.Delete(SeasonRating, rate="5/s", p99_ms=10)


class ShotsFired(BaseModel):
    """Shots of all players since the game began, for the counter on the website."""

    __store__: ClassVar = kw.RedisCounter(
        boards,
        key="total:{what}",
        value="number",
        expected=1,
        kind="analytics",
        keep_forever="the number since the first day is the point",
    )

    what: Literal["shots"]
    number: Annotated[int, Field(ge=0)]


count_shots = kw.Increment(ShotsFired, "number", rate="30k/s", peak="80k/s", p99_ms=10)
shots_fired = kw.Get(ShotsFired, eq="what", rate="20/s", p99_ms=10, cache_ttl=timedelta(seconds=1))


class ActivePlayer(BaseModel):
    """Players of a day, counted and never listed."""

    __store__: ClassVar = kw.RedisSet(
        boards,
        key="active:{region}:{day:date}",
        member="{player_id}",
        ttl=timedelta(days=100),
        expected=200_000_000,
        kind="analytics",
    )

    region: Region
    day: date
    player_id: PlayerId


count_active = kw.Put(ActivePlayer, rate="120/s", peak="1.5k/s", p99_ms=10)
active_players = kw.Count(ActivePlayer, eq=["region", "day"], rate="1/s", p99_ms=20)


class RecentActivity(BaseModel):
    """What a player did lately, newest first, as friends see it."""

    __store__: ClassVar = kw.RedisList(boards, key="activity:{player_id}", expected=40_000_000, kind="feed")

    player_id: PlayerId
    at: datetime
    text: Annotated[str, Field(max_length=80)]


note_activity = kw.Put(RecentActivity, rate="150/s", peak="500/s", p99_ms=10)
recent_activity = kw.Read(RecentActivity, eq="player_id", limit=20, rate="100/s", peak="400/s", p99_ms=10)


class LoginDay(BaseModel):
    """The days of a season on which a player came, for the calendar of rewards."""

    __store__: ClassVar = kw.RedisBitmap(
        boards,
        key="calendar:{season}:{player_id}",
        bit="day_of_season",
        ttl=timedelta(days=120),
        expected=6_000_000,
        kind="analytics",
    )

    season: Season
    player_id: PlayerId
    day_of_season: Annotated[int, Field(ge=0, le=120)]


mark_login = kw.Put(LoginDay, rate="60/s", peak="800/s", p99_ms=10)
days_of_season = kw.Count(LoginDay, eq=["season", "player_id"], rate="60/s", peak="800/s", p99_ms=10)
