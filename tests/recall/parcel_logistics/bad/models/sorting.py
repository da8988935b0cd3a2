"""The hubs: chutes for parcels in DynamoDB; drives, gates and loads in Cassandra."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.shared import HubCode, ParcelNo

sortplan = kw.DynamoTable("sortplan", owner="hubs", discriminator=None)


class ChuteAssignment(BaseModel):
    """Where the sorter of a hub drops a parcel. Hubs work through the night in equal waves, and the planner revises
    each parcel at a fixed pace, so the load is the same at every hour."""

    __store__: ClassVar = kw.Item(sortplan, pk="PARCEL#{parcel_no}", sk="HUB#{hub}", expected=40_000_000, kind="cache")

    parcel_no: ParcelNo
    hub: HubCode
    chute: Annotated[int, Field(ge=1, le=900)]
    wave: Annotated[int, Field(ge=1, le=48)]
    stale_after: Annotated[datetime, kw.Ttl()]


assign_chute = kw.Put(ChuteAssignment, rate="3.6k/s", peak="3.8k/s", p99_ms=20)
chute_of_parcel = kw.Get(ChuteAssignment, eq=["parcel_no", "hub"], rate="4.2k/s", peak="4.5k/s", p99_ms=12)

sorting = kw.Keyspace("sorting", owner="hubs")

DriveId = Annotated[
    str, Field(pattern=r"^H[A-Z]{3}-D[0-9]{4}$"), kw.Size(avg=10, max=10), kw.Cardinality(distinct=5_200)
]


class DriveReading(BaseModel):
    """What a motor of a conveyor measures each second."""

    __store__: ClassVar = kw.CqlTable(
        sorting,
        "drive_readings",
        partition=["drive_id", "year"],
        clustering="-at",
        ttl=timedelta(days=400),
        compaction=kw.TimeWindow(window=timedelta(days=14)),
        kind="reading",
    )

    drive_id: DriveId
    year: Annotated[int, Field(ge=2024, le=2099), kw.Cardinality(distinct=2)]
    at: datetime
    amperes: float
    rpm: Annotated[int, Field(ge=0, le=6_000)]
    bearing_celsius: float
    vibration_mm_s: float


record_drive = kw.Put(DriveReading, rate="5.2k/s", p99_ms=40)
drive_lately = kw.Read(
    DriveReading,
    eq=["drive_id", "year"],
    range="at",
    span=timedelta(hours=2),
    order="-at",
    limit=2_000,
    rate="4/s",
    p99_ms=200,
)


class GateScan(BaseModel):
    """A parcel that passed a gate, and for the lamp above the gate what passed last. The busiest gate scans eight
    parcels a second."""

    __store__: ClassVar = kw.CqlTable(
        sorting,
        "gate_scans",
        partition=["gate", "hour"],
        clustering=["-scanned_at", "parcel_no"],
        static=["latest_parcel", "latest_at"],
        computed={"hour": "{scanned_at:hour}"},
        ttl=timedelta(days=21),
        compaction=kw.TimeWindow(window=timedelta(days=1)),
        kind="event",
    )

    gate: Annotated[
        str, Field(pattern=r"^[A-Z0-9]{4,5}-G[0-9]{2}$"), kw.Size(avg=9, max=9), kw.Cardinality(distinct=3_900)
    ]
    scanned_at: datetime
    parcel_no: ParcelNo
    weight_g: Annotated[int, Field(ge=1, le=70_000)]
    readable: bool
    latest_parcel: ParcelNo
    latest_at: datetime


scan_at_gate = kw.Put(GateScan, rate="1.4k/s", peak="6k/s", hot_key="8/s", p99_ms=40)
scans_of_gate = kw.Read(GateScan, eq=["gate", "hour"], order="-scanned_at", limit=200, rate="25/s", p99_ms=80)


class LineHaulTrip(BaseModel):
    """A trailer on its way between two hubs; yards and customers' services ask for it all the time."""

    __store__: ClassVar = kw.CqlTable(
        sorting,
        "line_haul_trips",
        partition="trip_id",
        ttl=timedelta(days=60),
        compaction=kw.Unified(scaling="L4"),
        expected=1_800_000,
        active=0.05,
    )

    trip_id: Annotated[str, Field(pattern=r"^T[0-9]{10}$"), kw.Size(avg=11, max=11), kw.Cardinality(distinct=1_800_000)]
    from_hub: HubCode
    to_hub: HubCode
    plate: Annotated[str, Field(max_length=10)]
    departs_at: datetime
    arrives_at: datetime
    seal: Annotated[str, Field(max_length=20)]
    parcels: Annotated[set[ParcelNo], Field(max_length=8_000)]


trip = kw.Get(LineHaulTrip, eq="trip_id", rate="1.2k/s", peak="4k/s", p99_ms=25)
plan_trip = kw.Put(LineHaulTrip, rate="60k/day", peak="4/s", p99_ms=60)
load_parcels = kw.Update(LineHaulTrip, sets="parcels", rate="60k/day", peak="4/s", p99_ms=100)


class HubHour(BaseModel):
    """Parcels of a hub in an hour, added up by the sorter and written every ten seconds."""

    __store__: ClassVar = kw.CqlTable(
        sorting,
        "hub_hours",
        partition=["hub", "day"],
        clustering=["-hour", "line"],
        counters=["inducted", "rejected"],
        expected=4_000_000,
        kind="analytics",
        keep_forever="some hundred short rows a day for each hub; planning compares one peak season with the next",
    )

    hub: HubCode
    day: Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"), kw.Cardinality(distinct=1_000)]
    hour: Annotated[int, Field(ge=0, le=23)]
    line: Literal["small", "large", "bulky"]
    inducted: int
    rejected: int


count_inducted = kw.Increment(HubHour, "inducted", by=900, rate="10/s", p99_ms=80)
count_rejected = kw.Increment(HubHour, "rejected", by=12, rate="10/s", p99_ms=80)
hub_day = kw.Read(HubHour, eq=["hub", "day"], order="-hour", limit=72, rate="2k/day", p99_ms=100)
