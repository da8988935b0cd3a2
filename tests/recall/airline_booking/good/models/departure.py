"""Departure control: check-in, boarding and bags of the flights of the next days."""

from datetime import datetime
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.common import BookingId, FlightId, PassengerNumber
from models.inventory import Flight
from models.reservations import Booking, Passenger

by_booking = kw.Gsi("by_booking", pk="booking_key", sk="booking_sort")
to_load = kw.Gsi("to_load", pk="load_key", sk="load_sort", project=["tag", "flight_id", "state"])

departures = kw.DynamoTable(
    "departures",
    owner="departure-control",
    gsis=[by_booking, to_load],
    stream=kw.Stream(
        images="new",
        consumers=[kw.Consumer("bag-tracking", idempotency=["tag", "state"], on_failure="queue")],
    ),
)


class CheckIn(BaseModel):
    """A passenger who is accepted on a flight."""

    __store__: ClassVar = kw.Item(
        departures,
        pk="FLIGHT#{flight_id}",
        sk="CHECKIN#{booking_id}#{passenger_number:pad(2)}",
        gsis=[by_booking.key(pk="BOOKING#{booking_id}", sk="CHECKIN#{flight_id}#{passenger_number:pad(2)}")],
        expected=14_000_000,
        active=0.1,
    )

    flight_id: Annotated[FlightId, kw.Ref(Flight, on_missing="fail", max_referrers=500)]
    booking_id: Annotated[BookingId, kw.Ref(Booking, on_missing="fail", max_referrers=144)]
    passenger_number: PassengerNumber
    surname: Annotated[str, Field(max_length=60), kw.CopiedFrom(Passenger, "surname", sync="stream"), kw.Pii()]
    seat: Annotated[str, Field(pattern=r"^[0-9]{2}[A-K]$")]
    sequence: Annotated[int, Field(ge=1, le=999)]
    checked_in_at: datetime
    boarded_at: datetime | None = None
    purge_at: Annotated[datetime, kw.Ttl()]


check_in = kw.Put(CheckIn, if_absent=True, rate="160k/day", peak="90/s", hot_key="20/s", p99_ms=60)
manifest = kw.Read(CheckIn, eq="flight_id", limit=500, consistency="strong", rate="5/s", peak="20/s", p99_ms=150)
check_ins_of_booking = kw.Read(CheckIn, eq="booking_id", limit=50, rate="60/s", p99_ms=30)
board_passenger = kw.Update(CheckIn, sets="boarded_at", rate="150k/day", peak="80/s", p99_ms=40)


class Bag(BaseModel):
    """A checked bag from the counter to the belt."""

    __store__: ClassVar = kw.Item(
        departures,
        pk="BAG#{tag}",
        sk="BAG",
        gsis=[
            by_booking.key(pk="BOOKING#{booking_id}", sk="BAG#{tag}"),
            to_load.key(
                pk="LOAD#{flight_id}", sk="{tag}", where={"state": kw.OneOf(["accepted", "screened", "sorted"])}
            ),
        ],
        expected=12_000_000,
        active=0.1,
    )

    tag: Annotated[str, Field(pattern=r"^[0-9]{10}$"), kw.Size(avg=10, max=10)]
    booking_id: Annotated[BookingId, kw.Ref(Booking, on_missing="fail", max_referrers=45)]
    passenger_number: PassengerNumber
    flight_id: Annotated[FlightId, kw.Ref(Flight, on_missing="fail", max_referrers=600)]
    weight_kg: Annotated[int, Field(ge=1, le=45)]
    state: Literal["accepted", "screened", "sorted", "loaded", "arrived", "missing"]
    purge_at: Annotated[datetime, kw.Ttl()]


accept_bag = kw.Put(Bag, if_absent=True, rate="110k/day", peak="60/s", p99_ms=60)
bags_of_booking = kw.Read(Bag, eq="booking_id", limit=45, rate="40/s", p99_ms=30)
bags_to_load = kw.Read(
    Bag, eq="flight_id", where={"state": "sorted"}, fields=["tag", "state"], limit=400, rate="2/s", p99_ms=150
)
move_bag = kw.Update(Bag, sets=["state", "flight_id"], rate="500k/day", peak="200/s", p99_ms=50)
