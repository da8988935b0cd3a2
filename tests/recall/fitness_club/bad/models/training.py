"""What members do on the floor: workouts, sets, rides and badges."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

import keywright as kw
from pydantic import BaseModel, Field

from models.coaching import MachineId
from models.members import ClubId, MemberId

training = kw.Keyspace("training", owner="training")


class Workout(BaseModel):
    """A finished workout; a month of one member is a partition."""

    __store__: ClassVar = kw.CqlTable(
        training,
        "workouts",
        partition=["member_id", "month"],
        clustering=["finished_at", "workout_id"],
        computed={"month": "{finished_at:month}"},
        ttl=timedelta(days=1_800),
        compaction=kw.TimeWindow(window=timedelta(days=60)),
        kind="event",
    )

    member_id: MemberId
    finished_at: datetime
    workout_id: UUID
    club_id: ClubId
    minutes: Annotated[int, Field(ge=0, le=1_440)]
    kilocalories: Annotated[int, Field(ge=0)]


finish_workout = kw.Put(Workout, rate="12/s", peak="250/s", p99_ms=60)
workouts_of_month = kw.Read(
    Workout, eq=["member_id", "month"], order="-finished_at", limit=31, rate="300/s", peak="1.2k/s", p99_ms=40
)
latest_workouts = kw.Read(
    Workout,
    eq="member_id",
    range="finished_at",
    span=timedelta(days=30),
    order="-finished_at",
    limit=20,
    fan_out=3,
    rate="150/s",
    p99_ms=60,
)


class SetLog(BaseModel):
    """A set of an exercise; members correct and remove sets for months."""

    __store__: ClassVar = kw.CqlTable(
        training,
        "set_logs",
        partition="workout_id",
        clustering="set_no",
        ttl=timedelta(days=730),
        compaction=kw.TimeWindow(window=timedelta(days=25)),
        expected=4_500_000_000,
        active=0.001,
    )

    workout_id: Annotated[UUID, kw.Cardinality(distinct=300_000_000)]
    set_no: Annotated[int, Field(ge=1, le=200)]
    exercise: Annotated[str, Field(max_length=60)]
    repetitions: Annotated[int, Field(ge=0, le=1_000)]
    grams: Annotated[int, Field(ge=0)]


log_set = kw.Put(SetLog, rate="80/s", peak="1.5k/s", p99_ms=60)
sets_of_workout = kw.Read(SetLog, eq="workout_id", order="set_no", limit=200, rate="120/s", p99_ms=50)
correct_set = kw.Update(SetLog, sets=["exercise", "repetitions", "grams"], rate="8/s", p99_ms=150)
remove_set = kw.Delete(SetLog, rate="2/s", p99_ms=80)


class Achievements(BaseModel):
    """The badges of a member, in the order in which they were earned."""

    __store__: ClassVar = kw.CqlTable(
        training,
        "achievements",
        partition="member_id",
        compaction=kw.Leveled(),
        keep_forever="badges belong to the member's profile",
    )

    member_id: MemberId
    changed_at: datetime
    badges: Annotated[list[Annotated[str, Field(max_length=40)]], Field(max_length=200)] = []


open_badges = kw.Put(Achievements, if_absent=True, rate="3k/day", p99_ms=100)
award_badge = kw.Update(Achievements, pushes="badges", sets="changed_at", rate="4/s", peak="60/s", p99_ms=80)
badges_of_member = kw.Get(Achievements, eq="member_id", rate="200/s", p99_ms=40)


class Ride(BaseModel):
    """A ride or run on a cardio machine, found by its member and by the technicians of the machine."""

    __store__: ClassVar = kw.CqlTable(
        training,
        "rides",
        partition=["member_id", "month"],
        clustering=["-ended_at", "ride_id"],
        computed={"month": "{ended_at:month}"},
        ttl=timedelta(days=720),
        compaction=kw.TimeWindow(window=timedelta(days=24)),
        views=[
            kw.View(
                "rides_of_machine",
                partition=["machine_id", "month"],
                clustering=["-ended_at", "ride_id", "member_id"],
            )
        ],
        kind="event",
    )

    member_id: MemberId
    ended_at: datetime
    ride_id: UUID
    machine_id: MachineId
    metres: Annotated[int, Field(ge=0)]
    kind: Literal["bike", "rower", "treadmill", "stairs"]


finish_ride = kw.Put(Ride, rate="10/s", peak="200/s", p99_ms=100)
rides_of_member = kw.Read(Ride, eq=["member_id", "month"], order="-ended_at", limit=50, rate="90/s", p99_ms=50)
rides_of_machine = kw.Read(Ride, eq=["machine_id", "month"], order="-ended_at", limit=100, rate="5/s", p99_ms=80)
