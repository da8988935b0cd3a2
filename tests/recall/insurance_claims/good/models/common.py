"""Identifiers, money, places and databases that the subjects share."""

from decimal import Decimal
from typing import Annotated, Literal
from uuid import UUID

from pydantic import BaseModel, Field

import keywright as kw

PartyId = Annotated[UUID, kw.Cardinality(distinct=6_500_000)]
PolicyId = Annotated[UUID, kw.Cardinality(distinct=5_200_000)]
ClaimId = Annotated[UUID, kw.Cardinality(distinct=9_000_000)]
AdjusterId = Annotated[str, Field(pattern=r"^adj-[0-9]{1,5}$"), kw.Size(avg=8, max=9), kw.Cardinality(distinct=1_800)]
ShopId = Annotated[str, Field(pattern=r"^shop-[0-9]{1,6}$"), kw.Size(avg=10, max=11), kw.Cardinality(distinct=14_000)]
ProductCode = Annotated[str, Field(pattern=r"^[A-Z]{2,4}-[0-9]{2,4}$", max_length=9), kw.Cardinality(distinct=60)]
Coverage = Literal[
    "liability", "collision", "comprehensive", "glass", "theft", "fire", "water", "storm", "contents", "legal"
]
Money = Annotated[Decimal, Field(max_digits=12, decimal_places=2, ge=0)]
Cents = Annotated[int, Field(ge=0, le=10_000_000_000)]
PersonName = Annotated[str, Field(min_length=1, max_length=120), kw.Size(avg=18, max=200), kw.Pii()]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$", min_length=64, max_length=64)]

policies = kw.MongoDatabase("policies", owner="policy-administration")
claims = kw.MongoDatabase("claims", owner="claims")


class Address(BaseModel):
    """A postal address."""

    street: Annotated[str, Field(max_length=120), kw.Pii()]
    postcode: Annotated[str, Field(max_length=10)]
    city: Annotated[str, Field(max_length=80)]
    country: Annotated[str, Field(min_length=2, max_length=2)]


class Point(BaseModel):
    """A place on the globe as GeoJSON: longitude, then latitude."""

    type: Literal["Point"] = "Point"
    coordinates: Annotated[list[float], Field(min_length=2, max_length=2)]
