"""Status, timestamp and date as partition keys."""

by_status = kw.DynamoTable("by_status")
by_time = kw.DynamoTable("by_time")
by_date = kw.DynamoTable("by_date")
products = kw.DynamoTable("products")


class StatusRow(BaseModel):
    __store__: ClassVar = kw.Item(by_status, pk="{status}", sk="{order_id}")

    status: Literal["new", "done"]
    order_id: str


class TimeRow(BaseModel):
    __store__: ClassVar = kw.Item(by_time, pk="{at:iso}", sk="{device_id}")

    at: datetime
    device_id: str


class DateRow(BaseModel):
    __store__: ClassVar = kw.Item(by_date, pk="{at:date}", sk="{at:iso}#{device_id}")

    at: datetime
    device_id: str


class Product(BaseModel):
    __store__: ClassVar = kw.Item(products, pk="PRODUCT#{sku}", sk="DETAILS")

    sku: str
    name: Annotated[str, Field(max_length=80)]


put_status = kw.Put(StatusRow, rate="100/s")
put_time = kw.Put(TimeRow, rate="2k/s")
put_date = kw.Put(DateRow, rate="2k/s")
get_product = kw.Get(Product, eq="sku", rate="1k/s", hot_key="9k/s")
