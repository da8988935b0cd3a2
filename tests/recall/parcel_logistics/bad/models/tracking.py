"""What happened to parcels, in Cassandra in both data centres: one table for each question."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import BaseModel, Field

import keywright as kw
from models.shared import CountryCode, CourierId, DepotCode, ParcelNo, Phase, Service, ShipperId

tracking = kw.Keyspace("tracking", owner="tracking")


class TrackingEvent(BaseModel):
    """A line of the tracking page; a parcel has about fourteen in its life."""

    __store__: ClassVar = kw.CqlTable(
        tracking,
        "tracking_events",
        partition="parcel_no",
        clustering=["-at", "event_id"],
        ttl=timedelta(days=400),
        compaction=kw.TimeWindow(window=timedelta(days=14)),
        kind="event",
    )

    parcel_no: ParcelNo
    at: datetime
    event_id: UUID
    phase: Phase
    depot: DepotCode | None = None
    country: CountryCode
    remark: Annotated[str, Field(max_length=120), kw.Size(avg=30, max=120)] = ""


record_event = kw.Put(TrackingEvent, rate="1.45k/s", peak="6k/s", p99_ms=40)
history = kw.Read(TrackingEvent, eq="parcel_no", order="-at", limit=60, rate="3k/s", peak="14k/s", p99_ms=30)


class PrintedLabel(BaseModel):
    """What was printed on a label, for disputes about weight and service."""

    __store__: ClassVar = kw.CqlTable(
        tracking,
        "printed_labels",
        partition="parcel_no",
        ttl=timedelta(days=400),
        compaction=kw.TimeWindow(window=timedelta(days=14)),
        indexes=[kw.CqlIndex("order_reference")],
    )

    parcel_no: ParcelNo
    shipper_id: ShipperId
    order_reference: Annotated[
        str, Field(max_length=40), kw.Size(avg=16, max=40), kw.Cardinality(distinct=2_800_000_000)
    ]
    service: Service
    weight_g: Annotated[int, Field(ge=1, le=70_000)]
    printed_at: datetime


keep_label = kw.Put(PrintedLabel, rate="104/s", peak="450/s", p99_ms=80)
label = kw.Get(PrintedLabel, eq="parcel_no", rate="20/s", p99_ms=30)
parcels_of_order = kw.Read(PrintedLabel, eq="order_reference", limit=50, rate="450/s", peak="1.5k/s", p99_ms=30)


class NetworkEvent(BaseModel):
    """A delay, a closed road, a broken sorter: shown newest first."""

    __store__: ClassVar = kw.CqlTable(
        tracking,
        "network_events",
        partition="board",
        clustering=["-at", "event_id"],
        ttl=timedelta(days=90),
        compaction=kw.TimeWindow(window=timedelta(days=3)),
        kind="event",
    )

    board: Literal["all"] = "all"
    at: datetime
    event_id: UUID
    country: CountryCode
    depot: DepotCode
    category: Literal["delay", "closure", "breakdown", "weather", "strike"]
    text: Annotated[str, Field(max_length=300), kw.Size(avg=90, max=300)]
    delay_minutes: Annotated[int, Field(ge=0, le=10_080)]


report_network_event = kw.Put(NetworkEvent, rate="8/s", peak="60/s", p99_ms=60)
network_events = kw.Read(NetworkEvent, eq="board", order="-at", limit=50, rate="300/s", p99_ms=50)


class PendingNotice(BaseModel):
    """A message that the planner wrote and that no sender has taken yet. A sender reads the oldest and deletes them."""

    __store__: ClassVar = kw.CqlTable(
        tracking,
        "pending_notices",
        partition="channel_lane",
        clustering=["planned_at", "notice_id"],
        compaction=kw.Unified(scaling="T4"),
        expected=20_000,
        kind="queue",
    )

    channel_lane: Annotated[
        str, Field(pattern=r"^(mail|sms|push)-[0-9]{2}$"), kw.Size(avg=7, max=7), kw.Cardinality(distinct=48)
    ]
    planned_at: datetime
    notice_id: UUID
    parcel_no: ParcelNo
    template: Annotated[str, Field(max_length=40)]


plan_notice = kw.Put(PendingNotice, rate="310/s", peak="2.5k/s", p99_ms=40)
next_notices = kw.Read(
    PendingNotice, eq="channel_lane", order="planned_at", limit=50, rate="50/s", peak="200/s", p99_ms=60
)
done_notice = kw.Delete(PendingNotice, rate="310/s", peak="2.5k/s", p99_ms=40)


class SentNotice(BaseModel):
    """A message to a recipient, without its text; the planner wrote it from a change of the parcel."""

    __store__: ClassVar = kw.CqlTable(
        tracking,
        "sent_notices",
        partition="parcel_no",
        clustering=["-sent_at", "notice_id"],
        ttl=timedelta(days=180),
        compaction=kw.TimeWindow(window=timedelta(days=6)),
        kind="event",
    )

    parcel_no: ParcelNo
    sent_at: datetime
    notice_id: UUID
    channel: Literal["mail", "sms", "push"]
    template: Annotated[str, Field(max_length=40)]
    outcome: Literal["accepted", "bounced"]


log_notice = kw.Put(SentNotice, rate="310/s", peak="2.5k/s", p99_ms=60)
notices_of_parcel = kw.Read(SentNotice, eq="parcel_no", order="-sent_at", limit=30, rate="10/s", p99_ms=60)


class DeliveryDay(BaseModel):
    """Deliveries of a depot on a day; the consumer of parcels' changes adds to them."""

    __store__: ClassVar = kw.CqlTable(
        tracking,
        "delivery_days",
        partition=["depot", "month"],
        clustering="-day",
        counters=["delivered", "failed"],
        expected=800_000,
        kind="analytics",
        keep_forever="a short row a day for each depot; contracts with partners compare years",
    )

    depot: DepotCode
    month: Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}$"), kw.Cardinality(distinct=60)]
    day: Annotated[int, Field(ge=1, le=31)]
    delivered: int
    failed: int


count_delivered = kw.Increment(DeliveryDay, "delivered", rate="100/s", peak="500/s", p99_ms=80)
count_failed = kw.Increment(DeliveryDay, "failed", rate="6/s", peak="30/s", p99_ms=80)
deliveries_of_month = kw.Read(DeliveryDay, eq=["depot", "month"], order="-day", limit=31, rate="5k/day", p99_ms=80)


class FailedDelivery(BaseModel):
    """A door that did not open; depots and the quality team look for them."""

    __store__: ClassVar = kw.CqlTable(
        tracking,
        "failed_deliveries",
        partition="failure_id",
        ttl=timedelta(days=120),
        compaction=kw.TimeWindow(window=timedelta(days=4)),
        indexes=[kw.CqlIndex("depot"), kw.CqlIndex("courier_id"), kw.CqlIndex("reason")],
        expected=62_000_000,
        kind="event",
    )

    failure_id: UUID
    depot: DepotCode
    at: datetime
    parcel_no: ParcelNo
    courier_id: CourierId
    reason: Annotated[
        Literal["absent", "refused", "address", "damaged", "blocked", "closed", "moved", "animal"],
        kw.Cardinality(distinct=8),
    ]


record_failure = kw.Put(FailedDelivery, rate="6/s", peak="30/s", p99_ms=80)
failure = kw.Get(FailedDelivery, eq="failure_id", rate="2/s", p99_ms=40)
failures_of_courier = kw.Read(
    FailedDelivery, eq=["depot", "courier_id", "reason"], limit=100, rate="5k/day", p99_ms=300
)
