"""The stay itself: the folio with its lines, the minibar, housekeeping, and the work of the desk."""

from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw

from .booking import Reservation, ReservationId
from .hotels import Hotel, HotelId, RoomNumber
from .rates import Currency

stays_db = kw.MongoDatabase("stays", owner="front-desk")
desk = kw.RedisServer("hotel-desk", role="primary", owner="front-desk", settings={"no-appendfsync-on-rewrite": "yes"})

FolioId = Annotated[str, Field(pattern=r"^[0-9A-Z]{26}$"), kw.Size(avg=26, max=26), kw.Cardinality(distinct=80_000_000)]
Sku = Annotated[str, Field(pattern=r"^[A-Z0-9]{4,10}$"), kw.Size(avg=6, max=10), kw.Cardinality(distinct=400)]
StaffId = Annotated[str, Field(pattern=r"^[0-9]{7}$"), kw.Size(avg=7, max=7), kw.Cardinality(distinct=40_000)]


class Folio(BaseModel):
    """The bill of a stay; the balance is in the smallest unit of the currency."""

    __store__: ClassVar = kw.Collection(
        stays_db,
        "folios",
        id="{folio_id}",
        indexes=[
            kw.Index(["hotel_id", "room_number"]),
        ],
        kind="money",
        expected=80_000_000,
        active=0.005,
        keep_forever="folios are accounting records; the archive takes them after five years",
    )

    folio_id: FolioId
    reservation_id: Annotated[ReservationId, kw.Ref(Reservation, on_missing="ignore", max_referrers=6)]
    hotel_id: Annotated[HotelId, kw.Ref(Hotel, on_missing="ignore", max_referrers=600_000)]
    room_number: RoomNumber
    balance: Annotated[int, Field(ge=-1_000_000_000, le=1_000_000_000)] = 0
    currency: Currency
    status: Literal["open", "closed"]
    opened_at: datetime
    closed_at: datetime | None = None


class FolioLine(BaseModel):
    """A charge or a payment on a folio; the number of the till or the night audit identifies it."""

    __store__: ClassVar = kw.Collection(
        stays_db,
        "folio_lines",
        id="{folio_id}:{posting}",
        indexes=[kw.Index(["folio_id", "posted_at"])],
        shard_key=kw.ShardKey(on="folio_id", hashed=True),
        kind="money",
        expected=73_000_000,
        active=0.03,
    )

    folio_id: Annotated[FolioId, kw.Ref(Folio, on_missing="ignore", max_referrers=1_000)]
    posting: Annotated[str, Field(pattern=r"^[A-Z0-9]{12}$"), kw.Size(avg=12, max=12)]
    type: Literal["room", "city_tax", "minibar", "restaurant", "spa", "parking", "payment", "correction"]
    text: Annotated[str, Field(max_length=120), kw.Size(avg=24, max=240)]
    amount: Annotated[int, Field(ge=-100_000_000, le=100_000_000)]
    posted_at: Annotated[datetime, kw.Ttl(after=timedelta(days=270))]


folio = kw.Get(Folio, eq="folio_id", consistency="strong", rate="40/s", peak="200/s", p99_ms=30)
open_folios = kw.Read(
    Folio,
    eq="hotel_id",
    where={"status": kw.Not("closed")},
    order="room_number",
    limit=200,
    rate="3/s",
    peak="20/s",
    p99_ms=80,
)
open_folio = kw.Put(Folio, if_absent=True, rate="45k/day", peak="20/s", p99_ms=100)
post_charge = kw.Transact(
    [
        kw.Put(FolioLine, if_absent=True),
        kw.Increment(Folio, "balance", by=100, where={"status": "open"}),
    ],
    rate="270k/day",
    peak="120/s",
    p99_ms=150,
)
close_folio = kw.Update(
    Folio,
    sets=["status", "closed_at"],
    where={"status": "open", "balance": 0},
    rate="45k/day",
    peak="25/s",
    p99_ms=100,
)
lines_of_folio = kw.Read(
    FolioLine,
    eq="folio_id",
    order="posted_at",
    limit=100,
    consistency="strong",
    rate="20/s",
    peak="120/s",
    p99_ms=60,
)


class MinibarStock(BaseModel):
    """What should be in the minibar of a room and what is."""

    __store__: ClassVar = kw.Collection(
        stays_db,
        "minibar_stock",
        id="{hotel_id}:{room_number}:{sku}",
        indexes=[kw.Index(["hotel_id", "room_number", "sku"])],
        kind="stock",
        expected=1_200_000,
        active=0.4,
    )

    hotel_id: Annotated[HotelId, kw.Ref(Hotel, on_missing="fail", max_referrers=40_000)]
    room_number: RoomNumber
    sku: Sku
    left: Annotated[int, Field(ge=0, le=24)]
    wanted: Annotated[int, Field(ge=0, le=24)]
    best_before: date


