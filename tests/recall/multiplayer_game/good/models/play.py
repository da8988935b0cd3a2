"""Sessions, presence, parties, matchmaking and servers: short-lived state in Redis."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.common import ULID, MatchId, Mode, PlayerId, Region, ServerId

presence = kw.RedisServer("presence", role="sessions", owner="online")
matchmaking = kw.RedisServer("matchmaking", role="primary", owner="online")
gate = kw.RedisServer("gate", role="limiter", owner="online")
jobs = kw.RedisServer("game-jobs", role="queue", owner="online")

PartyId = Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26)]
# Ratings of 200 points each, so that one queue never holds all players of a region.
Bracket = Annotated[int, Field(ge=0, le=19), kw.Cardinality(distinct=20)]


class Session(BaseModel):
    """A connected client; the gateway renews it, and it ends ten minutes after the last sign of life."""

    __store__: ClassVar = kw.RedisHash(
        presence, key="session:{token}", ttl=timedelta(minutes=10), expected=350_000, kind="session"
    )

    token: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{43}$"), kw.Size(avg=43, max=43)]
    player_id: PlayerId
    region: Region
    gateway: Annotated[str, Field(max_length=24)]
    started_at: datetime
    seen_at: datetime


session = kw.Get(Session, eq="token", rate="8k/s", peak="25k/s", p99_ms=5)
start_session = kw.Put(Session, rate="120/s", peak="1.5k/s", p99_ms=10)
renew_session = kw.Update(Session, sets="seen_at", rate="3k/s", peak="6k/s", p99_ms=10)
end_session = kw.Delete(Session, rate="100/s", peak="400/s", p99_ms=10)


class Presence(BaseModel):
    """What friends see: online, in a menu, in a match."""

    __store__: ClassVar = kw.RedisHash(
        presence, key="presence:{player_id}", ttl=timedelta(seconds=90), expected=350_000, kind="session"
    )

    player_id: PlayerId
    state: Literal["menu", "queue", "match", "away"]
    detail: Annotated[str, Field(max_length=60)] = ""
    joinable: bool = False


show_presence = kw.Put(Presence, rate="6k/s", peak="12k/s", p99_ms=10)
presence_of = kw.Get(Presence, eq="player_id", rate="10k/s", peak="30k/s", p99_ms=5)


class PartyMember(BaseModel):
    """A player in a party of at most five."""

    __store__: ClassVar = kw.RedisSet(
        presence, key="party:{party_id}", member="{player_id}", ttl=timedelta(hours=6), expected=150_000, kind="session"
    )

    party_id: Annotated[PartyId, kw.Cardinality(distinct=50_000)]
    player_id: PlayerId


join_party = kw.Put(PartyMember, rate="60/s", peak="200/s", p99_ms=10)
party = kw.Read(PartyMember, eq="party_id", limit=5, rate="400/s", peak="1.5k/s", p99_ms=5)
leave_party = kw.Delete(PartyMember, rate="60/s", peak="200/s", p99_ms=10)


class QueueTicket(BaseModel):
    """A party that waits for a match, in the queue of its mode, region and bracket, longest wait first."""

    __store__: ClassVar = kw.RedisSortedSet(
        matchmaking,
        key="queue:{mode}:{region}:{bracket:pad(2)}",
        member="{party_id}",
        score="since",
        ttl=timedelta(minutes=30),
        expected=40_000,
        kind="queue",
    )

    mode: Mode
    region: Region
    bracket: Bracket
    party_id: PartyId
    since: datetime


enter_queue = kw.Put(QueueTicket, rate="100/s", peak="400/s", p99_ms=10)
waiting = kw.Read(
    QueueTicket, eq=["mode", "region", "bracket"], order="since", limit=100, rate="300/s", peak="600/s", p99_ms=10
)
leave_queue = kw.Delete(QueueTicket, rate="100/s", peak="400/s", p99_ms=10)


class TicketState(BaseModel):
    """What the client asks for while it waits: its queue, and the match once there is one."""

    __store__: ClassVar = kw.RedisHash(
        matchmaking, key="ticket:{party_id}", ttl=timedelta(minutes=30), expected=60_000, kind="session"
    )

    party_id: PartyId
    mode: Mode
    region: Region
    rating: Annotated[int, Field(ge=0, le=4_000)]
    size: Annotated[int, Field(ge=1, le=5)]
    match_id: MatchId | None = None
    server_address: Annotated[str, Field(max_length=60)] = ""


open_ticket = kw.Put(TicketState, if_absent=True, rate="100/s", peak="400/s", p99_ms=10)
ticket = kw.Get(TicketState, eq="party_id", rate="4k/s", peak="12k/s", p99_ms=5)
match_found = kw.Update(TicketState, sets=["match_id", "server_address"], rate="60/s", peak="200/s", p99_ms=10)


class GameServer(BaseModel):
    """A dedicated server that reports itself every ten seconds."""

    __store__: ClassVar = kw.RedisHash(
        matchmaking, key="server:{server_id}", ttl=timedelta(seconds=45), expected=6_000, kind="session"
    )

    server_id: ServerId
    region: Region
    address: Annotated[str, Field(max_length=60)]
    build: Annotated[str, Field(max_length=20)]
    matches: Annotated[int, Field(ge=0, le=16)]
    state: Literal["free", "busy", "draining"]


report_server = kw.Put(GameServer, rate="600/s", p99_ms=10)
server = kw.Get(GameServer, eq="server_id", rate="100/s", p99_ms=5)


class FreeServer(BaseModel):
    """Servers of a region by the places that they have left."""

    __store__: ClassVar = kw.RedisSortedSet(
        matchmaking,
        key="free:{region}",
        member="{server_id}",
        score="free_places",
        ttl=timedelta(minutes=5),
        expected=6_000,
        kind="session",
    )

    region: Region
    server_id: ServerId
    free_places: Annotated[int, Field(ge=0, le=16)]


offer_places = kw.Put(FreeServer, rate="600/s", p99_ms=10)
freest_servers = kw.Read(FreeServer, eq="region", order="-free_places", limit=5, rate="60/s", peak="200/s", p99_ms=10)
withdraw_server = kw.Delete(FreeServer, rate="1/s", p99_ms=10)


class LoginAttempt(BaseModel):
    """Logins from one address: thirty in a calendar minute."""

    __store__: ClassVar = kw.RedisRateLimit(
        gate, key="limit:login:{address_hash:tag}", limit=30, per=timedelta(minutes=1), window="fixed"
    )

    address_hash: Annotated[
        str, Field(pattern=r"^[0-9a-f]{16}$"), kw.Size(avg=16, max=16), kw.Cardinality(distinct=400_000)
    ]


class ChatAllowance(BaseModel):
    """Messages of a player: eight in any ten seconds."""

    __store__: ClassVar = kw.RedisRateLimit(
        gate, key="limit:chat:{player_id:tag}", limit=8, per=timedelta(seconds=10), window="sliding"
    )

    player_id: Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26), kw.Cardinality(distinct=350_000)]


allow_login = kw.Take(LoginAttempt, rate="120/s", peak="1.5k/s", p99_ms=5)
allow_chat = kw.Take(ChatAllowance, rate="2k/s", peak="6k/s", p99_ms=5)

rewards = kw.ConsumerGroup("rewards", idempotency="match_id", claim_after=timedelta(minutes=1))
statistics = kw.ConsumerGroup("statistics", idempotency="match_id", claim_after=timedelta(minutes=1))


class MatchFinished(BaseModel):
    """A match that ended, for the services that pay rewards, rank players and keep the history."""

    __store__: ClassVar = kw.RedisStream(
        jobs, key="events:match-finished", keep=1_000_000, groups=[rewards, statistics], kind="event"
    )

    match_id: MatchId
    mode: Mode
    region: Region
    result: Annotated[str, kw.Size(avg=900, max=6_000)]


match_finished = kw.Put(MatchFinished, rate="12/s", peak="40/s", p99_ms=10)
next_rewards = kw.Take(MatchFinished, group=rewards, limit=10, rate="10/s", peak="20/s", p99_ms=20)
next_statistics = kw.Take(MatchFinished, group=statistics, limit=10, rate="10/s", peak="20/s", p99_ms=20)
