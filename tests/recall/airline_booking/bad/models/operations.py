"""Customer care and reporting in MongoDB, and work for other services in Redis streams."""

from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.common import AirportCode, BookingId, EventId, MemberId, Money, RecordLocator
from models.loyalty import Member
from models.reservations import Booking, Segment

operations = kw.MongoDatabase("operations", owner="customer-care")
events = kw.RedisServer("booking-events", role="queue", owner="reservations")


class CaseMessage(BaseModel):
    """A message between a customer and an agent."""

    sent_at: datetime
    author: Literal["customer", "agent"]
    text: Annotated[str, kw.Size(avg=500, max=8_000), kw.Pii()]


class CaseMessages(BaseModel):
    """Messages of a case beyond the first thirty."""

    __store__: ClassVar = kw.Collection(
        operations, "case_messages", id="{case_id}-{page:pad(4)}", indexes=[kw.Index(["case_id", "page"], unique=True)]
    )

    case_id: Annotated[
        str, Field(pattern=r"^C[0-9]{9}$"), kw.Ref("CustomerCase", on_missing="ignore", max_referrers=50)
    ]
    page: Annotated[int, Field(ge=1, le=9_999)]
    messages: Annotated[list[CaseMessage], Field(max_length=100)]
    purge_at: Annotated[datetime, kw.Ttl()]


class CustomerCase(BaseModel):
    """A complaint or claim with its conversation."""

    __store__: ClassVar = kw.Collection(
        operations,
        "cases",
        id="{case_id}",
        indexes=[
            kw.Index(["booking_id", "-opened_at"]),
            kw.Index("opened_at"),
            kw.Index("reference", unique=True, where={"state": kw.OneOf(["open", "waiting"])}),
            kw.Index(["assigned_to", "opened_at", "priority"], where={"state": kw.OneOf(["open", "waiting"])}),
        ],
        expected=4_000_000,
        active=0.03,
    )

    case_id: Annotated[str, Field(pattern=r"^C[0-9]{9}$"), kw.Size(avg=10, max=10)]
    reference: Annotated[str, Field(pattern=r"^[A-Z0-9]{8}$"), kw.Size(avg=8, max=8)]
    booking_id: Annotated[BookingId, kw.Ref(Booking, on_missing="ignore", max_referrers=50)]
    member_id: Annotated[MemberId | None, kw.Ref(Member, on_missing="ignore", max_referrers=200)] = None
    subject: Literal["delay", "cancellation", "baggage", "refund", "service", "other"]
    state: Literal["open", "waiting", "closed"]
    priority: Annotated[int, Field(ge=1, le=5)]
    assigned_to: Annotated[str, Field(max_length=32), kw.Cardinality(distinct=900)]
    opened_at: datetime
    compensation: Money | None = None
    messages: Annotated[
        list[CaseMessage], Field(max_length=30), kw.Overflow(CaseMessages, flag="has_more_messages")
    ] = []
    has_more_messages: bool = False
    purge_at: Annotated[datetime, kw.Ttl()]


case = kw.Get(CustomerCase, eq="case_id", rate="20/s", p99_ms=40)
case_by_reference = kw.Get(
    CustomerCase, eq="reference", where={"state": kw.OneOf(["open", "waiting"])}, rate="2/s", p99_ms=40
)
cases_of_booking = kw.Read(CustomerCase, eq="booking_id", order="-opened_at", limit=20, rate="5/s", p99_ms=60)
case_states_of_booking = kw.Read(
    CustomerCase, eq="booking_id", order="-opened_at", limit=20, rate="600/s", peak="2k/s", p99_ms=40
)
queue_of_agent = kw.Read(
    CustomerCase,
    eq="assigned_to",
    where={"state": kw.OneOf(["open", "waiting"])},
    range="opened_at",
    span=timedelta(days=60),
    order="priority",
    fields=["case_id", "subject", "priority", "opened_at", "state"],
    limit=50,
    rate="8/s",
    p99_ms=80,
)
unresolved_cases = kw.Read(
    CustomerCase,
    where={"state": kw.Not("closed")},
    order="opened_at",
    fields=["case_id", "subject", "priority", "opened_at", "assigned_to"],
    limit=50,
    rate="10/s",
    p99_ms=100,
)
open_case = kw.Put(CustomerCase, if_absent=True, consistency="eventual", rate="3k/day", peak="15/s", p99_ms=100)
answer_case = kw.Update(CustomerCase, pushes="messages", rate="15k/day", p99_ms=100)
settle_case = kw.Update(
    CustomerCase,
    sets=["state", "compensation"],
    where={"state": kw.OneOf(["open", "waiting"])},
    rate="3k/day",
    p99_ms=100,
)
more_messages = kw.Read(CaseMessages, eq="case_id", order="page", limit=1, rate="1/s", p99_ms=80)
answer_long_case = kw.Update(CaseMessages, pushes="messages", rate="500/day", p99_ms=100)
start_page = kw.Put(CaseMessages, if_absent=True, rate="20/day", p99_ms=100)


