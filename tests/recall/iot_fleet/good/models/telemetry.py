"""What vehicles measure, in Cassandra: a partition for each source and day, kept as long as it is of use."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.common import DeviceId, Latitude, Longitude, VehicleId
from models.registry import fleet

telematics = kw.Keyspace("telematics", owner="ingestion")


class Position(BaseModel):
    """A position, every ten seconds while the vehicle moves: about three thousand rows in a day's partition."""

    __store__: ClassVar = kw.CqlTable(
        telematics,
        "positions",
        partition=["vehicle_id", "day"],
        clustering="-at",
        computed={"day": "{at:date}"},
        ttl=timedelta(days=90),
        compaction=kw.TimeWindow(window=timedelta(days=3)),
        kind="reading",
    )

    vehicle_id: VehicleId
    at: datetime
    longitude: Longitude
    latitude: Latitude
    speed_kmh: Annotated[int, Field(ge=0, le=250)]
    heading: Annotated[int, Field(ge=0, le=359)]
    odometer_m: Annotated[int, Field(ge=0)]
    ignition: bool


record_position = kw.Put(Position, rate="3k/s", peak="7.5k/s", p99_ms=50)
route = kw.Read(
    Position,
    eq="vehicle_id",
    range="at",
    span=timedelta(hours=10),
    order="at",
    limit=4_000,
    fan_out=2,
    rate="5/s",
    p99_ms=300,
)


class EngineSample(BaseModel):
    """Engine values, twice a minute."""

    __store__: ClassVar = kw.CqlTable(
        telematics,
        "engine_samples",
        partition=["vehicle_id", "day"],
        clustering="-at",
        computed={"day": "{at:date}"},
        ttl=timedelta(days=60),
        compaction=kw.TimeWindow(window=timedelta(days=2)),
        kind="reading",
    )

    vehicle_id: VehicleId
    at: datetime
    engine_rpm: Annotated[int, Field(ge=0, le=9_000)]
    coolant_celsius: Annotated[int, Field(ge=-50, le=200)]
    fuel_litres: float
    battery_volts: float
    load_percent: Annotated[int, Field(ge=0, le=100)]


record_engine = kw.Put(EngineSample, rate="1k/s", peak="2.5k/s", p99_ms=50)
engine_of_vehicle = kw.Read(
    EngineSample,
    eq="vehicle_id",
    range="at",
    span=timedelta(hours=6),
    order="-at",
    limit=1_000,
    fan_out=2,
    rate="5/s",
    p99_ms=200,
)


class CargoReading(BaseModel):
    """Temperature of a cooled compartment, every five minutes; food law wants it for thirteen months."""

    __store__: ClassVar = kw.CqlTable(
        telematics,
        "cargo_readings",
        partition=["sensor_id", "month"],
        clustering="-at",
        computed={"month": "{at:month}"},
        ttl=timedelta(days=400),
        compaction=kw.TimeWindow(window=timedelta(days=14)),
        kind="reading",
    )

    sensor_id: Annotated[
        str, Field(pattern=r"^[0-9A-F]{12}$"), kw.Size(avg=12, max=12), kw.Cardinality(distinct=30_000)
    ]
    at: datetime
    celsius: float
    door_open: bool


record_cargo = kw.Put(CargoReading, rate="100/s", p99_ms=50)
cold_chain = kw.Read(
    CargoReading,
    eq="sensor_id",
    range="at",
    span=timedelta(days=2),
    order="at",
    limit=1_000,
    fan_out=2,
    rate="2/s",
    p99_ms=200,
)


class FaultCode(BaseModel):
    """A diagnostic trouble code; a vehicle has a few in a month."""

    __store__: ClassVar = kw.CqlTable(
        telematics,
        "fault_codes",
        partition="vehicle_id",
        clustering=["-at", "code"],
        ttl=timedelta(days=1_095),
        compaction=kw.TimeWindow(window=timedelta(days=30)),
        kind="event",
    )

    vehicle_id: VehicleId
    at: datetime
    code: Annotated[str, Field(pattern=r"^[A-Z0-9]{4,8}$"), kw.Size(avg=5, max=8)]
    unit: Annotated[str, Field(max_length=30)]
    odometer_m: Annotated[int, Field(ge=0)]
    status: Literal["pending", "confirmed", "permanent"]


record_fault = kw.Put(FaultCode, rate="20k/day", peak="5/s", p99_ms=50)
faults_of_vehicle = kw.Read(FaultCode, eq="vehicle_id", order="-at", limit=50, rate="10/s", p99_ms=60)


class BatteryLevel(BaseModel):
    """The charge of the units on trailers, every quarter of an hour; workshop reports group it."""

    __store__: ClassVar = kw.TimeSeries(
        fleet,
        "battery_levels",
        time="at",
        meta="device_id",
        granularity="minutes",
        ttl=timedelta(days=120),
        kind="reading",
    )

    device_id: DeviceId
    at: datetime
    percent: Annotated[int, Field(ge=0, le=100)]
    volts: float


record_battery = kw.Put(BatteryLevel, batch=50, rate="1/s", p99_ms=200)
battery_of_device = kw.Read(
    BatteryLevel, eq="device_id", range="at", span=timedelta(days=7), order="-at", limit=700, rate="1/s", p99_ms=200
)


class IngestCount(BaseModel):
    """Messages and rejected messages of a gateway in an hour, added up by the gateway and flushed twice a minute."""

    __store__: ClassVar = kw.CqlTable(
        telematics,
        "ingest_counts",
        partition=["gateway", "day"],
        clustering="-hour",
        counters=["messages", "rejected"],
        expected=350_000,
        kind="analytics",
        keep_forever="twenty-four short rows a day for each gateway; capacity planning compares years",
    )

    gateway: Annotated[str, Field(pattern=r"^[a-z0-9-]{4,20}$"), kw.Size(avg=10, max=20), kw.Cardinality(distinct=40)]
    day: Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"), kw.Cardinality(distinct=365)]
    hour: Annotated[int, Field(ge=0, le=23)]
    messages: int
    rejected: int


count_messages = kw.Increment(IngestCount, "messages", by=3_000, rate="2/s", p99_ms=100)
count_rejected = kw.Increment(IngestCount, "rejected", by=5, rate="1/s", p99_ms=100)
ingest_of_day = kw.Read(IngestCount, eq=["gateway", "day"], order="-hour", limit=24, rate="1k/day", p99_ms=200)
