"""Records of use in Cassandra: as the network wrote them, as they were rated, and as partners abroad sent them."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar

from pydantic import BaseModel, Field

import keywright as kw
from models.catalogue import Plmn, Service, Zone
from models.customers import ULID, Imsi, SubscriptionId, TariffCode

RecordId = Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26)]
ElementId = Annotated[str, Field(max_length=16), kw.Size(avg=9, max=16), kw.Cardinality(distinct=300)]
CellId = Annotated[str, Field(max_length=16), kw.Size(avg=11, max=16), kw.Cardinality(distinct=42_000)]

usage = kw.Keyspace("usage", owner="mediation")
planning = kw.Keyspace("planning", owner="network")


class RawRecord(BaseModel):
    """A call record as an element of the network delivered it, kept for a month to rate it again if need be."""

    __store__: ClassVar = kw.CqlTable(
        usage,
        "raw_records",
        partition=["element_id", "hour", "shard"],
        clustering=["started_at", "record_id"],
        computed={"hour": "{started_at:hour}", "shard": "{record_id:shard(8)}"},
        ttl=timedelta(days=30),
        compaction=kw.Leveled(),
        compression="Zstd",
        kind="event",
    )

    element_id: ElementId
    started_at: datetime
    record_id: RecordId
    imsi: Imsi
    service: Service
    cell_id: CellId
    payload: Annotated[bytes, kw.Size(avg=220, max=2_000)]


store_raw = kw.Put(RawRecord, rate="7k/s", peak="20k/s", p99_ms=100)
raw_of_hour = kw.Read(
    RawRecord,
    eq="element_id",
    range="started_at",
    span=timedelta(hours=1),
    order="started_at",
    limit=500,
    fan_out=16,
    rate="2/s",
    p99_ms=800,
)


class RatedRecord(BaseModel):
    """A priced use of the network; a month of one line is a partition, latest first."""

    __store__: ClassVar = kw.CqlTable(
        usage,
        "rated_records",
        partition=["subscription_id", "month"],
        clustering=["-started_at", "record_id"],
        computed={"month": "{started_at:month}"},
        ttl=timedelta(days=540),
        compaction=kw.TimeWindow(window=timedelta(days=18)),
        kind="event",
        settings={"speculative_retry": "NEVER"},
    )

    subscription_id: SubscriptionId
    started_at: datetime
    record_id: RecordId
    service: Service
    zone: Zone
    tariff_code: TariffCode
    units: Annotated[int, Field(ge=0)]
    price_micros: Annotated[int, Field(ge=0)]
    other_party: Annotated[str | None, Field(max_length=20), kw.Pii()] = None


store_rated = kw.Put(RatedRecord, rate="35/s", peak="100/s", batch=200, p99_ms=50)
recent_usage = kw.Read(
    RatedRecord,
    eq="subscription_id",
    range="started_at",
    span=timedelta(days=14),
    order="-started_at",
    limit=50,
    fan_out=2,
    rate="200/s",
    peak="800/s",
    p99_ms=50,
)
usage_to_bill = kw.Read(
    RatedRecord,
    eq=["subscription_id", "month"],
    order="-started_at",
    limit=1_000,
    consistency="strong",
    rate="40/s",
    peak="300/s",
    p99_ms=200,
)


class TapRecord(BaseModel):
    """A use abroad as the partner's clearing file reports it."""

    __store__: ClassVar = kw.CqlTable(
        usage,
        "tap_records",
        partition=["plmn", "day", "shard"],
        clustering=["-received_at", "record_id"],
        computed={"day": "{received_at:date}", "shard": "{record_id:shard(8)}"},
        ttl=timedelta(days=400),
        compaction=kw.TimeWindow(window=timedelta(days=14)),
        kind="event",
    )

    plmn: Plmn
    received_at: datetime
    record_id: RecordId
    imsi: Imsi
    service: Service
    file_number: Annotated[int, Field(ge=1, le=99_999)]
    units: Annotated[int, Field(ge=0)]
    charge_micros: Annotated[int, Field(ge=0)]


