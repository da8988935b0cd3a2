"""Bookings: one DynamoDB table, a partition for each booking with its passengers, segments and history."""

from datetime import date, datetime
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.common import (
    AgentId,
    AirportCode,
    BookingClass,
    BookingId,
    EventId,
    FlightId,
    MemberId,
    Money,
    PassengerNumber,
    RecordLocator,
)
from models.inventory import Flight

of_booking = kw.Gsi("of_booking", pk="booking_key", sk="ticket_number", project=["status", "created_at"])
by_flight = kw.Gsi("by_flight", pk="flight_key", sk="flight_sort")

reservations = kw.DynamoTable(
    "reservations",
    owner="reservations",
    gsis=[of_booking, by_flight],
    stream=kw.Stream(
        images="keys",  # documents stay out of the stream: an event brings the consumer to read its booking
        consumers=[
            kw.Consumer("booking-fan-out", idempotency="event_id", on_failure="queue"),
        ],
    ),
)

SegmentNumber = Annotated[int, Field(ge=1, le=16)]


class Booking(BaseModel):
    """A booking as a whole; its passengers, segments and history are in the same partition."""

    __store__: ClassVar = kw.Item(
        reservations,
        pk="BOOKING#{booking_id}",
        sk="BOOKING",
        expected=90_000_000,
        active=0.05,
    )

    booking_id: BookingId
    locator: RecordLocator
    status: Literal["held", "confirmed", "ticketed", "flown", "cancelled"]
    created_at: datetime
    point_of_sale: Annotated[str, Field(pattern=r"^[A-Z]{2}$"), kw.Size(avg=2, max=2), kw.Cardinality(distinct=60)]
    contact_email: Annotated[str, kw.Size(avg=24, max=254), kw.Pii()]
    contact_phone: Annotated[str | None, Field(max_length=20), kw.Pii()] = None
    language: Annotated[str, Field(max_length=5)] = "en"
    total: Money
    revision: Annotated[int, Field(ge=1)] = 1
    purge_at: Annotated[datetime, kw.Ttl()]


booking = kw.Get(Booking, eq="booking_id", rate="600/s", peak="2k/s", p99_ms=15)


class LocatorClaim(BaseModel):
    """Keeps a locator for one booking, and finds the booking for travellers, who then prove their name."""

    __store__: ClassVar = kw.Item(reservations, pk="LOCATOR#{locator}", sk="CLAIM", expected=90_000_000, active=0.05)

    locator: RecordLocator
    booking_id: Annotated[BookingId, kw.Ref(Booking, on_missing="hide", max_referrers=1)]
    purge_at: Annotated[datetime, kw.Ttl()]


booking_by_locator = kw.Get(LocatorClaim, eq="locator", rate="250/s", peak="900/s", p99_ms=20)


class BookingOfMember(BaseModel):
    """The link from a loyalty account to a booking, so that the account's trips are one query."""

    __store__: ClassVar = kw.Item(
        reservations,
        pk="MEMBER#{member_id}",
        sk="TRIP#{first_departure:iso}#{booking_id}",
        expected=30_000_000,
        active=0.05,
    )

    member_id: Annotated[MemberId, kw.Ref("Member", on_missing="ignore", max_referrers=1_000)]
    booking_id: Annotated[BookingId, kw.Ref(Booking, on_missing="hide", max_referrers=9)]
    first_departure: datetime
    locator: Annotated[RecordLocator, kw.CopiedFrom(Booking, "locator", sync="never")]
    purge_at: Annotated[datetime, kw.Ttl()]


trips_of_member = kw.Read(BookingOfMember, eq="member_id", order="-first_departure", limit=20, rate="120/s", p99_ms=30)


class SpecialService(BaseModel):
    """A service request of a passenger, such as a wheelchair or a meal."""

    code: Annotated[str, Field(pattern=r"^[A-Z]{4}$")]
    text: Annotated[str, Field(max_length=120)] = ""
    status: Literal["requested", "confirmed", "refused"]


class Passenger(BaseModel):
    """A traveller of a booking, with the travel document that border control asks for."""

    __store__: ClassVar = kw.Item(
        reservations,
        pk="BOOKING#{booking_id}",
        sk="PASSENGER#{number:pad(2)}",
        expected=160_000_000,
        active=0.05,
    )

    booking_id: Annotated[BookingId, kw.Ref(Booking, on_missing="fail", max_referrers=9)]
    number: PassengerNumber
    kind: Literal["adult", "child", "infant"]
    given_names: Annotated[str, Field(max_length=60), kw.Pii()]
    surname: Annotated[str, Field(max_length=60), kw.Pii()]
    birth_date: Annotated[date | None, kw.Pii()] = None
    document_number: Annotated[str | None, Field(max_length=20), kw.Pii()] = None
    document_country: Annotated[str | None, Field(max_length=2)] = None
    document_expires_on: Annotated[date | None, kw.Pii()] = None
    member_id: Annotated[MemberId | None, kw.Ref("Member", on_missing="ignore", max_referrers=2_000)] = None
    services: Annotated[list[SpecialService], Field(max_length=12)] = []
    purge_at: Annotated[datetime, kw.Ttl()]


passengers = kw.Read(Passenger, eq="booking_id", order="number", limit=9, rate="500/s", peak="1.5k/s", p99_ms=20)
add_documents = kw.Update(
    Passenger,
    sets=["document_number", "document_country", "document_expires_on", "birth_date"],
    rate="90k/day",
    peak="30/s",
    p99_ms=50,
)


