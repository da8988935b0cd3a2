"""One settings item for everybody."""

flat = kw.DynamoTable("flat")


class Settings(BaseModel):
    __store__: ClassVar = kw.Item(flat, pk="CONFIG#GLOBAL", sk="CONFIG")

    banner: str


settings = kw.Get(Settings, rate="3k/s")
