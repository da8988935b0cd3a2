"""A partial index over the active orders, and a pattern that does not ask for active ones."""

shop = kw.MongoDatabase("shop")


class Order(BaseModel):
    __store__: ClassVar = kw.Collection(
        shop, "orders", id="{order_id}",
        indexes=[kw.Index("user_id", where={"status": kw.OneOf(["placed", "paid"])})],
    )  # fmt: skip

    order_id: str
    user_id: str
    status: Literal["placed", "paid", "cancelled"]


orders_of_user = kw.Read(Order, eq="user_id", limit=20, rate="1/s")
