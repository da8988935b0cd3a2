"""What is true right now, in Redis: who is where, what waits to be done, and how often somebody may call."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

import keywright as kw
from pydantic import BaseModel, Field

from models.people import CityId, DriverId, RiderId
from models.pricing import BasisPoints
from models.trips import Product, TripId

live = kw.RedisServer("live", role="sessions", owner="dispatch")
work = kw.RedisServer("work", role="queue", owner="dispatch")
gate = kw.RedisServer("gate", role="limiter", owner="edge")
switchboard = kw.RedisServer("switchboard", role="primary", owner="operations")

Area = Annotated[str, Field(pattern=r"^[0-9a-f]{11}$"), kw.Size(avg=11, max=11), kw.Cardinality(distinct=15_000)]


class Position(BaseModel):
    """A point on the globe."""

    longitude: Annotated[float, Field(ge=-180, le=180)]
    latitude: Annotated[float, Field(ge=-85, le=85)]


class NearbyDriver(BaseModel):
    """Where free drivers of an area are, in a key for each half minute, so that nobody lingers after going offline."""

    __store__: ClassVar = kw.RedisGeo(
        live,
        key="near:{area:tag}:{half_minute}",
        member="{driver_id}",
        place="position",
        ttl=timedelta(minutes=2),
        kind="session",
        expected=1_200_000,
    )

    area: Area
    half_minute: Annotated[int, Field(ge=0)]
    driver_id: DriverId
    position: Annotated[Position, kw.Pii()]


report_position = kw.Put(NearbyDriver, rate="50k/s", peak="75k/s", p99_ms=10)
drivers_near = kw.Read(
    NearbyDriver, eq=["area", "half_minute"], near="position", limit=20, rate="1k/s", peak="4k/s", p99_ms=20
)


class OnlineDriver(BaseModel):
    """Drivers seen in a city, in a key for each hour, by the moment of their last sign of life."""

    __store__: ClassVar = kw.RedisSortedSet(
        live,
        key="online:{city_id:tag}:{seen_at:hour}",
        member="{driver_id}",
        score="seen_at",
        ttl=timedelta(hours=3),
        kind="session",
        expected=1_200_000,
    )

    city_id: CityId
    driver_id: DriverId
    seen_at: datetime


driver_seen = kw.Put(OnlineDriver, rate="5k/s", peak="8k/s", p99_ms=10)
online_lately = kw.Read(
    OnlineDriver,
    eq="city_id",
    range="seen_at",
    span=timedelta(minutes=10),
    order="-seen_at",
    limit=200,
    fan_out=2,
    rate="40/s",
    p99_ms=30,
)


class EligibleDriver(BaseModel):
    """Drivers whom a campaign addresses in a week; the largest campaigns address three hundred thousand."""

    __store__: ClassVar = kw.RedisSet(
        live,
        key="eligible:{campaign_id}:{week}",
        member="{driver_id}",
        ttl=timedelta(days=14),
        kind="feed",
        expected=18_000_000,
    )

    campaign_id: Annotated[UUID, kw.Cardinality(distinct=300)]
    week: Annotated[str, Field(pattern=r"^\d{4}-W\d{2}$"), kw.Size(avg=8, max=8), kw.Cardinality(distinct=2)]
    driver_id: Annotated[DriverId, kw.Cardinality(distinct=300_000)]


add_eligible = kw.Put(EligibleDriver, rate="200/s", p99_ms=10)
is_eligible = kw.Get(EligibleDriver, eq=["campaign_id", "week", "driver_id"], rate="500/s", peak="2k/s", p99_ms=5)
eligible_drivers = kw.Read(EligibleDriver, eq=["campaign_id", "week"], limit=500, rate="1/s", p99_ms=50)


matching = kw.ConsumerGroup("matching", idempotency="trip_id", claim_after=timedelta(seconds=10))


class RideRequest(BaseModel):
    """A request that waits for a driver."""

    __store__: ClassVar = kw.RedisStream(work, key="ride-requests", keep=600_000, groups=[matching], kind="queue")

    trip_id: TripId
    rider_id: RiderId
    area: Area
    product: Product
    requested_at: datetime


ask_for_driver = kw.Put(RideRequest, rate="170/s", peak="600/s", p99_ms=10)
next_requests = kw.Take(RideRequest, group=matching, limit=20, rate="60/s", peak="200/s", p99_ms=10)


pushing = kw.ConsumerGroup("pushing", idempotency="notice_id", claim_after=timedelta(seconds=30))


class PushNotice(BaseModel):
    """A message to a rider's or driver's phone."""

    __store__: ClassVar = kw.RedisStream(work, key="push-notices", keep=1_000_000, groups=[pushing], kind="queue")

    notice_id: UUID
    recipient_id: UUID
    template: Annotated[str, Field(max_length=40), kw.Size(avg=16, max=40)]
    trip_id: TripId | None = None


send_notice = kw.Put(PushNotice, rate="900/s", peak="3k/s", p99_ms=10)
next_notices = kw.Take(PushNotice, group=pushing, limit=50, rate="60/s", peak="200/s", p99_ms=10)


printing = kw.ConsumerGroup("printing", idempotency="trip_id", claim_after=timedelta(minutes=1))


class ReceiptJob(BaseModel):
    """A finished trip whose receipt has to be made and mailed."""

    __store__: ClassVar = kw.RedisStream(work, key="receipt-jobs", keep=2_000_000, groups=[printing], kind="queue")

    trip_id: TripId
    rider_id: RiderId
    finished_at: datetime


queue_receipt = kw.Put(ReceiptJob, rate="140/s", peak="500/s", p99_ms=10)
next_receipts = kw.Take(ReceiptJob, group=printing, limit=20, rate="30/s", peak="100/s", p99_ms=10)


class AppCall(BaseModel):
    """Calls of a rider's app: 120 in any minute."""

    __store__: ClassVar = kw.RedisRateLimit(
        gate, key="calls:{rider_id:tag}", limit=120, per=timedelta(minutes=1), window="sliding", expected=400_000
    )

    rider_id: RiderId


allow_call = kw.Take(AppCall, rate="15k/s", peak="40k/s", p99_ms=5)


class CityStatus(BaseModel):
    """Whether a city is open, and how far surge may go; written as a whole by its operators."""

    __store__: ClassVar = kw.RedisHash(
        switchboard, key="city:{city_id}", expected=400, keep_forever="one small hash for each city"
    )

    city_id: CityId
    state: Literal["open", "limited", "closed"]
    surge_cap_bp: BasisPoints


city_status = kw.Get(CityStatus, eq="city_id", rate="4k/s", peak="12k/s", p99_ms=5, cache_ttl=timedelta(seconds=10))
set_city_status = kw.Put(CityStatus, rate="300/day", p99_ms=20)
