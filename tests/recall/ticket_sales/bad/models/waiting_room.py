"""The way into an on-sale: lanes of a queue, passes for those whose turn it is, and limits against robots."""

from datetime import timedelta
from typing import Annotated, ClassVar

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.fans import GUARDED, FanId
from models.orders import TicketId

# An event's queue has up to 64 lanes, each a key of its own, so that one on-sale loads all nodes of the cluster.
Lane = Annotated[str, Field(pattern=r"^evt[a-z0-9]{9}-[0-9]{2}$", max_length=15), kw.Cardinality(distinct=3_000)]

waiting_room = kw.RedisServer("waiting-room", role="primary", owner="on-sale", settings=GUARDED)
limits = kw.RedisServer("limits", role="limiter", owner="on-sale")


class QueuePlace(BaseModel):
    """A fan in a lane. The highest number drawn goes first; whoever is behind 30,000 others is told that it is full."""

    __store__: ClassVar = kw.RedisSortedSet(
        waiting_room,
        key="lane:{lane:tag}",
        member="{fan_id}",
        score="draw",
        max_length=30_000,
        ttl=timedelta(days=2),
        expected=6_000_000,
        kind="queue",
    )

    lane: Lane
    fan_id: FanId
    draw: Annotated[int, Field(ge=0, le=2_000_000_000)]


class Pass(BaseModel):
    """Twelve minutes to choose seats, for a fan whose turn it is."""

    __store__: ClassVar = kw.RedisHash(
        waiting_room, key="pass:{fan_id:tag}", ttl=timedelta(minutes=12), expected=400_000, kind="token"
    )

    lane: Lane
    fan_id: FanId
    issued_at: AwareDatetime
    secret: Annotated[str, Field(min_length=43, max_length=43)]


join_lane = kw.Put(QueuePlace, rate="2M/day", peak="25k/s", p99_ms=10)
place_in_lane = kw.Rank(QueuePlace, eq=["lane", "fan_id"], order="-draw", rate="2k/s", peak="60k/s", p99_ms=10)
front_of_lane = kw.Read(QueuePlace, eq="lane", order="-draw", limit=50, rate="200/s", peak="1k/s", p99_ms=10)
admit = kw.Transact([kw.Delete(QueuePlace), kw.Put(Pass)], rate="1M/day", peak="3k/s", p99_ms=15)
sale_pass = kw.Get(Pass, eq="fan_id", rate="400/s", peak="20k/s", p99_ms=5)


class PartnerCall(BaseModel):
    """A partner's calls of the sales interface: a quota for any sixty minutes."""

    __store__: ClassVar = kw.RedisRateLimit(
        limits, key="partner:{partner:tag}", limit=250_000, per=timedelta(hours=1), window="sliding"
    )

    partner: Annotated[str, Field(pattern=r"^[a-z0-9]{6,16}$", max_length=16), kw.Cardinality(distinct=300)]


class PinTry(BaseModel):
    """Guesses of the six digits that release a transferred ticket: five in any quarter of an hour, and no more."""

    __store__: ClassVar = kw.RedisRateLimit(
        limits, key="pin:{ticket_id:tag}", limit=5, per=timedelta(minutes=15), window="fixed", expected=20_000
    )

    ticket_id: TicketId


allow_partner_call = kw.Take(PartnerCall, rate="3k/s", peak="9k/s", p99_ms=5)
allow_pin = kw.Take(PinTry, rate="12k/day", peak="80/s", p99_ms=10)


class SearchMinute(BaseModel):
    """Searches of a client in one minute; beyond ninety the answer comes from the cache only."""

    __store__: ClassVar = kw.RedisCounter(
        limits,
        key="searches:{client:tag}:{minute}",
        value="searches",
        expected=400_000,
    )

    client: Annotated[str, Field(pattern=r"^[0-9a-f]{16}$", max_length=16), kw.Cardinality(distinct=4_000_000)]
    minute: Annotated[str, Field(pattern=r"^\d{8}T\d{4}$", max_length=13)]
    searches: int


count_search = kw.Increment(SearchMinute, "searches", rate="2k/s", peak="15k/s", p99_ms=5)
