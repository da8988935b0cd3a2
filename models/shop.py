"""The shop: one DynamoDB table, Redis in front of it, and the MongoDB copy of orders that reporting reads."""

from datetime import datetime, timedelta
from decimal import Decimal
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw

UserId = Annotated[str, kw.Size(avg=12, max=26), kw.Cardinality(distinct=2_000_000)]
OrderId = Annotated[str, kw.Size(avg=12, max=26)]
Sku = Annotated[str, kw.Size(avg=10, max=32), kw.Cardinality(distinct=80_000)]
Money = Annotated[Decimal, Field(max_digits=12, decimal_places=2)]
Status = Literal["placed", "paid", "shipped", "delivered", "cancelled"]

lookup = kw.Gsi("lookup", pk="gsi1pk", sk="gsi1sk")  # shared by all entities: an e-mail, an order number
open_orders = kw.Gsi("open_orders", pk="gsi2pk", sk="gsi2sk", project=["user_id", "order_id", "status", "total"])
by_day = kw.Gsi("by_day", pk="gsi3pk", sk="gsi3sk", project="keys")
by_category = kw.Gsi("by_category", pk=["tenant", "category"], sk=["price", "sku"])  # fields that products have anyway

shop = kw.DynamoTable(
    "shop",
    owner="shop",
    gsis=[lookup, open_orders, by_day, by_category],
    stream=kw.Stream(
        consumers=[
            kw.Consumer("copy-user-names", idempotency=["user_id", "name"], on_failure="queue"),
            kw.Consumer("order-search", idempotency=["order_id", "status"], on_failure="queue"),
        ]
    ),
)
cache = kw.RedisServer("shop-cache", role="cache")
events = kw.RedisServer("shop-events", role="queue")
reporting = kw.MongoDatabase("reporting", owner="finance")


class User(BaseModel):
    """A customer; the e-mail stands here only, everything else refers to the user."""

    __store__: ClassVar = kw.Item(
        shop,
        pk="USER#{user_id}",
        sk="PROFILE",
        gsis=[lookup.key(pk="EMAIL#{email:lower}", sk="USER")],
    )

    user_id: UserId
    email: Annotated[str, kw.Size(avg=24, max=254), kw.Pii()]
    name: Annotated[str, kw.Size(avg=18, max=120), kw.Pii()]
    created_at: datetime


user_profile = kw.Get(User, eq="user_id", rate="200k/day", p99_ms=10)
user_by_email = kw.Get(User, eq="email", rate="20k/day", p99_ms=20)
register_user = kw.Put(User, if_absent=True, rate="2k/day", p99_ms=50)
rename_user = kw.Update(User, sets="name", rate="500/day", p99_ms=50)


class Account(BaseModel):
    """A customer's balance in cents, beside the profile and never copied."""

    __store__: ClassVar = kw.Item(shop, pk="USER#{user_id}", sk="BALANCE", kind="money")

    user_id: Annotated[UserId, kw.Ref(User, on_missing="fail")]
    balance_cents: int


charge_account = kw.Increment(
    Account, "balance_cents", by=-100, where={"balance_cents": kw.AtLeast(100)}, rate="20/s", p99_ms=50
)
balance = kw.Get(Account, eq="user_id", consistency="strong", reads_back=[charge_account], rate="50/s", p99_ms=20)


class Product(BaseModel):
    """A product as the catalogue shows it."""

    __store__: ClassVar = kw.Item(shop, pk="PRODUCT#{sku}", sk="DETAILS")

    tenant: Annotated[str, kw.Size(avg=8), kw.Cardinality(distinct=200)]
    sku: Sku
    name: Annotated[str, Field(max_length=120)]
    category: Annotated[str, Field(max_length=40), kw.Cardinality(distinct=300)]
    price: Money
    brand: Annotated[str | None, Field(max_length=60)] = None
    description: Annotated[str, kw.Size(avg=1_500, max=8_000)]


cached_product = kw.bind(
    Product,
    kw.RedisCache(cache, key="product:{sku}", ttl=timedelta(seconds=300), source_of_truth=Product),
)

product = kw.Get(Product, eq="sku", rate="200/s", p99_ms=10)
product_page = kw.Get(cached_product, eq="sku", rate="20k/s", peak="60k/s", p99_ms=5)
products_of_category = kw.Read(
    Product, eq=["tenant", "category"], range="price", order="price", limit=40, rate="100/s", p99_ms=50
)
change_product = kw.Put(Product, rate="5k/day", p99_ms=50)


class Offer(BaseModel):
    """A flash-sale price: one of them may be asked 50,000 times a second, so nine copies share the load."""

    __store__: ClassVar = kw.Item(shop, pk="OFFER#{sku}", sk="OFFER", read_copies=9)

    sku: Annotated[Sku, kw.Ref(Product, on_missing="hide")]
    price: Money
    ends_at: Annotated[datetime, kw.Ttl()]


offer = kw.Get(Offer, eq="sku", rate="500/s", peak="60k/s", hot_key="50k/s", p99_ms=10)
publish_offer = kw.Put(Offer, rate="100/day", p99_ms=50)


class Stock(BaseModel):
    """What is left of a product; ten shards, one drawn for each decrement, take more writes than one item could."""

    __store__: ClassVar = kw.Item(shop, pk="STOCK#{sku}#{:shard(10)}", sk="STOCK", kind="stock")

    sku: Annotated[Sku, kw.Ref(Product, on_missing="fail")]
    available: Annotated[int, Field(ge=0)]


stock_left = kw.Read(Stock, eq="sku", limit=10, fan_out=10, consistency="strong", rate="500/s", p99_ms=20)
restock = kw.Increment(Stock, "available", eq="sku", by=50, rate="1k/day", p99_ms=50)


