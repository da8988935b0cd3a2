"""The console in MongoDB: publishers, their members and keys, videos, dashboards and exports."""

from datetime import date, timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.common import CampaignId, MemberId, TenantId, VideoId, console

IGNORE_CASE = kw.Collation(locale="en", strength=2)


class Tenant(BaseModel):
    """A publisher."""

    __store__: ClassVar = kw.Collection(console, "tenants", id="{tenant_id}", expected=1_200)

    tenant_id: TenantId
    name: Annotated[str, Field(max_length=100)]
    plan: Literal["trial", "team", "business", "enterprise"]
    monthly_sessions: Annotated[int, Field(ge=0)]
    region: Literal["eu", "us"]
    features: Annotated[list[Annotated[str, Field(max_length=30)]], Field(max_length=40)] = []
    created_at: AwareDatetime


tenant = kw.Get(Tenant, eq="tenant_id", rate="40/s", p99_ms=20)
create_tenant = kw.Put(Tenant, if_absent=True, rate="3/day", p99_ms=100)
change_plan = kw.Update(Tenant, sets=["plan", "monthly_sessions", "features"], rate="20/day", p99_ms=100)


class Member(BaseModel):
    """A person who works with the console."""

    __store__: ClassVar = kw.Collection(
        console,
        "members",
        id="{member_id}",
        indexes=[kw.Index("email", unique=True, collation=IGNORE_CASE), kw.Index(["tenant_id", "name"])],
        expected=30_000,
    )

    member_id: MemberId
    tenant_id: Annotated[TenantId, kw.Ref(Tenant, on_missing="fail", max_referrers=2_000)]
    email: Annotated[str, Field(max_length=254), kw.Size(avg=26, max=254), kw.Pii()]
    name: Annotated[str, Field(max_length=80), kw.Size(avg=16, max=160), kw.Pii()]
    role: Literal["viewer", "analyst", "editor", "admin"]
    time_zone: Annotated[str, Field(max_length=40)] = "UTC"


invite_member = kw.Put(Member, if_absent=True, rate="80/day", p99_ms=100)
member = kw.Get(Member, eq="member_id", rate="20/s", p99_ms=20)
member_by_email = kw.Get(Member, eq="email", collation=IGNORE_CASE, rate="1/s", p99_ms=50)
members_of_tenant = kw.Read(Member, eq="tenant_id", order="name", limit=100, rate="2k/day", p99_ms=80)


class ApiKey(BaseModel):
    """A key of the interface, by its hash; a key is valid for two years at most."""

    __store__: ClassVar = kw.Collection(
        console,
        "api_keys",
        id="{key_hash}",
        indexes=[kw.Index(["tenant_id", "-created_at"])],
        kind="token",
        expected=9_000,
    )

    key_hash: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$", min_length=64, max_length=64)]
    tenant_id: Annotated[TenantId, kw.Ref(Tenant, on_missing="fail", max_referrers=50)]
    label: Annotated[str, Field(max_length=60)]
    scopes: Annotated[list[Literal["ingest", "read", "export", "admin"]], Field(min_length=1, max_length=4)]
    created_by: Annotated[MemberId, kw.Ref(Member, on_missing="ignore")]
    created_at: AwareDatetime
    expires_at: Annotated[AwareDatetime, kw.Ttl()]


issue_key = kw.Put(ApiKey, if_absent=True, rate="15/day", p99_ms=100)
api_key = kw.Get(ApiKey, eq="key_hash", consistency="strong", rate="150/s", p99_ms=20)
keys_of_tenant = kw.Read(ApiKey, eq="tenant_id", order="-created_at", limit=50, rate="300/day", p99_ms=80)
revoke_key = kw.Delete(ApiKey, rate="5/day", p99_ms=100)


class Rendition(BaseModel):
    """An encoding of a video."""

    height: Annotated[int, Field(ge=144, le=4_320)]
    codec: Literal["h264", "hevc", "av1", "vp9"]
    kbps: Annotated[int, Field(ge=50, le=200_000)]


class Video(BaseModel):
    """What the publisher told about a video."""

    __store__: ClassVar = kw.Collection(
        console,
        "videos",
        id="{video_id}",
        indexes=[
            kw.Index(["tenant_id", "-published_at"]),
            kw.Index(["tenant_id", "external_id"], unique=True),
            kw.Index(["tenant_id", "tags", "-published_at"]),
            kw.TextIndex(["title"]),
        ],
        expected=40_000_000,
        active=0.02,
    )

    video_id: VideoId
    tenant_id: Annotated[TenantId, kw.Ref(Tenant, on_missing="hide", max_referrers=6_000_000)]
    external_id: Annotated[str, Field(max_length=80), kw.Size(avg=24, max=160)]
    title: Annotated[str, Field(max_length=200), kw.Size(avg=45, max=400)]
    tags: Annotated[list[Annotated[str, Field(max_length=40)]], Field(max_length=20)] = []
    renditions: Annotated[list[Rendition], Field(max_length=16)] = []
    duration_ms: Annotated[int, Field(ge=0)]
    live: bool = False
    published_at: AwareDatetime


import_video = kw.Put(Video, rate="120k/day", peak="100/s", p99_ms=150)
video = kw.Get(Video, eq="video_id", rate="60/s", p99_ms=20)
video_by_external_id = kw.Get(Video, eq=["tenant_id", "external_id"], rate="40/s", p99_ms=30)
videos_of_tenant = kw.Read(Video, eq="tenant_id", order="-published_at", limit=50, rate="15/s", p99_ms=60)
videos_with_tag = kw.Read(
    Video, eq="tenant_id", contains="tags", order="-published_at", limit=50, rate="5/s", p99_ms=80
)
remove_video = kw.Delete(Video, rate="5k/day", p99_ms=100)


