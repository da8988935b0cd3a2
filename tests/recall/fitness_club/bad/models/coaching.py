"""Coaching, opinions, mailings, and the measurements of the machines."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal

import keywright as kw
from pydantic import BaseModel, Field

from models.members import ULID, ClubId, MemberId
from models.studio import TrainerId

coaching = kw.MongoDatabase("coaching", owner="coaching")

MachineId = Annotated[str, Field(pattern=r"^m[0-9]{7}$"), kw.Size(avg=8, max=8), kw.Cardinality(distinct=60_000)]
SegmentId = Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26), kw.Cardinality(distinct=2_000)]


class CoachNote(BaseModel):
    """A trainer's remark after a session."""

    written_at: datetime
    trainer_id: TrainerId
    text: Annotated[str, kw.Size(avg=250, max=2_000), kw.Pii()]


class CoachFile(BaseModel):
    """What a coach has to know about a member, with all notes."""

    __store__: ClassVar = kw.Collection(coaching, "coach_files", id="{member_id}", expected=250_000, active=0.1)

    member_id: MemberId
    trainer_id: TrainerId
    goal: Annotated[str, Field(max_length=300), kw.Pii()]
    notes: list[CoachNote] = []


coach_file = kw.Get(CoachFile, eq="member_id", rate="20/s", p99_ms=30)
open_coach_file = kw.Put(CoachFile, if_absent=True, rate="300/day", p99_ms=100)
add_note = kw.Update(CoachFile, pushes="notes", rate="2/s", peak="15/s", p99_ms=100)


by_club = kw.Index(["club_id", "-given_at"])


class Feedback(BaseModel):
    """A member's opinion after a visit in November, forgotten after three years."""

    __store__: ClassVar = kw.Collection(
        coaching, "feedback_2026_11", id="{feedback_id}", indexes=[by_club], expected=180_000
    )

    feedback_id: Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26)]
    club_id: ClubId
    member_id: MemberId
    given_at: Annotated[datetime, kw.Ttl(after=timedelta(days=1_095))]
    stars: Annotated[int, Field(ge=1, le=5)]
    text: Annotated[str, kw.Size(avg=180, max=2_000), kw.Pii()]


feedback_of_october = kw.bind(
    Feedback,
    kw.Collection(coaching, "feedback_2026_10", id="{feedback_id}", indexes=[by_club], expected=180_000),
)
feedback_of_september = kw.bind(
    Feedback,
    kw.Collection(coaching, "feedback_2026_09", id="{feedback_id}", indexes=[by_club], expected=180_000),
)

give_feedback = kw.Put(Feedback, if_absent=True, rate="6k/day", p99_ms=100)
feedback_of_club = kw.Read(Feedback, eq="club_id", order="-given_at", limit=30, rate="4/s", p99_ms=60)
october_of_club = kw.Read(feedback_of_october, eq="club_id", order="-given_at", limit=30, rate="1/s", p99_ms=60)
september_of_club = kw.Read(feedback_of_september, eq="club_id", order="-given_at", limit=30, rate="1/s", p99_ms=60)


class SegmentPage(BaseModel):
    """Up to five thousand receivers of a mailing, which the sender takes page by page."""

    __store__: ClassVar = kw.Collection(
        coaching,
        "segment_pages",
        id="{segment_id}#{page:pad(4)}",
        indexes=[kw.Index(["segment_id", "page"]), kw.Index("member_ids")],
        expected=40_000,
    )

    segment_id: SegmentId
    page: Annotated[int, Field(ge=0, le=9_999)]
    built_at: Annotated[datetime, kw.Ttl(after=timedelta(days=45))]
    member_ids: Annotated[list[MemberId], Field(max_length=5_000)]


write_segment_page = kw.Put(SegmentPage, rate="900/day", p99_ms=400)
segment_page = kw.Read(SegmentPage, eq="segment_id", order="page", limit=1, rate="1/s", p99_ms=200)
pages_with_member = kw.Read(SegmentPage, contains="member_ids", limit=20, rate="12/s", p99_ms=60)


class SegmentMembership(BaseModel):
    """A member of a segment, for the question of which segments somebody is in."""

    __store__: ClassVar = kw.Collection(
        coaching,
        "segment_memberships",
        id="{segment_id}#{member_id}",
        indexes=[kw.Index(["member_id", "segment_id"])],
        expected=30_000_000,
        active=0.02,
    )

    segment_id: SegmentId
    member_id: MemberId
    added_at: Annotated[datetime, kw.Ttl(after=timedelta(days=45))]


add_to_segment = kw.Put(SegmentMembership, batch=500, rate="2/s", p99_ms=500)
segments_of_member = kw.Read(SegmentMembership, eq="member_id", order="segment_id", limit=50, rate="30/s", p99_ms=40)


class MachineReading(BaseModel):
    """The state of a cardio machine every ten seconds, while somebody uses it."""

    __store__: ClassVar = kw.TimeSeries(
        coaching,
        "machine_readings",
        time="at",
        meta="frame_id",
        granularity="seconds",
        ttl=timedelta(days=30),
        indexes=[kw.Index(["machine_id", "at"])],
        kind="reading",
    )

    machine_id: MachineId
    frame_id: Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26)]
    at: datetime
    watts: Annotated[int, Field(ge=0, le=3_000)]
    motor_celsius: float
    state: Literal["idle", "running", "fault"]


store_readings = kw.Put(MachineReading, batch=200, rate="12/s", p99_ms=300)
readings_of_machine = kw.Read(
    MachineReading,
    eq="machine_id",
    range="at",
    span=timedelta(hours=1),
    order="-at",
    limit=360,
    rate="10/s",
    p99_ms=120,
)
