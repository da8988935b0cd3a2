"""Orders, payments, tickets and what happens to them afterwards; amounts are in the currency's smallest unit."""

from datetime import timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.catalogue import Cents, Event, EventId, SectionName
from models.fans import Fan, FanId
from models.inventory import Hold, HoldId, Seat

OrderId = Annotated[
    str, Field(pattern=r"^[0-9A-HJKMNP-TV-Z]{26}$", max_length=26), kw.Cardinality(distinct=220_000_000)
]
TicketId = Annotated[
    str, Field(pattern=r"^[0-9A-HJKMNP-TV-Z]{26}$", max_length=26), kw.Cardinality(distinct=120_000_000)
]
Currency = Annotated[str, Field(pattern=r"^[A-Z]{3}$", max_length=3)]

by_number = kw.Gsi("by_number", pk="order_id", project="keys")
by_day = kw.Gsi("by_day", pk="day_pk", sk="day_sk", project=["order_id", "total", "currency"])

orders = kw.DynamoTable(
    "orders",
    owner="checkout",
    gsis=[by_number, by_day],
    stream=kw.Stream(
        consumers=[
            kw.Consumer("issue-tickets", idempotency=["order_id", "state"], on_failure="queue"),
            kw.Consumer("order-reports", idempotency=["order_id", "state"], on_failure="queue"),
        ]
    ),
)


class OrderLine(BaseModel):
    """A seat at the price of the moment of purchase."""

    section: SectionName
    seat: Annotated[str, Field(max_length=8)]
    face_value: Cents
    service_fee: Cents


class Order(BaseModel):
    """A purchase of up to eight seats."""

    __store__: ClassVar = kw.Item(
        orders,
        pk="FAN#{fan_id}",
        sk="ORDER#{placed_at:iso}#{order_id}",
        gsis=[by_day.key(pk="DAY#{placed_at:date}#{order_id:shard(400)}", sk="{placed_at:iso}")],
        expected=220_000_000,
        active=0.01,
        keep_forever="commercial law requires ten years, after which a yearly job moves them to the archive",
    )

    fan_id: Annotated[FanId, kw.Ref(Fan, on_missing="ignore", max_referrers=1_500)]
    order_id: OrderId
    hold_id: HoldId
    event_id: Annotated[EventId, kw.Ref(Event, on_missing="ignore", max_referrers=150_000)]
    placed_at: AwareDatetime
    state: Literal["placed", "paid", "fulfilled", "refunded", "failed"]
    lines: Annotated[list[OrderLine], Field(min_length=1, max_length=8)]
    total: Cents
    currency: Currency


class Payment(BaseModel):
    """An attempt to pay, written once under the number that the provider also gets."""

    __store__: ClassVar = kw.Item(
        orders,
        pk="PAY#{for_order}",
        sk="TRY#{attempt:pad(2)}",
        kind="money",
        expected=240_000_000,
        active=0.01,
        keep_forever="commercial law requires ten years, after which a yearly job moves them to the archive",
    )

    for_order: Annotated[OrderId, kw.Ref(Order, on_missing="fail", max_referrers=20)]
    attempt: Annotated[int, Field(ge=1, le=20)]
    provider_ref: Annotated[str, Field(max_length=40)]
    amount: Cents
    currency: Currency
    state: Literal["authorized", "captured", "declined", "reversed"]
    made_at: AwareDatetime


