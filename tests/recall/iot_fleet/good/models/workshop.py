"""Maintenance and money: work orders, inspections, fuel and invoices, in a MongoDB database of their own."""

from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.common import Amount, Currency, DriverId, EventId, TenantId, VehicleId
from models.registry import Customer, Driver, Vehicle

workshop = kw.MongoDatabase("workshop", owner="workshop")


class WorkLine(BaseModel):
    """A part or an hour of work."""

    text: Annotated[str, Field(max_length=120)]
    quantity: Annotated[int, Field(ge=1, le=999)]
    amount: Amount


class WorkOrder(BaseModel):
    """A repair or service of a vehicle."""

    __store__: ClassVar = kw.Collection(
        workshop,
        "work_orders",
        id="{order_id}",
        indexes=[
            kw.Index(["vehicle_id", "-opened_at"]),
            kw.Index(["tenant_id", "due_on"], where={"state": kw.OneOf(["planned", "in_progress"])}),
        ],
        expected=3_000_000,
        active=0.02,
        keep_forever="the service history belongs to the vehicle and is sold with it",
    )

    order_id: EventId
    tenant_id: Annotated[TenantId, kw.Ref(Customer, on_missing="ignore", max_referrers=200_000)]
    vehicle_id: Annotated[VehicleId, kw.Ref(Vehicle, on_missing="ignore", max_referrers=300)]
    opened_at: datetime
    due_on: date
    state: Literal["planned", "in_progress", "done", "cancelled"]
    odometer_m: Annotated[int, Field(ge=0)]
    lines: Annotated[list[WorkLine], Field(max_length=80)] = []
    total: Amount | None = None
    currency: Currency


work_order = kw.Get(WorkOrder, eq="order_id", rate="5/s", p99_ms=40)
orders_of_vehicle = kw.Read(WorkOrder, eq="vehicle_id", order="-opened_at", limit=50, rate="3/s", p99_ms=80)
orders_due = kw.Read(
    WorkOrder,
    eq="tenant_id",
    where={"state": kw.OneOf(["planned", "in_progress"])},
    order="due_on",
    limit=100,
    rate="2/s",
    p99_ms=80,
)
plan_order = kw.Put(WorkOrder, if_absent=True, rate="3k/day", p99_ms=100)
add_line = kw.Update(WorkOrder, pushes="lines", rate="12k/day", p99_ms=100)
change_order = kw.Update(WorkOrder, sets=["state", "due_on", "total"], rate="6k/day", p99_ms=100)


class Defect(BaseModel):
    """Something that a driver found before setting off."""

    part: Annotated[str, Field(max_length=60)]
    severity: Literal["minor", "major", "unsafe"]
    photo_key: Annotated[str | None, Field(max_length=120)] = None


class Inspection(BaseModel):
    """A driver's walk around the vehicle before a day's first trip."""

    __store__: ClassVar = kw.Collection(
        workshop,
        "inspections",
        id="{inspection_id}",
        indexes=[kw.Index(["vehicle_id", "-at"])],
        kind="event",
        expected=25_000_000,
        active=0.02,
    )

    inspection_id: EventId
    vehicle_id: Annotated[VehicleId, kw.Ref(Vehicle, on_missing="ignore", max_referrers=800)]
    driver_id: Annotated[DriverId, kw.Ref(Driver, on_missing="ignore", max_referrers=800)]
    at: Annotated[datetime, kw.Ttl(after=timedelta(days=460))]
    defects: Annotated[list[Defect], Field(max_length=25)] = []


record_inspection = kw.Put(Inspection, if_absent=True, rate="55k/day", peak="20/s", p99_ms=100)
inspections_of_vehicle = kw.Read(Inspection, eq="vehicle_id", order="-at", limit=30, rate="3/s", p99_ms=80)


class FuelPurchase(BaseModel):
    """A transaction of a fuel card, by the number that the card's issuer gave it."""

    __store__: ClassVar = kw.Collection(
        workshop,
        "fuel_purchases",
        id="{issuer}-{transaction}",
        indexes=[kw.Index(["vehicle_id", "-bought_at"]), kw.Index(["tenant_id", "bought_at"])],
        kind="money",
        expected=60_000_000,
        active=0.03,
        keep_forever="accounting records are kept for ten years, then archived by finance",
    )

    issuer: Annotated[str, Field(pattern=r"^[a-z]{2,12}$")]
    transaction: Annotated[str, Field(pattern=r"^[A-Z0-9]{8,32}$")]
    tenant_id: Annotated[TenantId, kw.Ref(Customer, on_missing="ignore", max_referrers=2_000_000)]
    vehicle_id: Annotated[VehicleId, kw.Ref(Vehicle, on_missing="ignore", max_referrers=5_000)]
    bought_at: datetime
    litres: Annotated[float, Field(ge=0)]
    amount: Amount
    currency: Currency
    country: Annotated[str, Field(pattern=r"^[A-Z]{2}$")]


import_purchase = kw.Put(FuelPurchase, if_absent=True, rate="50k/day", peak="60/s", p99_ms=100)
purchases_of_vehicle = kw.Read(
    FuelPurchase, eq="vehicle_id", order="-bought_at", limit=50, consistency="strong", rate="2/s", p99_ms=80
)
fuel_by_country = kw.Aggregate(
    FuelPurchase,
    eq="tenant_id",
    range="bought_at",
    span=timedelta(days=31),
    group=["{country}", "{currency}"],
    measures={"amount": kw.Sum("amount"), "litres": kw.Sum("litres")},
    rate="2k/day",
    p99_ms=5_000,
)


class InvoiceLine(BaseModel):
    """A subscription or a service of the month."""

    text: Annotated[str, Field(max_length=120)]
    vehicles: Annotated[int, Field(ge=0)]
    amount: Amount


class Invoice(BaseModel):
    """An invoice to a customer; its number is given once and never changes."""

    __store__: ClassVar = kw.Collection(
        workshop,
        "invoices",
        id="{number}",
        indexes=[
            kw.Index(["tenant_id", "-issued_on"]),
            kw.Index(["tenant_id", "period"], unique=True),
            kw.Index("due_on", where={"state": "open"}),
        ],
        kind="money",
        expected=150_000,
        active=0.02,
        keep_forever="accounting records are kept for ten years, then archived by finance",
    )

    number: Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{6}$")]
    tenant_id: Annotated[TenantId, kw.Ref(Customer, on_missing="ignore", max_referrers=200)]
    period: Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}$")]
    issued_on: date
    due_on: date
    lines: Annotated[list[InvoiceLine], Field(min_length=1, max_length=60)]
    total: Amount
    currency: Currency
    state: Literal["open", "paid", "credited"]


issue_invoice = kw.Put(Invoice, if_absent=True, rate="1.2k/month", p99_ms=200)
invoices_of_customer = kw.Read(
    Invoice, eq="tenant_id", order="-issued_on", limit=24, consistency="strong", rate="1k/day", p99_ms=100
)
invoices_due = kw.Read(
    Invoice, where={"state": "open"}, order="due_on", limit=200, consistency="strong", rate="24/day", p99_ms=300
)
invoice_paid = kw.Update(Invoice, sets="state", where={"state": "open"}, rate="1.2k/month", p99_ms=200)
