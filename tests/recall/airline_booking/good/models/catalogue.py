"""What changes slowly, in MongoDB: airports, cabins of aircraft, and notices to travellers."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.common import AirportCode, Cabin
from models.inventory import flight_cache

catalogue = kw.MongoDatabase("catalogue", owner="commercial")


class Point(BaseModel):
    """A place as GeoJSON: longitude, then latitude."""

    type: Literal["Point"] = "Point"
    coordinates: Annotated[list[float], Field(min_length=2, max_length=2)]


class Airport(BaseModel):
    """An airport that the airline or a partner serves."""

    __store__: ClassVar = kw.Collection(
        catalogue,
        "airports",
        id="{code}",
        indexes=[kw.TextIndex(["name", "city"])],
        expected=1_200,
    )

    code: AirportCode
    name: Annotated[str, Field(max_length=120)]
    city: Annotated[str, Field(max_length=80)]
    country: Annotated[str, Field(pattern=r"^[A-Z]{2}$")]
    time_zone: Annotated[str, Field(max_length=40)]
    place: Point
    minimum_connection_minutes: Annotated[int, Field(ge=20, le=240)]


cached_airport = kw.bind(
    Airport, kw.RedisCache(flight_cache, key="airport:{code}", ttl=timedelta(hours=1), source_of_truth=Airport)
)

airport = kw.Get(Airport, eq="code", rate="20/s", p99_ms=20)
airport_cached = kw.Get(cached_airport, eq="code", rate="2k/s", peak="6k/s", p99_ms=5)
find_airport = kw.Read(Airport, search=["name", "city"], limit=10, rate="60/s", p99_ms=60)
save_airport = kw.Put(Airport, rate="20/day", p99_ms=100)


class SeatRow(BaseModel):
    """A row of a cabin with the letters that it has."""

    row: Annotated[int, Field(ge=1, le=79)]
    letters: Annotated[str, Field(pattern=r"^[A-K]{1,10}$")]
    cabin: Cabin
    traits: Annotated[list[Literal["exit", "extra_legroom", "bassinet", "no_recline"]], Field(max_length=4)] = []


class AircraftLayout(BaseModel):
    """The cabin of one version of an aircraft type; a version never changes once it flies."""

    __store__: ClassVar = kw.Collection(
        catalogue, "aircraft_layouts", id="{aircraft_type}-{version:pad(3)}", expected=80
    )

    aircraft_type: Annotated[str, Field(pattern=r"^[A-Z0-9]{3,8}$")]
    version: Annotated[int, Field(ge=1, le=999)]
    rows: Annotated[list[SeatRow], Field(min_length=1, max_length=79)]


layout = kw.Get(
    AircraftLayout, eq=["aircraft_type", "version"], rate="150/s", p99_ms=20, cache_ttl=timedelta(minutes=10)
)
publish_layout = kw.Put(AircraftLayout, if_absent=True, rate="5/month", p99_ms=100)


class TravelNotice(BaseModel):
    """Something travellers of an airport should know: strikes, weather, entry rules."""

    __store__: ClassVar = kw.Collection(
        catalogue,
        "travel_notices",
        id="{notice_id}",
        indexes=[kw.Index(["airports", "-published_at"])],
        expected=5_000,
    )

    notice_id: Annotated[str, Field(max_length=26)]
    airports: Annotated[
        list[Annotated[AirportCode, kw.Ref(Airport, on_missing="hide")]], Field(min_length=1, max_length=40)
    ]
    published_at: datetime
    title: Annotated[str, Field(max_length=140)]
    body: Annotated[str, kw.Size(avg=900, max=8_000)]
    ends_at: Annotated[datetime, kw.Ttl(after=timedelta(days=30))]


notices_of_airport = kw.Read(TravelNotice, contains="airports", order="-published_at", limit=10, rate="60/s", p99_ms=40)
publish_notice = kw.Put(TravelNotice, rate="60/day", p99_ms=100)
