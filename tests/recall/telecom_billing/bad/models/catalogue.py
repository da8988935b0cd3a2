"""What is sold and what a unit costs: tariffs and prices by zone."""

from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.customers import TariffCode

Zone = Literal["home", "eu", "world-1", "world-2", "world-3", "sea-air"]
Service = Literal["voice", "sms", "data"]
Plmn = Annotated[str, Field(pattern=r"^\d{5,6}$"), kw.Size(avg=5, max=6), kw.Cardinality(distinct=640)]

catalogue = kw.DynamoTable("catalogue", owner="products")
cache = kw.RedisServer("cache", role="cache", owner="platform")


class Bundle(BaseModel):
    """An allowance that belongs to a tariff."""

    service: Service
    amount: Annotated[int, Field(ge=1, le=10_000_000)]
    days: Annotated[int, Field(ge=1, le=366)]


class Tariff(BaseModel):
    """One version of a tariff; a version never changes once it is on sale."""

    __store__: ClassVar = kw.Item(catalogue, pk="TARIFF#{tariff_code}", sk="VERSION#{version:pad(4)}", expected=2_400)

    tariff_code: TariffCode
    version: Annotated[int, Field(ge=1, le=9_999)]
    name: Annotated[str, Field(max_length=60)]
    monthly_cents: Annotated[int, Field(ge=0)]
    bundles: Annotated[list[Bundle], Field(max_length=8)]
    terms: Annotated[str, kw.Size(avg=900, max=6_000)]
    on_sale_from: date


class ZoneRate(BaseModel):
    """The price of a unit in a zone, in millionths of a euro; changes are entered an hour before they count."""

    __store__: ClassVar = kw.Item(catalogue, pk="TARIFF#{tariff_code}", sk="RATE#{zone}#{service}", expected=7_200)

    tariff_code: TariffCode
    zone: Zone
    service: Service
    step: Annotated[int, Field(ge=1, le=1_048_576)]
    price_micros: Annotated[int, Field(ge=0)]
    valid_from: datetime


cached_rate = kw.bind(
    ZoneRate,
    kw.RedisCache(
        cache, key="rate:{tariff_code}:{zone}:{service}", ttl=timedelta(minutes=10), source_of_truth=ZoneRate
    ),
)

newest_tariff = kw.Read(Tariff, eq="tariff_code", order="-version", limit=1, rate="80/s", peak="300/s", p99_ms=20)
publish_tariff = kw.Put(Tariff, if_absent=True, rate="20/day", p99_ms=100)
rate_in_zone = kw.Get(ZoneRate, eq=["tariff_code", "zone", "service"], rate="40/s", p99_ms=20)
change_rate = kw.Put(ZoneRate, rate="200/day", p99_ms=100)
rate_for_rating = kw.Get(
    cached_rate,
    eq=["tariff_code", "zone", "service"],
    rate="3k/s",
    peak="9k/s",
    hot_key="2k/s",
    p99_ms=5,
    cache_ttl=timedelta(seconds=30),
)
cache_rate = kw.Put(cached_rate, rate="40/s", p99_ms=5)
