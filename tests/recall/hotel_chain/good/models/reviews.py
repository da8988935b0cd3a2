"""What guests say about hotels, and what visitors and members do on the site."""

from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar

from pydantic import BaseModel, Field

import keywright as kw

from .booking import Reservation, ReservationId
from .guests import Guest, GuestId, MemberNo
from .hotels import Hotel, HotelId

reviews_db = kw.MongoDatabase("reviews", owner="guest-voice")
insights = kw.RedisServer("hotel-insights", role="primary", owner="guest-voice")


class Review(BaseModel):
    """A guest's review of a stay, one for each reservation."""

    __store__: ClassVar = kw.Collection(
        reviews_db,
        "reviews",
        id="{reservation_id}",
        indexes=[
            kw.Index(["hotel_id", "-written_at"]),
        ],
        expected=9_000_000,
        active=0.05,
        keep_forever="reviews stay until their guest or their hotel leaves",
    )

    reservation_id: Annotated[ReservationId, kw.Ref(Reservation, on_missing="ignore", max_referrers=1)]
    hotel_id: Annotated[HotelId, kw.Ref(Hotel, on_missing="hide", max_referrers=60_000)]
    guest_id: Annotated[GuestId, kw.Ref(Guest, on_missing="ignore", max_referrers=1_000)]
    rating: Annotated[int, Field(ge=1, le=10)]
    title: Annotated[str, Field(max_length=120), kw.Size(avg=30, max=240)]
    text: Annotated[str, Field(max_length=4_000), kw.Size(avg=400, max=8_000), kw.Pii()]
    written_at: datetime


write_review = kw.Put(Review, if_absent=True, rate="6k/day", peak="5/s", p99_ms=100)
reviews_of_hotel = kw.Read(
    Review,
    eq="hotel_id",
    order="-written_at",
    limit=20,
    rate="60/s",
    peak="250/s",
    p99_ms=50,
)


class OfferViews(BaseModel):
    """How often a hotel was shown in lists of offers on a day."""

    __store__: ClassVar = kw.RedisCounter(
        insights,
        key="views:{hotel_id:tag}:{day:date}",
        value="views",
        ttl=timedelta(days=40),
        kind="analytics",
        expected=32_000,
    )

    hotel_id: HotelId
    day: date
    views: Annotated[int, Field(ge=0)]


count_view = kw.Increment(OfferViews, "views", rate="12k/s", peak="30k/s", p99_ms=10)
views_of_day = kw.Get(OfferViews, eq=["hotel_id", "day"], rate="5/s", peak="40/s", p99_ms=10)


class CampaignStanding(BaseModel):
    """The nights that a member has collected in a campaign; the first hundred are on the site."""

    __store__: ClassVar = kw.RedisSortedSet(
        insights,
        key="campaign:{campaign:tag}",
        member="{member_no}",
        score="nights",
        ttl=timedelta(days=120),
        kind="analytics",
        expected=3_000_000,
    )

    campaign: Annotated[str, Field(pattern=r"^[a-z0-9-]{4,30}$"), kw.Size(avg=14, max=30), kw.Cardinality(distinct=6)]
    member_no: MemberNo
    nights: Annotated[int, Field(ge=0, le=400)]


add_nights = kw.Increment(CampaignStanding, "nights", rate="45k/day", peak="30/s", p99_ms=10)
top_members = kw.Read(CampaignStanding, eq="campaign", order="-nights", limit=100, rate="30/s", peak="120/s", p99_ms=10)
