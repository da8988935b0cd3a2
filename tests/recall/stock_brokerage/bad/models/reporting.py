"""What customers and managers read after the trade: confirmations, statements, charts and figures."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.common import AccountId, Cents, Currency, InstrumentId, OrderId, Price, Symbol, Ulid, reporting
from models.customers import Account
from models.market import Instrument
from models.trading import Execution, Order


class TradeConfirmation(BaseModel):
    """The confirmation of an execution, with the names of that day; after two years it is only in the archive."""

    __store__: ClassVar = kw.Collection(
        reporting,
        "trade_confirmations",
        id="{execution_id}",
        indexes=[kw.Index(["account_id", "-traded_at"])],
        shard_key=kw.ShardKey(on="execution_id", hashed=True),
        kind="money",
        expected=570_000_000,
        active=0.005,
    )

    execution_id: Annotated[Ulid, kw.Ref(Execution, on_missing="ignore", max_referrers=1)]
    order_id: Annotated[OrderId, kw.Ref(Order, on_missing="ignore", max_referrers=500)]
    account_id: Annotated[AccountId, kw.Ref(Account, on_missing="ignore", max_referrers=60_000)]
    instrument_id: Annotated[InstrumentId, kw.Ref(Instrument, on_missing="ignore", max_referrers=8_000_000)]
    symbol: Annotated[Symbol, kw.CopiedFrom(Instrument, "symbol", sync="never")]
    instrument_name: Annotated[str, Field(max_length=160), kw.CopiedFrom(Instrument, "name", sync="never")]
    side: Literal["buy", "sell"]
    quantity_micros: Annotated[int, Field(gt=0)]
    price: Price
    fee_cents: Annotated[Cents, Field(ge=0)]
    currency: Currency
    traded_at: Annotated[datetime, kw.Ttl(after=timedelta(days=730))]


confirm_trade = kw.Put(TradeConfirmation, if_absent=True, rate="9/s", peak="1.9k/s", p99_ms=100)
confirmations_of_account = kw.Read(
    TradeConfirmation,
    eq="account_id",
    range="traded_at",
    order="-traded_at",
    limit=50,
    rate="3/s",
    peak="60/s",
    p99_ms=100,
)


class StatementLine(BaseModel):
    """One holding at the end of the month."""

    instrument_id: InstrumentId
    symbol: Symbol
    quantity_micros: Annotated[int, Field(ge=0)]
    value_cents: Cents


class Statement(BaseModel):
    """A monthly statement: the largest holdings for the app, and the signed file with all of them."""

    __store__: ClassVar = kw.Collection(
        reporting,
        "statements",
        id="{account_id}#{month}",
        indexes=[kw.Index(["account_id", "-month"])],
        expected=90_000_000,
        active=0.01,
        kind="money",
        keep_forever="statements stay readable for as long as the account exists, and are archived with it",
    )

    account_id: Annotated[AccountId, kw.Ref(Account, on_missing="fail", max_referrers=240)]
    month: Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}$")]
    opening_cents: Cents
    closing_cents: Cents
    fees_cents: Annotated[Cents, Field(ge=0)]
    largest: Annotated[list[StatementLine], Field(max_length=50)] = []
    file_key: Annotated[str, Field(max_length=120)]
    made_at: datetime


make_statement = kw.Put(Statement, if_absent=True, rate="0.45/s", peak="250/s", p99_ms=200)
statements_of_account = kw.Read(
    Statement,
    eq="account_id",
    order="-month",
    limit=24,
    fields=["account_id", "month", "closing_cents", "file_key"],
    rate="2/s",
    peak="100/s",
    p99_ms=100,
)


class ReportJob(BaseModel):
    """A document to be produced; a worker leases a job and another takes it over when the lease has ended."""

    __store__: ClassVar = kw.Collection(
        reporting,
        "report_jobs",
        id="{job_id}",
        indexes=[
            kw.Index(["state", "run_at"], where={"state": kw.OneOf(["waiting", "leased"])}),
        ],
        kind="queue",
        expected=2_500_000,
        active=0.3,
    )

    job_id: Ulid
    account_id: Annotated[AccountId, kw.Ref(Account, on_missing="ignore", max_referrers=60)]
    type: Literal["statement", "tax_form", "cost_report"]
    state: Literal["waiting", "leased", "done", "failed"]
    attempts: Annotated[int, Field(ge=0, le=10)] = 0
    run_at: datetime
    created_at: Annotated[datetime, kw.Ttl(after=timedelta(days=40))]


queue_report = kw.Put(ReportJob, if_absent=True, rate="0.6/s", peak="300/s", p99_ms=100)
reports_to_run = kw.Read(
    ReportJob, where={"state": "waiting"}, range="run_at", order="run_at", limit=50, rate="2/s", peak="20/s", p99_ms=100
)
reports_to_take_over = kw.Read(
    ReportJob, where={"state": "leased"}, range="run_at", order="run_at", limit=50, rate="10/min", p99_ms=100
)
lease_report = kw.Update(
    ReportJob, sets=["state", "run_at", "attempts"], where={"state": "waiting"}, rate="0.6/s", peak="300/s", p99_ms=100
)
reports_of_account = kw.Read(
    ReportJob, eq="account_id", order="-created_at", limit=20, rate="4/s", peak="120/s", p99_ms=100
)
release_report = kw.Update(ReportJob, sets=["state", "run_at"], where={"state": "leased"}, rate="100/day", p99_ms=100)
finish_report = kw.Update(ReportJob, sets="state", where={"state": "leased"}, rate="0.6/s", peak="300/s", p99_ms=100)


class InstrumentDay(BaseModel):
    """The customers' trading in an instrument on one day, computed at night."""

    __store__: ClassVar = kw.Collection(
        reporting,
        "instrument_days",
        id="{instrument_id}#{day:date}",
        indexes=[kw.Index(["day", "-trades"])],
        kind="analytics",
        expected=6_000_000,
        active=0.005,
    )

    instrument_id: Annotated[InstrumentId, kw.Ref(Instrument, on_missing="ignore", max_referrers=760)]
    day: Annotated[datetime, kw.Ttl(after=timedelta(days=1_096))]
    sector: Annotated[str, Field(max_length=40), kw.Cardinality(distinct=25)]
    trades: Annotated[int, Field(ge=0)]
    turnover: Annotated[Decimal, Field(ge=0, max_digits=18, decimal_places=2)]
    fees: Annotated[Decimal, Field(ge=0, max_digits=18, decimal_places=2)]


write_day = kw.Put(InstrumentDay, batch=500, rate="11/day", p99_ms=2_000)
most_traded = kw.Read(InstrumentDay, eq="day", order="-trades", limit=20, rate="5/s", peak="60/s", p99_ms=50)
turnover_by_sector = kw.Aggregate(
    InstrumentDay,
    group=["{sector}"],
    measures={"turnover": kw.Sum("turnover"), "fees": kw.Sum("fees")},
    rate="2/s",
    p99_ms=1_000,
)
