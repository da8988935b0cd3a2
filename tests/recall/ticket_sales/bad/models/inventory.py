"""Seats while they are for sale: state, price and holds, in one table that an on-sale fills within minutes."""

from datetime import timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.catalogue import Cents, EventId, SectionName
from models.fans import FanId

HoldId = Annotated[str, Field(pattern=r"^[0-9a-f]{24}$", max_length=24)]

lapsing = kw.Gsi("lapsing", pk="lapse_pk", sk="lapse_sk", project=["hold_id", "fan_id", "event_id", "state"])

inventory = kw.DynamoTable("inventory", owner="box-office", gsis=[lapsing])


class Seat(BaseModel):
    """A seat of an event. It is held under a condition on its state, so that two fans never get it."""

    __store__: ClassVar = kw.Item(
        inventory,
        pk="EV#{event_id}#{section}",
        sk="SEAT#{row}#{number:pad(3)}",
        kind="stock",
        expected=70_000_000,
        active=0.05,
    )

    event_id: EventId
    section: SectionName
    row: Annotated[str, Field(pattern=r"^[A-Z0-9]{1,3}$", max_length=3)]
    number: Annotated[int, Field(ge=1, le=999)]
    level: Annotated[str, Field(pattern=r"^[A-Z0-9]{1,4}$", max_length=4)]
    status: Literal["free", "held", "sold", "blocked"]
    hold_id: HoldId | None = None
    purge_at: Annotated[AwareDatetime, kw.Ttl()]


class Hold(BaseModel):
    """Seats that a fan may pay for until a stated moment. A sweep frees them in time; expiry only tidies up."""

    __store__: ClassVar = kw.Item(
        inventory,
        pk="HOLD#{hold_id}",
        sk="HOLD",
        gsis=[lapsing.key(pk="LAPSE#{hold_id:shard(12)}", sk="{until:iso}", where={"state": "open"})],
        kind="token",
        expected=750_000,
    )

    hold_id: HoldId
    fan_id: FanId
    event_id: EventId
    section: SectionName
    seats: Annotated[list[Annotated[str, Field(max_length=8)]], Field(min_length=1, max_length=8)]
    state: Literal["open", "paid", "lapsed"]
    until: AwareDatetime
    purge_at: Annotated[AwareDatetime, kw.Ttl()]


seats_of_section = kw.Read(
    Seat, eq=["event_id", "section"], limit=400, rate="300/s", peak="4k/s", hot_key="120/s", p99_ms=60
)
list_seats = kw.Put(Seat, if_absent=True, batch=25, rate="12k/day", peak="300/s", p99_ms=200)
hold_seats = kw.Transact(
    [
        kw.Put(Hold, if_absent=True),
        kw.Update(Seat, sets=["status", "hold_id"], where={"status": "free"}, batch=3),
    ],
    rate="250k/day",
    peak="3k/s",
    p99_ms=80,
)
free_seats = kw.Transact(
    [
        kw.Update(Hold, sets="state", where={"state": "open"}),
        kw.Update(
            Seat,
            eq=["event_id", "section", "row", "number", "hold_id"],
            sets="status",
            unset="hold_id",
            where={"status": "held"},
            batch=3,
        ),
    ],
    rate="180k/day",
    peak="900/s",
    p99_ms=120,
)
hold = kw.Get(Hold, eq="hold_id", consistency="strong", rate="500k/day", peak="4k/s", p99_ms=15)
lapsed_holds = kw.Read(
    Hold,
    where={"state": "open"},
    range="until",
    order="until",
    limit=100,
    fan_out=12,
    fields=["hold_id", "fan_id", "event_id"],
    rate="1/s",
    p99_ms=300,
)


class Price(BaseModel):
    """The price of a level of an event; a dozen of them stand in one partition."""

    __store__: ClassVar = kw.Item(inventory, pk="PRICES#{event_id}", sk="LEVEL#{level}", expected=4_000_000, active=0.1)

    event_id: EventId
    level: Annotated[str, Field(pattern=r"^[A-Z0-9]{1,4}$", max_length=4)]
    face_value: Cents
    service_fee: Cents
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$", max_length=3)]
    purge_at: Annotated[AwareDatetime, kw.Ttl()]


prices_of_event = kw.Read(
    Price,
    eq="event_id",
    order="level",
    limit=40,
    rate="200/s",
    peak="3k/s",
    hot_key="900/s",
    p99_ms=20,
    cache_ttl=timedelta(seconds=20),
)
set_price = kw.Put(Price, batch=10, rate="1k/day", p99_ms=100)


class SaleState(BaseModel):
    """Whether an event's sale is open: the first thing that every client of an on-sale asks."""

    __store__: ClassVar = kw.Item(inventory, pk="SALE#{event_id}", sk="STATE", expected=25_000, active=0.2)

    event_id: EventId
    state: Literal["closed", "presale", "open", "paused", "sold_out"]
    opens_at: AwareDatetime
    message: Annotated[str, kw.Size(avg=60, max=300)] = ""
    closes_at: AwareDatetime
    purge_at: Annotated[AwareDatetime, kw.Ttl()]


sale_state = kw.Get(SaleState, eq="event_id", rate="2k/s", peak="55k/s", hot_key="45k/s", p99_ms=15)
set_sale_state = kw.Put(SaleState, rate="3k/day", p99_ms=100)
