"""Places in classes: the bookings of a day open at seven in the morning in all clubs at once."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal

import keywright as kw
from pydantic import BaseModel, Field

from models.members import ULID, ClubId, MemberId

ClassId = Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26), kw.Cardinality(distinct=3_000_000)]

rosters = kw.Gsi(
    "rosters", pk="roster", sk="roster_at", project=["member_id", "class_id", "mat", "booked_at", "starts_at"]
)

bookings = kw.DynamoTable("bookings", owner="classes", gsis=[rosters])


class ClassPlaces(BaseModel):
    """The places of a class that nobody has taken yet."""

    __store__: ClassVar = kw.Item(
        bookings, pk="CLASS#{class_id}", sk="PLACES", kind="stock", expected=500_000, active=0.1
    )

    class_id: ClassId
    club_id: ClubId
    free: Annotated[int, Field(ge=0, le=200)]
    starts_at: Annotated[datetime, kw.Ttl(after=timedelta(days=30))]


class Booking(BaseModel):
    """A member's place in a class, once per class; the history of a year is kept."""

    __store__: ClassVar = kw.Item(
        bookings,
        pk="MEMBER#{member_id}",
        sk="BOOKING#{starts_at:iso}#{class_id}",
        gsis=[rosters.key(pk="ROSTER#{class_id}", sk="{booked_at:iso}#{member_id}")],
        expected=90_000_000,
        active=0.02,
    )

    member_id: MemberId
    class_id: ClassId
    club_id: ClubId
    starts_at: Annotated[datetime, kw.Ttl(after=timedelta(days=400))]
    booked_at: datetime
    mat: Annotated[int | None, Field(ge=1, le=200)] = None
    status: Literal["booked", "attended", "missed"]


open_class = kw.Put(ClassPlaces, if_absent=True, rate="9k/day", p99_ms=100)
places_left = kw.Get(ClassPlaces, eq="class_id", rate="250/s", peak="8k/s", hot_key="900/s", p99_ms=15)
book_class = kw.Transact(
    [
        kw.Put(Booking, if_absent=True),
        kw.Increment(ClassPlaces, "free", by=-1, where={"free": kw.AtLeast(1)}),
    ],
    rate="3/s",
    peak="3k/s",
    hot_key="40/s",
    p99_ms=150,
)
cancel_booking = kw.Transact(
    [
        kw.Delete(Booking, where={"status": "booked"}),
        kw.Increment(ClassPlaces, "free", by=1, where={"free": kw.AtMost(199)}),
    ],
    rate="60k/day",
    peak="60/s",
    p99_ms=150,
)
mark_attendance = kw.Update(Booking, sets="status", rate="2/s", peak="90/s", p99_ms=50)
bookings_of_member = kw.Read(
    Booking, eq="member_id", range="starts_at", order="starts_at", limit=25, rate="150/s", peak="3k/s", p99_ms=40
)
roster_of_class = kw.Read(
    Booking,
    eq="class_id",
    order="booked_at",
    fields=["member_id", "mat", "booked_at"],
    limit=200,
    rate="6/s",
    peak="60/s",
    p99_ms=80,
)
