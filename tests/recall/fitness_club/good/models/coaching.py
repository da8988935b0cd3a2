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


class CoachNotePage(BaseModel):
    """Further notes of a member who has been coached for years."""

    __store__: ClassVar = kw.Collection(
        coaching,
        "coach_note_pages",
        id="{member_id}#{page:pad(4)}",
        indexes=[kw.Index(["member_id", "-page"], unique=True)],
        expected=40_000,
    )

    member_id: Annotated[MemberId, kw.Ref("CoachFile", on_missing="hide", max_referrers=50)]
    page: Annotated[int, Field(ge=1, le=9_999)]
    notes: Annotated[list[CoachNote], Field(max_length=200)]


class CoachFile(BaseModel):
    """What a coach has to know about a member, with the first hundred notes."""

    __store__: ClassVar = kw.Collection(coaching, "coach_files", id="{member_id}", expected=250_000, active=0.1)

    member_id: MemberId
    trainer_id: TrainerId
    goal: Annotated[str, Field(max_length=300), kw.Pii()]
    notes: Annotated[list[CoachNote], Field(max_length=100), kw.Overflow(CoachNotePage, flag="has_note_pages")] = []
    has_note_pages: bool = False


coach_file = kw.Get(CoachFile, eq="member_id", rate="20/s", p99_ms=30)
open_coach_file = kw.Put(CoachFile, if_absent=True, rate="300/day", p99_ms=100)
add_note = kw.Update(CoachFile, pushes="notes", rate="2/s", peak="15/s", p99_ms=100)
note_pages = kw.Read(CoachNotePage, eq="member_id", order="-page", limit=1, rate="2/s", p99_ms=60)
open_note_page = kw.Put(CoachNotePage, if_absent=True, rate="200/day", p99_ms=100)
add_note_to_page = kw.Update(CoachNotePage, pushes="notes", rate="1/s", p99_ms=100)


class Feedback(BaseModel):
    """A member's opinion after a visit, forgotten after three years."""

    __store__: ClassVar = kw.Collection(
        coaching,
        "feedback",
        id="{feedback_id}",
        indexes=[kw.Index(["club_id", "-given_at"])],
        expected=6_000_000,
        active=0.02,
    )

    feedback_id: Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26)]
    club_id: ClubId
    member_id: MemberId
    given_at: Annotated[datetime, kw.Ttl(after=timedelta(days=1_095))]
    stars: Annotated[int, Field(ge=1, le=5)]
    text: Annotated[str, kw.Size(avg=180, max=2_000), kw.Pii()]


give_feedback = kw.Put(Feedback, if_absent=True, rate="6k/day", p99_ms=100)
feedback_of_club = kw.Read(Feedback, eq="club_id", order="-given_at", limit=30, rate="4/s", p99_ms=60)


class SegmentPage(BaseModel):
    """Up to five thousand receivers of a mailing, which the sender takes page by page."""

    __store__: ClassVar = kw.Collection(
        coaching,
        "segment_pages",
        id="{segment_id}#{page:pad(4)}",
        indexes=[kw.Index(["segment_id", "page"])],
        expected=40_000,
    )

    segment_id: SegmentId
    page: Annotated[int, Field(ge=0, le=9_999)]
    built_at: Annotated[datetime, kw.Ttl(after=timedelta(days=45))]
    member_ids: Annotated[list[MemberId], Field(max_length=5_000)]


write_segment_page = kw.Put(SegmentPage, rate="900/day", p99_ms=400)
segment_page = kw.Read(SegmentPage, eq="segment_id", order="page", limit=1, rate="1/s", p99_ms=200)


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
        meta="machine_id",
        granularity="seconds",
        ttl=timedelta(days=30),
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
