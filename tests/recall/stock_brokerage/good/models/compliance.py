"""Compliance: who the customers are, what looks suspicious, and who did what."""

from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.common import AccountId, CustomerId, InstrumentId, OrderId, Ulid, compliance
from models.customers import Account, Customer
from models.market import Instrument

venue_messages = kw.DynamoTable("venue_messages", owner="connectivity")
message_archive = kw.DynamoTable("message_archive", owner="compliance")

ActorId = Annotated[str, Field(pattern=r"^[CES][0-9]{9}$"), kw.Size(avg=10, max=10), kw.Cardinality(distinct=901_000)]


class KycDocument(BaseModel):
    """A paper that the customer sent; the scan itself is an encrypted file elsewhere."""

    type: Literal["passport", "id_card", "utility_bill", "tax_form"]
    file_key: Annotated[str, Field(max_length=120)]
    number: Annotated[str, Field(max_length=40), kw.Pii()]
    valid_until: date | None = None
    received_at: datetime


class KycCase(BaseModel):
    """One check of a customer's identity; those that an outside provider runs have its number."""

    __store__: ClassVar = kw.Collection(
        compliance,
        "kyc_cases",
        id="{case_id}",
        indexes=[
            kw.Index("opened_at", where={"state": "review"}),
            kw.Index("provider_ref", unique=True, where={"provider_ref": kw.Present()}),
            kw.TextIndex("summary"),
        ],
        expected=3_000_000,
        active=0.01,
        stream=kw.Stream(
            consumers=[kw.Consumer("kyc-decisions", idempotency=["case_id", "state"], on_failure="queue")],
            images="keys",
        ),
    )

    case_id: Ulid
    customer_id: Annotated[CustomerId, kw.Ref(Customer, on_missing="fail", max_referrers=20)]
    state: Literal["new", "documents", "review", "approved", "rejected"]
    risk: Literal["low", "medium", "high"]
    documents: Annotated[list[KycDocument], Field(max_length=20)] = []
    officer: ActorId | None = None
    provider_ref: Annotated[str | None, Field(max_length=40)] = None
    summary: Annotated[str, Field(max_length=400)] = ""
    wealth_statement: Annotated[str, Field(max_length=2_000), kw.Size(avg=500, max=4_000), kw.Pii()] = ""
    opened_at: datetime
    delete_after: Annotated[datetime | None, kw.Ttl()] = None


open_case = kw.Put(KycCase, if_absent=True, rate="3k/day", p99_ms=100)
kyc_case = kw.Get(KycCase, rate="1/s", peak="20/s", p99_ms=50)
add_document = kw.Update(KycCase, pushes="documents", sets="state", rate="6k/day", p99_ms=100)
decide_case = kw.Update(KycCase, sets=["state", "officer"], where={"state": "review"}, rate="3k/day", p99_ms=100)
cases_to_review = kw.Read(KycCase, where={"state": "review"}, order="opened_at", limit=50, rate="1/s", p99_ms=100)
case_of_provider = kw.Get(
    KycCase, eq="provider_ref", where={"provider_ref": kw.Present()}, rate="3k/day", peak="5/s", p99_ms=50
)
search_cases = kw.Read(KycCase, search="summary", limit=20, rate="2k/day", p99_ms=300)
forget_customer = kw.Update(KycCase, sets="delete_after", rate="300/day", p99_ms=100)


class SurveillanceAlert(BaseModel):
    """Trades that look like manipulation, for an analyst to judge."""

    __store__: ClassVar = kw.Collection(
        compliance,
        "surveillance_alerts",
        id="{alert_id}",
        indexes=[
            kw.Index(["state", "raised_at", "severity"], where={"state": "open"}),
        ],
        expected=2_000_000,
        active=0.02,
    )

    alert_id: Ulid
    account_id: Annotated[AccountId, kw.Ref(Account, on_missing="ignore", max_referrers=2_000)]
    instrument_id: Annotated[InstrumentId, kw.Ref(Instrument, on_missing="ignore", max_referrers=50_000)]
    scenario: Literal["spoofing", "wash_trade", "insider", "layering"]
    severity: Annotated[int, Field(ge=1, le=5)]
    state: Literal["open", "assigned", "dismissed", "reported"]
    analyst: ActorId | None = None
    evidence: Annotated[list[Ulid], Field(max_length=50)] = []
    raised_at: datetime


