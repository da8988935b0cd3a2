"""Reservations from the first click to the departure, their payments, and what happened to them."""

from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw

from .guests import Guest, GuestId
from .hotels import Hotel, HotelId, RoomNumber, RoomTypeCode
from .rates import Currency, NightInventory, PlanCode, Price, sales_db

work = kw.RedisServer("hotel-work", role="queue", owner="reservations")

ReservationId = Annotated[
    str, Field(pattern=r"^[0-9A-Z]{26}$"), kw.Size(avg=26, max=26), kw.Cardinality(distinct=120_000_000)
]


class Reservation(BaseModel):
    """A stay that was booked; the client draws the id, so that a repeated request books only once."""

    __store__: ClassVar = kw.Collection(
        sales_db,
        "reservations",
        id="{reservation_id}",
        indexes=[
            kw.Index(["hotel_id", "arrival", "guest_name"]),
            kw.Index(["guest_id", "-arrival"]),
        ],
        stream=kw.Stream(
            images="keys",
            consumers=[
                kw.Consumer("confirmation-mail", idempotency=["reservation_id", "updated_at"], on_failure="queue"),
                kw.Consumer("warehouse", idempotency=["reservation_id", "updated_at"], on_failure="retry"),
            ],
        ),
        expected=120_000_000,
        active=0.01,
    )

    reservation_id: ReservationId
    hotel_id: Annotated[HotelId, kw.Ref(Hotel, on_missing="ignore", max_referrers=900_000)]
    guest_id: Annotated[GuestId, kw.Ref(Guest, on_missing="hide", max_referrers=3_000)]
    guest_name: Annotated[
        str, Field(max_length=120), kw.Size(avg=18, max=240), kw.Pii(), kw.CopiedFrom(Guest, "name", sync="stream")
    ]
    room_type: RoomTypeCode
    room_number: RoomNumber | None = None
    plan: PlanCode
    arrival: date
    departure: date
    guests: Annotated[int, Field(ge=1, le=12)]
    status: Literal["booked", "in_house", "departed", "cancelled", "no_show"]
    source: Literal["site", "app", "desk", "call", "channel"]
    total: Price
    currency: Currency
    wishes: Annotated[str, Field(max_length=500), kw.Size(avg=40, max=1_000), kw.Pii()] = ""
    created_at: datetime
    updated_at: datetime
    purge_at: Annotated[datetime, kw.Ttl()]


class ReservationEvent(BaseModel):
    """A step in the life of a reservation: booked, changed, checked in, moved, cancelled."""

    __store__: ClassVar = kw.Collection(
        sales_db,
        "reservation_events",
        id="{reservation_id}:{number:pad(5)}",
        indexes=[kw.Index(["reservation_id", "number"])],
        shard_key=kw.ShardKey(on="reservation_id", hashed=True),
        kind="event",
        expected=160_000_000,
        active=0.005,
    )

    reservation_id: Annotated[ReservationId, kw.Ref(Reservation, on_missing="ignore", max_referrers=500)]
    number: Annotated[int, Field(ge=0, le=99_999)]
    type: Literal["booked", "changed", "checked_in", "moved", "checked_out", "cancelled", "no_show"]
    by: Annotated[str, Field(max_length=60), kw.Size(avg=14, max=120)]
    note: Annotated[str, Field(max_length=500), kw.Size(avg=60, max=1_000), kw.Pii()] = ""
    happened_at: Annotated[datetime, kw.Ttl(after=timedelta(days=730))]


reservation = kw.Get(Reservation, eq="reservation_id", consistency="strong", rate="150/s", peak="600/s", p99_ms=30)
reservations_of_guest = kw.Read(
    Reservation, eq="guest_id", order="-arrival", limit=30, rate="30/s", peak="150/s", p99_ms=50
)
arrivals_of_day = kw.Read(
    Reservation, eq=["hotel_id", "arrival"], order="guest_name", limit=100, rate="10/s", peak="60/s", p99_ms=60
)
book = kw.Transact(
    [
        kw.Put(Reservation, if_absent=True),
        kw.Increment(NightInventory, "available", by=-1, where={"available": kw.AtLeast(1)}, batch=3),
        kw.Put(ReservationEvent, if_absent=True),
    ],
    rate="100k/day",
    peak="40/s",
    p99_ms=200,
)
cancel = kw.Transact(
    [
        kw.Update(Reservation, sets=["status", "updated_at"], where={"status": "booked"}),
        kw.Increment(NightInventory, "available", by=1, batch=3),
        kw.Put(ReservationEvent, if_absent=True),
    ],
    rate="25k/day",
    peak="10/s",
    p99_ms=200,
)
check_in = kw.Transact(
    [
        kw.Update(Reservation, sets=["status", "room_number", "updated_at"], where={"status": "booked"}),
        kw.Put(ReservationEvent, if_absent=True),
    ],
    rate="45k/day",
    peak="20/s",
    p99_ms=150,
)
check_out = kw.Transact(
    [
        kw.Update(Reservation, sets=["status", "updated_at"], where={"status": "in_house"}),
        kw.Put(ReservationEvent, if_absent=True),
    ],
    rate="45k/day",
    peak="25/s",
    p99_ms=150,
)
events_of_reservation = kw.Read(
    ReservationEvent, eq="reservation_id", order="number", limit=100, rate="5/s", peak="30/s", p99_ms=60
)


class Payment(BaseModel):
    """Money that was reserved on a card, taken, or given back; its id is the key that the provider sees."""

    __store__: ClassVar = kw.Collection(
        sales_db,
        "payments",
        id="{payment_id}",
        indexes=[
            kw.Index(["reservation_id", "created_at"]),
            kw.Index("provider_reference", unique=True),
        ],
        kind="money",
        expected=110_000_000,
        active=0.01,
        keep_forever="payments are accounting records; the archive takes them after three years",
    )

    payment_id: Annotated[str, Field(pattern=r"^[0-9A-Z]{26}$"), kw.Size(avg=26, max=26)]
    reservation_id: Annotated[ReservationId, kw.Ref(Reservation, on_missing="ignore", max_referrers=200)]
    provider_reference: Annotated[str, Field(max_length=64), kw.Size(avg=28, max=64)]
    type: Literal["authorisation", "charge", "refund"]
    amount: Annotated[Decimal, Field(ge=0, le=1_000_000, max_digits=12, decimal_places=2)]
    currency: Currency
    status: Literal["authorised", "settled", "voided", "failed"]
    created_at: datetime
    settled_at: datetime | None = None


payments_of_reservation = kw.Read(
    Payment, eq="reservation_id", order="created_at", limit=50, consistency="strong", rate="12/s", p99_ms=50
)
record_payment = kw.Put(Payment, if_absent=True, rate="110k/day", peak="40/s", p99_ms=100)
settle_payment = kw.Update(
    Payment, sets=["status", "settled_at"], where={"status": "authorised"}, rate="100k/day", peak="40/s", p99_ms=100
)
