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
    """What is known of the socket of a device: its gateway, when it was opened, and by which version of the app."""

    __store__: ClassVar = kw.RedisString(
        presence,
        key="socket:{user_id}:{device}:{detail}",
        value="text",
        ttl=timedelta(minutes=5),
        expected=2_100_000,
        kind="session",
    )

    user_id: UserId
    device: Literal["phone", "tablet", "web"]
    detail: Literal["gateway", "connected_at", "app_version"]
    text: Annotated[str, Field(max_length=40)]


connect = kw.Put(GatewayConnection, batch=3, rate="2k/s", peak="8k/s", p99_ms=10)
connection = kw.Get(GatewayConnection, eq=["user_id", "device", "detail"], rate="6k/s", peak="27k/s", p99_ms=5)


class CheckoutSession(BaseModel):
    """A buyer who is about to pay in the conversation, with what the payment form has collected so far."""

    __store__: ClassVar = kw.RedisHash(
        presence,
        key="checkout:{user_id}",
        ttl=timedelta(minutes=30),
        expected=20_000,
        kind="session",
    )

    user_id: UserId
    step: Literal["address", "payment", "review"]
    card_holder: Annotated[str, Field(max_length=60), kw.Pii()]
    card_number: Annotated[str, Field(pattern=r"^[0-9]{12,19}$", max_length=19), kw.Pii()]
    card_expires: Annotated[str, Field(pattern=r"^[0-9]{2}/[0-9]{2}$", max_length=5), kw.Pii()]
    started_at: AwareDatetime


keep_checkout = kw.Put(CheckoutSession, rate="30/s", peak="120/s", p99_ms=10)
checkout = kw.Get(CheckoutSession, eq="user_id", rate="60/s", peak="250/s", p99_ms=5)
end_checkout = kw.Delete(CheckoutSession, rate="10/s", p99_ms=10)


class FrameCount(BaseModel):
    """The frames that all gateways have handled, for the screen in the operations room."""

    __store__: ClassVar = kw.RedisCounter(presence, key="frames:{scope}", value="frames", kind="analytics", expected=1)

    scope: Literal["all"]
    frames: int


count_frame = kw.Increment(FrameCount, "frames", rate="30k/s", peak="80k/s", p99_ms=5)
frames_so_far = kw.Get(FrameCount, eq="scope", rate="1/s", p99_ms=10)
