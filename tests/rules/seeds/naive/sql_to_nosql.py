"""A move from SQL that switches reads without having compared, and a join that the move has kept."""

shop = kw.MongoDatabase("shop")


class User(BaseModel):
    __store__: ClassVar = kw.Collection(shop, "users", id="{user_id}")

    user_id: str
    name: Annotated[str, Field(max_length=80)]


class Order(BaseModel):
    __store__: ClassVar = kw.Collection(
        shop, "orders", id="{order_id}", indexes=[kw.Index("user_id")],
        cut_over=kw.CutOver("PostgreSQL: orders", stage="switch-reads", done=["dual-write"]),
    )  # fmt: skip

    order_id: str
    user_id: str


user = kw.Get(User, rate="1/s")
orders = kw.Read(
    Order, eq="user_id", limit=20, rate="10/s", joins=[kw.Join(User, on={"user_id": "user_id"}, fields="name")]
)
