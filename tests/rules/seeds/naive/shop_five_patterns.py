"""Five patterns of a shop, of which the order by its id has neither key nor index."""

orders = kw.DynamoTable("orders")


class Order(BaseModel):
    __store__: ClassVar = kw.Item(orders, pk="USER#{user_id}", sk="ORDER#{order_id}")

    user_id: str
    order_id: str
    placed_at: datetime


order_by_id = kw.Get(Order, eq="order_id")
orders_of_user = kw.Read(Order, eq="user_id", limit=50)
orders_between = kw.Read(Order, eq="user_id", range="placed_at", span=timedelta(days=7), limit=50)
