"""Bike share: bikes and rentals in one DynamoDB table, because one transaction hands a bike over."""

from datetime import datetime
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.cards import Rider, RiderId, Ulid

BikeId = Annotated[str, Field(pattern=r"^[0-9]{6}$"), kw.Size(avg=6, max=6), kw.Cardinality(distinct=14_000)]
DockId = Annotated[str, Field(pattern=r"^[0-9]{4}$"), kw.Size(avg=4, max=4), kw.Cardinality(distinct=820)]

at_dock = kw.Gsi("at_dock", pk="gsi1pk", sk="gsi1sk", project=["bike_id", "dock_id", "status", "battery_percent"])

reports = kw.MongoDatabase("reports", owner="bikes")
bikes = kw.DynamoTable(
    "bikes",
    owner="bikes",
    gsis=[at_dock],
)


class Bike(BaseModel):
    """A bike; one that can be rented is in the index of its dock."""

    __store__: ClassVar = kw.Item(
        bikes,
        pk="BIKES",
        sk="BIKE#{bike_id}",
        gsis=[at_dock.key(pk="DOCK#{dock_id}", sk="BIKE#{bike_id}", where={"status": "available"})],
    )

    bike_id: BikeId
    status: Literal["available", "rented", "repair", "missing"]
    dock_id: DockId | None = None
    battery_percent: Annotated[int, Field(ge=0, le=100)]
    serviced_at: datetime


class Rental(BaseModel):
    """A ride with a bike; the rental service stores it here and then in the reports."""

    __store__: ClassVar = kw.Item(
        bikes,
        pk="RIDER#{rider_id}",
        sk="RENTAL#{started_at:iso}#{rental_id}",
        kind="event",
        expected=30_000_000,
        active=0.005,
    )

    rider_id: Annotated[RiderId, kw.Ref(Rider, on_missing="ignore", max_referrers=3_000)]
    rental_id: Ulid
    bike_id: Annotated[BikeId, kw.Ref(Bike, on_missing="ignore", max_referrers=6_000)]
    started_at: datetime
    ended_at: datetime | None = None
    from_dock: DockId
    to_dock: DockId | None = None
    status: Literal["running", "ended", "disputed"]
    price_cents: Annotated[int, Field(ge=0, le=50_000)] = 0
    expires_at: Annotated[datetime, kw.Ttl()]


bikes_at_dock = kw.Read(
    Bike,
    eq="dock_id",
    where={"status": "available"},
    limit=60,
    rate="60/s",
    peak="300/s",
    p99_ms=30,
    fields=["bike_id", "battery_percent"],
)
start_rental = kw.Transact(
    [
        kw.Update(Bike, sets="status", unset="dock_id", where={"status": "available"}),
        kw.Put(Rental, if_absent=True),
    ],
    rate="0.5/s",
    peak="12/s",
    p99_ms=100,
)
end_rental = kw.Transact(
    [
        kw.Update(Rental, sets=["status", "ended_at", "to_dock", "price_cents"], where={"status": "running"}),
        kw.Update(Bike, sets=["status", "dock_id"], where={"status": "rented"}),
    ],
    rate="0.5/s",
    peak="12/s",
    p99_ms=100,
)
report_bike = kw.Update(Bike, sets="battery_percent", rate="470/s", peak="1.2k/s", p99_ms=50)
all_bikes = kw.Read(Bike, order="bike_id", limit=500, rate="0.5/s", p99_ms=200)
add_bike = kw.Put(Bike, if_absent=True, rate="20/day", p99_ms=50)
rentals_of_rider = kw.Read(Rental, eq="rider_id", order="-started_at", limit=30, rate="5/s", peak="30/s", p99_ms=50)


reported_rental = kw.bind(
    Rental,
    kw.Collection(
        reports,
        "rentals",
        id="{rental_id}",
        indexes=[kw.Index(["bike_id", "-started_at"])],
        kind="event",
        expected=30_000_000,
        active=0.005,
    ),
)

report_rental = kw.Put(reported_rental, rate="1/s", peak="24/s", p99_ms=200)
rentals_of_bike = kw.Read(reported_rental, eq="bike_id", order="-started_at", limit=50, rate="2/s", p99_ms=100)
