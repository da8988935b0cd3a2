"""Royalties: what a play earns, the ledger of each rights holder, statements and payouts."""

from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw

from .accounts import Market
from .catalogue import RightsHolderId, TrackId

royalties = kw.Keyspace("royalties", owner="royalties")
work = kw.RedisServer("work", role="queue", owner="platform")
statement_writers = kw.ConsumerGroup(
    "statement-writers", idempotency=["rights_holder_id", "period"], claim_after=timedelta(minutes=10)
)

Amount = Annotated[Decimal, Field(max_digits=18, decimal_places=6)]
Currency = Annotated[str, Field(pattern=r"^[A-Z]{3}$"), kw.Size(avg=3, max=3), kw.Cardinality(distinct=30)]
Period = Annotated[str, Field(pattern=r"^\d{4}-\d{2}$"), kw.Size(avg=7, max=7), kw.Cardinality(distinct=120)]


class RoyaltyLine(BaseModel):
    """What a track earned on a day in a market; the nightly run may be repeated, as a line replaces itself."""

    __store__: ClassVar = kw.CqlTable(
        royalties,
        "royalty_lines",
        partition=["track_id", "month"],
        clustering=["day", "market", "tier"],
        computed={"month": "{day:month}"},
        compaction=kw.Unified(),
        compression="Zstd",
        expected=9_000_000_000,
        active=0.002,
        kind="money",
        keep_forever="labels may audit every line for ten years",
    )

    track_id: TrackId
    day: date
    market: Market
    tier: Literal["free", "premium", "family", "student"]
    rights_holder_id: RightsHolderId
    plays: Annotated[int, Field(ge=0)]
    amount: Amount
    currency: Currency


write_lines = kw.Put(RoyaltyLine, batch=4, rate="40/s", peak="300/s", p99_ms=80)
lines_of_track = kw.Read(
    RoyaltyLine,
    eq=["track_id", "month"],
    order=["day", "market", "tier"],
    limit=500,
    consistency="strong",
    rate="60/s",
    peak="400/s",
    p99_ms=80,
)


class LedgerEntry(BaseModel):
    """A credit or debit of a rights holder, with a key made from its source; a balance is the sum of its entries."""

    __store__: ClassVar = kw.CqlTable(
        royalties,
        "ledger_entries",
        partition=["rights_holder_id", "period"],
        clustering=["-booked_at", "entry_id"],
        computed={"period": "{booked_at:month}"},
        compaction=kw.Unified(),
        expected=200_000_000,
        active=0.01,
        kind="money",
        keep_forever="books are kept for ten years and more",
    )

    rights_holder_id: RightsHolderId
    booked_at: datetime
    entry_id: Annotated[str, Field(pattern=r"^[0-9A-Z]{26}$"), kw.Size(avg=26, max=26)]
    type: Literal["royalty", "advance", "payout", "correction", "tax"]
    amount: Amount
    currency: Currency
    reference: Annotated[str, Field(max_length=40)]


book_entry = kw.Put(LedgerEntry, if_absent=True, rate="2/s", peak="80/s", p99_ms=400)
entries_of_period = kw.Read(
    LedgerEntry,
    eq=["rights_holder_id", "period"],
    order="-booked_at",
    limit=200,
    consistency="strong",
    reads_back=[book_entry],
    rate="5/s",
    peak="40/s",
    p99_ms=60,
)


class Statement(BaseModel):
    """The account of a month: totals, and the address of the file with all lines."""

    __store__: ClassVar = kw.CqlTable(
        royalties,
        "statements",
        partition="rights_holder_id",
        clustering="-month",
        compaction=kw.Unified(),
        expected=30_000_000,
        active=0.02,
        kind="money",
        keep_forever="statements are kept for ten years",
    )

    rights_holder_id: RightsHolderId
    month: Period
    plays: Annotated[int, Field(ge=0)]
    amount: Amount
    currency: Currency
    file_url: Annotated[str, Field(max_length=200)]
    issued_at: datetime


issue_statement = kw.Put(Statement, if_absent=True, rate="300k/month", peak="30/s", p99_ms=400)
statements_of_holder = kw.Read(
    Statement, eq="rights_holder_id", order="-month", limit=24, consistency="strong", rate="3/s", p99_ms=50
)


class Payout(BaseModel):
    """A transfer to a rights holder; the payout's own identifier makes a repeated request harmless."""

    __store__: ClassVar = kw.CqlTable(
        royalties,
        "payouts",
        partition="rights_holder_id",
        clustering=["-requested_on", "payout_id"],
        compaction=kw.Unified(),
        expected=25_000_000,
        active=0.02,
        kind="money",
        keep_forever="payouts are kept for ten years",
    )

    rights_holder_id: RightsHolderId
    requested_on: date
    payout_id: Annotated[str, Field(pattern=r"^[0-9A-Z]{26}$"), kw.Size(avg=26, max=26)]
    amount: Annotated[Decimal, Field(gt=0, max_digits=14, decimal_places=2)]
    currency: Currency
    bank_account: Annotated[str, Field(max_length=34), kw.Pii()]
    status: Literal["requested", "sent", "settled", "returned"]


request_payout = kw.Put(Payout, if_absent=True, rate="220k/month", peak="20/s", p99_ms=400)
send_payout = kw.Update(
    Payout, sets="status", where={"status": "requested"}, rate="220k/month", peak="20/s", p99_ms=400
)
settle_payout = kw.Update(Payout, sets="status", where={"status": "sent"}, rate="220k/month", peak="20/s", p99_ms=400)
payouts_of_holder = kw.Read(
    Payout,
    eq="rights_holder_id",
    order="-requested_on",
    limit=24,
    consistency="strong",
    reads_back=[request_payout],
    rate="2/s",
    p99_ms=50,
)


class StatementJob(BaseModel):
    """A statement to be written: the work of the first days of a month, shared by a dozen processes."""

    __store__: ClassVar = kw.RedisStream(
        work, key="jobs:statements", keep=1_000_000, groups=[statement_writers], kind="queue"
    )

    rights_holder_id: RightsHolderId
    period: Period


order_statement = kw.Put(StatementJob, rate="300k/month", peak="200/s", p99_ms=20)
next_statements = kw.Take(StatementJob, group=statement_writers, limit=20, rate="20k/month", peak="10/s", p99_ms=20)


class RoyaltyRun(BaseModel):
    """The process that computes a market's day; a second one would only repeat its work, and the run starts anew."""

    __store__: ClassVar = kw.RedisString(
        work, key="lock:royalties:{market}", value="holder", ttl=timedelta(minutes=30), expected=60, kind="token"
    )

    market: Market
    holder: Annotated[str, Field(pattern=r"^[0-9a-z-]{8,40}$"), kw.Size(avg=24, max=40)]


take_run = kw.Put(RoyaltyRun, if_absent=True, rate="600/day", p99_ms=20)
