"""The revenue of thirty days by category: nothing indexed is matched first, and each line is looked up."""

shop = kw.MongoDatabase("shop")


class Category(BaseModel):
    __store__: ClassVar = kw.Collection(shop, "categories", id="{category_id}")

    category_id: str
    code: str
    name: Annotated[str, Field(max_length=80)]


class Order(BaseModel):
    __store__: ClassVar = kw.Collection(shop, "orders", id="{order_id}")

    order_id: str
    placed_at: datetime
    category: str
    total: Decimal


category = kw.Get(Category, rate="1/s")
revenue = kw.Aggregate(
    Order, range="placed_at", span=timedelta(days=30), group=["{category}"], measures={"revenue": kw.Sum("total")},
    joins=[kw.Join(Category, on={"category": "code"}, fields="name")], rate="24/day",
)  # fmt: skip
