"""Homework, submissions, exams and grades in MongoDB."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.lessons import Subject, learning
from models.people import ClassId, Pupil, PupilId, SchoolClass, StaffId, StaffMember, Ulid

FileKey = Annotated[str, Field(max_length=120), kw.Size(avg=60, max=120)]
Points = Annotated[int, Field(ge=0, le=15)]


class Homework(BaseModel):
    """A task for a class; files are in the object store, their keys here."""

    __store__: ClassVar = kw.Collection(
        learning,
        "homework",
        id="{homework_id}",
        indexes=[kw.Index(["class_id", "-due_at"])],
        expected=18_000_000,
        active=0.01,
    )

    homework_id: Ulid
    class_id: Annotated[ClassId, kw.Ref(SchoolClass, on_missing="hide", max_referrers=500)]
    teacher_id: Annotated[StaffId, kw.Ref(StaffMember, on_missing="hide", max_referrers=2_500)]
    subject: Subject
    title: Annotated[str, Field(max_length=120), kw.Size(avg=30, max=240)]
    text: Annotated[str, Field(max_length=4_000), kw.Size(avg=400, max=8_000)]
    files: Annotated[list[FileKey], Field(max_length=10), kw.Size(avg=80, max=1_300)] = []
    opened: Annotated[int, Field(ge=0)] = 0
    assigned_at: datetime
    due_at: Annotated[datetime, kw.Ttl(after=timedelta(days=500))]


homework_of_class = kw.Read(Homework, eq="class_id", order="-due_at", limit=20, rate="60/s", peak="700/s", p99_ms=50)
assign_homework = kw.Put(Homework, if_absent=True, rate="60k/day", peak="40/s", p99_ms=100)


count_opened = kw.Increment(Homework, "opened", rate="600k/day", peak="200/s", p99_ms=100)


class Submission(BaseModel):
    """What a pupil handed in: one document for each task and pupil."""

    __store__: ClassVar = kw.Collection(
        learning,
        "submissions",
        id="{homework_id}_{pupil_id}",
        indexes=[kw.Index(["homework_id", "submitted_at"])],
        expected=70_000_000,
        active=0.01,
    )

    homework_id: Annotated[Ulid, kw.Ref(Homework, on_missing="hide", max_referrers=40)]
    pupil_id: Annotated[PupilId, kw.Ref(Pupil, on_missing="hide", max_referrers=600)]
    submitted_at: Annotated[datetime, kw.Ttl(after=timedelta(days=500))]
    text: Annotated[str, Field(max_length=8_000), kw.Size(avg=300, max=16_000), kw.Pii()] = ""
    files: Annotated[list[FileKey], Field(max_length=5), kw.Size(avg=80, max=650)] = []
    state: Literal["handed-in", "marked"] = "handed-in"
    feedback: Annotated[str | None, Field(max_length=2_000), kw.Size(avg=120, max=4_000), kw.Pii()] = None


hand_in = kw.Put(Submission, if_absent=True, rate="170k/day", peak="60/s", p99_ms=100)
give_feedback = kw.Update(
    Submission, sets=["feedback", "state"], where={"state": "handed-in"}, rate="120k/day", peak="40/s", p99_ms=100
)
submissions_of_task = kw.Read(
    Submission, eq="homework_id", order="submitted_at", limit=40, rate="10/s", peak="60/s", p99_ms=50
)


class Exam(BaseModel):
    """A written exam of a class."""

    __store__: ClassVar = kw.Collection(
        learning,
        "exams",
        id="{exam_id}",
        indexes=[kw.Index(["class_id", "held_at"])],
        expected=8_000_000,
        active=0.02,
    )

    exam_id: Ulid
    class_id: Annotated[ClassId, kw.Ref(SchoolClass, on_missing="hide", max_referrers=80)]
    subject: Subject
    teacher_id: Annotated[StaffId, kw.Ref(StaffMember, on_missing="hide", max_referrers=500)]
    held_at: datetime
    minutes: Annotated[int, Field(ge=15, le=360)]
    room: Annotated[str, Field(max_length=12), kw.Size(avg=4, max=24)]
    topics: Annotated[str, Field(max_length=600), kw.Size(avg=120, max=1_200)] = ""


exams_of_class = kw.Read(
    Exam,
    eq="class_id",
    range="held_at",
    span=timedelta(days=60),
    order="held_at",
    limit=30,
    rate="25/s",
    peak="250/s",
    p99_ms=50,
)
announce_exam = kw.Put(Exam, if_absent=True, rate="12k/day", peak="10/s", p99_ms=100)


class Grade(BaseModel):
    """A grade in points; a pupil has one for each exam. Version 1 had no weight."""

    __store__: ClassVar = kw.Collection(
        learning,
        "grades",
        id="{grade_id}",
        indexes=[
            kw.Index(["pupil_id", "subject", "-given_at"]),
            kw.Index(["exam_id", "pupil_id"], unique=True, where={"exam_id": kw.Present()}),
        ],
        schema_version=2,
        upgrades={1: kw.Upgrade(set={"weight": 1})},
        expected=160_000_000,
        active=0.01,
    )

    grade_id: Ulid
    pupil_id: Annotated[PupilId, kw.Ref(Pupil, on_missing="hide", max_referrers=900)]
    class_id: Annotated[ClassId, kw.Ref(SchoolClass, on_missing="hide", max_referrers=4_000)]
    subject: Subject
    exam_id: Annotated[Ulid | None, kw.Ref(Exam, on_missing="hide", max_referrers=40)] = None
    points: Points
    weight: Annotated[int, Field(ge=1, le=10)] = 1
    given_by: Annotated[StaffId, kw.Ref(StaffMember, on_missing="hide", max_referrers=20_000)]
    given_at: datetime
    comment: Annotated[str | None, Field(max_length=300), kw.Size(avg=40, max=600), kw.Pii()] = None


give_grade = kw.Put(Grade, if_absent=True, rate="220k/day", peak="80/s", p99_ms=100)
grades_of_pupil = kw.Read(
    Grade, eq=["pupil_id", "subject"], order="-given_at", limit=30, rate="40/s", peak="400/s", p99_ms=50
)
results_of_exam = kw.Read(
    Grade,
    eq="exam_id",
    where={"exam_id": kw.Present()},
    order="pupil_id",
    limit=40,
    rate="8/s",
    peak="50/s",
    p99_ms=50,
)
