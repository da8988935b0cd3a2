"""Membership desk: twelve million patrons, their cards, and the logins of the website and the reader app."""

from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import BaseModel, Field

import keywright as kw

PatronId = Annotated[UUID, kw.Cardinality(distinct=12_000_000)]
Barcode = Annotated[str, Field(pattern=r"^[0-9]{14}$"), kw.Size(avg=14, max=14), kw.Cardinality(distinct=15_000_000)]
Email = Annotated[str, kw.Size(avg=24, max=254), kw.Pii()]

cards_of = kw.Gsi("cards_of", pk=["patron_id"], sk=["issued_on"], project=["barcode", "state"])
membership = kw.DynamoTable("membership", owner="membership", gsis=[cards_of])

sessions = kw.RedisServer("sessions", role="sessions", owner="web")
gate = kw.RedisServer("gate", role="limiter", owner="web")


class Address(BaseModel):
    """Where letters go."""

    street: Annotated[str, Field(max_length=120)]
    postcode: Annotated[str, Field(max_length=12)]
    city: Annotated[str, Field(max_length=80)]


class Patron(BaseModel):
    """A person with a library account; cards, loans and fines refer to it."""

    __store__: ClassVar = kw.Item(membership, pk="PATRON#{patron_id}", sk="PROFILE", active=0.15)

    patron_id: PatronId
    email: Email
    full_name: Annotated[str, kw.Size(avg=20, max=160), kw.Pii()]
    born_on: date
    phone: Annotated[str | None, Field(max_length=20), kw.Pii()] = None
    address: Annotated[Address, kw.Pii()]
    home_branch: Annotated[str, kw.Size(avg=6, max=8)]
    status: Literal["active", "suspended", "expired"] = "active"
    registered_at: datetime


class EmailClaim(BaseModel):
    """The one account that an address belongs to: an index could not keep two patrons from sharing it."""

    __store__: ClassVar = kw.Item(membership, pk="EMAIL#{email:lower}", sk="CLAIM", expected=12_000_000, active=0.05)

    email: Email
    patron_id: Annotated[PatronId, kw.Ref(Patron, on_missing="fail", max_referrers=1)]
    pin_hash: Annotated[str, kw.Size(avg=97, max=128), kw.Pii()]


patron = kw.Get(Patron, eq="patron_id", rate="400/s", peak="2k/s", p99_ms=15)
register_patron = kw.Transact(
    [kw.Put(Patron, if_absent=True), kw.Put(EmailClaim, if_absent=True)], rate="3k/day", peak="5/s", p99_ms=100
)
change_contact = kw.Update(Patron, sets=["phone", "address", "home_branch"], rate="4k/day", p99_ms=50)
suspend_patron = kw.Update(Patron, sets="status", where={"status": "active"}, rate="500/day", p99_ms=50)
forget_patron = kw.Transact([kw.Delete(Patron), kw.Delete(EmailClaim)], rate="200/day", p99_ms=200)
login_of_email = kw.Get(EmailClaim, eq="email", consistency="strong", rate="40/s", peak="250/s", p99_ms=20)
change_pin = kw.Update(EmailClaim, sets="pin_hash", rate="2k/day", p99_ms=50)


class LibraryCard(BaseModel):
    """A plastic card; a lost one stays as blocked, so that nobody can borrow with it."""

    __store__: ClassVar = kw.Item(membership, pk="CARD#{barcode}", sk="CARD", active=0.1)

    barcode: Barcode
    patron_id: Annotated[PatronId, kw.Ref(Patron, on_missing="fail", max_referrers=8)]
    issued_on: date
    state: Literal["valid", "blocked", "returned"] = "valid"


card = kw.Get(LibraryCard, eq="barcode", consistency="strong", rate="300/s", peak="1.2k/s", p99_ms=20)
cards_of_patron = kw.Read(
    LibraryCard,
    eq="patron_id",
    order="-issued_on",
    limit=10,
    fields=["barcode", "state", "issued_on"],
    rate="5/s",
    p99_ms=50,
)
issue_card = kw.Put(LibraryCard, if_absent=True, rate="4k/day", p99_ms=50)
block_card = kw.Update(LibraryCard, sets="state", where={"state": "valid"}, rate="600/day", p99_ms=50)


class Session(BaseModel):
    """A login of the website or the app; it ends twelve hours after its last write."""

    __store__: ClassVar = kw.RedisHash(
        sessions, key="session:{token}", ttl=timedelta(hours=12), expected=1_500_000, kind="session"
    )

    token: Annotated[str, kw.Size(avg=43, max=43)]
    patron_id: PatronId
    seen_at: datetime
    language: Annotated[str, Field(max_length=5)] = "en"
    card_number: Annotated[str | None, Field(pattern=r"^[0-9]{12,19}$"), kw.Pii()] = None
    card_expires: Annotated[str | None, Field(max_length=5), kw.Pii()] = None
    basket: Annotated[str, kw.Size(avg=300, max=4_000)] = ""


session = kw.Get(Session, eq="token", rate="3k/s", peak="12k/s", p99_ms=5)
open_session = kw.Put(Session, rate="40/s", peak="250/s", p99_ms=10)
touch_session = kw.Update(Session, sets=["seen_at", "basket"], rate="600/s", peak="2.5k/s", p99_ms=10)
close_session = kw.Delete(Session, rate="10/s", p99_ms=10)


class LoginAttempt(BaseModel):
    """Logins from one network address: thirty in any ten minutes, since a library shares one address."""

    __store__: ClassVar = kw.RedisRateLimit(
        gate, key="login:{address:tag}", limit=30, per=timedelta(minutes=10), window="sliding", expected=200_000
    )

    address: Annotated[str, Field(max_length=45), kw.Pii(), kw.Cardinality(distinct=2_000_000)]


allow_login = kw.Take(LoginAttempt, rate="50/s", peak="400/s", p99_ms=5)
