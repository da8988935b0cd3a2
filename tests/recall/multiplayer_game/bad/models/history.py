"""Matches, chat and reports in Cassandra: partitions by player, match or channel, each bounded by time."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.common import DisplayName, Division, EventId, GuildId, HeroId, MatchId, Mode, PlayerId, Region, Season
from models.players import Player

matches = kw.Keyspace("matches", owner="history")


class Participant(BaseModel):
    """A player in a match, with the name of that moment."""

    player_id: PlayerId
    name: Annotated[DisplayName, kw.CopiedFrom(Player, "display_name", sync="never")]
    team: Annotated[int, Field(ge=1, le=2)]
    hero_id: HeroId
    kills: Annotated[int, Field(ge=0, le=999)]
    deaths: Annotated[int, Field(ge=0, le=999)]
    assists: Annotated[int, Field(ge=0, le=999)]


class MatchRecord(BaseModel):
    """A match as its scoreboard shows it: written once when it ends."""

    __store__: ClassVar = kw.CqlTable(
        matches,
        "match_records",
        partition="match_id",
        ttl=timedelta(days=730),
        compaction=kw.TimeWindow(window=timedelta(days=24)),
        frozen=["participants", "feed"],
        expected=750_000_000,
        active=0.01,
    )

    match_id: MatchId
    mode: Mode
    region: Region
    started_at: datetime
    ended_at: datetime
    winner: Annotated[int, Field(ge=1, le=2)]
    participants: Annotated[list[Participant], Field(min_length=2, max_length=10)]
    feed: Annotated[list[Annotated[str, Field(max_length=80)]], Field(max_length=5_000)] = []


record_match = kw.Put(MatchRecord, rate="12/s", peak="40/s", p99_ms=50)
match_record = kw.Get(MatchRecord, eq="match_id", rate="150/s", peak="500/s", p99_ms=20)


class MatchOfPlayer(BaseModel):
    """A line of a player's history; a month is a partition of a few hundred rows."""

    __store__: ClassVar = kw.CqlTable(
        matches,
        "matches_by_player",
        partition=["player_id", "month"],
        clustering=["-ended_at", "match_id"],
        computed={"month": "{ended_at:month}"},
        ttl=timedelta(days=730),
        compaction=kw.SizeTiered(),
        kind="feed",
    )

    player_id: PlayerId
    match_id: MatchId
    ended_at: datetime
    mode: Annotated[Mode, kw.CopiedFrom(MatchRecord, "mode", sync="never")]
    hero_id: HeroId
    won: bool
    rating_change: Annotated[int, Field(ge=-100, le=100)]


add_to_history = kw.Put(MatchOfPlayer, rate="120/s", peak="400/s", p99_ms=50)
history = kw.Read(
    MatchOfPlayer,
    eq="player_id",
    range="ended_at",
    span=timedelta(days=30),
    order="-ended_at",
    limit=50,
    fan_out=2,
    rate="200/s",
    peak="800/s",
    p99_ms=50,
)


class TimelineEvent(BaseModel):
    """Something that happened in a match, for replays and reviews of the next month."""

    __store__: ClassVar = kw.CqlTable(
        matches,
        "timeline",
        partition="match_id",
        clustering=["offset_ms", "sequence"],
        static="last_event_at",
        ttl=timedelta(days=30),
        compaction=kw.TimeWindow(window=timedelta(days=1)),
        kind="event",
    )

    match_id: MatchId
    last_event_at: datetime
    offset_ms: Annotated[int, Field(ge=0, le=7_200_000)]
    sequence: Annotated[int, Field(ge=0, le=65_535)]
    actor_id: PlayerId
    type: Literal["kill", "objective", "purchase", "ability", "disconnect"]
    x: float
    y: float


append_timeline = kw.Put(TimelineEvent, batch=50, rate="600/s", peak="1.5k/s", p99_ms=100)
timeline = kw.Read(
    TimelineEvent, eq="match_id", range="offset_ms", order="offset_ms", limit=1_000, rate="15/s", p99_ms=200
)


class ChatMessage(BaseModel):
    """A message in a guild's channel; a day of a channel is a partition."""

    __store__: ClassVar = kw.CqlTable(
        matches,
        "chat",
        partition=["guild_id", "day"],
        clustering=["-sent_at", "message_id"],
        computed={"day": "{sent_at:date}"},
        ttl=timedelta(days=90),
        compaction=kw.TimeWindow(window=timedelta(days=3)),
        compression="none",
        gc_grace=timedelta(0),
        kind="feed",
    )

    guild_id: GuildId
    sent_at: datetime
    message_id: EventId
    sender_id: PlayerId
    text: Annotated[str, kw.Size(avg=60, max=1_000), kw.Pii()]


