"""Channel managers: prices and availability that go out to travel sites, and bookings that come in."""

from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw

from .booking import Reservation, ReservationId, work
from .guests import Zone, gate
from .hotels import HotelId, RoomTypeCode
from .rates import PlanCode, Price

channels_db = kw.MongoDatabase("channels", owner="distribution")

ChannelCode = Annotated[str, Field(pattern=r"^[a-z0-9]{3,12}$"), kw.Size(avg=7, max=12), kw.Cardinality(distinct=40)]


class ChannelBooking(BaseModel):
    """A message of a channel about a booking, once for each message, as it came."""

    __store__: ClassVar = kw.Collection(
        channels_db,
        "channel_bookings",
        id="{channel}:{message_id}",
        indexes=[
            kw.Index(["channel", "received_at"], where={"status": "failed"}),
        ],
        kind="event",
        expected=6_000_000,
        active=0.02,
    )

    channel: ChannelCode
    message_id: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{1,64}$"), kw.Size(avg=20, max=64)]
    reservation_id: Annotated[ReservationId, kw.Ref(Reservation, on_missing="ignore", max_referrers=50)] | None = None
    status: Literal["received", "booked", "failed"]
    payload: Annotated[str, Field(max_length=20_000), kw.Size(avg=2_500, max=40_000), kw.Pii()]
    received_at: Annotated[datetime, kw.Ttl(after=timedelta(days=90))]


receive_booking = kw.Put(ChannelBooking, if_absent=True, rate="65k/day", peak="30/s", p99_ms=100)
link_booking = kw.Update(
    ChannelBooking,
    sets=["status", "reservation_id"],
    where={"status": "received"},
    rate="64k/day",
    peak="30/s",
    p99_ms=100,
)
failed_bookings = kw.Read(
    ChannelBooking, eq="channel", where={"status": "failed"}, order="received_at", limit=50, rate="4/min", p99_ms=100
)


pushers = kw.ConsumerGroup("pushers", idempotency="event_id", claim_after=timedelta(minutes=1))
boards = kw.ConsumerGroup("boards", idempotency="event_id", claim_after=timedelta(minutes=1))
pricing = kw.ConsumerGroup("pricing", idempotency="event_id", claim_after=timedelta(minutes=5))


class HotelEvent(BaseModel):
    """Something that happened in a hotel or on the site and that other programs have to learn."""

    __store__: ClassVar = kw.RedisStream(
        work,
        key="work:events",
        keep=3_000_000,
        groups=[pushers, boards, pricing],
        kind="queue",
        expected=3_000_000,
    )

    event_id: Annotated[str, Field(pattern=r"^[0-9A-Z]{26}$"), kw.Size(avg=26, max=26)]
    type: Literal["search", "offer_seen", "price", "availability", "booking", "door", "housekeeping", "minibar"]
    hotel_id: HotelId
    room_type: RoomTypeCode | None = None
    plan: PlanCode | None = None
    night: date | None = None
    price: Price | None = None
    detail: Annotated[str, Field(max_length=300), kw.Size(avg=60, max=300)] = ""


announce = kw.Put(HotelEvent, rate="16k/s", peak="45k/s", p99_ms=10)
next_for_channels = kw.Take(HotelEvent, group=pushers, limit=500, rate="35/s", peak="100/s", p99_ms=20)
next_for_boards = kw.Take(HotelEvent, group=boards, limit=500, rate="35/s", peak="100/s", p99_ms=20)
next_for_pricing = kw.Take(HotelEvent, group=pricing, limit=500, rate="35/s", peak="100/s", p99_ms=20)


class ChannelCall(BaseModel):
    """Calls that a channel makes to our interface: sixty thousand in a minute."""

    __store__: ClassVar = kw.RedisRateLimit(
        gate,
        key="{zone:tag}:calls:{channel}",
        limit=60_000,
        per=timedelta(minutes=1),
        window="fixed",
        kind="token",
        expected=40,
    )

    zone: Zone = "gate"
    channel: ChannelCode


allow_channel_call = kw.Take(ChannelCall, rate="3k/s", peak="12k/s", p99_ms=5)
