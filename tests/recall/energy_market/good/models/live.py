"""What must be known within milliseconds, in Redis: devices, control, the market's feed, jobs and the portal."""

from datetime import timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.units import AreaCode, ContractId, DeviceId, HouseholdId, Key, Megawatts, MemberCode, Price, Side

device_twins = kw.RedisServer(
    "device-twins", role="primary", owner="flexibility", settings={"repl-backlog-size": "2gb"}
)
plant_control = kw.RedisServer(
    "plant-control",
    role="primary",
    owner="flexibility",
    persistence=[kw.Aof(fsync="everysec"), kw.Rdb(after={3_600: 1, 300: 1_000})],
    settings={"min-replicas-to-write": 1, "min-replicas-max-lag": 10, "repl-backlog-size": "256mb"},
)
market_feed = kw.RedisServer(
    "market-feed", role="queue", owner="trading", settings={"repl-backlog-size": "1gb", "maxmemory-clients": "10%"}
)
jobs = kw.RedisServer("jobs", role="queue", owner="settlement", settings={"repl-backlog-size": "128mb"})
portal = kw.RedisServer("portal", role="sessions", owner="portal")
gate = kw.RedisServer("gate", role="limiter", owner="portal")


class DeviceTwin(BaseModel):
    """A controllable device as it last described itself: charge, limits, comfort settings of its owner."""

    __store__: ClassVar = kw.RedisHash(
        device_twins, key="twin:{device_id}:{channel}", ttl=timedelta(days=14), expected=42_000_000
    )

    device_id: DeviceId
    channel: Annotated[int, Field(ge=0, le=15)]
    charge_percent: Annotated[int, Field(ge=0, le=100)]
    power_w: int
    limit_w: int
    description: Annotated[str, Field(max_length=6_000), kw.Size(avg=3_600, max=6_000)]
    heard_at: AwareDatetime


describe_device = kw.Put(DeviceTwin, rate="1.5k/s", peak="6k/s", p99_ms=10)
measure_device = kw.Update(
    DeviceTwin, sets=["charge_percent", "power_w", "heard_at"], rate="180k/s", peak="320k/s", p99_ms=10
)
device_twin = kw.Get(
    DeviceTwin,
    eq=["device_id", "channel"],
    fields=["charge_percent", "power_w", "limit_w", "heard_at"],
    rate="60k/s",
    peak="140k/s",
    p99_ms=5,
)


class SetPoint(BaseModel):
    """The power that grid control has ordered from a plant; it holds until the next order or for two days."""

    __store__: ClassVar = kw.RedisHash(plant_control, key="setpoint:{plant}", ttl=timedelta(days=2), expected=26_000)

    plant: Annotated[str, Field(pattern=r"^[0-9]{2}W[0-9A-Z]{13}$"), kw.Size(avg=16, max=16)]
    megawatts: Megawatts
    ordered_by: Literal["control", "market", "operator"]
    order_number: Annotated[int, Field(ge=1)]
    ordered_at: AwareDatetime


order_power = kw.Put(SetPoint, rate="400/s", peak="2k/s", p99_ms=10)
set_point = kw.Get(SetPoint, eq="plant", rate="2k/s", peak="6k/s", p99_ms=5)


class ReserveOffer(BaseModel):
    """Balancing energy of an area by price, for the quarter that comes next."""

    __store__: ClassVar = kw.RedisSortedSet(
        plant_control,
        key="reserve:{area:tag}:{quarter}:{direction}",
        member="{offer_id}",
        score="cents",
        ttl=timedelta(days=1),
        max_length=2_000,
        expected=1_500_000,
    )

    area: AreaCode
    quarter: Annotated[str, Field(pattern=r"^[0-9]{8}T[0-9]{4}$")]
    direction: Literal["up", "down"]
    offer_id: Key
    cents: Annotated[int, Field(ge=-1_000_000, le=1_000_000)]


offer_reserve = kw.Put(ReserveOffer, rate="25/s", peak="500/s", p99_ms=10)
withdraw_reserve = kw.Delete(ReserveOffer, rate="3/s", peak="50/s", p99_ms=10)
cheapest_reserve = kw.Read(
    ReserveOffer, eq=["area", "quarter", "direction"], order="cents", limit=50, rate="20/s", peak="100/s", p99_ms=10
)

tape = kw.ConsumerGroup("tape", idempotency="event_id", claim_after=timedelta(seconds=20))
risk = kw.ConsumerGroup("risk", idempotency="event_id", claim_after=timedelta(seconds=30))


