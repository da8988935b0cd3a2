"""Slots, appointments, the waiting list and the figures of a day."""

from datetime import date, timedelta
from enum import StrEnum
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.common import AppointmentKey, ClinicCode, ClinicianKey, HospitalCode, PatientKey
from models.directory import Clinic, Clinician, care
from models.people import Patient


class SlotState(StrEnum):
    """Whether a slot can be booked."""

    FREE = "free"
    TAKEN = "taken"
    BLOCKED = "blocked"


class VisitState(StrEnum):
    """How far a visit is."""

    BOOKED = "booked"
    ARRIVED = "arrived"
    SEEN = "seen"
    MISSED = "missed"
    CANCELLED = "cancelled"


VisitKind = Literal["first", "control", "procedure", "video"]


class Slot(BaseModel):
    """A time that a clinician offers, ninety days ahead; nobody can offer the same time twice."""

    __store__: ClassVar = kw.Collection(
        care,
        "slots",
        id="{slot}",
        indexes=[
            kw.Index(["clinic", "kind", "starts_at"], where={"state": SlotState.FREE}),
            kw.Index(["clinician", "starts_at"], unique=True),
        ],
        kind="stock",
        expected=15_000_000,
        active=0.1,
    )

    slot: Annotated[UUID, kw.Cardinality(distinct=15_000_000)]
    clinic: Annotated[ClinicCode, kw.Ref(Clinic, on_missing="ignore", max_referrers=40_000)]
    clinician: Annotated[ClinicianKey, kw.Ref(Clinician, on_missing="hide", max_referrers=3_000)]
    kind: VisitKind
    starts_at: Annotated[AwareDatetime, kw.Ttl(after=timedelta(days=30))]
    minutes: Annotated[int, Field(ge=5, le=480)]
    state: SlotState = SlotState.FREE
    appointment: AppointmentKey | None = None


offer_slots = kw.Put(Slot, if_absent=True, batch=100, rate="1500/day", p99_ms=500)
free_slots = kw.Read(
    Slot,
    eq=["clinic", "kind"],
    where={"state": SlotState.FREE},
    range="starts_at",
    span=timedelta(days=14),
    order="starts_at",
    fields=["slot", "clinician", "starts_at", "minutes"],
    limit=40,
    rate="90/s",
    peak="300/s",
    p99_ms=60,
)
week_of_clinician = kw.Read(
    Slot,
    eq="clinician",
    range="starts_at",
    span=timedelta(days=7),
    order="starts_at",
    limit=200,
    rate="12/s",
    p99_ms=80,
)
block_slot = kw.Update(Slot, sets="state", where={"state": SlotState.FREE}, rate="3k/day", p99_ms=150)


class Appointment(BaseModel):
    """A visit that is booked. After four hundred days only the hospital's own record has it."""

    __store__: ClassVar = kw.Collection(
        care,
        "appointments",
        id="{appointment}",
        indexes=[
            kw.Index(["patient", "-starts_at"]),
            kw.Index(["clinic", "starts_at"]),
            kw.Index("slot", unique=True, where={"state": kw.OneOf(["booked", "arrived", "seen", "missed"])}),
        ],
        stream=kw.Stream(
            images="new",
            consumers=[kw.Consumer("day-figures", idempotency=["appointment", "changed_at"], on_failure="queue")],
        ),
        expected=48_000_000,
        active=0.02,
    )

    appointment: AppointmentKey
    slot: Annotated[UUID, kw.Ref(Slot, on_missing="ignore", max_referrers=4)]
    hospital: HospitalCode
    clinic: Annotated[ClinicCode, kw.Ref(Clinic, on_missing="ignore", max_referrers=120_000)]
    clinic_title: Annotated[str, Field(max_length=120), kw.CopiedFrom(Clinic, "title", sync="job")]
    clinician: Annotated[ClinicianKey, kw.Ref(Clinician, on_missing="ignore", max_referrers=12_000)]
    patient: Annotated[PatientKey, kw.Ref(Patient, on_missing="hide", max_referrers=120)]
    kind: VisitKind
    starts_at: Annotated[AwareDatetime, kw.Ttl(after=timedelta(days=400))]
    state: VisitState
    changed_at: AwareDatetime


