"""Customers, their accounts and their logins."""

from datetime import date, datetime
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.common import AccountId, Currency, CustomerId

by_account = kw.Gsi("by_account", pk="account_id", sk=None)
by_customer = kw.Gsi("by_customer", pk="customer_id", sk="started_at", project=["session_id", "device"])

clients = kw.DynamoTable(
    "clients",
    owner="onboarding",
    gsis=[by_account],
    stream=kw.Stream(
        consumers=[kw.Consumer("crm-sync", idempotency=["customer_id", "revision"], on_failure="retry")],
    ),
)
sessions = kw.DynamoTable("sessions", owner="identity", gsis=[by_customer])


class Customer(BaseModel):
    """A person with a contract; the identity papers are kept by compliance."""

    __store__: ClassVar = kw.Item(clients, pk="CUSTOMER#{customer_id}", sk="PROFILE")

    customer_id: CustomerId
    email: Annotated[str, Field(max_length=254), kw.Size(avg=24, max=254), kw.Pii()]
    full_name: Annotated[str, Field(max_length=120), kw.Size(avg=18, max=240), kw.Pii()]
    born_on: Annotated[date, kw.Pii()]
    tax_country: Annotated[str, Field(pattern=r"^[A-Z]{2}$")]
    address: Annotated[str, Field(max_length=300), kw.Size(avg=70, max=600), kw.Pii()]
    kyc_status: Literal["pending", "approved", "rejected", "review"]
    revision: Annotated[int, Field(ge=1)] = 1
    created_at: datetime


class EmailClaim(BaseModel):
    """The keyed hash of an e-mail address: it belongs to one customer, and logins find the customer by it."""

    __store__: ClassVar = kw.Item(clients, pk="EMAIL#{email_hash}", sk="CLAIM", expected=900_000)

    email_hash: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    customer_id: Annotated[CustomerId, kw.Ref(Customer, on_missing="fail")]


class Account(BaseModel):
    """A brokerage account of a customer."""

    __store__: ClassVar = kw.Item(clients, pk="CUSTOMER#{customer_id}", sk="ACCOUNT#{account_id}", expected=1_100_000)

    customer_id: Annotated[CustomerId, kw.Ref(Customer, on_missing="fail", max_referrers=12)]
    account_id: AccountId
    type: Literal["cash", "margin", "retirement"]
    currency: Currency
    status: Literal["active", "restricted", "closed"]
    revision: Annotated[int, Field(ge=1)] = 1
    opened_at: datetime


register_customer = kw.Transact(
    [kw.Put(EmailClaim, if_absent=True), kw.Put(Customer, if_absent=True)], rate="1k/day", peak="5/s", p99_ms=100
)
customer_of_email = kw.Get(EmailClaim, rate="10/s", peak="400/s", p99_ms=20)
customer_profile = kw.Get(Customer, rate="30/s", peak="600/s", p99_ms=20)
decide_kyc = kw.Update(Customer, sets=["kyc_status", "revision"], rate="3k/day", p99_ms=50)
accounts_of_customer = kw.Read(Account, eq="customer_id", limit=12, rate="40/s", peak="1.2k/s", p99_ms=20)
restricted_accounts = kw.Read(Account, where={"status": "restricted"}, limit=100, rate="2/s", peak="10/s", p99_ms=500)
account_by_id = kw.Get(Account, eq="account_id", rate="20/s", peak="500/s", p99_ms=20)


class LoginSession(BaseModel):
    """A login, under the hash of its cookie; the gateway checks `expires_at`, since expired items remain a while."""

    __store__: ClassVar = kw.Item(sessions, pk="SESSION#{session_id}", sk="SESSION", kind="session", expected=600_000)

    session_id: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    customer_id: Annotated[CustomerId, kw.Ref(Customer, on_missing="fail", max_referrers=20)]
    device: Annotated[str, Field(max_length=80), kw.Size(avg=30, max=160)]
    address: Annotated[str, Field(max_length=45), kw.Pii()]
    started_at: datetime
    expires_at: Annotated[datetime, kw.Ttl()]


start_session = kw.Put(LoginSession, if_absent=True, rate="10/s", peak="400/s", p99_ms=50)
session = kw.Get(LoginSession, consistency="strong", reads_back=[start_session], rate="400/s", peak="9k/s", p99_ms=10)
sessions_of_customer = kw.Read(
    LoginSession,
    eq="customer_id",
    order="-started_at",
    limit=20,
    fields=["session_id", "device", "started_at"],
    rate="1/s",
    peak="20/s",
    p99_ms=50,
)
end_session = kw.Delete(LoginSession, rate="4/s", peak="60/s", p99_ms=50)
