"""A partial index over all statuses but one."""

shop = kw.MongoDatabase("shop")


class Order(BaseModel):
    __store__: ClassVar = kw.Collection(
        shop, "orders", id="{order_id}", indexes=[kw.Index("user_id", where={"status": kw.Not("cancelled")})]
    )

    order_id: str
    user_id: str
    status: str
