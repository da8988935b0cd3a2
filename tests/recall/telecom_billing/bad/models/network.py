"""What the network is told and tells at once: commands to its registers, messages to customers, and live figures."""

from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.customers import ULID, Imsi, Msisdn, SubscriptionId

queues = kw.RedisServer("queues", role="queue", owner="network")
live = kw.RedisServer("live", role="primary", owner="network", persistence=[kw.Aof(fsync="always"), kw.Rdb()])

registers = kw.ConsumerGroup("registers", idempotency="imsi", claim_after=timedelta(seconds=30))
sms_gateway = kw.ConsumerGroup("sms-gateway", idempotency="notice_id", claim_after=timedelta(minutes=1))


class Holder(BaseModel):
    """The customer behind a line, as the contract says."""

    name: Annotated[str, Field(max_length=120)]
    birthday: Annotated[str, Field(max_length=10)]
    street: Annotated[str, Field(max_length=80)]
    city: Annotated[str, Field(max_length=60)]
    email: Annotated[str, Field(max_length=254), kw.Size(avg=24, max=254)]


class NetworkCommand(BaseModel):
    """A change for the home register: a new SIM, a bar, an end of a bar."""

    __store__: ClassVar = kw.RedisStream(
        queues, key="commands", keep=4_000_000, groups=[registers], kind="event", expected=4_000_000
    )

    command_id: Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26)]
    imsi: Imsi
    action: Literal["create", "bar", "unbar", "slow-down", "remove"]
    holder: Annotated[Holder, kw.Pii()]
    asked_at: datetime


send_command = kw.Put(NetworkCommand, rate="40/s", peak="400/s", p99_ms=10)
next_commands = kw.Take(NetworkCommand, group=registers, limit=20, rate="20/s", peak="100/s", p99_ms=20)


class Notice(BaseModel):
    """A text to a customer: eighty percent used, welcome abroad, a bill has come."""

    __store__: ClassVar = kw.RedisStream(
        queues, key="notices", keep=20_000, groups=[sms_gateway], kind="event", expected=20_000
    )

    notice_id: Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26)]
    msisdn: Msisdn
    template: Annotated[str, Field(max_length=40), kw.Size(avg=16, max=40)]
    text: Annotated[str, kw.Size(avg=140, max=480), kw.Pii()]


send_notice = kw.Put(Notice, rate="30/s", peak="900/s", p99_ms=10)
next_notices = kw.Take(Notice, group=sms_gateway, limit=50, rate="10/s", peak="60/s", p99_ms=20)


class FailedNotice(BaseModel):
    """A notice that the gateway gave up on that day."""

    __store__: ClassVar = kw.RedisList(
        queues, key="failed:{day:date}", max_length=200_000, ttl=timedelta(days=3), expected=400_000, kind="event"
    )

    day: date
    notice_id: Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26)]
    reason: Literal["unknown-number", "switched-off", "gateway-full", "timeout"]


note_failure = kw.Put(FailedNotice, rate="2/s", peak="60/s", p99_ms=10)
failures_of_day = kw.Read(FailedNotice, eq="day", rate="1/s", p99_ms=200)


class FairUse(BaseModel):
    """What a line used on a day, by which the policy server slows it down; the bill does not need it."""

    __store__: ClassVar = kw.RedisString(
        live,
        key="fair:{subscription_id}:{day:date}",
        ttl=timedelta(days=2),
        expected=9_000_000,
        kind="analytics",
    )

    subscription_id: SubscriptionId
    day: date
    megabytes: Annotated[int, Field(ge=0)]
    roaming_megabytes: Annotated[int, Field(ge=0)] = 0
    slowed: bool = False
    reported_at: datetime


save_use = kw.Put(FairUse, rate="8k/s", peak="22k/s", p99_ms=10)
use_of_day = kw.Get(FairUse, eq=["subscription_id", "day"], rate="8k/s", peak="22k/s", p99_ms=5)


class HeavyUser(BaseModel):
    """The lines that load the network most; crowded cells slow them down first."""

    __store__: ClassVar = kw.RedisSortedSet(
        live,
        key="heavy",
        member="{subscription_id}",
        score="megabytes",
        expected=6_000_000,
        kind="analytics",
    )

    subscription_id: SubscriptionId
    megabytes: Annotated[int, Field(ge=0)]


add_load = kw.Increment(HeavyUser, "megabytes", by=50, rate="3k/s", peak="8k/s", p99_ms=10)
heaviest_lines = kw.Read(HeavyUser, order="-megabytes", limit=20, rate="200/s", p99_ms=10)
