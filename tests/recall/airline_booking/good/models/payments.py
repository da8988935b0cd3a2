"""Payments, refunds and vouchers: entries are written once, balances change with the entry that explains them."""

from datetime import datetime
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.common import ULID, BookingId, EventId, Money, PaymentId
from models.reservations import Booking

by_booking = kw.Gsi("by_booking", pk="booking_key", sk="booking_sort")
unsettled = kw.Gsi(
    "unsettled", pk="unsettled_key", sk="unsettled_sort", project=["payment_id", "state", "booking_id", "created_at"]
)

payments = kw.DynamoTable(
    "payments",
    owner="payments",
    gsis=[by_booking, unsettled],
    stream=kw.Stream(
        consumers=[kw.Consumer("general-ledger", idempotency=["payment_id", "state"], on_failure="queue")],
    ),
)


class Payment(BaseModel):
    """A payment for a booking; card data stays with the processor, only its token is here."""

    __store__: ClassVar = kw.Item(
        payments,
        pk="PAYMENT#{payment_id}",
        sk="PAYMENT",
        gsis=[
            by_booking.key(pk="BOOKING#{booking_id}", sk="{created_at:iso}"),
            unsettled.key(
                pk="UNSETTLED#{state}#{payment_id:shard(4)}",
                sk="{payment_id}",
                where={"state": "authorised"},
            ),
        ],
        kind="money",
        expected=110_000_000,
        active=0.02,
        keep_forever="financial records are kept for ten years, then archived by finance",
    )

    payment_id: PaymentId
    booking_id: Annotated[BookingId, kw.Ref(Booking, on_missing="ignore", max_referrers=20)]
    created_at: datetime
    method: Literal["card", "wallet", "bank", "voucher"]
    processor_token: Annotated[str, Field(max_length=64)]
    total: Money
    state: Literal["authorised", "captured", "failed", "disputed", "refunded"]


payment = kw.Get(Payment, eq="payment_id", consistency="strong", rate="20/s", p99_ms=20)
payments_of_booking = kw.Read(Payment, eq="booking_id", order="-created_at", limit=20, rate="40/s", p99_ms=30)
authorise = kw.Put(Payment, if_absent=True, rate="110k/day", peak="60/s", p99_ms=80)
capture = kw.Update(Payment, sets="state", where={"state": "authorised"}, rate="100k/day", peak="60/s", p99_ms=80)
payments_to_capture = kw.Read(
    Payment,
    where={"state": "authorised"},
    order="payment_id",
    fields=["payment_id", "booking_id", "created_at"],
    limit=100,
    fan_out=4,
    rate="2/s",
    p99_ms=200,
)


class Refund(BaseModel):
    """Money that goes back to the payer, beside the payment that it reverses."""

    __store__: ClassVar = kw.Item(
        payments,
        pk="PAYMENT#{payment_id}",
        sk="REFUND#{refund_id}",
        kind="money",
        expected=9_000_000,
        active=0.02,
        keep_forever="financial records are kept for ten years, then archived by finance",
    )

    payment_id: Annotated[PaymentId, kw.Ref(Payment, on_missing="fail", max_referrers=10)]
    refund_id: EventId
    created_at: datetime
    total: Money
    reason: Literal["cancelled_by_airline", "cancelled_by_traveller", "schedule_change", "goodwill"]
    state: Literal["requested", "sent", "failed"]


refunds_of_payment = kw.Read(Refund, eq="payment_id", limit=10, rate="5/s", p99_ms=30)
request_refund = kw.Put(Refund, if_absent=True, rate="8k/day", peak="40/s", p99_ms=80)
refund_sent = kw.Update(Refund, sets="state", where={"state": "requested"}, rate="8k/day", peak="40/s", p99_ms=80)


class PaymentRequest(BaseModel):
    """The answer to a request, kept two days, so that a repeated request gets the same answer and pays once."""

    __store__: ClassVar = kw.Item(payments, pk="REQUEST#{request_key}", sk="REQUEST", kind="token", expected=400_000)

    request_key: Annotated[str, Field(pattern=r"^[A-Za-z0-9-]{16,64}$"), kw.Size(avg=36, max=64)]
    payment_id: PaymentId
    outcome: Literal["pending", "accepted", "refused"]
    expires_at: Annotated[datetime, kw.Ttl()]


begin_request = kw.Put(PaymentRequest, if_absent=True, rate="130k/day", peak="80/s", p99_ms=40)
finish_request = kw.Update(
    PaymentRequest, sets="outcome", where={"outcome": "pending"}, rate="130k/day", peak="80/s", p99_ms=40
)

VoucherCode = Annotated[
    str, Field(pattern=r"^[A-Z0-9]{16}$"), kw.Size(avg=16, max=16), kw.Cardinality(distinct=6_000_000)
]


class Voucher(BaseModel):
    """Travel credit in minor units; it stops being accepted at `valid_until`, and stays as a record."""

    __store__: ClassVar = kw.Item(
        payments,
        pk="VOUCHER#{code}",
        sk="VOUCHER",
        kind="money",
        expected=6_000_000,
        active=0.02,
        keep_forever="unredeemed credit is a liability that finance releases by itself",
    )

    code: VoucherCode
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$"), kw.Size(avg=3, max=3)]
    balance_minor: Annotated[int, Field(ge=0)]
    valid_until: datetime


class VoucherEntry(BaseModel):
    """A use of a voucher or a credit to it; the request's number makes the entry unique."""

    __store__: ClassVar = kw.Item(
        payments,
        pk="VOUCHER#{code}",
        sk="ENTRY#{request_id}",
        kind="money",
        expected=9_000_000,
        active=0.02,
        keep_forever="financial records are kept for ten years, then archived by finance",
    )

    code: Annotated[VoucherCode, kw.Ref(Voucher, on_missing="fail", max_referrers=50)]
    request_id: Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26)]
    amount_minor: int
    at: datetime


issue_voucher = kw.Put(Voucher, if_absent=True, rate="5k/day", peak="50/s", p99_ms=80)
voucher = kw.Get(Voucher, eq="code", consistency="strong", rate="10/s", p99_ms=20)
entries_of_voucher = kw.Read(VoucherEntry, eq="code", limit=50, rate="1/s", p99_ms=40)
redeem_voucher = kw.Transact(
    [
        kw.Put(VoucherEntry, if_absent=True),
        kw.Increment(Voucher, "balance_minor", by=-5_000, where={"balance_minor": kw.AtLeast(5_000)}),
    ],
    rate="6k/day",
    peak="10/s",
    p99_ms=100,
)
