"""From a stored message to a notification: a stream for the workers, and a log of what was attempted."""

from datetime import timedelta
from typing import ClassVar, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel

import keywright as kw
from models.common import ConversationId, UserId, chat
from models.members import DeviceId

events = kw.RedisServer("chat-events", role="queue", owner="messaging", persistence=[kw.Aof(fsync="no"), kw.Rdb()])

push = kw.ConsumerGroup("push", idempotency="message_id", claim_after=timedelta(seconds=30), max_deliveries=5_000)
scan = kw.ConsumerGroup("content-scan", idempotency="message_id", claim_after=timedelta(seconds=1))
statistics = kw.ConsumerGroup("seller-statistics", idempotency="message_id", claim_after=timedelta(minutes=5))


class MessageSent(BaseModel):
    """A message was stored; its text stays in Cassandra."""

    __store__: ClassVar = kw.RedisStream(
        events,
        key="events:messages",
        keep=2_000_000,
        groups=[push, scan, statistics],
        kind="event",
        expected=2_000_000,
    )

    message_id: UUID
    conversation_id: ConversationId
    sender_id: UserId
    receiver_id: UserId
    sent_at: AwareDatetime
    type: Literal["text", "image", "offer_card", "location", "system", "retraction"]


announce_message = kw.Put(MessageSent, rate="700/s", peak="3k/s", p99_ms=10)
next_to_push = kw.Take(MessageSent, group=push, limit=50, rate="40/s", peak="120/s", p99_ms=20)
next_to_scan = kw.Take(MessageSent, group=scan, limit=50, rate="40/s", peak="120/s", p99_ms=20)
next_to_count = kw.Take(MessageSent, group=statistics, limit=200, rate="10/s", p99_ms=50)


class DeliveryAttempt(BaseModel):
    """A notification that was handed to a push provider, for support; a day of one member is a partition."""

    __store__: ClassVar = kw.CqlTable(
        chat,
        "delivery_attempts",
        partition=["user_id", "day"],
        clustering=["-at", "attempt_id"],
        computed={"day": "{at:date}"},
        ttl=timedelta(days=14),
        compaction=kw.TimeWindow(window=timedelta(hours=12)),
        kind="event",
        expected=900_000_000,
        active=0.001,
    )

    user_id: UserId
    at: AwareDatetime
    attempt_id: UUID
    message_id: UUID
    device_id: DeviceId
    provider: Literal["apns", "fcm", "webpush", "email"]
    outcome: Literal["accepted", "invalid_token", "throttled", "failed"]


log_attempt = kw.Put(DeliveryAttempt, rate="750/s", peak="3k/s", p99_ms=50)
attempts_of_day = kw.Read(DeliveryAttempt, eq=["user_id", "day"], order="-at", limit=100, rate="500/day", p99_ms=200)
