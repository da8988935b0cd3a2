"""Lessons: timetables in MongoDB, registers and absences in DynamoDB."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.people import (
    ClassId,
    Guardian,
    GuardianId,
    Pupil,
    PupilId,
    SchoolClass,
    SchoolId,
    StaffId,
    StaffMember,
    cache,
)

Week = Annotated[str, Field(pattern=r"^\d{4}-W\d{2}$"), kw.Size(avg=8, max=8), kw.Cardinality(distinct=90)]
Subject = Annotated[str, Field(pattern=r"^[a-z]{2,12}$"), kw.Size(avg=6, max=12), kw.Cardinality(distinct=40)]

unexcused = kw.Gsi("unexcused", pk="open_at_school", sk="from_at", project=["pupil_id", "until", "reason"])

learning = kw.MongoDatabase("learning", owner="teaching")
attendance = kw.DynamoTable(
    "attendance",
    owner="teaching",
    gsis=[unexcused],
    stream=kw.Stream(
        consumers=[kw.Consumer("absence-alerts", idempotency=["pupil_id", "from_at"], on_failure="queue")]
    ),
)


class Lesson(BaseModel):
    """One lesson of a week."""

    weekday: Annotated[int, Field(ge=1, le=6)]
    period: Annotated[int, Field(ge=1, le=12)]
    subject: Subject
    teacher_id: Annotated[StaffId, kw.Ref(StaffMember, on_missing="hide")]
    room: Annotated[str, Field(max_length=12), kw.Size(avg=4, max=24)]


class Timetable(BaseModel):
    """The week of a class in one document, published as a whole."""

    __store__: ClassVar = kw.Collection(
        learning,
        "timetables",
        id="{class_id}_{week}",
        expected=4_000_000,
        active=0.03,
    )

    class_id: Annotated[ClassId, kw.Ref(SchoolClass, on_missing="hide", max_referrers=100)]
    week: Week
    lessons: Annotated[list[Lesson], Field(max_length=70), kw.Size(avg=4_200, max=14_000)]
    published_at: datetime
    expires_at: Annotated[datetime, kw.Ttl()]


cached_timetable = kw.bind(
    Timetable,
    kw.RedisCache(
        cache, key="timetable:{class_id}:{week}", ttl=timedelta(minutes=5), source_of_truth=Timetable, expected=110_000
    ),
)

timetable = kw.Get(Timetable, eq=["class_id", "week"], rate="30/s", peak="200/s", p99_ms=30)
timetable_page = kw.Get(cached_timetable, eq=["class_id", "week"], rate="250/s", peak="3k/s", p99_ms=5)
publish_timetable = kw.Put(Timetable, rate="12k/day", peak="60/s", p99_ms=100)


class AirReading(BaseModel):
    """The air of a classroom, measured every five minutes by 60,000 sensors."""

    __store__: ClassVar = kw.TimeSeries(
        learning,
        "air_readings",
        time="at",
        meta="room_id",
        granularity="minutes",
        kind="reading",
        expected=400_000_000,
        active=0.02,
    )

    room_id: Annotated[
        str, Field(pattern=r"^[a-z0-9]{8}-[0-9]{4}$"), kw.Size(avg=13, max=13), kw.Cardinality(distinct=60_000)
    ]
    at: datetime
    co2_ppm: Annotated[int, Field(ge=0, le=20_000)]
    celsius: Annotated[float, Field(ge=-40, le=80)]


record_air = kw.Put(AirReading, batch=50, rate="2/s", peak="6/s", p99_ms=200)
air_of_room = kw.Read(
    AirReading,
    eq="room_id",
    range="at",
    span=timedelta(days=1),
    order="-at",
    limit=300,
    rate="3/s",
    peak="20/s",
    p99_ms=100,
)


class Mark(BaseModel):
    """A pupil who is not there, or came late; all others are present."""

    pupil_id: Annotated[PupilId, kw.Ref(Pupil, on_missing="hide")]
    state: Literal["absent", "late", "excused"]
    minutes_late: Annotated[int, Field(ge=0, le=90)] = 0


class LessonRegister(BaseModel):
    """What a teacher enters at the start of a lesson; it is written as a whole and may be sent twice."""

    __store__: ClassVar = kw.Item(
        attendance, pk="CLASS#{class_id}", sk="REG#{starts_at:iso}", expected=200_000_000, active=0.002
    )

    class_id: Annotated[ClassId, kw.Ref(SchoolClass, on_missing="hide", max_referrers=1_600)]
    starts_at: datetime
    subject: Subject
    teacher_id: Annotated[StaffId, kw.Ref(StaffMember, on_missing="hide", max_referrers=6_000)]
    topic: Annotated[str, Field(max_length=200), kw.Size(avg=40, max=400)] = ""
    marks: Annotated[list[Mark], Field(max_length=40), kw.Size(avg=160, max=3_600)] = []
    expires_at: Annotated[datetime, kw.Ttl()]


registers_of_class = kw.Read(
    LessonRegister,
    eq="class_id",
    range="starts_at",
    span=timedelta(days=7),
    order="-starts_at",
    limit=40,
    rate="15/s",
    peak="120/s",
    p99_ms=50,
)
save_register = kw.Put(LessonRegister, rate="330k/day", peak="600/s", p99_ms=50)


class Absence(BaseModel):
    """An absence of a pupil; `open_at_school` is set only until somebody has excused it."""

    __store__: ClassVar = kw.Item(
        attendance, pk="PUPIL#{pupil_id}", sk="ABS#{from_at:iso}", expected=60_000_000, active=0.01
    )

    pupil_id: Annotated[PupilId, kw.Ref(Pupil, on_missing="hide", max_referrers=300)]
    from_at: datetime
    until: datetime
    state: Literal["unexcused", "excused"]
    open_at_school: SchoolId | None = None
    reason: Annotated[str, Field(max_length=300), kw.Size(avg=40, max=600), kw.Pii()] = ""
    excused_by: Annotated[GuardianId | None, kw.Ref(Guardian, on_missing="hide", max_referrers=300)] = None
    expires_at: Annotated[datetime, kw.Ttl()]


absences_of_pupil = kw.Read(Absence, eq="pupil_id", order="-from_at", limit=50, rate="25/s", peak="250/s", p99_ms=50)
unexcused_of_school = kw.Read(
    Absence,
    eq="open_at_school",
    order="from_at",
    limit=100,
    fields=["pupil_id", "from_at", "until", "reason", "open_at_school"],
    rate="4/s",
    peak="60/s",
    p99_ms=60,
)
report_absence = kw.Put(Absence, if_absent=True, rate="90k/day", peak="150/s", p99_ms=50)
excuse = kw.Update(
    Absence,
    sets=["state", "excused_by", "reason"],
    unset="open_at_school",
    where={"state": "unexcused"},
    rate="70k/day",
    peak="100/s",
    p99_ms=50,
)
