"""The printed paper: page layouts and press measurements in MongoDB, the delivery rounds in DynamoDB."""

from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar, Literal

import keywright as kw
from pydantic import BaseModel, Field

EditionId = Annotated[str, Field(max_length=20, pattern=r"^[a-z0-9-]+$"), kw.Cardinality(distinct=600)]
PressUnit = Annotated[str, kw.Size(avg=8, max=16), kw.Cardinality(distinct=480)]
RouteId = Annotated[str, Field(max_length=12, pattern=r"^[A-Z0-9-]+$"), kw.Cardinality(distinct=3_200)]
Region = Literal["north", "south", "east", "west", "capital", "islands"]

press = kw.MongoDatabase("press", owner="printing")
delivery = kw.DynamoTable("delivery", owner="printing")


class PageLayout(BaseModel):
    """A page with the vector markup of its advertisements; the plate maker gets each change with both images."""

    __store__: ClassVar = kw.Collection(
        press,
        "page_layouts",
        id="{edition_id}#{page:pad(3)}",
        stream=kw.Stream(
            images="new_and_old",
            consumers=[kw.Consumer("plate-maker", idempotency=["edition_id", "page", "version"], on_failure="queue")],
        ),
        expected=48_000,
        active=0.02,
    )

    edition_id: EditionId
    page: Annotated[int, Field(ge=1, le=128)]
    version: Annotated[int, Field(ge=1)]
    markup: Annotated[str, kw.Size(avg=900_000, max=9_000_000)]
    saved_at: Annotated[datetime, kw.Ttl(after=timedelta(days=90))]


page_layout = kw.Get(PageLayout, eq=["edition_id", "page"], rate="2/s", p99_ms=400)
save_layout = kw.Put(PageLayout, rate="6k/day", p99_ms=800)


class PressReading(BaseModel):
    """What a printing unit reports each second while the press runs."""

    __store__: ClassVar = kw.TimeSeries(
        press,
        "press_readings",
        time="at",
        meta="unit_id",
        granularity="hours",
        ttl=timedelta(days=30),
        kind="reading",
    )

    unit_id: PressUnit
    at: datetime
    web_tension: float
    ink_temperature: float


record_press = kw.Put(PressReading, batch=120, rate="4/s", p99_ms=200)
readings_of_unit = kw.Read(
    PressReading,
    eq="unit_id",
    range="at",
    span=timedelta(minutes=10),
    order="-at",
    limit=600,
    rate="5/s",
    p99_ms=150,
)


class DeliveryStop(BaseModel):
    """A letter box on a carrier's round of one night."""

    __store__: ClassVar = kw.Item(
        delivery,
        pk="REGION#{region}",
        sk="{night:date}#ROUTE#{route_id}#STOP#{position:pad(4)}",
        expected=5_500_000,
        active=0.15,
    )

    route_id: RouteId
    night: date
    position: Annotated[int, Field(ge=1, le=400)]
    region: Region
    street_address: Annotated[str, kw.Size(avg=42, max=160), kw.Pii()]
    copies: Annotated[int, Field(ge=1, le=50)]
    state: Literal["planned", "delivered", "missed"] = "planned"
    expires_at: Annotated[datetime, kw.Ttl()]


stops_of_route = kw.Read(
    DeliveryStop, eq=["region", "night", "route_id"], order="position", limit=100, rate="20/s", p99_ms=50
)
plan_stop = kw.Put(DeliveryStop, batch=25, rate="1/s", peak="40/s", p99_ms=200)
mark_stop = kw.Update(DeliveryStop, sets="state", rate="15/s", peak="300/s", p99_ms=50)
