"""What clients report about themselves, and signals of cheating, in Cassandra."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.common import EventId, MatchId, PlayerId

telemetry = kw.Keyspace("telemetry", owner="platform")


class ClientEvent(BaseModel):
    """An event of a game client; support reads a player's day, everything else goes through the export."""

    __store__: ClassVar = kw.CqlTable(
        telemetry,
        "client_events",
        partition=["player_id", "day"],
        clustering=["-at", "event_id"],
        computed={"day": "{at:date}"},
        ttl=timedelta(days=14),
        compaction=kw.TimeWindow(window=timedelta(hours=12)),
        compression="Zstd",
        kind="event",
    )

    player_id: PlayerId
    at: datetime
    event_id: EventId
    name: Annotated[str, Field(max_length=60)]
    build: Annotated[str, Field(max_length=20)]
    properties: Annotated[dict[str, str], Field(max_length=30)] = {}


record_events = kw.Put(ClientEvent, batch=40, rate="450/s", peak="1.4k/s", p99_ms=100)
day_of_player = kw.Read(ClientEvent, eq=["player_id", "day"], order="-at", limit=500, rate="1/s", p99_ms=300)


class CheatSignal(BaseModel):
    """A suspicion about a player, with the detector's confidence."""

    __store__: ClassVar = kw.CqlTable(
        telemetry,
        "cheat_signals",
        partition="player_id",
        clustering=["-at", "signal_id"],
        ttl=timedelta(days=180),
        compaction=kw.TimeWindow(window=timedelta(days=6)),
        kind="event",
    )

    player_id: PlayerId
    at: datetime
    signal_id: EventId
    match_id: MatchId
    detector: Annotated[str, Field(max_length=40)]
    confidence: Annotated[float, Field(ge=0, le=1)]


class SignalOfDay(BaseModel):
    """The same signals by day, for the reviewers' list; eight shards share a day."""

    __store__: ClassVar = kw.CqlTable(
        telemetry,
        "cheat_signals_by_day",
        partition=["day", "shard"],
        clustering=["-at", "signal_id"],
        computed={"day": "{at:date}", "shard": "{signal_id:shard(8)}"},
        ttl=timedelta(days=30),
        compaction=kw.TimeWindow(window=timedelta(days=1)),
        kind="event",
    )

    at: datetime
    signal_id: EventId
    player_id: Annotated[PlayerId, kw.CopiedFrom(CheatSignal, "player_id", sync="never")]
    confidence: Annotated[float, Field(ge=0, le=1), kw.CopiedFrom(CheatSignal, "confidence", sync="never")]


record_signal = kw.Put(CheatSignal, rate="4/s", peak="20/s", p99_ms=50)
list_signal = kw.Put(SignalOfDay, rate="4/s", peak="20/s", p99_ms=50)
signals_of_player = kw.Read(CheatSignal, eq="player_id", order="-at", limit=100, rate="1/s", p99_ms=100)
signals_of_day = kw.Read(
    SignalOfDay,
    range="at",
    span=timedelta(hours=12),
    order="-at",
    limit=200,
    fan_out=16,
    rate="500/day",
    p99_ms=500,
)


class CrashReport(BaseModel):
    """A crash of a client; a day of a build is spread over four partitions."""

    __store__: ClassVar = kw.CqlTable(
        telemetry,
        "crashes",
        partition=["build", "day", "shard"],
        clustering=["-at", "crash_id"],
        computed={"day": "{at:date}", "shard": "{crash_id:shard(4)}"},
        ttl=timedelta(days=60),
        compaction=kw.TimeWindow(window=timedelta(days=2)),
        kind="event",
    )

    build: Annotated[str, Field(pattern=r"^[0-9.]{5,16}$"), kw.Size(avg=8, max=16), kw.Cardinality(distinct=12)]
    at: datetime
    crash_id: EventId
    platform: Literal["pc", "console_a", "console_b", "mobile_a", "mobile_b"]
    signature: Annotated[str, Field(max_length=200)]
    stack_trace: Annotated[str, kw.Size(avg=4_000, max=30_000)]


record_crash = kw.Put(CrashReport, rate="2/s", peak="30/s", p99_ms=100)
crashes_of_build = kw.Read(
    CrashReport,
    eq="build",
    range="at",
    span=timedelta(days=1),
    order="-at",
    limit=100,
    fan_out=8,
    rate="2k/day",
    p99_ms=500,
)
