"""A typical mistake in a model file, with the code of its error, or of the finding of a later stage."""

from keywright.record import Record

SETTING = """
lookup = kw.Gsi("lookup", pk="gsi1pk", sk="gsi1sk")
by_region = kw.Gsi("by_region", pk=["tenant", "region"], sk="placed_at")
elsewhere = kw.Gsi("elsewhere", pk="gsi1pk", sk="gsi1sk")
shop = kw.DynamoTable("shop", gsis=[lookup, by_region])
content = kw.MongoDatabase("content")
metrics = kw.Keyspace("metrics")
cache = kw.RedisServer("cache", role="cache")


class Line(BaseModel):
    sku: str


class Order(BaseModel):
    __store__: ClassVar = kw.Item(
        shop,
        pk="USER#{user_id}",
        sk="ORDER#{placed_at:iso}#{order_id}",
        gsis=[lookup.key(pk="ORDER#{order_id}", sk="ORDER")],
    )

    user_id: str
    order_id: str
    tenant: str
    region: str
    placed_at: AwareDatetime
    status: Literal["placed", "paid"]
    total: int
    lines: Annotated[list[Line], Field(max_length=100)]


place_order = kw.Put(Order, rate="100/s")
order_by_id = kw.Get(Order, eq="order_id", rate="1/s")
"""
"""What most of the mistakes are made in; it is legal."""


class Mistake(Record):
    """One mistake."""

    title: str
    """What is wrong, in words."""
    source: str
    """The lines below the setting."""
    code: str
    """The error that it raises; empty where it is legal and a later stage finds it."""
    later: str = ""
    """The rule that finds it."""

    @property
    def slug(self) -> str:
        """The title as a file name."""
        return "".join(letter if letter.isalnum() else "-" for letter in self.title.lower())
