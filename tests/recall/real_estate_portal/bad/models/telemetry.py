"""Measurements in MongoDB: show homes, lockboxes for viewings without an agent, and mortgage rates."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar

import keywright as kw
from pydantic import BaseModel, Field

telemetry = kw.MongoDatabase("telemetry", owner="devices")

LockboxId = Annotated[str, Field(pattern=r"^[0-9A-F]{12}$"), kw.Size(avg=12, max=12), kw.Cardinality(distinct=40_000)]


class PresenceSample(BaseModel):
    """Whether somebody is in a show home, once a second from each of its sensors."""

    __store__: ClassVar = kw.TimeSeries(
        telemetry,
        "presence_samples",
        time="sampled_at",
        meta="sensor_id",
        granularity="hours",
        ttl=timedelta(days=14),
        kind="reading",
    )

    sensor_id: Annotated[str, Field(pattern=r"^[0-9A-F]{12}$"), kw.Size(avg=12, max=12), kw.Cardinality(distinct=3_000)]
    sampled_at: datetime
    distance_mm: Annotated[int, Field(ge=0, le=20_000)]
    is_occupied: bool


record_presence = kw.Put(PresenceSample, batch=150, rate="20/s", p99_ms=300)
presence_of_sensor = kw.Read(
    PresenceSample,
    eq="sensor_id",
    range="sampled_at",
    span=timedelta(minutes=10),
    order="-sampled_at",
    limit=600,
    rate="15/s",
    p99_ms=150,
)


class LockboxReading(BaseModel):
    """The battery and the temperature of a lockbox, once a minute; charts show a day of one box."""

    __store__: ClassVar = kw.Collection(
        telemetry,
        "lockbox_readings",
        indexes=[kw.Index(["lockbox_id", "-read_at"])],
        kind="reading",
    )

    lockbox_id: LockboxId
    read_at: Annotated[datetime, kw.Ttl(after=timedelta(days=60))]
    battery_mv: Annotated[int, Field(ge=0, le=10_000)]
    tenths_celsius: Annotated[int, Field(ge=-600, le=900)]


record_lockbox = kw.Put(LockboxReading, batch=100, rate="7/s", p99_ms=300)
day_of_lockbox = kw.Read(
    LockboxReading,
    eq="lockbox_id",
    range="read_at",
    span=timedelta(days=1),
    order="-read_at",
    limit=1_440,
    rate="5/s",
    p99_ms=250,
)


class RateQuote(BaseModel):
    """A mortgage rate that a lender's machine quoted for a seeker's figures."""

    __store__: ClassVar = kw.TimeSeries(
        telemetry,
        "rate_quotes",
        time="quoted_at",
        meta="quote_id",
        granularity="seconds",
        ttl=timedelta(days=90),
        indexes=[kw.Index(["lender_id", "-quoted_at"])],
        kind="reading",
    )

    quote_id: Annotated[str, Field(pattern=r"^[0-9A-Z]{26}$"), kw.Size(avg=26, max=26)]
    lender_id: Annotated[str, Field(pattern=r"^[a-z]{2,12}$"), kw.Size(avg=8, max=12), kw.Cardinality(distinct=90)]
    quoted_at: datetime
    years_fixed: Annotated[int, Field(ge=1, le=40)]
    basis_points: Annotated[int, Field(ge=0, le=3_000)]


record_quotes = kw.Put(RateQuote, batch=20, rate="6/s", p99_ms=300)
quotes_of_lender = kw.Read(
    RateQuote,
    eq="lender_id",
    range="quoted_at",
    span=timedelta(hours=1),
    order="-quoted_at",
    limit=500,
    rate="4/s",
    p99_ms=200,
)