class MarketEvent(BaseModel):
    """An order, a level of the book or a trade, as everybody who follows a region of the market hears of it."""

    kind: Literal["order", "level", "trade"]
    area: AreaCode
    event_id: Key
    contract_id: ContractId
    side: Side
    price: Price
    quantity: Megawatts
    at: AwareDatetime


west_feed = kw.bind(
    MarketEvent,
    kw.RedisStream(market_feed, key="feed:west", keep=timedelta(hours=3), groups=[tape, risk], kind="event"),
)
north_feed = kw.bind(
    MarketEvent,
    kw.RedisStream(market_feed, key="feed:north", keep=timedelta(hours=3), groups=[tape, risk], kind="event"),
)
south_feed = kw.bind(
    MarketEvent,
    kw.RedisStream(market_feed, key="feed:south", keep=timedelta(hours=3), groups=[tape, risk], kind="event"),
)

announce_west = kw.Put(west_feed, rate="4k/s", peak="14k/s", p99_ms=5)
announce_north = kw.Put(north_feed, rate="3k/s", peak="11k/s", p99_ms=5)
announce_south = kw.Put(south_feed, rate="2k/s", peak="8k/s", p99_ms=5)
west_for_tape = kw.Take(west_feed, group=tape, limit=200, rate="60/s", peak="150/s", p99_ms=10)
west_for_risk = kw.Take(west_feed, group=risk, limit=200, rate="60/s", peak="150/s", p99_ms=10)
north_for_tape = kw.Take(north_feed, group=tape, limit=200, rate="50/s", peak="120/s", p99_ms=10)
north_for_risk = kw.Take(north_feed, group=risk, limit=200, rate="50/s", peak="120/s", p99_ms=10)
south_for_tape = kw.Take(south_feed, group=tape, limit=200, rate="40/s", peak="100/s", p99_ms=10)
south_for_risk = kw.Take(south_feed, group=risk, limit=200, rate="40/s", peak="100/s", p99_ms=10)

settlement_workers = kw.ConsumerGroup("settlement", idempotency="job_id", claim_after=timedelta(minutes=5))


class SettlementJob(BaseModel):
    """A member and day whose imbalance is to be computed and booked."""

    __store__: ClassVar = kw.RedisStream(
        jobs, key="jobs:settlement", keep=400_000, groups=[settlement_workers], kind="queue"
    )

    job_id: Key
    member: MemberCode
    delivery_day: Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
    run: Literal["preliminary", "final", "correction"]


queue_settlement = kw.Put(SettlementJob, rate="60k/day", peak="60/s", p99_ms=10)
next_settlement = kw.Take(SettlementJob, group=settlement_workers, limit=5, rate="5/s", peak="30/s", p99_ms=20)


class PortalSession(BaseModel):
    """A household that is logged in; the session ends half an hour after its last use."""

    __store__: ClassVar = kw.RedisHash(
        portal, key="session:{digest}", ttl=timedelta(minutes=30), expected=250_000, kind="session"
    )

    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$"), kw.Size(avg=64, max=64)]
    household_id: HouseholdId
    second_factor: bool = False
    used_at: AwareDatetime


open_session = kw.Put(PortalSession, rate="12/s", peak="300/s", p99_ms=10)
session = kw.Get(PortalSession, eq="digest", rate="900/s", peak="6k/s", p99_ms=5)
use_session = kw.Update(PortalSession, sets="used_at", rate="150/s", peak="1k/s", p99_ms=10)
close_session = kw.Delete(PortalSession, rate="5/s", p99_ms=10)


class TraderPresence(BaseModel):
    """A trader who has the screen open; without a sign of life, the presence ends after two minutes."""

    __store__: ClassVar = kw.RedisString(
        portal, key="online:{member:tag}:{trader}", value="seen_at", ttl=timedelta(minutes=2), expected=6_000
    )

    member: MemberCode
    trader: Annotated[str, Field(pattern=r"^[a-z0-9]{10}$"), kw.Size(avg=10, max=10)]
    seen_at: AwareDatetime


trader_is_here = kw.Put(TraderPresence, rate="100/s", peak="150/s", p99_ms=10)
is_trader_here = kw.Get(TraderPresence, eq=["member", "trader"], rate="40/s", p99_ms=10)


class ApiAllowance(BaseModel):
    """Calls of a member's systems: three thousand in a calendar minute."""

    __store__: ClassVar = kw.RedisRateLimit(
        gate, key="calls:{member:tag}", limit=3_000, per=timedelta(minutes=1), window="fixed"
    )

    member: MemberCode


admit_call = kw.Take(ApiAllowance, rate="3k/s", peak="9k/s", p99_ms=5)
