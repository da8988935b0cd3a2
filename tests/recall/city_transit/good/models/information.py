"""Disruptions and what riders are told about them."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.cards import RiderId, Ulid
from models.timetable import Route, network
from models.vehicles import RouteId

inbox = kw.MongoDatabase("inbox", owner="information")


class Bulletin(BaseModel):
    """A message of the control room about a disruption."""

    at: datetime
    text: Annotated[str, kw.Size(avg=160, max=1_200)]


class Disruption(BaseModel):
    """A disruption with its bulletins; those that are going on have an index of their own."""

    __store__: ClassVar = kw.Collection(
        network,
        "disruptions",
        id="{disruption_id}",
        indexes=[
            kw.Index("-starts_at", where={"status": "ongoing"}),
            kw.Index(["route_ids", "-starts_at"]),
        ],
        expected=250_000,
        active=0.002,
        keep_forever="the authority evaluates disruptions over the term of the concession",
    )

    disruption_id: Ulid
    title: Annotated[str, Field(max_length=120)]
    cause: Annotated[str, kw.Size(avg=80, max=600)]
    severity: Literal["notice", "delay", "interruption"]
    status: Literal["planned", "ongoing", "over"]
    route_ids: Annotated[list[Annotated[RouteId, kw.Ref(Route, on_missing="hide")]], Field(max_length=60)]
    starts_at: datetime
    ends_at: datetime | None = None
    bulletins: Annotated[list[Bulletin], Field(max_length=60)] = []


open_disruption = kw.Put(Disruption, if_absent=True, rate="150/day", p99_ms=100)
ongoing_disruptions = kw.Read(
    Disruption,
    where={"status": "ongoing"},
    order="-starts_at",
    limit=100,
    fields=["title", "severity", "route_ids", "starts_at"],
    cache_ttl=timedelta(seconds=20),
    rate="10/s",
    peak="30/s",
    p99_ms=50,
)
disruptions_of_route = kw.Read(
    Disruption, contains="route_ids", order="-starts_at", limit=20, rate="10/s", peak="50/s", p99_ms=50
)
add_bulletin = kw.Update(Disruption, pushes="bulletins", rate="800/day", p99_ms=100)
end_disruption = kw.Update(
    Disruption, sets=["status", "ends_at"], where={"status": "ongoing"}, rate="150/day", p99_ms=100
)


class Notice(BaseModel):
    """A notice in a rider's inbox, for thirty days."""

    __store__: ClassVar = kw.Collection(
        inbox,
        "notices",
        id="{notice_id}",
        indexes=[kw.Index(["rider_id", "-sent_at"])],
        shard_key=kw.ShardKey(on="rider_id", hashed=True),
        kind="feed",
        expected=45_000_000,
        active=0.05,
    )

    notice_id: Ulid
    rider_id: RiderId
    disruption_id: Annotated[Ulid, kw.Ref(Disruption, on_missing="ignore", max_referrers=400_000)]
    text: Annotated[str, kw.Size(avg=140, max=400)]
    sent_at: Annotated[datetime, kw.Ttl(after=timedelta(days=30))]


deliver_notice = kw.Put(Notice, rate="18/s", peak="1k/s", p99_ms=100)
inbox_of_rider = kw.Read(Notice, eq="rider_id", order="-sent_at", limit=30, rate="40/s", peak="300/s", p99_ms=50)
