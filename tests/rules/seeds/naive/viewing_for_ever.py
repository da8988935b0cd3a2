"""A partition that grows for ever."""

history = kw.Keyspace("history")


class Viewing(BaseModel):
    __store__: ClassVar = kw.CqlTable(
        history,
        "viewing",
        partition="user_id",
        clustering="watched_at",
        compaction=kw.TimeWindow(window=timedelta(days=1)),
        gc_grace=timedelta(hours=1),
        kind="event",
    )

    user_id: Annotated[str, kw.Cardinality(distinct=1_000)]
    watched_at: datetime


latest = kw.Read(Viewing, eq="user_id", order="-watched_at", limit=50, rate="50k/s")
watch = kw.Put(Viewing, consistency="eventual", rate="1M/s")
latest_strong = kw.Read(Viewing, eq="user_id", limit=50, consistency="strong", rate="1/s")
clean_up = kw.Delete(Viewing, because="expiry", rate="10k/s")
