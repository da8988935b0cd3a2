"""Tariffs, day-ahead prices, invoices and the output of plants, in MongoDB."""

from datetime import date, timedelta
from decimal import Decimal
from typing import Annotated, ClassVar, Literal

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.registry import Household
from models.units import AreaCode, Euro, HouseholdId, Key, MemberCode, MeterPoint, Price, WattHours

billing = kw.MongoDatabase("billing", owner="billing")
prices = kw.RedisServer("prices", role="cache", owner="billing", eviction="allkeys-lfu")


class AuctionPrices(BaseModel):
    """The prices of a day of delivery, published once after the auction of the day before."""

    __store__: ClassVar = kw.Collection(
        billing,
        "auction_prices",
        id="{area}.{delivery_on:date}",
        expected=180_000,
        active=0.01,
        keep_forever="invoices refer to it, and it is small",
    )

    area: AreaCode
    delivery_on: date
    quarters: Annotated[list[Price], Field(min_length=92, max_length=100)]
    published_at: AwareDatetime


auction_copy = kw.bind(
    AuctionPrices,
    kw.RedisCache(
        prices, key="auction:{area}:{delivery_on:date}", ttl=timedelta(hours=3), source_of_truth=AuctionPrices
    ),
)

publish_prices = kw.Put(AuctionPrices, if_absent=True, rate="40/day", p99_ms=200)
auction_prices = kw.Get(AuctionPrices, eq=["area", "delivery_on"], rate="2/s", peak="40/s", p99_ms=30)
prices_on_page = kw.Get(auction_copy, eq=["area", "delivery_on"], rate="6k/s", peak="40k/s", hot_key="12k/s", p99_ms=5)


class Tariff(BaseModel):
    """What a supplier asks of households; a change of price is a new tariff."""

    __store__: ClassVar = kw.Collection(
        billing,
        "tariffs",
        id="{tariff_id}",
        indexes=[kw.Index(["supplier", "area", "-valid_from"]), kw.Index(["area", "per_kwh"], where={"offered": True})],
        expected=60_000,
        active=0.1,
    )

    tariff_id: Key
    supplier: MemberCode
    area: AreaCode
    title: Annotated[str, Field(max_length=80)]
    per_kwh: Annotated[Decimal, Field(max_digits=7, decimal_places=5)]
    per_month: Euro
    dynamic: bool = False
    offered: bool = True
    valid_from: date


tariff_copy = kw.bind(
    Tariff, kw.RedisCache(prices, key="tariff:{tariff_id}", ttl=timedelta(minutes=15), source_of_truth=Tariff)
)

tariff = kw.Get(Tariff, eq="tariff_id", rate="80/s", peak="300/s", p99_ms=20)
tariff_on_page = kw.Get(tariff_copy, eq="tariff_id", rate="1.5k/s", peak="6k/s", p99_ms=5)
tariffs_of_supplier = kw.Read(Tariff, eq=["supplier", "area"], order="-valid_from", limit=30, rate="5/s", p99_ms=50)
cheapest_tariffs = kw.Read(
    Tariff, eq="area", where={"offered": True}, order="per_kwh", limit=25, rate="30/s", peak="200/s", p99_ms=50
)
offer_tariff = kw.Put(Tariff, if_absent=True, rate="60/day", p99_ms=100)
withdraw_tariff = kw.Update(Tariff, sets="offered", rate="50/day", p99_ms=100)


class InvoiceItem(BaseModel):
    """Energy, a fee or a tax."""

    label: Annotated[str, Field(max_length=80)]
    kwh: Annotated[int, Field(ge=0)] = 0
    net: Euro


class EnergyInvoice(BaseModel):
    """An invoice to a household; it is corrected by another invoice, never changed."""

    __store__: ClassVar = kw.Collection(
        billing,
        "energy_invoices",
        id="{number}",
        indexes=[
            kw.Index(["household_id", "-issued_at"]),
            kw.Index(["point", "from_day"], unique=True, where={"corrects": None}),
            kw.Index("due_on", where={"open": True}),
        ],
        kind="money",
        expected=400_000_000,
        active=0.02,
        keep_forever="tax law asks for ten years; finance moves older years to the archive",
    )

    number: Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{9}$"), kw.Size(avg=14, max=14)]
    household_id: Annotated[HouseholdId, kw.Ref(Household, on_missing="ignore", max_referrers=400)]
    point: MeterPoint
    from_day: date
    to_day: date
    items: Annotated[list[InvoiceItem], Field(min_length=1, max_length=40)]
    gross: Euro
    open: bool = True
    corrects: Annotated[str | None, Field(pattern=r"^[0-9]{4}-[0-9]{9}$")] = None
    due_on: date
    issued_at: AwareDatetime


issue_invoice = kw.Put(EnergyInvoice, if_absent=True, rate="280k/day", peak="80/s", p99_ms=150)
invoice = kw.Get(EnergyInvoice, eq="number", consistency="strong", rate="10/s", p99_ms=40)
invoices_of_household = kw.Read(EnergyInvoice, eq="household_id", order="-issued_at", limit=24, rate="20/s", p99_ms=60)
overdue = kw.Read(
    EnergyInvoice, where={"open": True}, order="due_on", limit=500, consistency="strong", rate="500/day", p99_ms=400
)
close_invoice = kw.Update(EnergyInvoice, sets="open", where={"open": True}, rate="280k/day", peak="60/s", p99_ms=100)


class PlantOutput(BaseModel):
    """What a wind or solar plant feeds in, once a minute; forecasts read hours of it."""

    __store__: ClassVar = kw.TimeSeries(
        billing,
        "plant_output",
        time="at",
        meta="plant",
        granularity="minutes",
        ttl=timedelta(days=120),
        kind="reading",
        expected=4_500_000_000,
        active=0.01,
    )

    plant: Annotated[
        str, Field(pattern=r"^[0-9]{2}W[0-9A-Z]{13}$"), kw.Size(avg=16, max=16), kw.Cardinality(distinct=26_000)
    ]
    at: AwareDatetime
    output_kw: int


report_output = kw.Put(PlantOutput, batch=100, rate="430/s", p99_ms=150)
output_of_plant = kw.Read(
    PlantOutput, eq="plant", range="at", span=timedelta(hours=12), order="at", limit=720, rate="40/s", p99_ms=150
)


class OriginCertificate(BaseModel):
    """A guarantee of origin for produced energy, owned by one member until it is used up."""

    __store__: ClassVar = kw.Collection(
        billing,
        "origin_certificates",
        id="{certificate_id}",
        indexes=[kw.Index(["owner", "production_month"], where={"state": "held"})],
        kind="money",
        expected=30_000_000,
        active=0.01,
        keep_forever="the register of origin is public and has no end",
    )

    certificate_id: Key
    owner: MemberCode
    production_month: Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}$")]
    energy: WattHours
    source: Literal["wind", "solar", "water", "biomass"]
    state: Literal["held", "cancelled", "expired"]


issue_certificate = kw.Put(OriginCertificate, if_absent=True, rate="20k/day", p99_ms=100)
held_certificates = kw.Read(
    OriginCertificate,
    eq="owner",
    where={"state": "held"},
    order="production_month",
    limit=100,
    consistency="strong",
    rate="3k/day",
    p99_ms=100,
)
hand_over = kw.Update(OriginCertificate, sets="owner", where={"state": "held"}, rate="9k/day", p99_ms=100)
cancel_certificate = kw.Update(OriginCertificate, sets="state", where={"state": "held"}, rate="15k/day", p99_ms=100)
