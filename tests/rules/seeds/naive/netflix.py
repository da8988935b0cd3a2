"""Two years of viewing in windows of a day, and another log that never ends."""

netflix = kw.Keyspace("netflix")


class View(BaseModel):
    __store__: ClassVar = kw.CqlTable(
        netflix, "views", partition=["viewer_id", "month"], clustering=["-watched_at", "show_id"],
        computed={"month": "{watched_at:month}"}, ttl=timedelta(days=730),
        compaction=kw.TimeWindow(window=timedelta(days=1)), kind="event",
    )  # fmt: skip

    viewer_id: str
    watched_at: datetime
    show_id: str


class Pause(BaseModel):
    __store__: ClassVar = kw.CqlTable(
        netflix, "pauses", partition=["viewer_id", "month"], clustering=["-at"], computed={"month": "{at:month}"},
        compaction=kw.TimeWindow(window=timedelta(days=30)), kind="event", keep_forever="a study of viewers",
    )  # fmt: skip

    viewer_id: str
    at: datetime


views = kw.Read(View, eq="viewer_id", order="-watched_at", limit=50, fan_out=25, rate="50k/s", p99_ms=50)
put_view = kw.Put(View, rate="1M/s")
pauses = kw.Read(Pause, eq="viewer_id", order="-at", limit=50, fan_out=2, rate="1/s")