class SaleOfDay(BaseModel):
    """A ticketed booking as revenue reporting reads it, in cents of the reporting currency."""

    __store__: ClassVar = kw.Collection(
        operations,
        "sales",
        id="{booking_id}",
        indexes=[kw.Index(["sold_on", "point_of_sale"])],
        validation="off",
        kind="analytics",
        expected=60_000_000,
        active=0.03,
    )

    booking_id: Annotated[BookingId, kw.Ref(Booking, on_missing="ignore", max_referrers=1)]
    locator: Annotated[RecordLocator, kw.CopiedFrom(Booking, "locator", sync="stream")]
    point_of_sale: Annotated[str, Field(max_length=2), kw.CopiedFrom(Booking, "point_of_sale", sync="stream")]
    sold_on: date
    origin: Annotated[AirportCode, kw.CopiedFrom(Segment, "origin", sync="stream")]
    destination: Annotated[AirportCode, kw.CopiedFrom(Segment, "destination", sync="stream")]
    seats: Annotated[int, Field(ge=1, le=9)]
    revenue_minor: int
    purge_at: Annotated[datetime, kw.Ttl()]


report_sale = kw.Put(SaleOfDay, rate="80k/day", peak="40/s", p99_ms=150)
restate_sales = kw.Transact([kw.Update(SaleOfDay, sets="revenue_minor", batch=5_000)], rate="4/day", p99_ms=50_000)
revenue_by_market = kw.Aggregate(
    SaleOfDay,
    range="sold_on",
    span=timedelta(days=7),
    group=["{sold_on:date}", "{point_of_sale}"],
    measures={"revenue": kw.Sum("revenue_minor"), "bookings": kw.Distinct("booking_id"), "seats": kw.Sum("seats")},
    rate="24/day",
    p99_ms=30_000,
)

messaging = kw.ConsumerGroup("messaging", idempotency="event_id", claim_after=timedelta(minutes=1))
loyalty_credit = kw.ConsumerGroup("loyalty-credit", idempotency="event_id", claim_after=timedelta(minutes=2))


class TravellerMessage(BaseModel):
    """Something to tell a traveller by e-mail, text message or push; the address is looked up when it is sent."""

    __store__: ClassVar = kw.RedisStream(
        events, key="events:traveller-messages", keep=timedelta(days=2), groups=[messaging], kind="queue"
    )

    event_id: EventId
    booking_id: BookingId
    template: Literal["confirmation", "check_in_open", "gate_change", "delay", "cancellation", "refund"]
    channel: Literal["email", "text", "push"]


announce = kw.Put(TravellerMessage, rate="6/s", peak="300/s", p99_ms=10)
next_messages = kw.Take(TravellerMessage, group=messaging, limit=20, rate="20/s", peak="50/s", p99_ms=20)


recommendations = kw.ConsumerGroup("recommendations", idempotency="event_id", claim_after=timedelta(minutes=1))
demand = kw.ConsumerGroup("demand", idempotency="event_id", claim_after=timedelta(minutes=1))


class SiteEvent(BaseModel):
    """What visitors do on the web and in the apps, for recommendations and the forecast of demand."""

    __store__: ClassVar = kw.RedisStream(
        events, key="events:site", keep=6_000_000, groups=[recommendations, demand], kind="event"
    )

    event_id: EventId
    type: Literal["view", "search", "select", "basket", "checkout"]
    origin: AirportCode
    destination: AirportCode
    at: datetime


visitor_did = kw.Put(SiteEvent, rate="9k/s", peak="35k/s", p99_ms=10)
next_for_recommendations = kw.Take(SiteEvent, group=recommendations, limit=500, rate="20/s", peak="70/s", p99_ms=50)
next_for_demand = kw.Take(SiteEvent, group=demand, limit=500, rate="20/s", peak="70/s", p99_ms=50)


class FlownCoupon(BaseModel):
    """A coupon that was flown, for the services that credit miles and recognise revenue."""

    __store__: ClassVar = kw.RedisStream(
        events, key="events:flown-coupons", keep=timedelta(days=3), groups=[loyalty_credit], kind="event"
    )

    event_id: EventId
    ticket_number: Annotated[str, Field(pattern=r"^[0-9]{13}$"), kw.Size(avg=13, max=13)]
    coupon_number: Annotated[int, Field(ge=1, le=4)]
    member_id: MemberId
    miles: Annotated[int, Field(ge=0)]


coupon_flown = kw.Put(FlownCoupon, rate="120k/day", peak="100/s", p99_ms=10)
next_flown = kw.Take(FlownCoupon, group=loyalty_credit, limit=50, rate="5/s", p99_ms=20)
