"""Seven hundred windows."""

history = kw.Keyspace("history")


class Daily(BaseModel):
    __store__: ClassVar = kw.CqlTable(
        history,
        "daily",
        partition=["user_id", "month"],
        clustering="-at",
        computed={"month": "{at:month}"},
        ttl=timedelta(days=730),
        compaction=kw.TimeWindow(window=timedelta(days=1)),
    )

    user_id: str
    at: datetime


all_of_user = kw.Read(Daily, eq="user_id", order="-at", limit=100, fan_out=25, rate="1/s")
