"""Support and safety in MongoDB: tickets, incidents, and the insurance behind the vehicles."""

from datetime import datetime
from typing import Annotated, ClassVar, Literal
from uuid import UUID

import keywright as kw
from pydantic import BaseModel, Field

from models.people import Driver, DriverId, Plate, Rider, RiderId, Vehicle, VehicleId
from models.trips import Trip, TripId

care = kw.MongoDatabase("care", owner="support")

PolicyId = Annotated[UUID, kw.Cardinality(distinct=3_000_000)]


class TicketMessage(BaseModel):
    """What one side wrote."""

    written_by: Literal["rider", "agent"]
    text: Annotated[str, Field(max_length=4_000), kw.Size(avg=300, max=8_000), kw.Pii()]
    written_at: datetime


class Ticket(BaseModel):
    """A conversation with support, closed at the latest after a hundred messages."""

    __store__: ClassVar = kw.Collection(
        care,
        "tickets",
        id="{ticket_id}",
        indexes=[kw.Index(["rider_id", "-opened_at"]), kw.Index(["topic", "state", "opened_at"])],
        expected=30_000_000,
        active=0.02,
    )

    ticket_id: UUID
    rider_id: Annotated[RiderId, kw.Ref(Rider, on_missing="ignore", max_referrers=200)]
    trip_id: Annotated[TripId | None, kw.Ref(Trip, on_missing="ignore", max_referrers=5)] = None
    topic: Literal["fare", "lost-item", "behaviour", "account"]
    state: Literal["open", "waiting", "closed"]
    opened_at: datetime
    messages: Annotated[list[TicketMessage], Field(max_length=100), kw.Size(avg=1_800, max=400_000)]
    expires_at: Annotated[datetime, kw.Ttl()]


open_ticket = kw.Put(Ticket, if_absent=True, rate="60k/day", p99_ms=100)
reply = kw.Update(Ticket, pushes="messages", sets="state", rate="4/s", peak="15/s", p99_ms=100)
ticket = kw.Get(Ticket, eq="ticket_id", rate="20/s", p99_ms=50)
ticket_after_reply = kw.Get(
    Ticket, eq="ticket_id", consistency="session", reads_back=[reply], rate="4/s", peak="15/s", p99_ms=50
)
tickets_of_rider = kw.Read(
    Ticket,
    eq="rider_id",
    order="-opened_at",
    fields=["ticket_id", "topic", "state", "opened_at"],
    limit=20,
    rate="10/s",
    p99_ms=50,
)
waiting_tickets = kw.Read(
    Ticket,
    eq=["topic", "state"],
    order="opened_at",
    fields=["ticket_id", "topic", "state", "opened_at"],
    limit=50,
    rate="5/s",
    p99_ms=100,
)


class InsurancePolicy(BaseModel):
    """A vehicle's insurance for a year."""

    __store__: ClassVar = kw.Collection(
        care,
        "insurance_policies",
        id="{policy_id}",
        indexes=[kw.Index(["vehicle_id", "-valid_from"])],
        expected=3_000_000,
        active=0.02,
        keep_forever="claims come up to ten years later",
    )

    policy_id: PolicyId
    vehicle_id: Annotated[VehicleId, kw.Ref(Vehicle, on_missing="ignore", max_referrers=20)]
    plate: Annotated[Plate, kw.CopiedFrom(Vehicle, "plate", sync="never")]
    insurer: Annotated[str, Field(max_length=80), kw.Size(avg=20, max=160)]
    policy_number: Annotated[str, Field(max_length=40), kw.Size(avg=16, max=40), kw.Pii()]
    valid_from: datetime
    valid_until: datetime


policies_of_vehicle = kw.Read(InsurancePolicy, eq="vehicle_id", order="-valid_from", limit=10, rate="2/s", p99_ms=50)
file_policy = kw.Put(InsurancePolicy, if_absent=True, rate="9k/day", p99_ms=100)


class Incident(BaseModel):
    """An accident or a threat; insurers and courts ask for it years later."""

    __store__: ClassVar = kw.Collection(
        care,
        "incidents",
        id="{incident_id}",
        indexes=[kw.Index(["state", "-occurred_at"])],
        expected=900_000,
        active=0.05,
        keep_forever="claims come up to ten years later",
    )

    incident_id: UUID
    driver_id: Annotated[DriverId, kw.Ref(Driver, on_missing="ignore", max_referrers=50)]
    trip_id: Annotated[TripId | None, kw.Ref(Trip, on_missing="ignore", max_referrers=3)] = None
    policy_id: Annotated[PolicyId, kw.Ref(InsurancePolicy, on_missing="ignore", max_referrers=20)]
    plate: Annotated[Plate, kw.CopiedFrom(Vehicle, "plate", sync="never")]
    severity: Literal["minor", "injury", "severe"]
    state: Literal["reported", "examined", "closed"]
    occurred_at: datetime
    account: Annotated[str, Field(max_length=5_000), kw.Size(avg=700, max=10_000), kw.Pii()]


report_incident = kw.Put(Incident, if_absent=True, rate="600/day", p99_ms=200)
move_incident = kw.Update(Incident, sets="state", rate="1.2k/day", p99_ms=200)
incidents_with_policies = kw.Read(
    Incident,
    eq="state",
    order="-occurred_at",
    limit=20,
    joins=[kw.Join(InsurancePolicy, on={"policy_id": "policy_id"}, fields=["insurer", "policy_number", "valid_until"])],
    rate="500/day",
    p99_ms=500,
)
