"""Turnstiles, the app's own events, pushes, and how much the machines are used."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

import keywright as kw
from pydantic import BaseModel, Field

from models.coaching import MachineId
from models.members import ClubId, MemberId

doors = kw.Keyspace("doors", owner="access")

Day = Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$", max_length=10)]


class GateEvent(BaseModel):
    """A card at a turnstile; a day of one club is a partition of some ten thousand rows."""

    __store__: ClassVar = kw.CqlTable(
        doors,
        "gate_events",
        partition=["club_id", "day"],
        clustering=["-at", "event_id"],
        computed={"day": "{at:date}"},
        ttl=timedelta(days=90),
        compaction=kw.TimeWindow(window=timedelta(days=3)),
        kind="event",
    )

    club_id: ClubId
    at: datetime
    event_id: UUID
    member_id: MemberId
    gate: Annotated[int, Field(ge=1, le=40)]
    outcome: Literal["in", "out", "refused"]


log_gate_event = kw.Put(GateEvent, rate="25/s", peak="500/s", p99_ms=60)
gate_events_of_day = kw.Read(GateEvent, eq=["club_id", "day"], order="-at", limit=100, rate="10/s", p99_ms=60)
visits_of_day = kw.Count(GateEvent, eq=["club_id", "day"], rate="60/s", peak="400/s", p99_ms=100)


class VisitTotal(BaseModel):
    """The visits of a club on a day, counted as they happen."""

    __store__: ClassVar = kw.CqlTable(
        doors,
        "visit_totals",
        partition="club_id",
        clustering="-day",
        counters="visits",
        kind="analytics",
        keep_forever="a row for each club and day, compared over years",
    )

    club_id: ClubId
    day: Day
    visits: int


count_visit = kw.Increment(VisitTotal, "visits", rate="12/s", peak="250/s", p99_ms=60)
visits_by_day = kw.Read(VisitTotal, eq="club_id", range="day", order="-day", limit=31, rate="3/s", p99_ms=60)


class AppEvent(BaseModel):
    """Something that a member did in the app."""

    __store__: ClassVar = kw.CqlTable(
        doors,
        "app_events",
        partition=["member_id", "week"],
        clustering="-at",
        computed={"week": "{at:week}"},
        ttl=timedelta(days=180),
        compaction=kw.TimeWindow(window=timedelta(days=6)),
        kind="event",
    )

    member_id: MemberId
    at: datetime
    event_id: UUID
    screen: Annotated[str, Field(max_length=40)]
    action: Annotated[str, Field(max_length=40)]


log_app_event = kw.Put(AppEvent, rate="600/s", peak="4k/s", p99_ms=100)
app_events_of_week = kw.Read(AppEvent, eq=["member_id", "week"], order="-at", limit=100, rate="5/s", p99_ms=80)


class MachineUse(BaseModel):
    """How often a machine was used since its last service."""

    __store__: ClassVar = kw.CqlTable(
        doors,
        "machine_uses",
        partition="machine_id",
        counters=["uses", "faults"],
        kind="analytics",
        keep_forever="a row for each machine, until it is scrapped",
    )

    machine_id: MachineId
    uses: int
    faults: int


count_use = kw.Increment(MachineUse, "uses", rate="15/s", peak="250/s", p99_ms=60)
count_fault = kw.Increment(MachineUse, "faults", rate="200/day", p99_ms=60)
uses_of_machine = kw.Get(MachineUse, eq="machine_id", rate="10/s", p99_ms=50)
begin_service_period = kw.Delete(MachineUse, rate="700/day", p99_ms=80)


class PushJob(BaseModel):
    """A notification that waits to be sent to a phone; the sender deletes what it has sent."""

    __store__: ClassVar = kw.CqlTable(
        doors,
        "push_jobs",
        partition="lane",
        clustering=["queued_at", "push_id"],
        ttl=timedelta(days=2),
        compaction=kw.Leveled(),
        kind="queue",
    )

    lane: Annotated[int, Field(ge=0, lt=8), kw.Cardinality(distinct=8)]
    queued_at: datetime
    push_id: UUID
    member_id: MemberId
    template: Annotated[str, Field(max_length=40)]


queue_push = kw.Put(PushJob, rate="100/s", peak="2k/s", p99_ms=60)
next_pushes = kw.Read(PushJob, eq="lane", order="queued_at", limit=50, rate="40/s", p99_ms=60)
push_sent = kw.Delete(PushJob, rate="100/s", peak="2k/s", p99_ms=60)
