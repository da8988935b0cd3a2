"""Video visits and measurements: monitors at home in Cassandra; the exercise laboratory and the kiosks in MongoDB."""

from datetime import timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.common import AppointmentKey, ClinicianKey, HospitalCode, Language, PatientKey
from models.directory import care

telehealth = kw.Keyspace("telehealth", owner="telehealth")


class HomeVital(BaseModel):
    """A value of a monitor at a patient's home, every ten seconds: nine thousand rows in a monitor's day."""

    __store__: ClassVar = kw.CqlTable(
        telehealth,
        "home_vitals",
        partition=["monitor", "day"],
        clustering="-measured_at",
        computed={"day": "{measured_at:date}"},
        ttl=timedelta(days=60),
        compaction=kw.TimeWindow(window=timedelta(days=2)),
        kind="reading",
    )

    monitor: Annotated[str, Field(pattern=r"^HM[0-9]{8}$"), kw.Size(avg=10, max=10), kw.Cardinality(distinct=50_000)]
    measured_at: AwareDatetime
    pulse: Annotated[int, Field(ge=0, le=300)]
    saturation: Annotated[int, Field(ge=0, le=100)]
    breaths: Annotated[int, Field(ge=0, le=90)]


record_vital = kw.Put(HomeVital, rate="5k/s", peak="6k/s", p99_ms=50)
last_hours = kw.Read(
    HomeVital,
    eq="monitor",
    range="measured_at",
    span=timedelta(hours=2),
    order="-measured_at",
    limit=720,
    fan_out=2,
    rate="30/s",
    p99_ms=120,
)


class VideoVisit(BaseModel):
    """A video visit, from the opening of the room."""

    __store__: ClassVar = kw.CqlTable(
        telehealth,
        "video_visits",
        partition="visit",
        ttl=timedelta(days=365),
        compaction=kw.Unified(scaling="T4"),
        expected=3_000_000,
    )

    visit: Annotated[UUID, kw.Cardinality(distinct=3_000_000)]
    appointment: AppointmentKey
    clinician: ClinicianKey
    patient: PatientKey
    opened_at: AwareDatetime
    relay: Annotated[str, Field(max_length=40)]


class VisitStep(BaseModel):
    """Somebody joined, left, shared a picture or lost the connection."""

    __store__: ClassVar = kw.CqlTable(
        telehealth,
        "video_visit_steps",
        partition="visit",
        clustering=["at", "step"],
        ttl=timedelta(days=365),
        compaction=kw.TimeWindow(window=timedelta(days=12)),
        kind="event",
    )

    visit: Annotated[UUID, kw.Cardinality(distinct=3_000_000)]
    at: AwareDatetime
    step: UUID
    what: Literal["joined", "left", "shared", "lost", "returned"]
    who: Literal["patient", "caregiver", "clinician", "interpreter"]


open_room = kw.Put(VideoVisit, rate="9k/day", peak="2/s", p99_ms=80)
video_visit = kw.Get(VideoVisit, eq="visit", consistency="strong", rate="5/s", p99_ms=60)
add_step = kw.Put(VisitStep, rate="110k/day", peak="20/s", p99_ms=60)
steps_of_visit = kw.Read(VisitStep, eq="visit", order="at", limit=100, rate="10k/day", p99_ms=100)


class TreadmillBeat(BaseModel):
    """Heart rate and load of a treadmill of the exercise laboratories: each one sends a value every second."""

    __store__: ClassVar = kw.TimeSeries(
        care,
        "treadmill_beats",
        time="at",
        meta="treadmill",
        granularity="seconds",
        ttl=timedelta(days=30),
        kind="reading",
    )

    treadmill: Annotated[str, Field(pattern=r"^TM[0-9]{4}$"), kw.Size(avg=6, max=6), kw.Cardinality(distinct=240)]
    at: AwareDatetime
    beats: Annotated[int, Field(ge=0, le=300)]
    watts: Annotated[int, Field(ge=0, le=900)]


record_beats = kw.Put(TreadmillBeat, batch=60, rate="2/s", peak="4/s", p99_ms=200)
beats_of_test = kw.Read(
    TreadmillBeat,
    eq="treadmill",
    range="at",
    span=timedelta(minutes=20),
    order="at",
    limit=1_200,
    rate="2k/day",
    p99_ms=300,
)


class KioskStep(BaseModel):
    """A screen of the kiosk and how long it was shown."""

    screen: Annotated[str, Field(max_length=30)]
    seconds: Annotated[int, Field(ge=0, le=600)]


class KioskCheckIn(BaseModel):
    """A check-in at a kiosk, written at each step; support looks a kiosk up when it behaves strangely."""

    __store__: ClassVar = kw.Collection(
        care,
        "kiosk_check_ins",
        id="{check_in}",
        indexes=[kw.Index(["kiosk", "-started_at"])],
        kind="event",
        expected=3_400_000,
        active=0.05,
    )

    check_in: Annotated[UUID, kw.Cardinality(distinct=3_400_000)]
    kiosk: Annotated[str, Field(pattern=r"^K[0-9]{5}$"), kw.Size(avg=6, max=6), kw.Cardinality(distinct=1_400)]
    hospital: HospitalCode
    appointment: AppointmentKey | None = None
    started_at: Annotated[AwareDatetime, kw.Ttl(after=timedelta(days=28))]
    steps: Annotated[list[KioskStep], Field(max_length=25)] = []
    outcome: Literal["running", "arrived", "sent-to-desk", "given-up"] = "running"
    card_read: bool = False
    ticket_printed: bool = False
    language: Language
    software: Annotated[str, Field(max_length=16)]


begin_check_in = kw.Put(KioskCheckIn, if_absent=True, rate="120k/day", peak="20/s", p99_ms=150)
advance_check_in = kw.Update(
    KioskCheckIn,
    sets=["outcome", "card_read", "ticket_printed"],
    pushes="steps",
    rate="900k/day",
    peak="140/s",
    p99_ms=150,
)
check_ins_of_kiosk = kw.Read(KioskCheckIn, eq="kiosk", order="-started_at", limit=50, rate="300/day", p99_ms=200)
