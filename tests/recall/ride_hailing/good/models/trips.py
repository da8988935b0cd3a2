"""Trips and ratings in DynamoDB, and the copy of finished trips that analysts read in MongoDB."""

from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

import keywright as kw
from pydantic import BaseModel, Field

from models.people import CityId, Driver, DriverId, Rider, RiderId, Vehicle, VehicleId

TripId = Annotated[UUID, kw.Cardinality(distinct=10_000_000_000)]
Currency = Annotated[str, Field(pattern=r"^[A-Z]{3}$"), kw.Size(avg=3, max=3)]
Product = Literal["solo", "shared", "van", "moto"]

SUMMARY = ["trip_id", "city_id", "status", "requested_at", "fare_minor", "currency"]

by_rider = kw.Gsi("by_rider", pk="gsi1pk", sk="gsi1sk", project=SUMMARY)
by_driver = kw.Gsi("by_driver", pk="gsi2pk", sk="gsi2sk", project=[*SUMMARY, "accepted_at"])

trips = kw.DynamoTable(
    "trips",
    owner="trips",
    gsis=[by_rider, by_driver],
    stream=kw.Stream(
        consumers=[
            kw.Consumer("trip-reports", idempotency=["trip_id", "status"], on_failure="queue"),
            kw.Consumer("day-tallies", idempotency=["trip_id", "status"], on_failure="queue"),
        ]
    ),
)
standings = kw.DynamoTable("standings", owner="quality")
reporting = kw.MongoDatabase("reporting", owner="analytics")


class Place(BaseModel):
    """An address as the rider chose it, and its point."""

    label: Annotated[str, Field(max_length=160), kw.Size(avg=48, max=320), kw.Pii()]
    longitude: Annotated[float, Field(ge=-180, le=180)]
    latitude: Annotated[float, Field(ge=-90, le=90)]


class Trip(BaseModel):
    """A trip from its request to its end; three years later the item goes, the ledger keeps the money."""

    __store__: ClassVar = kw.Item(
        trips,
        pk="TRIP#{trip_id}",
        sk="TRIP",
        gsis=[
            by_rider.key(pk="RIDER#{rider_id}", sk="{requested_at:iso}#{trip_id}"),
            by_driver.key(pk="DRIVER#{driver_id}", sk="{accepted_at:iso}#{trip_id}"),
        ],
        expected=10_000_000_000,
        active=0.002,
    )

    trip_id: TripId
    rider_id: Annotated[RiderId, kw.Ref(Rider, on_missing="ignore", max_referrers=5_000)]
    driver_id: Annotated[DriverId | None, kw.Ref(Driver, on_missing="ignore", max_referrers=40_000)] = None
    vehicle_id: Annotated[VehicleId | None, kw.Ref(Vehicle, on_missing="ignore", max_referrers=40_000)] = None
    city_id: CityId
    product: Product
    status: Literal["requested", "accepted", "driving", "completed", "cancelled"]
    pickup: Annotated[Place, kw.Pii()]
    dropoff: Annotated[Place, kw.Pii()]
    stops: Annotated[list[Place], Field(max_length=4), kw.Size(avg=20, max=1_600), kw.Pii()] = []
    quote_id: UUID
    requested_at: datetime
    accepted_at: datetime | None = None
    finished_at: datetime | None = None
    fare_minor: Annotated[int, Field(ge=0)] | None = None
    currency: Currency
    expires_at: Annotated[datetime, kw.Ttl()]


request_trip = kw.Put(Trip, if_absent=True, rate="170/s", peak="600/s", p99_ms=50)
accept_trip = kw.Update(
    Trip,
    sets=["status", "driver_id", "vehicle_id", "accepted_at"],
    where={"status": "requested"},
    rate="150/s",
    peak="550/s",
    p99_ms=50,
)
start_trip = kw.Update(Trip, sets="status", where={"status": "accepted"}, rate="140/s", peak="500/s", p99_ms=50)
cancel_trip = kw.Update(
    Trip,
    sets=["status", "finished_at"],
    where={"status": kw.OneOf(["requested", "accepted"])},
    rate="30/s",
    peak="120/s",
    p99_ms=50,
)
trip = kw.Get(Trip, eq="trip_id", rate="2k/s", peak="7k/s", p99_ms=20)
trip_after_change = kw.Get(
    Trip,
    eq="trip_id",
    consistency="strong",
    reads_back=[request_trip, accept_trip, start_trip, cancel_trip],
    rate="450/s",
    peak="1.6k/s",
    p99_ms=20,
)
trips_of_rider = kw.Read(
    Trip, eq="rider_id", order="-requested_at", fields=SUMMARY, limit=20, rate="400/s", peak="1.2k/s", p99_ms=50
)
trips_of_driver = kw.Read(
    Trip,
    eq="driver_id",
    where={"accepted_at": kw.Present()},
    order="-accepted_at",
    fields=SUMMARY,
    limit=50,
    rate="200/s",
    peak="700/s",
    p99_ms=50,
)


