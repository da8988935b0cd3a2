"""Prices, invoices to patients and their co-payments."""

from datetime import date, timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.common import AppointmentKey, Euro, HospitalCode, PatientKey
from models.people import Patient

cashdesk = kw.MongoDatabase("cashdesk", owner="finance")


class Tariff(BaseModel):
    """The price of a service in a year."""

    __store__: ClassVar = kw.Collection(cashdesk, "tariffs", id="{service}|{year:pad(4)}", kind="money", expected=9_000)

    service: Annotated[str, Field(pattern=r"^[0-9]{4}[A-Z]?$"), kw.Size(avg=5, max=5)]
    year: Annotated[int, Field(ge=2015, le=2100)]
    wording: Annotated[str, Field(max_length=160)]
    price: Euro


tariff = kw.Get(Tariff, eq=["service", "year"], rate="25/s", p99_ms=40, cache_ttl=timedelta(hours=1))
publish_tariff = kw.Put(Tariff, if_absent=True, rate="2k/month", p99_ms=200)


class InvoiceLine(BaseModel):
    """A service that was rendered, at the price of that day."""

    service: Annotated[str, Field(max_length=5)]
    wording: Annotated[str, Field(max_length=160)]
    quantity: Annotated[int, Field(ge=1, le=99)]
    price: Euro


class Invoice(BaseModel):
    """An invoice to a patient; ten years by law."""

    __store__: ClassVar = kw.Collection(
        cashdesk,
        "invoices",
        id="{number}",
        indexes=[
            kw.Index(["patient", "-issued_on"]),
            kw.Index(["hospital", "due_on"], where={"state": kw.OneOf(["open", "reminded"])}),
            kw.Index("appointment", unique=True),
        ],
        kind="money",
        expected=80_000_000,
        active=0.002,
    )

    number: Annotated[
        str,
        Field(pattern=r"^[A-Z]{3}[0-9]{2}-[0-9]{10}$"),
        kw.Size(avg=16, max=16),
        kw.Cardinality(distinct=80_000_000),
    ]
    hospital: HospitalCode
    patient: Annotated[PatientKey, kw.Ref(Patient, on_missing="ignore", max_referrers=400)]
    appointment: AppointmentKey
    lines: Annotated[list[InvoiceLine], Field(min_length=1, max_length=60)]
    total: Euro
    state: Literal["open", "reminded", "paid", "written-off"]
    issued_on: date
    due_on: date
    delete_at: Annotated[AwareDatetime, kw.Ttl()]


issue_invoice = kw.Put(Invoice, if_absent=True, rate="22k/day", peak="6/s", p99_ms=200)
invoice = kw.Get(Invoice, eq="number", consistency="strong", rate="5/s", p99_ms=80)
invoices_of_patient = kw.Read(
    Invoice, eq="patient", order="-issued_on", limit=24, consistency="strong", rate="6/s", p99_ms=100
)
overdue_invoices = kw.Read(
    Invoice,
    eq="hospital",
    where={"state": kw.OneOf(["open", "reminded"])},
    range="due_on",
    order="due_on",
    limit=100,
    rate="3k/day",
    p99_ms=300,
)
remind_invoice = kw.Update(Invoice, sets=["state", "due_on"], where={"state": "open"}, rate="1k/day", p99_ms=200)


class Copayment(BaseModel):
    """Money that a patient paid, at the desk or online; `reference` is the number of the payment service."""

    __store__: ClassVar = kw.Collection(
        cashdesk,
        "copayments",
        id="{reference}",
        indexes=[kw.Index(["invoice", "paid_at"])],
        kind="money",
        expected=85_000_000,
        active=0.001,
    )

    reference: Annotated[UUID, kw.Cardinality(distinct=85_000_000)]
    invoice: Annotated[
        str, Field(pattern=r"^[A-Z]{3}[0-9]{2}-[0-9]{10}$"), kw.Ref(Invoice, on_missing="fail", max_referrers=12)
    ]
    amount: Annotated[float, Field(gt=0)]
    fee: Annotated[float, Field(ge=0)]
    method: Literal["card", "cash", "transfer", "wallet"]
    paid_at: AwareDatetime
    delete_at: Annotated[AwareDatetime, kw.Ttl()]


enter_copayment = kw.Put(Copayment, if_absent=True)
settle_invoice = kw.Update(Invoice, sets="state", where={"state": kw.OneOf(["open", "reminded"])})
pay_invoice = kw.Transact([enter_copayment, settle_invoice], rate="23k/day", peak="8/s", p99_ms=300)
copayments_of_invoice = kw.Read(
    Copayment, eq="invoice", order="paid_at", limit=12, consistency="strong", rate="3/s", p99_ms=100
)
