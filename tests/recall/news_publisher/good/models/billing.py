"""Money in DynamoDB: a prepaid wallet in cents, what is bought from it, and the invoices that follow."""

from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar, Literal

import keywright as kw
from pydantic import BaseModel, Field

from models.accounts import Reader, ReaderId
from models.articles import Article, ArticleId

Cents = Annotated[int, Field(ge=0, le=100_000_000)]

billing = kw.DynamoTable(
    "billing",
    owner="finance",
    stream=kw.Stream(consumers=[kw.Consumer("sales-figures", idempotency="purchase_id", on_failure="queue")]),
)


class Wallet(BaseModel):
    """A reader's prepaid credit."""

    __store__: ClassVar = kw.Item(
        billing, pk="READER#{reader_id}", sk="WALLET", kind="money", expected=700_000, active=0.1
    )

    reader_id: Annotated[ReaderId, kw.Ref(Reader, on_missing="fail")]
    balance_cents: Cents


class ProviderMessage(BaseModel):
    """A message of the payment provider that was processed; the provider repeats them for up to thirty days."""

    __store__: ClassVar = kw.Item(
        billing, pk="MESSAGE#{message_id}", sk="MESSAGE", kind="token", expected=900_000, active=0.05
    )

    message_id: Annotated[str, Field(max_length=40, pattern=r"^[A-Za-z0-9_]+$"), kw.Size(avg=28)]
    reader_id: Annotated[ReaderId, kw.Ref(Reader, on_missing="ignore")]
    amount_cents: Cents
    received_at: Annotated[datetime, kw.Ttl(after=timedelta(days=60))]


class Purchase(BaseModel):
    """A single article or a day pass, paid from the wallet."""

    __store__: ClassVar = kw.Item(
        billing,
        pk="READER#{reader_id}",
        sk="PURCHASE#{bought_at:iso}#{purchase_id}",
        kind="money",
        expected=60_000_000,
        active=0.01,
        keep_forever="bookkeeping keeps receipts for ten years",
    )

    reader_id: Annotated[ReaderId, kw.Ref(Reader, on_missing="ignore", max_referrers=3_000)]
    purchase_id: Annotated[str, Field(max_length=26, pattern=r"^[0-9A-Z]+$"), kw.Size(avg=26)]
    bought_at: datetime
    article_id: Annotated[ArticleId, kw.Ref(Article, on_missing="ignore")]
    price_cents: Cents
    tax_cents: Cents


class SalesOfHour(BaseModel):
    """Sold copies of one hour, written whole by the consumer of the stream when the hour is over."""

    __store__: ClassVar = kw.Item(
        billing,
        pk="SALES#{day:date}",
        sk="HOUR#{hour:pad(2)}",
        kind="analytics",
        keep_forever="the sales team compares years",
        expected=90_000,
        active=0.001,
    )

    day: date
    hour: Annotated[int, Field(ge=0, le=23)]
    sold: Annotated[int, Field(ge=0)]


open_wallet = kw.Put(Wallet, if_absent=True, rate="1k/day", p99_ms=50)
wallet = kw.Get(Wallet, eq="reader_id", consistency="strong", rate="200/s", p99_ms=20)
credit_wallet = kw.Transact(
    [kw.Put(ProviderMessage, if_absent=True), kw.Increment(Wallet, "balance_cents", by=2_000)],
    rate="2/s",
    peak="60/s",
    p99_ms=100,
)
buy = kw.Transact(
    [
        kw.Put(Purchase, if_absent=True),
        kw.Increment(Wallet, "balance_cents", by=-89, where={"balance_cents": kw.AtLeast(89)}),
    ],
    rate="140/s",
    peak="600/s",
    p99_ms=100,
)
purchase = kw.Get(Purchase, eq=["reader_id", "bought_at", "purchase_id"], rate="50/s", p99_ms=20)
purchases_of_reader = kw.Read(Purchase, eq="reader_id", order="-bought_at", limit=30, rate="60/s", p99_ms=50)
write_sales = kw.Put(SalesOfHour, rate="24/day", p99_ms=100)
sales_of_day = kw.Read(SalesOfHour, eq="day", order="hour", limit=24, rate="300/day", p99_ms=100)


class InvoiceLine(BaseModel):
    """One position of an invoice."""

    text: Annotated[str, Field(max_length=120)]
    amount_cents: Cents
    tax_cents: Cents


class Invoice(BaseModel):
    """A numbered invoice; it is never changed, only followed by a correction."""

    __store__: ClassVar = kw.Item(
        billing,
        pk="READER#{reader_id}",
        sk="INVOICE#{issued_on:date}#{number}",
        kind="money",
        expected=40_000_000,
        active=0.005,
        keep_forever="tax law keeps invoices for ten years",
    )

    reader_id: Annotated[ReaderId, kw.Ref(Reader, on_missing="ignore", max_referrers=400)]
    issued_on: date
    number: Annotated[str, Field(max_length=20, pattern=r"^[0-9-]+$")]
    currency: Literal["EUR", "CHF", "DKK"]
    lines: Annotated[list[InvoiceLine], Field(min_length=1, max_length=40)]
    total_cents: Cents


invoices_of_reader = kw.Read(Invoice, eq="reader_id", order="-issued_on", limit=24, rate="6/s", p99_ms=50)
invoices_of_year = kw.Read(
    Invoice, eq="reader_id", range="issued_on", order="-issued_on", limit=24, rate="1/s", p99_ms=50
)
issue_invoice = kw.Put(Invoice, if_absent=True, rate="60k/day", peak="120/s", p99_ms=100)
