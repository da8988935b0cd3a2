"""Money: the cash of an account, the ledger that explains it, transfers to and from banks, and margin."""

from datetime import datetime
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.common import AccountId, Cents, Currency, Ulid, trading
from models.customers import Account


class CashBalance(BaseModel):
    """What an account may spend in one currency; orders and withdrawals take it, sales and cancels return it."""

    __store__: ClassVar = kw.Item(
        trading, pk="ACCOUNT#{account_id}", sk="CASH#{currency}", kind="money", expected=1_500_000
    )

    account_id: Annotated[AccountId, kw.Ref(Account, on_missing="fail", max_referrers=3)]
    currency: Currency
    available_cents: Annotated[Cents, Field(ge=0)]


class LedgerEntry(BaseModel):
    """A movement of cash with its cause; entries are corrected by further entries, never changed."""

    __store__: ClassVar = kw.Item(
        trading,
        pk="ACCOUNT#{account_id}",
        sk="LEDGER#{booked_at:iso}#{entry_id}",
        kind="money",
        expected=1_600_000_000,
        active=0.002,
        keep_forever="the books of a broker are kept for the life of the account and ten years after it",
    )

    account_id: Annotated[AccountId, kw.Ref(Account, on_missing="fail", max_referrers=60_000)]
    entry_id: Ulid
    booked_at: datetime
    currency: Currency
    amount_cents: Cents
    reason: Literal["trade", "fee", "dividend", "interest", "deposit", "withdrawal", "correction"]
    reference: Annotated[str, Field(max_length=40), kw.Size(avg=26, max=40)]


class Transfer(BaseModel):
    """Money on its way from or to a bank; it is pending until the payment rail has settled or returned it."""

    __store__: ClassVar = kw.Item(
        trading,
        pk="ACCOUNT#{account_id}",
        sk="TRANSFER#{requested_at:iso}#{transfer_id}",
        kind="money",
        expected=60_000_000,
        active=0.002,
        keep_forever="payments are kept for ten years and then archived with their account",
        computed={"transfer_shard": "{transfer_id:shard(4)}"},
    )

    account_id: Annotated[AccountId, kw.Ref(Account, on_missing="fail", max_referrers=5_000)]
    transfer_id: Ulid
    requested_at: datetime
    iban_token: Annotated[str, Field(max_length=64), kw.Pii()]
    rail: Literal["ach", "wire", "sepa"]
    direction: Literal["in", "out"]
    currency: Currency
    amount_cents: Annotated[Cents, Field(gt=0)]
    status: Literal["requested", "settled", "returned"]
    pending_since: datetime | None = None


class MarginState(BaseModel):
    """The value of a margin account, which every order on credit must respect; a call is open until `call_due_at`."""

    __store__: ClassVar = kw.Item(
        trading,
        pk="ACCOUNT#{account_id}",
        sk="MARGIN",
        expected=140_000,
    )

    account_id: Annotated[AccountId, kw.Ref(Account, on_missing="fail", max_referrers=1)]
    equity_cents: Cents
    requirement_cents: Annotated[Cents, Field(ge=0)]
    loan_cents: Annotated[Cents, Field(ge=0)]
    valued_at: datetime
    call_due_at: datetime | None = None


open_account = kw.Transact(
    [kw.Put(Account, if_absent=True), kw.Put(CashBalance, if_absent=True)], rate="1.2k/day", p99_ms=100
)
ledger_of_account = kw.Read(LedgerEntry, eq="account_id", order="-booked_at", rate="8/s", peak="150/s", p99_ms=50)
book_income = kw.Transact(
    [kw.Put(LedgerEntry, if_absent=True), kw.Increment(CashBalance, "available_cents", by=1_250)],
    rate="1/s",
    peak="400/s",
    p99_ms=150,
)
request_deposit = kw.Put(Transfer, if_absent=True, rate="10k/day", peak="10/s", p99_ms=50)
request_withdrawal = kw.Transact(
    [
        kw.Put(Transfer, if_absent=True),
        kw.Put(LedgerEntry, if_absent=True),
        kw.Increment(CashBalance, "available_cents", by=-50_000, where={"available_cents": kw.AtLeast(50_000)}),
    ],
    rate="6k/day",
    peak="10/s",
    p99_ms=150,
)
settle_withdrawal = kw.Update(
    Transfer,
    sets="status",
    unset="pending_since",
    where={"status": "requested"},
    rate="6k/day",
    peak="20/s",
    p99_ms=50,
)
settle_deposit = kw.Transact(
    [
        kw.Update(Transfer, sets="status", unset="pending_since", where={"status": "requested"}),
        kw.Put(LedgerEntry, if_absent=True),
        kw.Increment(CashBalance, "available_cents", by=50_000),
    ],
    rate="10k/day",
    peak="20/s",
    p99_ms=150,
)
transfers_to_settle = kw.Read(
    Transfer,
    eq="rail",
    where={"pending_since": kw.Present()},
    order="pending_since",
    limit=100,
    fan_out=4,
    rate="1/s",
    p99_ms=200,
)
buying_power = kw.Get(
    CashBalance,
    consistency="strong",
    rate="60/s",
    peak="1.5k/s",
    p99_ms=20,
)
value_margin = kw.Put(MarginState, rate="20/s", peak="500/s", p99_ms=50)
margin_before_order = kw.Get(MarginState, reads_back=[value_margin], rate="5/s", peak="200/s", p99_ms=20)
