"""What runs beside the lessons: notifications, consent forms, the audit trail and the figures of use."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.messages import live
from models.people import (
    ClassId,
    Guardian,
    GuardianId,
    PersonId,
    Pupil,
    PupilId,
    School,
    SchoolClass,
    SchoolId,
    StaffId,
    StaffMember,
    Ulid,
    events,
)

compliance = kw.MongoDatabase("compliance", owner="compliance")

push = kw.ConsumerGroup("push", idempotency="notification_id", claim_after=timedelta(minutes=1))


class Notification(BaseModel):
    """Something that a person should hear of; the push service takes it from here."""

    __store__: ClassVar = kw.RedisStream(
        events, key="events:notifications", keep=timedelta(days=1), groups=[push], kind="event", expected=10_000_000
    )

    notification_id: Ulid
    person_id: PersonId
    topic: Literal["message", "absence", "homework", "grade", "consent", "canteen"]
    subject_id: Ulid
    created_at: datetime


notify = kw.Put(Notification, batch=20, rate="6/s", peak="100/s", p99_ms=10)
next_to_push = kw.Take(Notification, group=push, limit=50, rate="10/s", peak="50/s", p99_ms=10)


class ConsentForm(BaseModel):
    """A form that guardians sign: a trip, photographs, a vaccination day."""

    __store__: ClassVar = kw.Collection(
        compliance,
        "consent_forms",
        id="{form_id}",
        indexes=[kw.Index(["class_ids", "closes_at"])],
        expected=1_500_000,
        active=0.1,
    )

    form_id: Ulid
    school_id: Annotated[SchoolId, kw.Ref(School, on_missing="fail", max_referrers=5_000)]
    class_ids: Annotated[
        list[Annotated[ClassId, kw.Ref(SchoolClass, on_missing="hide", max_referrers=60)]], Field(max_length=60)
    ]
    title: Annotated[str, Field(max_length=120), kw.Size(avg=36, max=240)]
    text: Annotated[str, Field(max_length=6_000), kw.Size(avg=1_200, max=12_000)]
    author_id: Annotated[StaffId, kw.Ref(StaffMember, on_missing="hide", max_referrers=400)]
    published_at: datetime
    closes_at: datetime
    signed_count: Annotated[int, Field(ge=0, le=5_000)] = 0


open_forms_of_class = kw.Read(
    ConsentForm,
    contains="class_ids",
    range="closes_at",
    order="closes_at",
    limit=20,
    rate="20/s",
    peak="250/s",
    p99_ms=50,
)
publish_form = kw.Put(ConsentForm, if_absent=True, rate="2k/day", p99_ms=100)


class ConsentAnswer(BaseModel):
    """A guardian's signature for a pupil: one for each form and pupil, and final; with the title that was signed."""

    __store__: ClassVar = kw.Collection(
        compliance,
        "consent_answers",
        id="{form_id}_{pupil_id}",
        expected=45_000_000,
        active=0.01,
    )

    form_id: Annotated[Ulid, kw.Ref(ConsentForm, on_missing="hide", max_referrers=2_500)]
    pupil_id: Annotated[PupilId, kw.Ref(Pupil, on_missing="hide", max_referrers=300)]
    guardian_id: Annotated[GuardianId, kw.Ref(Guardian, on_missing="hide", max_referrers=600)]
    form_title: Annotated[
        str, Field(max_length=120), kw.Size(avg=36, max=240), kw.CopiedFrom(ConsentForm, "title", sync="never")
    ]
    decision: Literal["yes", "no"]
    signed_at: datetime
    signature: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$"), kw.Size(avg=64, max=64)]


sign_form = kw.Transact(
    [kw.Put(ConsentAnswer, if_absent=True), kw.Increment(ConsentForm, "signed_count")],
    rate="60k/day",
    peak="60/s",
    hot_key="8/s",
    p99_ms=150,
)
answer = kw.Get(
    ConsentAnswer,
    eq=["form_id", "pupil_id"],
    consistency="strong",
    rate="10/s",
    peak="120/s",
    p99_ms=50,
)


class AuditEvent(BaseModel):
    """Who looked at or changed a pupil's data; kept for three years, as the data protection officers agreed."""

    __store__: ClassVar = kw.Collection(
        compliance,
        "audit_events",
        id="{event_id}",
        indexes=[kw.Index(["pupil_id", "-at"])],
        shard_key=kw.ShardKey(on="pupil_id"),
        kind="event",
        expected=400_000_000,
        active=0.002,
    )

    event_id: Ulid
    authority_id: Annotated[
        str, Field(pattern=r"^[a-z]{2}-[0-9]{3}$"), kw.Size(avg=6, max=6), kw.Cardinality(distinct=40)
    ]
    school_id: Annotated[SchoolId, kw.Ref(School, on_missing="hide", max_referrers=2_000_000)]
    actor_id: PersonId
    pupil_id: Annotated[PupilId, kw.Ref(Pupil, on_missing="ignore", max_referrers=5_000)]
    action: Literal["viewed", "changed", "exported", "deleted"]
    what: Annotated[str, Field(max_length=80), kw.Size(avg=24, max=160)]
    at: Annotated[datetime, kw.Ttl(after=timedelta(days=1_095))]


audit = kw.Put(AuditEvent, if_absent=True, rate="400k/day", peak="150/s", p99_ms=100)
audit_of_pupil = kw.Read(
    AuditEvent,
    eq="pupil_id",
    order="-at",
    limit=100,
    rate="500/day",
    p99_ms=200,
)


class MonthlyVisitor(BaseModel):
    """A person who used the portal of a school in a month: counted, never listed."""

    __store__: ClassVar = kw.RedisHyperLogLog(
        live,
        key="visitors:{school_id}:{month}",
        member="{person_id}",
        ttl=timedelta(days=400),
        kind="analytics",
    )

    school_id: SchoolId
    month: Annotated[str, Field(pattern=r"^\d{4}-\d{2}$"), kw.Size(avg=7, max=7), kw.Cardinality(distinct=14)]
    person_id: PersonId


visit = kw.Put(MonthlyVisitor, rate="35/s", peak="400/s", p99_ms=10)
visitors_of_month = kw.Count(MonthlyVisitor, eq=["school_id", "month"], rate="5k/day", p99_ms=20)
