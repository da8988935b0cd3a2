"""Driving data of insured vehicles: what the boxes in 1.2 million cars send, before it becomes a discount."""

from datetime import timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.common import PolicyId

trips_to_rate = kw.Gsi("trips_to_rate", pk="gsi1pk", sk="gsi1sk", project=["trip_id", "policy_id", "ended_at"])

telematics = kw.DynamoTable("telematics", owner="telematics", gsis=[trips_to_rate])


class BoxSettings(BaseModel):
    """What a box has to measure and how often; the gateway looks at it for each message."""

    __store__: ClassVar = kw.Item(telematics, pk="SETTINGS#{generation:pad(2)}", sk="SETTINGS", expected=3)

    generation: Annotated[int, Field(ge=1, le=99), kw.Cardinality(distinct=3)]
    interval_seconds: Annotated[int, Field(ge=1, le=3_600)]
    thresholds: Annotated[dict[str, int], Field(max_length=20)]
    changed_at: AwareDatetime


save_box_settings = kw.Put(BoxSettings, rate="1/day", p99_ms=100)
box_settings = kw.Get(BoxSettings, eq="generation", rate="20k/s", peak="40k/s", hot_key="30k/s", p99_ms=15)


class MessageTotal(BaseModel):
    """The messages that were received since the start of the programme, for the report to the board."""

    __store__: ClassVar = kw.Item(telematics, pk="TOTAL#{scope}", sk="MESSAGES", expected=1)

    scope: Literal["all"]
    messages: Annotated[int, Field(ge=0)]


count_message = kw.Increment(MessageTotal, "messages", rate="2.5k/s", peak="6k/s", hot_key="6k/s", p99_ms=30)
message_total = kw.Get(MessageTotal, eq="scope", rate="10/day", p99_ms=50)


class DrivingEvent(BaseModel):
    """A hard brake, fast corner or call at the wheel."""

    __store__: ClassVar = kw.Item(
        telematics,
        pk="EVENT#{type}",
        sk="{at:iso}#{event_id}",
        kind="event",
        expected=2_000_000_000,
        active=0.03,
    )

    type: Literal["brake", "acceleration", "corner", "phone", "speed"]
    at: AwareDatetime
    event_id: UUID
    policy_id: PolicyId
    strength: Annotated[int, Field(ge=0, le=1_000)]
    expires_at: Annotated[AwareDatetime, kw.Ttl()]


record_driving_event = kw.Put(DrivingEvent, rate="800/s", peak="3k/s", p99_ms=50)
driving_events = kw.Read(
    DrivingEvent, eq="type", range="at", span=timedelta(minutes=5), order="at", limit=500, rate="5/s", p99_ms=200
)


class Trip(BaseModel):
    """A trip that has ended; a worker computes its points and then the trip is rated."""

    __store__: ClassVar = kw.Item(
        telematics,
        pk="TRIP#{trip_id}",
        sk="TRIP",
        gsis=[trips_to_rate.key(pk="TRIPS#{state}", sk="{ended_at:iso}", where={"state": "ended"})],
        kind="event",
        expected=450_000_000,
        active=0.01,
    )

    trip_id: UUID
    policy_id: PolicyId
    ended_at: AwareDatetime
    kilometres: Annotated[int, Field(ge=0, le=5_000)]
    state: Literal["ended", "rated"] = "ended"
    points: Annotated[int, Field(ge=0, le=100)] | None = None
    expires_at: Annotated[AwareDatetime, kw.Ttl()]


end_trip = kw.Put(Trip, if_absent=True, rate="60/s", peak="700/s", p99_ms=60)
trips_waiting = kw.Read(
    Trip,
    where={"state": "ended"},
    order="ended_at",
    limit=100,
    fields=["trip_id", "policy_id", "ended_at"],
    rate="5/s",
    peak="20/s",
    p99_ms=100,
)
rate_trip = kw.Update(
    Trip,
    eq=["trip_id", "ended_at"],
    sets=["state", "points"],
    where={"state": "ended"},
    rate="60/s",
    peak="700/s",
    p99_ms=60,
)
