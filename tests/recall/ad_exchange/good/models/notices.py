"""Work that follows an auction, in streams of Redis: three for wins, one for each rarer thing."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import BaseModel, Field

import keywright as kw
from models.common import AdvertiserId, BidderId, Cpm, CreativeId, Currency, LineId, PlacementId, PublisherId

notices = kw.RedisServer("notices", role="queue", owner="clearing")

clearing = kw.ConsumerGroup("clearing", idempotency="auction_id", claim_after=timedelta(minutes=1))
pacing = kw.ConsumerGroup("pacing", idempotency="auction_id", claim_after=timedelta(seconds=30))


class WinNotice(BaseModel):
    """A won auction; banners, films and sound have streams of their own, on different nodes."""

    auction_id: UUID
    bidder_id: BidderId
    line_id: LineId
    placement_id: PlacementId
    price: Cpm
    currency: Currency
    won_at: datetime


display_wins = kw.bind(
    WinNotice,
    kw.RedisStream(notices, key="wins:display", keep=22_000_000, groups=[clearing, pacing], kind="event"),
)
video_wins = kw.bind(
    WinNotice, kw.RedisStream(notices, key="wins:video", keep=12_000_000, groups=[clearing, pacing], kind="event")
)
audio_wins = kw.bind(
    WinNotice, kw.RedisStream(notices, key="wins:audio", keep=4_000_000, groups=[clearing, pacing], kind="event")
)

announce_display = kw.Put(display_wins, rate="2.4k/s", peak="5k/s", p99_ms=8)
announce_video = kw.Put(video_wins, rate="1.3k/s", peak="3k/s", p99_ms=8)
announce_audio = kw.Put(audio_wins, rate="300/s", peak="1k/s", p99_ms=8)
display_to_clear = kw.Take(display_wins, group=clearing, limit=200, rate="30/s", peak="75/s", p99_ms=30)
video_to_clear = kw.Take(video_wins, group=clearing, limit=200, rate="20/s", peak="45/s", p99_ms=30)
audio_to_clear = kw.Take(audio_wins, group=clearing, limit=200, rate="10/s", peak="20/s", p99_ms=30)
display_to_pace = kw.Take(display_wins, group=pacing, limit=200, rate="30/s", peak="75/s", p99_ms=30)
video_to_pace = kw.Take(video_wins, group=pacing, limit=200, rate="20/s", peak="45/s", p99_ms=30)
audio_to_pace = kw.Take(audio_wins, group=pacing, limit=200, rate="10/s", peak="20/s", p99_ms=30)

scanners = kw.ConsumerGroup("scanners", idempotency="creative_id", claim_after=timedelta(minutes=10))


class ScanRequest(BaseModel):
    """A new creative, which a browser in a sandbox opens for up to three minutes."""

    __store__: ClassVar = kw.RedisStream(notices, key="scans", keep=200_000, groups=[scanners], kind="queue")

    creative_id: CreativeId
    advertiser_id: AdvertiserId
    submitted_at: datetime


request_scan = kw.Put(ScanRequest, rate="20k/day", peak="12/s", p99_ms=10)
next_scans = kw.Take(ScanRequest, group=scanners, limit=5, rate="2/s", peak="10/s", p99_ms=20)

bookkeepers = kw.ConsumerGroup("bookkeepers", idempotency="run_id", claim_after=timedelta(minutes=15))


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
