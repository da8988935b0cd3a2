"""What meters report, in Cassandra: intervals, registers, states, alarms and logs."""

from datetime import timedelta
from decimal import Decimal
from typing import Annotated, ClassVar, Literal

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.units import AreaCode, DeviceId, Key, MemberCode, MeterPoint, WattHours

metering = kw.Keyspace("metering", owner="meter-data")


class IntervalReading(BaseModel):
    """Energy in a quarter of an hour; a month of a metering point is a partition of about three thousand rows."""

    __store__: ClassVar = kw.CqlTable(
        metering,
        "interval_readings",
        partition=["point", "month"],
        clustering="-starts_at",
        computed={"month": "{starts_at:month}"},
        ttl=timedelta(days=1_140),
        compaction=kw.TimeWindow(window=timedelta(days=38)),
        compression="Zstd",
        kind="reading",
    )

    point: MeterPoint
    starts_at: AwareDatetime
    imported: WattHours
    exported: WattHours = 0
    quality: Literal["measured", "estimated", "replaced"]


store_intervals = kw.Put(IntervalReading, batch=4, rate="2.6k/s", peak="7k/s", p99_ms=80)
load_curve = kw.Read(
    IntervalReading,
    eq="point",
    range="starts_at",
    span=timedelta(days=7),
    order="-starts_at",
    limit=700,
    fan_out=2,
    rate="160/s",
    peak="700/s",
    p99_ms=150,
)


class RegisterReading(BaseModel):
    """The register at midnight, on which yearly bills are based; twelve years of a point are four thousand rows."""

    __store__: ClassVar = kw.CqlTable(
        metering,
        "register_readings",
        partition="point",
        clustering=["-read_at", "source"],
        ttl=timedelta(days=4_380),
        compaction=kw.TimeWindow(window=timedelta(days=146)),
        kind="reading",
    )

    point: MeterPoint
    read_at: AwareDatetime
    source: Literal["meter", "reader", "customer"]
    kwh: Annotated[Decimal, Field(max_digits=12, decimal_places=3, ge=0)]


store_register = kw.Put(RegisterReading, rate="110/s", peak="2k/s", p99_ms=80)
registers_of_point = kw.Read(
    RegisterReading, eq="point", order="-read_at", limit=40, consistency="strong", rate="25/s", p99_ms=100
)


class MeterState(BaseModel):
    """The latest voltage, tariff register and firmware of a meter, for call centre, portal and grid control."""

    __store__: ClassVar = kw.CqlTable(
        metering,
        "meter_states",
        partition="device_id",
        compaction=kw.Leveled(),
        caching=kw.Caching(keys=True),
        expected=9_800_000,
        active=0.6,
    )

    device_id: DeviceId
    point: MeterPoint
    supplier: MemberCode
    volts: Annotated[Decimal, Field(max_digits=5, decimal_places=1)]
    relay: Literal["closed", "open", "armed"]
    firmware: Annotated[str, Field(max_length=16)]
    heard_at: AwareDatetime


report_state = kw.Update(MeterState, sets=["volts", "relay", "heard_at"], rate="700/s", peak="1.5k/s", p99_ms=60)
place_meter_state = kw.Put(MeterState, rate="3k/day", p99_ms=100)
meter_state = kw.Get(MeterState, eq="device_id", rate="7k/s", peak="16k/s", p99_ms=25)


class GridAlarm(BaseModel):
    """Voltage, tampering or loss of supply; a storm brings thousands a second: an hour of an area has eight parts."""

    __store__: ClassVar = kw.CqlTable(
        metering,
        "grid_alarms",
        partition=["area", "hour", "part"],
        clustering=["-raised_at", "alarm_id"],
        computed={"hour": "{raised_at:hour}", "part": "{alarm_id:shard(8)}"},
        ttl=timedelta(days=90),
        compaction=kw.TimeWindow(window=timedelta(days=3)),
        kind="event",
    )

    area: AreaCode
    raised_at: AwareDatetime
    alarm_id: Key
    device_id: DeviceId
    cause: Literal["undervoltage", "overvoltage", "tamper", "outage", "return"]
    volts: Annotated[Decimal | None, Field(max_digits=5, decimal_places=1)] = None


raise_alarm = kw.Put(GridAlarm, rate="350/s", peak="6k/s", p99_ms=60)
alarms_of_hour = kw.Read(
    GridAlarm, eq=["area", "hour"], order="-raised_at", limit=200, fan_out=8, rate="12/s", p99_ms=150
)


class HeadendLog(BaseModel):
    """What the head-end system said while it talked to a meter: text, for those who look for faults."""

    __store__: ClassVar = kw.CqlTable(
        metering,
        "headend_logs",
        partition=["device_id", "week"],
        clustering=["-logged_at", "line_id"],
        computed={"week": "{logged_at:week}"},
        ttl=timedelta(days=60),
        compaction=kw.TimeWindow(window=timedelta(days=2)),
        compression="Zstd",
        kind="event",
    )

    device_id: DeviceId
    logged_at: AwareDatetime
    line_id: Key
    level: Literal["info", "warning", "error"]
    text: Annotated[str, Field(max_length=8_000), kw.Size(avg=900, max=8_000)]


log_line = kw.Put(HeadendLog, rate="4k/s", peak="9k/s", p99_ms=80)
log_of_device = kw.Read(HeadendLog, eq=["device_id", "week"], order="-logged_at", limit=200, rate="3/s", p99_ms=250)


class AreaLoad(BaseModel):
    """Consumption and generation of an area, every minute, as grid control publishes it."""

    __store__: ClassVar = kw.CqlTable(
        metering,
        "area_loads",
        partition=["area", "day"],
        clustering="-at",
        computed={"day": "{at:date}"},
        ttl=timedelta(days=730),
        compaction=kw.TimeWindow(window=timedelta(days=25)),
        kind="reading",
    )

    area: AreaCode
    at: AwareDatetime
    load_mw: int
    generation_mw: int
    frequency: Annotated[Decimal, Field(max_digits=5, decimal_places=3)]


publish_load = kw.Put(AreaLoad, rate="1/s", p99_ms=60)
loads = kw.Read(
    AreaLoad,
    eq="area",
    range="at",
    span=timedelta(hours=6),
    order="-at",
    limit=360,
    fan_out=2,
    rate="30/s",
    peak="120/s",
    p99_ms=100,
)
