"""The sellers' side in MongoDB: publishers, their people, placements, seller lists and complaints."""

from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.common import Box, Category, Country, Cpm, CreativeId, Domain, Format, PlacementId, PublisherId
from models.demand import Creative

supply = kw.MongoDatabase("supply", owner="supply")
bid_cache = kw.RedisServer("bid-cache", role="cache", owner="auction-core")

IGNORE_CASE = kw.Collation(locale="en", strength=2)


class Publisher(BaseModel):
    """A house that sells space."""

    __store__: ClassVar = kw.Collection(
        supply, "publishers", id="{publisher_id}", indexes=[kw.Index("house", collation=IGNORE_CASE)], expected=9_000
    )

    publisher_id: PublisherId
    house: Annotated[str, Field(max_length=120)]
    country: Country
    revenue_share_percent: Annotated[int, Field(ge=40, le=95)]
    standing: Literal["trial", "active", "blocked"]
    since: date


publisher = kw.Get(Publisher, eq="publisher_id", rate="50/s", p99_ms=25, cache_ttl=timedelta(minutes=2))
publishers_by_house = kw.Read(Publisher, order="house", collation=IGNORE_CASE, limit=100, rate="900/day", p99_ms=120)
sign_publisher = kw.Put(Publisher, if_absent=True, rate="12/day", p99_ms=120)
change_standing = kw.Update(Publisher, sets="standing", rate="20/day", p99_ms=120)


class ConsoleUser(BaseModel):
    """Somebody who works with the console."""

    __store__: ClassVar = kw.Collection(
        supply,
        "console_users",
        id="{user_id}",
        indexes=[kw.Index("login_hash", unique=True), kw.Index(["publisher_id", "user_id"])],
        expected=31_000,
    )

    user_id: Annotated[str, Field(pattern=r"^u[0-9]{7}$")]
    publisher_id: Annotated[PublisherId, kw.Ref(Publisher, on_missing="fail", max_referrers=250)]
    mail: Annotated[str, Field(max_length=254), kw.Pii()]
    login_hash: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    given_name: Annotated[str, Field(max_length=60), kw.Pii()]
    family_name: Annotated[str, Field(max_length=60), kw.Pii()]
    password: Annotated[str, Field(min_length=10, max_length=72)]
    duty: Literal["viewer", "trader", "finance", "owner"]


user_at_login = kw.Get(ConsoleUser, eq="login_hash", rate="1/s", peak="15/s", p99_ms=40)
people_of_publisher = kw.Read(ConsoleUser, eq="publisher_id", order="user_id", limit=50, rate="2k/day", p99_ms=80)
add_person = kw.Put(ConsoleUser, if_absent=True, rate="40/day", p99_ms=120)
renew_password = kw.Update(ConsoleUser, sets="password", rate="150/day", p99_ms=120)
remove_person = kw.Delete(ConsoleUser, rate="30/day", p99_ms=120)


class Placement(BaseModel):
    """A space on a site or in an application."""

    __store__: ClassVar = kw.Collection(
        supply,
        "placements",
        id="{placement_id}",
        indexes=[kw.Index(["publisher_id", "site", "label"])],
        expected=60_000,
    )

    placement_id: PlacementId
    publisher_id: Annotated[PublisherId, kw.Ref(Publisher, on_missing="fail", max_referrers=1_500)]
    site: Domain
    label: Annotated[str, Field(max_length=80)]
    format: Format
    sizes: Annotated[list[Box], Field(max_length=10)]
    refused: Annotated[list[Category], Field(max_length=60)] = []
    default_floor: Cpm
    enabled: bool = True


placement_in_auction = kw.bind(
    Placement,
    kw.RedisCache(bid_cache, key="placement:{placement_id}", ttl=timedelta(minutes=5), source_of_truth=Placement),
)

placement = kw.Get(Placement, eq="placement_id", rate="220/s", p99_ms=25)
placement_of_request = kw.Get(
    placement_in_auction, eq="placement_id", rate="12k/s", peak="30k/s", hot_key="500/s", p99_ms=4
)
placements_of_site = kw.Read(Placement, eq=["publisher_id", "site"], order="label", limit=60, rate="10/s", p99_ms=60)
open_placement = kw.Put(Placement, if_absent=True, rate="90/day", p99_ms=120)
change_placement = kw.Update(
    Placement, sets=["sizes", "refused", "default_floor", "enabled"], rate="2k/day", p99_ms=120
)


class SellerList(BaseModel):
    """The ads.txt of a site; the crawler fetches it from the site once a day and follows its redirects."""

    __store__: ClassVar = kw.Collection(supply, "seller_lists", id="{site}", expected=140_000)

    site: Annotated[Domain, kw.Cardinality(distinct=140_000)]
    authorized: Annotated[list[Annotated[str, Field(max_length=60)]], Field(max_length=200)]
    fetched_at: datetime
    outcome: Literal["found", "absent", "unreadable"]


sellers_in_auction = kw.bind(
    SellerList, kw.RedisCache(bid_cache, key="sellers:{site}", ttl=timedelta(seconds=1), source_of_truth=SellerList)
)

seller_list = kw.Get(SellerList, eq="site", rate="60/s", p99_ms=40)
sellers_of_site = kw.Get(sellers_in_auction, eq="site", rate="12k/s", peak="30k/s", hot_key="900/s", p99_ms=4)
save_sellers = kw.Put(SellerList, rate="140k/day", peak="10/s", p99_ms=120)


class Complaint(BaseModel):
    """What a reader complains of; the desk finds cases by words of their headline."""

    __store__: ClassVar = kw.Collection(
        supply,
        "complaints",
        id="{case_number}",
        indexes=[kw.Index(["publisher_id", "-received_at"]), kw.TextIndex(["headline", "health_details"])],
        expected=180_000,
        active=0.05,
    )

    case_number: Annotated[str, Field(pattern=r"^C[0-9]{8}$")]
    publisher_id: Annotated[PublisherId, kw.Ref(Publisher, on_missing="ignore", max_referrers=9_000)]
    creative_id: Annotated[CreativeId, kw.Ref(Creative, on_missing="ignore", max_referrers=4_000)]
    headline: Annotated[str, Field(max_length=160)]
    health_details: Annotated[str | None, Field(max_length=2_000), kw.Pii()] = None
    reader_mail: Annotated[str | None, Field(max_length=254), kw.Pii()] = None
    received_at: Annotated[datetime, kw.Ttl(after=timedelta(days=540))]
    state: Literal["new", "in_work", "upheld", "dismissed"] = "new"


complaint = kw.Get(Complaint, eq="case_number", rate="3k/day", p99_ms=60)
find_complaints = kw.Read(Complaint, search=["headline", "health_details"], limit=25, rate="600/day", p99_ms=300)
complaints_about = kw.Read(Complaint, eq="publisher_id", order="-received_at", limit=40, rate="1k/day", p99_ms=100)
receive_complaint = kw.Put(Complaint, if_absent=True, rate="330/day", p99_ms=150)
settle_complaint = kw.Update(Complaint, sets="state", rate="500/day", p99_ms=150)
erase_complaint = kw.Delete(Complaint, rate="5/day", p99_ms=150)
