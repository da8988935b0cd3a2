"""Measurements over time, in each engine's own good shape: buckets, expiry and order are part of the key."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar

from pydantic import BaseModel, Field

import keywright as kw

SensorId = Annotated[str, kw.Size(avg=10, max=24), kw.Cardinality(distinct=100_000)]

plant = kw.MongoDatabase("plant", owner="iot")
devices = kw.DynamoTable("devices", owner="iot")
metrics = kw.Keyspace("metrics", owner="iot")


class Reading(BaseModel):
    """One measurement a minute; the server buckets them by itself."""

    __store__: ClassVar = kw.TimeSeries(
        plant, "readings", time="at", meta="sensor_id", granularity="minutes", ttl=timedelta(days=90), kind="reading"
    )

    sensor_id: SensorId
    at: datetime
    temperature: float
    humidity: float


readings_of_sensor = kw.Read(
    Reading, eq="sensor_id", range="at", span=timedelta(days=1), order="-at", limit=500, rate="50/s", p99_ms=100
)
record_reading = kw.Put(Reading, rate="1.7k/s", p99_ms=200, batch=100)


class Minute(BaseModel):
    """One measurement inside an hour."""

    at: datetime
    temperature: float


class SensorHour(BaseModel):
    """An hour of a sensor in one document: at most sixty measurements, with their figures kept up to date."""

    __store__: ClassVar = kw.Collection(
        plant,
        "sensor_hours",
        id="{sensor_id}_{start:hour}",
        indexes=[kw.Index(["sensor_id", "-start"])],
        kind="reading",
    )

    sensor_id: SensorId
    start: Annotated[datetime, kw.Ttl(after=timedelta(days=90))]
    minutes: Annotated[list[Minute], Field(max_length=60)]
    count: int
    low: float
    high: float
    total: float


hours_of_sensor = kw.Read(
    SensorHour,
    eq="sensor_id",
    range="start",
    order="-start",
    limit=24,
    fields=["start", "count", "low", "high", "total"],
    rate="20/s",
    p99_ms=50,
)
add_minute = kw.Update(SensorHour, pushes="minutes", sets=["count", "low", "high", "total"], rate="1.7k/s", p99_ms=100)


class DeviceReading(BaseModel):
    """A measurement in DynamoDB: one partition per sensor and day."""

    __store__: ClassVar = kw.Item(devices, pk="SENSOR#{sensor_id}#{at:date}", sk="{at:iso}", kind="reading")

    sensor_id: SensorId
    at: datetime
    temperature: float
    expires_at: Annotated[datetime, kw.Ttl()]


device_readings = kw.Read(
    DeviceReading,
    eq="sensor_id",
    range="at",
    span=timedelta(days=1),
    order="-at",
    limit=100,
    fan_out=2,
    rate="50/s",
    p99_ms=50,
)
record_device_reading = kw.Put(DeviceReading, rate="1.7k/s", p99_ms=200, batch=25)


class SensorReading(BaseModel):
    """A measurement a second in Cassandra: a day of one sensor is a partition of 86,400 rows."""

    __store__: ClassVar = kw.CqlTable(
        metrics,
        "sensor_readings",
        partition=["sensor_id", "day"],
        clustering="-at",
        computed={"day": "{at:date}"},
        ttl=timedelta(days=180),
        compaction=kw.TimeWindow(window=timedelta(days=6)),
        kind="reading",
    )

    sensor_id: SensorId
    at: datetime
    value: float
    unit: Annotated[str, Field(max_length=8)]


latest_of_sensor = kw.Read(SensorReading, eq=["sensor_id", "day"], order="-at", limit=100, rate="200/s", p99_ms=20)
week_of_sensor = kw.Read(
    SensorReading,
    eq="sensor_id",
    range="at",
    span=timedelta(days=7),
    order="-at",
    limit=1_000,
    fan_out=8,
    rate="5/s",
    p99_ms=500,
)
record_second = kw.Put(SensorReading, rate="5k/s", p99_ms=200, batch=20)


class UserPost(BaseModel):
    """A user's post; a month of one user is a partition, newest first."""

    __store__: ClassVar = kw.CqlTable(
        metrics,
        "user_posts",
        partition=["user_id", "month"],
        clustering=["-posted_at", "post_id"],
        computed={"month": "{posted_at:month}"},
        types={"post_id": "timeuuid"},
        kind="feed",
        keep_forever="posts belong to their authors",
    )

    user_id: Annotated[str, kw.Size(avg=12), kw.Cardinality(distinct=5_000_000)]
    posted_at: datetime
    post_id: str
    content: Annotated[str, kw.Size(avg=300, max=5_000)]


posts_of_user = kw.Read(
    UserPost, eq="user_id", order="-posted_at", limit=100, fan_out=12, consistency="session", rate="500/s", p99_ms=50
)
publish_post = kw.Put(UserPost, rate="200/s", p99_ms=50)


class AuditEvent(BaseModel):
    """Something that was done; it goes by expiry, never by DELETE."""

    __store__: ClassVar = kw.CqlTable(
        metrics,
        "audit_events",
        partition=["tenant", "day", "shard"],
        clustering=["-at", "event_id"],
        computed={"day": "{at:date}", "shard": "{event_id:shard(4)}"},
        ttl=timedelta(days=30),
        compaction=kw.TimeWindow(window=timedelta(days=1)),
        kind="event",
    )

    tenant: Annotated[str, kw.Size(avg=8), kw.Cardinality(distinct=200)]
    at: datetime
    event_id: Annotated[str, kw.Size(avg=26)]
    what: Annotated[str, kw.Size(avg=120, max=2_000)]


events_of_tenant = kw.Read(
    AuditEvent,
    eq="tenant",
    range="at",
    span=timedelta(hours=1),
    order="-at",
    limit=200,
    fan_out=8,
    rate="10/s",
    p99_ms=100,
)
log_event = kw.Put(AuditEvent, rate="500/s", peak="2.5k/s", p99_ms=50)


class DailyTotal(BaseModel):
    """How often a thing happened on a day: counters, so nothing else is in the row."""

    __store__: ClassVar = kw.CqlTable(
        metrics, "daily_totals", partition="what", clustering="-day", counters=["times", "errors"], kind="analytics"
    )

    what: Annotated[str, kw.Size(avg=20), kw.Cardinality(distinct=1_000)]
    day: Annotated[str, Field(max_length=10)]
    times: int
    errors: int


count_one = kw.Increment(DailyTotal, "times", rate="5k/s", p99_ms=50)
count_error = kw.Increment(DailyTotal, "errors", rate="50/s", p99_ms=50)
month_of_totals = kw.Read(DailyTotal, eq="what", range="day", order="-day", limit=31, rate="1/s", p99_ms=100)
