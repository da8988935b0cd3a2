"""Continuous intraday trading, in DynamoDB: contracts, orders and requests for quotes."""

from datetime import timedelta
from enum import StrEnum
from typing import Annotated, ClassVar, Literal

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.units import AreaCode, ContractId, DeskId, Key, Megawatts, MemberCode, Price, Side

desk_view = kw.Gsi(
    "desk-view",
    pk="desk_open",
    sk="desk_since",
    project="keys",
)
intraday_orders = kw.DynamoTable(
    "intraday-orders",
    owner="trading",
    gsis=[desk_view],
    stream=kw.Stream(
        images="new",
        consumers=[kw.Consumer("surveillance-archive", idempotency=["order_id", "revision"], on_failure="queue")],
    ),
)


class OrderState(StrEnum):
    """An order rests until it is filled, withdrawn or its contract closes."""

    resting = "resting"
    partial = "partial"
    filled = "filled"
    withdrawn = "withdrawn"


class IntradayOrder(BaseModel):
    """An order in the book; the archive of surveillance has it for five years, this table for four days."""

    __store__: ClassVar = kw.Item(
        intraday_orders,
        pk="O#{order_id}",
        sk="ORDER",
        gsis=[
            desk_view.key(
                pk="D#{desk_id}",
                sk="{entered_at:iso}#{order_id}",
                where={"state": kw.OneOf([OrderState.resting, OrderState.partial])},
            )
        ],
        kind="event",
        expected=260_000_000,
        active=0.1,
    )

    order_id: Key
    desk_id: DeskId
    member: MemberCode
    contract_id: ContractId
    side: Side
    limit_price: Price
    quantity: Megawatts
    remaining: Megawatts
    state: OrderState
    revision: Annotated[int, Field(ge=1)]
    algorithm: Annotated[str | None, Field(max_length=20)] = None
    entered_at: AwareDatetime
    remove_at: Annotated[AwareDatetime, kw.Ttl()]


enter_order = kw.Put(IntradayOrder, if_absent=True, rate="750/s", peak="4k/s", p99_ms=25)
work_order = kw.Update(
    IntradayOrder,
    eq=["order_id", "desk_id", "entered_at"],
    sets=["limit_price", "remaining", "state", "revision"],
    where={"state": kw.OneOf([OrderState.resting, OrderState.partial])},
    rate="1.6k/s",
    peak="8k/s",
    p99_ms=25,
)
order_state = kw.Get(IntradayOrder, eq="order_id", consistency="strong", rate="1.1k/s", peak="5k/s", p99_ms=15)
orders_of_desk = kw.Read(
    IntradayOrder,
    eq="desk_id",
    where={"state": kw.OneOf([OrderState.resting, OrderState.partial])},
    order="-entered_at",
    fields=["order_id", "contract_id", "side", "limit_price", "remaining", "state", "entered_at"],
    limit=50,
    rate="350/s",
    peak="1k/s",
    p99_ms=40,
)

contracts = kw.DynamoTable("contracts", owner="trading")


class Contract(BaseModel):
    """An hour or quarter of an hour in which electricity is delivered, its rules, and how much it is traded."""

    __store__: ClassVar = kw.Item(contracts, pk="C#{contract_id}", sk="TERMS", expected=180_000, active=0.05)

    contract_id: ContractId
    area: AreaCode
    delivery_begins: AwareDatetime
    delivery_minutes: Literal[15, 60]
    trading_opens: AwareDatetime
    trading_closes: AwareDatetime
    tick: Price
    rulebook: Annotated[str, kw.Size(avg=22_000, max=40_000)]
    orders: Annotated[int, Field(ge=0)] = 0
    trades: Annotated[int, Field(ge=0)] = 0
    remove_at: Annotated[AwareDatetime, kw.Ttl()]


list_contract = kw.Put(Contract, if_absent=True, rate="3.6k/day", peak="30/s", p99_ms=60)
contract_terms = kw.Get(
    Contract, eq="contract_id", rate="90/s", peak="300/s", p99_ms=20, cache_ttl=timedelta(minutes=10)
)
count_order = kw.Increment(Contract, "orders", rate="240/s", peak="900/s", hot_key="35/s", p99_ms=30)
count_trade = kw.Increment(Contract, "trades", rate="55/s", peak="300/s", hot_key="12/s", p99_ms=30)

by_requester = kw.Gsi("by-requester", pk=["requester"], sk=["valid_until", "request_id"])
quote_requests = kw.DynamoTable("quote-requests", owner="trading", gsis=[by_requester])


class QuoteRequest(BaseModel):
    """A request for a quote on a block of hours; it lapses after minutes, and is removed after a week of disputes."""

    __store__: ClassVar = kw.Item(
        quote_requests, pk="Q#{request_id}", sk="REQUEST", kind="event", expected=22_000_000, active=0.05
    )

    request_id: Key
    requester: MemberCode
    contract_ids: Annotated[list[ContractId], Field(min_length=1, max_length=24)]
    side: Side
    quantity: Megawatts
    answer: Literal["none", "quoted", "accepted", "declined"] = "none"
    quoted_price: Price | None = None
    valid_until: AwareDatetime


ask_for_quote = kw.Put(QuoteRequest, if_absent=True, rate="35/s", peak="180/s", p99_ms=40)
answer_quote = kw.Update(
    QuoteRequest,
    sets=["answer", "quoted_price"],
    where={"answer": kw.OneOf(["none", "quoted"])},
    rate="50/s",
    peak="240/s",
    p99_ms=40,
)
quote_request = kw.Get(QuoteRequest, eq="request_id", consistency="strong", rate="60/s", peak="300/s", p99_ms=20)
live_requests = kw.Read(
    QuoteRequest,
    eq="requester",
    range="valid_until",
    span=timedelta(minutes=20),
    order="-valid_until",
    limit=40,
    rate="20/s",
    p99_ms=50,
)
sweep_requests = kw.Delete(QuoteRequest, because="expiry", batch=25, rate="120k/day", peak="20/s", p99_ms=500)
