"""All orders of today: a scan, or one partition a day."""

orders = kw.DynamoTable("orders")
daily = kw.DynamoTable("daily")


class Order(BaseModel):
    __store__: ClassVar = kw.Item(orders, pk="ORDER#{order_id}", sk="ORDER")

    order_id: str
    placed_at: datetime


class DailyOrder(BaseModel):
    __store__: ClassVar = kw.Item(daily, pk="{placed_at:date}", sk="{placed_at:iso}#{order_id}")

    order_id: str
    placed_at: datetime


orders_today = kw.Read(Order, range="placed_at", span=timedelta(days=1), limit=100, rate="1/s")
place_order = kw.Put(DailyOrder, rate="2k/s")