place_order = kw.Transact(
    [
        kw.Put(Order, if_absent=True),
        kw.Put(Payment, if_absent=True),
        kw.Update(Hold, sets="state", where={"state": "open"}),
        kw.Update(
            Seat,
            eq=["event_id", "section", "row", "number", "hold_id"],
            sets="status",
            where={"status": "held"},
            batch=3,
        ),
    ],
    rate="60k/day",
    peak="1.2k/s",
    p99_ms=150,
)
order_by_number = kw.Get(Order, eq="order_id", rate="60/s", peak="600/s", p99_ms=30)
orders_of_fan = kw.Read(Order, eq="fan_id", order="-placed_at", limit=20, rate="80/s", peak="500/s", p99_ms=40)
orders_of_day = kw.Read(
    Order,
    range="placed_at",
    span=timedelta(days=1),
    order="placed_at",
    limit=200,
    fan_out=800,
    fields=["order_id", "total", "currency"],
    rate="500/day",
    p99_ms=1_000,
)
change_state_of_order = kw.Update(
    Order,
    sets="state",
    where={"state": kw.OneOf(["placed", "paid", "fulfilled"])},
    rate="120k/day",
    peak="1.5k/s",
    p99_ms=60,
)
payments_of_order = kw.Read(
    Payment, eq="for_order", order="attempt", limit=20, consistency="strong", rate="90k/day", peak="1.2k/s", p99_ms=20
)
settle_payment = kw.Update(
    Payment, sets="state", where={"state": "authorized"}, rate="60k/day", peak="1.2k/s", p99_ms=60
)


class PaymentMethod(BaseModel):
    """A stored means of payment, so that a fan need not type it for the next order."""

    __store__: ClassVar = kw.Item(orders, pk="FAN#{fan_id}", sk="METHOD#{method_id}", expected=12_000_000, active=0.05)

    fan_id: Annotated[FanId, kw.Ref(Fan, on_missing="hide", max_referrers=10)]
    method_id: Annotated[str, Field(pattern=r"^[0-9a-f]{16}$", max_length=16)]
    provider_token: Annotated[str, Field(max_length=64), kw.Pii()]
    brand: Annotated[str, Field(max_length=20)]
    card_number: Annotated[str, Field(pattern=r"^\d{13,19}$", max_length=19), kw.Pii()]
    valid_until: Annotated[AwareDatetime, kw.Ttl(after=timedelta(days=30))]


methods_of_fan = kw.Read(PaymentMethod, eq="fan_id", limit=10, rate="30/s", peak="1.2k/s", p99_ms=20)
store_method = kw.Put(PaymentMethod, if_absent=True, rate="15k/day", peak="80/s", p99_ms=60)
forget_method = kw.Delete(PaymentMethod, rate="5k/day", p99_ms=60)


of_owner = kw.Gsi("of_owner", pk="owner_id", sk=["starts_at", "ticket_id"], project=["event_id", "seat", "status"])

tickets = kw.DynamoTable(
    "tickets",
    owner="ticketing",
    gsis=[of_owner],
    stream=kw.Stream(
        consumers=[
            kw.Consumer("gate-lists", idempotency=["ticket_id", "revision"], on_failure="retry"),
            kw.Consumer("wallet-passes", idempotency=["ticket_id", "revision"], on_failure="queue"),
        ]
    ),
)


class Ticket(BaseModel):
    """The right to a seat; every change raises the revision, under a condition on the status."""

    __store__: ClassVar = kw.Item(tickets, pk="TICKET#{ticket_id}", sk="#TICKET", expected=120_000_000, active=0.05)

    ticket_id: TicketId
    order_id: Annotated[OrderId, kw.Ref(Order, on_missing="ignore", max_referrers=8)]
    owner_id: Annotated[FanId, kw.Ref(Fan, on_missing="ignore", max_referrers=5_000)]
    event_id: Annotated[EventId, kw.Ref(Event, on_missing="ignore", max_referrers=150_000)]
    starts_at: Annotated[AwareDatetime, kw.CopiedFrom(Event, "starts_at", sync="stream")]
    seat: Annotated[str, Field(max_length=20)]
    status: Literal["valid", "in_transfer", "listed", "used", "void"]
    revision: Annotated[int, Field(ge=1)] = 1
    purge_at: Annotated[AwareDatetime, kw.Ttl()]


