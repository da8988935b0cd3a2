"""Vehicles: where they are now in Redis, where they have been and what they have run in Cassandra."""

from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw

VehicleId = Annotated[str, Field(pattern=r"^[A-Z][0-9]{5}$"), kw.Size(avg=6, max=6), kw.Cardinality(distinct=3_800)]
RouteId = Annotated[str, Field(pattern=r"^[A-Z0-9]{1,6}$"), kw.Size(avg=3, max=6), kw.Cardinality(distinct=420)]
TripId = Annotated[str, Field(pattern=r"^[0-9]{10}$"), kw.Size(avg=10, max=10), kw.Cardinality(distinct=52_000)]
DepotId = Annotated[str, Field(pattern=r"^[A-Z]{3}$"), kw.Size(avg=3, max=3), kw.Cardinality(distinct=22)]
Mode = Literal["metro", "tram", "bus", "ferry"]

tracks = kw.Keyspace("tracks", owner="fleet")
live = kw.RedisServer("live", role="sessions", owner="predictions")


class VehicleNow(BaseModel):
    """The last report of a vehicle; one that has been silent for ten minutes is not shown."""

    __store__: ClassVar = kw.RedisHash(
        live, key="vehicle:{vehicle_id}", ttl=timedelta(minutes=10), expected=3_800, kind="session"
    )

    vehicle_id: VehicleId
    route_id: RouteId
    trip_id: TripId
    delay_seconds: Annotated[int, Field(ge=-3_600, le=86_400)]
    load_percent: Annotated[int, Field(ge=0, le=200)]
    reported_at: datetime


report_vehicle = kw.Put(VehicleNow, rate="760/s", p99_ms=10)
vehicle_now = kw.Get(VehicleNow, eq="vehicle_id", rate="1.5k/s", peak="5k/s", p99_ms=5)


class PositionReport(BaseModel):
    """A report every five seconds: a day of one vehicle is a partition of at most 17,280 rows."""

    __store__: ClassVar = kw.CqlTable(
        tracks,
        "positions",
        partition=["vehicle_id", "day"],
        clustering="-reported_at",
        computed={"day": "{reported_at:date}"},
        ttl=timedelta(days=90),
        compaction=kw.TimeWindow(window=timedelta(days=3)),
        kind="reading",
    )

    vehicle_id: VehicleId
    reported_at: datetime
    route_id: RouteId
    trip_id: TripId
    longitude: float
    latitude: float
    speed_kmh: float


record_position = kw.Put(PositionReport, rate="760/s", peak="900/s", p99_ms=50)
track_of_day = kw.Read(PositionReport, eq=["vehicle_id", "day"], order="-reported_at", rate="2/s", p99_ms=200)


class Duty(BaseModel):
    """What a vehicle of a depot has run on a day, trip after trip; workshops and payroll read the day of a depot."""

    __store__: ClassVar = kw.CqlTable(
        tracks,
        "duties",
        partition=["depot_id", "day"],
        clustering="vehicle_id",
        kind="record",
        expected=14_000_000,
        active=0.001,
        keep_forever="the basis of wages is kept for ten years",
    )

    depot_id: DepotId
    day: date
    vehicle_id: VehicleId
    driver_id: Annotated[str, Field(pattern=r"^[0-9]{6}$"), kw.Size(avg=6, max=6)]
    trip_ids: Annotated[list[TripId], Field(max_length=60)] = []


begin_duty = kw.Put(Duty, rate="3.8k/day", peak="3/s", p99_ms=100)
add_trip = kw.Update(Duty, pushes="trip_ids", rate="0.6/s", peak="6/s", p99_ms=100)
duties_of_depot = kw.Read(Duty, eq=["depot_id", "day"], order="vehicle_id", limit=500, rate="2k/day", p99_ms=200)
