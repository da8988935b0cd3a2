"""What auctions read and write in a millisecond, in Redis."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import BaseModel, Field

import keywright as kw
from models.common import BidderId, Cpm, DeviceHash, Domain, LineId, PlacementId, PublisherId

floor_store = kw.RedisServer("floors", role="primary", eviction="volatile-ttl", owner="yield")
frequency = kw.RedisServer("frequency", role="primary", owner="auction-core")
console = kw.RedisServer("console", role="sessions", owner="console")
throttle = kw.RedisServer("throttle", role="limiter", owner="auction-core")


class Floor(BaseModel):
    """The lowest prices that a placement accepts now; the optimizer changes them a few times an hour."""

    __store__: ClassVar = kw.RedisHash(floor_store, key="floor:{placement_id:tag}", expected=60_000)

    placement_id: PlacementId
    desktop: Cpm
    mobile: Cpm
    television: Cpm
    trained_at: datetime


class FloorEdition(BaseModel):
    """The edition of a placement's floors, by which auction servers see that their copy is old."""

    __store__: ClassVar = kw.RedisString(floor_store, key="edition:{placement_id}", value="edition", expected=60_000)

    placement_id: PlacementId
    edition: Annotated[int, Field(ge=1)]


floor = kw.Get(Floor, eq="placement_id", rate="3k/s", peak="8k/s", hot_key="150/s", p99_ms=4)
floor_edition = kw.Get(FloorEdition, eq="placement_id", rate="12k/s", peak="30k/s", hot_key="500/s", p99_ms=3)
publish_floor = kw.Transact([kw.Put(Floor), kw.Put(FloorEdition)], rate="70/s", peak="300/s", p99_ms=10)
retire_floor = kw.Transact([kw.Delete(Floor), kw.Delete(FloorEdition)], rate="20/day", p99_ms=10)


class BlockedDomain(BaseModel):
    """An advertiser's domain that a publisher does not want; large houses block four hundred thousand."""

    __store__: ClassVar = kw.RedisSet(
        floor_store, key="blocked:{publisher_id:tag}", member="{domain}", expected=18_000_000
    )

    publisher_id: PublisherId
    domain: Domain


blocked_domains = kw.Read(BlockedDomain, eq="publisher_id", rate="90/s", peak="250/s", p99_ms=200)
block_domain = kw.Put(BlockedDomain, rate="20k/day", peak="50/s", p99_ms=10)
unblock_domain = kw.Delete(BlockedDomain, rate="3k/day", p99_ms=10)


class Exposure(BaseModel):
    """How often a device has seen a line; a day without it starts the count anew."""

    __store__: ClassVar = kw.RedisCounter(
        frequency, key="seen:{device}:{line_id}", value="times", ttl=timedelta(days=1), expected=180_000_000
    )

    device: DeviceHash
    line_id: LineId
    times: Annotated[int, Field(ge=0)]


count_exposure = kw.Increment(Exposure, "times", rate="4k/s", peak="9k/s", p99_ms=5)
exposure = kw.Get(Exposure, eq=["device", "line_id"], rate="9k/s", peak="22k/s", p99_ms=4)


class BidTrace(BaseModel):
    """The latest answers to a line's bids, which a trader watches for a day; the oldest fall off."""

    __store__: ClassVar = kw.RedisList(
        frequency, key="trace:{line_id}", ttl=timedelta(days=1), max_length=100_000, expected=8_000_000, kind="feed"
    )

    line_id: LineId
    auction_id: UUID
    placement_id: PlacementId
    offered: Cpm
    result: Literal["won", "outbid", "below_floor", "blocked"]
    at: datetime


trace_bid = kw.Put(BidTrace, rate="800/s", peak="2k/s", hot_key="15/s", p99_ms=10)
latest_traces = kw.Read(BidTrace, eq="line_id", rate="60/s", peak="200/s", p99_ms=10)


class ConsoleLogin(BaseModel):
    """A person at the console, by the hash of the cookie; twelve hours without a click end it."""

    __store__: ClassVar = kw.RedisHash(
        console, key="login:{ticket_hash}", ttl=timedelta(hours=12), expected=12_000, kind="session"
    )

    ticket_hash: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$"), kw.Size(avg=64, max=64)]
    user_id: Annotated[str, Field(pattern=r"^u[0-9]{7}$")]
    publisher_id: PublisherId
    duty: Literal["viewer", "trader", "finance", "owner"]
    active_at: datetime


login = kw.Get(ConsoleLogin, eq="ticket_hash", rate="250/s", peak="700/s", p99_ms=5)
open_login = kw.Put(ConsoleLogin, rate="1/s", peak="15/s", p99_ms=10)
keep_login = kw.Update(ConsoleLogin, sets="active_at", rate="40/s", p99_ms=10)
close_login = kw.Delete(ConsoleLogin, rate="5k/day", p99_ms=10)


class BidderQuota(BaseModel):
    """Requests that a bidder has contracted for a second on one of the auction servers."""

    __store__: ClassVar = kw.RedisRateLimit(
        throttle, key="quota:{bidder_id:tag}:{host}", limit=400, per=timedelta(seconds=1), window="fixed"
    )

    bidder_id: BidderId
    host: Annotated[int, Field(ge=0, le=63)]


may_ask = kw.Take(BidderQuota, rate="9k/s", peak="20k/s", hot_key="350/s", p99_ms=3)