store_tap = kw.Put(TapRecord, rate="25/s", peak="1k/s", p99_ms=100)
taps_of_partner = kw.Read(
    TapRecord,
    eq="plmn",
    range="received_at",
    span=timedelta(hours=12),
    order="-received_at",
    limit=500,
    fan_out=16,
    rate="200/day",
    p99_ms=2_000,
)


class AddressLease(BaseModel):
    """Which line had a public address and a block of ports; asked by courts, kept for ten weeks."""

    __store__: ClassVar = kw.CqlTable(
        usage,
        "address_leases",
        partition="hour",
        clustering=["address", "-leased_at", "first_port"],
        computed={"hour": "{leased_at:hour}"},
        ttl=timedelta(days=70),
        compaction=kw.TimeWindow(window=timedelta(days=2)),
        kind="event",
    )

    address: Annotated[str, Field(max_length=39), kw.Size(avg=13, max=39), kw.Cardinality(distinct=65_000), kw.Pii()]
    leased_at: datetime
    first_port: Annotated[int, Field(ge=1_024, le=65_535)]
    subscription_id: SubscriptionId
    seconds: Annotated[int, Field(ge=0, le=86_400)]


store_lease = kw.Put(AddressLease, rate="3k/s", peak="8k/s", p99_ms=50)
leases_of_address = kw.Read(
    AddressLease, eq=["hour", "address"], range="leased_at", order="-leased_at", limit=200, rate="300/day", p99_ms=500
)


class ItemisedLine(BaseModel):
    """A line of an itemised bill; an invoice's lines are one partition, written together by the bill run."""

    __store__: ClassVar = kw.CqlTable(
        usage,
        "itemised_lines",
        partition="invoice_no",
        clustering="line_no",
        ttl=timedelta(days=3_650),
        compaction=kw.TimeWindow(window=timedelta(days=90)),
        kind="money",
        settings={"cdc": True},
    )

    invoice_no: Annotated[
        str, Field(pattern=r"^R\d{12}$"), kw.Size(avg=13, max=13), kw.Cardinality(distinct=300_000_000)
    ]
    line_no: Annotated[int, Field(ge=1, le=20_000)]
    at: datetime
    service: Service
    other_party: Annotated[str | None, Field(max_length=20), kw.Pii()] = None
    units: Annotated[int, Field(ge=0)]
    price_micros: Annotated[int, Field(ge=0)]


write_itemised = kw.Put(ItemisedLine, rate="1/s", peak="300/s", batch=60, p99_ms=200)
itemised_bill = kw.Read(ItemisedLine, eq="invoice_no", order="line_no", limit=200, rate="10/s", peak="120/s", p99_ms=60)


class CellLoad(BaseModel):
    """How much a cell carried in each hour of a month, for the planners of the network."""

    __store__: ClassVar = kw.CqlTable(
        planning,
        "cell_load",
        partition=["cell_id", "month"],
        clustering="-hour",
        counters="kilobytes",
        kind="analytics",
        keep_forever="an hour is one row, and planners compare years",
    )

    cell_id: CellId
    month: Annotated[str, Field(pattern=r"^\d{4}-\d{2}$")]
    hour: Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}T\d{2}$")]
    kilobytes: int


count_kilobytes = kw.Increment(CellLoad, "kilobytes", by=40_000, rate="800/s", peak="2k/s", p99_ms=50)
load_of_cell = kw.Read(CellLoad, eq=["cell_id", "month"], order="-hour", limit=168, rate="5/s", p99_ms=100)


class SeenDevice(BaseModel):
    """The devices in which a line's SIM card was seen, for warranty and theft."""

    __store__: ClassVar = kw.CqlTable(
        usage,
        "seen_devices",
        partition="subscription_id",
        expected=6_000_000,
    )

    subscription_id: SubscriptionId
    imeis: list[Annotated[str, Field(pattern=r"^\d{15}$"), kw.Size(avg=15, max=15), kw.Pii()]]
    newest_model: Annotated[str, Field(max_length=40), kw.Size(avg=14, max=40)]
    last_seen_at: datetime


see_device = kw.Update(
    SeenDevice, pushes="imeis", sets=["newest_model", "last_seen_at"], rate="60/s", peak="300/s", p99_ms=50
)
devices_of_line = kw.Get(SeenDevice, eq="subscription_id", rate="5/s", p99_ms=50)
