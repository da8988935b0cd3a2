"""Naive answers on Cassandra."""

from .answer import Answer

CASSANDRA = (
    Answer(
        "a compaction strategy by its nickname",
        """
history = kw.Keyspace("history")


class Viewing(BaseModel):
    __store__: ClassVar = kw.CqlTable(
        history,
        "viewing",
        partition="user_id",
        clustering="watched_at",
        settings={"compaction": {"class": "TWCS", "compaction_window_unit": "DAYS", "compaction_window_size": "1"}},
    )

    user_id: str
    watched_at: datetime
""",
        illegal="CAS007",
    ),
    Answer(
        "a partition that grows for ever",
        """
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
""",
        findings=("CAS002", "CAS003", "CAS005", "CAS006", "CAS011", "CAS012", "CAS013", "CAS016"),
    ),
    Answer(
        "seven hundred windows",
        """
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
""",
        findings=("CAS004", "CAS009"),
    ),
)
