"""Money of drivers: balances, the ledger behind them, and payouts, in one DynamoDB table."""

from datetime import datetime
from typing import Annotated, ClassVar, Literal
from uuid import UUID

import keywright as kw
from pydantic import BaseModel, Field

from models.people import Driver, DriverId
from models.trips import Currency, Trip

adjustments = kw.Gsi("adjustments", pk="gsi1pk", sk="gsi1sk")
due_payouts = kw.Gsi(
    "due_payouts",
    pk="gsi2pk",
    sk="gsi2sk",
    project=["driver_id", "payout_id", "status", "amount_minor", "currency", "requested_at"],
)

ledger = kw.DynamoTable(
    "ledger",
    owner="payments",
    gsis=[adjustments, due_payouts],
    stream=kw.Stream(
        consumers=[
            kw.Consumer("general-ledger", idempotency="entry_id", on_failure="queue"),
            kw.Consumer("earnings-feed", idempotency="entry_id", on_failure="queue"),
        ]
    ),
)

Reason = Literal[
    "fare",
    "tip",
    "toll",
    "cancellation",
    "cash",
    "incentive",
    "referral",
    "rental",
    "tax",
    "adjustment",
    "reversal",
    "payout",
]
Account = Annotated[DriverId, kw.Ref(Driver, on_missing="ignore", max_referrers=1)]


class DriverBalance(BaseModel):
    """What the company owes a driver, in minor units; may be negative after a cash trip."""

    __store__: ClassVar = kw.Item(
        ledger, pk="DRIVER#{driver_id}", sk="BALANCE", kind="money", expected=1_500_000, active=0.4
    )

    driver_id: Account
    balance_minor: int
    currency: Currency


class LedgerEntry(BaseModel):
    """A movement on a balance, never changed; its id is that of the trip or payout that caused it."""

    __store__: ClassVar = kw.Item(
        ledger,
        pk="DRIVER#{driver_id}",
        sk="ENTRY#{booked_at:iso}#{entry_id}",
        gsis=[
            adjustments.key(pk="ADJUSTED#{driver_id}", sk="{booked_at:iso}#{entry_id}", where={"reason": "adjustment"})
        ],
        kind="money",
        expected=15_000_000_000,
        active=0.001,
        keep_forever="tax law asks for ten years, after which a yearly export and an archive follow",
    )

    driver_id: Annotated[DriverId, kw.Ref(Driver, on_missing="ignore", max_referrers=40_000)]
    entry_id: UUID
    booked_at: datetime
    reason: Reason
    amount_minor: int
    currency: Currency
    note: Annotated[str, Field(max_length=200), kw.Size(avg=12, max=400)] = ""


class Payout(BaseModel):
    """A transfer to a driver's bank; while it is under way it stands in the index of due ones."""

    __store__: ClassVar = kw.Item(
        ledger,
        pk="DRIVER#{driver_id}",
        sk="PAYOUT#{requested_at:iso}#{payout_id}",
        gsis=[
            due_payouts.key(
                pk="PAYOUT#{status}#{payout_id:shard(8)}",
                sk="{requested_at:iso}#{payout_id}",
                where={"status": kw.OneOf(["requested", "sent"])},
            )
        ],
        kind="money",
        expected=400_000_000,
        active=0.002,
        keep_forever="tax law asks for ten years, after which a yearly export and an archive follow",
    )

    driver_id: Annotated[DriverId, kw.Ref(Driver, on_missing="ignore", max_referrers=2_000)]
    payout_id: UUID
    requested_at: datetime
    status: Literal["requested", "sent", "paid", "returned"]
    amount_minor: Annotated[int, Field(gt=0)]
    currency: Currency
    bank_reference: Annotated[str, Field(max_length=64), kw.Size(avg=36, max=64), kw.Pii()]


open_balance = kw.Put(DriverBalance, if_absent=True, rate="4k/day", p99_ms=100)
complete_trip = kw.Transact(
    [
        kw.Update(Trip, sets=["status", "finished_at", "fare_minor"], where={"status": "driving"}),
        kw.Put(LedgerEntry, if_absent=True),
        kw.Increment(DriverBalance, "balance_minor", by=1_150),
    ],
    rate="140/s",
    peak="500/s",
    p99_ms=100,
)
book_adjustment = kw.Transact(
    [kw.Put(LedgerEntry, if_absent=True), kw.Increment(DriverBalance, "balance_minor", by=-300)],
    rate="6/s",
    peak="20/s",
    p99_ms=100,
)
request_payout = kw.Transact(
    [
        kw.Put(Payout, if_absent=True),
        kw.Put(LedgerEntry, if_absent=True),
        kw.Increment(DriverBalance, "balance_minor", by=-20_000, where={"balance_minor": kw.AtLeast(20_000)}),
    ],
    rate="5/s",
    peak="60/s",
    p99_ms=200,
)
balance = kw.Get(
    DriverBalance,
    eq="driver_id",
    consistency="strong",
    rate="600/s",
    peak="2k/s",
    p99_ms=20,
)
entries_of_driver = kw.Read(LedgerEntry, eq="driver_id", order="-booked_at", limit=30, rate="300/s", p99_ms=50)
adjustments_of_driver = kw.Read(
    LedgerEntry,
    eq="driver_id",
    where={"reason": "adjustment"},
    order="-booked_at",
    limit=30,
    rate="25/s",
    peak="80/s",
    p99_ms=50,
)
payouts_to_send = kw.Read(
    Payout, where={"status": "requested"}, order="requested_at", limit=100, fan_out=8, rate="2/s", p99_ms=200
)
send_payout = kw.Update(Payout, sets="status", where={"status": "requested"}, rate="5/s", peak="60/s", p99_ms=100)
confirm_payout = kw.Update(Payout, sets="status", where={"status": "sent"}, rate="5/s", peak="60/s", p99_ms=100)
