"""What is true at this moment: couriers on the road, offers to them, orders on their way. In Redis alone."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import Field

import keywright as kw
from models.common import CourierNo, CustomerNo, DishId, GeoSpot, OrderNo, OutletId, ZoneId

dispatch = kw.RedisServer(
    "dispatch",
    role="primary",
    owner="logistics",
    persistence=[],
    settings={"slowlog-log-slower-than": 5_000, "slowlog-max-len": 1_024, "repl-backlog-size": "512mb"},
)


class CourierActivity(kw.Model):
    """What a riding courier is doing; one that is silent for two hours has gone home."""

    __store__: ClassVar = kw.RedisString(
        dispatch, key="courier:{courier_no}:activity", value="activity", ttl=timedelta(hours=2), expected=350_000
    )

    courier_no: CourierNo
    activity: Literal["idle", "offered", "to_counter", "waiting", "to_door"]


class CourierZone(kw.Model):
    """The zone in which a courier is."""

    __store__: ClassVar = kw.RedisString(
        dispatch, key="courier:{courier_no}:zone", value="zone_id", ttl=timedelta(hours=2), expected=350_000
    )

    courier_no: CourierNo
    zone_id: ZoneId


class CourierBattery(kw.Model):
    """How full the battery of a courier's telephone is."""

    __store__: ClassVar = kw.RedisString(
        dispatch, key="courier:{courier_no}:battery", value="percent", ttl=timedelta(hours=2), expected=350_000
    )

    courier_no: CourierNo
    percent: Annotated[int, Field(ge=0, le=100)]


class CourierSeen(kw.Model):
    """When a courier's telephone was last heard of."""

    __store__: ClassVar = kw.RedisString(
        dispatch, key="courier:{courier_no}:seen", value="seen_at", ttl=timedelta(hours=2), expected=350_000
    )

    courier_no: CourierNo
    seen_at: datetime


activity_of_courier = kw.Get(CourierActivity, eq="courier_no", rate="2k/s", peak="9k/s", p99_ms=5)
zone_of_courier = kw.Get(CourierZone, eq="courier_no", rate="2k/s", peak="9k/s", p99_ms=5)
battery_of_courier = kw.Get(CourierBattery, eq="courier_no", rate="2k/s", peak="9k/s", p99_ms=5)
last_seen = kw.Get(CourierSeen, eq="courier_no", rate="2k/s", peak="9k/s", p99_ms=5)
change_activity = kw.Put(CourierActivity, rate="600/s", peak="3.6k/s", p99_ms=5)
change_zone = kw.Put(CourierZone, rate="90/s", peak="500/s", p99_ms=5)
report_battery = kw.Put(CourierBattery, rate="8k/s", peak="35k/s", p99_ms=5)
report_seen = kw.Put(CourierSeen, rate="8k/s", peak="35k/s", p99_ms=5)


class CourierSpot(kw.Model):
    """Where the idle couriers of a zone are; each is removed when it leaves the zone, takes an order or goes home."""

    __store__: ClassVar = kw.RedisGeo(
        dispatch, key="idle:{zone_id:tag}", member="{courier_no}", place="spot", expected=140_000
    )

    zone_id: ZoneId
    courier_no: CourierNo
    spot: GeoSpot


stand_by = kw.Put(CourierSpot, rate="3k/s", peak="14k/s", hot_key="40/s", p99_ms=5)
nearest_couriers = kw.Read(
    CourierSpot, eq="zone_id", near="spot", limit=15, rate="180/s", peak="1.1k/s", hot_key="6/s", p99_ms=10
)
leave_spot = kw.Delete(CourierSpot, rate="700/s", peak="3k/s", p99_ms=5)


