"""One product that is read 50,000 times a second and sold 5,000 times."""

shop = kw.DynamoTable("shop")


class Product(BaseModel):
    __store__: ClassVar = kw.Item(shop, pk="PRODUCT#{sku}", sk="DETAILS")

    sku: str
    stock: int
    about: Annotated[str, Field(max_length=3_000)]


product = kw.Get(Product, eq="sku", rate="1k/s", peak="60k/s", hot_key="50k/s")
take_one = kw.Increment(Product, "stock", by=-1, rate="100/s", hot_key="5k/s")
