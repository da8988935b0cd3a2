"""Six months of a device that reports each second, in one partition, read in order of a day."""

iot = kw.Keyspace("iot")


class Report(BaseModel):
    __store__: ClassVar = kw.CqlTable(
        iot, "reports", partition=["device_id", "month"], clustering="at", computed={"month": "{at:month}"},
        ttl=timedelta(days=180), compaction=kw.TimeWindow(window=timedelta(days=6)), kind="reading",
    )  # fmt: skip

    device_id: Annotated[str, kw.Cardinality(distinct=1_000)]
    at: datetime
    value: float


class Alarm(BaseModel):
    __store__: ClassVar = kw.CqlTable(
        iot, "alarms", partition=["device_id", "day"], clustering="-at", computed={"day": "{at:date}"},
        ttl=timedelta(days=180), compaction=kw.TimeWindow(window=timedelta(days=6)), kind="reading",
    )  # fmt: skip

    device_id: Annotated[str, kw.Cardinality(distinct=1_000)]
    at: datetime


record = kw.Put(Report, rate="1k/s", hot_key="1/s")
latest = kw.Read(Report, eq="device_id", order="-at", limit=100, fan_out=2, rate="10/s")
alarms = kw.Read(Alarm, eq="device_id", range="at", span=timedelta(days=180), order="-at", limit=100, rate="1/s")
