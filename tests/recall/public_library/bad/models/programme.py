"""Programme: readings, courses and story times, and who has a seat."""

from datetime import datetime
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import BaseModel, Field

import keywright as kw
from models.lending import BranchId
from models.membership import Patron, PatronId

by_branch = kw.Gsi("by_branch", pk=["branch_id"], sk=["starts_at"])
seats_of_patron = kw.Gsi("seats_of_patron", pk=["patron_id"], sk=["booked_at"], project=["event_id", "seats"])
programme = kw.DynamoTable("programme", owner="programme", gsis=[by_branch, seats_of_patron])


class LibraryEvent(BaseModel):
    """An event with everything that its page shows; forgotten two years after it took place."""

    __store__: ClassVar = kw.Item(programme, pk="EVENT#{event_id}", sk="EVENT", expected=900_000, active=0.05)

    event_id: Annotated[UUID, kw.Cardinality(distinct=900_000)]
    branch_id: BranchId
    title: Annotated[str, kw.Size(avg=50, max=200)]
    audience: Literal["adult", "teen", "child", "family"]
    starts_at: datetime
    description: Annotated[str, kw.Size(avg=6_500, max=40_000)]
    forgotten_at: Annotated[datetime, kw.Ttl()]


class SeatsLeft(BaseModel):
    """How many seats an event still has, beside its page: a booking rewrites a hundred bytes, not the description."""

    __store__: ClassVar = kw.Item(
        programme, pk="EVENT#{event_id}", sk="SEATS_LEFT", kind="stock", expected=900_000, active=0.05
    )

    event_id: Annotated[UUID, kw.Ref(LibraryEvent, on_missing="fail", max_referrers=1)]
    seats_left: Annotated[int, Field(ge=0)]
    forgotten_at: Annotated[datetime, kw.Ttl()]


class SeatBooking(BaseModel):
    """Seats of a patron at an event; a second booking of the same patron is refused."""

    __store__: ClassVar = kw.Item(
        programme, pk="EVENT#{event_id}", sk="SEAT#{patron_id}", expected=12_000_000, active=0.05
    )

    event_id: Annotated[UUID, kw.Ref(LibraryEvent, on_missing="hide", max_referrers=600)]
    patron_id: Annotated[PatronId, kw.Ref(Patron, on_missing="hide", max_referrers=300)]
    seats: Annotated[int, Field(ge=1, le=6)]
    booked_at: datetime
    forgotten_at: Annotated[datetime, kw.Ttl()]


event = kw.Get(LibraryEvent, eq="event_id", rate="120/s", peak="600/s", p99_ms=20)
events_of_branch = kw.Read(
    LibraryEvent,
    eq="branch_id",
    range="starts_at",
    order="starts_at",
    limit=40,
    fields=["event_id", "title", "audience", "starts_at"],
    rate="90/s",
    peak="300/s",
    p99_ms=50,
)
announce_event = kw.Transact(
    [kw.Put(LibraryEvent, if_absent=True), kw.Put(SeatsLeft, if_absent=True)], rate="2k/day", p99_ms=150
)
edit_event = kw.Update(LibraryEvent, sets=["title", "description"], rate="600/day", p99_ms=100)
seats_left = kw.Get(SeatsLeft, eq="event_id", consistency="strong", rate="30/s", peak="200/s", p99_ms=20)
book_seat = kw.Transact(
    [
        kw.Put(SeatBooking, if_absent=True),
        kw.Increment(SeatsLeft, "seats_left", by=-1, where={"seats_left": kw.AtLeast(1)}),
    ],
    rate="40k/day",
    peak="60/s",
    p99_ms=100,
)
seats_of = kw.Read(
    SeatBooking,
    eq="patron_id",
    order="-booked_at",
    limit=20,
    fields=["event_id", "seats", "booked_at"],
    rate="6/s",
    p99_ms=50,
)
guests_of_event = kw.Read(SeatBooking, eq="event_id", limit=200, rate="3k/day", p99_ms=80)
give_seat_back = kw.Transact(
    [kw.Delete(SeatBooking, where={"seats": kw.AtLeast(1)}), kw.Increment(SeatsLeft, "seats_left", by=1)],
    rate="5k/day",
    p99_ms=100,
)
