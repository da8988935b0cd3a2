"""What the portal shows: homes, new-build projects, tours and districts in MongoDB, with pages copied to Redis."""

from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar, Literal

import keywright as kw
from pydantic import BaseModel, Field

from .accounts import Country

AgencyId = Annotated[str, Field(pattern=r"^[0-9]{8}$"), kw.Size(avg=8, max=8), kw.Cardinality(distinct=60_000)]
DistrictId = Annotated[str, Field(pattern=r"^[a-z]{2}-[0-9]{6}$"), kw.Size(avg=9), kw.Cardinality(distinct=30_000)]
ListingId = Annotated[
    str, Field(pattern=r"^[0-9A-Z]{26}$"), kw.Size(avg=26, max=26), kw.Cardinality(distinct=48_000_000)
]
ProjectId = Annotated[str, Field(pattern=r"^[0-9]{7}$"), kw.Size(avg=7, max=7), kw.Cardinality(distinct=12_000)]
Purpose = Literal["sale", "rent"]
MinorUnits = Annotated[int, Field(ge=0, le=100_000_000_000)]

catalogue = kw.MongoDatabase("catalogue", owner="catalogue")
page_cache = kw.RedisServer("page-cache", role="cache", owner="web", eviction="allkeys-lfu")


class Place(BaseModel):
    """A point on the map as GeoJSON: longitude, then latitude."""

    type: Literal["Point"] = "Point"
    coordinates: Annotated[list[float], Field(min_length=2, max_length=2)]


class Photo(BaseModel):
    """A picture in object storage."""

    object_key: Annotated[str, Field(max_length=90)]
    width: int
    height: int


class Listing(BaseModel):
    """A home that is or was offered; results show its card, the detail page all of it."""

    __store__: ClassVar = kw.Collection(
        catalogue,
        "listings",
        id="{listing_id}",
        indexes=[
            kw.Index(["district_id", "purpose", "-listed_at"], where={"status": "live"}),
            kw.Index(["country", "-listed_at"], where={"status": "live"}),
            kw.Index(["agency_id", "-listed_at"]),
            kw.GeoIndex("place", where={"status": "live"}),
        ],
        expected=48_000_000,
        active=0.12,
        keep_forever="sold homes are the basis of valuations",
    )

    listing_id: ListingId
    agency_id: Annotated[AgencyId, kw.Ref("AgencyCard", on_missing="hide", max_referrers=20_000)]
    country: Country
    district_id: Annotated[DistrictId, kw.Ref("AreaGuide", on_missing="ignore", max_referrers=60_000)]
    purpose: Purpose
    status: Literal["draft", "live", "withdrawn", "closed"] = "draft"
    headline: Annotated[str, Field(max_length=120)]
    street: Annotated[str, Field(max_length=120), kw.Pii()]
    description: Annotated[str, kw.Size(avg=1_600, max=8_000)]
    price_minor: MinorUnits
    currency: Literal["EUR"] = "EUR"
    rooms: Annotated[int, Field(ge=0, le=200)]
    living_area_m2: Annotated[int, Field(ge=1, le=100_000)]
    place: Place
    photos: Annotated[list[Photo], Field(max_length=40)] = []
    listed_at: datetime
    changed_at: datetime


CARD = ["listing_id", "headline", "price_minor", "currency", "rooms", "living_area_m2", "place", "listed_at"]

cached_listing = kw.bind(
    Listing,
    kw.RedisCache(
        page_cache,
        key="listing:{listing_id}",
        ttl=timedelta(minutes=5),
        source_of_truth=Listing,
        expected=1_500_000,
    ),
)

listing = kw.Get(Listing, eq="listing_id", rate="1.5k/s", peak="4k/s", p99_ms=30)
listing_page = kw.Get(cached_listing, eq="listing_id", rate="12k/s", peak="25k/s", p99_ms=5)
newest_in_district = kw.Read(
    Listing,
    eq=["district_id", "purpose"],
    where={"status": "live"},
    order="-listed_at",
    limit=25,
    fields=CARD,
    rate="900/s",
    peak="2k/s",
    p99_ms=60,
)
newest_in_country = kw.Read(
    Listing,
    eq="country",
    where={"status": "live"},
    order="-listed_at",
    limit=25,
    fields=CARD,
    rate="120/s",
    p99_ms=60,
)
homes_near = kw.Read(Listing, near="place", where={"status": "live"}, limit=50, fields=CARD, rate="250/s", p99_ms=150)
listings_of_agency = kw.Read(
    Listing, eq="agency_id", order="-listed_at", limit=50, fields=[*CARD, "status"], rate="60/s", p99_ms=80
)
draft_listing = kw.Put(Listing, if_absent=True, rate="30k/day", p99_ms=120)
change_price = kw.Update(Listing, sets=["price_minor", "changed_at"], rate="60k/day", p99_ms=120)
change_listing_status = kw.Update(Listing, sets=["status", "changed_at"], rate="150k/day", p99_ms=120)


