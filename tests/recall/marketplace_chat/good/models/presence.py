"""Who is connected, and where: short-lived facts in Redis that nobody misses after a restart."""

from datetime import timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.common import UserId

presence = kw.RedisServer("chat-presence", role="sessions", owner="messaging", persistence=[])


class Presence(BaseModel):
    """The last sign of life of a member; it ends ninety seconds after the last heartbeat."""

    __store__: ClassVar = kw.RedisString(
        presence,
        key="presence:{user_id}",
        value="seen_at",
        ttl=timedelta(seconds=90),
        expected=600_000,
        kind="session",
    )

    user_id: UserId
    seen_at: AwareDatetime


heartbeat = kw.Put(Presence, rate="10k/s", peak="20k/s", p99_ms=5)
is_online = kw.Get(Presence, eq="user_id", rate="9k/s", peak="25k/s", p99_ms=5)


class GatewayConnection(BaseModel):
    """The gateway that holds the socket of a device."""

    __store__: ClassVar = kw.RedisHash(
        presence,
        key="socket:{user_id}:{device}",
        ttl=timedelta(minutes=5),
        expected=700_000,
        kind="session",
    )

    user_id: UserId
    device: Literal["phone", "tablet", "web"]
    gateway: Annotated[str, Field(max_length=40)]
    connected_at: AwareDatetime


connect = kw.Put(GatewayConnection, rate="2k/s", peak="8k/s", p99_ms=10)
connection = kw.Get(GatewayConnection, eq=["user_id", "device"], rate="2k/s", peak="9k/s", p99_ms=5)
