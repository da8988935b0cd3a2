"""Numbers, codes and measures that all services of the carrier use."""

from typing import Annotated, Literal

from pydantic import BaseModel, Field

import keywright as kw

# Nine million parcels on a day, with fourteen scans each; forty thousand shippers.
ParcelNo = Annotated[
    str, Field(pattern=r"^PZ[0-9]{12}$"), kw.Size(avg=14, max=14), kw.Cardinality(distinct=810_000_000)
]
ShipperId = Annotated[str, Field(pattern=r"^S[0-9]{7}$"), kw.Size(avg=8, max=8), kw.Cardinality(distinct=40_000)]
CourierId = Annotated[str, Field(pattern=r"^C[0-9]{6}$"), kw.Size(avg=7, max=7), kw.Cardinality(distinct=75_000)]
DepotCode = Annotated[str, Field(pattern=r"^[A-Z]{3}[0-9]{2}$"), kw.Size(avg=5, max=5), kw.Cardinality(distinct=420)]
HubCode = Annotated[str, Field(pattern=r"^H[A-Z]{3}$"), kw.Size(avg=4, max=4), kw.Cardinality(distinct=34)]
StationId = Annotated[str, Field(pattern=r"^L[0-9]{6}$"), kw.Size(avg=7, max=7), kw.Cardinality(distinct=46_000)]
VanId = Annotated[str, Field(pattern=r"^V[0-9]{6}$"), kw.Size(avg=7, max=7), kw.Cardinality(distinct=68_000)]
RouteId = Annotated[
    str, Field(pattern=r"^R[0-9]{8}-[0-9]{5}$"), kw.Size(avg=15, max=15), kw.Cardinality(distinct=5_000_000)
]
# A keyed hash of name and address: the same person at the same door, without either of them.
ConsigneeKey = Annotated[
    str, Field(pattern=r"^[0-9a-f]{40}$"), kw.Size(avg=40, max=40), kw.Cardinality(distinct=60_000_000)
]
CountryCode = Annotated[str, Field(pattern=r"^[A-Z]{2}$"), kw.Size(avg=2, max=2), kw.Cardinality(distinct=14)]

# Money is in whole cents of the euro everywhere.
Cents = Annotated[int, Field(ge=0, le=100_000_000)]
Degrees = Annotated[float, Field(ge=-180, le=180)]

Service = Literal["standard", "express", "evening", "locker", "freight"]
Phase = Literal[
    "announced", "accepted", "in_transit", "customs", "at_depot", "out_for_delivery", "delivered", "returned"
]


class Dimensions(BaseModel):
    """The box around a parcel, in millimetres."""

    length: Annotated[int, Field(ge=1, le=3_000)]
    width: Annotated[int, Field(ge=1, le=2_000)]
    height: Annotated[int, Field(ge=1, le=2_000)]
