"""Customers and the people of restaurants, how they sign in, and what limits their calls."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import Field

import keywright as kw
from models.common import BrandId, CustomerNo, DayText, Digest, GeoSpot, Market, OutletId

accounts = kw.DynamoTable("accounts", owner="identity")
sessions = kw.RedisServer(
    "app-sessions",
    role="sessions",
    owner="identity",
    settings={"slowlog-log-slower-than": 10_000, "repl-backlog-size": "128mb"},
)
throttle = kw.RedisServer(
    "throttle",
    role="limiter",
    owner="edge",
    settings={"slowlog-log-slower-than": 10_000, "repl-backlog-size": "64mb"},
)


class Customer(kw.Model):
    """Somebody who orders."""

    __store__: ClassVar = kw.Item(accounts, pk="CUSTOMER#{customer_no}", sk="PROFILE", expected=60_000_000, active=0.15)

    customer_no: CustomerNo
    market: Market
    full_name: Annotated[str, Field(max_length=100), kw.Size(avg=18, max=200), kw.Pii()]
    email: Annotated[str, kw.Size(avg=24, max=254), kw.Pii()]
    phone: Annotated[str, Field(pattern=r"^\+[0-9]{7,15}$"), kw.Pii()]
    language: Annotated[str, Field(pattern=r"^[a-z]{2}$")]
    wants_offers: bool = False
    joined_at: datetime


class EmailClaim(kw.Model):
    """Which customer an e-mail address belongs to, by its keyed digest, so that an address is used once."""

    __store__: ClassVar = kw.Item(accounts, pk="EMAIL#{email_digest}", sk="CLAIM", expected=60_000_000, active=0.02)

    email_digest: Digest
    customer_no: Annotated[CustomerNo, kw.Ref(Customer, on_missing="fail", max_referrers=1)]


claim_email = kw.Put(EmailClaim, if_absent=True)
create_customer = kw.Put(Customer, if_absent=True)
sign_up = kw.Transact([claim_email, create_customer], rate="40k/day", peak="8/s", p99_ms=80)
customer_profile = kw.Get(Customer, eq="customer_no", rate="300/s", peak="1.5k/s", p99_ms=15)
customer_of_email = kw.Get(EmailClaim, eq="email_digest", rate="8/s", peak="60/s", p99_ms=20)
correct_profile = kw.Update(
    Customer, sets=["full_name", "phone", "language", "wants_offers"], rate="200k/day", peak="30/s", p99_ms=50
)
forget_customer = kw.Delete(Customer, rate="4k/day", p99_ms=100)
release_email = kw.Delete(EmailClaim, rate="4k/day", p99_ms=100)


class SavedAddress(kw.Model):
    """A door to which a customer has food brought; a customer keeps ten at most."""

    __store__: ClassVar = kw.Item(
        accounts, pk="CUSTOMER#{customer_no}", sk="DOOR#{slot:pad(2)}", expected=110_000_000, active=0.1
    )

    customer_no: Annotated[CustomerNo, kw.Ref(Customer, on_missing="ignore", max_referrers=10)]
    slot: Annotated[int, Field(ge=1, le=10)]
    street: Annotated[str, Field(max_length=120), kw.Size(avg=24, max=240), kw.Pii()]
    postcode: Annotated[str, Field(max_length=10), kw.Pii()]
    door: Annotated[str, Field(max_length=80), kw.Size(avg=12, max=160), kw.Pii()] = ""
    spot: Annotated[GeoSpot, kw.Pii()]


doors_of_customer = kw.Read(
    SavedAddress, eq="customer_no", order="slot", limit=10, rate="250/s", peak="1.3k/s", p99_ms=20
)
save_door = kw.Put(SavedAddress, rate="600k/day", peak="60/s", p99_ms=50)
remove_door = kw.Delete(SavedAddress, rate="60k/day", p99_ms=50)


class StaffLogin(kw.Model):
    """Somebody of a restaurant who accepts orders or edits the menu."""

    __store__: ClassVar = kw.Item(accounts, pk="STAFF#{email_digest}", sk="LOGIN", expected=1_800_000, active=0.3)

    email_digest: Digest
    email: Annotated[str, kw.Size(avg=24, max=254), kw.Pii()]
    display_name: Annotated[str, Field(max_length=80), kw.Pii()]
    brand_id: BrandId
    outlets: Annotated[list[OutletId], Field(max_length=200)]
    rights: Literal["counter", "menu", "owner"]
    # argon2id, with its parameters and salt in the text
    password_hash: Annotated[str, Field(pattern=r"^\$argon2id\$", max_length=120), kw.Size(avg=97, max=120)]
    failed_attempts: Annotated[int, Field(ge=0, le=50)] = 0


staff_login = kw.Get(StaffLogin, eq="email_digest", consistency="strong", rate="10/s", peak="80/s", p99_ms=30)
invite_staff = kw.Put(StaffLogin, if_absent=True, rate="2k/day", p99_ms=80)
change_password = kw.Update(StaffLogin, sets="password_hash", rate="3k/day", p99_ms=80)
note_failed_login = kw.Increment(StaffLogin, "failed_attempts", rate="40k/day", peak="20/s", p99_ms=50)
remove_staff = kw.Delete(StaffLogin, rate="900/day", p99_ms=80)


class AppSession(kw.Model):
    """A signed-in device, under the digest of its token; it ends thirty days after its last use."""

    __store__: ClassVar = kw.RedisHash(
        sessions, key="sess:{token_digest}", ttl=timedelta(days=30), expected=14_000_000, kind="session"
    )

    token_digest: Digest
    subject: Annotated[str, Field(pattern=r"^[UC][0-9]{8,10}$"), kw.Size(avg=11, max=11)]
    device: Literal["ios", "android", "web"]
    used_on: DayText


session_of_token = kw.Get(AppSession, eq="token_digest", rate="6k/s", peak="28k/s", p99_ms=4)
open_session = kw.Put(AppSession, rate="20/s", peak="120/s", p99_ms=10)
extend_session = kw.Update(AppSession, sets="used_on", rate="90/s", peak="400/s", p99_ms=10)
close_session = kw.Delete(AppSession, rate="2/s", p99_ms=10)


class OneTimeCode(kw.Model):
    """The code that was sent to a telephone, under the keyed digest of the number."""

    __store__: ClassVar = kw.RedisString(
        sessions, key="otp:{phone_digest}", value="code_digest", ttl=timedelta(minutes=5), expected=40_000, kind="token"
    )

    phone_digest: Digest
    code_digest: Digest


issue_code = kw.Put(OneTimeCode, rate="20/s", peak="120/s", p99_ms=10)
issued_code = kw.Get(OneTimeCode, eq="phone_digest", rate="22/s", peak="140/s", p99_ms=10)
spend_code = kw.Delete(OneTimeCode, rate="18/s", peak="110/s", p99_ms=10)


class CodeGuess(kw.Model):
    """Guesses of a code: five in any quarter of an hour for a number, whatever the device."""

    __store__: ClassVar = kw.RedisRateLimit(
        throttle, key="guess:{phone_digest:tag}", limit=5, per=timedelta(minutes=15), window="sliding", expected=60_000
    )

    phone_digest: Digest


allow_guess = kw.Take(CodeGuess, rate="22/s", peak="140/s", p99_ms=5)


class PartnerAllowance(kw.Model):
    """Calls of a brand's till integration: half a million a day, in hourly portions."""

    __store__: ClassVar = kw.RedisRateLimit(
        throttle,
        key="partner:{brand_id:tag}",
        limit=21_000,
        per=timedelta(hours=1),
        window="fixed",
        expected=45_000,
    )

    brand_id: BrandId


allow_partner_call = kw.Take(PartnerAllowance, rate="3k/s", peak="11k/s", hot_key="140/s", p99_ms=5)


class SearchAllowance(kw.Model):
    """Searches of a signed-in customer: forty a minute."""

    __store__: ClassVar = kw.RedisRateLimit(
        throttle, key="search:{customer_no:tag}", limit=40, per=timedelta(minutes=1), window="fixed", expected=400_000
    )

    customer_no: CustomerNo


allow_search = kw.Take(SearchAllowance, rate="900/s", peak="5k/s", p99_ms=5)