class ShopSettings(BaseModel):
    """The shop's one settings item; callers keep it for a minute."""

    __store__: ClassVar = kw.Item(shop, pk="CONFIG#GLOBAL", sk="CONFIG", expected=1)

    free_shipping_from: Money
    banner: Annotated[str, kw.Size(avg=200, max=2_000)] = ""


settings = kw.Get(ShopSettings, rate="3k/s", p99_ms=50, cache_ttl=timedelta(minutes=1))
change_settings = kw.Put(ShopSettings, rate="5/day", p99_ms=50)


class OrderLine(BaseModel):
    """One product of an order, with the name, category and amount of that moment."""

    sku: Annotated[Sku, kw.Ref(Product, on_missing="ignore")]
    name: Annotated[str, Field(max_length=120), kw.CopiedFrom(Product, "name", sync="never")]
    category: Annotated[str, Field(max_length=40), kw.CopiedFrom(Product, "category", sync="never")]
    quantity: Annotated[int, Field(ge=1, le=999)]
    amount: Money


class Order(BaseModel):
    """An order with its lines, which are always read with it."""

    __store__: ClassVar = kw.Item(
        shop,
        pk="USER#{user_id}",
        sk="ORDER#{placed_at:iso}#{order_id}",
        gsis=[
            lookup.key(pk="ORDER#{order_id}", sk="ORDER"),
            open_orders.key(
                pk="OPEN#{status}#{order_id:shard(8)}",
                sk="{placed_at:iso}",
                where={"status": kw.OneOf(["placed", "paid"])},
            ),
            by_day.key(pk="DAY#{placed_at:date}#{order_id:shard(10)}", sk="{placed_at:iso}"),
        ],
        expected=40_000_000,
        active=0.02,
        keep_forever="accounts are kept for ten years",
    )

    user_id: Annotated[UserId, kw.Ref(User, on_missing="ignore", max_referrers=2_000)]
    user_name: Annotated[str, kw.Size(avg=18, max=120), kw.CopiedFrom(User, "name", sync="stream"), kw.Pii()]
    order_id: OrderId
    placed_at: datetime
    status: Status
    lines: Annotated[list[OrderLine], Field(min_length=1, max_length=100)]
    total: Money


place_order = kw.Transact(
    [
        kw.Put(Order, if_absent=True),
        kw.Increment(Stock, "available", eq="sku", by=-1, where={"available": kw.AtLeast(1)}, batch=3),
    ],
    rate="100/s",
    peak="900/s",
    p99_ms=100,
)
order_by_id = kw.Get(Order, eq="order_id", rate="100k/day", p99_ms=10)
lines_of_order = kw.Get(Order, eq="order_id", fields="lines", rate="100k/day", p99_ms=10)
orders_of_user = kw.Read(Order, eq="user_id", order="-placed_at", limit=50, rate="50k/day", p99_ms=50)
orders_in_range = kw.Read(Order, eq="user_id", range="placed_at", limit=50, rate="10k/day", p99_ms=100)
pending_orders = kw.Read(
    Order, where={"status": "placed"}, order="placed_at", limit=100, fan_out=8, rate="5/s", p99_ms=200
)
orders_to_ship = kw.Read(
    Order, where={"status": "paid"}, order="placed_at", limit=100, fan_out=8, rate="5/s", p99_ms=200
)
orders_of_day = kw.Read(
    Order,
    range="placed_at",
    span=timedelta(days=1),
    order="placed_at",
    limit=500,
    fan_out=10,
    rate="200/day",
    p99_ms=2_000,
)
change_status = kw.Update(Order, sets="status", rate="200/s", peak="1k/s", p99_ms=50)


ACTIVE = kw.OneOf(["placed", "paid", "shipped", "delivered"])  # all but cancelled; an index cannot say "not"

reported_order = kw.bind(
    Order,
    kw.Collection(
        reporting,
        "orders",
        id="{order_id}",
        indexes=[
            kw.Index(["user_id", "-placed_at"]),
            kw.Index("placed_at", where={"status": ACTIVE}),
        ],
        cut_over=kw.CutOver("PostgreSQL: orders, users, order_items", stage="shadow-read", done=["dual-write"]),
        keep_forever="accounts are kept for ten years",
    ),
)

report_order = kw.Put(reported_order, rate="100/s", peak="900/s", p99_ms=100)
reported_orders_of_user = kw.Read(reported_order, eq="user_id", order="-placed_at", limit=50, rate="2k/day", p99_ms=50)
revenue_by_category = kw.Aggregate(
    reported_order,
    where={"status": ACTIVE},
    range="placed_at",
    span=timedelta(days=30),
    group=["{placed_at:date}", "{lines.category}"],
    measures={"revenue": kw.Sum("lines.amount"), "orders": kw.Distinct("order_id")},
    rate="24/day",
    p99_ms=30_000,
)


shipping = kw.ConsumerGroup("shipping", idempotency="order_id", claim_after=timedelta(minutes=1))


class OrderEvent(BaseModel):
    """Something that happened to an order, for those who must react."""

    __store__: ClassVar = kw.RedisStream(events, key="events:orders", keep=1_000_000, groups=[shipping], kind="event")

    type: Literal["created", "paid", "cancelled"]
    order_id: OrderId
    user_id: UserId
    total: Money


announce = kw.Put(OrderEvent, rate="100/s", peak="900/s", p99_ms=10)
next_to_ship = kw.Take(OrderEvent, group=shipping, limit=10, rate="100/s", p99_ms=10)
latest_events = kw.Read(OrderEvent, limit=10, rate="1/s", p99_ms=10)
