"""Shippers, the people of the portal, and prepaid credit, in DynamoDB."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import BaseModel, Field

import keywright as kw
from models.shared import CountryCode, ShipperId

users_of_shipper = kw.Gsi(
    "users_of_shipper", pk="users_pk", sk="users_sk", project=["user_id", "shipper_id", "duties", "invited_at"]
)
moves_of_shipper = kw.Gsi("moves_of_shipper", pk="moves_pk", sk="moves_sk")
accounts = kw.DynamoTable("accounts", owner="shipper-portal", gsis=[users_of_shipper, moves_of_shipper])


class Shipper(BaseModel):
    """A company that sends parcels."""

    __store__: ClassVar = kw.Item(accounts, pk="SHIPPER#{shipper_id}", sk="PROFILE", expected=40_000)

    shipper_id: ShipperId
    company: Annotated[str, Field(max_length=100)]
    country: CountryCode
    vat_number: Annotated[str, Field(max_length=16)]
    tariff: Literal["shop", "business", "key_account"]
    pays: Literal["prepaid", "invoice"]
    since: datetime


shipper = kw.Get(Shipper, eq="shipper_id", rate="90/s", peak="600/s", p99_ms=20, cache_ttl=timedelta(minutes=2))
sign_up = kw.Put(Shipper, if_absent=True, rate="120/day", p99_ms=100)
change_tariff = kw.Update(Shipper, sets=["tariff", "pays"], rate="80/day", p99_ms=100)


class PortalUser(BaseModel):
    """Somebody who orders labels or answers claims for a shipper."""

    __store__: ClassVar = kw.Item(
        accounts,
        pk="USER#{user_id}",
        sk="USER",
        gsis=[users_of_shipper.key(pk="USERS#{shipper_id}", sk="{invited_at:iso}")],
        expected=130_000,
        active=0.3,
    )

    user_id: UUID
    shipper_id: Annotated[ShipperId, kw.Ref(Shipper, on_missing="fail", max_referrers=400)]
    name: Annotated[str, Field(max_length=80), kw.Pii()]
    mail: Annotated[str, Field(max_length=254), kw.Pii()]
    # Argon2id, with its salt and parameters.
    password_hash: Annotated[str, Field(pattern=r"^\$argon2id\$"), kw.Size(avg=97, max=140)]
    duties: Annotated[list[Literal["labels", "claims", "invoices", "users"]], Field(max_length=4)]
    invited_at: datetime


class MailClaim(BaseModel):
    """The address of one user only, as a keyed hash: the put fails if another user has it."""

    __store__: ClassVar = kw.Item(accounts, pk="MAIL#{mail_hash}", sk="CLAIM", expected=130_000)

    mail_hash: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$"), kw.Size(avg=64, max=64)]
    user_id: Annotated[UUID, kw.Ref(PortalUser, on_missing="fail", max_referrers=1)]


portal_user = kw.Get(PortalUser, eq="user_id", rate="25/s", peak="90/s", p99_ms=20)
user_of_mail = kw.Get(MailClaim, eq="mail_hash", rate="2/s", peak="20/s", p99_ms=20)
colleagues = kw.Read(
    PortalUser,
    eq="shipper_id",
    order="invited_at",
    fields=["user_id", "duties", "invited_at"],
    limit=100,
    rate="20k/day",
    p99_ms=60,
)
invite = kw.Transact(
    [kw.Put(PortalUser, if_absent=True), kw.Put(MailClaim, if_absent=True)], rate="300/day", p99_ms=100
)
new_password = kw.Update(PortalUser, sets="password_hash", rate="900/day", p99_ms=100)
remove_user = kw.Transact([kw.Delete(PortalUser), kw.Delete(MailClaim)], rate="150/day", p99_ms=100)


class PortalSession(BaseModel):
    """A signed-in browser; the caller compares the end, because expired items stay for days."""

    __store__: ClassVar = kw.Item(
        accounts, pk="SESSION#{token_hash}", sk="SESSION", expected=60_000, active=0.5, kind="session"
    )

    token_hash: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$"), kw.Size(avg=64, max=64)]
    user_id: Annotated[UUID, kw.Ref(PortalUser, on_missing="fail", max_referrers=10)]
    ends_at: Annotated[datetime, kw.Ttl()]


session_of_token = kw.Read(
    PortalSession, eq="token_hash", range="ends_at", limit=1, rate="180/s", peak="700/s", p99_ms=15
)
sign_in = kw.Put(PortalSession, rate="2/s", peak="20/s", p99_ms=40)
sign_out = kw.Delete(PortalSession, rate="30k/day", p99_ms=40)


class PrepaidAccount(BaseModel):
    """The credit of a shipper who pays before printing; the last label may overdraw it."""

    __store__: ClassVar = kw.Item(
        accounts, pk="SHIPPER#{shipper_id}", sk="CREDIT", expected=28_000, active=0.4, kind="money"
    )

    shipper_id: Annotated[ShipperId, kw.Ref(Shipper, on_missing="fail", max_referrers=1)]
    credit_cents: Annotated[int, Field(ge=-50_000, le=100_000_000)]
    frozen: bool = False


class CreditMovement(BaseModel):
    """A top-up or a label: the request id makes a repeated request fail, and the sum is the credit."""

    __store__: ClassVar = kw.Item(
        accounts,
        pk="MOVE#{request_id}",
        sk="MOVE",
        computed={"moved_month": "{moved_at:month}"},
        gsis=[moves_of_shipper.key(pk="MOVES#{shipper_id}#{moved_month}", sk="{moved_at:iso}#{request_id}")],
        expected=900_000_000,
        active=0.01,
        kind="money",
    )

    shipper_id: Annotated[ShipperId, kw.Ref(Shipper, on_missing="fail", max_referrers=3_000_000)]
    request_id: UUID
    moved_at: datetime
    cents: Annotated[int, Field(ge=-5_000_000, le=100_000_000)]
    reason: Literal["top_up", "label", "refund", "correction"]


credit_before_labels = kw.Get(
    PrepaidAccount, eq="shipper_id", consistency="strong", rate="14/s", peak="400/s", hot_key="20/s", p99_ms=20
)
pay_labels = kw.Transact(
    [
        kw.Put(CreditMovement, if_absent=True),
        kw.Increment(PrepaidAccount, "credit_cents", by=-430, where={"frozen": False, "credit_cents": kw.AtLeast(1)}),
    ],
    rate="14/s",
    peak="400/s",
    hot_key="20/s",
    p99_ms=100,
)
top_up = kw.Transact(
    [
        kw.Put(CreditMovement, if_absent=True),
        kw.Increment(PrepaidAccount, "credit_cents", by=10_000, where={"frozen": False}),
    ],
    rate="9k/day",
    p99_ms=150,
)
open_credit = kw.Put(PrepaidAccount, if_absent=True, rate="100/day", p99_ms=100)
freeze_credit = kw.Update(PrepaidAccount, sets="frozen", rate="20/day", p99_ms=100)
movements = kw.Read(
    CreditMovement,
    eq=["shipper_id", "moved_month"],
    order="-moved_at",
    limit=100,
    rate="2/s",
    p99_ms=80,
)
