"""Prepaid money and allowances: what the online charging system reserves, takes and gives back.

Amounts are millionths of a euro. Every movement is a ledger entry, written in one transaction with the balance. The
charging gateway gives an entry its id, which rises with time, at the first attempt, so a retry changes nothing.
"""

from datetime import datetime
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.customers import ULID, SubscriptionId

Micros = Annotated[int, Field(ge=0, le=1_000_000_000)]

due = kw.Gsi("due", pk="gsi1pk", sk="gsi1sk")

charging = kw.DynamoTable(
    "charging",
    owner="charging",
    gsis=[due],
    stream=kw.Stream(consumers=[kw.Consumer("general-ledger", idempotency="entry_id", on_failure="queue")]),
)


class PrepaidAccount(BaseModel):
    """The balance of a prepaid line; it never falls below nothing."""

    __store__: ClassVar = kw.Item(
        charging, pk="ACC#{subscription_id}", sk="BALANCE", kind="money", expected=2_500_000, active=0.7
    )

    subscription_id: SubscriptionId
    balance_micros: Micros
    currency: Literal["EUR"] = "EUR"
    opened_at: datetime


class LedgerEntry(BaseModel):
    """A movement of a prepaid account; kept here for 400 days, and in the general ledger for ten years."""

    __store__: ClassVar = kw.Item(
        charging,
        pk="ACC#{subscription_id}",
        sk="LEDGER#{entry_id}",
        kind="money",
        expected=10_000_000_000,
        active=0.02,
    )

    subscription_id: SubscriptionId
    entry_id: Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26)]
    cause: Literal["top-up", "use", "pack", "correction"]
    amount_micros: Annotated[int, Field(ge=-1_000_000_000, le=1_000_000_000)]
    reference: Annotated[str, Field(max_length=40)]
    booked_at: datetime
    delete_after: Annotated[datetime, kw.Ttl()]


class Reservation(BaseModel):
    """Money that a running session may still use; settled by the gateway, or by the sweeper when it is overdue."""

    __store__: ClassVar = kw.Item(
        charging,
        pk="ACC#{subscription_id}",
        sk="RES#{reservation_id}",
        gsis=[due.key(pk="{state}#{reservation_id:shard(8)}", sk="{due_at:iso}")],
        kind="money",
        expected=400_000,
        keep_forever="each is settled and deleted within the hour; one that merely expired would lose its money",
    )

    subscription_id: SubscriptionId
    reservation_id: Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26)]
    amount_micros: Micros
    service: Literal["voice", "sms", "data"]
    state: Literal["held", "disputed"] = "held"
    granted_at: datetime
    due_at: datetime


reserve = kw.Transact(
    [
        kw.Increment(PrepaidAccount, "balance_micros", by=-500_000, where={"balance_micros": kw.AtLeast(500_000)}),
        kw.Put(Reservation, if_absent=True),
    ],
    rate="290/s",
    peak="900/s",
    p99_ms=60,
)
settle = kw.Transact(
    [
        kw.Delete(Reservation, where={"amount_micros": kw.AtLeast(0)}),
        kw.Increment(PrepaidAccount, "balance_micros", by=120_000),
        kw.Put(LedgerEntry, if_absent=True),
    ],
    rate="290/s",
    peak="900/s",
    p99_ms=60,
)
overdue_reservations = kw.Read(
    Reservation, where={"state": "held"}, range="due_at", order="due_at", limit=200, fan_out=8, rate="1/s", p99_ms=300
)
open_account = kw.Put(PrepaidAccount, if_absent=True, rate="3k/day", p99_ms=50)
balance = kw.Get(
    PrepaidAccount,
    eq="subscription_id",
    consistency="strong",
    reads_back=[open_account],
    rate="350/s",
    peak="1.2k/s",
    p99_ms=15,
)
movements = kw.Read(LedgerEntry, eq="subscription_id", order="-entry_id", limit=50, rate="60/s", p99_ms=40)
top_up = kw.Transact(
    [kw.Increment(PrepaidAccount, "balance_micros", by=15_000_000), kw.Put(LedgerEntry, if_absent=True)],
    rate="4/s",
    peak="60/s",
    p99_ms=100,
)


class Allowance(BaseModel):
    """What is left of a bundle, in kilobytes, seconds or messages; readers compare `valid_until` with the clock."""

    __store__: ClassVar = kw.Item(
        charging,
        pk="ACC#{subscription_id}",
        sk="ALLOWANCE#{allowance_id}",
        kind="stock",
        expected=9_000_000,
        active=0.6,
    )

    subscription_id: SubscriptionId
    allowance_id: Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26)]
    service: Literal["voice", "sms", "data"]
    remaining: Annotated[int, Field(ge=0)]
    granted: Annotated[int, Field(ge=1)]
    valid_until: datetime
    delete_after: Annotated[datetime, kw.Ttl()]


class AllowanceUse(BaseModel):
    """A part that was taken from an allowance; the id of the request guards against taking it twice."""

    __store__: ClassVar = kw.Item(
        charging,
        pk="ACC#{subscription_id}",
        sk="USE#{request_id}",
        kind="event",
        expected=240_000_000,
        active=0.1,
    )

    subscription_id: SubscriptionId
    request_id: Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26)]
    amount: Annotated[int, Field(ge=1)]
    used_at: datetime
    delete_after: Annotated[datetime, kw.Ttl()]


buy_pack = kw.Transact(
    [
        kw.Increment(PrepaidAccount, "balance_micros", by=-9_990_000, where={"balance_micros": kw.AtLeast(9_990_000)}),
        kw.Put(Allowance, if_absent=True),
        kw.Put(LedgerEntry, if_absent=True),
    ],
    rate="3/s",
    peak="30/s",
    p99_ms=100,
)
use_allowance = kw.Transact(
    [
        kw.Increment(Allowance, "remaining", by=-50_000, where={"remaining": kw.AtLeast(50_000)}),
        kw.Put(AllowanceUse, if_absent=True),
    ],
    rate="900/s",
    peak="2.5k/s",
    p99_ms=60,
)
allowances = kw.Read(
    Allowance, eq="subscription_id", limit=20, consistency="strong", rate="400/s", peak="1.5k/s", p99_ms=30
)