take_slot = kw.Update(Slot, sets=["state", "appointment"], where={"state": SlotState.FREE})
enter_appointment = kw.Put(Appointment, if_absent=True)
book = kw.Transact([take_slot, enter_appointment], rate="120k/day", peak="15/s", p99_ms=250)

release_slot = kw.Update(Slot, sets="state", unset="appointment", where={"state": SlotState.TAKEN})
mark_cancelled = kw.Update(Appointment, sets=["state", "changed_at"], where={"state": VisitState.BOOKED})
cancel = kw.Transact([release_slot, mark_cancelled], rate="14k/day", peak="4/s", p99_ms=250)

progress_visit = kw.Update(Appointment, sets=["state", "changed_at"], rate="230k/day", peak="25/s", p99_ms=120)
appointment_detail = kw.Get(
    Appointment,
    eq="appointment",
    consistency="session",
    reads_back=[progress_visit],
    rate="70/s",
    peak="200/s",
    p99_ms=40,
)
appointments_of_patient = kw.Read(
    Appointment, eq="patient", order="-starts_at", limit=20, rate="60/s", peak="180/s", p99_ms=60
)
list_of_clinic = kw.Read(
    Appointment,
    eq="clinic",
    range="starts_at",
    span=timedelta(days=1),
    order="starts_at",
    limit=150,
    rate="45/s",
    peak="140/s",
    p99_ms=80,
)


class WaitingPatient(BaseModel):
    """A patient who would come sooner; called when somebody cancels."""

    __store__: ClassVar = kw.Collection(
        care,
        "waiting_patients",
        id="{clinic}|{patient}",
        indexes=[kw.Index(["clinic", "priority", "available_from"]), kw.Index("patient")],
        expected=220_000,
        active=0.3,
    )

    clinic: Annotated[ClinicCode, kw.Ref(Clinic, on_missing="ignore", max_referrers=900)]
    patient: Annotated[PatientKey, kw.Ref(Patient, on_missing="hide", max_referrers=5)]
    priority: Annotated[int, Field(ge=1, le=9)]
    available_from: date
    wish: Annotated[str, Field(max_length=140), kw.Pii()] = ""
    joined_at: AwareDatetime
    drops_out_at: Annotated[AwareDatetime, kw.Ttl()]


next_to_call = kw.Read(
    WaitingPatient,
    eq="clinic",
    range="available_from",
    order="priority",
    limit=25,
    rate="14k/day",
    peak="5/s",
    p99_ms=100,
)
waiting_lists_of_patient = kw.Read(WaitingPatient, eq="patient", limit=10, rate="6/s", p99_ms=60)
join_list = kw.Put(WaitingPatient, rate="5k/day", p99_ms=150)
leave_list = kw.Delete(WaitingPatient, rate="5k/day", p99_ms=150)


class ClinicDay(BaseModel):
    """The figures of a clinic's day, which the consumer of the appointments' changes keeps up to date."""

    __store__: ClassVar = kw.Collection(
        care,
        "clinic_days",
        id="{clinic}|{day:date}",
        indexes=[kw.Index(["hospital", "day"])],
        kind="analytics",
        expected=900_000,
        active=0.02,
    )

    clinic: Annotated[ClinicCode, kw.Ref(Clinic, on_missing="ignore", max_referrers=500)]
    hospital: HospitalCode
    day: date
    booked: Annotated[int, Field(ge=0)] = 0
    arrived: Annotated[int, Field(ge=0)] = 0
    missed: Annotated[int, Field(ge=0)] = 0
    gone_at: Annotated[AwareDatetime, kw.Ttl()]


figures_of_clinic = kw.Get(ClinicDay, eq=["clinic", "day"], rate="40/s", p99_ms=40)
figures_of_hospital = kw.Read(ClinicDay, eq=["hospital", "day"], limit=60, rate="60/s", p99_ms=60)
keep_figures = kw.Put(ClinicDay, rate="4/s", peak="40/s", p99_ms=120)
