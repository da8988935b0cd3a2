"""Prices: fare cards and zones in MongoDB, copies in Redis, and the quotes that riders are held to in DynamoDB."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar
from uuid import UUID

import keywright as kw
from pydantic import BaseModel, Field

from models.people import CityId, Rider, RiderId
from models.trips import Currency, Product

pricing = kw.MongoDatabase("pricing", owner="pricing")
cache = kw.RedisServer("pricing-cache", role="cache", owner="pricing")
quotes = kw.DynamoTable("quotes", owner="pricing")

Minor = Annotated[int, Field(ge=0, le=1_000_000_000)]
BasisPoints = Annotated[int, Field(ge=0, le=100_000)]
ZoneId = Annotated[str, Field(pattern=r"^[a-z]{3}-[0-9]{4}$"), kw.Size(avg=8, max=8), kw.Cardinality(distinct=12_000)]
Cell = Annotated[str, Field(pattern=r"^[0-9a-f]{15}$"), kw.Size(avg=15, max=15), kw.Cardinality(distinct=300_000)]


class Surcharge(BaseModel):
    """A fixed amount on top, such as an airport fee."""

    name: Annotated[str, Field(max_length=40), kw.Size(avg=14, max=80)]
    amount_minor: Minor


class FareCard(BaseModel):
    """What a product costs in a city; assembled from regulations and contracts once a day."""

    __store__: ClassVar = kw.Collection(pricing, "fare_cards", id="{city_id}:{product}", expected=1_600)

    city_id: CityId
    product: Product
    currency: Currency
    base_minor: Minor
    minute_minor: Minor
    kilometre_minor: Minor
    minimum_minor: Minor
    commission_bp: BasisPoints
    surcharges: Annotated[list[Surcharge], Field(max_length=20)] = []
    valid_from: datetime


cached_fare_card = kw.bind(
    FareCard,
    kw.RedisCache(cache, key="fare:{city_id}:{product}", ttl=timedelta(minutes=15), source_of_truth=FareCard),
)

fare_card = kw.Get(FareCard, eq=["city_id", "product"], rate="5/s", p99_ms=150)
fare_card_for_quote = kw.Get(
    cached_fare_card, eq=["city_id", "product"], rate="8k/s", peak="24k/s", hot_key="900/s", p99_ms=5
)
publish_fare_card = kw.Put(FareCard, rate="1.6k/day", p99_ms=200)


class PricingZone(BaseModel):
    """A part of a city with rules of its own, as the cells that it covers."""

    __store__: ClassVar = kw.Collection(
        pricing, "pricing_zones", id="{zone_id}", indexes=[kw.Index("cells")], expected=12_000
    )

    zone_id: ZoneId
    city_id: CityId
    name: Annotated[str, Field(max_length=80), kw.Size(avg=20, max=160)]
    cells: Annotated[list[Cell], Field(max_length=600), kw.Size(avg=600, max=13_000)]
    surge_cap_bp: BasisPoints


cached_zone = kw.bind(
    PricingZone, kw.RedisCache(cache, key="zone:{zone_id}", ttl=timedelta(hours=1), source_of_truth=PricingZone)
)

zones_of_cell = kw.Read(PricingZone, contains="cells", limit=5, rate="30/s", p99_ms=50)
zone = kw.Get(PricingZone, eq="zone_id", rate="5/s", p99_ms=50)
zone_for_quote = kw.Get(cached_zone, eq="zone_id", rate="4k/s", peak="12k/s", p99_ms=5)
draw_zone = kw.Put(PricingZone, rate="300/day", p99_ms=200)


class RouteEstimate(BaseModel):
    """Length and duration of a route, under the digest of the request to the routing engine."""

    __store__: ClassVar = kw.RedisString(
        cache, key="route:{digest}", ttl=timedelta(minutes=5), kind="cache", expected=900_000
    )

    digest: Annotated[str, Field(pattern=r"^[0-9a-f]{40}$"), kw.Size(avg=40, max=40)]
    metres: Annotated[int, Field(ge=0)]
    seconds: Annotated[int, Field(ge=0)]


route_estimate = kw.Get(RouteEstimate, eq="digest", rate="5k/s", peak="15k/s", p99_ms=5)
keep_route_estimate = kw.Put(RouteEstimate, rate="3k/s", peak="9k/s", p99_ms=10)


class Quote(BaseModel):
    """A price that holds for ten minutes; the service removes the item within days."""

    __store__: ClassVar = kw.Item(quotes, pk="QUOTE#{quote_id}", sk="QUOTE", expected=300_000_000, active=0.6)

    quote_id: UUID
    rider_id: Annotated[RiderId, kw.Ref(Rider, on_missing="ignore", max_referrers=2_000)]
    city_id: CityId
    product: Product
    fare_minor: Minor
    surge_bp: BasisPoints
    currency: Currency
    quoted_at: datetime
    holds_until: datetime
    expires_at: Annotated[datetime, kw.Ttl()]


make_quote = kw.Put(Quote, if_absent=True, rate="2k/s", peak="6k/s", p99_ms=30)
quote = kw.Get(Quote, eq="quote_id", rate="2.5k/s", peak="7k/s", p99_ms=20)
quote_to_order = kw.Get(
    Quote, eq="quote_id", consistency="strong", reads_back=[make_quote], rate="170/s", peak="600/s", p99_ms=20
)
