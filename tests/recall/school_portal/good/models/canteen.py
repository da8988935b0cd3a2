"""The canteen: menus with portions, orders, and the pupils' prepaid accounts with every booking."""

from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.people import Pupil, PupilId, School, SchoolId, Ulid

Cents = Annotated[int, Field(ge=-50_000, le=50_000)]
Dish = Literal["A", "B", "V"]

kitchen_list = kw.Gsi("kitchen_list", pk=["school_id", "day"], sk=["dish", "pupil_id"], project=["state"])

canteen = kw.DynamoTable(
    "canteen",
    owner="canteen",
    gsis=[kitchen_list],
    stream=kw.Stream(
        consumers=[kw.Consumer("meal-reporting", idempotency=["pupil_id", "day", "state"], on_failure="queue")]
    ),
)
reporting = kw.MongoDatabase("reporting", owner="canteen")


class MenuDish(BaseModel):
    """A dish of a day with the portions that can still be ordered."""

    __store__: ClassVar = kw.Item(
        canteen,
        pk="KITCHEN#{school_id}",
        sk="MENU#{day:date}#{dish}",
        kind="stock",
        expected=4_000_000,
        active=0.02,
    )

    school_id: Annotated[SchoolId, kw.Ref(School, on_missing="fail", max_referrers=2_000)]
    day: date
    dish: Dish
    name: Annotated[str, Field(max_length=120), kw.Size(avg=40, max=240)]
    allergens: Annotated[list[Annotated[str, Field(max_length=3)]], Field(max_length=14)] = []
    price_cents: Annotated[int, Field(ge=0, le=2_000)]
    portions_left: Annotated[int, Field(ge=0, le=3_000)]


menu_of_week = kw.Read(
    MenuDish,
    eq="school_id",
    range="day",
    span=timedelta(days=7),
    order="day",
    limit=21,
    rate="25/s",
    peak="300/s",
    p99_ms=50,
)
publish_dish = kw.Put(MenuDish, if_absent=True, rate="7k/day", peak="20/s", p99_ms=50)


class MealAccount(BaseModel):
    """A pupil's prepaid balance in cents; it never falls below zero."""

    __store__: ClassVar = kw.Item(
        canteen, pk="ACCOUNT#{pupil_id}", sk="BALANCE", kind="money", expected=700_000, active=0.5
    )

    pupil_id: Annotated[PupilId, kw.Ref(Pupil, on_missing="fail", max_referrers=1)]
    balance_cents: Annotated[int, Field(ge=0, le=500_000)]
    opened_at: datetime


class LedgerEntry(BaseModel):
    """A booking; its id is chosen once for a payment or order, so that no retry books it twice."""

    __store__: ClassVar = kw.Item(
        canteen,
        pk="ACCOUNT#{pupil_id}",
        sk="ENTRY#{entry_id}",
        kind="money",
        expected=600_000_000,
        active=0.001,
        keep_forever="accounting records are kept for ten years and then archived with the account",
    )

    pupil_id: Annotated[PupilId, kw.Ref(MealAccount, on_missing="fail", max_referrers=3_000)]
    entry_id: Ulid
    booked_at: datetime
    amount_cents: Cents
    reason: Literal["top-up", "meal", "refund", "payout"]
    reference: Annotated[str, Field(max_length=40), kw.Size(avg=26, max=40)]


class MealOrder(BaseModel):
    """The meal of a pupil on a day; an order is binding once it is paid."""

    __store__: ClassVar = kw.Item(
        canteen, pk="ACCOUNT#{pupil_id}", sk="MEAL#{day:date}", expected=80_000_000, active=0.01
    )

    pupil_id: Annotated[PupilId, kw.Ref(Pupil, on_missing="hide", max_referrers=250)]
    day: date
    school_id: Annotated[SchoolId, kw.Ref(School, on_missing="fail", max_referrers=300_000)]
    dish: Dish
    price_cents: Annotated[int, Field(ge=0, le=2_000), kw.CopiedFrom(MenuDish, "price_cents", sync="never")]
    state: Literal["ordered", "collected"]
    expires_at: Annotated[datetime, kw.Ttl()]


open_account = kw.Put(MealAccount, if_absent=True, rate="1k/day", p99_ms=50)
top_up = kw.Transact(
    [
        kw.Put(LedgerEntry, if_absent=True),
        kw.Increment(MealAccount, "balance_cents", by=3_000),
    ],
    rate="25k/day",
    peak="15/s",
    p99_ms=100,
)
order_meal = kw.Transact(
    [
        kw.Put(MealOrder, if_absent=True),
        kw.Put(LedgerEntry, if_absent=True),
        kw.Increment(MealAccount, "balance_cents", by=-450, where={"balance_cents": kw.AtLeast(450)}),
        kw.Increment(MenuDish, "portions_left", by=-1, where={"portions_left": kw.AtLeast(1)}),
    ],
    rate="400k/day",
    peak="250/s",
    p99_ms=100,
)
balance = kw.Get(
    MealAccount,
    eq="pupil_id",
    consistency="strong",
    rate="30/s",
    peak="300/s",
    p99_ms=20,
)
bookings = kw.Read(LedgerEntry, eq="pupil_id", order="-entry_id", limit=50, rate="5/s", peak="40/s", p99_ms=50)
meals_to_cook = kw.Read(
    MealOrder,
    eq=["school_id", "day"],
    order=["dish", "pupil_id"],
    limit=200,
    fields=["school_id", "day", "dish", "pupil_id", "state"],
    rate="2/s",
    peak="20/s",
    p99_ms=80,
)
collect_meal = kw.Update(MealOrder, sets="state", where={"state": "ordered"}, rate="380k/day", peak="400/s", p99_ms=50)

reported_meal = kw.bind(
    MealOrder,
    kw.Collection(
        reporting,
        "meal_orders",
        id="{pupil_id}_{day:date}",
        indexes=[kw.Index(["school_id", "day"])],
        expected=80_000_000,
        active=0.01,
    ),
)

report_meal = kw.Put(reported_meal, rate="780k/day", peak="650/s", p99_ms=100)
meals_by_dish = kw.Aggregate(
    reported_meal,
    eq="school_id",
    range="day",
    span=timedelta(days=30),
    group=["{dish}"],
    measures={"revenue_cents": kw.Sum("price_cents"), "pupils": kw.Distinct("pupil_id")},
    rate="5k/day",
    p99_ms=2_000,
)
pupils_to_bill = kw.Aggregate(
    reported_meal,
    eq="school_id",
    range="day",
    span=timedelta(days=31),
    group=["{school_id}"],
    measures={"pupils": kw.Distinct("pupil_id")},
    rate="80/day",
    p99_ms=5_000,
)
