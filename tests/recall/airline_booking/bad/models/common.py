"""Identifiers and values that several services share."""

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import BaseModel, Field

import keywright as kw

ULID = r"^[0-9A-HJKMNP-TV-Z]{26}$"

AirportCode = Annotated[str, Field(pattern=r"^[A-Z]{3}$"), kw.Size(avg=3, max=3), kw.Cardinality(distinct=180)]
# Carrier, number, and the local date of departure: "XA0415-2026-11-21".
FlightId = Annotated[
    str,
    Field(pattern=r"^[A-Z0-9]{2}[0-9]{4}-[0-9]{4}-[0-9]{2}-[0-9]{2}$"),
    kw.Size(avg=17, max=17),
    kw.Cardinality(distinct=800_000),
]
BookingId = Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26), kw.Cardinality(distinct=90_000_000)]
RecordLocator = Annotated[str, Field(pattern=r"^[A-Z0-9]{6}$"), kw.Size(avg=6, max=6)]
MemberId = Annotated[str, Field(pattern=r"^[0-9]{10}$"), kw.Size(avg=10, max=10), kw.Cardinality(distinct=12_000_000)]
PaymentId = Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26), kw.Cardinality(distinct=110_000_000)]
EventId = Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26)]
AgentId = Annotated[str, Field(pattern=r"^[a-z0-9-]{4,32}$"), kw.Size(avg=12, max=32), kw.Cardinality(distinct=4_000)]
Currency = Annotated[str, Field(pattern=r"^[A-Z]{3}$"), kw.Size(avg=3, max=3), kw.Cardinality(distinct=38)]
Cabin = Literal["economy", "premium", "business"]
BookingClass = Annotated[str, Field(pattern=r"^[A-Z]$"), kw.Size(avg=1, max=1), kw.Cardinality(distinct=20)]
PassengerNumber = Annotated[int, Field(ge=1, le=9)]
Amount = Annotated[Decimal, Field(max_digits=12, decimal_places=2, ge=0)]


class Money(BaseModel):
    """An amount in its currency."""

    amount: Amount
    currency: Currency
