"""Digital lending: licences, reading in the app, and what publishers are paid for it."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import BaseModel, Field

import keywright as kw
from models.lending import TitleId
from models.membership import PatronId

digital = kw.Keyspace("digital", owner="digital")
reader_state = kw.RedisServer("reader-state", role="primary", owner="digital")
reader_app = kw.MongoDatabase("reader_app", owner="digital")

PublisherId = Annotated[str, Field(pattern=r"^P[0-9]{5}$"), kw.Size(avg=6, max=6), kw.Cardinality(distinct=900)]


class LicenceSlot(BaseModel):
    """One of the licences of an e-book: one reader at a time, decided by a conditional write."""

    __store__: ClassVar = kw.CqlTable(
        digital,
        "licence_slots",
        partition="title_id",
        clustering="slot",
        compaction=kw.Leveled(),
        expected=2_400_000,
        kind="stock",
    )

    title_id: Annotated[UUID, kw.Cardinality(distinct=180_000)]
    slot: Annotated[int, Field(ge=0, le=199)]
    state: Literal["free", "lent"] = "free"
    reader_id: PatronId | None = None
    until: datetime | None = None


slots_of_title = kw.Read(
    LicenceSlot,
    eq="title_id",
    order="slot",
    limit=200,
    rate="120/s",
    peak="600/s",
    hot_key="20/s",
    p99_ms=40,
)
add_slot = kw.Put(LicenceSlot, if_absent=True, rate="4k/day", p99_ms=100)
claim_slot = kw.Update(
    LicenceSlot,
    sets=["state", "reader_id", "until"],
    where={"state": "free"},
    rate="300k/day",
    peak="25/s",
    p99_ms=120,
)
free_slot = kw.Update(
    LicenceSlot,
    sets="state",
    unset=["reader_id", "until"],
    where={"state": "lent"},
    rate="300k/day",
    peak="25/s",
    p99_ms=120,
)


class PublisherUsage(BaseModel):
    """The digital loans of a publisher on a day and their fees, from which the month's invoice is made."""

    __store__: ClassVar = kw.CqlTable(
        digital,
        "publisher_usage",
        partition="publisher_id",
        clustering="-day",
        counters=["loans", "fee_cents"],
        kind="money",
        keep_forever="publishers may dispute an invoice for ten years",
    )

    publisher_id: PublisherId
    day: Annotated[str, Field(max_length=10)]
    loans: int
    fee_cents: int


record_usage = kw.Increment(PublisherUsage, "loans", rate="300k/day", peak="25/s", p99_ms=80)
add_fee = kw.Increment(PublisherUsage, "fee_cents", by=150, rate="300k/day", peak="25/s", p99_ms=80)
usage_of_month = kw.Read(
    PublisherUsage,
    eq="publisher_id",
    range="day",
    order="-day",
    limit=31,
    consistency="strong",
    rate="1k/day",
    p99_ms=300,
)


class PageTurn(BaseModel):
    """A page that somebody reached, under a pseudonym that changes daily, for royalties by progress."""

    __store__: ClassVar = kw.CqlTable(
        digital,
        "page_turns",
        partition=["title_id", "day", "shard"],
        clustering=["-at", "reading_id"],
        computed={"day": "{at:date}", "shard": "{reading_id:shard(8)}"},
        ttl=timedelta(days=90),
        compaction=kw.TimeWindow(window=timedelta(days=3)),
        caching=kw.Caching(rows="all"),
        kind="event",
    )

    title_id: Annotated[UUID, kw.Cardinality(distinct=180_000)]
    at: datetime
    reading_id: UUID
    page: Annotated[int, Field(ge=0, le=20_000)]
    seconds: Annotated[int, Field(ge=0, le=3_600)]


turn_page = kw.Put(PageTurn, rate="1.8k/s", peak="5k/s", p99_ms=50)
turns_of_day = kw.Read(
    PageTurn, eq=["title_id", "day"], order="-at", limit=500, fan_out=8, rate="180k/day", peak="20/s", p99_ms=300
)


class ReadingPosition(BaseModel):
    """Where a reader stopped, for the next device; forgotten a year after the last page."""

    __store__: ClassVar = kw.RedisHash(
        reader_state,
        key="position:{patron_id}:{title_id}",
        ttl=timedelta(days=365),
        expected=18_000_000,
        active=0.05,
    )

    patron_id: PatronId
    title_id: TitleId
    page: Annotated[int, Field(ge=0, le=20_000)]
    device: Annotated[str, Field(max_length=40)]
    saved_at: datetime


position = kw.Get(ReadingPosition, eq=["patron_id", "title_id"], rate="150/s", peak="700/s", p99_ms=5)
save_position = kw.Put(ReadingPosition, rate="300/s", peak="1.2k/s", p99_ms=10)


class PushOptIn(BaseModel):
    """A patron who wants messages on the phone; asked before each message."""

    __store__: ClassVar = kw.RedisSet(
        reader_state,
        key="push-readers",
        member="{patron_id}",
        expected=6_000_000,
        active=0.1,
        keep_forever="the wish stands until it is withdrawn",
    )

    patron_id: PatronId


wants_push = kw.Get(PushOptIn, eq="patron_id", rate="200/s", peak="900/s", p99_ms=5)
allow_push = kw.Put(PushOptIn, rate="8k/day", p99_ms=10)
refuse_push = kw.Delete(PushOptIn, rate="300/day", p99_ms=10)


class AppReport(BaseModel):
    """A log of the reader app, for the help desk; gone after three days."""

    __store__: ClassVar = kw.Collection(
        reader_app,
        "app_reports",
        id="{report_id}",
        indexes=[kw.Index(["device_id", "-sent_at"]), kw.TextIndex("log")],
        shard_key=kw.ShardKey(on="device_id", hashed=True),
        expected=310_000_000,
        active=0.01,
        kind="event",
    )

    report_id: UUID
    device_id: Annotated[UUID, kw.Cardinality(distinct=3_000_000)]
    app_version: Annotated[str, Field(max_length=12)]
    log: Annotated[str, kw.Size(avg=2_500, max=16_000)]
    sent_at: Annotated[datetime, kw.Ttl(after=timedelta(days=3))]


report = kw.Put(AppReport, rate="1.2k/s", peak="4k/s", p99_ms=200)
reports_with_words = kw.Read(AppReport, search="log", limit=50, rate="1/s", p99_ms=1_000)
reports_of_device = kw.Read(AppReport, eq="device_id", order="-sent_at", limit=20, rate="2/s", p99_ms=100)
