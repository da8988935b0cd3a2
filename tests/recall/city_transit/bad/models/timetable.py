"""Stops, routes and trips in MongoDB, boards and plans in Redis, and how true the predictions were in Cassandra."""

from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.fares import cache
from models.vehicles import Mode, RouteId, TripId, live, tracks

StopId = Annotated[str, Field(pattern=r"^[0-9]{6}$"), kw.Size(avg=6, max=6), kw.Cardinality(distinct=9_400)]

network = kw.MongoDatabase("network", owner="planning")


class Point(BaseModel):
    """A place as GeoJSON: longitude, then latitude."""

    type: Literal["Point"] = "Point"
    coordinates: Annotated[list[float], Field(min_length=2, max_length=2)]


class Stop(BaseModel):
    """A stop or a platform."""

    __store__: ClassVar = kw.Collection(network, "stops", id="{stop_id}", indexes=[kw.GeoIndex("place")])

    stop_id: StopId
    name: Annotated[str, Field(max_length=80)]
    place: Point
    zone: Annotated[int, Field(ge=1, le=9)]
    step_free: bool


cached_stop = kw.bind(
    Stop,
    kw.RedisCache(
        cache, key="stop:{stop_id}", ttl=timedelta(seconds=1), source_of_truth=Stop, expected=9_400, kind="cache"
    ),
)

stop = kw.Get(Stop, eq="stop_id", rate="20/s", p99_ms=20)
stop_page = kw.Get(cached_stop, eq="stop_id", rate="2k/s", peak="8k/s", p99_ms=5)
stops_near = kw.Read(Stop, near="place", limit=15, rate="100/s", peak="400/s", p99_ms=50)
save_stop = kw.Put(Stop, rate="50/day", p99_ms=100)


class Route(BaseModel):
    """A line and the stops that it serves in one direction."""

    __store__: ClassVar = kw.Collection(network, "routes", id="{route_id}", indexes=[kw.Index("stop_ids")])

    route_id: RouteId
    mode: Mode
    name: Annotated[str, Field(max_length=80)]
    colour: Annotated[str, Field(pattern=r"^[0-9A-F]{6}$")]
    stop_ids: Annotated[
        list[Annotated[StopId, kw.Ref(Stop, on_missing="hide", max_referrers=40)]], Field(max_length=120)
    ]


routes_of_stop = kw.Read(Route, contains="stop_ids", limit=40, rate="50/s", peak="200/s", p99_ms=50)
save_route = kw.Put(Route, rate="30/day", p99_ms=100)


class Call(BaseModel):
    """When a trip is at a stop."""

    stop_id: StopId
    arrives_at: datetime
    departs_at: datetime
    platform: Annotated[str | None, Field(max_length=4)] = None


class Trip(BaseModel):
    """A trip of a traffic day with its calls, kept sixty days; who shows trips is told which one has changed."""

    __store__: ClassVar = kw.Collection(
        network,
        "trips",
        id="{service_date:date}_{trip_id}",
        indexes=[kw.Index(["route_id", "service_date", "starts_at"])],
        stream=kw.Stream(
            images="new_and_old",
            consumers=[kw.Consumer("trip-pages", idempotency=["service_date", "trip_id"], on_failure="retry")],
        ),
        expected=2_900_000,
        active=0.03,
    )

    service_date: date
    trip_id: TripId
    route_id: Annotated[RouteId, kw.Ref(Route, on_missing="fail", max_referrers=30_000)]
    headsign: Annotated[str, Field(max_length=60)]
    starts_at: Annotated[datetime, kw.Ttl(after=timedelta(days=60))]
    calls: Annotated[list[Call], Field(min_length=2, max_length=120)]
    status: Literal["planned", "running", "finished", "cancelled"] = "planned"


import_trip = kw.Put(Trip, batch=250, rate="200/day", peak="2/s", p99_ms=2_000)
reforecast = kw.Update(Trip, sets=["calls", "status"], rate="120/s", peak="400/s", p99_ms=100)
trip = kw.Get(Trip, eq=["service_date", "trip_id"], rate="150/s", peak="600/s", p99_ms=30)
trips_of_route = kw.Read(
    Trip,
    eq=["route_id", "service_date"],
    range="starts_at",
    order="starts_at",
    limit=40,
    fields=["trip_id", "headsign", "starts_at", "status"],
    rate="40/s",
    peak="150/s",
    p99_ms=50,
)


class BoardEntry(BaseModel):
    """A predicted departure from a stop within two hours; the predictor removes it when the vehicle has left."""

    __store__: ClassVar = kw.RedisSortedSet(
        live,
        key="board:{stop_id:tag}",
        member="{trip_id}",
        score="departs_at",
        ttl=timedelta(hours=2),
        expected=900_000,
        kind="session",
    )

    stop_id: StopId
    trip_id: TripId
    departs_at: datetime


predict = kw.Put(BoardEntry, rate="3k/s", peak="5k/s", p99_ms=10)
next_departures = kw.Read(
    BoardEntry,
    eq="stop_id",
    range="departs_at",
    span=timedelta(hours=1),
    order="departs_at",
    limit=30,
    rate="2k/s",
    peak="8k/s",
    hot_key="150/s",
    p99_ms=10,
)
departed = kw.Delete(BoardEntry, rate="15/s", peak="60/s", p99_ms=10)


class CallOutcome(BaseModel):
    """A call that was made, and what had been predicted ten minutes before; a day of one route is a partition."""

    __store__: ClassVar = kw.CqlTable(
        tracks,
        "call_outcomes",
        partition=["route_id", "day"],
        clustering=["-departed_at", "trip_id", "stop_id"],
        computed={"day": "{departed_at:date}"},
        kind="analytics",
    )

    route_id: RouteId
    departed_at: datetime
    trip_id: TripId
    stop_id: StopId
    planned_at: datetime
    predicted_at: datetime


record_outcome = kw.Put(CallOutcome, rate="15/s", peak="60/s", p99_ms=50)
purge_outcomes = kw.Delete(
    CallOutcome, eq=["route_id", "departed_at", "trip_id", "stop_id"], because="expiry", rate="15/s", p99_ms=100
)
outcomes_of_week = kw.Read(
    CallOutcome,
    eq="route_id",
    range="departed_at",
    span=timedelta(days=7),
    order="-departed_at",
    limit=1_000,
    fan_out=8,
    rate="500/day",
    p99_ms=1_000,
)


class JourneyPlan(BaseModel):
    """The planner's answer to a request, for the many who ask the same within two minutes."""

    __store__: ClassVar = kw.RedisString(
        cache, key="plan:{request}", value="answer", ttl=timedelta(minutes=2), expected=150_000, kind="cache"
    )

    request: Annotated[str, kw.Size(avg=620, max=2_400)]
    answer: Annotated[str, kw.Size(avg=2_400, max=12_000)]


plan = kw.Get(JourneyPlan, eq="request", rate="800/s", peak="3k/s", p99_ms=5)
keep_plan = kw.Put(JourneyPlan, rate="400/s", peak="1.5k/s", p99_ms=10)
