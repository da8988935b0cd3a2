"""Rankings and small figures of the running season, in Redis."""

from datetime import date, timedelta
from typing import Annotated, ClassVar

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


class ActivePlayer(BaseModel):
    """Players of a day, counted and never listed."""

    __store__: ClassVar = kw.RedisHyperLogLog(
        boards,
        key="active:{region}:{day:date}",
        member="{player_id}",
        ttl=timedelta(days=100),
        expected=700,
        kind="analytics",
    )

    region: Region
    day: date
    player_id: PlayerId


count_active = kw.Put(ActivePlayer, rate="120/s", peak="1.5k/s", p99_ms=10)
active_players = kw.Count(ActivePlayer, eq=["region", "day"], rate="1/s", p99_ms=20)


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
