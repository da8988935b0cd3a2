"""What is true at this moment: couriers on the road, offers to them, orders on their way. In Redis alone."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import Field

import keywright as kw
from models.common import CityCode, CourierNo, CustomerNo, DayText, DishId, GeoSpot, OrderNo, OutletId, ZoneId

dispatch = kw.RedisServer(
    "dispatch",
    role="primary",
    owner="logistics",
    persistence=[kw.Aof(fsync="everysec"), kw.Rdb()],
    settings={"slowlog-log-slower-than": 5_000, "slowlog-max-len": 1_024, "repl-backlog-size": "512mb"},
)


class CourierState(kw.Model):
    """What a riding courier is doing; one that is silent for two hours has gone home."""

    __store__: ClassVar = kw.RedisHash(dispatch, key="courier:{courier_no}", ttl=timedelta(hours=2), expected=350_000)

    courier_no: CourierNo
    activity: Literal["idle", "offered", "to_counter", "waiting", "to_door"]
    zone_id: ZoneId
    order_no: OrderNo | None = None
    battery_percent: Annotated[int, Field(ge=0, le=100)]
    seen_at: datetime


start_riding = kw.Put(CourierState, rate="12/s", peak="150/s", p99_ms=10)
courier_state = kw.Get(CourierState, eq="courier_no", rate="2k/s", peak="9k/s", p99_ms=5)
ping = kw.Update(CourierState, sets=["battery_percent", "seen_at"], rate="8k/s", peak="35k/s", p99_ms=5)
change_activity = kw.Update(CourierState, sets=["activity", "order_no"], rate="600/s", peak="3.6k/s", p99_ms=5)
stop_riding = kw.Delete(CourierState, rate="12/s", peak="90/s", p99_ms=10)


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
    """The right of one dispatcher process to find a courier for an order; it must be done in twenty seconds."""

    __store__: ClassVar = kw.RedisString(
        dispatch, key="lock:assign:{order_no}", value="holder", ttl=timedelta(seconds=20), expected=5_000
    )

    order_no: OrderNo
    holder: Annotated[str, Field(pattern=r"^[0-9a-f]{16}$"), kw.Size(avg=16, max=16)]


lock_assignment = kw.Put(AssignmentLock, if_absent=True, rate="130/s", peak="800/s", p99_ms=8)
unlock_assignment = kw.Delete(AssignmentLock, rate="130/s", peak="800/s", p99_ms=8)


class OrderProgress(kw.Model):
    """What the app shows while the customer waits; several services write a field each."""

    __store__: ClassVar = kw.RedisHash(dispatch, key="progress:{order_no}", ttl=timedelta(hours=4), expected=450_000)

    order_no: OrderNo
    headline: Literal["sent", "cooking", "waiting_for_courier", "on_the_way", "arrived"]
    eta: datetime
    courier_no: CourierNo | None = None
    longitude: Annotated[float, Field(ge=-180, le=180)] = 0.0
    latitude: Annotated[float, Field(ge=-85, le=85)] = 0.0


show_progress = kw.Put(OrderProgress, rate="115/s", peak="700/s", p99_ms=8)
progress = kw.Get(OrderProgress, eq="order_no", rate="3k/s", peak="17k/s", p99_ms=5)
move_on_map = kw.Update(OrderProgress, sets=["longitude", "latitude"], rate="2.5k/s", peak="14k/s", p99_ms=5)
revise_eta = kw.Update(OrderProgress, sets="eta", rate="500/s", peak="3k/s", p99_ms=5)
change_headline = kw.Update(OrderProgress, sets=["headline", "courier_no"], rate="450/s", peak="2.8k/s", p99_ms=5)


class DishRank(kw.Model):
    """The dishes that a city put into baskets and ordered most on a day."""

    __store__: ClassVar = kw.RedisSortedSet(
        dispatch,
        key="rank:{city:tag}:{day}",
        member="{dish_id}",
        score="sold",
        ttl=timedelta(days=2),
        expected=16_000_000,
        kind="analytics",
    )

    city: CityCode
    day: DayText
    dish_id: DishId
    sold: Annotated[int, Field(ge=0)]


count_sold_dish = kw.Increment(DishRank, "sold", rate="1.2k/s", peak="4.5k/s", hot_key="90/s", p99_ms=8)
favourites_of_city = kw.Read(
    DishRank, eq=["city", "day"], order="-sold", limit=20, rate="60/s", peak="300/s", hot_key="10/s", p99_ms=10
)


class OutletViewers(kw.Model):
    """About how many customers looked at an outlet in these ten minutes; shown as a hint that a kitchen is busy."""

    __store__: ClassVar = kw.RedisHyperLogLog(
        dispatch,
        key="viewers:{outlet_id:tag}:{slot}",
        member="{customer_no}",
        ttl=timedelta(minutes=20),
        expected=200_000,
        kind="analytics",
    )

    outlet_id: OutletId
    slot: Annotated[str, Field(pattern=r"^[0-9]{2}:[0-5]0$"), kw.Size(avg=5, max=5)]
    customer_no: CustomerNo


look_at_outlet = kw.Put(OutletViewers, rate="1.5k/s", peak="8k/s", hot_key="300/s", p99_ms=5)
viewers_now = kw.Count(OutletViewers, eq=["outlet_id", "slot"], rate="500/s", peak="2k/s", hot_key="100/s", p99_ms=5)