class JobOffer(kw.Model):
    """An order that is being offered to a courier, who has forty seconds to take it."""

    __store__: ClassVar = kw.RedisString(dispatch, key="offer:{courier_no}", ttl=timedelta(seconds=40), expected=30_000)

    courier_no: CourierNo
    order_no: OrderNo
    outlet_id: OutletId
    pay_minor: Annotated[int, Field(ge=0, le=100_000)]
    made_at: datetime


make_offer = kw.Put(JobOffer, if_absent=True, rate="160/s", peak="950/s", p99_ms=8)
offer_of_courier = kw.Get(JobOffer, eq="courier_no", rate="900/s", peak="5k/s", p99_ms=5)
close_offer = kw.Delete(JobOffer, rate="140/s", peak="850/s", p99_ms=8)


class AssignmentLock(kw.Model):
    """The right of one dispatcher process to find a courier for an order, until it has found one."""

    __store__: ClassVar = kw.RedisString(dispatch, key="lock:assign:{order_no}", value="holder", expected=5_000)

    order_no: OrderNo
    holder: Annotated[str, Field(pattern=r"^[0-9a-f]{16}$"), kw.Size(avg=16, max=16)]


lock_assignment = kw.Put(AssignmentLock, if_absent=True, rate="130/s", peak="800/s", p99_ms=8)
unlock_assignment = kw.Delete(AssignmentLock, rate="130/s", peak="800/s", p99_ms=8)


class OrderProgress(kw.Model):
    """What the app shows while the customer waits; several services keep it up to date."""

    __store__: ClassVar = kw.RedisString(dispatch, key="progress:{order_no}", ttl=timedelta(hours=4), expected=450_000)

    order_no: OrderNo
    headline: Literal["sent", "cooking", "waiting_for_courier", "on_the_way", "arrived"]
    eta: datetime
    courier_no: CourierNo | None = None
    longitude: Annotated[float, Field(ge=-180, le=180)] = 0.0
    latitude: Annotated[float, Field(ge=-85, le=85)] = 0.0


show_progress = kw.Put(OrderProgress, rate="115/s", peak="700/s", p99_ms=8)
progress = kw.Get(OrderProgress, eq="order_no", rate="3k/s", peak="17k/s", p99_ms=5)
progress_before_change = kw.Get(OrderProgress, eq="order_no", rate="3.4k/s", peak="19.8k/s", p99_ms=5)
move_on_map = kw.Put(OrderProgress, rate="2.5k/s", peak="14k/s", p99_ms=5)
revise_eta = kw.Put(OrderProgress, rate="500/s", peak="3k/s", p99_ms=5)
change_headline = kw.Put(OrderProgress, rate="450/s", peak="2.8k/s", p99_ms=5)


class DishRank(kw.Model):
    """The dishes that are put into baskets and ordered most."""

    __store__: ClassVar = kw.RedisSortedSet(
        dispatch, key="rank:dishes", member="{dish_id}", score="sold", expected=20_000_000, kind="analytics"
    )

    dish_id: DishId
    sold: Annotated[int, Field(ge=0)]


count_sold_dish = kw.Increment(DishRank, "sold", rate="1.2k/s", peak="4.5k/s", p99_ms=8)
favourite_dishes = kw.Read(DishRank, order="-sold", limit=20, rate="60/s", peak="300/s", p99_ms=10)


class OutletViewer(kw.Model):
    """The customers who looked at an outlet in the last ten minutes; shown as a hint that a kitchen is busy."""

    __store__: ClassVar = kw.RedisSet(
        dispatch,
        key="viewers:{outlet_id:tag}",
        member="{customer_no}",
        ttl=timedelta(minutes=10),
        expected=2_500_000,
        kind="analytics",
    )

    outlet_id: OutletId
    customer_no: CustomerNo


look_at_outlet = kw.Put(OutletViewer, rate="1.5k/s", peak="8k/s", hot_key="300/s", p99_ms=5)
viewers_now = kw.Count(OutletViewer, eq="outlet_id", rate="500/s", peak="2k/s", hot_key="100/s", p99_ms=5)
