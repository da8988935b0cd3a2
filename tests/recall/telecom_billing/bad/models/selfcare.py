"""The app and the call centre: sessions, one-time codes, limits, and who looked at whose data."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.billing import InvoiceNo
from models.catalogue import cache
from models.customers import ULID, CustomerId

NumberHash = Annotated[
    str, Field(pattern=r"^[0-9a-f]{32}$"), kw.Size(avg=32, max=32), kw.Cardinality(distinct=6_000_000)
]
TokenHash = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$"), kw.Size(avg=64, max=64)]

sessions = kw.RedisServer(
    "sessions",
    role="sessions",
    owner="apps",
    persistence=[kw.Aof(fsync="everysec"), kw.Rdb()],
    settings={"hash-max-listpack-entries": 100_000},
)
limits = kw.RedisServer("limits", role="limiter", owner="apps")
audit = kw.Keyspace("audit", owner="security")


class SessionCustomer(BaseModel):
    """Whose login of the app or the website a token is; it ends after two weeks."""

    __store__: ClassVar = kw.RedisString(
        sessions,
        key="session:{token_hash}:customer",
        value="customer_id",
        ttl=timedelta(days=14),
        expected=2_800_000,
        active=0.3,
        kind="session",
    )

    token_hash: TokenHash
    customer_id: CustomerId


class SessionDevice(BaseModel):
    """The device of a login."""

    __store__: ClassVar = kw.RedisString(
        sessions,
        key="session:{token_hash}:device",
        value="device",
        ttl=timedelta(days=14),
        expected=2_800_000,
        active=0.3,
        kind="session",
    )

    token_hash: TokenHash
    device: Annotated[str, Field(max_length=60)]


class SessionStart(BaseModel):
    """When a login began."""

    __store__: ClassVar = kw.RedisString(
        sessions,
        key="session:{token_hash}:started",
        value="started_at",
        ttl=timedelta(days=14),
        expected=2_800_000,
        active=0.3,
        kind="session",
    )

    token_hash: TokenHash
    started_at: datetime


class SessionSeen(BaseModel):
    """When a login was used last."""

    __store__: ClassVar = kw.RedisString(
        sessions,
        key="session:{token_hash}:seen",
        value="seen_at",
        ttl=timedelta(days=14),
        expected=2_800_000,
        active=0.3,
        kind="session",
    )

    token_hash: TokenHash
    seen_at: datetime


session_customer = kw.Get(SessionCustomer, eq="token_hash", rate="2.5k/s", peak="8k/s", p99_ms=5)
session_device = kw.Get(SessionDevice, eq="token_hash", rate="2.5k/s", peak="8k/s", p99_ms=5)
session_start = kw.Get(SessionStart, eq="token_hash", rate="2.5k/s", peak="8k/s", p99_ms=5)
session_seen = kw.Get(SessionSeen, eq="token_hash", rate="2.5k/s", peak="8k/s", p99_ms=5)
log_in = kw.Put(SessionCustomer, if_absent=True, rate="15/s", peak="150/s", p99_ms=10)
set_device = kw.Put(SessionDevice, rate="15/s", peak="150/s", p99_ms=10)
set_start = kw.Put(SessionStart, rate="15/s", peak="150/s", p99_ms=10)
touch_session = kw.Put(SessionSeen, rate="400/s", peak="1.5k/s", p99_ms=10)


class OneTimeCode(BaseModel):
    """A code that was sent by SMS; it dies at its time, however often it was tried."""

    __store__: ClassVar = kw.RedisHash(sessions, key="code:{number_hash}", expected=60_000, kind="token")

    number_hash: NumberHash
    code_hash: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$"), kw.Size(avg=64, max=64)]
    purpose: Literal["login", "sim-swap", "port-out"]
    tries: Annotated[int, Field(ge=0, le=5)] = 0
    expires_at: Annotated[datetime, kw.Ttl()]


send_code = kw.Put(OneTimeCode, rate="20/s", peak="200/s", p99_ms=10)
count_try = kw.Increment(OneTimeCode, "tries", rate="20/s", peak="200/s", p99_ms=10)
one_time_code = kw.Get(OneTimeCode, eq="number_hash", rate="20/s", peak="200/s", p99_ms=5)
use_code = kw.Delete(OneTimeCode, rate="18/s", p99_ms=10)


class CodeRequest(BaseModel):
    """Codes that one number asked for: three in any ten minutes."""

    __store__: ClassVar = kw.RedisRateLimit(
        limits, key="codes:{number_hash:tag}", limit=3, per=timedelta(minutes=10), window="sliding"
    )

    number_hash: NumberHash


allow_code = kw.Take(CodeRequest, rate="22/s", peak="300/s", p99_ms=5)


class AccessEntry(BaseModel):
    """A look of an agent at a customer's data, kept for two years."""

    __store__: ClassVar = kw.CqlTable(
        audit,
        "access_entries",
        partition=["customer_id", "month"],
        clustering=["-at", "entry_id"],
        computed={"month": "{at:month}"},
        ttl=timedelta(days=730),
        compaction=kw.TimeWindow(window=timedelta(days=25)),
        kind="event",
    )

    customer_id: CustomerId
    at: datetime
    entry_id: Annotated[str, Field(pattern=ULID), kw.Size(avg=26, max=26)]
    agent: Annotated[str, Field(max_length=40), kw.Size(avg=12, max=40), kw.Pii()]
    reason: Annotated[str, kw.Size(avg=40, max=200)]
    shown: Literal["profile", "usage", "invoice", "location"]


log_access = kw.Put(AccessEntry, consistency="eventual", rate="80/s", peak="300/s", p99_ms=50)
accesses_of_customer = kw.Read(
    AccessEntry, eq=["customer_id", "month"], order="-at", limit=100, consistency="strong", rate="200/day", p99_ms=100
)


class InvoicePdf(BaseModel):
    """A bill as the customer downloads it, with its call list; kept for an hour, as most look at it twice."""

    __store__: ClassVar = kw.RedisString(
        cache, key="pdf:{invoice_no}", value="pdf", ttl=timedelta(hours=1), expected=900, kind="cache"
    )

    invoice_no: InvoiceNo
    pdf: Annotated[bytes, kw.Size(avg=2_200_000, max=14_000_000)]


bill_to_download = kw.Get(InvoicePdf, eq="invoice_no", rate="1.8k/h", peak="60/s", p99_ms=50)
keep_bill = kw.Put(InvoicePdf, rate="900/h", peak="20/s", p99_ms=100)
