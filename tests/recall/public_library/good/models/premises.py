"""Premises: rooms and opening hours, and the machines that watch shelves, kiosks, sorters and the air."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import BaseModel, Field

import keywright as kw
from models.lending import BranchId, CopyId
from models.membership import PatronId

premises = kw.MongoDatabase("premises", owner="facilities")
machines = kw.Keyspace("machines", owner="facilities")
branch_state = kw.RedisServer("branch-state", role="primary", owner="facilities")
tags_of_shelf = kw.Gsi("tags_of_shelf", pk=["shelf_id"], sk=["tag_id"], project="keys")
shelf_tags = kw.DynamoTable("shelf-tags", owner="facilities", gsis=[tags_of_shelf])


class RoomBooking(BaseModel):
    """A quarter of a day in a reading or group room; its id is the slot, so that nobody gets it twice."""

    __store__: ClassVar = kw.Collection(
        premises,
        "room_bookings",
        id="{room_id}@{starts_at:iso}",
        indexes=[kw.Index(["branch_id", "starts_at"]), kw.Index(["patron_id", "-starts_at"])],
        expected=1_300_000,
        active=0.2,
    )

    room_id: Annotated[str, Field(pattern=r"^R[0-9]{6}$"), kw.Cardinality(distinct=14_000)]
    branch_id: BranchId
    patron_id: PatronId
    starts_at: Annotated[datetime, kw.Ttl(after=timedelta(days=60))]
    people: Annotated[int, Field(ge=1, le=40)]


rooms_of_branch = kw.Read(
    RoomBooking, eq="branch_id", range="starts_at", order="starts_at", limit=100, rate="20/s", p99_ms=60
)
bookings_of_patron = kw.Read(RoomBooking, eq="patron_id", order="-starts_at", limit=20, rate="8/s", p99_ms=60)
book_room = kw.Put(RoomBooking, if_absent=True, rate="15k/day", peak="10/s", p99_ms=100)
cancel_room = kw.Delete(RoomBooking, rate="2k/day", p99_ms=100)


class ClimateReading(BaseModel):
    """Air of a reading room or a vault, once a minute; conservators look back a year."""

    __store__: ClassVar = kw.CqlTable(
        machines,
        "climate_readings",
        partition=["sensor_id", "month"],
        clustering="-at",
        computed={"month": "{at:month}"},
        ttl=timedelta(days=400),
        compaction=kw.TimeWindow(window=timedelta(days=14)),
        kind="reading",
    )

    sensor_id: Annotated[UUID, kw.Cardinality(distinct=40_000)]
    at: datetime
    celsius: float
    humidity: float


record_climate = kw.Put(ClimateReading, rate="670/s", p99_ms=100)
climate_of_sensor = kw.Read(
    ClimateReading,
    eq="sensor_id",
    range="at",
    span=timedelta(days=1),
    order="-at",
    limit=500,
    fan_out=2,
    rate="6/s",
    p99_ms=150,
)


class KioskEvent(BaseModel):
    """A step at a self-service kiosk, without the person; kept as long as the warranty of the machine."""

    __store__: ClassVar = kw.CqlTable(
        machines,
        "kiosk_events",
        partition=["kiosk_id", "month"],
        clustering=["-at", "event_id"],
        computed={"month": "{at:month}"},
        ttl=timedelta(days=730),
        compaction=kw.TimeWindow(window=timedelta(days=24)),
        kind="event",
    )

    kiosk_id: Annotated[UUID, kw.Cardinality(distinct=9_000)]
    at: datetime
    event_id: UUID
    step: Literal["start", "scan", "lend", "return", "receipt", "jam", "offline"]
    detail: Annotated[str, kw.Size(avg=60, max=500)] = ""


record_kiosk = kw.Put(KioskEvent, rate="60/s", peak="400/s", p99_ms=100)
month_of_kiosk = kw.Read(KioskEvent, eq=["kiosk_id", "month"], order="-at", limit=200, rate="2/s", p99_ms=200)


class SorterScan(BaseModel):
    """A copy that passed a sorter on its way home: the only proof of where a lost one was seen last."""

    __store__: ClassVar = kw.CqlTable(
        machines,
        "sorter_scans",
        partition=["sorter_id", "day"],
        clustering=["-at", "copy_id"],
        computed={"day": "{at:date}"},
        kind="event",
        keep_forever="public property is traced for as long as it is on the books",
    )

    sorter_id: Annotated[UUID, kw.Cardinality(distinct=320)]
    at: datetime
    copy_id: CopyId
    bin_no: Annotated[int, Field(ge=0, le=200)]
    weight_grams: Annotated[int, Field(ge=0)]


record_scan = kw.Put(SorterScan, rate="40/s", peak="200/s", p99_ms=100)
scans_of_day = kw.Read(SorterScan, eq=["sorter_id", "day"], order="-at", limit=200, rate="1/s", p99_ms=150)


class ShelfTag(BaseModel):
    """Where a smart shelf last felt a copy's tag; shelves report around the clock, at the same pace."""

    __store__: ClassVar = kw.Item(shelf_tags, pk="TAG#{tag_id}", sk="SEEN", expected=45_000_000)

    tag_id: Annotated[str, Field(pattern=r"^[0-9A-F]{24}$"), kw.Size(avg=24, max=24)]
    copy_id: CopyId
    shelf_id: Annotated[str, Field(pattern=r"^[A-Z]{3}[0-9]{3}-[0-9]{5}$"), kw.Cardinality(distinct=900_000)]
    seen_at: datetime


tag_seen = kw.Put(ShelfTag, batch=25, rate="160/s", p99_ms=100)
tag = kw.Get(ShelfTag, eq="tag_id", rate="600/s", p99_ms=20)
tags_on_shelf = kw.Read(ShelfTag, eq="shelf_id", limit=200, fields=["tag_id", "shelf_id"], rate="80/s", p99_ms=60)


class OpenState(BaseModel):
    """Whether a branch is open right now, and until when: read by doors, website and app."""

    __store__: ClassVar = kw.RedisHash(
        branch_state, key="open:{branch_id}", keep_forever="each branch has a state, and its door writes it"
    )

    branch_id: BranchId
    is_open: bool
    until: datetime
    message: Annotated[str, Field(max_length=200)] = ""


open_state = kw.Get(OpenState, eq="branch_id", rate="500/s", peak="2k/s", p99_ms=5)
set_open = kw.Put(OpenState, rate="8k/day", p99_ms=10)
