"""Payments, refunds, gift cards and what couriers are paid."""

from datetime import date, datetime
from typing import Annotated, ClassVar, Literal

from pydantic import Field

import keywright as kw
from models.common import CourierNo, Currency, CustomerNo, Digest, Minor, OrderNo
from models.ordering import Order

payments = kw.DynamoTable("payments", owner="payments")

LAW = "Commercial law requires ten years; the archive is decided by the finance department."


class Payment(kw.Model):
    """An attempt to pay for an order; the card itself is known to the payment provider only."""

    __store__: ClassVar = kw.Item(
        payments,
        pk="PAYMENT#{order_no}",
        sk="ATTEMPT#{attempt:pad(2)}",
        kind="money",
        expected=12_000_000_000,
        active=0.001,
        keep_forever=LAW,
    )

    order_no: Annotated[OrderNo, kw.Ref(Order, on_missing="ignore", max_referrers=9)]
    attempt: Annotated[int, Field(ge=1, le=9)]
    customer_no: CustomerNo
    amount_minor: Minor
    currency: Currency
    provider_reference: Annotated[str, Field(max_length=40), kw.Size(avg=28, max=40)]
    method: Literal["card", "wallet", "transfer", "gift_card", "cash"]
    status: Literal["pending", "authorised", "captured", "declined", "voided"]
    created_at: datetime


begin_payment = kw.Put(Payment, if_absent=True, rate="125/s", peak="760/s", p99_ms=40)
payment_attempts = kw.Read(
    Payment, eq="order_no", order="-attempt", limit=9, consistency="strong", rate="130/s", peak="800/s", p99_ms=20
)


class ProviderMessage(kw.Model):
    """A message of the payment provider that was processed; the provider repeats messages for a week at most."""

    __store__: ClassVar = kw.Item(
        payments, pk="MESSAGE#{message_id}", sk="SEEN", kind="token", expected=900_000_000, active=0.01
    )

    message_id: Annotated[str, Field(pattern=r"^evt_[0-9A-Za-z]{24}$"), kw.Size(avg=28, max=28)]
    order_no: OrderNo
    purge_at: Annotated[datetime, kw.Ttl()]


see_message = kw.Put(ProviderMessage, if_absent=True)
settle_attempt = kw.Update(Payment, sets="status")
apply_message = kw.Transact([see_message, settle_attempt], rate="240/s", peak="1.5k/s", p99_ms=60)


class Refund(kw.Model):
    """Money that went back to a customer."""

    __store__: ClassVar = kw.Item(
        payments,
        pk="PAYMENT#{order_no}",
        sk="REFUND#{refund_id}",
        kind="money",
        expected=200_000_000,
        active=0.001,
        keep_forever=LAW,
    )

    order_no: OrderNo
    refund_id: Annotated[str, Field(pattern=r"^rf_[0-9a-z]{16}$"), kw.Size(avg=19, max=19)]
    amount_minor: Minor
    currency: Currency
    cause: Literal["missing_item", "late", "cold", "never_arrived", "cancelled", "goodwill"]
    decided_by: Annotated[str, Field(max_length=32)]
    decided_at: datetime


grant_refund = kw.Put(Refund, if_absent=True, rate="2/s", peak="15/s", p99_ms=60)
refunds_of_order = kw.Read(Refund, eq="order_no", order="refund_id", limit=20, rate="6/s", peak="40/s", p99_ms=30)


class GiftCard(kw.Model):
    """A gift card, under the digest of its code; the entries below explain the balance."""

    __store__: ClassVar = kw.Item(
        payments, pk="GIFT#{code_digest}", sk="CARD", kind="money", expected=9_000_000, active=0.02, keep_forever=LAW
    )

    code_digest: Digest
    currency: Currency
    balance_minor: Minor
    sold_on: date


class GiftEntry(kw.Model):
    """Money that was taken from a gift card, once for each order."""

    __store__: ClassVar = kw.Item(
        payments,
        pk="GIFT#{code_digest}",
        sk="ENTRY#{order_no}",
        kind="money",
        expected=20_000_000,
        active=0.01,
        keep_forever=LAW,
    )

    code_digest: Digest
    order_no: OrderNo
    amount_minor: Minor
    at: datetime


sell_gift_card = kw.Put(GiftCard, if_absent=True, rate="8k/day", peak="5/s", p99_ms=80)
gift_card = kw.Get(GiftCard, eq="code_digest", consistency="strong", rate="1/s", peak="12/s", p99_ms=20)
enter_gift = kw.Put(GiftEntry, if_absent=True)
draw_gift = kw.Increment(GiftCard, "balance_minor", by=-1_000)
redeem_gift_card = kw.Transact([enter_gift, draw_gift], rate="18k/day", peak="9/s", p99_ms=60)
gift_entries = kw.Read(GiftEntry, eq="code_digest", order="order_no", limit=50, rate="2k/day", p99_ms=40)


class Payout(kw.Model):
    """What a courier gets for a week."""

    __store__: ClassVar = kw.Item(
        payments,
        pk="PAYOUT#{courier_no}",
        sk="WEEK#{week}",
        kind="money",
        expected=200_000_000,
        active=0.01,
        keep_forever=LAW,
    )

    courier_no: CourierNo
    week: Annotated[str, Field(pattern=r"^[0-9]{4}-W[0-9]{2}$"), kw.Size(avg=8, max=8)]
    trips: Annotated[int, Field(ge=0, le=700)]
    pay_minor: Minor
    tips_minor: Minor
    currency: Currency
    state: Literal["computed", "approved", "sent", "returned"]


compute_payout = kw.Put(Payout, if_absent=True, rate="130k/day", peak="200/s", p99_ms=80)
advance_payout = kw.Update(Payout, sets="state", rate="400k/day", peak="200/s", p99_ms=80)
payouts_of_courier = kw.Read(Payout, eq="courier_no", order="-week", limit=12, rate="3/s", peak="25/s", p99_ms=40)
