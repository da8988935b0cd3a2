"""The customers' portal: logins, sessions, second factors, and the numbers that claims get."""

from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.common import ClaimId, PartyId, Sha256

UserId = Annotated[UUID, kw.Cardinality(distinct=2_400_000)]
PartnerId = Annotated[
    str, Field(pattern=r"^partner-[0-9]{1,5}$"), kw.Size(avg=11, max=13), kw.Cardinality(distinct=900)
]

sessions_by_user = kw.Gsi("sessions_by_user", pk="session_user_id", sk="started_at", project="keys")

portal = kw.DynamoTable("portal", owner="customer-portal", gsis=[sessions_by_user])


class PortalUser(BaseModel):
    """A login of the portal."""

    __store__: ClassVar = kw.Item(portal, pk="USER#{user_id}", sk="LOGIN", expected=2_400_000, active=0.01)

    user_id: UserId
    party_id: PartyId
    password: Annotated[str, kw.Size(avg=14, max=72), Field(min_length=8, max_length=72), kw.Pii()]
    second_factor: Literal["none", "totp", "sms"] = "none"
    registered_at: AwareDatetime


class LoginName(BaseModel):
    """The e-mail address of a login, by its keyed hash: an item of its own, so that two logins never share one."""

    __store__: ClassVar = kw.Item(portal, pk="EMAIL#{email_hmac}", sk="LOGIN", expected=2_400_000, active=0.01)

    email_hmac: Annotated[Sha256, kw.Cardinality(distinct=2_400_000)]
    user_id: Annotated[UserId, kw.Ref(PortalUser, on_missing="fail", max_referrers=1)]


register_user = kw.Transact(
    [kw.Put(PortalUser, if_absent=True), kw.Put(LoginName, if_absent=True)], rate="900/day", p99_ms=150
)
user = kw.Get(PortalUser, eq="user_id", rate="5/s", p99_ms=30)
users_of_party = kw.Read(PortalUser, eq="party_id", limit=5, rate="8/s", peak="30/s", p99_ms=100)
login_name = kw.Get(LoginName, eq="email_hmac", rate="25k/day", peak="10/s", p99_ms=50)


class PortalSession(BaseModel):
    """A session, under the hash of its token."""

    __store__: ClassVar = kw.Item(portal, pk="SESSION#{token_hash}", sk="SESSION", kind="session", expected=40_000)

    token_hash: Annotated[Sha256, kw.Cardinality(distinct=40_000)]
    session_user_id: Annotated[UserId, kw.Ref(PortalUser, on_missing="fail", max_referrers=10)]
    started_at: AwareDatetime
    expires_at: Annotated[AwareDatetime, kw.Ttl()]


start_session = kw.Put(PortalSession, if_absent=True, rate="25k/day", peak="10/s", p99_ms=50)
end_session = kw.Delete(PortalSession, rate="10k/day", p99_ms=50)
session = kw.Get(
    PortalSession,
    eq="token_hash",
    consistency="strong",
    reads_back=[start_session, end_session],
    rate="40/s",
    peak="300/s",
    p99_ms=20,
)
sessions_of_user = kw.Read(
    PortalSession,
    eq="session_user_id",
    order="-started_at",
    limit=10,
    fields=["token_hash", "session_user_id", "started_at"],
    rate="500/day",
    p99_ms=80,
)


class OneTimeCode(BaseModel):
    """The second factor of a login: six digits by SMS, five attempts, ten minutes."""

    __store__: ClassVar = kw.Item(portal, pk="CODE#{user_id}", sk="CODE", kind="token", expected=2_000)

    user_id: UserId
    code_hash: Sha256
    attempts: Annotated[int, Field(ge=0, le=5)] = 0
    expires_at: Annotated[AwareDatetime, kw.Ttl()]


issue_code = kw.Put(OneTimeCode, rate="6k/day", peak="5/s", p99_ms=50)
code = kw.Get(OneTimeCode, eq="user_id", consistency="strong", reads_back=[issue_code], rate="8k/day", p99_ms=30)
count_attempt = kw.Increment(OneTimeCode, "attempts", where={"attempts": kw.Below(5)}, rate="8k/day", p99_ms=50)


class NumberBlock(BaseModel):
    """The last claim number of a year that was given out; a service takes a hundred at a time, and gaps are allowed."""

    __store__: ClassVar = kw.Item(portal, pk="NUMBERS#{year:pad(4)}", sk="CLAIMS", expected=20)

    year: Annotated[int, Field(ge=2000, le=2100), kw.Cardinality(distinct=20)]
    last: Annotated[int, Field(ge=0, le=99_999_999)]


take_numbers = kw.Increment(NumberBlock, "last", by=100, rate="40/day", p99_ms=80)
begin_year = kw.Put(NumberBlock, if_absent=True, rate="1/day", p99_ms=80)


class ShareLink(BaseModel):
    """A link by which a repair shop or lawyer may look at a claim for as long as the customer has allowed it."""

    __store__: ClassVar = kw.Item(portal, pk="CLAIM#{claim_id}", sk="LINK#{link_hash}", kind="token", expected=25_000)

    claim_id: ClaimId
    link_hash: Sha256
    receiver: Annotated[str, Field(max_length=120), kw.Pii()]
    created_at: AwareDatetime
    expires_at: Annotated[AwareDatetime, kw.Ttl()]


share_claim = kw.Put(ShareLink, if_absent=True, rate="1.2k/day", p99_ms=80)
links_of_claim = kw.Read(
    ShareLink,
    eq="claim_id",
    limit=20,
    fields=["claim_id", "link_hash", "receiver", "created_at"],
    rate="3k/day",
    p99_ms=60,
)


class Partner(BaseModel):
    """A repair network or broker with access to the interface, its price list, and the calls that it has made."""

    __store__: ClassVar = kw.Item(portal, pk="PARTNER#{partner_id}", sk="PARTNER", expected=900)

    partner_id: PartnerId
    name: Annotated[str, Field(max_length=120)]
    price_list: Annotated[str, kw.Size(avg=45_000, max=200_000)]
    calls: Annotated[int, Field(ge=0)] = 0


save_partner = kw.Put(Partner, rate="20/day", p99_ms=100)
partner = kw.Get(Partner, eq="partner_id", rate="2/s", p99_ms=40)
count_call = kw.Increment(Partner, "calls", rate="150/s", peak="600/s", hot_key="20/s", p99_ms=40)
