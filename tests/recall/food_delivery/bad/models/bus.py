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
        "repl-backlog-size": "1mb",
        "min-replicas-to-write": 1,
        "min-replicas-max-lag": 10,
    },
)

EntryId = Annotated[str, Field(pattern=r"^[0-9a-f]{24}$"), kw.Size(avg=24, max=24)]

assigners = kw.ConsumerGroup("assigners", idempotency="event_id", claim_after=timedelta(seconds=45))
estimators = kw.ConsumerGroup("estimators", idempotency="event_id", claim_after=timedelta(seconds=45))
trackers = kw.ConsumerGroup("trackers", idempotency="event_id", claim_after=timedelta(seconds=30))
senders = kw.ConsumerGroup("senders", idempotency="event_id", claim_after=timedelta(minutes=1))


class PlatformEvent(kw.Model):
    """Whatever happened: to an order, in a kitchen, on the road, or that somebody is to be told of it."""

    __store__: ClassVar = kw.RedisStream(
        kitchen_bus,
        key="events",
        keep=timedelta(hours=6),
        groups=[assigners, estimators, trackers, senders],
        kind="event",
        expected=80_000_000,
    )

    event_id: EntryId
    type: Literal[
        "order_placed",
        "order_cancelled",
        "kitchen_accepted",
        "kitchen_cooking",
        "kitchen_ready",
        "courier_at_counter",
        "courier_left_counter",
        "courier_at_door",
        "courier_moved",
        "notice_due",
    ]
    order_no: OrderNo | None = None
    outlet_id: OutletId | None = None
    courier_no: CourierNo | None = None
    customer_no: CustomerNo | None = None
    zone_id: ZoneId | None = None
    at: datetime


announce = kw.Put(PlatformEvent, rate="3.7k/s", peak="19k/s", p99_ms=10)
next_to_assign = kw.Take(PlatformEvent, group=assigners, limit=100, rate="60/s", peak="220/s", p99_ms=20)
next_to_estimate = kw.Take(PlatformEvent, group=estimators, limit=100, rate="60/s", peak="220/s", p99_ms=20)
next_to_track = kw.Take(PlatformEvent, group=trackers, limit=100, rate="60/s", peak="220/s", p99_ms=20)
next_to_send = kw.Take(PlatformEvent, group=senders, limit=100, rate="60/s", peak="220/s", p99_ms=20)


class RefundJob(kw.Model):
    """A refund that has been granted and is to be sent to the payment provider."""

    __store__: ClassVar = kw.RedisList(
        kitchen_bus, key="jobs:refunds", max_length=500_000, kind="queue", expected=2_000
    )

    refund_id: Annotated[str, Field(pattern=r"^rf_[0-9a-z]{16}$"), kw.Size(avg=19, max=19)]
    order_no: OrderNo
    amount_minor: Minor
    granted_at: datetime


queue_refund = kw.Put(RefundJob, rate="2/s", peak="15/s", p99_ms=10)
next_refunds = kw.Take(RefundJob, limit=10, rate="3/s", peak="6/s", p99_ms=20)
