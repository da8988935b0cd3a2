"""Logins: sessions and one-time codes in Redis, and the limit that guards them."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar

from pydantic import BaseModel, Field

import keywright as kw
from models.people import LoginHash, PersonId, Role, SchoolId

sessions = kw.RedisServer(
    "portal-sessions", role="sessions", owner="identity", persistence=[kw.Aof(fsync="everysec"), kw.Rdb()]
)
gate = kw.RedisServer("portal-gate", role="limiter", owner="identity")


class Session(BaseModel):
    """A login; it ends two days after its last use."""

    __store__: ClassVar = kw.RedisHash(
        sessions, key="session:{token}", ttl=timedelta(days=2), kind="session", expected=1_800_000
    )

    token: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{43}$"), kw.Size(avg=43, max=43)]
    person_id: PersonId
    role: Role
    school_id: SchoolId
    device: Annotated[str, Field(max_length=60), kw.Size(avg=18, max=120)]
    started_at: datetime
    seen_at: datetime


session = kw.Get(Session, eq="token", rate="1.5k/s", peak="9k/s", p99_ms=5)
start_session = kw.Put(Session, if_absent=True, rate="10/s", peak="250/s", p99_ms=10)
touch_session = kw.Update(Session, sets="seen_at", rate="150/s", peak="1k/s", p99_ms=10)
end_session = kw.Delete(Session, rate="2/s", peak="20/s", p99_ms=10)


class LoginCode(BaseModel):
    """A code that was sent by e-mail: five tries within ten minutes, and usable once."""

    __store__: ClassVar = kw.RedisHash(sessions, key="code:{login_hash}", kind="token", expected=20_000)

    login_hash: LoginHash
    code_digest: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$"), kw.Size(avg=64, max=64)]
    tries: Annotated[int, Field(ge=0, le=5)] = 0
    used: bool = False
    expires_at: Annotated[datetime, kw.Ttl()]


send_code = kw.Put(LoginCode, rate="8/s", peak="120/s", p99_ms=10)
count_try = kw.Increment(LoginCode, "tries", rate="9/s", peak="130/s", p99_ms=10)
login_code = kw.Get(LoginCode, eq="login_hash", rate="9/s", peak="130/s", p99_ms=5)
use_code = kw.Update(LoginCode, sets="used", where={"used": False}, rate="8/s", peak="120/s", p99_ms=10)


class LoginAttempt(BaseModel):
    """Logins of one account: ten in each quarter of an hour."""

    __store__: ClassVar = kw.RedisRateLimit(
        gate, key="login:{login_hash}", limit=10, per=timedelta(minutes=15), window="fixed", expected=150_000
    )

    login_hash: LoginHash


allow_login = kw.Take(LoginAttempt, rate="20/s", peak="300/s", p99_ms=5)
