"""Identifiers, money and codes of the trade."""

from decimal import Decimal
from enum import StrEnum
from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, Field

import keywright as kw

# 48,000 advertisers through 140 bidders; 9,000 publishers with 60,000 placements.
AdvertiserId = Annotated[str, Field(pattern=r"^a[0-9]{8}$"), kw.Size(avg=9, max=9), kw.Cardinality(distinct=48_000)]
PublisherId = Annotated[str, Field(pattern=r"^p[0-9]{7}$"), kw.Size(avg=8, max=8), kw.Cardinality(distinct=9_000)]
PlacementId = Annotated[str, Field(pattern=r"^s[0-9]{9}$"), kw.Size(avg=10, max=10), kw.Cardinality(distinct=60_000)]
BidderId = Annotated[str, Field(pattern=r"^[a-z0-9]{3,16}$"), kw.Size(avg=8, max=16), kw.Cardinality(distinct=140)]
OrderId = Annotated[UUID, kw.Cardinality(distinct=400_000)]
LineId = Annotated[UUID, kw.Cardinality(distinct=1_600_000)]
CreativeId = Annotated[UUID, kw.Cardinality(distinct=6_000_000)]
DealId = Annotated[str, Field(pattern=r"^D-[A-Z2-7]{12}$"), kw.Size(avg=14, max=14), kw.Cardinality(distinct=90_000)]
SegmentId = Annotated[str, Field(pattern=r"^[0-9]{1,9}$"), kw.Size(avg=6, max=9), kw.Cardinality(distinct=25_000)]
# A keyed hash of the advertising identifier; the key changes every quarter.
DeviceHash = Annotated[
    str, Field(pattern=r"^[0-9a-f]{40}$"), kw.Size(avg=40, max=40), kw.Cardinality(distinct=300_000_000), kw.Pii()
]

# Prices for a thousand impressions have six decimals; what is invoiced has two.
Cpm = Annotated[Decimal, Field(ge=0, max_digits=12, decimal_places=6)]
Amount = Annotated[Decimal, Field(max_digits=14, decimal_places=2)]
Currency = Annotated[str, Field(pattern=r"^[A-Z]{3}$"), kw.Size(avg=3, max=3), kw.Cardinality(distinct=18)]
Country = Annotated[str, Field(pattern=r"^[A-Z]{2}$"), kw.Size(avg=2, max=2), kw.Cardinality(distinct=200)]
Domain = Annotated[str, Field(pattern=r"^[a-z0-9.-]{4,120}$"), kw.Size(avg=18, max=120)]
# A content category of the IAB, such as IAB7-39.
Category = Annotated[str, Field(pattern=r"^IAB[0-9]{1,2}(-[0-9]{1,2})?$"), kw.Size(avg=6, max=8)]


class Format(StrEnum):
    """What an auction sells."""

    BANNER = "banner"
    VIDEO = "video"
    NATIVE = "native"
    AUDIO = "audio"


class Box(BaseModel):
    """Pixels of an advertisement."""

    width: Annotated[int, Field(ge=1, le=4_096)]
    height: Annotated[int, Field(ge=1, le=4_096)]
