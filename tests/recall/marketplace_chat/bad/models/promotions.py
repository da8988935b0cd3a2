"""Promoted listings: how many members looked at them, and whom sellers pay for."""

from datetime import date, timedelta
from typing import ClassVar

from pydantic import BaseModel

import keywright as kw
from models.common import ListingId, UserId
from models.inbox import inbox


class PromotionReach(BaseModel):
    """A member whom a promoted listing reached on a day; the seller's invoice has a price for each."""

    __store__: ClassVar = kw.RedisHyperLogLog(
        inbox,
        key="reach:{listing_id}:{day:date}",
        member="{user_id}",
        ttl=timedelta(days=45),
        expected=180_000,
        kind="money",
    )

    listing_id: ListingId
    day: date
    user_id: UserId


reach_member = kw.Put(PromotionReach, rate="300/s", peak="1k/s", p99_ms=10)
billable_members = kw.Count(PromotionReach, eq=["listing_id", "day"], rate="4k/day", p99_ms=20)


class ListingVisitor(BaseModel):
    """A member who opened a listing on a day, for the number of visitors in the seller's statistics."""

    __store__: ClassVar = kw.RedisSet(
        inbox,
        key="visitors:{listing_id}:{day:date}",
        member="{user_id}",
        ttl=timedelta(days=14),
        expected=90_000_000,
        active=0.1,
        kind="analytics",
    )

    listing_id: ListingId
    day: date
    user_id: UserId


count_visitor = kw.Put(ListingVisitor, rate="2.5k/s", peak="7k/s", p99_ms=10)
visitors_of_day = kw.Count(ListingVisitor, eq=["listing_id", "day"], rate="200/s", p99_ms=10)
