"""Members and the clearing house's ledger, in DynamoDB tables that two regions confirm."""

from datetime import timedelta
from enum import StrEnum
from typing import Annotated, ClassVar, Literal

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.units import ContractId, DeskId, Euro, Key, Megawatts, MemberCode, Price

members = kw.DynamoTable("members", owner="membership")


class Licence(StrEnum):
    """What a member may do on the market."""

    trade = "trade"
    balance = "balance"
    supply = "supply"


class Member(BaseModel):
    """A company that is admitted to the market."""

    __store__: ClassVar = kw.Item(members, pk="M#{member}", sk="PROFILE", expected=460)

    member: MemberCode
    legal_name: Annotated[str, Field(max_length=140)]
    country: Annotated[str, Field(pattern=r"^[A-Z]{2}$")]
    licences: Annotated[list[Licence], Field(min_length=1, max_length=3)]
    duty_phone: Annotated[str, Field(max_length=20), kw.Pii()]
    suspended: bool = False
    admitted_at: AwareDatetime


class Desk(BaseModel):
    """A trading desk of a member, with its own limits."""

    __store__: ClassVar = kw.Item(members, pk="M#{member}", sk="DESK#{desk_id}", expected=2_100)

    member: Annotated[MemberCode, kw.Ref(Member, on_missing="fail", max_referrers=60)]
    desk_id: DeskId
    label: Annotated[str, Field(max_length=60)]
    order_limit: Megawatts
    exposure_limit: Euro


member_profile = kw.Get(Member, eq="member", rate="40/s", peak="200/s", p99_ms=20, cache_ttl=timedelta(minutes=1))
admit_member = kw.Put(Member, if_absent=True, rate="5/month", p99_ms=400)
suspend_member = kw.Update(Member, sets="suspended", rate="4/month", p99_ms=400)
desks_of_member = kw.Read(Desk, eq="member", order="desk_id", limit=60, rate="15/s", p99_ms=40)
desk_limits = kw.Get(Desk, eq=["member", "desk_id"], consistency="strong", rate="120/s", peak="400/s", p99_ms=30)
change_desk = kw.Put(Desk, rate="60/day", p99_ms=400)

debits = kw.Gsi("debits", pk="debit_page", sk="debit_row")
credits = kw.Gsi("credits", pk="credit_page", sk="credit_row")
ledger = kw.DynamoTable("ledger", owner="clearing", gsis=[debits, credits])

Account = Annotated[
    str, Field(pattern=r"^[0-9]{2}X[0-9A-Z]{13}[.][a-z]{3,8}$"), kw.Size(avg=22, max=25), kw.Cardinality(distinct=1_900)
]


class JournalEntry(BaseModel):
    """An amount from one account to another; both sides are one item, so that they exist together or not at all."""

    __store__: ClassVar = kw.Item(
        ledger,
        pk="J#{entry_id}",
        sk="ENTRY",
        gsis=[
            debits.key(pk="DR#{debit}#{booked_at:date}#{entry_id:shard(4)}", sk="{booked_at:iso}#{entry_id}"),
            credits.key(pk="CR#{credit}#{booked_at:date}#{entry_id:shard(4)}", sk="{booked_at:iso}#{entry_id}"),
        ],
        kind="money",
        expected=4_000_000_000,
        active=0.002,
        keep_forever="the accounting law asks for ten years, and the auditors for the whole ledger",
    )

    entry_id: Key
    debit: Account
    credit: Account
    amount: Annotated[Euro, Field(gt=0)]
    reason: Literal["trade", "fee", "imbalance", "margin", "payout"]
    trade_id: Key | None = None
    booked_at: AwareDatetime


class Trade(BaseModel):
    """Two orders that met, as the clearing house took them over."""

    __store__: ClassVar = kw.Item(
        ledger,
        pk="T#{trade_id}",
        sk="TRADE",
        kind="money",
        expected=2_000_000_000,
        active=0.002,
        keep_forever="reports to the regulator are checked against it for years",
    )

    trade_id: Key
    contract_id: ContractId
    buyer: MemberCode
    seller: MemberCode
    price: Price
    quantity: Megawatts
    matched_at: AwareDatetime


class BankReceipt(BaseModel):
    """An incoming payment by the bank's own reference; a repeated message changes nothing."""

    __store__: ClassVar = kw.Item(
        ledger,
        pk="B#{bank_reference}",
        sk="RECEIPT",
        kind="money",
        expected=2_000_000,
        active=0.01,
        keep_forever="the accounting law asks for ten years",
    )

    bank_reference: Annotated[str, Field(pattern=r"^[A-Z0-9]{12,35}$"), kw.Size(avg=24, max=35)]
    account: Account
    amount: Annotated[Euro, Field(gt=0)]
    value_date: AwareDatetime
    entry_id: Annotated[Key, kw.Ref(JournalEntry, on_missing="fail", max_referrers=1)]


take_over_trade = kw.Put(Trade, if_absent=True, rate="55/s", peak="450/s", p99_ms=150)
cleared_trade = kw.Get(Trade, eq="trade_id", consistency="strong", rate="30/s", p99_ms=40)
book_entry = kw.Put(JournalEntry, if_absent=True, rate="120/s", peak="800/s", p99_ms=150)
entry = kw.Get(JournalEntry, eq="entry_id", consistency="strong", rate="25/s", p99_ms=40)
debits_of_day = kw.Read(
    JournalEntry,
    eq="debit",
    range="booked_at",
    span=timedelta(days=1),
    order="-booked_at",
    limit=200,
    fan_out=8,
    rate="5/s",
    p99_ms=150,
)
credits_of_day = kw.Read(
    JournalEntry,
    eq="credit",
    range="booked_at",
    span=timedelta(days=1),
    order="-booked_at",
    limit=200,
    fan_out=8,
    rate="5/s",
    p99_ms=150,
)
record_receipt = kw.Put(BankReceipt, if_absent=True, rate="700/day", p99_ms=200)
receipt = kw.Get(BankReceipt, eq="bank_reference", consistency="strong", rate="800/day", p99_ms=60)
