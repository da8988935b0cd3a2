"""Inspections on board and the fines that follow from some of them."""

from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.cards import Cents, Ulid
from models.taps import taps
from models.vehicles import RouteId, VehicleId

InspectorId = Annotated[str, Field(pattern=r"^[0-9]{5}$"), kw.Size(avg=5, max=5), kw.Cardinality(distinct=900)]

enforcement = kw.MongoDatabase("enforcement", owner="enforcement")


class Inspection(BaseModel):
    """A ticket that an inspector has looked at; the back office withdraws it when an appeal succeeds weeks later."""

    __store__: ClassVar = kw.CqlTable(
        taps,
        "inspections",
        partition=["inspector_id", "month"],
        clustering=["-inspected_at", "inspection_id"],
        computed={"month": "{inspected_at:month}"},
        ttl=timedelta(days=396),
        compaction=kw.TimeWindow(window=timedelta(days=14)),
        kind="event",
    )

    inspector_id: InspectorId
    inspected_at: datetime
    inspection_id: Ulid
    route_id: RouteId
    vehicle_id: VehicleId
    result: Literal["valid", "expired", "wrong-zone", "none"]


record_inspection = kw.Put(Inspection, rate="90k/day", peak="8/s", p99_ms=50)
withdraw_inspection = kw.Delete(Inspection, rate="4k/day", peak="2/s", p99_ms=100)
inspections_of_month = kw.Read(
    Inspection, eq=["inspector_id", "month"], order="-inspected_at", limit=200, rate="500/day", p99_ms=100
)


class Offender(BaseModel):
    """The person who owes a fine."""

    name: Annotated[str, Field(max_length=120), kw.Pii()]
    born_on: date
    address: Annotated[str, Field(max_length=240), kw.Pii()]


class Fine(BaseModel):
    """An increased fare; it is erased with the offender's data at the end of the limitation period."""

    __store__: ClassVar = kw.Collection(
        enforcement,
        "fines",
        id="{fine_id}",
        indexes=[
            kw.Index("number", unique=True),
            kw.Index(["status", "due_on"]),
            kw.Index("payment_reference", unique=True),
        ],
        kind="record",
        expected=2_200_000,
        active=0.02,
    )

    fine_id: Ulid
    number: Annotated[str, Field(pattern=r"^[0-9]{10}$")]
    offender: Offender
    inspector_id: InspectorId
    route_id: RouteId
    amount_cents: Cents
    status: Literal["due", "reminded", "paid", "appealed", "waived", "collection"]
    issued_at: datetime
    due_on: date
    payment_reference: Annotated[str | None, Field(max_length=40)] = None
    erase_at: Annotated[datetime, kw.Ttl()]


issue_fine = kw.Put(Fine, if_absent=True, rate="1.8k/day", p99_ms=100)
fine_by_number = kw.Get(Fine, eq="number", rate="2/s", p99_ms=30)
fine_of_payment = kw.Get(
    Fine, eq="payment_reference", where={"payment_reference": kw.Present()}, rate="1k/day", p99_ms=50
)
fines_due = kw.Read(Fine, eq="status", range="due_on", order="due_on", limit=200, rate="300/day", p99_ms=200)
pay_fine = kw.Update(
    Fine,
    sets=["status", "payment_reference"],
    where={"status": kw.OneOf(["due", "reminded"])},
    rate="1k/day",
    p99_ms=100,
)
