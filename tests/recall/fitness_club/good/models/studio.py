"""The timetable, and what is sold at the bar."""

from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar, Literal

import keywright as kw
from pydantic import BaseModel, Field

from models.bookings import ClassId
from models.members import ULID, ClubId, MemberId

TrainerId = Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26), kw.Cardinality(distinct=9_000)]

studio = kw.MongoDatabase("studio", owner="classes")


class StudioClass(BaseModel):
    """One class on the timetable, with all that its page shows."""

    __store__: ClassVar = kw.Collection(
        studio,
        "classes",
        id="{class_id}",
        indexes=[kw.Index(["club_id", "starts_at"]), kw.Index(["trainer_id", "-starts_at"])],
        expected=3_000_000,
        active=0.02,
    )

    class_id: ClassId
    club_id: ClubId
    trainer_id: TrainerId
    title: Annotated[str, Field(max_length=80)]
    description: Annotated[str, kw.Size(avg=400, max=3_000)]
    level: Literal["easy", "medium", "hard"]
    starts_at: Annotated[datetime, kw.Ttl(after=timedelta(days=400))]
    minutes: Annotated[int, Field(ge=10, le=240)]


plan_class = kw.Put(StudioClass, rate="9k/day", p99_ms=100)
studio_class = kw.Get(StudioClass, eq="class_id", rate="120/s", p99_ms=20)
timetable = kw.Read(
    StudioClass, eq="club_id", range="starts_at", order="starts_at", limit=60, rate="80/s", peak="900/s", p99_ms=60
)
classes_of_trainer = kw.Read(StudioClass, eq="trainer_id", order="-starts_at", limit=30, rate="25/s", p99_ms=60)
change_trainer = kw.Update(StudioClass, sets="trainer_id", rate="400/day", p99_ms=100)


class SaleLine(BaseModel):
    """An article of a sale."""

    article: Annotated[str, Field(max_length=40)]
    quantity: Annotated[int, Field(ge=1, le=50)]
    price_cents: Annotated[int, Field(ge=0)]


class BarSale(BaseModel):
    """A receipt of the bar; the till gives it its number."""

    __store__: ClassVar = kw.Collection(
        studio,
        "bar_sales",
        id="{receipt_no}",
        indexes=[kw.Index(["club_id", "-sold_at"]), kw.Index(["member_id", "-sold_at"])],
        kind="money",
        expected=1_200_000_000,
        active=0.002,
        keep_forever="receipts: ten years",
    )

    receipt_no: Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26)]
    club_id: ClubId
    member_id: MemberId
    sold_at: datetime
    lines: Annotated[list[SaleLine], Field(min_length=1, max_length=30)]
    total_cents: Annotated[int, Field(ge=0)]


record_sale = kw.Put(BarSale, if_absent=True, rate="4/s", peak="150/s", p99_ms=100)
receipt = kw.Get(BarSale, eq="receipt_no", rate="5/s", p99_ms=30)
sales_of_club = kw.Read(
    BarSale, eq="club_id", range="sold_at", span=timedelta(days=1), order="-sold_at", limit=100, rate="8/s", p99_ms=80
)
sales_of_member = kw.Read(BarSale, eq="member_id", order="-sold_at", limit=30, rate="45/s", p99_ms=60)
turnover_of_club = kw.Aggregate(
    BarSale,
    eq="club_id",
    range="sold_at",
    span=timedelta(days=1),
    group=["{sold_at:hour}"],
    measures={"turnover": kw.Sum("total_cents")},
    rate="20/h",
    p99_ms=2_000,
)


class TradingDay(BaseModel):
    """The figures of the whole chain for a day; a job adds up the receipts every five minutes."""

    __store__: ClassVar = kw.Collection(studio, "trading_days", id="{day}", kind="analytics", expected=3_650)

    day: date
    receipts: Annotated[int, Field(ge=0)]
    turnover_cents: Annotated[int, Field(ge=0)]
    counted_until: datetime


write_trading_day = kw.Put(TradingDay, rate="12/h", p99_ms=200)
trading_day = kw.Get(TradingDay, eq="day", rate="2/s", p99_ms=30)
