"""Long rows of small facts, in Cassandra: routes, signals of vehicles, shifts, and who looked at what."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

import keywright as kw
from pydantic import BaseModel, Field

from models.people import DriverId

tracks = kw.Keyspace("tracks", owner="telemetry")

Longitude = Annotated[float, Field(ge=-180, le=180), kw.Pii()]
Latitude = Annotated[float, Field(ge=-90, le=90), kw.Pii()]


class LastPosition(BaseModel):
    """The newest position of a driver, for the rider who looks at the map."""

    __store__: ClassVar = kw.CqlTable(
        tracks,
        "last_positions",
        partition="driver_id",
        ttl=timedelta(days=1),
        compaction=kw.Unified(scaling="T4"),
        kind="session",
        expected=600_000,
    )

    driver_id: DriverId
    at: datetime
    longitude: Longitude
    latitude: Latitude
    heading: Annotated[int, Field(ge=0, le=359)]


set_position = kw.Put(LastPosition, rate="50k/s", peak="75k/s", p99_ms=20)
last_position = kw.Get(LastPosition, eq="driver_id", rate="20k/s", peak="60k/s", p99_ms=12)


class VehicleSignal(BaseModel):
    """A reading every second from the company's own 20,000 electric cars; an hour of one car is a partition."""

    __store__: ClassVar = kw.CqlTable(
        tracks,
        "vehicle_signals",
        partition=["vehicle_id", "hour"],
        clustering="-at",
        computed={"hour": "{at:hour}"},
        ttl=timedelta(days=60),
        compaction=kw.TimeWindow(window=timedelta(days=2)),
        kind="reading",
    )

    vehicle_id: Annotated[UUID, kw.Cardinality(distinct=20_000)]
    at: datetime
    charge_percent: Annotated[int, Field(ge=0, le=100)]
    battery_celsius: float
    volts: float
    amperes: float
    odometer_metres: Annotated[int, Field(ge=0)]


record_signals = kw.Put(VehicleSignal, batch=20, rate="1k/s", p99_ms=200)
signals_of_hour = kw.Read(VehicleSignal, eq=["vehicle_id", "hour"], order="-at", limit=600, rate="60/s", p99_ms=80)


class ShiftEvent(BaseModel):
    """A driver goes online, takes a break, goes offline; the law limits the hours between."""

    __store__: ClassVar = kw.CqlTable(
        tracks,
        "shift_events",
        partition=["driver_id", "month"],
        clustering=["-at", "event_id"],
        computed={"month": "{at:month}"},
        ttl=timedelta(days=400),
        compaction=kw.TimeWindow(window=timedelta(days=14)),
        kind="event",
    )

    driver_id: DriverId
    at: datetime
    event_id: UUID
    change: Literal["online", "break", "offline"]


log_shift_change = kw.Put(ShiftEvent, rate="150/s", peak="600/s", p99_ms=50)
shift_of_driver = kw.Read(
    ShiftEvent,
    eq="driver_id",
    range="at",
    span=timedelta(hours=24),
    order="-at",
    limit=100,
    fan_out=2,
    consistency="strong",
    reads_back=[log_shift_change],
    rate="120/s",
    peak="500/s",
    p99_ms=50,
)


class AccessRecord(BaseModel):
    """A look of an employee at personal data; kept for two years."""

    __store__: ClassVar = kw.CqlTable(
        tracks,
        "access_records",
        partition=["employee_id", "month"],
        clustering=["-at", "record_id"],
        computed={"month": "{at:month}"},
        ttl=timedelta(days=730),
        compaction=kw.TimeWindow(window=timedelta(days=25)),
        kind="event",
    )

    employee_id: Annotated[UUID, kw.Cardinality(distinct=9_000)]
    at: datetime
    record_id: UUID
    subject_id: UUID
    screen: Annotated[str, Field(max_length=60), kw.Size(avg=20, max=60)]
    purpose: Annotated[str, Field(max_length=120), kw.Size(avg=30, max=240)]


log_access = kw.Put(AccessRecord, rate="40/s", peak="150/s", p99_ms=50)
accesses_of_employee = kw.Read(
    AccessRecord, eq=["employee_id", "month"], order="-at", limit=200, rate="200/day", p99_ms=500
)