raise_alert = kw.Put(SurveillanceAlert, if_absent=True, rate="900/day", peak="2/s", p99_ms=100)
alerts_to_assign = kw.Read(
    SurveillanceAlert,
    where={"state": "open"},
    range="severity",
    order="raised_at",
    limit=50,
    rate="1/s",
    p99_ms=100,
)
judge_alert = kw.Update(
    SurveillanceAlert,
    sets=["state", "analyst"],
    where={"state": kw.OneOf(["open", "assigned"])},
    rate="2k/day",
    p99_ms=100,
)


class AuditEvent(BaseModel):
    """Who did what to whom, for two years; `partner` is the brand of the customer, our own for nine tenths of them."""

    __store__: ClassVar = kw.Collection(
        compliance,
        "audit_events",
        id="{event_id}",
        indexes=[kw.Index(["subject_id", "-at"])],
        shard_key=kw.ShardKey(on="subject_id"),
        kind="event",
        expected=630_000_000,
        active=0.003,
    )

    event_id: Ulid
    partner: Annotated[str, Field(pattern=r"^[a-z]{3,12}$"), kw.Size(avg=7, max=12), kw.Cardinality(distinct=9)]
    subject_id: ActorId
    actor_id: ActorId
    action: Annotated[str, Field(max_length=60), kw.Cardinality(distinct=120)]
    detail: Annotated[str, Field(max_length=500), kw.Size(avg=120, max=1_000), kw.Pii()]
    at: Annotated[datetime, kw.Ttl(after=timedelta(days=730))]


log_event = kw.Put(AuditEvent, if_absent=True, rate="10/s", peak="150/s", p99_ms=100)
events_about = kw.Read(AuditEvent, eq="subject_id", range="at", order="-at", limit=100, rate="2k/day", p99_ms=200)


class VenueMessage(BaseModel):
    """A message of the FIX protocol to or from a venue, as support and connectivity look it up, for forty-five days."""

    __store__: ClassVar = kw.Item(
        venue_messages,
        pk="ORDER#{order_id}",
        sk="{sent_at:iso}#{message_id}",
        kind="event",
        expected=117_000_000,
        active=0.03,
    )

    order_id: OrderId
    message_id: Ulid
    venue: Annotated[str, Field(pattern=r"^[A-Z]{4}$"), kw.Cardinality(distinct=14)]
    sent_at: datetime
    raw: Annotated[str, Field(max_length=2_000), kw.Size(avg=420, max=2_000)]
    expires_at: Annotated[datetime, kw.Ttl()]


store_message = kw.Put(VenueMessage, if_absent=True, rate="30/s", peak="6k/s", p99_ms=50)
messages_of_order = kw.Read(VenueMessage, eq="order_id", order="sent_at", limit=100, rate="1/s", peak="20/s", p99_ms=50)


class ArchivedMessage(BaseModel):
    """The same message for six years, as Rule 17a-4 demands; the regulator asks for a few orders a day."""

    __store__: ClassVar = kw.Item(
        message_archive,
        pk="ORDER#{order_id}",
        sk="{sent_at:iso}#{message_id}",
        kind="event",
        expected=5_600_000_000,
        active=0.0005,
    )

    order_id: OrderId
    message_id: Ulid
    venue: Annotated[str, Field(pattern=r"^[A-Z]{4}$"), kw.Cardinality(distinct=14)]
    sent_at: datetime
    raw: Annotated[str, Field(max_length=2_000), kw.Size(avg=420, max=2_000)]
    expires_at: Annotated[datetime, kw.Ttl()]


archive_messages = kw.Put(ArchivedMessage, batch=25, rate="1.2/s", peak="20/s", p99_ms=500)
archived_messages = kw.Read(ArchivedMessage, eq="order_id", order="sent_at", limit=100, rate="300/day", p99_ms=200)
