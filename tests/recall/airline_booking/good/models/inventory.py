"""Flights and what is left to sell on them: one DynamoDB table, a partition for each flight."""

from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.common import AirportCode, BookingClass, BookingId, Cabin, EventId, FlightId, PassengerNumber

by_route = kw.Gsi("by_route", pk="route_day", sk="departs_at")

inventory = kw.DynamoTable(
    "inventory",
    owner="inventory",
    gsis=[by_route],
    stream=kw.Stream(
        consumers=[
            kw.Consumer("flight-notices", idempotency=["flight_id", "revision"], on_failure="queue"),
            kw.Consumer("availability-feed", idempotency=["flight_id", "request_id"], on_failure="queue"),
        ]
    ),
)
flight_cache = kw.RedisServer("flight-cache", role="cache", owner="inventory")


class Flight(BaseModel):
    """One flight on one day; its items leave thirteen months after departure, when the archive has them."""

    __store__: ClassVar = kw.Item(
        inventory,
        pk="FLIGHT#{flight_id}",
        sk="FLIGHT",
        gsis=[
            by_route.key(pk="ROUTE#{origin}#{destination}#{departure_day:date}"),
        ],
        expected=800_000,
        active=0.02,
    )

    flight_id: FlightId
    origin: AirportCode
    destination: AirportCode
    departure_day: date
    departs_at: datetime
    arrives_at: datetime
    aircraft_type: Annotated[str, Field(max_length=8)]
    registration: Annotated[str | None, Field(max_length=8)] = None
    gate: Annotated[str | None, Field(max_length=5)] = None
    status: Literal["scheduled", "open", "delayed", "boarding", "departed", "arrived", "cancelled"]
    revision: Annotated[int, Field(ge=1)]
    purge_at: Annotated[datetime, kw.Ttl()]


cached_flight = kw.bind(
    Flight, kw.RedisCache(flight_cache, key="flight:{flight_id}", ttl=timedelta(seconds=30), source_of_truth=Flight)
)

flight = kw.Get(Flight, eq="flight_id", rate="400/s", peak="1.5k/s", p99_ms=15)
flight_status = kw.Get(cached_flight, eq="flight_id", rate="6k/s", peak="20k/s", p99_ms=5)
flights_of_route = kw.Read(
    Flight,
    eq=["origin", "destination", "departure_day"],
    order="departs_at",
    limit=30,
    rate="300/s",
    peak="1.2k/s",
    p99_ms=30,
)
load_flight = kw.Put(Flight, if_absent=True, rate="4k/day", p99_ms=100)
change_flight = kw.Update(Flight, sets=["status", "gate", "revision"], rate="30k/day", peak="60/s", p99_ms=50)


class ClassAvailability(BaseModel):
    """Seats that may still be sold in one booking class of a flight."""

    __store__: ClassVar = kw.Item(
        inventory,
        pk="FLIGHT#{flight_id}",
        sk="CLASS#{booking_class}",
        kind="stock",
        expected=12_000_000,
        active=0.1,
    )

    flight_id: Annotated[FlightId, kw.Ref(Flight, on_missing="fail", max_referrers=20)]
    booking_class: BookingClass
    cabin: Cabin
    authorised: Annotated[int, Field(ge=0, le=500)]
    seats_left: Annotated[int, Field(ge=0, le=500)]
    purge_at: Annotated[datetime, kw.Ttl()]


availability = kw.Read(
    ClassAvailability, eq="flight_id", order="booking_class", limit=20, rate="800/s", peak="3k/s", p99_ms=20
)
open_classes = kw.Put(ClassAvailability, if_absent=True, batch=20, rate="4k/day", p99_ms=100)
set_authorisation = kw.Update(ClassAvailability, sets="authorised", rate="200k/day", peak="200/s", p99_ms=50)


class SeatSale(BaseModel):
    """Proof that a request has taken, returned or added seats: its key makes a repeated request harmless."""

    __store__: ClassVar = kw.Item(
        inventory, pk="FLIGHT#{flight_id}", sk="SALE#{request_id}", kind="event", expected=60_000_000, active=0.01
    )

    flight_id: Annotated[FlightId, kw.Ref(Flight, on_missing="fail", max_referrers=2_000)]
    request_id: EventId
    booking_class: BookingClass
    seats: Annotated[int, Field(ge=-9, le=9)]
    at: datetime
    purge_at: Annotated[datetime, kw.Ttl()]


sell_seats = kw.Transact(
    [
        kw.Put(SeatSale, if_absent=True),
        kw.Increment(ClassAvailability, "seats_left", by=-1, where={"seats_left": kw.AtLeast(1)}),
    ],
    rate="3/s",
    peak="60/s",
    hot_key="25/s",
    p99_ms=80,
)
return_seats = kw.Transact(
    [kw.Put(SeatSale, if_absent=True), kw.Increment(ClassAvailability, "seats_left", by=1)],
    rate="20k/day",
    peak="30/s",
    p99_ms=80,
)


class SeatAssignment(BaseModel):
    """A seat that is given to a passenger; the key admits one passenger for each seat."""

    __store__: ClassVar = kw.Item(
        inventory,
        pk="FLIGHT#{flight_id}",
        sk="SEAT#{row:pad(2)}{letter}",
        expected=90_000_000,
        active=0.02,
    )

    flight_id: Annotated[FlightId, kw.Ref(Flight, on_missing="fail", max_referrers=500)]
    row: Annotated[int, Field(ge=1, le=79)]
    letter: Annotated[str, Field(pattern=r"^[A-K]$"), kw.Size(avg=1, max=1)]
    booking_id: Annotated[BookingId, kw.Ref("Booking", on_missing="ignore", max_referrers=144)]
    passenger_number: PassengerNumber
    assigned_at: datetime
    purge_at: Annotated[datetime, kw.Ttl()]


seat_map = kw.Read(
    SeatAssignment, eq="flight_id", order=["row", "letter"], limit=500, rate="30/s", peak="150/s", p99_ms=60
)
assign_seat = kw.Put(SeatAssignment, if_absent=True, rate="150k/day", peak="80/s", p99_ms=50)
release_seat = kw.Delete(SeatAssignment, rate="20k/day", p99_ms=50)
