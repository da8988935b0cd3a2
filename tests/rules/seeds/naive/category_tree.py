"""What lies below a category, without an index of the ancestors."""

shop = kw.MongoDatabase("shop")


class Category(BaseModel):
    __store__: ClassVar = kw.Collection(shop, "categories", id="{category_id}")

    category_id: str
    ancestors: Annotated[list[str], Field(max_length=10)]


breadcrumb = kw.Get(Category, rate="10/s")
subtree = kw.Read(Category, contains="ancestors", limit=100, rate="1/s")
