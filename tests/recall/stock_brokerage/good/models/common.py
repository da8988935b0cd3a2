"""Identifiers, amounts and the tables and databases that several parts of the business share."""

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import Field

import keywright as kw

ULID = r"^[0-9A-HJKMNP-TV-Z]{26}$"

CustomerId = Annotated[str, Field(pattern=r"^C[0-9]{9}$"), kw.Size(avg=10, max=10), kw.Cardinality(distinct=900_000)]
AccountId = Annotated[str, Field(pattern=r"^A[0-9]{9}$"), kw.Size(avg=10, max=10), kw.Cardinality(distinct=1_100_000)]
InstrumentId = Annotated[str, Field(pattern=r"^I[0-9]{7}$"), kw.Size(avg=8, max=8), kw.Cardinality(distinct=12_000)]
Ulid = Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26)]
OrderId = Annotated[Ulid, kw.Cardinality(distinct=1_000_000_000)]
Symbol = Annotated[str, Field(pattern=r"^[A-Z0-9.]{1,12}$"), kw.Size(avg=4, max=12), kw.Cardinality(distinct=12_000)]
Currency = Annotated[Literal["USD", "EUR", "GBP"], kw.Cardinality(distinct=3)]
Price = Annotated[Decimal, Field(ge=0, max_digits=14, decimal_places=6)]
Micros = Annotated[int, Field(ge=0)]  # millionths of a share
Cents = int

# The keys of orders and executions by their own number; each item of the table has at most one of them.
by_number = kw.Gsi("by_number", pk="number_pk", sk="number_sk")
# Orders that still work at a venue: they leave the index when `working_since` is removed.
open_orders = kw.Gsi("open_orders", pk="account_id", sk=["working_since", "order_id"])
pending_transfers = kw.Gsi("pending_transfers", pk=["rail", "transfer_shard"], sk=["pending_since", "transfer_id"])
holders = kw.Gsi("holders", pk=["instrument_id", "holder_shard"], sk="account_id", project=["free_micros"])

trading = kw.DynamoTable(
    "trading",
    owner="trading",
    gsis=[by_number, open_orders, pending_transfers, holders],
    stream=kw.Stream(
        consumers=[
            kw.Consumer("book-confirmations-and-fees", idempotency="execution_id", on_failure="queue"),
            kw.Consumer("push-order-status", idempotency=["order_id", "status", "filled_micros"], on_failure="queue"),
        ]
    ),
)
market_data = kw.MongoDatabase("market_data", owner="market-data")
compliance = kw.MongoDatabase("compliance", owner="compliance")
reporting = kw.MongoDatabase("reporting", owner="reporting")
