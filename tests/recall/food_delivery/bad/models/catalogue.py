"""Outlets, their menus and what is left of limited dishes."""

from datetime import datetime, time, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.common import BrandId, ChoiceLabel, Currency, DayText, DishId, GeoSpot, Market, Minor, OutletId, ZoneId

by_zone = kw.Gsi(
    "by_zone",
    pk="zone_id",
    sk=["cuisine", "outlet_id"],
    project=["name", "brand_id", "fee_minor", "accepting"],
)
by_brand = kw.Gsi("by_brand", pk="brand_id", sk=["city_name", "outlet_id"], project=["name", "zone_id", "accepting"])
catalogue = kw.DynamoTable(
    "catalogue",
    owner="menus",
    gsis=[by_zone, by_brand],
    stream=kw.Stream(
        consumers=[kw.Consumer("menu-publisher", idempotency=["outlet_id", "edition"], on_failure="queue")]
    ),
)
portions = kw.DynamoTable("portions", owner="menus")
menu_cache = kw.RedisServer(
    "menu-cache",
    role="cache",
    owner="menus",
    eviction="allkeys-lfu",
    settings={"slowlog-log-slower-than": 10_000, "repl-backlog-size": "64mb"},
)


class OpenSpell(BaseModel):
    """Hours of one weekday; midnight ends a spell."""

    weekday: Annotated[int, Field(ge=1, le=7)]
    opens: time
    closes: time


class Outlet(kw.Model):
    """One kitchen with its counter."""

    __store__: ClassVar = kw.Item(catalogue, pk="OUTLET#{outlet_id}", sk="ABOUT", expected=700_000, active=0.6)

    outlet_id: OutletId
    brand_id: BrandId
    market: Market
    name: Annotated[str, Field(max_length=90), kw.Size(avg=22, max=180)]
    city_name: Annotated[str, Field(max_length=60), kw.Size(avg=9, max=120)]
    zone_id: ZoneId
    cuisine: Annotated[str, Field(max_length=24), kw.Size(avg=8, max=24), kw.Cardinality(distinct=60)]
    spot: GeoSpot
    spells: Annotated[list[OpenSpell], Field(max_length=28)]
    fee_minor: Minor
    least_minor: Minor
    currency: Currency
    accepting: bool = True
    edition: Annotated[int, Field(ge=1)]


outlet = kw.Get(Outlet, eq="outlet_id", rate="900/s", peak="4k/s", hot_key="250/s", p99_ms=15)
outlets_of_zone = kw.Read(
    Outlet,
    eq="zone_id",
    fields=["outlet_id", "name", "brand_id", "cuisine", "fee_minor", "accepting"],
    order=["cuisine", "outlet_id"],
    limit=100,
    rate="200/s",
    peak="900/s",
    hot_key="20/s",
    p99_ms=40,
)
outlets_of_brand = kw.Read(
    Outlet,
    eq="brand_id",
    fields=["outlet_id", "city_name", "name", "zone_id", "accepting"],
    order=["city_name", "outlet_id"],
    limit=100,
    rate="6/s",
    p99_ms=60,
)
save_outlet = kw.Put(Outlet, rate="20k/day", p99_ms=80)
switch_accepting = kw.Update(Outlet, sets=["accepting", "edition"], rate="18/s", peak="120/s", p99_ms=50)


class Choice(BaseModel):
    """Something that may be added to a dish."""

    label: ChoiceLabel
    extra_minor: Minor


class Dish(kw.Model):
    """A dish as the restaurant edits it; pictures are in S3 under their digest."""

    __store__: ClassVar = kw.Item(
        catalogue, pk="OUTLET#{outlet_id}", sk="DISH#{dish_id}", expected=42_000_000, active=0.05
    )

    outlet_id: OutletId
    dish_id: DishId
    section: Annotated[str, Field(max_length=60), kw.Size(avg=12, max=120)]
    title: Annotated[str, Field(max_length=90), kw.Size(avg=24, max=180)]
    description: Annotated[str, Field(max_length=600), kw.Size(avg=110, max=1_200)] = ""
    allergens: Annotated[list[Literal["gluten", "milk", "egg", "nuts", "fish", "soy", "sesame"]], Field(max_length=7)]
    choices: Annotated[list[Choice], Field(max_length=40)] = []
    price_minor: Minor
    picture_key: Annotated[str, Field(max_length=80), kw.Size(avg=64, max=80)] = ""
    edition: Annotated[int, Field(ge=1)]


dishes_of_outlet = kw.Read(Dish, eq="outlet_id", order="dish_id", limit=100, rate="30/s", peak="120/s", p99_ms=60)
dish_at_checkout = kw.Get(
    Dish, eq=["outlet_id", "dish_id"], consistency="strong", rate="350/s", peak="2.2k/s", p99_ms=15
)
edit_dish = kw.Put(Dish, rate="700k/day", peak="60/s", p99_ms=60)
import_dishes = kw.Put(Dish, batch=90)
import_menu = kw.Transact([import_dishes], rate="9/s", peak="25/s", p99_ms=900)
drop_dish = kw.Delete(Dish, rate="40k/day", p99_ms=60)


class PageDish(BaseModel):
    """What the page shows of a dish."""

    dish_id: DishId
    title: Annotated[str, kw.Size(avg=24, max=180)]
    price_minor: Minor
    picture_key: Annotated[str, kw.Size(avg=64, max=80)] = ""


class MenuPage(kw.Model):
    """A menu as the app shows it, which the publisher makes from the dishes."""

    __store__: ClassVar = kw.Item(catalogue, pk="OUTLET#{outlet_id}", sk="PAGE", expected=700_000, active=0.5)

    outlet_id: OutletId
    edition: Annotated[int, Field(ge=1)]
    made_at: datetime
    dishes: Annotated[list[PageDish], Field(max_length=400), kw.Size(avg=7_000, max=60_000)]


cached_page = kw.bind(
    MenuPage,
    kw.RedisCache(
        menu_cache, key="page:{outlet_id}", ttl=timedelta(minutes=10), source_of_truth=MenuPage, expected=350_000
    ),
)

menu_page = kw.Get(cached_page, eq="outlet_id", rate="5k/s", peak="24k/s", hot_key="900/s", p99_ms=5)
menu_page_on_miss = kw.Get(MenuPage, eq="outlet_id", rate="300/s", peak="900/s", hot_key="20/s", p99_ms=25)
publish_page = kw.Put(MenuPage, rate="15/s", peak="60/s", p99_ms=80)


class DailyPortions(kw.Model):
    """What is left today of a dish that a kitchen makes a limited number of."""

    __store__: ClassVar = kw.Item(
        portions, pk="PORTIONS#{outlet_id}#{day}", sk="{dish_id}", kind="stock", expected=900_000
    )

    outlet_id: OutletId
    day: DayText
    dish_id: DishId
    portions_left: int
    purge_at: Annotated[datetime, kw.Ttl()]


portions_today = kw.Read(
    DailyPortions,
    eq=["outlet_id", "day"],
    order="dish_id",
    limit=60,
    rate="400/s",
    peak="2k/s",
    hot_key="60/s",
    p99_ms=15,
)
set_portions = kw.Put(DailyPortions, batch=10, rate="6/s", peak="60/s", p99_ms=60)
take_portion = kw.Increment(DailyPortions, "portions_left", by=-1)
give_back_portion = kw.Increment(DailyPortions, "portions_left", rate="1/s", peak="8/s", p99_ms=40)
