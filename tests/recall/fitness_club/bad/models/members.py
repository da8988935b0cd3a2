"""Members, their agreements and the lockers that they rent."""

from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, ClassVar, Literal

import keywright as kw
from pydantic import BaseModel, Field

ULID = r"^[0-9A-HJKMNP-TV-Z]{26}$"
MemberId = Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26), kw.Cardinality(distinct=1_800_000)]
ClubId = Annotated[str, Field(pattern=r"^[a-z]{3}[0-9]{3}$"), kw.Size(avg=6, max=6), kw.Cardinality(distinct=420)]
Money = Annotated[Decimal, Field(max_digits=10, decimal_places=2)]

renters = kw.Gsi("renters", pk="renter", sk="locker")
renewals = kw.Gsi("renewals", pk="renewal", sk="renewal_member", project=["member_id", "agreement_id", "renews_on"])

members = kw.DynamoTable("members", owner="membership", gsis=[renters, renewals])


class Address(BaseModel):
    """A postal address."""

    street: Annotated[str, Field(max_length=120), kw.Pii()]
    postcode: Annotated[str, Field(max_length=12), kw.Pii()]
    town: Annotated[str, Field(max_length=80), kw.Pii()]
    country: Annotated[str, Field(min_length=2, max_length=2)]


class Member(BaseModel):
    """A person with a membership, past or present; the retention job anonymises those who left."""

    __store__: ClassVar = kw.Item(members, pk="MEMBER#{member_id}", sk="#PROFILE", expected=1_800_000, active=0.2)

    member_id: MemberId
    given_name: Annotated[str, Field(max_length=80), kw.Pii()]
    family_name: Annotated[str, Field(max_length=80), kw.Pii()]
    email: Annotated[str, kw.Size(avg=24, max=254), kw.Pii()]
    phone: Annotated[str | None, Field(max_length=20), kw.Pii()] = None
    born_on: Annotated[date, kw.Pii()]
    address: Annotated[Address, kw.Pii()]
    home_club: ClubId
    joined_at: datetime


register_member = kw.Put(Member, if_absent=True, rate="3k/day", p99_ms=100)
member = kw.Get(Member, eq="member_id", rate="400/s", peak="1.5k/s", p99_ms=15)
move_house = kw.Update(Member, sets="address", rate="1.5k/day", p99_ms=50)
change_home_club = kw.Update(Member, sets="home_club", rate="900/day", p99_ms=50)


class Agreement(BaseModel):
    """A contract over a term, with the fee of a month."""

    __store__: ClassVar = kw.Item(
        members,
        pk="MEMBER#{member_id}",
        sk="AGREEMENT#{signed_at:iso}#{agreement_id}",
        gsis=[
            renewals.key(
                pk="RENEW#{renews_on:date}#{member_id:shard(4)}",
                sk="{member_id}#{agreement_id}",
                where={"status": "running"},
            )
        ],
        expected=4_000_000,
        active=0.05,
        keep_forever="contracts are kept for ten years by commercial law",
    )

    member_id: Annotated[MemberId, kw.Ref(Member, on_missing="fail", max_referrers=40)]
    agreement_id: Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26)]
    signed_at: datetime
    plan: Literal["basic", "plus", "all-clubs", "student"]
    status: Literal["running", "paused", "ended"]
    renews_on: Annotated[date, kw.Cardinality(distinct=400)]
    monthly_fee: Money


sign_agreement = kw.Put(Agreement, if_absent=True, rate="4k/day", p99_ms=100)
agreements_of_member = kw.Read(
    Agreement, eq="member_id", order="-signed_at", limit=20, rate="60/s", peak="300/s", p99_ms=30
)
renewals_of_day = kw.Read(
    Agreement,
    eq="renews_on",
    where={"status": "running"},
    fields=["member_id", "agreement_id"],
    limit=200,
    fan_out=4,
    rate="500/day",
    p99_ms=500,
)
set_status = kw.Update(Agreement, sets=["status", "renews_on"], rate="6k/day", p99_ms=60)
account_page = kw.ReadTogether(
    kw.Read(Member, eq="member_id"), kw.Read(Agreement, eq="member_id"), limit=20, rate="80/s", p99_ms=40
)


class LockerRental(BaseModel):
    """A locker that belongs to one member as long as it is paid for; it is given back by a delete."""

    __store__: ClassVar = kw.Item(
        members,
        pk="LOCKER#{club_id}#{number:pad(4)}",
        sk="RENTAL",
        gsis=[renters.key(pk="RENTER#{member_id}", sk="{club_id}#{number:pad(4)}")],
        expected=60_000,
    )

    club_id: ClubId
    number: Annotated[int, Field(ge=1, le=9_999)]
    member_id: Annotated[MemberId, kw.Ref(Member, on_missing="hide", max_referrers=5)]
    rental_id: Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26)]
    paid_until: date


rent_locker = kw.Put(LockerRental, if_absent=True, rate="400/day", p99_ms=60)
locker = kw.Get(
    LockerRental,
    eq=["club_id", "number"],
    consistency="strong",
    rate="4/s",
    p99_ms=20,
)
lockers_of_member = kw.Read(LockerRental, eq="member_id", reads_back=[rent_locker], limit=10, rate="15/s", p99_ms=30)
give_locker_back = kw.Delete(LockerRental, rate="350/day", p99_ms=60)
