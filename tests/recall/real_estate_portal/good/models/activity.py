"""What happens on the portal, in Cassandra: views, searches, statistics, alerts of members and sales of new homes."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

import keywright as kw
from pydantic import BaseModel, Field

from .accounts import Member, MemberId
from .enquiries import Day, Month
from .listings import AreaGuide, DistrictId, Listing, ListingId, MinorUnits, Project, ProjectId, Purpose

VisitorId = Annotated[UUID, kw.Cardinality(distinct=40_000_000)]

footprints = kw.Keyspace("footprints", owner="insights")
market = kw.Keyspace("market", owner="insights")
launches = kw.Keyspace("launches", owner="new-homes")


class ListingView(BaseModel):
    """A look at a home by a pseudonymous visitor; a day of a home is a partition."""

    __store__: ClassVar = kw.CqlTable(
        footprints,
        "listing_views",
        partition=["listing_id", "day"],
        clustering=["-viewed_at", "view_id"],
        computed={"day": "{viewed_at:date}"},
        ttl=timedelta(days=90),
        compaction=kw.TimeWindow(window=timedelta(days=3)),
        kind="event",
    )

    listing_id: Annotated[ListingId, kw.Ref(Listing, on_missing="ignore")]
    viewed_at: datetime
    view_id: UUID
    visitor_id: VisitorId
    came_from: Literal["search", "mail", "map", "partner", "direct"]
    seconds: Annotated[int, Field(ge=0, le=86_400)]


record_view = kw.Put(ListingView, rate="2k/s", peak="6k/s", p99_ms=80)
views_of_day = kw.Read(ListingView, eq=["listing_id", "day"], order="-viewed_at", limit=100, rate="40/s", p99_ms=60)


class SearchTrail(BaseModel):
    """A search by a visitor, newest first; a month of a visitor is a partition."""

    __store__: ClassVar = kw.CqlTable(
        footprints,
        "search_trails",
        partition=["visitor_id", "month"],
        clustering=["-searched_at", "search_id"],
        computed={"month": "{searched_at:month}"},
        ttl=timedelta(days=180),
        compaction=kw.TimeWindow(window=timedelta(days=6)),
        kind="event",
    )

    visitor_id: VisitorId
    searched_at: datetime
    search_id: UUID
    district_id: Annotated[DistrictId, kw.Ref(AreaGuide, on_missing="ignore")]
    purpose: Purpose
    price_to_minor: MinorUnits | None = None


record_search = kw.Put(SearchTrail, rate="1k/s", peak="3k/s", p99_ms=80)
trail_of_visitor = kw.Read(
    SearchTrail, eq=["visitor_id", "month"], order="-searched_at", limit=30, rate="1.5k/s", p99_ms=60
)


class ListingInsight(BaseModel):
    """What owners see of a home's days: approximate figures, which nothing is billed by."""

    __store__: ClassVar = kw.CqlTable(
        footprints,
        "listing_insights",
        partition=["listing_id", "month"],
        clustering="-day",
        counters=["views", "saves", "enquiries"],
        kind="analytics",
        keep_forever="counters cannot expire; a row a day of a live home is small",
    )

    listing_id: Annotated[ListingId, kw.Ref(Listing, on_missing="ignore")]
    month: Month
    day: Day
    views: int
    saves: int
    enquiries: int


count_view = kw.Increment(ListingInsight, "views", rate="2k/s", peak="6k/s", p99_ms=80)
count_save = kw.Increment(ListingInsight, "saves", rate="25/s", p99_ms=80)
insight_of_month = kw.Read(ListingInsight, eq=["listing_id", "month"], order="-day", limit=31, rate="80/s", p99_ms=60)


class AreaPrice(BaseModel):
    """Prices of a district in a month, from the land register."""

    __store__: ClassVar = kw.CqlTable(
        market, "area_prices", partition="district_id", clustering="-month", compaction=kw.Leveled(), expected=7_200_000
    )

    district_id: Annotated[DistrictId, kw.Ref(AreaGuide, on_missing="ignore", max_referrers=600)]
    month: Month
    median_minor: MinorUnits
    sales: Annotated[int, Field(ge=0)]


prices_of_district = kw.Read(AreaPrice, eq="district_id", order="-month", limit=60, rate="500/s", p99_ms=50)
price_of_month = kw.Get(AreaPrice, eq=["district_id", "month"], rate="100/s", p99_ms=50)
publish_price = kw.Put(AreaPrice, rate="30k/month", p99_ms=150)


class SearchMatch(BaseModel):
    """A home that fits a member's saved search, until the member waves it away or four months have passed."""

    __store__: ClassVar = kw.CqlTable(
        market,
        "search_matches",
        partition=["member_id", "month"],
        clustering=["-matched_at", "listing_id"],
        computed={"month": "{matched_at:month}"},
        ttl=timedelta(days=120),
        compaction=kw.Unified(),
        gc_grace=timedelta(days=10),
        kind="feed",
    )

    member_id: Annotated[MemberId, kw.Ref(Member, on_missing="ignore")]
    matched_at: datetime
    listing_id: Annotated[ListingId, kw.Ref(Listing, on_missing="hide")]
    search_label: Annotated[str, Field(max_length=60)]


add_match = kw.Put(SearchMatch, rate="150/s", peak="1.5k/s", p99_ms=100)
dismiss_match = kw.Delete(SearchMatch, rate="40/s", p99_ms=100)
matches_of_member = kw.Read(
    SearchMatch,
    eq=["member_id", "month"],
    order="-matched_at",
    limit=50,
    consistency="session",
    reads_back=[dismiss_match],
    rate="300/s",
    p99_ms=60,
)


class UnitSale(BaseModel):
    """A flat of a new-build project on the day of its launch: each flat is a partition, sold from one region."""

    __store__: ClassVar = kw.CqlTable(
        launches, "unit_sales", partition=["project_id", "unit_no"], expected=900_000, compaction=kw.Unified()
    )

    project_id: Annotated[ProjectId, kw.Ref(Project, on_missing="fail", max_referrers=2_000)]
    unit_no: Annotated[int, Field(ge=1, le=2_000), kw.Cardinality(distinct=2_000)]
    state: Literal["free", "reserved", "sold"] = "free"
    price_minor: MinorUnits
    buyer_id: Annotated[MemberId | None, kw.Ref(Member, on_missing="ignore")] = None


offer_unit = kw.Put(UnitSale, if_absent=True, rate="400/day", p99_ms=400)
unit_sale = kw.Get(UnitSale, eq=["project_id", "unit_no"], consistency="strong", rate="30/s", peak="300/s", p99_ms=300)
reserve_unit = kw.Update(
    UnitSale,
    sets=["state", "buyer_id"],
    where={"state": "free"},
    rate="2/s",
    peak="120/s",
    hot_key="2/s",
    p99_ms=600,
)
release_unit = kw.Update(UnitSale, sets=["state", "buyer_id"], where={"state": "reserved"}, rate="300/day", p99_ms=600)
sell_unit = kw.Update(UnitSale, sets="state", where={"state": "reserved"}, rate="300/day", p99_ms=600)
