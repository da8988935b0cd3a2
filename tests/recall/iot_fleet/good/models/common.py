"""Identifiers and values that several services share."""

from decimal import Decimal
from typing import Annotated, Literal

from pydantic import BaseModel, Field

import keywright as kw

ULID = r"^[0-9A-HJKMNP-TV-Z]{26}$"

# 1,200 customers with 80,000 vehicles; the largest customer has 5,000.
TenantId = Annotated[str, Field(pattern=r"^[a-z0-9-]{3,24}$"), kw.Size(avg=12, max=24), kw.Cardinality(distinct=1_200)]
VehicleId = Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26), kw.Cardinality(distinct=80_000)]
DriverId = Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26), kw.Cardinality(distinct=110_000)]
# The unit in the vehicle, by the number of its modem.
DeviceId = Annotated[str, Field(pattern=r"^[0-9]{15}$"), kw.Size(avg=15, max=15), kw.Cardinality(distinct=90_000)]
GeofenceId = Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26), kw.Cardinality(distinct=60_000)]
EventId = Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26)]
Longitude = Annotated[float, Field(ge=-180, le=180)]
Latitude = Annotated[float, Field(ge=-85, le=85)]
Severity = Literal["info", "warning", "critical"]
Amount = Annotated[Decimal, Field(max_digits=12, decimal_places=2)]
Currency = Annotated[str, Field(pattern=r"^[A-Z]{3}$"), kw.Size(avg=3, max=3)]


class Point(BaseModel):
    """A place as GeoJSON: longitude, then latitude."""

    type: Literal["Point"] = "Point"
    coordinates: Annotated[list[float], Field(min_length=2, max_length=2)]
