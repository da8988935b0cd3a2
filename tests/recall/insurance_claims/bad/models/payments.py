"""Money in DynamoDB: a claim's account, payments and ledger share a partition, so that one transaction changes all."""

from datetime import date, timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.common import AdjusterId, ClaimId, Coverage, PartyId, PersonName, PolicyId

PaymentId = Annotated[UUID, kw.Cardinality(distinct=20_000_000)]
LedgerAccount = Literal["reserves", "claims_paid", "recoveries", "expenses", "tax"]

due = kw.Gsi("due", pk="gsi1pk", sk="gsi1sk", project=["claim_id", "payment_id", "payee_id", "amount_cents"])
by_payee = kw.Gsi("by_payee", pk="payee_id", sk=["created_at", "payment_id"], project="keys")
by_account_day = kw.Gsi("by_account_day", pk="gsi3pk", sk="gsi3sk")

payments = kw.DynamoTable(
    "payments",
    owner="claims-finance",
    gsis=[due, by_payee, by_account_day],
    stream=kw.Stream(
        images="new_and_old",
        consumers=[
            kw.Consumer("copy-paid-to-claim", idempotency=["claim_id", "paid_cents"], on_failure="queue"),
            kw.Consumer("general-ledger-export", idempotency="entry_id", on_failure="queue"),
        ],
    ),
)


class ClaimAccount(BaseModel):
    """What is reserved and paid for a claim; only transactions with a ledger entry change it."""

    __store__: ClassVar = kw.Item(
        payments,
        pk="CLAIM#{claim_id}",
        sk="ACCOUNT",
        kind="money",
        expected=9_000_000,
        active=0.02,
        keep_forever="accounting law: ten years after the last booking, then archived by the finance job",
    )

    claim_id: ClaimId
    reserved_cents: Annotated[int, Field(ge=0)]
    paid_cents: Annotated[int, Field(ge=0)]
    recovered_cents: Annotated[int, Field(ge=0)] = 0
    state: Literal["open", "closed"] = "open"


class LedgerEntry(BaseModel):
    """A booking; it is written once, and a mistake is corrected by another booking."""

    __store__: ClassVar = kw.Item(
        payments,
        pk="CLAIM#{claim_id}",
        sk="ENTRY#{booked_at:iso}#{entry_id}",
        gsis=[
            by_account_day.key(
                pk="BOOKED#{debit}#{booked_at:date}#{entry_id:shard(4)}", sk="{booked_at:iso}#{entry_id}"
            )
        ],
        kind="money",
        expected=60_000_000,
        active=0.005,
        keep_forever="accounting law: ten years, then archived by the finance job",
    )

    claim_id: Annotated[ClaimId, kw.Ref(ClaimAccount, on_missing="fail", max_referrers=300)]
    entry_id: UUID
    booked_at: AwareDatetime
    debit: LedgerAccount
    credit: LedgerAccount
    amount_cents: Annotated[int, Field(ge=1)]
    reference: Annotated[str, Field(max_length=60)]


class Payment(BaseModel):
    """A payment to somebody, for nine months; an approved one is in the index of the day on which it is due."""

    __store__: ClassVar = kw.Item(
        payments,
        pk="CLAIM#{claim_id}",
        sk="PAYMENT#{payment_id}",
        gsis=[due.key(pk="DUE#{due_on:date}", sk="{payment_id}", where={"state": "approved"})],
        kind="money",
        expected=20_000_000,
        active=0.01,
    )

    claim_id: Annotated[ClaimId, kw.Ref(ClaimAccount, on_missing="fail", max_referrers=80)]
    payment_id: PaymentId
    payee_id: Annotated[PartyId, kw.Ref("Payee", on_missing="fail", max_referrers=50_000)]
    coverage: Coverage
    amount_cents: Annotated[int, Field(ge=1, le=1_000_000_000)]
    currency: Literal["EUR", "CHF"]
    state: Literal["requested", "approved", "sent", "settled", "returned", "cancelled"] = "requested"
    requested_by: AdjusterId
    created_at: AwareDatetime
    due_on: date
    expires_at: Annotated[AwareDatetime, kw.Ttl()]


class CoverageBudget(BaseModel):
    """What is left of an annual limit of a policy."""

    __store__: ClassVar = kw.Item(
        payments,
        pk="POLICY#{policy_id}#{year:pad(4)}",
        sk="BUDGET#{coverage}",
        kind="money",
        expected=8_000_000,
        active=0.02,
        keep_forever="accounting law: ten years, then archived by the finance job",
    )

    policy_id: PolicyId
    year: Annotated[int, Field(ge=2000, le=2100)]
    coverage: Coverage
    remaining_cents: Annotated[int, Field(ge=0)]