class Widget(BaseModel):
    """A chart of a dashboard."""

    chart: Literal["line", "bar", "table", "number", "map"]
    metric: Annotated[str, Field(max_length=40)]
    dimension: Annotated[str, Field(max_length=20)] | None = None
    filters: Annotated[dict[str, str], Field(max_length=8)] = {}
    position: Annotated[int, Field(ge=0, le=39)]


class Dashboard(BaseModel):
    """A dashboard with its charts, which are always read with it."""

    __store__: ClassVar = kw.Collection(
        console, "dashboards", id="{dashboard_id}", indexes=[kw.Index(["tenant_id", "title"])], expected=25_000
    )

    dashboard_id: UUID
    tenant_id: Annotated[TenantId, kw.Ref(Tenant, on_missing="hide", max_referrers=500)]
    owner_id: Annotated[MemberId, kw.Ref(Member, on_missing="ignore", max_referrers=200)]
    title: Annotated[str, Field(max_length=100)]
    widgets: Annotated[list[Widget], Field(max_length=40)]
    changed_at: AwareDatetime


save_dashboard = kw.Put(Dashboard, rate="2k/day", p99_ms=100)
dashboard = kw.Get(
    Dashboard, eq="dashboard_id", consistency="session", reads_back=[save_dashboard], rate="10/s", p99_ms=30
)
dashboards_of_tenant = kw.Read(
    Dashboard,
    eq="tenant_id",
    order="title",
    limit=100,
    fields=["dashboard_id", "title", "changed_at"],
    rate="2/s",
    p99_ms=60,
)


class Campaign(BaseModel):
    """An advertising campaign whose impressions are measured."""

    __store__: ClassVar = kw.Collection(
        console,
        "campaigns",
        id="{campaign_id}",
        indexes=[kw.Index(["tenant_id", "-starts_on"])],
        expected=60_000,
        active=0.1,
    )

    campaign_id: CampaignId
    tenant_id: Annotated[TenantId, kw.Ref(Tenant, on_missing="hide", max_referrers=5_000)]
    advertiser: Annotated[str, Field(max_length=100)]
    starts_on: date
    ends_on: date
    booked_impressions: Annotated[int, Field(ge=1)]


save_campaign = kw.Put(Campaign, rate="300/day", p99_ms=100)
campaigns_of_tenant = kw.Read(Campaign, eq="tenant_id", order="-starts_on", limit=50, rate="1/s", p99_ms=60)


class Export(BaseModel):
    """A file of figures that somebody ordered; the file and its entry go after a week."""

    __store__: ClassVar = kw.Collection(
        console,
        "exports",
        id="{export_id}",
        indexes=[kw.Index(["tenant_id", "-ordered_at"])],
        stream=kw.Stream(
            images="new", consumers=[kw.Consumer("queue-exports", idempotency="export_id", on_failure="queue")]
        ),
        expected=20_000,
    )

    export_id: UUID
    tenant_id: Annotated[TenantId, kw.Ref(Tenant, on_missing="hide", max_referrers=500)]
    ordered_by: Annotated[MemberId, kw.Ref(Member, on_missing="ignore")]
    query: Annotated[str, Field(max_length=4_000), kw.Size(avg=600, max=8_000)]
    state: Literal["queued", "running", "done", "failed"] = "queued"
    object_key: Annotated[str, Field(max_length=160)] | None = None
    ordered_at: Annotated[AwareDatetime, kw.Ttl(after=timedelta(days=7))]


order_export = kw.Put(Export, if_absent=True, rate="3k/day", p99_ms=100)
export = kw.Get(Export, eq="export_id", consistency="strong", rate="1/s", p99_ms=40)
exports_of_tenant = kw.Read(Export, eq="tenant_id", order="-ordered_at", limit=30, rate="3k/day", p99_ms=80)
finish_export = kw.Update(Export, sets=["state", "object_key"], where={"state": "running"}, rate="3k/day", p99_ms=100)
begin_export = kw.Update(Export, sets="state", where={"state": "queued"}, rate="3k/day", p99_ms=100)


class UsageDay(BaseModel):
    """What a publisher used on a day, for the invoice; the nightly job writes the day again until it is final."""

    __store__: ClassVar = kw.Collection(
        console,
        "usage_days",
        id="{tenant_id}@{day:date}",
        indexes=[kw.Index(["tenant_id", "-day"], unique=True)],
        kind="analytics",
        expected=3_000_000,
        active=0.01,
        keep_forever="invoices can be disputed for six years; the finance job removes older days",
    )

    tenant_id: Annotated[TenantId, kw.Ref(Tenant, on_missing="ignore", max_referrers=2_200)]
    day: date
    sessions: Annotated[int, Field(ge=0)]
    impressions: Annotated[int, Field(ge=0)]
    exported_rows: Annotated[int, Field(ge=0)]
    final: bool = False


write_usage = kw.Put(UsageDay, rate="4k/day", p99_ms=200)
usage_of_month = kw.Read(
    UsageDay, eq="tenant_id", range="day", span=timedelta(days=31), order="-day", limit=31, rate="2k/day", p99_ms=80
)