class MarketCount(BaseModel):
    """How many homes a country or a district has on offer, counted anew by a job every few minutes."""

    __store__: ClassVar = kw.Collection(catalogue, "market_counts", id="{scope}", expected=30_004)

    scope: Annotated[str, Field(pattern=r"^(country|district):[a-z0-9-]{2,9}$"), kw.Cardinality(distinct=30_004)]
    for_sale: Annotated[int, Field(ge=0)]
    for_rent: Annotated[int, Field(ge=0)]
    counted_at: datetime


cached_market = kw.bind(
    MarketCount,
    kw.RedisCache(page_cache, key="market:{scope}", ttl=timedelta(minutes=3), source_of_truth=MarketCount),
)

market_count = kw.Get(MarketCount, eq="scope", rate="150/s", p99_ms=25)
market_panel = kw.Get(
    cached_market,
    eq="scope",
    rate="3k/s",
    peak="8k/s",
    hot_key="1.2k/s",
    cache_ttl=timedelta(seconds=20),
    p99_ms=5,
)
write_market_counts = kw.Put(MarketCount, batch=250, rate="30/min", p99_ms=500)


class AreaGuide(BaseModel):
    """What life in a district is like, written by editors."""

    __store__: ClassVar = kw.Collection(catalogue, "area_guides", id="{district_id}")

    district_id: DistrictId
    title: Annotated[str, Field(max_length=100)]
    body: Annotated[str, kw.Size(avg=3_500, max=20_000)]
    revised_on: date


cached_guide = kw.bind(
    AreaGuide,
    kw.RedisCache(page_cache, key="guide:{district_id}", ttl=timedelta(hours=6), source_of_truth=AreaGuide),
)

area_guide = kw.Get(AreaGuide, eq="district_id", rate="20/s", p99_ms=30)
guide_page = kw.Get(cached_guide, eq="district_id", rate="1.5k/s", p99_ms=5)
revise_guide = kw.Put(AreaGuide, rate="150/day", p99_ms=150)


class SiteNote(BaseModel):
    """News from a building site."""

    written_at: datetime
    text: Annotated[str, Field(max_length=400)]


class Project(BaseModel):
    """A new-build project; its notes follow the stages of construction, of which there are at most sixty."""

    __store__: ClassVar = kw.Collection(
        catalogue, "projects", id="{project_id}", indexes=[kw.Index(["district_id", "-launched_at"])]
    )

    project_id: ProjectId
    district_id: Annotated[DistrictId, kw.Ref(AreaGuide, on_missing="ignore", max_referrers=200)]
    name: Annotated[str, Field(max_length=100)]
    stage: Literal["planned", "selling", "building", "finished"] = "planned"
    units: Annotated[int, Field(ge=1, le=2_000)]
    site_notes: Annotated[list[SiteNote], Field(max_length=60)] = []
    launched_at: datetime


project = kw.Get(Project, eq="project_id", rate="60/s", p99_ms=30)
projects_in_district = kw.Read(
    Project,
    eq="district_id",
    order="-launched_at",
    limit=20,
    fields=["project_id", "name", "stage", "units", "launched_at"],
    rate="80/s",
    p99_ms=50,
)
announce_project = kw.Put(Project, if_absent=True, rate="20/day", p99_ms=150)
add_site_note = kw.Update(Project, pushes="site_notes", rate="800/day", p99_ms=150)


class Panorama(BaseModel):
    """A viewpoint of a tour: where it stands, and the outlines of what can be touched from there."""

    label: Annotated[str, Field(max_length=60)]
    object_key: Annotated[str, Field(max_length=90)]
    position: Annotated[list[float], Field(min_length=3, max_length=3)]
    outline: Annotated[list[float], Field(max_length=3_000), kw.Size(avg=2_800, max=42_000)]


class TourScene(BaseModel):
    """The rooms of a virtual tour with all viewpoints; a castle takes several megabytes."""

    __store__: ClassVar = kw.Collection(
        catalogue,
        "tour_scenes",
        id="{scene_id}",
        expected=400_000,
        active=0.1,
        stream=kw.Stream(
            images="keys",
            consumers=[kw.Consumer("tour-previews", idempotency=["scene_id", "revision"], on_failure="queue")],
        ),
    )

    scene_id: Annotated[str, Field(pattern=r"^[0-9A-Z]{26}$"), kw.Size(avg=26, max=26)]
    listing_id: Annotated[ListingId, kw.Ref(Listing, on_missing="ignore", max_referrers=3)]
    revision: Annotated[int, Field(ge=1)]
    panoramas: Annotated[list[Panorama], Field(max_length=220), kw.Size(avg=60_000, max=9_400_000)]


tour_scene = kw.Get(TourScene, eq="scene_id", rate="25/s", p99_ms=300)
store_scene = kw.Put(TourScene, rate="700/day", p99_ms=900)
