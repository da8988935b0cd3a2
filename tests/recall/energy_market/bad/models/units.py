"""Codes, identifiers and quantities as the market's rules define them."""

from decimal import Decimal
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, Field

import keywright as kw

# Energy identification codes of companies (X) and areas (Y).
MemberCode = Annotated[
    str, Field(pattern=r"^[0-9]{2}X[0-9A-Z]{13}$"), kw.Size(avg=16, max=16), kw.Cardinality(distinct=460)
]
AreaCode = Annotated[
    str, Field(pattern=r"^[0-9]{2}Y[0-9A-Z]{13}$"), kw.Size(avg=16, max=16), kw.Cardinality(distinct=38)
]
# 9.4 million metering points, of which 3.2 million have a device that can be controlled.
MeterPoint = Annotated[str, Field(pattern=r"^[0-9]{18}$"), kw.Size(avg=18, max=18), kw.Cardinality(distinct=9_400_000)]
DeviceId = Annotated[str, Field(pattern=r"^[0-9A-F]{16}$"), kw.Size(avg=16, max=16), kw.Cardinality(distinct=9_800_000)]
DeskId = Annotated[str, Field(pattern=r"^[A-Z0-9]{6}$"), kw.Size(avg=6, max=6), kw.Cardinality(distinct=2_100)]
# Area, length and beginning of delivery: DE-Q-20261124T1715.
ContractId = Annotated[
    str, Field(pattern=r"^[A-Z]{2}-[HQ]-[0-9]{8}T[0-9]{4}$"), kw.Size(avg=18, max=18), kw.Cardinality(distinct=180_000)
]
CrewId = Annotated[str, Field(pattern=r"^[A-Z]{3}[0-9]{3}$"), kw.Size(avg=6, max=6), kw.Cardinality(distinct=1_400)]
HouseholdId = Annotated[UUID, kw.Size(avg=36, max=36), kw.Cardinality(distinct=8_100_000)]
Key = Annotated[UUID, kw.Size(avg=36, max=36)]

# Prices may be negative.
Price = Annotated[Decimal, Field(max_digits=8, decimal_places=2)]
Megawatts = Annotated[Decimal, Field(max_digits=7, decimal_places=1, ge=0)]
Euro = Annotated[Decimal, Field(max_digits=14, decimal_places=2)]
WattHours = Annotated[int, Field(ge=0)]


class Side(StrEnum):
    """Of an order or a trade."""

    buy = "buy"
    sell = "sell"


class Address(BaseModel):
    """Where a metering point is."""

    street: Annotated[str, Field(max_length=100), kw.Pii()]
    postcode: Annotated[str, Field(pattern=r"^[0-9A-Z -]{4,8}$")]
    town: Annotated[str, Field(max_length=60)]
