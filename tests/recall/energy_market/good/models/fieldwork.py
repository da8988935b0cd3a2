"""Meters in stock and on walls, and the crews that exchange them, in Cassandra: a table for each question."""

from datetime import date, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.units import CrewId, DeviceId, Key, MeterPoint

fieldwork = kw.Keyspace("fieldwork", owner="field-service")

SerialNumber = Annotated[
    str, Field(pattern=r"^[0-9][A-Z]{3}[0-9]{10}$"), kw.Size(avg=14, max=14), kw.Cardinality(distinct=12_000_000)
]
Day = Annotated[date, kw.Cardinality(distinct=400)]


class Meter(BaseModel):
    """A meter from delivery to scrapping."""

    __store__: ClassVar = kw.CqlTable(
        fieldwork,
        "meters",
        partition="device_id",
        compaction=kw.Unified(scaling="L4"),
        expected=12_000_000,
        active=0.02,
    )

    device_id: DeviceId
    serial: SerialNumber
    maker: Annotated[str, Field(max_length=40)]
    built_in: Annotated[int, Field(ge=1990, le=2100)]
    calibrated_until: date
    state: Literal["stock", "mounted", "removed", "scrapped"]


class MeterBySerial(BaseModel):
    """The identifier of the meter on whose cover a serial number is printed."""

    __store__: ClassVar = kw.CqlTable(
        fieldwork,
        "meters_by_serial",
        partition="serial",
        compaction=kw.Unified(scaling="L4"),
        expected=12_000_000,
        active=0.02,
    )

    serial: SerialNumber
    device_id: Annotated[DeviceId, kw.CopiedFrom(Meter, "device_id", sync="transaction")]


deliver_meter = kw.Transact([kw.Put(Meter), kw.Put(MeterBySerial)], rate="5k/day", peak="20/s", p99_ms=200)
meter = kw.Get(Meter, eq="device_id", rate="40/s", p99_ms=50)
meter_by_serial = kw.Get(MeterBySerial, eq="serial", rate="20/s", peak="90/s", p99_ms=50)
move_meter = kw.Update(Meter, sets="state", rate="9k/day", p99_ms=100)


class Appointment(BaseModel):
    """A quarter of a crew's day that belongs to the first household that takes it."""

    __store__: ClassVar = kw.CqlTable(
        fieldwork,
        "appointments",
        partition=["crew", "day"],
        clustering="slot",
        ttl=timedelta(days=400),
        compaction=kw.Unified(scaling="T4"),
        expected=2_200_000,
        active=0.05,
    )

    crew: CrewId
    day: Day
    slot: Annotated[int, Field(ge=1, le=24)]
    point: MeterPoint
    booked_at: AwareDatetime


book_appointment = kw.Put(Appointment, if_absent=True, rate="6k/day", peak="10/s", p99_ms=300)
appointments_of_day = kw.Read(
    Appointment, eq=["crew", "day"], order="slot", limit=24, consistency="strong", rate="5/s", p99_ms=100
)


class Visit(BaseModel):
    """A crew's task of the day, with all that the tablet shows of the meter."""

    __store__: ClassVar = kw.CqlTable(
        fieldwork,
        "visits",
        partition=["crew", "day"],
        clustering=["slot", "visit_id"],
        ttl=timedelta(days=1_100),
        compaction=kw.Unified(scaling="T4"),
        expected=7_000_000,
        active=0.02,
    )

    crew: CrewId
    day: Day
    slot: Annotated[int, Field(ge=1, le=24)]
    visit_id: Key
    task: Literal["mount", "exchange", "remove", "inspect", "disconnect"]
    device_id: DeviceId
    serial: Annotated[SerialNumber, kw.CopiedFrom(Meter, "serial", sync="never")]
    maker: Annotated[str, Field(max_length=40), kw.CopiedFrom(Meter, "maker", sync="never")]
    done: bool = False
    seals: Annotated[set[Annotated[str, Field(pattern=r"^[0-9]{8}$")]], Field(max_length=8)] = set()


plan_visit = kw.Put(Visit, rate="7k/day", peak="30/s", p99_ms=100)
visits_of_day = kw.Read(Visit, eq=["crew", "day"], order="slot", limit=40, rate="12/s", p99_ms=100)
finish_visit = kw.Put(Visit, rate="7k/day", peak="10/s", p99_ms=100)


class MeterEvent(BaseModel):
    """What happened to a meter; a tablet that sends it twice writes the same row."""

    __store__: ClassVar = kw.CqlTable(
        fieldwork,
        "meter_events",
        partition="device_id",
        clustering=["-at", "event_id"],
        ttl=timedelta(days=4_380),
        compaction=kw.TimeWindow(window=timedelta(days=146)),
        kind="event",
    )

    device_id: Annotated[DeviceId, kw.Ref(Meter, on_missing="ignore", max_referrers=60)]
    at: AwareDatetime
    event_id: Key
    text: Annotated[str, Field(max_length=200)]


note_event = kw.Put(MeterEvent, rate="16k/day", peak="10/s", p99_ms=100)
events_of_meter = kw.Read(MeterEvent, eq="device_id", order="-at", limit=60, rate="4/s", p99_ms=80)