class Segment(BaseModel):
    """A flight of a booking; the index lists the bookings on one flight for departure control."""

    __store__: ClassVar = kw.Item(
        reservations,
        pk="BOOKING#{booking_id}",
        sk="SEGMENT#{number:pad(2)}",
        gsis=[by_flight.key(pk="FLIGHT#{flight_id}", sk="{booking_id}#{number:pad(2)}")],
        expected=200_000_000,
        active=0.05,
    )

    booking_id: Annotated[BookingId, kw.Ref(Booking, on_missing="fail", max_referrers=16)]
    number: SegmentNumber
    flight_id: Annotated[FlightId, kw.Ref(Flight, on_missing="ignore", max_referrers=400)]
    origin: Annotated[AirportCode, kw.CopiedFrom(Flight, "origin", sync="never")]
    destination: Annotated[AirportCode, kw.CopiedFrom(Flight, "destination", sync="never")]
    booking_class: BookingClass
    seats: Annotated[int, Field(ge=1, le=9)]
    status: Literal["confirmed", "waitlisted", "cancelled", "flown"]
    purge_at: Annotated[datetime, kw.Ttl()]


segments = kw.Read(Segment, eq="booking_id", order="number", limit=16, rate="500/s", peak="1.5k/s", p99_ms=20)
bookings_on_flight = kw.Read(Segment, eq="flight_id", limit=200, rate="15/s", peak="60/s", p99_ms=80)
change_segment = kw.Update(Segment, sets="status", rate="40k/day", peak="200/s", p99_ms=50)


class BookingEvent(BaseModel):
    """What was done to a booking, by whom and when."""

    __store__: ClassVar = kw.Item(
        reservations,
        pk="BOOKING#{booking_id}",
        sk="EVENT#{at:iso}#{event_id}",
        kind="event",
        expected=900_000_000,
        active=0.01,
    )

    booking_id: Annotated[BookingId, kw.Ref(Booking, on_missing="ignore", max_referrers=200)]
    event_id: EventId
    at: datetime
    actor: Literal["traveller", "agent", "system", "partner"]
    agent_id: AgentId | None = None
    action: Annotated[str, Field(max_length=40)]
    detail: Annotated[str, kw.Size(avg=120, max=1_000)] = ""
    purge_at: Annotated[datetime, kw.Ttl()]


events_of_booking = kw.Read(BookingEvent, eq="booking_id", order="-at", limit=50, rate="20/s", p99_ms=40)
log_booking_event = kw.Put(BookingEvent, if_absent=True, rate="10/s", peak="150/s", p99_ms=50)

create_booking = kw.Transact(
    [
        kw.Put(Booking, if_absent=True),
        kw.Put(LocatorClaim, if_absent=True),
        kw.Put(Passenger, if_absent=True, batch=2),
        kw.Put(Segment, if_absent=True, batch=2),
        kw.Put(BookingEvent, if_absent=True),
        kw.Put(BookingOfMember),
    ],
    rate="80k/day",
    peak="40/s",
    p99_ms=150,
)
confirm_booking = kw.Transact(
    [
        kw.Update(Booking, sets=["status", "total", "revision"], where={"status": "held"}),
        kw.Put(BookingEvent, if_absent=True),
    ],
    rate="90k/day",
    peak="50/s",
    p99_ms=80,
)


class Coupon(BaseModel):
    """The right to one flight."""

    number: Annotated[int, Field(ge=1, le=4)]
    flight_id: FlightId
    fare_basis: Annotated[str, Field(max_length=15)]
    status: Literal["open", "checked_in", "flown", "exchanged", "refunded"]


class Tax(BaseModel):
    """A tax or charge of the fare, by its published code."""

    code: Annotated[str, Field(pattern=r"^[A-Z0-9]{2}$")]
    amount: Money


class Ticket(BaseModel):
    """An electronic ticket with its coupons, a partition of its own because the industry asks for its number."""

    __store__: ClassVar = kw.Item(
        reservations,
        pk="TICKET#{ticket_number}",
        sk="TICKET",
        gsis=[of_booking.key(pk="TICKETS-OF#{booking_id}")],
        expected=170_000_000,
        active=0.03,
    )

    ticket_number: Annotated[str, Field(pattern=r"^[0-9]{13}$"), kw.Size(avg=13, max=13)]
    booking_id: Annotated[BookingId, kw.Ref(Booking, on_missing="fail", max_referrers=18)]
    passenger_number: PassengerNumber
    status: Literal["open", "used", "exchanged", "refunded", "void"]
    created_at: datetime
    coupons: Annotated[list[Coupon], Field(min_length=1, max_length=4)]
    fare: Money
    taxes: Annotated[list[Tax], Field(max_length=30)] = []
    purge_at: Annotated[datetime, kw.Ttl()]


ticket = kw.Get(Ticket, eq="ticket_number", rate="60/s", p99_ms=20)
tickets_of_booking = kw.Read(
    Ticket, eq="booking_id", fields=["ticket_number", "status", "created_at"], limit=18, rate="80/s", p99_ms=30
)
issue_ticket = kw.Put(Ticket, if_absent=True, rate="140k/day", peak="80/s", p99_ms=60)
change_coupons = kw.Update(
    Ticket, sets=["coupons", "status"], where={"status": "open"}, rate="300k/day", peak="100/s", p99_ms=60
)
