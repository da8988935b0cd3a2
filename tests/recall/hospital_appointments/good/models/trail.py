"""What happened to appointments and who looked at which record, in Cassandra: a table for each question."""

from datetime import timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.common import AppointmentKey, ClinicCode, HospitalCode, PatientKey, StaffKey

trail = kw.Keyspace("trail", owner="audit")

Deed = Literal["booked", "moved", "cancelled", "arrived", "called", "seen", "missed", "billed"]


class VisitDeed(BaseModel):
    """Something that was done to an appointment, in the order in which it was done."""

    __store__: ClassVar = kw.CqlTable(
        trail,
        "visit_deeds",
        partition="appointment",
        clustering=["done_at", "deed_id"],
        ttl=timedelta(days=1_095),
        compaction=kw.TimeWindow(window=timedelta(days=36)),
        kind="event",
    )

    appointment: AppointmentKey
    done_at: AwareDatetime
    deed_id: UUID
    actor: StaffKey
    deed: Deed
    remark: Annotated[str, Field(max_length=200)] = ""


class DeedOfActor(BaseModel):
    """The same by the member of staff who did it."""

    __store__: ClassVar = kw.CqlTable(
        trail,
        "deeds_by_actor",
        partition=["actor", "month"],
        clustering=["-done_at", "deed_id"],
        computed={"month": "{done_at:month}"},
        ttl=timedelta(days=1_095),
        compaction=kw.TimeWindow(window=timedelta(days=36)),
        kind="event",
    )

    actor: StaffKey
    done_at: AwareDatetime
    deed_id: UUID
    appointment: AppointmentKey
    deed: Deed


record_deed = kw.Put(VisitDeed)
record_deed_of_actor = kw.Put(DeedOfActor)
record_both = kw.Transact([record_deed, record_deed_of_actor], rate="600k/day", peak="70/s", p99_ms=80)
history_of_visit = kw.Read(VisitDeed, eq="appointment", order="done_at", limit=60, rate="8/s", p99_ms=60)
deeds_of_actor = kw.Read(DeedOfActor, eq=["actor", "month"], order="-done_at", limit=100, rate="2k/day", p99_ms=150)


class RecordOpened(BaseModel):
    """Somebody opened a patient's record; patients may ask for this for six years."""

    __store__: ClassVar = kw.CqlTable(
        trail,
        "records_opened",
        partition=["patient", "month"],
        clustering=["-opened_at", "opening"],
        computed={"month": "{opened_at:month}"},
        ttl=timedelta(days=2_192),
        compaction=kw.TimeWindow(window=timedelta(days=73)),
        compression="Zstd",
        kind="event",
    )

    patient: PatientKey
    opened_at: AwareDatetime
    opening: UUID
    actor: StaffKey
    part: Literal["summary", "reports", "letters", "appointments", "messages"]
    ground: Annotated[str, Field(max_length=80)]


log_opening = kw.Put(RecordOpened, rate="1.5M/day", peak="90/s", p99_ms=60)
openings_of_record = kw.Read(
    RecordOpened, eq=["patient", "month"], order="-opened_at", limit=100, rate="500/day", p99_ms=200
)


class BoardEvent(BaseModel):
    """What the boards in the halls of a hospital show: about twenty-five thousand rows on a working day."""

    __store__: ClassVar = kw.CqlTable(
        trail,
        "board_events",
        partition=["hospital", "day"],
        clustering=["-at", "event"],
        computed={"day": "{at:date}"},
        ttl=timedelta(days=15),
        compaction=kw.TimeWindow(window=timedelta(hours=12)),
        kind="event",
    )

    hospital: HospitalCode
    at: AwareDatetime
    event: UUID
    clinic: ClinicCode
    ticket: Annotated[str, Field(max_length=8)]
    room: Annotated[str, Field(max_length=12)]
    stage: Literal["waiting", "called", "inside", "done"]


post_board_event = kw.Put(BoardEvent, rate="1.5M/day", peak="120/s", p99_ms=50)
latest_on_board = kw.Read(
    BoardEvent, eq=["hospital", "day"], order="-at", limit=80, rate="70/s", peak="200/s", p99_ms=40
)


class TraceSpan(BaseModel):
    """A step of a call between services, for finding faults."""

    __store__: ClassVar = kw.CqlTable(
        trail,
        "trace_spans",
        partition="trace",
        clustering=["began_at", "span"],
        ttl=timedelta(days=14),
        compaction=kw.TimeWindow(window=timedelta(hours=12)),
        kind="event",
    )

    trace: Annotated[UUID, kw.Cardinality(distinct=90_000_000)]
    began_at: AwareDatetime
    span: UUID
    service: Annotated[str, Field(max_length=40)]
    operation: Annotated[str, Field(max_length=80)]
    micros: Annotated[int, Field(ge=0)]
    failed: bool = False


record_span = kw.Put(TraceSpan, consistency="eventual", batch=20, rate="45/s", peak="150/s", p99_ms=100)
spans_of_trace = kw.Read(TraceSpan, eq="trace", order="began_at", limit=200, rate="1k/day", p99_ms=300)


class EquipmentHour(BaseModel):
    """A clinic's claim on a portable device, such as an ultrasound, for one hour; the first claim holds."""

    __store__: ClassVar = kw.CqlTable(
        trail,
        "equipment_hours",
        partition=["equipment", "week"],
        clustering="hour",
        computed={"week": "{hour:week}"},
        ttl=timedelta(days=120),
        compaction=kw.Unified(scaling="T4"),
        kind="stock",
    )

    equipment: Annotated[str, Field(pattern=r"^EQ[0-9]{6}$"), kw.Size(avg=8, max=8), kw.Cardinality(distinct=7_500)]
    hour: AwareDatetime
    clinic: ClinicCode
    claimed_by: StaffKey


claim_hour = kw.Put(EquipmentHour, if_absent=True, rate="6k/day", peak="2/s", p99_ms=250)
hours_of_equipment = kw.Read(
    EquipmentHour, eq=["equipment", "week"], order="hour", limit=168, consistency="strong", rate="4/s", p99_ms=100
)
give_back_hour = kw.Delete(EquipmentHour, rate="500/day", p99_ms=150)
