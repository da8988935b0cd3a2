"""What the network is told and tells at once: commands to its registers, messages to customers, and live figures."""

from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.customers import ULID, Imsi, Msisdn, SubscriptionId
from models.usage import CellId

queues = kw.RedisServer("queues", role="queue", owner="network")
live = kw.RedisServer("live", role="primary", owner="network")

registers = kw.ConsumerGroup("registers", idempotency="command_id", claim_after=timedelta(seconds=30))
sms_gateway = kw.ConsumerGroup("sms-gateway", idempotency="notice_id", claim_after=timedelta(minutes=1))


class NetworkCommand(BaseModel):
    """A change for the home register: a new SIM, a bar, an end of a bar."""

    __store__: ClassVar = kw.RedisStream(
        queues, key="commands", keep=4_000_000, groups=[registers], kind="event", expected=4_000_000
    )

    command_id: Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26)]
    imsi: Imsi
    action: Literal["create", "bar", "unbar", "slow-down", "remove"]
    asked_at: datetime


send_command = kw.Put(NetworkCommand, rate="40/s", peak="400/s", p99_ms=10)
next_commands = kw.Take(NetworkCommand, group=registers, limit=20, rate="20/s", peak="100/s", p99_ms=20)


class Notice(BaseModel):
    """A text to a customer: eighty percent used, welcome abroad, a bill has come."""

    __store__: ClassVar = kw.RedisStream(
        queues, key="notices", keep=3_000_000, groups=[sms_gateway], kind="event", expected=3_000_000
    )

    notice_id: Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26)]
    msisdn: Msisdn
    template: Annotated[str, Field(max_length=40), kw.Size(avg=16, max=40)]
    text: Annotated[str, kw.Size(avg=140, max=480), kw.Pii()]


send_notice = kw.Put(Notice, rate="30/s", peak="900/s", p99_ms=10)
next_notices = kw.Take(Notice, group=sms_gateway, limit=50, rate="10/s", peak="60/s", p99_ms=20)


class FairUse(BaseModel):
    """Megabytes that a line used on a day, by which the policy server slows it down; the bill does not need it."""

    __store__: ClassVar = kw.RedisCounter(
        live,
        key="fair:{subscription_id}:{day:date}",
        value="megabytes",
        ttl=timedelta(days=2),
        expected=9_000_000,
        kind="analytics",
    )

    subscription_id: SubscriptionId
    day: date
    megabytes: Annotated[int, Field(ge=0)]


add_megabytes = kw.Increment(FairUse, "megabytes", by=50, rate="8k/s", peak="22k/s", p99_ms=10)
megabytes_of_day = kw.Get(FairUse, eq=["subscription_id", "day"], rate="1.2k/s", peak="4k/s", p99_ms=5)


class HeavyUser(BaseModel):
    """The lines that load a cell most on a day; the cell slows them down first when it is crowded."""

    __store__: ClassVar = kw.RedisSortedSet(
        live,
        key="heavy:{cell_id}:{day:date}",
        member="{subscription_id}",
        score="megabytes",
        ttl=timedelta(hours=26),
        expected=16_000_000,
        kind="analytics",
    )

    cell_id: CellId
    day: date
    subscription_id: SubscriptionId
    megabytes: Annotated[int, Field(ge=0)]


add_cell_megabytes = kw.Increment(HeavyUser, "megabytes", by=50, rate="3k/s", peak="8k/s", p99_ms=10)
heaviest_of_cell = kw.Read(HeavyUser, eq=["cell_id", "day"], order="-megabytes", limit=20, rate="200/s", p99_ms=10)
