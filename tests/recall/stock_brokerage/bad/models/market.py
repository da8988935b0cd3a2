"""Instruments, their prices and corporate actions."""

from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.common import AccountId, InstrumentId, Price, Symbol, Ulid, market_data

quotes = kw.DynamoTable("quotes", owner="market-data")

TRADED = kw.OneOf(["active", "halted"])


class Instrument(BaseModel):
    """A share or fund that customers can find; delisted ones remain for statements and charts."""

    __store__: ClassVar = kw.Collection(
        market_data,
        "instruments",
        id="{instrument_id}",
        indexes=[
            kw.Index("isin", unique=True),
            kw.Index("symbol", where={"status": TRADED}),
            kw.TextIndex(["name", "symbol"], weights={"symbol": 10, "name": 3}),
        ],
        expected=60_000,
        stream=kw.Stream(
            consumers=[
                kw.Consumer("order-gateway-rules", idempotency=["instrument_id", "revision"], on_failure="queue")
            ]
        ),
    )

    instrument_id: InstrumentId
    isin: Annotated[str, Field(pattern=r"^[A-Z]{2}[A-Z0-9]{10}$")]
    symbol: Symbol
    name: Annotated[str, Field(max_length=160)]
    type: Literal["share", "fund", "etf", "adr"]
    sector: Annotated[str, Field(max_length=40), kw.Cardinality(distinct=25)]
    status: Literal["active", "halted", "delisted"]
    tick_size: Price
    fractional: bool = False
    revision: Annotated[int, Field(ge=1)] = 1


instrument_by_symbol = kw.Get(Instrument, eq="symbol", where={"status": TRADED}, rate="20/s", peak="300/s", p99_ms=30)
instruments_by_id = kw.Read(Instrument, one_of="instrument_id", limit=100, rate="40/s", peak="600/s", p99_ms=50)
find_instruments = kw.Read(Instrument, search=["name", "symbol"], limit=20, rate="10/s", peak="90/s", p99_ms=150)
save_instrument = kw.Put(Instrument, rate="110/day", p99_ms=100)


class Quote(BaseModel):
    """The last price of an instrument, written at most once in two seconds."""

    __store__: ClassVar = kw.Item(quotes, pk="QUOTE#{instrument_id}", sk="LAST", expected=12_000)

    instrument_id: Annotated[InstrumentId, kw.Ref(Instrument, on_missing="ignore", max_referrers=1)]
    bid: Price
    ask: Price
    last: Price
    previous_close: Price
    volume: Annotated[int, Field(ge=0)]
    quoted_at: datetime


publish_quotes = kw.Put(Quote, batch=25, rate="40/s", peak="160/s", hot_key="1/s", p99_ms=100)
quote = kw.Get(Quote, rate="8k/s", peak="30k/s", hot_key="20k/s", p99_ms=10)


class InstrumentProfile(BaseModel):
    """What the app shows below the price: the company in words, the analysts' opinion, and how many watch it."""

    __store__: ClassVar = kw.Item(quotes, pk="PROFILE#{instrument_id}", sk="PROFILE", expected=12_000)

    instrument_id: Annotated[InstrumentId, kw.Ref(Instrument, on_missing="ignore", max_referrers=1)]
    description: Annotated[str, kw.Size(avg=6_000, max=40_000)]
    opinion: Annotated[str, kw.Size(avg=14_000, max=80_000)]
    watchers: Annotated[int, Field(ge=0)] = 0
    written_at: datetime


create_profile = kw.Put(InstrumentProfile, if_absent=True, rate="30/day", p99_ms=100)
write_profile = kw.Update(
    InstrumentProfile, sets=["description", "opinion", "written_at"], rate="2.5k/day", peak="5/s", p99_ms=100
)
add_watcher = kw.Increment(InstrumentProfile, "watchers", rate="15/s", peak="100/s", hot_key="20/s", p99_ms=50)
profile = kw.Get(
    InstrumentProfile, rate="60/s", peak="900/s", hot_key="80/s", p99_ms=30, cache_ttl=timedelta(minutes=5)
)


class MinuteBar(BaseModel):
    """The prices of a minute, from which every chart is drawn."""

    __store__: ClassVar = kw.TimeSeries(
        market_data,
        "minute_bars",
        time="minute",
        meta="instrument_id",
        granularity="minutes",
        kind="reading",
        expected=300_000_000,
        active=0.03,
    )

    instrument_id: InstrumentId
    minute: datetime
    open: Annotated[Decimal, Field(max_digits=14, decimal_places=6)]
    high: Annotated[Decimal, Field(max_digits=14, decimal_places=6)]
    low: Annotated[Decimal, Field(max_digits=14, decimal_places=6)]
    close: Annotated[Decimal, Field(max_digits=14, decimal_places=6)]
    volume: int


record_bars = kw.Put(MinuteBar, batch=200, rate="0.2/s", peak="1/s", p99_ms=500)
bars_of_instrument = kw.Read(
    MinuteBar,
    eq="instrument_id",
    range="minute",
    span=timedelta(days=1),
    order="-minute",
    limit=400,
    rate="30/s",
    peak="400/s",
    p99_ms=100,
)


class Election(BaseModel):
    """What a holder has chosen, such as cash or new shares."""

    account_id: AccountId
    option: Annotated[int, Field(ge=1, le=9)]
    elected_at: datetime


class CorporateAction(BaseModel):
    """A dividend, split or merger, from its announcement until every holder has received it."""

    __store__: ClassVar = kw.Collection(
        market_data,
        "corporate_actions",
        id="{action_id}",
        indexes=[
            kw.Index("instrument_id"),
            kw.Index(["instrument_id", "-ex_date"]),
            kw.Index("pay_date", where={"state": "recorded"}),
        ],
        expected=500_000,
        active=0.02,
    )

    action_id: Ulid
    instrument_id: Annotated[InstrumentId, kw.Ref(Instrument, on_missing="fail", max_referrers=400)]
    type: Literal["dividend", "split", "merger", "spin_off"]
    state: Literal["announced", "recorded", "paying", "done", "withdrawn"]
    ex_date: date
    record_date: date
    pay_date: date
    cash_per_share: Price | None = None
    ratio: Annotated[str | None, Field(pattern=r"^[0-9]{1,4}:[0-9]{1,4}$")] = None
    text: Annotated[str, Field(max_length=2_000), kw.Size(avg=300, max=4_000)]
    elections: list[Election] = []


announce_action = kw.Put(CorporateAction, if_absent=True, rate="250/day", p99_ms=100)
advance_action = kw.Update(CorporateAction, sets="state", rate="700/day", p99_ms=100)
record_election = kw.Put(CorporateAction, rate="15k/day", peak="8/s", p99_ms=200)
actions_of_instrument = kw.Read(CorporateAction, eq="instrument_id", order="-ex_date", limit=20, rate="5/s", p99_ms=50)
actions_to_pay = kw.Read(
    CorporateAction,
    where={"state": "recorded"},
    range="pay_date",
    order="pay_date",
    limit=200,
    rate="200/day",
    p99_ms=200,
)