class DriverRating(BaseModel):
    """The stars that a rider gave for one trip, once."""

    __store__: ClassVar = kw.Item(
        standings,
        pk="DRIVER#{driver_id}",
        sk="RATING#{trip_id}",
        kind="event",
        expected=4_000_000_000,
        active=0.002,
    )

    driver_id: Annotated[DriverId, kw.Ref(Driver, on_missing="ignore", max_referrers=40_000)]
    trip_id: Annotated[TripId, kw.Ref(Trip, on_missing="ignore", max_referrers=1)]
    stars: Annotated[int, Field(ge=1, le=5)]
    remark: Annotated[str, Field(max_length=300), kw.Size(avg=20, max=600), kw.Pii()] = ""
    rated_at: datetime
    expires_at: Annotated[datetime, kw.Ttl()]


class StarTally(BaseModel):
    """How often a driver got so many stars: five items tell the count and the mean."""

    __store__: ClassVar = kw.Item(
        standings,
        pk="DRIVER#{driver_id}",
        sk="STARS#{stars:pad(1)}",
        kind="analytics",
        expected=7_500_000,
        active=0.3,
        keep_forever="part of the driver's profile, five small items each",
    )

    driver_id: Annotated[DriverId, kw.Ref(Driver, on_missing="ignore", max_referrers=5)]
    stars: Annotated[int, Field(ge=1, le=5)]
    times: Annotated[int, Field(ge=0)]


rate_driver = kw.Transact(
    [kw.Put(DriverRating, if_absent=True), kw.Increment(StarTally, "times", eq=["driver_id", "stars"])],
    rate="60/s",
    peak="220/s",
    p99_ms=100,
)
standing_of_driver = kw.Read(StarTally, eq="driver_id", limit=5, rate="3k/s", peak="8k/s", p99_ms=30)
ratings_of_driver = kw.Read(
    DriverRating, eq="driver_id", order="-trip_id", limit=20, rate="30/s", peak="100/s", p99_ms=50
)


class DayTally(BaseModel):
    """Finished trips of a day in twenty parts, added up in batches for a screen that may be a batch off."""

    __store__: ClassVar = kw.Item(
        standings,
        pk="DAY#{day:date}#{:shard(20)}",
        sk="TALLY",
        kind="analytics",
        expected=60_000,
        keep_forever="small, compared year by year",
    )

    day: date
    trips: Annotated[int, Field(ge=0)]


add_to_day = kw.Increment(DayTally, "trips", eq="day", by=25, rate="8/s", peak="30/s", p99_ms=100)
day_tally = kw.Read(DayTally, eq="day", limit=20, fan_out=20, rate="2/s", p99_ms=100)


class TripReport(BaseModel):
    """A finished trip for analysts, without names or addresses."""

    __store__: ClassVar = kw.Collection(
        reporting,
        "trip_reports",
        id="{trip_id}",
        indexes=[kw.Index(["city_id", "completed_at", "product"])],
        shard_key=kw.ShardKey(on=["city_id", "completed_at"]),
        kind="analytics",
        expected=4_800_000_000,
        active=0.01,
    )

    trip_id: TripId
    city_id: CityId
    product: Product
    completed_at: Annotated[datetime, kw.Ttl(after=timedelta(days=400))]
    metres: Annotated[int, Field(ge=0)]
    seconds: Annotated[int, Field(ge=0)]
    fare_minor: Annotated[int, Field(ge=0)]
    currency: Currency


report_trip = kw.Put(TripReport, rate="140/s", peak="500/s", p99_ms=200)
reports_of_city = kw.Read(
    TripReport,
    eq="city_id",
    range="completed_at",
    span=timedelta(hours=6),
    order="completed_at",
    limit=500,
    rate="2/s",
    p99_ms=300,
)
takings_of_city = kw.Aggregate(
    TripReport,
    eq="city_id",
    range="completed_at",
    span=timedelta(days=1),
    group=["{product}"],
    measures={"fares": kw.Sum("fare_minor"), "metres": kw.Avg("metres")},
    rate="2k/day",
    p99_ms=10_000,
)
