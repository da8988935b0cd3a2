"""The loyalty programme: accounts, miles and the entries behind every balance."""

from datetime import date, datetime
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.common import EventId, MemberId

loyalty = kw.DynamoTable(
    "loyalty",
    owner="loyalty",
    stream=kw.Stream(images="keys", consumers=[kw.Consumer("tier-review", idempotency="entry_id", on_failure="queue")]),
)


class Member(BaseModel):
    """An account with its owner's profile."""

    __store__: ClassVar = kw.Item(
        loyalty,
        pk="MEMBER#{member_id}",
        sk="PROFILE",
        expected=12_000_000,
        active=0.03,
        keep_forever="an account lasts until its owner closes it",
    )

    member_id: MemberId
    email: Annotated[str, kw.Size(avg=24, max=254), kw.Pii()]
    given_names: Annotated[str, Field(max_length=60), kw.Pii()]
    surname: Annotated[str, Field(max_length=60), kw.Pii()]
    birth_date: Annotated[date | None, kw.Pii()] = None
    tier: Literal["base", "silver", "gold", "platinum"] = "base"
    joined_on: date


member = kw.Get(Member, eq="member_id", rate="300/s", peak="1k/s", p99_ms=15)


class LoginClaim(BaseModel):
    """Keeps a login for one account, by a keyed hash of the e-mail, so that no key holds an address."""

    __store__: ClassVar = kw.Item(
        loyalty,
        pk="LOGIN#{login_hash}",
        sk="CLAIM",
        expected=12_000_000,
        active=0.01,
        keep_forever="lasts as long as the account",
    )

    login_hash: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$"), kw.Size(avg=64, max=64)]
    member_id: Annotated[MemberId, kw.Ref(Member, on_missing="fail", max_referrers=1)]


member_by_login = kw.Get(LoginClaim, eq="login_hash", rate="20/s", peak="80/s", p99_ms=20)


class MilesBalance(BaseModel):
    """The miles of an account; changed only together with an entry."""

    __store__: ClassVar = kw.Item(
        loyalty,
        pk="MEMBER#{member_id}",
        sk="BALANCE",
        kind="money",
        expected=12_000_000,
        active=0.03,
        keep_forever="lasts as long as the account",
    )

    member_id: Annotated[MemberId, kw.Ref(Member, on_missing="fail", max_referrers=1)]
    miles: Annotated[int, Field(ge=0)]


class MilesEntry(BaseModel):
    """Miles earned, spent or expired; the entry's number comes from the flight or purchase behind it."""

    __store__: ClassVar = kw.Item(
        loyalty,
        pk="MEMBER#{member_id}",
        sk="ENTRY#{entry_id}",
        kind="money",
        expected=400_000_000,
        active=0.02,
        keep_forever="the entries explain the balance",
    )

    member_id: Annotated[MemberId, kw.Ref(Member, on_missing="fail", max_referrers=5_000)]
    entry_id: EventId
    at: datetime
    miles: int
    reason: Literal["flight", "partner", "purchase", "award", "expiry", "correction"]
    reference: Annotated[str, Field(max_length=40)]


earn_miles = kw.Transact(
    [kw.Put(MilesEntry, if_absent=True), kw.Increment(MilesBalance, "miles", by=500)],
    rate="120k/day",
    peak="100/s",
    p99_ms=100,
)
spend_miles = kw.Transact(
    [
        kw.Put(MilesEntry, if_absent=True),
        kw.Increment(MilesBalance, "miles", by=-10_000, where={"miles": kw.AtLeast(10_000)}),
    ],
    rate="4k/day",
    peak="5/s",
    p99_ms=100,
)
enrol = kw.Transact(
    [kw.Put(Member, if_absent=True), kw.Put(LoginClaim, if_absent=True), kw.Put(MilesBalance, if_absent=True)],
    rate="6k/day",
    p99_ms=100,
)
balance = kw.Get(
    MilesBalance,
    eq="member_id",
    consistency="strong",
    rate="80/s",
    p99_ms=20,
)
statement = kw.Read(MilesEntry, eq="member_id", order="-entry_id", limit=50, rate="30/s", p99_ms=40)
