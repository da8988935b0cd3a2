"""A class of compaction that no server knows by that name."""

netflix = kw.Keyspace("netflix")


class View(BaseModel):
    __store__: ClassVar = kw.CqlTable(
        netflix, "views", partition=["viewer_id", "month"], clustering=["-watched_at"],
        computed={"month": "{watched_at:month}"}, ttl=timedelta(days=730), settings={"compaction": {"class": "TWCS"}},
    )  # fmt: skip

    viewer_id: str
    watched_at: datetime
