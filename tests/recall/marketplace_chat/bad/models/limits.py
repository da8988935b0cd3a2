"""Limits against spam: by member and by listing."""

from datetime import timedelta
from typing import ClassVar

from pydantic import BaseModel

import keywright as kw
from models.common import ListingId, UserId

gate = kw.RedisServer("chat-gate", role="limiter", owner="trust-and-safety")


class SendPermit(BaseModel):
    """Thirty messages in any minute."""

    __store__: ClassVar = kw.RedisRateLimit(
        gate,
        key="send:{user_id:tag}",
        limit=30,
        per=timedelta(minutes=1),
        window="sliding",
        expected=30_000,
    )

    user_id: UserId


class ContactPermit(BaseModel):
    """Forty new conversations in a day: nobody sincere opens more."""

    __store__: ClassVar = kw.RedisRateLimit(
        gate,
        key="contact:{user_id:tag}",
        limit=40,
        per=timedelta(days=1),
        window="fixed",
        expected=1_500_000,
    )

    user_id: UserId


class ListingContacts(BaseModel):
    """Two hundred first messages in an hour about one listing; more is a raid."""

    __store__: ClassVar = kw.RedisRateLimit(
        gate,
        key="raid:{listing_id:tag}",
        limit=200,
        per=timedelta(hours=1),
        window="fixed",
        expected=200_000,
    )

    listing_id: ListingId


may_send = kw.Take(SendPermit, rate="720/s", peak="3.2k/s", p99_ms=5)
may_contact = kw.Take(ContactPermit, rate="75/s", peak="300/s", p99_ms=5)
listing_may_be_contacted = kw.Take(ListingContacts, rate="75/s", peak="300/s", p99_ms=5)