minibar_of_room = kw.Read(
    MinibarStock,
    eq=["hotel_id", "room_number"],
    order="sku",
    limit=40,
    consistency="strong",
    rate="2/s",
    peak="30/s",
    p99_ms=50,
)
count_minibar = kw.Increment(MinibarStock, "left", by=-1, rate="110k/day", peak="60/s", p99_ms=100)
stock_minibar = kw.Put(MinibarStock, if_absent=True, rate="2k/day", p99_ms=100)


class HousekeepingTask(BaseModel):
    """A room that somebody cleans, inspects or repairs on a day."""

    __store__: ClassVar = kw.Collection(
        stays_db,
        "housekeeping_tasks",
        id="{task_id}",
        indexes=[
            kw.Index(["staff_id", "day", "position"]),
        ],
        expected=7_000_000,
        active=0.02,
    )

    task_id: Annotated[str, Field(pattern=r"^[0-9A-Z]{26}$"), kw.Size(avg=26, max=26)]
    hotel_id: Annotated[HotelId, kw.Ref(Hotel, on_missing="ignore", max_referrers=200_000)]
    room_number: RoomNumber
    staff_id: StaffId
    day: date
    position: Annotated[int, Field(ge=0, le=200)]
    type: Literal["clean", "deep_clean", "inspect", "repair", "minibar"]
    status: Literal["planned", "done", "refused"]
    finished_at: datetime | None = None
    remove_at: Annotated[datetime, kw.Ttl()]


finish_task = kw.Update(
    HousekeepingTask,
    sets=["status", "finished_at"],
    where={"status": "planned"},
    rate="110k/day",
    peak="40/s",
    p99_ms=100,
)
plan_tasks = kw.Put(HousekeepingTask, if_absent=True, batch=50, rate="2400/day", peak="5/s", p99_ms=300)
progress_of_day = kw.Aggregate(
    HousekeepingTask,
    group=["{hotel_id}", "{day:date}", "{status}"],
    measures={"rooms": kw.Distinct("room_number")},
    rate="6/s",
    peak="30/s",
    p99_ms=100,
)
my_tasks = kw.Read(
    HousekeepingTask,
    eq=["staff_id", "day"],
    order="position",
    limit=60,
    consistency="session",
    reads_back=[finish_task],
    rate="20/s",
    peak="150/s",
    p99_ms=50,
)


class RoomState(BaseModel):
    """The state of a room at this moment, as the board at the desk shows it."""

    __store__: ClassVar = kw.RedisHash(
        desk,
        key="board:{hotel_id}:{room_number}",
        expected=120_000,
        keep_forever="there is one for each room that exists",
    )

    hotel_id: HotelId
    room_number: RoomNumber
    occupancy: Literal["vacant", "occupied", "due_out"]
    cleanliness: Literal["dirty", "cleaning", "clean", "inspected"]
    do_not_disturb: bool = False
    changed_at: datetime


room_state = kw.Get(RoomState, eq=["hotel_id", "room_number"], rate="600/s", peak="3k/s", p99_ms=5)
set_room_state = kw.Put(RoomState, rate="20/day", p99_ms=10)
change_room_state = kw.Update(
    RoomState, sets=["occupancy", "cleanliness", "changed_at"], rate="5/s", peak="80/s", p99_ms=10
)


class DeskNote(BaseModel):
    """A note that a shift at the desk leaves for the next ones; they are on the screen."""

    __store__: ClassVar = kw.RedisList(
        desk, key="notes:{hotel_id}", max_length=5_000, ttl=timedelta(days=14), kind="feed", expected=2_400_000
    )

    hotel_id: HotelId
    written_at: datetime
    staff_id: StaffId
    text: Annotated[str, Field(max_length=400), kw.Size(avg=110, max=800), kw.Pii()]


write_note = kw.Put(DeskNote, rate="2/s", peak="20/s", p99_ms=10)
last_notes = kw.Read(DeskNote, eq="hotel_id", rate="40/s", peak="150/s", p99_ms=10)


class AuditLock(BaseModel):
    """The right to run the night audit of a hotel; it takes about four minutes."""

    __store__: ClassVar = kw.RedisString(desk, key="audit:{hotel_id}", value="holder", kind="token", expected=800)

    hotel_id: HotelId
    holder: Annotated[str, kw.Size(avg=36, max=36)]


start_audit = kw.Put(AuditLock, if_absent=True, rate="1k/day", p99_ms=10)
end_audit = kw.Delete(AuditLock, rate="800/day", p99_ms=10)
