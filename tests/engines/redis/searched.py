"""Hashes and JSON documents with indexes of Search, and patterns that read through them."""

from datetime import datetime
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import BaseModel, Field

import keywright as kw

server = kw.RedisServer("searched", role="primary", persistence=[])

Word = Annotated[str, Field(max_length=20, pattern="^[a-z0-9]+$")]


class Maker(BaseModel):
    name: str
    country: Literal["ch", "de", "fr"] = "ch"


class Product(BaseModel):
    """Documents with an index of every kind of field."""

    __store__: ClassVar = kw.RedisJson(
        server,
        key="product:{sku}",
        indexes=[
            kw.SearchIndex(
                "products",
                [
                    kw.SearchField("title", "text", weight=2),
                    kw.SearchField("about", "text", stem=False),
                    kw.SearchField("status", "tag"),
                    kw.SearchField("brand", "tag", sortable=True),
                    kw.SearchField("tags", "tag"),
                    kw.SearchField("maker.country", "tag"),
                    kw.SearchField("is_new", "tag"),
                    kw.SearchField("price", "numeric", sortable=True),
                    kw.SearchField("stock", "numeric"),
                    kw.SearchField("made_at", "tag", sortable=True),
                    kw.SearchField("owner", "tag"),
                    kw.SearchField("embedding", "vector", metric="euclidean"),
                ],
            )
        ],
    )
    sku: Word
    title: Annotated[str, Field(max_length=60)]
    about: Annotated[str, Field(max_length=60)] = ""
    status: Literal["new", "sold", "gone"] = "new"
    brand: Annotated[str, Field(min_length=1, max_length=20)]
    tags: Annotated[list[Annotated[str, Field(min_length=1, max_length=10)]], Field(max_length=5)] = []
    maker: Maker
    is_new: bool = False
    price: Annotated[float, Field(ge=0, le=1000)]
    stock: Annotated[int, Field(ge=0, le=1000)] | None = None
    made_at: datetime
    owner: UUID
    note: Annotated[str, Field(max_length=20)] = ""
    embedding: Annotated[list[float], kw.Vector(4)]


product = kw.Get(Product)
put_product = kw.Put(Product)
by_status = kw.Read(Product, eq="status", limit=10)
by_status_and_price = kw.Read(Product, eq="status", range="price", order="price", limit=5)
cheapest = kw.Read(Product, eq="status", order="price", limit=5)
dearest = kw.Read(Product, eq="status", order="-price", limit=7)
latest = kw.Read(Product, eq="status", order="-made_at", limit=5)
by_brand = kw.Read(Product, eq="brand", limit=10)
by_brands = kw.Read(Product, one_of="brand", order="brand", limit=10)
tagged = kw.Read(Product, contains="tags", limit=10)
of_country = kw.Read(Product, eq="maker.country", limit=10)
new_ones = kw.Read(Product, eq="status", where={"is_new": True}, limit=10)
in_stock = kw.Read(Product, eq="status", where={"stock": kw.AtLeast(100)}, limit=10)
not_sold = kw.Read(Product, eq="brand", where={"status": kw.Not("sold")}, limit=10)
of_owner = kw.Read(Product, eq="owner", limit=10)
noted = kw.Read(Product, eq=["status", "note"], limit=10)
search = kw.Read(Product, search=["title", "about"], limit=10)
search_new = kw.Read(Product, search="title", eq="status", limit=10)
similar = kw.Read(Product, near="embedding", limit=5)
similar_new = kw.Read(Product, eq="status", near="embedding", limit=5)
count_status = kw.Count(Product, eq="status")
count_brand = kw.Count(Product, eq="brand")
count_cheap = kw.Count(Product, eq="status", range="price")
first_of_owner = kw.Get(Product, eq="owner")
by_note = kw.Read(Product, eq="note", limit=10)
by_stock_order = kw.Read(Product, eq="status", order="stock", limit=5)
by_two = kw.Read(Product, eq="status", order=["price", "brand"], limit=5)


class Place(BaseModel):
    longitude: Annotated[float, Field(ge=-180, le=180)]
    latitude: Annotated[float, Field(ge=-85, le=85)]


class Shop(BaseModel):
    """Documents and their places."""

    __store__: ClassVar = kw.RedisJson(
        server,
        key="shop:{name}",
        computed={"spot": "{place.longitude},{place.latitude}"},
        indexes=[kw.SearchIndex("shops", [kw.SearchField("spot", "geo"), kw.SearchField("kind", "tag")])],
    )
    name: Word
    kind: Literal["a", "b"]
    place: Place


put_shop = kw.Put(Shop)
near_shops = kw.Read(Shop, near="place", limit=5)
near_of_kind = kw.Read(Shop, eq="kind", near="place", limit=5)


class Visitor(BaseModel):
    """Hashes with an index."""

    __store__: ClassVar = kw.RedisHash(
        server,
        key="visitor:{name}",
        computed={"home": "{city}-{level}"},
        indexes=[
            kw.SearchIndex(
                "visitors",
                [
                    kw.SearchField("city", "tag", sortable=True),
                    kw.SearchField("level", "tag"),
                    kw.SearchField("home", "tag"),
                    kw.SearchField("visits", "numeric", sortable=True),
                    kw.SearchField("share", "numeric"),
                    kw.SearchField("motto", "text"),
                ],
                stopwords=[],
            )
        ],
    )
    name: Word
    city: Annotated[str, Field(min_length=1, max_length=20)]
    level: Literal["low", "high"] = "low"
    visits: Annotated[int, Field(ge=0, le=2**40)] = 0
    share: float = 0.0
    motto: str = ""
    since: datetime | None = None


put_visitor = kw.Put(Visitor)
by_city = kw.Read(Visitor, eq="city", order="-visits", limit=10)
by_level = kw.Read(Visitor, eq="level", range="visits", order="visits", limit=10)
by_home = kw.Read(Visitor, eq="home", limit=10)
by_motto = kw.Read(Visitor, search="motto", limit=10)
by_share = kw.Read(Visitor, eq="level", range="share", limit=10)
count_city = kw.Count(Visitor, eq="city")
set_city = kw.Update(Visitor, sets=["city", "level"])
visit = kw.Increment(Visitor, "visits")
