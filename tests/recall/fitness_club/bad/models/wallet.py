"""Money: the prepaid wallet of a member, and what companies owe for the visits of their staff."""

from datetime import date, datetime
from typing import Annotated, ClassVar, Literal

import keywright as kw
from pydantic import BaseModel, Field

from models.members import ULID, ClubId, MemberId

CompanyId = Annotated[str, Field(pattern=r"^c[0-9]{6}$"), kw.Size(avg=7, max=7), kw.Cardinality(distinct=3_000)]
# The code that a company gives us for a person: never a name or a number of its own records.
StaffCode = Annotated[str, Field(pattern=r"^[0-9A-Z]{8}$"), kw.Size(avg=8, max=8)]

wallets = kw.DynamoTable("wallets", owner="payments")

by_settlement = kw.Lsi("by_settlement", sk="settled_on")
corporate = kw.DynamoTable("corporate", owner="payments", lsis=[by_settlement])


class Wallet(BaseModel):
    """What a member has left to spend, in cents."""

    __store__: ClassVar = kw.Item(
        wallets, pk="MEMBER#{member_id}", sk="#WALLET", kind="money", expected=700_000, active=0.2
    )

    member_id: MemberId
    balance_cents: Annotated[int, Field(ge=0)]


class WalletEntry(BaseModel):
    """A movement; id and time are those of the payment, so that a repeated message meets its own key."""

    __store__: ClassVar = kw.Item(
        wallets,
        pk="MEMBER#{member_id}",
        sk="ENTRY#{at:iso}#{entry_id}",
        kind="money",
        expected=1_500_000_000,
        active=0.002,
        keep_forever="bookkeeping: ten years",
    )

    member_id: Annotated[MemberId, kw.Ref(Wallet, on_missing="fail", max_referrers=5_000)]
    entry_id: Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26)]
    at: datetime
    reason: Literal["top-up", "drink", "class", "refund"]
    amount_cents: int


open_wallet = kw.Put(Wallet, if_absent=True, rate="1k/day", p99_ms=60)
top_up = kw.Transact(
    [
        kw.Put(WalletEntry, if_absent=True),
        kw.Increment(Wallet, "balance_cents", by=2_000, where={"balance_cents": kw.AtLeast(0)}),
    ],
    rate="25k/day",
    peak="20/s",
    p99_ms=150,
)
pay = kw.Transact(
    [
        kw.Put(WalletEntry, if_absent=True),
        kw.Increment(Wallet, "balance_cents", by=-350, where={"balance_cents": kw.AtLeast(350)}),
    ],
    rate="4/s",
    peak="120/s",
    p99_ms=150,
)
refund = kw.Increment(Wallet, "balance_cents", by=350, rate="600/day", p99_ms=80)
balance = kw.Get(Wallet, eq="member_id", consistency="strong", rate="40/s", peak="300/s", p99_ms=20)
statement = kw.Read(WalletEntry, eq="member_id", order="-at", rate="20/s", p99_ms=40)


class CompanyVisit(BaseModel):
    """A visit that an employer pays for; the largest employers have ten thousand of them a day."""

    __store__: ClassVar = kw.Item(
        corporate,
        pk="COMPANY#{company_id}",
        sk="VISIT#{visited_at:iso}#{visit_id}",
        expected=600_000_000,
        active=0.01,
        keep_forever="the basis of invoices: ten years",
    )

    company_id: CompanyId
    visit_id: Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26)]
    visited_at: datetime
    staff_code: StaffCode
    club_id: ClubId
    fee_cents: Annotated[int, Field(ge=0)]
    settled_on: date


record_company_visit = kw.Put(CompanyVisit, if_absent=True, rate="2/s", peak="25/s", p99_ms=80)
visits_of_company = kw.Read(
    CompanyVisit, eq="company_id", range="visited_at", order="-visited_at", limit=100, rate="2/s", p99_ms=80
)
visits_of_settlement = kw.Read(CompanyVisit, eq=["company_id", "settled_on"], limit=100, rate="1/s", p99_ms=80)


class Employee(BaseModel):
    """Somebody whose visits a company pays for; its list is imported each month."""

    __store__: ClassVar = kw.Item(
        corporate, pk="STAFF#{company_id}", sk="EMPLOYEE#{staff_code}", expected=900_000, active=0.1
    )

    company_id: CompanyId
    staff_code: StaffCode
    monthly_visits: Annotated[int, Field(ge=0, le=31)]
    listed_on: date


import_staff = kw.Transact([kw.Put(Employee, batch=100)], rate="9k/month", peak="10/s", p99_ms=500)
employee = kw.Get(Employee, eq=["company_id", "staff_code"], rate="3/s", peak="40/s", p99_ms=20)
staff_of_company = kw.Read(Employee, eq="company_id", order="staff_code", limit=100, rate="500/day", p99_ms=80)
