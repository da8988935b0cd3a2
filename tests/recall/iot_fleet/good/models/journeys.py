"""Trips, driving time, events on the road and commands, in Cassandra: one table for each question."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.common import DriverId, EventId, GeofenceId, Latitude, Longitude, Severity, TenantId, VehicleId

journeys = kw.Keyspace("journeys", owner="journeys")


class Stop(BaseModel):
    """Where a trip began or ended."""

    longitude: Longitude
    latitude: Latitude
    address: Annotated[str, Field(max_length=160)]


class Trip(BaseModel):
    """A finished trip of a vehicle; a month of a vehicle is a partition."""

    __store__: ClassVar = kw.CqlTable(
        journeys,
        "trips_by_vehicle",
        partition=["vehicle_id", "month"],
        clustering=["-started_at", "trip_id"],
        computed={"month": "{started_at:month}"},
        ttl=timedelta(days=730),
        compaction=kw.TimeWindow(window=timedelta(days=24)),
        kind="event",
    )

    vehicle_id: VehicleId
    trip_id: EventId
    started_at: datetime
    ended_at: datetime
    driver_id: DriverId | None = None
    begin: Stop
    end: Stop
    distance_m: Annotated[int, Field(ge=0)]
    fuel_litres: float
    private: bool = False


class TripOfDriver(BaseModel):
    """The same trip for the driver's own list."""

    __store__: ClassVar = kw.CqlTable(
        journeys,
        "trips_by_driver",
        partition=["driver_id", "month"],
        clustering=["-started_at", "trip_id"],
        computed={"month": "{started_at:month}"},
        ttl=timedelta(days=730),
        compaction=kw.TimeWindow(window=timedelta(days=24)),
        kind="event",
    )

    driver_id: DriverId
    trip_id: EventId
    started_at: datetime
    vehicle_id: Annotated[VehicleId, kw.CopiedFrom(Trip, "vehicle_id", sync="never")]
    distance_m: Annotated[int, Field(ge=0), kw.CopiedFrom(Trip, "distance_m", sync="never")]
    score: Annotated[int, Field(ge=0, le=100)]


record_trip = kw.Put(Trip, rate="400k/day", peak="25/s", p99_ms=80)
record_trip_of_driver = kw.Put(TripOfDriver, rate="350k/day", peak="25/s", p99_ms=80)
trips_of_vehicle = kw.Read(
    Trip,
    eq="vehicle_id",
    range="started_at",
    span=timedelta(days=14),
    order="-started_at",
    limit=100,
    fan_out=2,
    rate="30/s",
    p99_ms=80,
)
trips_of_driver = kw.Read(
    TripOfDriver, eq=["driver_id", "month"], order="-started_at", limit=200, rate="10/s", p99_ms=80
)


class DriverActivity(BaseModel):
    """Driving, work and rest from the tachograph; a repeated download writes the same rows again."""

    __store__: ClassVar = kw.CqlTable(
        journeys,
        "driver_activities",
        partition=["driver_id", "month"],
        clustering="-started_at",
        computed={"month": "{started_at:month}"},
        ttl=timedelta(days=760),
        compaction=kw.TimeWindow(window=timedelta(days=25)),
        kind="event",
    )

    driver_id: DriverId
    started_at: datetime
    activity: Literal["drive", "work", "available", "rest"]
    minutes: Annotated[int, Field(ge=0, le=10_080)]
    vehicle_id: VehicleId | None = None


record_activity = kw.Put(DriverActivity, batch=30, rate="1/s", peak="15/s", p99_ms=150)
activities = kw.Read(
    DriverActivity,
    eq="driver_id",
    range="started_at",
    span=timedelta(days=28),
    order="-started_at",
    limit=1_000,
    fan_out=2,
    consistency="strong",
    rate="8/s",
    p99_ms=200,
)


class RoadEvent(BaseModel):
    """Harsh braking, speeding and collisions; a day of a customer is a partition of at most 25,000 rows."""

    __store__: ClassVar = kw.CqlTable(
        journeys,
        "road_events",
        partition=["tenant_id", "day"],
        clustering=["-at", "event_id"],
        computed={"day": "{at:date}"},
        ttl=timedelta(days=180),
        compaction=kw.TimeWindow(window=timedelta(days=6)),
        kind="event",
    )

    tenant_id: TenantId
    at: datetime
    event_id: EventId
    vehicle_id: VehicleId
    driver_id: DriverId | None = None
    type: Literal["braking", "acceleration", "cornering", "speeding", "collision"]
    severity: Severity
    longitude: Longitude
    latitude: Latitude


record_road_event = kw.Put(RoadEvent, rate="5/s", peak="25/s", p99_ms=60)
road_events_between = kw.Read(
    RoadEvent,
    eq="tenant_id",
    range="at",
    span=timedelta(days=6),
    order="-at",
    limit=500,
    fan_out=7,
    rate="1/s",
    p99_ms=400,
)


class GeofenceVisit(BaseModel):
    """A vehicle that entered or left a geofence."""

    __store__: ClassVar = kw.CqlTable(
        journeys,
        "geofence_visits",
        partition=["geofence_id", "month"],
        clustering=["-at", "vehicle_id"],
        computed={"month": "{at:month}"},
        ttl=timedelta(days=365),
        compaction=kw.TimeWindow(window=timedelta(days=12)),
        kind="event",
    )

    geofence_id: GeofenceId
    at: datetime
    vehicle_id: VehicleId
    direction: Literal["in", "out"]


record_visit = kw.Put(GeofenceVisit, rate="15/s", peak="60/s", p99_ms=60)
visits = kw.Read(
    GeofenceVisit,
    eq="geofence_id",
    range="at",
    span=timedelta(days=7),
    order="-at",
    limit=200,
    fan_out=2,
    rate="5/s",
    p99_ms=100,
)


class VehicleCommand(BaseModel):
    """A command to a vehicle and what became of it; each state writes the whole row, so all of it expires."""

    __store__: ClassVar = kw.CqlTable(
        journeys,
        "vehicle_commands",
        partition=["vehicle_id", "month"],
        clustering=["-issued_at", "command_id"],
        computed={"month": "{issued_at:month}"},
        ttl=timedelta(days=365),
        compaction=kw.Unified(scaling="T4"),
        kind="event",
    )

    vehicle_id: VehicleId
    command_id: EventId
    issued_at: datetime
    issued_by: Annotated[str, Field(max_length=26)]
    type: Literal["lock", "unlock", "immobilise", "request_position", "configure"]
    parameters: Annotated[dict[str, str], Field(max_length=20)] = {}
    state: Literal["queued", "sent", "done", "refused", "expired"]
    changed_at: datetime


issue_command = kw.Put(VehicleCommand, rate="30k/day", peak="10/s", p99_ms=80)
command_progress = kw.Put(VehicleCommand, rate="60k/day", peak="20/s", p99_ms=80)
commands_of_vehicle = kw.Read(
    VehicleCommand, eq=["vehicle_id", "month"], order="-issued_at", limit=50, rate="3/s", p99_ms=80
)
