"""Orders, their executions, and the positions and tax lots that come of them."""

from datetime import datetime
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.cash import CashBalance, LedgerEntry
from models.common import AccountId, Cents, Currency, InstrumentId, Micros, OrderId, Price, Ulid, by_number, trading
from models.customers import Account
from models.market import Instrument


class OrderRequest(BaseModel):
    """The client's own number of an order: an app that repeats a request after a timeout places one order."""

    __store__: ClassVar = kw.Item(
        trading,
        pk="ACCOUNT#{account_id}",
        sk="REQUEST#{client_order_id}",
        kind="token",
        expected=2_000_000,
    )

    account_id: Annotated[AccountId, kw.Ref(Account, on_missing="fail", max_referrers=100_000)]
    client_order_id: Annotated[str, Field(pattern=r"^[0-9a-f-]{36}$")]
    order_id: Annotated[OrderId, kw.Ref("Order", on_missing="ignore", max_referrers=1)]
    expires_at: Annotated[datetime, kw.Ttl()]


class Order(BaseModel):
    """A customer's order; `working_since` is set while it may still be filled."""

    __store__: ClassVar = kw.Item(
        trading,
        pk="ACCOUNT#{account_id}",
        sk="ORDER#{placed_at:iso}#{order_id}",
        gsis=[by_number.key(pk="ORDER#{order_id}", sk="ORDER")],
        expected=1_000_000_000,
        active=0.001,
        keep_forever="orders are records of the regulator's Rule 17a-4 and are archived with their account",
    )

    account_id: Annotated[AccountId, kw.Ref(Account, on_missing="fail", max_referrers=100_000)]
    order_id: OrderId
    instrument_id: Annotated[InstrumentId, kw.Ref(Instrument, on_missing="fail", max_referrers=20_000_000)]
    side: Literal["buy", "sell"]
    type: Literal["market", "limit", "stop"]
    time_in_force: Literal["day", "gtc"]
    quantity_micros: Annotated[int, Field(gt=0)]
    limit_price: Price | None = None
    currency: Currency
    reserved_cents: Annotated[Cents, Field(ge=0)]
    filled_micros: Micros = 0
    status: Literal["working", "filled", "cancelled", "rejected"]
    placed_at: datetime
    working_since: datetime | None = None


class Execution(BaseModel):
    """A fill as the venue reported it; a repeated report has the same time and number and is refused."""

    __store__: ClassVar = kw.Item(
        trading,
        pk="ACCOUNT#{account_id}",
        sk="EXEC#{executed_at:iso}#{execution_id}",
        gsis=[by_number.key(pk="ORDER#{order_id}", sk="EXEC#{executed_at:iso}#{execution_id}")],
        kind="money",
        expected=1_300_000_000,
        active=0.001,
        keep_forever="executions are records of the regulator's Rule 17a-4 and are archived with their account",
    )

    account_id: Annotated[AccountId, kw.Ref(Account, on_missing="fail", max_referrers=150_000)]
    order_id: Annotated[OrderId, kw.Ref(Order, on_missing="fail", max_referrers=500)]
    execution_id: Ulid
    instrument_id: Annotated[InstrumentId, kw.Ref(Instrument, on_missing="fail", max_referrers=25_000_000)]
    venue: Annotated[str, Field(pattern=r"^[A-Z]{4}$"), kw.Cardinality(distinct=14)]
    side: Literal["buy", "sell"]
    quantity_micros: Annotated[int, Field(gt=0)]
    price: Price
    fee_cents: Annotated[Cents, Field(ge=0)]
    executed_at: datetime


class Position(BaseModel):
    """The shares of an account that no sell order has taken yet; holdings are these and the account's open sales."""

    __store__: ClassVar = kw.Item(
        trading,
        pk="ACCOUNT#{account_id}",
        sk="POSITION#{instrument_id}",
        kind="stock",
        expected=9_000_000,
        active=0.1,
        computed={"holder_shard": "{account_id:shard(16)}"},
    )

    account_id: Annotated[AccountId, kw.Ref(Account, on_missing="fail", max_referrers=800)]
    instrument_id: Annotated[InstrumentId, kw.Ref(Instrument, on_missing="fail", max_referrers=500_000)]
    free_micros: Micros
    opened_at: datetime


class TaxLot(BaseModel):
    """Shares of one purchase; sales use the oldest lots first."""

    __store__: ClassVar = kw.Item(
        trading,
        pk="ACCOUNT#{account_id}",
        sk="LOT#{instrument_id}#{acquired_at:iso}#{lot_id}",
        kind="stock",
        expected=160_000_000,
        active=0.005,
    )

    account_id: Annotated[AccountId, kw.Ref(Account, on_missing="fail", max_referrers=20_000)]
    instrument_id: Annotated[InstrumentId, kw.Ref(Instrument, on_missing="fail", max_referrers=10_000_000)]
    lot_id: Ulid
    acquired_at: datetime
    bought_micros: Annotated[int, Field(gt=0)]
    remaining_micros: Micros
    unit_cost: Price


