"""The hotels themselves: where they are, what they offer, and their rooms."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw

property_db = kw.MongoDatabase("property", owner="property-systems")
pages = kw.RedisServer("hotel-pages", role="cache", owner="web")

HotelId = Annotated[str, Field(pattern=r"^[A-Z]{3}[0-9]{3}$"), kw.Size(avg=6, max=6), kw.Cardinality(distinct=800)]
RoomTypeCode = Annotated[str, Field(pattern=r"^[A-Z0-9]{2,6}$"), kw.Size(avg=4, max=6), kw.Cardinality(distinct=60)]
RoomNumber = Annotated[str, Field(pattern=r"^[A-Z0-9]{2,6}$"), kw.Size(avg=4, max=6), kw.Cardinality(distinct=3_000)]
CitySlug = Annotated[str, Field(pattern=r"^[a-z-]{2,40}$"), kw.Size(avg=10, max=40), kw.Cardinality(distinct=350)]


class Hotel(BaseModel):
    """A hotel with what a visitor of the site needs to know about it."""

    __store__: ClassVar = kw.Collection(
        property_db,
        "hotels",
        id="{hotel_id}",
        indexes=[
            kw.Index(["city_slug", "status", "name"]),
        ],
        expected=800,
    )

    hotel_id: HotelId
    name: Annotated[str, Field(max_length=120), kw.Size(avg=30, max=240)]
    brand: Literal["grand", "urban", "express", "residence"]
    city_slug: CitySlug
    country: Annotated[str, Field(pattern=r"^[A-Z]{2}$")]
    longitude: Annotated[float, Field(ge=-180, le=180)]
    latitude: Annotated[float, Field(ge=-90, le=90)]
    description: Annotated[str, Field(max_length=4_000), kw.Size(avg=1_500, max=8_000)]
    amenities: Annotated[
        list[Annotated[str, Field(pattern=r"^[a-z_]{2,30}$"), kw.Size(avg=9, max=30)]], Field(max_length=40)
    ]
    time_zone: Annotated[str, Field(max_length=40)]
    status: Literal["opening", "open", "closed"]
    updated_at: datetime


hotel = kw.Get(Hotel, eq="hotel_id", rate="60/s", peak="250/s", p99_ms=20)
save_hotel = kw.Put(Hotel, rate="400/day", p99_ms=100)
hotels_in_city = kw.Read(
    Hotel, eq="city_slug", where={"status": "open"}, order="name", limit=50, rate="40/s", peak="200/s", p99_ms=40
)


class HotelPage(BaseModel):
    """The part of a hotel's page that is the same for every visitor, ready to be sent."""

    __store__: ClassVar = kw.RedisCache(
        pages, key="page:{hotel_id}", ttl=timedelta(minutes=15), source_of_truth=Hotel, kind="cache", expected=800
    )

    hotel_id: HotelId
    html: Annotated[str, Field(max_length=60_000), kw.Size(avg=14_000, max=60_000)]
    made_at: datetime


hotel_page = kw.Get(HotelPage, eq="hotel_id", rate="90/s", peak="250/s", p99_ms=10)
fill_hotel_page = kw.Put(HotelPage, rate="1/s", peak="20/s", p99_ms=20)


class Room(BaseModel):
    """A room with a door and a number."""

    __store__: ClassVar = kw.Collection(
        property_db,
        "rooms",
        id="{hotel_id}:{room_number}",
        indexes=[kw.Index(["hotel_id", "room_type", "room_number"])],
        expected=120_000,
    )

    hotel_id: Annotated[HotelId, kw.Ref(Hotel, on_missing="fail", max_referrers=3_000)]
    room_number: RoomNumber
    room_type: RoomTypeCode
    floor: Annotated[int, Field(ge=-3, le=120)]
    is_accessible: bool = False
    connects_to: Annotated[list[RoomNumber], Field(max_length=3)] = []
    out_of_order_until: datetime | None = None


rooms_of_type = kw.Read(
    Room, eq=["hotel_id", "room_type"], order="room_number", limit=200, rate="10/s", peak="60/s", p99_ms=50
)
save_room = kw.Put(Room, rate="100/day", p99_ms=100)
