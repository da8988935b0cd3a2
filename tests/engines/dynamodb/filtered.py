"""Reads that filter by parts of texts and lists, by numbers of elements, and by alternatives."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw

BY_TOTAL = kw.Gsi("by_total", pk="user_id", sk="total", project=["state", "note"])
SHOP = kw.DynamoTable("shop", gsis=[BY_TOTAL])

Name = Annotated[str, kw.Size(avg=6, max=12)]


class Order(BaseModel):
    __store__: ClassVar = kw.Item(
        SHOP, pk="USER#{user_id}", sk="ORDER#{order_id}", types={"words": "SS"}, expected=1_000
    )

    user_id: Annotated[str, kw.Size(avg=6, max=12), kw.Cardinality(distinct=10)]
    order_id: Name
    state: Literal["open", "paid", "sent"]
    kind: Literal["gift", "plain"]
    placed_at: datetime
    total: Decimal
    note: Annotated[str, kw.Size(avg=20, max=80)] | None = None
    tags: Annotated[list[Name], Field(max_length=5)] = []
    parts: Annotated[list[int], Field(max_length=9)] | None
    words: Annotated[set[Name], Field(max_length=5)] = set()


put = kw.Put(Order)

urgent = kw.Read(Order, eq="user_id", where={"note": kw.Contains("urgent")}, limit=10)
tagged = kw.Read(Order, eq="user_id", where={"tags": kw.Contains("new")}, limit=10)
worded = kw.Read(Order, eq="user_id", where={"words": kw.Contains("new")}, limit=10)
noted = kw.Read(Order, eq="user_id", where={"note": kw.StartsWith("late")}, limit=10)
of_may = kw.Read(Order, eq="user_id", where={"order_id": kw.StartsWith("05")}, order="order_id", limit=10)
of_may_by_total = kw.Read(Order, eq="user_id", where={"note": kw.StartsWith("05")}, order="total", limit=10)
with_tags = kw.Read(Order, eq="user_id", where={"tags": kw.Length(at_least=2)}, limit=10)
with_few_tags = kw.Read(Order, eq="user_id", where={"tags": kw.Length(at_most=1)}, limit=10)
with_few_words = kw.Read(Order, eq="user_id", where={"words": kw.Length(at_most=1)}, limit=10)
with_words = kw.Read(Order, eq="user_id", where={"words": kw.Length(at_least=1, at_most=2)}, limit=10)
with_parts = kw.Read(Order, eq="user_id", where={"parts": kw.Length(at_least=0)}, limit=10)
with_no_parts = kw.Read(Order, eq="user_id", where={"parts": kw.Length(at_most=0)}, limit=10)
open_or_large = kw.Read(Order, eq="user_id", any_of=[{"state": "open"}, {"total": kw.AtLeast(Decimal(50))}], limit=10)
odd = kw.Read(
    Order,
    eq="user_id",
    any_of=[
        {"state": kw.OneOf(["open", "sent"]), "kind": "gift"},
        {"note": None},
        {"tags": kw.Contains("new"), "words": kw.Length(at_most=0)},
    ],
    where={"total": kw.Above(Decimal(3))},
    limit=10,
)
several = kw.Count(Order, eq="user_id", any_of=[{"state": "open"}, {"kind": "gift"}])
got = kw.Get(Order, eq=["user_id", "order_id"], where={"note": kw.Contains("urgent")})
everywhere = kw.Read(Order, scan=True, any_of=[{"order_id": kw.StartsWith("05")}, {"state": "open"}], limit=20)
extremes = kw.Read(
    Order, eq="user_id", any_of=[{"total": kw.Below(Decimal(5))}, {"total": kw.Above(Decimal(70))}], limit=10
)
by_key = kw.Read(Order, eq="user_id", any_of=[{"total": kw.Below(Decimal(5))}, {"note": None}], order="total", limit=10)

START = datetime(2026, 1, 1, tzinfo=UTC)


def some_instances() -> list[BaseModel]:
    """Orders of two users, each value in some of them."""
    return [
        Order(
            user_id=("ann", "bob")[number % 2],
            order_id=f"{number % 12:02}-{number:03}",
            state=("open", "paid", "sent")[number % 3],
            kind=("gift", "plain")[number // 2 % 2],
            placed_at=START + timedelta(days=number),
            total=Decimal(number),
            note=(None, "late and urgent", "late", "05 urgent", "")[number % 5],
            tags=["new", "old", "red"][: number % 4],
            parts=(None, [], [1], [1, 2])[number % 4],
            words={"new", "old", "red"} if number % 7 == 0 else {"old"} if number % 3 == 0 else set(),
        )
        for number in range(80)
    ]
