"""What is learnt from sales: reports, price curves, visitors, cases of the help desk, and rendered seat plans."""

from datetime import date, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.catalogue import Cents, EventId, VenueId
from models.fans import GUARDED, Fan, FanId
from models.orders import Order, OrderId

reports = kw.MongoDatabase("reports", owner="finance")
helpdesk = kw.MongoDatabase("helpdesk", owner="support")
market = kw.Keyspace("market", owner="pricing")
pulse = kw.RedisServer("pulse", role="primary", owner="pricing", settings=GUARDED)
work = kw.RedisServer("work", role="queue", owner="programme", settings=GUARDED)

reported_order = kw.bind(
    Order,
    kw.Collection(
        reports,
        "orders",
        id="{order_id}",
        indexes=[kw.Index(["event_id", "-placed_at"]), kw.Index("placed_at")],
        stream=kw.Stream(
            consumers=[kw.Consumer("warehouse-feed", idempotency=["order_id", "state"], on_failure="queue")]
        ),
        expected=220_000_000,
        active=0.05,
        keep_forever="commercial law requires ten years, after which a yearly job moves them to the archive",
    ),
)

report_order = kw.Put(reported_order, rate="180k/day", peak="1.5k/s", p99_ms=150)
sales_of_event = kw.Read(reported_order, eq="event_id", order="-placed_at", limit=50, rate="15/s", p99_ms=80)
takings_of_event = kw.Aggregate(
    reported_order,
    eq="event_id",
    range="placed_at",
    span=timedelta(days=1),
    group=["{placed_at:hour}"],
    measures={"takings": kw.Sum("total"), "sales": kw.Distinct("order_id")},
    rate="2k/day",
    p99_ms=5_000,
)


class PricePoint(BaseModel):
    """What an event's cheapest seat cost, every hour; a month of an event is a partition of 744 rows at most."""

    __store__: ClassVar = kw.CqlTable(
        market,
        "price_points",
        partition=["event_id", "month"],
        clustering="-seen_at",
        computed={"month": "{seen_at:month}"},
        ttl=timedelta(days=400),
        compaction=kw.TimeWindow(window=timedelta(days=14)),
        kind="reading",
    )

    event_id: EventId
    seen_at: AwareDatetime
    cheapest: Cents
    on_offer: Annotated[int, Field(ge=0)]


price_curve = kw.Read(
    PricePoint,
    eq="event_id",
    range="seen_at",
    span=timedelta(days=90),
    order="-seen_at",
    limit=2_200,
    fan_out=4,
    rate="20/s",
    peak="90/s",
    p99_ms=300,
)
note_price = kw.Put(PricePoint, rate="6/s", peak="40/s", p99_ms=80)


class Visitor(BaseModel):
    """Somebody who looked at an event on a day: counted, true to one in a hundred."""

    __store__: ClassVar = kw.RedisHyperLogLog(
        pulse,
        key="visitors:{event_id:tag}:{day:date}",
        member="{client}",
        ttl=timedelta(days=45),
        kind="analytics",
    )

    event_id: EventId
    day: date
    client: Annotated[str, Field(pattern=r"^[0-9a-f]{16}$", max_length=16), kw.Cardinality(distinct=4_000_000)]


visit = kw.Put(Visitor, rate="3k/s", peak="20k/s", p99_ms=10)
visitors_of_day = kw.Count(Visitor, eq=["event_id", "day"], rate="40/s", p99_ms=10)


class Case(BaseModel):
    """A request to the help desk; needs of a visitor with a disability are for the steward alone."""

    __store__: ClassVar = kw.Collection(
        helpdesk,
        "cases",
        id="{case_id}",
        indexes=[
            kw.Index(["fan_id", "-opened_at"]),
            kw.Index(["queue", "opened_at"], where={"state": "open"}),
            kw.TextIndex(["subject", "resolution"], weights={"subject": 3}),
        ],
        expected=3_000_000,
        active=0.05,
    )

    case_id: Annotated[str, Field(min_length=26, max_length=26)]
    fan_id: Annotated[FanId, kw.Ref(Fan, on_missing="hide", max_referrers=300)]
    order_id: OrderId | None = None
    queue: Annotated[str, Field(max_length=20), kw.Cardinality(distinct=25)]
    state: Literal["open", "waiting", "closed"]
    subject: Annotated[str, Field(max_length=160)]
    message: Annotated[str, kw.Size(avg=500, max=8_000), kw.Pii()]
    medical_needs: Annotated[str | None, kw.Size(avg=120, max=2_000), kw.Pii()] = None
    resolution: Annotated[str | None, kw.Size(avg=200, max=4_000)] = None
    opened_at: Annotated[AwareDatetime, kw.Ttl(after=timedelta(days=730))]


case = kw.Get(Case, eq="case_id", rate="20/s", p99_ms=30)
cases_of_fan = kw.Read(Case, eq="fan_id", order="-opened_at", limit=20, rate="8/s", p99_ms=60)
open_cases = kw.Read(Case, eq="queue", where={"state": "open"}, order="opened_at", limit=50, rate="10/s", p99_ms=60)
similar_cases = kw.Read(Case, search=["subject", "resolution"], limit=20, rate="4/s", p99_ms=300)
open_case = kw.Put(Case, if_absent=True, rate="4k/day", p99_ms=150)
close_case = kw.Update(Case, sets=["state", "resolution"], rate="4k/day", p99_ms=150)


renderers = kw.ConsumerGroup("renderers", idempotency="job_id", claim_after=timedelta(minutes=3))


class RenderRequest(BaseModel):
    """A seat map to be drawn in all sizes."""

    __store__: ClassVar = kw.RedisStream(work, key="render:requests", keep=100_000, groups=[renderers], kind="queue")

    job_id: Annotated[str, Field(min_length=26, max_length=26)]
    venue_id: VenueId
    version: Annotated[int, Field(ge=1, le=9_999)]


class RenderJob(BaseModel):
    """How far a drawing is, and where its files are; the editor asks for it for some minutes."""

    __store__: ClassVar = kw.RedisHash(work, key="render:job:{job_id}", ttl=timedelta(days=1), expected=5_000)

    job_id: Annotated[str, Field(min_length=26, max_length=26)]
    state: Literal["waiting", "drawing", "done", "failed"]
    percent: Annotated[int, Field(ge=0, le=100)] = 0
    files: Annotated[str, Field(max_length=2_000)] = ""


ask_for_render = kw.Put(RenderRequest, rate="4k/day", peak="30/s", p99_ms=20)
next_render = kw.Take(RenderRequest, group=renderers, limit=5, rate="2/s", p99_ms=50)
begin_render_job = kw.Put(RenderJob, rate="4k/day", peak="30/s", p99_ms=20)
render_job = kw.Get(RenderJob, eq="job_id", rate="20/s", p99_ms=10)
advance_render_job = kw.Update(RenderJob, sets=["state", "percent", "files"], rate="5/s", peak="100/s", p99_ms=20)
