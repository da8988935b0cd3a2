"""All readings of a sensor in one partition, for ever."""

telemetry = kw.Keyspace("telemetry")


class Reading(BaseModel):
    __store__: ClassVar = kw.CqlTable(telemetry, "readings", partition="sensor_id", clustering="-at", kind="reading")

    sensor_id: Annotated[str, kw.Cardinality(distinct=1_000)]
    at: datetime
    value: float


record = kw.Put(Reading, rate="1k/s", hot_key="1/s")
readings = kw.Read(Reading, eq="sensor_id", order="-at", limit=100, rate="10/s")
