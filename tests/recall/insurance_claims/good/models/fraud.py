"""Signs of fraud: signals of the scoring, a watch list, and what the vehicle measured around a crash."""

from datetime import timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.claims import Claim
from models.common import ClaimId, PolicyId, claims


class FraudSignal(BaseModel):
    """A reason to look twice, with the version of the rules that gave it."""

    __store__: ClassVar = kw.Collection(
        claims,
        "fraud_signals",
        id="{claim_id}#{signal}#{rules_version:pad(5)}",
        indexes=[kw.Index(["claim_id", "-weight"])],
        expected=6_000_000,
        active=0.02,
    )

    claim_id: Annotated[ClaimId, kw.Ref(Claim, on_missing="ignore", max_referrers=40)]
    signal: Annotated[str, Field(pattern=r"^[a-z_]{3,40}$", max_length=40), kw.Cardinality(distinct=120)]
    rules_version: Annotated[int, Field(ge=1, le=99_999)]
    weight: Annotated[int, Field(ge=1, le=1_000)]
    evidence: Annotated[str, Field(max_length=500), kw.Size(avg=120, max=1_000), kw.Pii()]
    found_at: Annotated[AwareDatetime, kw.Ttl(after=timedelta(days=5 * 365))]


record_signal = kw.Put(FraudSignal, rate="8k/day", peak="30/s", p99_ms=150)
signals_of_claim = kw.Read(FraudSignal, eq="claim_id", order="-weight", limit=40, rate="3/s", p99_ms=60)


class WatchlistEntry(BaseModel):
    """A plate, account or document that appeared in a proven fraud, by its keyed hash; reviewed every two years."""

    __store__: ClassVar = kw.Collection(claims, "watchlist", id="{kind}:{value_hmac}", kind="record", expected=90_000)

    kind: Literal["plate", "iban", "phone", "document"]
    value_hmac: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$", min_length=64, max_length=64)]
    claim_id: Annotated[ClaimId, kw.Ref(Claim, on_missing="ignore")]
    added_by: Annotated[str, Field(max_length=40)]
    review_by: Annotated[AwareDatetime, kw.Ttl()]


on_watchlist = kw.Get(WatchlistEntry, eq=["kind", "value_hmac"], rate="2/s", peak="40/s", p99_ms=30)
add_to_watchlist = kw.Put(WatchlistEntry, if_absent=True, rate="40/day", p99_ms=100)


class Crash(BaseModel):
    """A crash that a telematics box reported."""

    __store__: ClassVar = kw.Collection(
        claims,
        "crashes",
        id="{crash_id}",
        indexes=[kw.Index(["policy_id", "-detected_at"])],
        kind="event",
        expected=400_000,
        active=0.05,
    )

    crash_id: Annotated[UUID, kw.Cardinality(distinct=400_000)]
    policy_id: PolicyId
    detected_at: Annotated[AwareDatetime, kw.Ttl(after=timedelta(days=730))]
    peak_g: Annotated[float, Field(ge=0, le=200)]
    speed_kmh: Annotated[float, Field(ge=0, le=300)]
    firmware: Annotated[str, Field(max_length=20)]


report_crash = kw.Put(Crash, if_absent=True, rate="550/day", p99_ms=150)
crashes_of_policy = kw.Read(Crash, eq="policy_id", order="-detected_at", limit=10, rate="2k/day", p99_ms=80)


class CrashSample(BaseModel):
    """What the box measured ten times a second, half a minute before and after a crash."""

    __store__: ClassVar = kw.TimeSeries(
        claims,
        "crash_samples",
        time="at",
        meta="crash_id",
        granularity="seconds",
        ttl=timedelta(days=730),
        kind="reading",
        expected=240_000_000,
        active=0.01,
    )

    crash_id: Annotated[UUID, kw.Cardinality(distinct=400_000)]
    at: AwareDatetime
    longitudinal_g: float
    lateral_g: float
    speed_kmh: float


upload_samples = kw.Put(CrashSample, rate="550/day", batch=600, p99_ms=2_000)
samples_of_crash = kw.Read(
    CrashSample, eq="crash_id", range="at", span=timedelta(minutes=1), order="at", limit=600, rate="1k/day", p99_ms=300
)
