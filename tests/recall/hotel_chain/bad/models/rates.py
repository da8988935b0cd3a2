"""What a night costs and whether it can still be sold: prices, inventory, offers, checkouts."""

from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Annotated, ClassVar

from pydantic import BaseModel, Field

import keywright as kw

from .guests import sessions
from .hotels import Hotel, HotelId, RoomTypeCode, pages

sales_db = kw.MongoDatabase("sales", owner="reservations")

PlanCode = Annotated[str, Field(pattern=r"^[A-Z0-9]{3,8}$"), kw.Size(avg=5, max=8), kw.Cardinality(distinct=120)]
Currency = Annotated[str, Field(pattern=r"^[A-Z]{3}$"), kw.Size(avg=3, max=3), kw.Cardinality(distinct=40)]
Price = Annotated[Decimal, Field(ge=0, le=1_000_000, max_digits=12, decimal_places=2)]


class ExchangeRate(BaseModel):
    """What an euro is worth in a currency; the feed of the bank has a new value every five seconds."""

    __store__: ClassVar = kw.Collection(sales_db, "exchange_rates", id="{currency}", expected=40)

    currency: Currency
    per_euro: Annotated[Decimal, Field(gt=0, max_digits=14, decimal_places=6)]
    quoted_at: datetime


exchange_rate = kw.Get(
    ExchangeRate, eq="currency", cache_ttl=timedelta(seconds=5), rate="60/s", peak="200/s", p99_ms=20
)
save_exchange_rate = kw.Put(ExchangeRate, rate="8/s", p99_ms=100)


class RoomPrice(BaseModel):
    """The price of one room type in a night."""

    room_type: RoomTypeCode
    price: Price
    min_nights: Annotated[int, Field(ge=1, le=30)] = 1
    is_closed: bool = False


class NightRates(BaseModel):
    """The prices of all room types of a hotel in one night under one plan."""

    __store__: ClassVar = kw.Collection(
        sales_db,
        "night_rates",
        id="{hotel_id}:{plan}:{night:date}",
        indexes=[kw.Index(["hotel_id", "plan", "night"])],
        expected=6_000_000,
        active=0.1,
    )

    hotel_id: Annotated[HotelId, kw.Ref(Hotel, on_missing="fail", max_referrers=60_000)]
    plan: PlanCode
    night: date
    currency: Currency
    per_euro: Annotated[
        Decimal, Field(gt=0, max_digits=14, decimal_places=6), kw.CopiedFrom(ExchangeRate, "per_euro", sync="job")
    ]
    prices: Annotated[list[RoomPrice], Field(max_length=60), kw.Size(avg=560, max=5_400)]
    updated_at: datetime
    expires_at: Annotated[datetime, kw.Ttl()]


rates_of_stay = kw.Read(
    NightRates,
    eq=["hotel_id", "plan"],
    range="night",
    span=timedelta(days=14),
    order="night",
    limit=31,
    rate="900/s",
    peak="3k/s",
    p99_ms=30,
)
save_night_rates = kw.Put(NightRates, batch=30, rate="3/s", peak="40/s", p99_ms=300)


class NightInventory(BaseModel):
    """The rooms of one type that a hotel can still sell for one night."""

    __store__: ClassVar = kw.Collection(
        sales_db,
        "night_inventory",
        id="{hotel_id}:{room_type}:{night:date}",
        indexes=[kw.Index(["hotel_id", "night", "room_type"])],
        kind="stock",
        expected=3_000_000,
        active=0.1,
    )

    hotel_id: Annotated[HotelId, kw.Ref(Hotel, on_missing="fail", max_referrers=30_000)]
    room_type: RoomTypeCode
    night: date
    available: Annotated[int, Field(ge=0, le=3_000)]
    overbooked_by: Annotated[int, Field(ge=0, le=50)] = 0
    expires_at: Annotated[datetime, kw.Ttl()]


inventory_of_night = kw.Read(
    NightInventory, eq=["hotel_id", "night"], order="room_type", limit=60, rate="300/s", peak="1k/s", p99_ms=30
)
open_nights = kw.Put(NightInventory, if_absent=True, batch=60, rate="10/min", peak="5/s", p99_ms=300)


class HotelOffer(BaseModel):
    """The answer to "what is free and for how much" of one hotel and one stay, as the site shows it in lists."""

    __store__: ClassVar = kw.RedisString(
        pages, key="offer:{hotel_id}:{arrival:date}:{nights}:{guests}", kind="cache", expected=300_000
    )

    hotel_id: HotelId
    arrival: date
    nights: Annotated[int, Field(ge=1, le=30)]
    guests: Annotated[int, Field(ge=1, le=12)]
    currency: Currency
    cheapest: Price
    room_types: Annotated[list[RoomTypeCode], Field(max_length=60), kw.Size(avg=40, max=540)]


offer = kw.Get(HotelOffer, eq=["hotel_id", "arrival", "nights", "guests"], rate="12k/s", peak="30k/s", p99_ms=5)
fill_offer = kw.Put(HotelOffer, rate="900/s", peak="2500/s", p99_ms=10)


class Checkout(BaseModel):
    """A visitor on the way from an offer to a reservation, with the price that was promised for twenty minutes."""

    __store__: ClassVar = kw.RedisString(
        sessions, key="checkout:{checkout_id}", ttl=timedelta(minutes=20), kind="session", expected=180_000
    )

    checkout_id: Annotated[str, kw.Size(avg=32, max=32)]
    hotel_id: HotelId
    room_type: RoomTypeCode
    plan: PlanCode
    arrival: date
    departure: date
    total: Price
    currency: Currency
    card_number: Annotated[str, Field(pattern=r"^[0-9]{12,19}$"), kw.Size(avg=16, max=19), kw.Pii()] | None = None
    card_expires: Annotated[str, Field(pattern=r"^[0-9]{2}/[0-9]{2}$"), kw.Size(avg=5, max=5), kw.Pii()] | None = None
    card_code: Annotated[str, Field(pattern=r"^[0-9]{3,4}$"), kw.Size(avg=3, max=4), kw.Pii()] | None = None


save_checkout = kw.Put(Checkout, rate="50/s", peak="150/s", p99_ms=10)
checkout = kw.Get(Checkout, eq="checkout_id", rate="80/s", peak="300/s", p99_ms=5)