say = kw.Put(ChatMessage, rate="300/s", peak="1.2k/s", p99_ms=50)
retract = kw.Delete(ChatMessage, rate="40k/day", peak="5/s", p99_ms=50)
latest_chat = kw.Read(
    ChatMessage,
    eq="guild_id",
    range="sent_at",
    span=timedelta(days=2),
    order="-sent_at",
    limit=50,
    fan_out=3,
    rate="400/s",
    peak="1.5k/s",
    p99_ms=50,
)


class PlayerReport(BaseModel):
    """A report against a player, as moderators read them."""

    __store__: ClassVar = kw.CqlTable(
        matches,
        "reports",
        partition="reported_id",
        clustering=["-at", "report_id"],
        ttl=timedelta(days=365),
        compaction=kw.TimeWindow(window=timedelta(days=12)),
        indexes=[kw.CqlIndex("reporter_id"), kw.CqlIndex("match_id"), kw.CqlIndex("category")],
        kind="event",
    )

    reported_id: PlayerId
    at: datetime
    report_id: EventId
    reporter_id: PlayerId
    match_id: MatchId
    category: Literal["cheating", "abuse", "name", "afk"]
    comment: Annotated[str, kw.Size(avg=80, max=500), kw.Pii()] = ""


file_report = kw.Put(PlayerReport, rate="3/s", peak="10/s", p99_ms=50)
reports_matching = kw.Read(
    PlayerReport, eq=["reporter_id", "match_id", "category"], limit=50, rate="400/day", p99_ms=500
)
reports_against = kw.Read(PlayerReport, eq="reported_id", order="-at", limit=50, rate="2/s", p99_ms=80)


class SeasonResult(BaseModel):
    """How a season ended for a player; one short row for each season."""

    __store__: ClassVar = kw.CqlTable(
        matches,
        "season_results",
        partition="player_id",
        clustering="season",
        compaction=kw.Leveled(),
        expected=120_000_000,
        active=0.02,
        keep_forever="part of the player's profile",
    )

    player_id: PlayerId
    season: Season
    division: Division
    rating: Annotated[int, Field(ge=0, le=4_000)]
    games: Annotated[int, Field(ge=0)]
    wins: Annotated[int, Field(ge=0)]


close_season = kw.Put(SeasonResult, rate="100k/day", peak="2k/s", p99_ms=100)
results_of_division = kw.Read(SeasonResult, eq="division", limit=100, rate="20/s", p99_ms=200)
season_results = kw.Read(SeasonResult, eq="player_id", order="-season", limit=20, rate="150/s", p99_ms=30)


class TournamentSlot(BaseModel):
    """A place in a tournament; the condition on its state admits one team."""

    __store__: ClassVar = kw.CqlTable(
        matches,
        "tournament_slots",
        partition="tournament_id",
        clustering="slot",
        expected=400_000,
        active=0.05,
        keep_forever="past tournaments stay on the website, and are small",
    )

    tournament_id: Annotated[EventId, kw.Cardinality(distinct=8_000)]
    slot: Annotated[int, Field(ge=1, le=64)]
    state: Literal["free", "taken"]
    guild_id: GuildId | None = None


open_slot = kw.Put(TournamentSlot, if_absent=True, rate="2k/day", p99_ms=100)
tournament_slot = kw.Get(TournamentSlot, eq=["tournament_id", "slot"], rate="5/s", peak="60/s", p99_ms=30)
take_slot = kw.Update(
    TournamentSlot, sets=["state", "guild_id"], where={"state": "free"}, rate="2k/day", peak="20/s", p99_ms=100
)


class HeroPlays(BaseModel):
    """Games and wins of a hero on a day: figures for balancing, where a repeated increment does no harm."""

    __store__: ClassVar = kw.CqlTable(
        matches,
        "hero_plays",
        partition="region",
        clustering=["hero_id", "-day"],
        counters=["games", "wins"],
        expected=700_000,
        kind="analytics",
        keep_forever="the figures of past versions are compared for years, and are small",
    )

    hero_id: HeroId
    region: Region
    day: Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
    games: int
    wins: int


count_game = kw.Increment(HeroPlays, "games", rate="120/s", peak="400/s", p99_ms=50)
count_win = kw.Increment(HeroPlays, "wins", rate="60/s", peak="200/s", p99_ms=50)
plays_of_hero = kw.Read(HeroPlays, eq=["hero_id", "region"], order="-day", limit=90, rate="1/s", p99_ms=100)
