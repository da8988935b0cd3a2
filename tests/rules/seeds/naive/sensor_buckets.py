"""A document for each reading, for ever."""

telemetry = kw.MongoDatabase("telemetry")


class Reading(BaseModel):
    __store__: ClassVar = kw.Collection(telemetry, "readings", indexes=[kw.Index(["sensor", "at"])], kind="reading")

    sensor: str
    at: datetime
    value: float


record = kw.Put(Reading, rate="1k/s")
readings = kw.Read(Reading, eq="sensor", range="at", span=timedelta(hours=1), order="at", limit=100, rate="10/s")
