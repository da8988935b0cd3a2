"""Work that follows an auction, in streams of Redis: what happened, and months to be added up."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import BaseModel, Field

import keywright as kw
from models.common import BidderId, Cpm, CreativeId, Currency, LineId, PlacementId, PublisherId

notices = kw.RedisServer("notices", role="queue", owner="clearing")

clearing = kw.ConsumerGroup("clearing", idempotency="event_id", claim_after=timedelta(minutes=1))
pacing = kw.ConsumerGroup("pacing", idempotency="event_id", claim_after=timedelta(seconds=30))
scanners = kw.ConsumerGroup("scanners", idempotency="event_id", claim_after=timedelta(minutes=10))


class ExchangeEvent(BaseModel):
    """Whatever happens in the exchange; each group picks the kinds that concern it."""

    __store__: ClassVar = kw.RedisStream(
        notices, key="events", keep=60_000_000, groups=[clearing, pacing, scanners], kind="event"
    )

    event_id: UUID
    what: Literal["won", "shown", "clicked", "bidder_failed", "creative_submitted", "floor_changed"]
    bidder_id: BidderId | None = None
    line_id: LineId | None = None
    placement_id: PlacementId | None = None
    creative_id: CreativeId | None = None
    price: Cpm | None = None
    currency: Currency | None = None
    at: datetime


announce = kw.Put(ExchangeEvent, rate="9k/s", peak="21k/s", p99_ms=8)
events_to_clear = kw.Take(ExchangeEvent, group=clearing, limit=200, rate="60/s", peak="150/s", p99_ms=30)
events_to_pace = kw.Take(ExchangeEvent, group=pacing, limit=200, rate="60/s", peak="150/s", p99_ms=30)
events_to_scan = kw.Take(ExchangeEvent, group=scanners, limit=200, rate="60/s", peak="150/s", p99_ms=30)

bookkeepers = kw.ConsumerGroup("bookkeepers", idempotency="run_id", claim_after=timedelta(seconds=1))


class StatementRun(BaseModel):
    """A publisher's month to be added up, which takes minutes for a large one."""

    __store__: ClassVar = kw.RedisStream(
        notices, key="statement-runs", keep=timedelta(days=14), groups=[bookkeepers], kind="queue"
    )

    run_id: UUID
    publisher_id: PublisherId
    month: Annotated[str, Field(pattern=r"^[0-9]{4}-(0[1-9]|1[0-2])$")]
    reason: Literal["month_end", "correction"]


order_run = kw.Put(StatementRun, rate="10k/month", peak="20/s", p99_ms=10)
next_runs = kw.Take(StatementRun, group=bookkeepers, limit=1, rate="1/s", p99_ms=20)
