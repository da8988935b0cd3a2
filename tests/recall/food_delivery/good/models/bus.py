"""Streams between the services, one for each subject, and jobs that must not be lost."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import Field

import keywright as kw
from models.common import CourierNo, CustomerNo, Minor, OrderNo, OutletId, ZoneId

kitchen_bus = kw.RedisServer(
    "kitchen-bus",
    role="queue",
    owner="platform",
    persistence=[kw.Aof(fsync="everysec"), kw.Rdb()],
    settings={
        "slowlog-log-slower-than": 10_000,
        "repl-backlog-size": "512mb",
        "min-replicas-to-write": 1,
        "min-replicas-max-lag": 10,
    },
)

EntryId = Annotated[str, Field(pattern=r"^[0-9a-f]{24}$"), kw.Size(avg=24, max=24)]

assigners = kw.ConsumerGroup("assigners", idempotency="job_id", claim_after=timedelta(seconds=45))


class AssignmentJob(kw.Model):
    """An order for which a courier is to be found."""

    __store__: ClassVar = kw.RedisStream(
        kitchen_bus, key="jobs:assign", keep=timedelta(hours=12), groups=[assigners], kind="queue", expected=5_500_000
    )

    job_id: EntryId
    order_no: OrderNo
    outlet_id: OutletId
    zone_id: ZoneId
    ready_at: datetime


queue_assignment = kw.Put(AssignmentJob, rate="125/s", peak="760/s", p99_ms=10)
next_assignments = kw.Take(AssignmentJob, group=assigners, limit=20, rate="40/s", peak="120/s", p99_ms=20)

estimators = kw.ConsumerGroup("estimators", idempotency="event_id", claim_after=timedelta(seconds=45))


class KitchenEvent(kw.Model):
    """A kitchen went on with an order."""

    __store__: ClassVar = kw.RedisStream(
        kitchen_bus,
        key="events:kitchen",
        keep=timedelta(hours=6),
        groups=[estimators],
        kind="event",
        expected=7_500_000,
    )

    event_id: EntryId
    order_no: OrderNo
    outlet_id: OutletId
    type: Literal["accepted", "cooking", "ready", "delayed", "refused"]
    at: datetime


announce_kitchen = kw.Put(KitchenEvent, rate="350/s", peak="2.1k/s", p99_ms=10)
next_kitchen_events = kw.Take(KitchenEvent, group=estimators, limit=50, rate="40/s", peak="120/s", p99_ms=20)

trackers = kw.ConsumerGroup("trackers", idempotency="signal_id", claim_after=timedelta(seconds=30))


class CourierSignal(kw.Model):
    """A courier came to a counter or a door, or pressed for help."""

    __store__: ClassVar = kw.RedisStream(
        kitchen_bus,
        key="events:couriers",
        keep=timedelta(hours=3),
        groups=[trackers],
        kind="event",
        expected=6_000_000,
    )

    signal_id: EntryId
    courier_no: CourierNo
    order_no: OrderNo | None = None
    signal: Literal["at_counter", "left_counter", "at_door", "left_door", "help"]
    at: datetime


signal_courier = kw.Put(CourierSignal, rate="550/s", peak="3.2k/s", p99_ms=10)
next_signals = kw.Take(CourierSignal, group=trackers, limit=50, rate="60/s", peak="150/s", p99_ms=20)

senders = kw.ConsumerGroup("senders", idempotency="notice_id", claim_after=timedelta(minutes=1))


class PushNotice(kw.Model):
    """A message to the app of a customer; the sender looks up the device."""

    __store__: ClassVar = kw.RedisStream(
        kitchen_bus, key="jobs:notices", keep=timedelta(hours=2), groups=[senders], kind="queue", expected=4_000_000
    )

    notice_id: EntryId
    customer_no: CustomerNo
    order_no: OrderNo
    template: Literal["accepted", "on_the_way", "arrived", "late", "refunded"]


queue_notice = kw.Put(PushNotice, rate="500/s", peak="3k/s", p99_ms=10)
next_notices = kw.Take(PushNotice, group=senders, limit=50, rate="60/s", peak="150/s", p99_ms=20)

cashiers = kw.ConsumerGroup("cashiers", idempotency="refund_id", claim_after=timedelta(minutes=2), max_deliveries=8)


class RefundJob(kw.Model):
    """A refund that has been granted and is to be sent to the payment provider."""

    __store__: ClassVar = kw.RedisStream(
        kitchen_bus, key="jobs:refunds", keep=timedelta(days=7), groups=[cashiers], kind="queue", expected=1_300_000
    )

    refund_id: Annotated[str, Field(pattern=r"^rf_[0-9a-z]{16}$"), kw.Size(avg=19, max=19)]
    order_no: OrderNo
    amount_minor: Minor
    granted_at: datetime


queue_refund = kw.Put(RefundJob, rate="2/s", peak="15/s", p99_ms=10)
next_refunds = kw.Take(RefundJob, group=cashiers, limit=10, rate="3/s", peak="6/s", p99_ms=20)
