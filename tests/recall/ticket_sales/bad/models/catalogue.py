"""What can be visited: venues, their seat maps and the events, owned by the programme team."""

from datetime import timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw

VenueId = Annotated[str, Field(pattern=r"^ven[a-z0-9]{8}$", max_length=11), kw.Cardinality(distinct=6_000)]
EventId = Annotated[str, Field(pattern=r"^evt[a-z0-9]{9}$", max_length=12), kw.Cardinality(distinct=400_000)]
PromoterId = Annotated[str, Field(pattern=r"^pro[a-z0-9]{7}$", max_length=10), kw.Cardinality(distinct=2_500)]
SectionName = Annotated[str, Field(pattern=r"^[A-Z0-9]{1,6}$", max_length=6), kw.Cardinality(distinct=60)]
Cents = Annotated[int, Field(ge=0, le=10_000_000)]

programme = kw.MongoDatabase("programme", owner="programme")
pages = kw.RedisServer("event-pages", role="cache", owner="programme")


class Place(BaseModel):
    """GeoJSON: longitude before latitude."""

    type: Literal["Point"] = "Point"
    coordinates: Annotated[list[float], Field(min_length=2, max_length=2)]


class Gate(BaseModel):
    """An entrance with its number of lanes."""

    code: Annotated[str, Field(max_length=8)]
    lanes: Annotated[int, Field(ge=1, le=80)]


class Venue(BaseModel):
    """A hall or stadium; it has few entrances, and they are always shown with it."""

    __store__: ClassVar = kw.Collection(
        programme,
        "venues",
        id="{venue_id}",
        expected=6_000,
    )

    venue_id: VenueId
    name: Annotated[str, Field(max_length=120)]
    city: Annotated[str, Field(max_length=60), kw.Cardinality(distinct=900)]
    country: Annotated[str, Field(min_length=2, max_length=2)]
    place: Place
    time_zone: Annotated[str, Field(max_length=40)]
    capacity: Annotated[int, Field(ge=1, le=150_000)]
    gates: Annotated[list[Gate], Field(max_length=60)] = []


venue = kw.Get(Venue, eq="venue_id", rate="150/s", peak="600/s", p99_ms=20)
save_venue = kw.Put(Venue, rate="200/day", p99_ms=100)


class Block(BaseModel):
    """A section of a map: its outline and the number of seats of each row, from the front."""

    name: SectionName
    outline: Annotated[str, kw.Size(avg=300, max=2_000)]
    seats_of_rows: Annotated[list[Annotated[int, Field(ge=1, le=200)]], Field(max_length=80)]


class SeatMap(BaseModel):
    """A version of a venue's seating; a published version never changes, because seats refer to it."""

    __store__: ClassVar = kw.Collection(
        programme,
        "seat_maps",
        id="{venue_id}.{version:pad(4)}",
        expected=30_000,
        active=0.2,
    )

    venue_id: Annotated[VenueId, kw.Ref(Venue, on_missing="fail", max_referrers=200)]
    version: Annotated[int, Field(ge=1, le=9_999)]
    label: Annotated[str, Field(max_length=80)]
    published_at: AwareDatetime | None = None
    blocks: Annotated[list[Block], Field(max_length=250)]


seat_map = kw.Get(
    SeatMap, eq=["venue_id", "version"], rate="120/s", peak="900/s", p99_ms=60, cache_ttl=timedelta(minutes=30)
)
draw_seat_map = kw.Put(SeatMap, if_absent=True, rate="60/day", p99_ms=200)
publish_seat_map = kw.Update(SeatMap, sets="published_at", where={"published_at": None}, rate="30/day", p99_ms=100)


class Event(BaseModel):
    """A concert or a match; its venue's name and city are copies for lists."""

    __store__: ClassVar = kw.Collection(
        programme,
        "events",
        id="{event_id}",
        indexes=[
            kw.Index(["venue_id", "starts_at"]),
            kw.Index(["artists", "starts_at"]),
            kw.Index(["genre", "starts_at"], where={"state": "on_sale"}),
            kw.TextIndex(["title", "billing"], weights={"billing": 4}),
        ],
        stream=kw.Stream(
            consumers=[kw.Consumer("search-feed", idempotency=["event_id", "revision"], on_failure="queue")]
        ),
        expected=400_000,
        active=0.1,
    )

    event_id: EventId
    promoter_id: PromoterId
    venue_id: Annotated[VenueId, kw.Ref(Venue, on_missing="fail", max_referrers=20_000)]
    venue_name: Annotated[str, Field(max_length=120), kw.CopiedFrom(Venue, "name", sync="job")]
    city: Annotated[str, Field(max_length=60), kw.CopiedFrom(Venue, "city", sync="job")]
    seat_map_version: Annotated[int, Field(ge=1, le=9_999)]
    title: Annotated[str, Field(max_length=160)]
    artists: Annotated[
        list[Annotated[str, Field(max_length=80), kw.Cardinality(distinct=90_000)]], Field(max_length=30)
    ]
    billing: Annotated[str, Field(max_length=400)]
    genre: Annotated[str, Field(max_length=30), kw.Cardinality(distinct=120)]
    state: Literal["draft", "announced", "on_sale", "sold_out", "cancelled", "over"]
    starts_at: AwareDatetime
    doors_at: AwareDatetime
    on_sale_at: AwareDatetime
    from_price: Cents
    currency: Annotated[str, Field(pattern=r"^[A-Z]{3}$", max_length=3)]
    revision: Annotated[int, Field(ge=1)] = 1


event = kw.Get(Event, eq="event_id", rate="300/s", peak="1k/s", p99_ms=20)
events_at_venue = kw.Read(
    Event, eq="venue_id", range="starts_at", order="starts_at", limit=40, rate="90/s", peak="300/s", p99_ms=50
)
events_of_artist = kw.Read(
    Event, contains="artists", range="starts_at", order="starts_at", limit=40, rate="120/s", peak="800/s", p99_ms=50
)
on_sale_of_genre = kw.Read(
    Event,
    eq="genre",
    range="starts_at",
    order="starts_at",
    limit=40,
    rate="200/s",
    peak="700/s",
    p99_ms=50,
)
search_events = kw.Read(Event, search=["title", "billing"], limit=30, rate="60/s", peak="250/s", p99_ms=200)
announce_event = kw.Put(Event, if_absent=True, rate="600/day", p99_ms=100)
move_event = kw.Update(Event, sets=["starts_at", "doors_at", "revision"], rate="100/day", p99_ms=100)
change_state_of_event = kw.Update(Event, sets=["state", "revision"], rate="6k/day", p99_ms=100)

event_page = kw.bind(
    Event,
    kw.RedisCache(pages, key="event:{event_id}", ttl=timedelta(seconds=45), source_of_truth=Event, expected=60_000),
)

show_event = kw.Get(event_page, eq="event_id", rate="12k/s", peak="90k/s", p99_ms=5)
refresh_event_page = kw.Put(event_page, rate="900/s", peak="3k/s", p99_ms=10)