place_buy = kw.Transact(
    [
        kw.Put(OrderRequest, if_absent=True),
        kw.Put(Order, if_absent=True),
        kw.Increment(CashBalance, "available_cents", by=-25_000, where={"available_cents": kw.AtLeast(25_000)}),
    ],
    rate="4/s",
    peak="800/s",
    hot_key="20/s",
    p99_ms=100,
)
place_sell = kw.Transact(
    [
        kw.Put(OrderRequest, if_absent=True),
        kw.Put(Order, if_absent=True),
        kw.Increment(Position, "free_micros", by=-1_000_000, where={"free_micros": kw.AtLeast(1_000_000)}),
    ],
    rate="3/s",
    peak="700/s",
    hot_key="20/s",
    p99_ms=100,
)
request_of_client = kw.Get(OrderRequest, consistency="strong", rate="1/s", peak="50/s", p99_ms=20)
cancel_buy = kw.Transact(
    [
        kw.Update(Order, sets="status", unset="working_since", where={"status": "working"}),
        kw.Increment(CashBalance, "available_cents", by=25_000),
    ],
    rate="0.6/s",
    peak="80/s",
    p99_ms=100,
)
cancel_sell = kw.Transact(
    [
        kw.Update(Order, sets="status", unset="working_since", where={"status": "working"}),
        kw.Increment(Position, "free_micros", by=1_000_000),
    ],
    rate="0.4/s",
    peak="70/s",
    p99_ms=100,
)
fill_first_buy = kw.Transact(
    [
        kw.Put(Execution, if_absent=True),
        kw.Increment(Order, "filled_micros", by=1_000_000, where={"status": "working"}),
        kw.Put(Position, if_absent=True),
        kw.Put(TaxLot, if_absent=True),
        kw.Put(LedgerEntry, if_absent=True),
    ],
    rate="1/s",
    peak="300/s",
    p99_ms=150,
)
fill_buy = kw.Transact(
    [
        kw.Put(Execution, if_absent=True),
        kw.Increment(Order, "filled_micros", by=1_000_000, where={"status": "working"}),
        kw.Increment(Position, "free_micros", by=1_000_000),
        kw.Put(TaxLot, if_absent=True),
        kw.Put(LedgerEntry, if_absent=True),
    ],
    rate="4/s",
    peak="800/s",
    p99_ms=150,
)
fill_sell = kw.Transact(
    [
        kw.Put(Execution, if_absent=True),
        kw.Increment(Order, "filled_micros", by=1_000_000, where={"status": "working"}),
        kw.Increment(TaxLot, "remaining_micros", by=-1_000_000, batch=2),
        kw.Increment(CashBalance, "available_cents", by=25_000),
        kw.Put(LedgerEntry, if_absent=True),
    ],
    rate="4/s",
    peak="800/s",
    p99_ms=150,
)
complete_order = kw.Transact(
    [
        kw.Update(Order, sets="status", unset="working_since", where={"status": "working"}),
        kw.Increment(CashBalance, "available_cents", by=140),
    ],
    rate="6/s",
    peak="1.3k/s",
    p99_ms=100,
)
order_by_id = kw.Get(Order, eq="order_id", rate="15/s", peak="800/s", p99_ms=20)
orders_of_account = kw.Read(Order, eq="account_id", order="-placed_at", limit=50, rate="20/s", peak="500/s", p99_ms=50)
open_orders_of_account = kw.Read(
    Order,
    eq="account_id",
    where={"working_since": kw.Present()},
    order="-working_since",
    limit=50,
    rate="40/s",
    peak="1.2k/s",
    p99_ms=50,
)
executions_of_order = kw.Read(
    Execution, eq="order_id", order="executed_at", limit=100, rate="10/s", peak="300/s", p99_ms=50
)
positions_of_account = kw.Read(
    Position, eq="account_id", limit=200, consistency="strong", rate="60/s", peak="1.5k/s", p99_ms=50
)
holders_of_instrument = kw.Read(
    Position,
    eq="instrument_id",
    order="account_id",
    limit=500,
    fan_out=16,
    fields=["account_id", "instrument_id", "free_micros"],
    rate="300/day",
    peak="20/s",
    p99_ms=500,
)
lots_of_position = kw.Read(
    TaxLot,
    eq=["account_id", "instrument_id"],
    order="acquired_at",
    limit=100,
    consistency="strong",
    rate="6/s",
    peak="850/s",
    p99_ms=50,
)
used_lot = kw.Delete(TaxLot, where={"remaining_micros": 0}, rate="4/s", peak="700/s", p99_ms=50)