open_account = kw.Put(ClaimAccount, if_absent=True, rate="2.6k/day", p99_ms=100)
account = kw.Get(ClaimAccount, eq="claim_id", consistency="strong", rate="8/s", p99_ms=30)
request_payment = kw.Put(Payment, if_absent=True, rate="6k/day", peak="5/s", p99_ms=100)
approve_payment = kw.Transact(
    [
        kw.Update(Payment, eq=["claim_id", "payment_id", "due_on"], sets="state", where={"state": "requested"}),
        kw.Put(LedgerEntry, if_absent=True),
        kw.Increment(CoverageBudget, "remaining_cents", by=-1, where={"remaining_cents": kw.AtLeast(1)}),
        kw.Increment(ClaimAccount, "paid_cents", where={"state": "open"}),
    ],
    rate="6k/day",
    peak="5/s",
    p99_ms=200,
)
book_reserve = kw.Put(LedgerEntry, if_absent=True, rate="9k/day", p99_ms=100)
change_reserve = kw.Increment(
    ClaimAccount, "reserved_cents", by=50_000, where={"state": "open"}, rate="9k/day", p99_ms=100
)
apply_bank_credit = kw.Increment(
    ClaimAccount, "recovered_cents", by=120_000, where={"state": "open"}, rate="900/day", peak="20/s", p99_ms=100
)
send_payment = kw.Update(
    Payment,
    eq=["claim_id", "payment_id", "due_on"],
    sets="state",
    where={"state": "approved"},
    rate="6k/day",
    peak="50/s",
    p99_ms=100,
)
payments_due = kw.Read(
    Payment,
    eq="due_on",
    where={"state": "approved"},
    limit=200,
    fields=["claim_id", "payment_id", "payee_id", "amount_cents"],
    rate="500/day",
    p99_ms=300,
)
payment = kw.Get(Payment, eq=["claim_id", "payment_id"], consistency="strong", rate="3/s", p99_ms=30)
payments_of_claim = kw.Read(Payment, eq="claim_id", limit=80, consistency="strong", rate="6/s", p99_ms=60)
payments_of_payee = kw.Read(
    Payment,
    eq="payee_id",
    order="-created_at",
    limit=50,
    fields=["claim_id", "payment_id", "created_at"],
    rate="400/day",
    p99_ms=150,
)
ledger_of_claim = kw.Read(
    LedgerEntry, eq="claim_id", order="booked_at", limit=100, consistency="strong", rate="2/s", p99_ms=80
)
bookings_of_day = kw.Read(
    LedgerEntry,
    eq="debit",
    range="booked_at",
    span=timedelta(days=1),
    order="booked_at",
    limit=500,
    fan_out=8,
    rate="100/day",
    p99_ms=2_000,
)
open_budget = kw.Put(CoverageBudget, if_absent=True, rate="15k/day", peak="100/s", p99_ms=100)
budgets_of_policy = kw.Read(
    CoverageBudget, eq=["policy_id", "year"], limit=10, consistency="strong", rate="5/s", p99_ms=40
)


class Payee(BaseModel):
    """The bank account of somebody who is paid; the number itself is encrypted by the payment service."""

    __store__: ClassVar = kw.Item(
        payments,
        pk="PAYEE#{payee_id}",
        sk="BANK",
        expected=3_000_000,
        active=0.01,
        keep_forever="erased by the privacy job ten years after the last payment",
    )

    payee_id: PartyId
    account_holder: PersonName
    iban_encrypted: Annotated[bytes, kw.Size(avg=120, max=200), kw.Pii()]
    iban_last4: Annotated[str, Field(pattern=r"^[0-9]{4}$", min_length=4, max_length=4), kw.Pii()]
    verified_at: AwareDatetime | None = None


save_payee = kw.Put(Payee, rate="2k/day", p99_ms=100)
payee = kw.Get(
    Payee, eq="payee_id", consistency="strong", reads_back=[save_payee], rate="7k/day", peak="50/s", p99_ms=40
)


class ApiRequest(BaseModel):
    """The key of a request that moves money: a second one with the same key changes nothing."""

    __store__: ClassVar = kw.Item(payments, pk="REQUEST#{key}", sk="REQUEST", kind="token", expected=60_000)

    key: Annotated[UUID, kw.Cardinality(distinct=60_000)]
    result: Annotated[str, kw.Size(avg=200, max=2_000), Field(max_length=2_000)] = ""
    expires_at: Annotated[AwareDatetime, kw.Ttl()]


claim_request = kw.Put(ApiRequest, if_absent=True, rate="20k/day", peak="20/s", p99_ms=50)
keep_result = kw.Update(ApiRequest, sets="result", rate="20k/day", peak="20/s", p99_ms=50)
request_result = kw.Get(
    ApiRequest, eq="key", consistency="strong", reads_back=[claim_request, keep_result], rate="500/day", p99_ms=50
)
