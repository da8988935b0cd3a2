"""Numbers, money and places that several parts of the marketplace share."""

from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, Field

import keywright as kw

# At the design size: 60 million customers, 700,000 outlets of 520,000 brands, a million couriers, of whom 350,000 ride
# at dinner, and ten million orders a day: 115 a second on average, 700 at dinner.
CustomerNo = Annotated[
    str, Field(pattern=r"^U[0-9]{10}$"), kw.Size(avg=11, max=11), kw.Cardinality(distinct=60_000_000)
]
OutletId = Annotated[str, Field(pattern=r"^[a-z]{2}[0-9]{7}$"), kw.Size(avg=9, max=9), kw.Cardinality(distinct=700_000)]
BrandId = Annotated[str, Field(pattern=r"^[a-z0-9-]{3,32}$"), kw.Size(avg=14, max=32), kw.Cardinality(distinct=520_000)]
CourierNo = Annotated[str, Field(pattern=r"^C[0-9]{8}$"), kw.Size(avg=9, max=9), kw.Cardinality(distinct=1_000_000)]
OrderNo = Annotated[str, Field(pattern=r"^[0-9A-Z]{14}$"), kw.Size(avg=14, max=14)]
DishId = Annotated[str, Field(pattern=r"^d[0-9a-z]{9}$"), kw.Size(avg=10, max=10)]
# A delivery zone is a few square kilometres of one city.
ZoneId = Annotated[str, Field(pattern=r"^[a-z]{2}-[0-9]{5}$"), kw.Size(avg=8, max=8), kw.Cardinality(distinct=9_000)]
CityCode = Annotated[str, Field(pattern=r"^[a-z]{5}$"), kw.Size(avg=5, max=5), kw.Cardinality(distinct=800)]
Digest = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$"), kw.Size(avg=64, max=64)]
DayText = Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"), kw.Size(avg=10, max=10)]
# What is chosen with a dish, such as "no onions".
ChoiceLabel = Annotated[str, Field(max_length=60), kw.Size(avg=12, max=90)]
# Money is whole cents, öre or grosze.
Minor = Annotated[int, Field(ge=0, le=100_000_000)]
Currency = Literal["EUR", "SEK", "DKK", "PLN", "CZK", "HUF", "RON"]


class Market(StrEnum):
    """The countries in which the marketplace works."""

    AUSTRIA = "at"
    CZECHIA = "cz"
    DENMARK = "dk"
    FINLAND = "fi"
    FRANCE = "fr"
    GERMANY = "de"
    HUNGARY = "hu"
    ITALY = "it"
    POLAND = "pl"
    ROMANIA = "ro"
    SPAIN = "es"
    SWEDEN = "se"


class GeoSpot(BaseModel):
    """A spot on the map."""

    longitude: Annotated[float, Field(ge=-180, le=180)]
    latitude: Annotated[float, Field(ge=-85, le=85)]
