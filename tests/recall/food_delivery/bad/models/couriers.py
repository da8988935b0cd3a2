"""Couriers, their trips, what customers thought of them, and where they rode."""

from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.common import CityCode, CourierNo, GeoSpot, OrderNo, ZoneId
from models.ordering import Order

trip_of_order = kw.Gsi("trip_of_order", pk="order_no", project=["assigned_at", "zone_id"])
couriers = kw.DynamoTable("couriers", owner="logistics", gsis=[trip_of_order])
trails = kw.DynamoTable("trails", owner="logistics")


class Incident(BaseModel):
    """Something that happened on a ride and was written down."""

    at: datetime
    nature: Literal["late", "spilled", "accident", "complaint", "praise", "no_show"]
    remark: Annotated[str, Field(max_length=300), kw.Size(avg=70, max=600), kw.Pii()] = ""


class Courier(kw.Model):
    """A courier; scans of papers are in S3, with a key of their own."""

    __store__: ClassVar = kw.Item(couriers, pk="COURIER#{courier_no}", sk="FILE", expected=1_000_000, active=0.5)

    courier_no: CourierNo
    home_city: CityCode
    full_name: Annotated[str, Field(max_length=100), kw.Size(avg=18, max=200), kw.Pii()]
    phone: Annotated[str, Field(pattern=r"^\+[0-9]{7,15}$"), kw.Pii()]
    born_on: Annotated[date, kw.Pii()]
    vehicle: Literal["bicycle", "moped", "car", "foot"]
    papers_key: Annotated[str, Field(max_length=80), kw.Size(avg=60, max=80)]
    papers_valid_until: date
    state: Literal["applicant", "active", "paused", "left"]
    incidents: list[Incident] = []


courier_file = kw.Get(Courier, eq="courier_no", rate="150/s", peak="800/s", p99_ms=20)
enlist_courier = kw.Put(Courier, if_absent=True, rate="3k/day", p99_ms=80)
change_courier_state = kw.Update(Courier, sets=["state", "papers_valid_until"], rate="12k/day", p99_ms=80)
note_incident = kw.Update(Courier, pushes="incidents", rate="90k/day", peak="12/s", p99_ms=60)
forget_courier = kw.Delete(Courier, rate="300/day", p99_ms=100)


class Trip(kw.Model):
    """A delivery of a courier, kept for two years, month by month."""

    __store__: ClassVar = kw.Item(
        couriers,
        pk="TRIPS#{courier_no}#{assigned_at:month}",
        sk="{assigned_at:iso}#{order_no}",
        expected=7_000_000_000,
        active=0.002,
    )

    courier_no: Annotated[CourierNo, kw.Ref(Courier, on_missing="ignore", max_referrers=14_000)]
    assigned_at: datetime
    order_no: Annotated[OrderNo, kw.Ref(Order, on_missing="ignore", max_referrers=3)]
    zone_id: ZoneId
    metres: Annotated[int, Field(ge=0, le=60_000)] = 0
    ended: Literal["riding", "delivered", "handed_back"] = "riding"
    purge_at: Annotated[datetime, kw.Ttl()]


start_trip = kw.Put(Trip, if_absent=True, rate="115/s", peak="700/s", p99_ms=40)
end_trip = kw.Update(Trip, sets=["metres", "ended"], rate="115/s", peak="700/s", p99_ms=40)
trips_of_courier = kw.Read(
    Trip,
    eq="courier_no",
    range="assigned_at",
    span=timedelta(days=7),
    order="-assigned_at",
    limit=50,
    fan_out=2,
    rate="30/s",
    peak="150/s",
    p99_ms=50,
)
trips_of_order = kw.Read(
    Trip, eq="order_no", fields=["courier_no", "assigned_at", "zone_id"], limit=3, rate="8/s", peak="50/s", p99_ms=30
)


class TripRating(kw.Model):
    """What a customer thought of a delivery."""

    __store__: ClassVar = kw.Item(
        couriers,
        pk="RATED#{courier_no}#{rated_at:month}",
        sk="{rated_at:iso}#{order_no}",
        kind="event",
        expected=600_000_000,
        active=0.01,
    )

    courier_no: CourierNo
    rated_at: datetime
    order_no: OrderNo
    thumbs_up: bool
    remark: Annotated[str, Field(max_length=200), kw.Size(avg=8, max=400), kw.Pii()] = ""
    purge_at: Annotated[datetime, kw.Ttl()]


rate_trip = kw.Put(TripRating, if_absent=True, rate="18/s", peak="110/s", p99_ms=60)
ratings_of_courier = kw.Read(
    TripRating,
    eq="courier_no",
    range="rated_at",
    span=timedelta(days=28),
    order="-rated_at",
    limit=100,
    fan_out=2,
    rate="12/s",
    peak="60/s",
    p99_ms=60,
)


class TrailPoint(BaseModel):
    """A spot and the seconds since the minute began."""

    second: Annotated[int, Field(ge=0, le=59)]
    spot: GeoSpot


class TrailMinute(kw.Model):
    """A minute of a ride, for disputes about it; kept for thirty days."""

    __store__: ClassVar = kw.Item(
        trails,
        pk="TRAIL#{order_no}",
        sk="{minute:iso}",
        kind="reading",
        expected=6_000_000_000,
        active=0.002,
    )

    order_no: OrderNo
    minute: datetime
    courier_no: CourierNo
    points: Annotated[list[TrailPoint], Field(max_length=12), kw.Pii()]
    purge_at: Annotated[datetime, kw.Ttl()]


store_trail = kw.Put(TrailMinute, batch=25, rate="95/s", peak="560/s", p99_ms=200)
trail_of_order = kw.Read(
    TrailMinute,
    eq="order_no",
    range="minute",
    span=timedelta(hours=2),
    order="minute",
    limit=120,
    rate="2/s",
    peak="10/s",
    p99_ms=80,
)
