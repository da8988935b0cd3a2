"""Acquisitions: the funds of the cities, orders and invoices; vendors themselves live in the finance system."""

from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import BaseModel, Field

import keywright as kw
from models.lending import BranchId, TitleId

acquisitions = kw.MongoDatabase("acquisitions", owner="finance")

VendorId = Annotated[str, Field(pattern=r"^V[0-9]{6}$"), kw.Size(avg=7, max=7), kw.Cardinality(distinct=4_000)]
FundId = Annotated[str, Field(pattern=r"^F[0-9]{5}$"), kw.Size(avg=6, max=6), kw.Cardinality(distinct=2_400)]
Money = Annotated[Decimal, Field(max_digits=14, decimal_places=2, ge=0)]


class Fund(BaseModel):
    """A city's budget for a kind of material in a year; what is uncommitted may still be spent."""

    __store__: ClassVar = kw.Collection(
        acquisitions,
        "funds",
        id="{fund_id}",
        indexes=[kw.Index(["branch_id", "-year"])],
        kind="money",
        expected=20_000,
        keep_forever="the accounts of a city are public records",
    )

    fund_id: FundId
    branch_id: BranchId
    year: Annotated[int, Field(ge=2000, le=2100)]
    budget_cents: Annotated[int, Field(ge=0)]
    uncommitted_cents: Annotated[int, Field(ge=0)]


class OrderLine(BaseModel):
    """Copies of one title at an agreed price."""

    title_id: TitleId
    copies: Annotated[int, Field(ge=1, le=500)]
    unit_cents: Annotated[int, Field(ge=0)]


class PurchaseOrder(BaseModel):
    """An order to a vendor with its lines, paid from one fund."""

    __store__: ClassVar = kw.Collection(
        acquisitions,
        "purchase_orders",
        id="{order_id}",
        indexes=[kw.Index(["fund_id", "-ordered_at"]), kw.Index(["vendor_id", "status", "ordered_at"])],
        expected=3_000_000,
        active=0.02,
        keep_forever="the accounts of a city are public records",
    )

    order_id: UUID
    vendor_id: VendorId
    fund_id: Annotated[FundId, kw.Ref(Fund, on_missing="fail", max_referrers=6_000)]
    ordered_at: datetime
    status: Literal["ordered", "partly_received", "received", "cancelled"] = "ordered"
    lines: Annotated[list[OrderLine], Field(min_length=1, max_length=200)]
    total_cents: Annotated[int, Field(ge=0)]


place_order = kw.Transact(
    [
        kw.Put(PurchaseOrder, if_absent=True),
        kw.Increment(Fund, "uncommitted_cents", by=-20_000, where={"uncommitted_cents": kw.AtLeast(20_000)}),
    ],
    rate="3k/day",
    peak="4/s",
    p99_ms=200,
)
fund = kw.Get(Fund, eq="fund_id", consistency="strong", rate="10k/day", p99_ms=40)
funds_of_branch = kw.Read(Fund, eq="branch_id", order="-year", limit=40, rate="2k/day", p99_ms=60)
open_fund = kw.Put(Fund, if_absent=True, rate="2k/month", p99_ms=100)
orders_of_fund = kw.Read(PurchaseOrder, eq="fund_id", order="-ordered_at", limit=30, rate="6k/day", p99_ms=80)
orders_of_vendor = kw.Read(
    PurchaseOrder, eq=["vendor_id", "status"], order="ordered_at", limit=30, rate="6k/day", p99_ms=80
)
receive_order = kw.Update(PurchaseOrder, sets="status", rate="4k/day", p99_ms=100)


class VendorInvoice(BaseModel):
    """An invoice as the vendor sent it, in the currency of the contract."""

    __store__: ClassVar = kw.Collection(
        acquisitions,
        "vendor_invoices",
        id="{vendor_id}-{number}",
        indexes=[kw.Index(["vendor_id", "-total"]), kw.Index("issued_on")],
        kind="money",
        expected=1_600_000,
        active=0.02,
        keep_forever="the accounts of a city are public records",
    )

    vendor_id: VendorId
    number: Annotated[str, Field(max_length=40)]
    issued_on: date
    total: Money


book_invoice = kw.Put(VendorInvoice, if_absent=True, rate="1.5k/day", p99_ms=150)
invoices_between = kw.Read(
    VendorInvoice, eq="vendor_id", range="total", order="total", limit=50, rate="200/day", p99_ms=100
)
largest_invoices = kw.Read(VendorInvoice, eq="vendor_id", order="-total", limit=20, rate="400/day", p99_ms=100)
spend_by_vendor = kw.Aggregate(
    VendorInvoice,
    range="issued_on",
    span=timedelta(days=31),
    group=["{vendor_id}"],
    measures={"spent": kw.Sum("total"), "invoices": kw.Distinct("number")},
    rate="24/day",
    p99_ms=8_000,
)
