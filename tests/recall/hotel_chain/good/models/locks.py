"""The technology of the buildings: door locks, the keys that open them, commands to them, and the climate."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw

from .booking import Reservation, ReservationId, work
from .hotels import HotelId, RoomNumber

buildings_db = kw.MongoDatabase("buildings", owner="building-technology")

LockId = Annotated[str, Field(pattern=r"^L[0-9A-F]{12}$"), kw.Size(avg=13, max=13), kw.Cardinality(distinct=130_000)]


class DoorLock(BaseModel):
    """A lock of a room or of a lift, a gym, a back entrance."""

    __store__: ClassVar = kw.Collection(
        buildings_db,
        "door_locks",
        id="{lock_id}",
        indexes=[
            kw.Index(["hotel_id", "room_number"]),
        ],
        expected=130_000,
    )

    lock_id: LockId
    hotel_id: HotelId
    room_number: RoomNumber | None = None
    firmware: Annotated[str, Field(pattern=r"^[0-9]{1,2}\.[0-9]{1,3}$"), kw.Size(avg=4, max=6)]
    battery_percent: Annotated[int, Field(ge=0, le=100)]
    seen_at: datetime


install_lock = kw.Put(DoorLock, if_absent=True, rate="50/day", p99_ms=100)
locks_of_hotel = kw.Read(DoorLock, eq="hotel_id", order="room_number", limit=200, rate="10/min", peak="1/s", p99_ms=100)
lock_seen = kw.Update(DoorLock, sets=["seen_at", "battery_percent", "firmware"], rate="140/s", peak="300/s", p99_ms=50)


class RoomKey(BaseModel):
    """The right of a card or a phone to open a door during a stay."""

    __store__: ClassVar = kw.Collection(
        buildings_db,
        "room_keys",
        id="{key_id}",
        indexes=[kw.Index("reservation_id")],
        kind="token",
        expected=400_000,
    )

    key_id: Annotated[str, Field(pattern=r"^[0-9A-F]{32}$"), kw.Size(avg=32, max=32)]
    lock_id: Annotated[LockId, kw.Ref(DoorLock, on_missing="fail", max_referrers=5_000)]
    reservation_id: Annotated[ReservationId, kw.Ref(Reservation, on_missing="fail", max_referrers=40)]
    medium: Literal["card", "phone"]
    is_revoked: bool = False
    valid_from: datetime
    valid_until: Annotated[datetime, kw.Ttl()]


issue_key = kw.Put(RoomKey, if_absent=True, rate="100k/day", peak="50/s", p99_ms=100)
revoke_key = kw.Update(RoomKey, sets="is_revoked", rate="4k/day", peak="5/s", p99_ms=100)
room_key = kw.Get(RoomKey, eq="key_id", consistency="strong", rate="60/s", peak="300/s", p99_ms=30)
keys_of_reservation = kw.Read(
    RoomKey,
    eq="reservation_id",
    limit=40,
    consistency="strong",
    reads_back=[issue_key, revoke_key],
    rate="4/s",
    peak="30/s",
    p99_ms=40,
)


class LockEvent(BaseModel):
    """A door that was opened, refused a key, or was held open."""

    __store__: ClassVar = kw.TimeSeries(
        buildings_db,
        "lock_events",
        time="at",
        meta="lock_id",
        granularity="hours",
        ttl=timedelta(days=180),
        kind="event",
        expected=450_000_000,
        active=0.01,
    )

    lock_id: LockId
    at: datetime
    type: Literal["opened", "refused", "held_open", "from_inside"]
    key_id: Annotated[str, Field(pattern=r"^[0-9A-F]{32}$"), kw.Size(avg=32, max=32)] | None = None


record_lock_events = kw.Put(LockEvent, batch=25, rate="1/s", peak="10/s", p99_ms=200)
events_of_lock = kw.Read(
    LockEvent, eq="lock_id", range="at", span=timedelta(days=7), order="-at", limit=200, rate="20/min", p99_ms=200
)


gateways = kw.ConsumerGroup("gateways", idempotency="command_id", claim_after=timedelta(seconds=30))


class LockCommand(BaseModel):
    """Something that a hotel's gateway tells a lock: a new key, a key that ends, a firmware."""

    __store__: ClassVar = kw.RedisStream(
        work, key="work:locks", keep=timedelta(hours=24), groups=[gateways], kind="queue", expected=350_000
    )

    hotel_id: HotelId
    command_id: Annotated[str, Field(pattern=r"^[0-9A-Z]{26}$"), kw.Size(avg=26, max=26)]
    lock_id: LockId
    type: Literal["add_key", "end_key", "update_firmware"]
    detail: Annotated[str, Field(max_length=200), kw.Size(avg=40, max=200)]


send_to_lock = kw.Put(LockCommand, rate="4/s", peak="100/s", p99_ms=10)
next_lock_commands = kw.Take(LockCommand, group=gateways, limit=20, rate="4/s", peak="10/s", p99_ms=20)


class ClimateReading(BaseModel):
    """The temperature of a room and what its air conditioning does, every ten minutes."""

    __store__: ClassVar = kw.TimeSeries(
        buildings_db,
        "climate_readings",
        time="at",
        meta="thermostat_id",
        granularity="minutes",
        ttl=timedelta(days=30),
        kind="reading",
        expected=520_000_000,
        active=0.03,
    )

    thermostat_id: Annotated[
        str, Field(pattern=r"^T[0-9A-F]{12}$"), kw.Size(avg=13, max=13), kw.Cardinality(distinct=120_000)
    ]
    at: datetime
    celsius: Annotated[float, Field(ge=-40, le=80)]
    humidity: Annotated[int, Field(ge=0, le=100)]
    cooling: bool


record_climate = kw.Put(ClimateReading, batch=100, rate="2/s", peak="8/s", p99_ms=200)
climate_of_room = kw.Read(
    ClimateReading,
    eq="thermostat_id",
    range="at",
    span=timedelta(days=1),
    order="-at",
    limit=200,
    rate="1/s",
    peak="5/s",
    p99_ms=200,
)
