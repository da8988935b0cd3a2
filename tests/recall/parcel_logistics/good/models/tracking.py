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
    )

    parcel_no: ParcelNo
    shipper_id: ShipperId
    order_reference: Annotated[str, Field(max_length=40), kw.Size(avg=16, max=40)]
    service: Service
    weight_g: Annotated[int, Field(ge=1, le=70_000)]
    printed_at: datetime


class LabelOfReference(BaseModel):
    """The parcels of an order, by the number that the shop gave it."""

    __store__: ClassVar = kw.CqlTable(
        tracking,
        "labels_by_reference",
        partition=["shipper_id", "order_reference"],
        clustering="parcel_no",
        ttl=timedelta(days=400),
        compaction=kw.TimeWindow(window=timedelta(days=14)),
    )

    shipper_id: Annotated[ShipperId, kw.CopiedFrom(PrintedLabel, "shipper_id", sync="never")]
    order_reference: Annotated[
        str,
        Field(max_length=40),
        kw.Size(avg=16, max=40),
        kw.Cardinality(distinct=2_800_000_000),
        kw.CopiedFrom(PrintedLabel, "order_reference", sync="never"),
    ]
    parcel_no: Annotated[ParcelNo, kw.Ref(PrintedLabel, on_missing="ignore", max_referrers=1)]
    service: Annotated[Service, kw.CopiedFrom(PrintedLabel, "service", sync="never")]
    printed_at: Annotated[datetime, kw.CopiedFrom(PrintedLabel, "printed_at", sync="never")]


keep_label = kw.Transact([kw.Put(PrintedLabel), kw.Put(LabelOfReference)], rate="104/s", peak="450/s", p99_ms=80)
label = kw.Get(PrintedLabel, eq="parcel_no", rate="20/s", p99_ms=30)
parcels_of_order = kw.Read(
    LabelOfReference,
    eq=["shipper_id", "order_reference"],
    order="parcel_no",
    limit=50,
    rate="450/s",
    peak="1.5k/s",
    p99_ms=30,
)


class NetworkEvent(BaseModel):
    """A delay, a closed road, a broken sorter: shown newest first, by country and day."""

    __store__: ClassVar = kw.CqlTable(
        tracking,
        "network_events",
        partition=["country", "day"],
        clustering=["-at", "event_id"],
        computed={"day": "{at:date}"},
        ttl=timedelta(days=90),
        compaction=kw.TimeWindow(window=timedelta(days=3)),
        kind="event",
    )

    country: CountryCode
    at: datetime
    event_id: UUID
    depot: DepotCode
    category: Literal["delay", "closure", "breakdown", "weather", "strike"]
    text: Annotated[str, Field(max_length=300), kw.Size(avg=90, max=300)]
    delay_minutes: Annotated[int, Field(ge=0, le=10_080)]


report_network_event = kw.Put(NetworkEvent, rate="8/s", peak="60/s", p99_ms=60)
network_events = kw.Read(NetworkEvent, eq=["country", "day"], order="-at", limit=50, rate="300/s", p99_ms=50)


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
    """A door that did not open, by the depot that has to try again."""

    __store__: ClassVar = kw.CqlTable(
        tracking,
        "failed_deliveries",
        partition=["depot", "day"],
        clustering=["-at", "parcel_no"],
        computed={"day": "{at:date}"},
        ttl=timedelta(days=120),
        compaction=kw.TimeWindow(window=timedelta(days=4)),
        kind="event",
    )

    depot: DepotCode
    at: datetime
    parcel_no: ParcelNo
    courier_id: CourierId
    reason: Literal["absent", "refused", "address", "damaged", "blocked"]


class FailureOfCourier(BaseModel):
    """The same for the talk with a courier: a month by reason."""

    __store__: ClassVar = kw.CqlTable(
        tracking,
        "failures_by_courier",
        partition=["courier_id", "month"],
        clustering=["reason", "-at", "parcel_no"],
        computed={"month": "{at:month}"},
        ttl=timedelta(days=120),
        compaction=kw.TimeWindow(window=timedelta(days=4)),
        kind="event",
    )

    courier_id: Annotated[CourierId, kw.CopiedFrom(FailedDelivery, "courier_id", sync="never")]
    reason: Annotated[
        Literal["absent", "refused", "address", "damaged", "blocked"],
        kw.CopiedFrom(FailedDelivery, "reason", sync="never"),
    ]
    at: datetime
    parcel_no: ParcelNo
    depot: Annotated[DepotCode, kw.CopiedFrom(FailedDelivery, "depot", sync="never")]


record_failure = kw.Transact([kw.Put(FailedDelivery), kw.Put(FailureOfCourier)], rate="6/s", peak="30/s", p99_ms=80)
failures_of_depot = kw.Read(FailedDelivery, eq=["depot", "day"], order="-at", limit=200, rate="2/s", p99_ms=80)
failures_of_courier = kw.Read(
    FailureOfCourier, eq=["courier_id", "month", "reason"], order="-at", limit=100, rate="5k/day", p99_ms=80
)
