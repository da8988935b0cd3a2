"""What must be quick, in Redis: shortlists, watched projects, seen homes, and the work that waits for workers."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal

import keywright as kw
from pydantic import BaseModel, Field

from .accounts import Member, MemberId
from .activity import VisitorId
from .enquiries import Enquiry, EnquiryId
from .listings import AgencyId, Listing, ListingId, Project, ProjectId, page_cache

shortlists = kw.RedisServer("shortlists", role="primary", owner="web", persistence=[kw.Aof(fsync="everysec"), kw.Rdb()])
watchlists = kw.RedisServer("watchlists", role="primary", owner="new-homes")
seen = kw.RedisServer("seen", role="sessions", owner="web", settings={"repl-backlog-size": "512mb"})
media = kw.RedisServer("media", role="queue", owner="catalogue", persistence=[kw.Aof(fsync="everysec"), kw.Rdb()])
outbox = kw.RedisServer("outbox", role="queue", owner="enquiries")


class Favourite(BaseModel):
    """A home on a member's shortlist, which has at most three hundred."""

    __store__: ClassVar = kw.RedisSortedSet(
        shortlists,
        key="shortlist:{member_id}",
        member="{listing_id}",
        score="saved_at",
        max_length=300,
        expected=60_000_000,
        keep_forever="members keep their shortlist as long as their account",
    )

    member_id: Annotated[MemberId, kw.Ref(Member, on_missing="hide")]
    listing_id: Annotated[ListingId, kw.Ref(Listing, on_missing="hide")]
    saved_at: datetime


keep_favourite = kw.Put(Favourite, rate="25/s", p99_ms=10)
drop_favourite = kw.Delete(Favourite, rate="12/s", p99_ms=10)
favourites = kw.Read(Favourite, eq="member_id", order="-saved_at", limit=60, rate="1.5k/s", p99_ms=10)
favourite_count = kw.Count(Favourite, eq="member_id", rate="2k/s", p99_ms=5)


class Watcher(BaseModel):
    """A member who wants news of a new-build project; the most wanted has some four hundred thousand."""

    __store__: ClassVar = kw.RedisSet(
        watchlists,
        key="watchers:{project_id}",
        member="{member_id}",
        expected=40_000_000,
        keep_forever="until the member leaves, or the project is removed",
    )

    project_id: Annotated[ProjectId, kw.Ref(Project, on_missing="hide", max_referrers=400_000)]
    member_id: Annotated[MemberId, kw.Ref(Member, on_missing="hide")]


watch_project = kw.Put(Watcher, rate="3/s", peak="1k/s", p99_ms=10)
leave_project = kw.Delete(Watcher, rate="1/s", p99_ms=10)
is_watching = kw.Get(Watcher, eq=["project_id", "member_id"], rate="900/s", p99_ms=5)
watcher_count = kw.Count(Watcher, eq="project_id", rate="300/s", p99_ms=5)

cached_project = kw.bind(
    Project,
    kw.RedisCache(page_cache, key="project:{project_id}", ttl=timedelta(minutes=15), source_of_truth=Project),
)

project_page = kw.Get(cached_project, eq="project_id", rate="700/s", p99_ms=5)


class SeenListing(BaseModel):
    """A home that a visitor has opened in the last month, so that results can show it in grey."""

    __store__: ClassVar = kw.RedisSortedSet(
        seen,
        key="{brand}:seen:{visitor_id:tag}",
        member="{listing_id}",
        score="seen_at",
        max_length=100,
        ttl=timedelta(days=30),
        expected=8_000_000,
        kind="feed",
    )

    brand: Literal["hearthline"] = "hearthline"
    visitor_id: VisitorId
    listing_id: Annotated[ListingId, kw.Ref(Listing, on_missing="ignore")]
    seen_at: datetime


class ResultPosition(BaseModel):
    """Where a visitor stopped in a list of results, for the way back from a detail page."""

    __store__: ClassVar = kw.RedisHash(
        seen, key="{brand}:position:{visitor_id:tag}", ttl=timedelta(hours=12), expected=2_000_000, kind="session"
    )

    brand: Literal["hearthline"] = "hearthline"
    visitor_id: VisitorId
    criteria: Annotated[str, kw.Size(avg=180, max=1_500)]
    page: Annotated[int, Field(ge=1, le=400)]
    row: Annotated[int, Field(ge=0, le=24)]


mark_seen = kw.Put(SeenListing, rate="6k/s", peak="15k/s", p99_ms=10)
seen_listings = kw.Read(
    SeenListing, eq=["brand", "visitor_id"], order="-seen_at", limit=100, rate="9k/s", peak="20k/s", p99_ms=10
)
keep_position = kw.Put(ResultPosition, rate="4k/s", peak="10k/s", p99_ms=10)
result_position = kw.Get(ResultPosition, eq=["brand", "visitor_id"], rate="2k/s", peak="6k/s", p99_ms=5)

resizers = kw.ConsumerGroup("resizers", idempotency="job_id", claim_after=timedelta(minutes=3))


class PhotoJob(BaseModel):
    """A photo that waits to be cut into the portal's sizes."""

    __store__: ClassVar = kw.RedisStream(media, key="jobs:photos", keep=2_500_000, groups=[resizers], kind="queue")

    job_id: Annotated[str, Field(pattern=r"^[0-9A-Z]{26}$"), kw.Size(avg=26, max=26)]
    listing_id: ListingId
    object_key: Annotated[str, Field(max_length=90)]


queue_photo = kw.Put(PhotoJob, rate="60/s", peak="500/s", p99_ms=10)
next_photos = kw.Take(PhotoJob, group=resizers, limit=20, rate="30/s", p99_ms=20)

crm_push = kw.ConsumerGroup("crm-push", idempotency="push_id", claim_after=timedelta(minutes=1))


class LeadPush(BaseModel):
    """An enquiry that must reach the agency's own software; a lost one is a lost customer."""

    __store__: ClassVar = kw.RedisStream(outbox, key="push:leads", keep=1_500_000, groups=[crm_push], kind="queue")

    push_id: Annotated[str, Field(pattern=r"^[0-9A-Z]{26}$"), kw.Size(avg=26, max=26)]
    enquiry_id: Annotated[EnquiryId, kw.Ref(Enquiry, on_missing="ignore")]
    agency_id: AgencyId


push_lead = kw.Put(LeadPush, rate="8/s", peak="250/s", p99_ms=10)
next_pushes = kw.Take(LeadPush, group=crm_push, limit=20, rate="60/s", p99_ms=20)
