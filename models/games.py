"""Games in Redis: one structure per job, each with a bound or an end."""

from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw

PlayerId = Annotated[str, kw.Size(avg=12), kw.Cardinality(distinct=3_000_000)]
Game = Annotated[str, Field(max_length=24), kw.Cardinality(distinct=40)]

games = kw.RedisServer("games", role="primary", owner="games")
jobs = kw.RedisServer("games-jobs", role="queue", owner="games")


class Player(BaseModel):
    """A player's profile, each field read and written on its own."""

    __store__: ClassVar = kw.RedisHash(games, key="player:{player_id}", keep_forever="players come back after years")

    player_id: PlayerId
    name: Annotated[str, Field(max_length=40), kw.Pii()]
    level: int = 1
    logins: int = 0


player = kw.Get(Player, eq="player_id", rate="5k/s", p99_ms=5)
create_player = kw.Put(Player, if_absent=True, rate="10k/day", p99_ms=10)
level_up = kw.Increment(Player, "level", rate="50/s", p99_ms=10)
count_login = kw.Increment(Player, "logins", rate="100/s", p99_ms=10)


class Score(BaseModel):
    """A player's points in a game's week."""

    __store__: ClassVar = kw.RedisSortedSet(
        games, key="lb:{game:tag}:{week}", member="{player_id}", score="points", ttl=timedelta(days=90), kind="event"
    )

    game: Game
    week: Annotated[str, Field(pattern=r"^\d{4}-W\d{2}$")]
    player_id: PlayerId
    points: int


add_points = kw.Increment(Score, "points", rate="2k/s", peak="10k/s", p99_ms=10)
top_ten = kw.Read(Score, eq=["game", "week"], order="-points", limit=10, rate="500/s", p99_ms=10)
rank = kw.Rank(Score, eq=["game", "week", "player_id"], order="-points", rate="500/s", p99_ms=10)
scores_between = kw.Read(Score, eq=["game", "week"], range="points", order="-points", limit=100, rate="5/s", p99_ms=20)


class Tag(BaseModel):
    """A tag that a player has chosen."""

    __store__: ClassVar = kw.RedisSet(games, key="tags:{player_id}", member="{tag}", keep_forever="part of the profile")

    player_id: PlayerId
    tag: Annotated[str, Field(max_length=30)]


tags_of_player = kw.Read(Tag, eq="player_id", limit=50, rate="200/s", p99_ms=5)
has_tag = kw.Get(Tag, eq=["player_id", "tag"], rate="200/s", p99_ms=5)
add_tag = kw.Put(Tag, rate="20/s", p99_ms=10)
remove_tag = kw.Delete(Tag, rate="5/s", p99_ms=10)


class Online(BaseModel):
    """Who was seen in the last minutes, ordered by when."""

    __store__: ClassVar = kw.RedisSortedSet(
        games,
        key="online:{game:tag}",
        member="{player_id}",
        score="seen_at",
        max_length=100_000,
        ttl=timedelta(minutes=10),
        kind="session",
    )

    game: Game
    player_id: PlayerId
    seen_at: datetime


seen = kw.Put(Online, rate="3k/s", p99_ms=10)
online_now = kw.Read(Online, eq="game", range="seen_at", span=timedelta(minutes=5), limit=100, rate="100/s", p99_ms=10)
online_count = kw.Count(Online, eq="game", range="seen_at", rate="50/s", p99_ms=10)


class RecentMatch(BaseModel):
    """One of a player's last fifty matches."""

    __store__: ClassVar = kw.RedisList(
        games, key="recent:{player_id}", max_length=50, ttl=timedelta(days=90), kind="feed"
    )

    player_id: PlayerId
    match_id: Annotated[str, kw.Size(avg=26)]
    result: Literal["won", "lost", "drawn"]


add_match = kw.Put(RecentMatch, rate="500/s", p99_ms=10)
recent_matches = kw.Read(RecentMatch, eq="player_id", limit=50, rate="500/s", p99_ms=5)


class MatchJob(BaseModel):
    """A match that waits for a server."""

    __store__: ClassVar = kw.RedisList(
        jobs, key="queue:{game:tag}", max_length=100_000, ttl=timedelta(hours=1), kind="queue"
    )

    game: Game
    match_id: Annotated[str, kw.Size(avg=26)]


enqueue = kw.Put(MatchJob, rate="200/s", p99_ms=10)
next_job = kw.Take(MatchJob, eq="game", rate="200/s", p99_ms=10)


class MatchViews(BaseModel):
    """How often a replay was watched."""

    __store__: ClassVar = kw.RedisCounter(
        games, key="views:{match_id}", value="views", ttl=timedelta(days=30), kind="analytics"
    )

    match_id: Annotated[str, kw.Size(avg=26)]
    views: int


watch = kw.Increment(MatchViews, "views", rate="300/s", p99_ms=10)
views_of_match = kw.Get(MatchViews, eq="match_id", rate="100/s", p99_ms=5)


class Visit(BaseModel):
    """A player who came on a day: counted, never listed."""

    __store__: ClassVar = kw.RedisHyperLogLog(
        games, key="visitors:{game:tag}:{day:date}", member="{player_id}", ttl=timedelta(days=400), kind="analytics"
    )

    game: Game
    day: date
    player_id: PlayerId


visit = kw.Put(Visit, rate="100/s", p99_ms=10)
visitors_of_day = kw.Count(Visit, eq=["game", "day"], rate="1/s", p99_ms=10)


class Attendance(BaseModel):
    """The days of a season on which a player came: one bit each."""

    __store__: ClassVar = kw.RedisBitmap(
        games, key="attendance:{player_id}", bit="day_of_season", ttl=timedelta(days=120), kind="analytics"
    )

    player_id: PlayerId
    day_of_season: Annotated[int, Field(ge=0, le=120)]


attend = kw.Put(Attendance, rate="100/s", p99_ms=10)
attended = kw.Get(Attendance, eq=["player_id", "day_of_season"], rate="20/s", p99_ms=5)
days_attended = kw.Count(Attendance, eq="player_id", rate="20/s", p99_ms=5)


class Position(BaseModel):
    """A place on the globe."""

    longitude: Annotated[float, Field(ge=-180, le=180)]
    latitude: Annotated[float, Field(ge=-85, le=85)]


class NearbyPlayer(BaseModel):
    """Where a player who agreed to be found is right now."""

    __store__: ClassVar = kw.RedisGeo(
        games, key="nearby:{game:tag}", member="{player_id}", place="position", ttl=timedelta(hours=1), kind="session"
    )

    game: Game
    player_id: PlayerId
    position: Annotated[Position, kw.Pii()]


appear = kw.Put(NearbyPlayer, rate="50/s", p99_ms=10)
players_near = kw.Read(NearbyPlayer, eq="game", near="position", limit=20, rate="20/s", p99_ms=20)
