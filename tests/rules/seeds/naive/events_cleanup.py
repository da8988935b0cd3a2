"""Events that a job deletes one by one, in the partition that is read."""

events = kw.Keyspace("events")


class Event(BaseModel):
    __store__: ClassVar = kw.CqlTable(
        events, "events", partition=["topic", "day"], clustering="-at", computed={"day": "{at:date}"},
        gc_grace=timedelta(hours=1), kind="event",
    )  # fmt: skip

    topic: Annotated[str, kw.Cardinality(distinct=10_000)]
    at: datetime


read_events = kw.Read(Event, eq="topic", order="-at", limit=50, fan_out=2, rate="1k/s")
put_event = kw.Put(Event, rate="10k/s")
clean_up = kw.Delete(Event, because="expiry", rate="10k/s")
