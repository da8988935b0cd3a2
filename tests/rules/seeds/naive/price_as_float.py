"""A price as float in the key."""

flat = kw.DynamoTable("flat")


class Product(BaseModel):
    __store__: ClassVar = kw.Item(flat, pk="CATEGORY#{category}", sk="PRICE#{price}")

    category: str
    price: float