class Transfer(BaseModel):
    """A ticket on its way to somebody else, who is known by an address only."""

    __store__: ClassVar = kw.Item(
        tickets, pk="TICKET#{ticket_id}", sk="TRANSFER#{begun_at:iso}", expected=4_000_000, active=0.1
    )

    ticket_id: Annotated[TicketId, kw.Ref(Ticket, on_missing="hide", max_referrers=50)]
    begun_at: AwareDatetime
    from_fan: FanId
    to_email: Annotated[str, kw.Size(avg=24, max=254)]
    pin_digest: Annotated[str, Field(min_length=64, max_length=64)]
    state: Literal["offered", "accepted", "withdrawn"]
    lapses_at: AwareDatetime
    purge_at: Annotated[AwareDatetime, kw.Ttl()]


ticket = kw.Get(Ticket, eq="ticket_id", rate="200/s", peak="4k/s", p99_ms=15)
tickets_of_owner = kw.Read(
    Ticket,
    eq="owner_id",
    order="starts_at",
    limit=50,
    fields=["ticket_id", "starts_at", "event_id", "seat", "status"],
    rate="150/s",
    peak="2k/s",
    p99_ms=30,
)
ticket_with_transfers = kw.ReadTogether(
    kw.Read(Ticket, eq="ticket_id"), kw.Read(Transfer, eq="ticket_id"), limit=25, rate="20/s", p99_ms=20
)
issue_tickets = kw.Put(Ticket, if_absent=True, batch=3, rate="60k/day", peak="1.2k/s", p99_ms=100)
offer_ticket = kw.Transact(
    [
        kw.Put(Transfer, if_absent=True),
        kw.Update(Ticket, eq=["ticket_id", "owner_id"], sets=["status", "revision"], where={"status": "valid"}),
    ],
    rate="10k/day",
    peak="60/s",
    p99_ms=100,
)
accept_ticket = kw.Transact(
    [
        kw.Update(Transfer, sets="state", where={"state": "offered"}),
        kw.Update(Ticket, sets=["owner_id", "status", "revision"], where={"status": "in_transfer"}),
    ],
    rate="9k/day",
    peak="60/s",
    p99_ms=100,
)


open_refunds = kw.Gsi("open_refunds", pk="open_pk", sk="open_sk", project=["refund_id", "order_id", "amount"])
aftersales = kw.DynamoTable("aftersales", owner="checkout", gsis=[open_refunds])


class Refund(BaseModel):
    """Money that goes back to a fan; a cancelled tour opens a hundred thousand of them in an hour."""

    __store__: ClassVar = kw.Item(
        aftersales,
        pk="REFUNDS",
        sk="REFUND#{refund_id}",
        gsis=[open_refunds.key(pk="OPEN#{refund_id:shard(6)}", sk="{opened_at:iso}", where={"state": "open"})],
        kind="money",
        expected=6_000_000,
        active=0.02,
        keep_forever="commercial law requires ten years, after which a yearly job moves them to the archive",
    )

    refund_id: Annotated[str, Field(pattern=r"^[0-9A-HJKMNP-TV-Z]{26}$", max_length=26)]
    order_id: Annotated[OrderId, kw.Ref(Order, on_missing="fail", max_referrers=8)]
    amount: Cents
    currency: Currency
    reason: Literal["cancelled", "moved", "goodwill", "chargeback"]
    state: Literal["open", "paid_back", "rejected"]
    opened_at: AwareDatetime


refunds = kw.Read(Refund, order="-refund_id", limit=100, rate="1/s", p99_ms=100)
refunds_to_pay = kw.Read(
    Refund,
    where={"state": "open"},
    order="opened_at",
    limit=100,
    fan_out=6,
    fields=["refund_id", "order_id", "amount"],
    rate="2/s",
    p99_ms=200,
)
open_refund = kw.Put(Refund, if_absent=True, rate="2k/day", peak="900/s", p99_ms=60)
close_refund = kw.Update(Refund, sets="state", where={"state": "open"}, rate="2k/day", peak="300/s", p99_ms=60)
