"""Deals, the progress of delivery, and what publishers are paid, in DynamoDB."""

from datetime import date, datetime
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.common import Amount, BidderId, Cpm, Currency, DealId, LineId, PublisherId

deals_of_buyer = kw.Gsi("deals_of_buyer", pk="buyer_pk", sk="buyer_sk")
deals = kw.DynamoTable("deals", gsis=[deals_of_buyer], owner="marketplace")
delivery = kw.DynamoTable("delivery", discriminator=None, owner="pacing")
payouts = kw.DynamoTable("payouts", owner="finance")

Month = Annotated[str, Field(pattern=r"^[0-9]{4}-(0[1-9]|1[0-2])$"), kw.Size(avg=7, max=7), kw.Cardinality(distinct=84)]


class Deal(BaseModel):
    """A private deal between a publisher and a buyer, with its terms as signed."""

    __store__: ClassVar = kw.Item(
        deals,
        pk="DEAL#{deal_id}",
        sk="DEAL",
        gsis=[deals_of_buyer.key(pk="BUYER#{bidder_id}", sk="{starts_on:date}#{deal_id}")],
        expected=90_000,
        active=0.2,
        keep_forever="a contract, of which both sides may ask for the terms",
    )

    deal_id: DealId
    publisher_id: PublisherId
    bidder_id: BidderId
    title: Annotated[str, Field(max_length=120)]
    floor: Cpm
    currency: Currency
    starts_on: date
    ends_on: date
    phase: Literal["proposed", "accepted", "running", "over"]
    terms: Annotated[str, kw.Size(avg=18_000, max=90_000)]


class DealNote(BaseModel):
    """A remark of either side during the negotiation; a deal has a dozen."""

    __store__: ClassVar = kw.Item(
        deals,
        pk="DEAL#{deal_id}",
        sk="NOTE#{written_at:iso}#{note_id}",
        expected=1_000_000,
        active=0.02,
        keep_forever="part of the contract",
    )

    deal_id: Annotated[DealId, kw.Ref(Deal, on_missing="ignore", max_referrers=60)]
    note_id: Annotated[str, Field(pattern=r"^[0-9a-f]{12}$")]
    written_at: datetime
    side: Literal["buyer", "seller"]
    text: Annotated[str, kw.Size(avg=240, max=1_500)]


deal = kw.Get(Deal, eq="deal_id", rate="40/s", p99_ms=20)
list_deals = kw.Read(
    Deal,
    eq="bidder_id",
    order="-starts_on",
    fields=["deal_id", "title", "floor", "currency", "phase"],
    limit=50,
    rate="120/s",
    peak="300/s",
    p99_ms=30,
)
propose_deal = kw.Put(Deal, if_absent=True, rate="250/day", p99_ms=60)
answer_deal = kw.Update(Deal, sets="phase", where={"phase": "proposed"}, rate="230/day", p99_ms=60)
notes_of_deal = kw.Read(DealNote, eq="deal_id", order="written_at", limit=60, rate="1/s", p99_ms=40)
write_note = kw.Put(DealNote, if_absent=True, rate="3k/day", p99_ms=60)


class LineDay(BaseModel):
    """What a line has delivered on a day; pacers of both regions add to it. Invoices come from the log."""

    __store__: ClassVar = kw.Item(
        delivery, pk="LINE#{line_id}#{day:date}", sk="TOTALS", kind="analytics", expected=25_000_000, active=0.01
    )

    line_id: LineId
    day: date
    impressions: Annotated[int, Field(ge=0)] = 0
    clicks: Annotated[int, Field(ge=0)] = 0
    purge_at: Annotated[datetime, kw.Ttl()]


open_day = kw.Put(LineDay, if_absent=True, rate="64k/day", peak="1k/s", p99_ms=40)
add_impressions = kw.Increment(LineDay, "impressions", by=60, rate="900/s", peak="2k/s", hot_key="8/s", p99_ms=30)
add_clicks = kw.Increment(LineDay, "clicks", rate="60/s", peak="200/s", p99_ms=30)
delivered_today = kw.Get(LineDay, eq=["line_id", "day"], rate="1.5k/s", peak="4k/s", p99_ms=15)


class Payee(BaseModel):
    """Who is paid for a publisher's space, and into which account."""

    __store__: ClassVar = kw.Item(payouts, pk="PUBLISHER#{publisher_id}", sk="PAYEE", expected=9_000)

    publisher_id: PublisherId
    holder: Annotated[str, Field(max_length=120), kw.Pii()]
    iban: Annotated[str, Field(max_length=34), kw.Pii()]
    tax_number: Annotated[str, Field(max_length=24), kw.Pii()]
    verified_on: date | None = None


class Statement(BaseModel):
    """What a publisher has earned in a month."""

    __store__: ClassVar = kw.Item(
        payouts,
        pk="PUBLISHER#{publisher_id}",
        sk="STATEMENT#{month}",
        kind="money",
        expected=600_000,
        active=0.02,
        keep_forever="an invoice, which tax law wants for ten years",
    )

    publisher_id: PublisherId
    month: Month
    earned: Amount
    currency: Currency
    state: Literal["computed", "approved", "paid"]


class Transfer(BaseModel):
    """Money sent for a statement; the bank's reference makes it unique."""

    __store__: ClassVar = kw.Item(
        payouts,
        pk="PUBLISHER#{publisher_id}",
        sk="TRANSFER#{month}#{bank_reference}",
        kind="money",
        expected=600_000,
        active=0.02,
        keep_forever="an entry of the books",
    )

    publisher_id: PublisherId
    month: Month
    bank_reference: Annotated[str, Field(pattern=r"^[A-Z0-9]{16}$"), kw.Size(avg=16, max=16)]
    amount: Amount
    currency: Currency
    sent_at: datetime


payee = kw.Get(Payee, eq="publisher_id", consistency="strong", rate="9k/month", p99_ms=40)
register_payee = kw.Put(Payee, if_absent=True, rate="12/day", p99_ms=80)
change_account = kw.Update(Payee, sets=["holder", "iban", "verified_on"], rate="15/day", p99_ms=80)
forget_payee = kw.Delete(Payee, rate="2/day", p99_ms=80)
statement_to_pay = kw.Get(Statement, eq=["publisher_id", "month"], consistency="strong", rate="9k/month", p99_ms=40)
statements_of_publisher = kw.Read(Statement, eq="publisher_id", order="-month", limit=24, rate="5k/day", p99_ms=60)
compute_statement = kw.Put(Statement, if_absent=True, rate="9k/month", peak="30/s", p99_ms=80)
approve_statement = kw.Update(Statement, sets="state", where={"state": "computed"}, rate="9k/month", p99_ms=80)
pay_statement = kw.Transact(
    [kw.Put(Transfer, if_absent=True), kw.Update(Statement, sets="state", where={"state": "approved"})],
    rate="9k/month",
    peak="20/s",
    p99_ms=120,
)
transfers_of_publisher = kw.Read(Transfer, eq="publisher_id", order="-month", limit=24, rate="2k/day", p99_ms=60)
