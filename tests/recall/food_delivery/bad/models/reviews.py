"""What customers write about outlets."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import Field

import keywright as kw
from models.common import CustomerNo, OrderNo, OutletId
from models.ordering import Order

to_moderate = kw.Gsi("to_moderate", pk="moderation_pk", sk="moderation_sk", project=["outlet_id", "order_no", "text"])
reviews = kw.DynamoTable(
    "reviews",
    owner="trust",
    gsis=[to_moderate],
    stream=kw.Stream(consumers=[kw.Consumer("tally", idempotency=["order_no", "revision"], on_failure="queue")]),
)


class Review(kw.Model):
    """A review; only who has ordered may write one, and one for each order."""

    __store__: ClassVar = kw.Item(
        reviews,
        pk="REVIEWS#{outlet_id}",
        sk="{written_at:iso}#{order_no}",
        gsis=[
            to_moderate.key(
                pk="PENDING#{order_no:shard(4)}", sk="{written_at:iso}#{order_no}", where={"verdict": "pending"}
            )
        ],
        expected=900_000_000,
        active=0.01,
    )

    outlet_id: OutletId
    written_at: datetime
    order_no: Annotated[OrderNo, kw.Ref(Order, on_missing="ignore", max_referrers=1)]
    customer_no: CustomerNo
    stars: Annotated[int, Field(ge=1, le=5)]
    text: Annotated[str, Field(max_length=1_000), kw.Size(avg=90, max=2_000), kw.Pii()] = ""
    verdict: Literal["pending", "shown", "hidden"] = "pending"
    revision: Annotated[int, Field(ge=1)] = 1
    purge_at: Annotated[datetime, kw.Ttl()]


write_review = kw.Put(Review, if_absent=True, rate="9/s", peak="60/s", p99_ms=60)
reviews_of_outlet = kw.Read(
    Review,
    eq="outlet_id",
    range="written_at",
    span=timedelta(days=365),
    order="-written_at",
    limit=10,
    rate="150/s",
    peak="800/s",
    hot_key="15/s",
    p99_ms=30,
)
reviews_to_moderate = kw.Read(
    Review,
    where={"verdict": "pending"},
    fields=["outlet_id", "order_no", "written_at", "text"],
    order="written_at",
    limit=50,
    fan_out=4,
    rate="2/s",
    p99_ms=150,
)
judge_review = kw.Update(Review, sets=["verdict", "revision"], rate="9/s", peak="30/s", p99_ms=60)


class StarTally(kw.Model):
    """How many reviews an outlet has and what they add up to; the consumer of the stream computes it."""

    __store__: ClassVar = kw.Item(reviews, pk="TALLY#{outlet_id}", sk="TALLY", kind="analytics", expected=700_000)

    outlet_id: OutletId
    shown: Annotated[int, Field(ge=0)] = 0
    stars_sum: Annotated[int, Field(ge=0)] = 0
    counted_at: datetime


reviews_shown = kw.Count(Review, eq="outlet_id", rate="900/s", peak="4.5k/s", hot_key="250/s", p99_ms=60)
star_tally = kw.Get(StarTally, eq="outlet_id", rate="900/s", peak="4.5k/s", hot_key="250/s", p99_ms=12)
store_tally = kw.Put(StarTally, rate="9/s", peak="60/s", p99_ms=60)
