"""Logins: ten million sessions in Redis, remembered devices in MongoDB, and the limits that guard both."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar

from pydantic import BaseModel, Field

import keywright as kw

sessions = kw.RedisServer(
    "sessions", role="sessions", owner="identity", persistence=[kw.Aof(fsync="everysec"), kw.Rdb()]
)
gate = kw.RedisServer("gate", role="limiter", owner="identity")
identity = kw.MongoDatabase("identity", owner="identity")


class Session(BaseModel):
    """A login; it ends a day after its last use and survives a restart of the server."""

    __store__: ClassVar = kw.RedisHash(
        sessions, key="session:{token}", ttl=timedelta(hours=24), expected=10_000_000, kind="session"
    )

    token: Annotated[str, kw.Size(avg=32, max=32)]
    user_id: Annotated[str, kw.Size(avg=12)]
    started_at: datetime
    seen_at: datetime
    data: Annotated[str, kw.Size(avg=1_900, max=16_000)]


session = kw.Get(Session, eq="token", rate="100k/s", p99_ms=5)
start_session = kw.Put(Session, rate="500/s", p99_ms=10)
touch_session = kw.Update(Session, sets="seen_at", rate="20k/s", p99_ms=10)
end_session = kw.Delete(Session, rate="100/s", p99_ms=10)


class RememberedDevice(BaseModel):
    """A device that stays logged in until a stated moment."""

    __store__: ClassVar = kw.Collection(
        identity, "remembered_devices", id="{device_id}", indexes=[kw.Index(["user_id", "-seen_at"])], kind="session"
    )

    device_id: Annotated[str, kw.Size(avg=32)]
    user_id: Annotated[str, kw.Size(avg=12)]
    seen_at: datetime
    expires_at: Annotated[datetime, kw.Ttl()]


remembered_device = kw.Get(RememberedDevice, eq="device_id", consistency="strong", rate="200/s", p99_ms=20)
devices_of_user = kw.Read(RememberedDevice, eq="user_id", order="-seen_at", limit=20, rate="5/s", p99_ms=50)
remember_device = kw.Put(RememberedDevice, rate="20/s", p99_ms=100)
forget_device = kw.Delete(RememberedDevice, rate="2/s", p99_ms=100)


class ApiCall(BaseModel):
    """A user's calls: a hundred in any sixty seconds."""

    __store__: ClassVar = kw.RedisRateLimit(
        gate, key="rate:{user_id:tag}", limit=100, per=timedelta(seconds=60), window="sliding"
    )

    user_id: Annotated[str, kw.Size(avg=12), kw.Cardinality(distinct=500_000)]


class LoginAttempt(BaseModel):
    """Logins from one address: twenty in each calendar minute, counted cheaply."""

    __store__: ClassVar = kw.RedisRateLimit(
        gate, key="login:{address:tag}", limit=20, per=timedelta(minutes=1), window="fixed"
    )

    address: Annotated[str, Field(max_length=45), kw.Pii()]


allow_call = kw.Take(ApiCall, rate="20k/s", p99_ms=5)
allow_login = kw.Take(LoginAttempt, rate="500/s", p99_ms=5)


class FeatureFlag(BaseModel):
    """A switch, read everywhere."""

    __store__: ClassVar = kw.RedisString(
        sessions, key="flag:{name}", value="on", expected=200, keep_forever="flags stay until they are removed"
    )

    name: Annotated[str, Field(max_length=60)]
    on: bool


flag = kw.Get(FeatureFlag, eq="name", rate="5k/s", p99_ms=10, cache_ttl=timedelta(seconds=10))
set_flag = kw.Put(FeatureFlag, rate="10/day", p99_ms=10)
