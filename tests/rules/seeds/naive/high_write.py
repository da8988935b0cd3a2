"""One counter that all write, one sensor in one partition, one item of settings that all read."""

things = kw.DynamoTable("things")


class Counter(BaseModel):
    __store__: ClassVar = kw.Item(things, pk="ITEM#{item_id}", sk="COUNT")

    item_id: str
    views: int


class Reading(BaseModel):
    __store__: ClassVar = kw.Item(things, pk="SENSOR#{sensor_id}", sk="{at:iso}", kind="reading", keep_forever="a study of the climate")

    sensor_id: str
    at: datetime
    value: Decimal


class Settings(BaseModel):
    __store__: ClassVar = kw.Item(things, pk="CONFIG#GLOBAL", sk="CONFIG")

    banner: Annotated[str, Field(max_length=200)]


count_view = kw.Increment(Counter, "views", rate="5k/s", hot_key="5k/s")
record = kw.Put(Reading, rate="100/s", hot_key="10/s")
settings = kw.Get(Settings, rate="3k/s")
