"""Shopping on the web and in the apps: searches, sessions, limits and seats on hold, all in Redis."""

from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar

from pydantic import BaseModel, Field

import keywright as kw
from models.common import AirportCode, Cabin, FlightId, MemberId

shopping = kw.RedisServer("shopping-cache", role="cache", owner="shopping")
sessions = kw.RedisServer("web-sessions", role="sessions", owner="identity")
gate = kw.RedisServer("gate", role="limiter", owner="identity")
holds = kw.RedisServer("seat-holds", role="primary", owner="inventory")

SessionToken = Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{43}$"), kw.Size(avg=43, max=43)]


class SearchResult(BaseModel):
    """The offers for a route and day as the pricing engine computed them; any of them may be computed again."""

    __store__: ClassVar = kw.RedisString(
        shopping,
        key="search:{origin}:{destination}:{day:date}:{cabin}:{adults}",
        value="offers",
        ttl=timedelta(minutes=3),
        expected=400_000,
        kind="cache",
    )

    origin: AirportCode
    destination: AirportCode
    day: date
    cabin: Cabin
    adults: Annotated[int, Field(ge=1, le=9)]
    offers: Annotated[bytes, Field(max_length=64_000), kw.Size(avg=9_000, max=64_000)]


search_result = kw.Get(
    SearchResult,
    eq=["origin", "destination", "day", "cabin", "adults"],
    rate="2k/s",
    peak="8k/s",
    hot_key="120/s",
    p99_ms=10,
)
keep_search = kw.Put(SearchResult, rate="600/s", peak="2k/s", p99_ms=10)


class SeatHold(BaseModel):
    """A seat that somebody is about to take; the first to write the key has it for ten minutes."""

    __store__: ClassVar = kw.RedisString(
        holds,
        key="hold:{flight_id}:{seat}",
        value="session_token",
        ttl=timedelta(minutes=10),
        expected=20_000,
        kind="session",
    )

    flight_id: FlightId
    seat: Annotated[str, Field(pattern=r"^[0-9]{2}[A-K]$"), kw.Size(avg=3, max=3)]
    session_token: SessionToken


hold_seat = kw.Put(SeatHold, if_absent=True, rate="15/s", peak="80/s", p99_ms=10)
held_seat = kw.Get(SeatHold, eq=["flight_id", "seat"], rate="30/s", peak="150/s", p99_ms=5)
release_hold = kw.Delete(SeatHold, rate="5/s", p99_ms=10)


class WebSession(BaseModel):
    """A visitor's session; it ends half an hour after its last use."""

    __store__: ClassVar = kw.RedisHash(
        sessions, key="session:{token}", ttl=timedelta(minutes=30), expected=350_000, kind="session"
    )

    token: SessionToken
    member_id: MemberId | None = None
    started_at: datetime
    seen_at: datetime
    language: Annotated[str, Field(max_length=5)] = "en"
    basket: Annotated[str, kw.Size(avg=600, max=8_000)] = ""


web_session = kw.Get(WebSession, eq="token", rate="5k/s", peak="18k/s", p99_ms=5)
start_session = kw.Put(WebSession, rate="150/s", peak="600/s", p99_ms=10)
touch_session = kw.Update(WebSession, sets="seen_at", rate="1k/s", peak="4k/s", p99_ms=10)
end_session = kw.Delete(WebSession, rate="20/s", p99_ms=10)


class SearchAllowance(BaseModel):
    """Searches of one client: sixty in a calendar minute; scrapers get no more."""

    __store__: ClassVar = kw.RedisRateLimit(
        gate, key="limit:search:{client_hash:tag}", limit=60, per=timedelta(minutes=1), window="fixed"
    )

    client_hash: Annotated[
        str, Field(pattern=r"^[0-9a-f]{16}$"), kw.Size(avg=16, max=16), kw.Cardinality(distinct=300_000)
    ]


class RetrievalAllowance(BaseModel):
    """Attempts to open a booking by locator and name: ten in any five minutes, against guessing."""

    __store__: ClassVar = kw.RedisRateLimit(
        gate, key="limit:retrieve:{client_hash:tag}", limit=10, per=timedelta(minutes=5), window="sliding"
    )

    client_hash: Annotated[
        str, Field(pattern=r"^[0-9a-f]{16}$"), kw.Size(avg=16, max=16), kw.Cardinality(distinct=300_000)
    ]


allow_search = kw.Take(SearchAllowance, rate="2k/s", peak="8k/s", p99_ms=5)
allow_retrieval = kw.Take(RetrievalAllowance, rate="250/s", peak="900/s", p99_ms=5)
