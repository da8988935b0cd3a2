"""The doors: who came in, every reading of every scanner, and the health of the turnstiles."""

from datetime import timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.catalogue import EventId
from models.orders import TicketId

# The venues with scanners of ours; all others let people in by a list.
ScanningVenueId = Annotated[str, Field(pattern=r"^ven[a-z0-9]{8}$", max_length=11), kw.Cardinality(distinct=900)]
GateCode = Annotated[str, Field(max_length=8), kw.Cardinality(distinct=40)]

gates = kw.Keyspace("gates", owner="venue-operations")
machines = kw.MongoDatabase("machines", owner="venue-operations")


class Entry(BaseModel):
    """The one entry that a ticket permits; whoever writes the row first gets in."""

    __store__: ClassVar = kw.CqlTable(
        gates,
        "entries",
        partition="ticket_id",
        ttl=timedelta(days=60),
        compaction=kw.TimeWindow(window=timedelta(days=2)),
        expected=10_000_000,
    )

    ticket_id: TicketId
    event_id: EventId
    gate: GateCode
    came_at: AwareDatetime


let_in = kw.Put(Entry, if_absent=True, rate="170k/day", peak="6k/s", p99_ms=200)
entry = kw.Get(Entry, eq="ticket_id", consistency="strong", rate="220k/day", peak="6k/s", p99_ms=40)


class Scan(BaseModel):
    """A reading at a door, block, lounge or bar, good or not; a partition is a venue's day, 3,000 rows on average."""

    __store__: ClassVar = kw.CqlTable(
        gates,
        "scans",
        partition=["venue_id", "day"],
        clustering=["-scanned_at", "scan_id"],
        computed={"day": "{scanned_at:date}"},
        ttl=timedelta(days=180),
        compaction=kw.TimeWindow(window=timedelta(days=6)),
        kind="event",
    )

    venue_id: ScanningVenueId
    scanned_at: AwareDatetime
    scan_id: Annotated[str, Field(min_length=26, max_length=26)]
    gate: GateCode
    ticket_id: TicketId
    result: Literal["in", "out", "used", "wrong_event", "wrong_gate", "unknown"]


record_scan = kw.Put(Scan, rate="2.5M/day", peak="9k/s", hot_key="80/s", p99_ms=50)
scans_of_day = kw.Read(
    Scan, eq=["venue_id", "day"], order="-scanned_at", limit=100, rate="60/s", peak="400/s", p99_ms=50
)


class GateTally(BaseModel):
    """People through each gate, for the screens of the stewards; nobody is refused because of it."""

    __store__: ClassVar = kw.CqlTable(
        gates,
        "gate_tallies",
        partition="event_id",
        clustering="gate",
        counters="came",
        kind="analytics",
        keep_forever="forty rows for an event, which planning compares from year to year",
    )

    event_id: EventId
    gate: GateCode
    came: int


count_in = kw.Increment(GateTally, "came", rate="170k/day", peak="6k/s", hot_key="120/s", p99_ms=50)
tallies_of_event = kw.Read(GateTally, eq="event_id", order="gate", limit=40, rate="50/s", peak="200/s", p99_ms=50)


class MachineReading(BaseModel):
    """What a turnstile or hand scanner says of itself every ten minutes."""

    __store__: ClassVar = kw.TimeSeries(
        machines,
        "machine_readings",
        time="read_at",
        meta="machine_id",
        granularity="minutes",
        ttl=timedelta(days=30),
        kind="reading",
        expected=130_000_000,
        active=0.05,
    )

    machine_id: Annotated[str, Field(max_length=20), kw.Cardinality(distinct=30_000)]
    read_at: AwareDatetime
    battery: float
    temperature: float
    rejected: int


record_machine = kw.Put(MachineReading, batch=50, rate="1/s", p99_ms=200)
readings_of_machine = kw.Read(
    MachineReading,
    eq="machine_id",
    range="read_at",
    span=timedelta(hours=6),
    order="-read_at",
    limit=40,
    rate="5/s",
    p99_ms=150,
)
