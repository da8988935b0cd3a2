"""Events that bring thousands of claims at once."""

from datetime import timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.claims import Claim
from models.common import Cents, ClaimId, claims


class Catastrophe(BaseModel):
    """A storm, flood or hail for which claims are handled together."""

    __store__: ClassVar = kw.Collection(
        claims, "catastrophes", id="{catastrophe_id}", indexes=[kw.Index("-began_at")], expected=600
    )

    catastrophe_id: UUID
    name: Annotated[str, Field(max_length=80)]
    peril: Literal["storm", "hail", "flood", "snow", "earthquake"]
    began_at: AwareDatetime
    ended_at: AwareDatetime | None = None
    postcodes: Annotated[list[Annotated[str, Field(max_length=10)]], Field(max_length=3_000)]


declare_catastrophe = kw.Put(Catastrophe, if_absent=True, rate="1/day", p99_ms=200)
catastrophe = kw.Get(Catastrophe, eq="catastrophe_id", rate="5/s", p99_ms=30)
recent_catastrophes = kw.Read(
    Catastrophe,
    order="-began_at",
    limit=20,
    fields=["catastrophe_id", "name", "peril", "began_at", "ended_at"],
    rate="1/s",
    p99_ms=50,
)
claims_of_catastrophe = kw.Read(
    Claim,
    eq="catastrophe_id",
    where={"catastrophe_id": kw.Present()},
    range="reported_at",
    span=timedelta(days=1),
    order="reported_at",
    limit=100,
    rate="2k/day",
    p99_ms=200,
)


class EmergencyFund(BaseModel):
    """The money that may be given at once to those who lost their home in a catastrophe."""

    __store__: ClassVar = kw.Collection(
        claims,
        "emergency_funds",
        id="{catastrophe_id}",
        kind="money",
        expected=600,
        active=0.02,
        keep_forever="accounting law: ten years, then archived by the finance job",
    )

    catastrophe_id: Annotated[UUID, kw.Ref(Catastrophe, on_missing="fail", max_referrers=1)]
    remaining_cents: Cents


class EmergencyGrant(BaseModel):
    """What one household was given out of a fund."""

    __store__: ClassVar = kw.Collection(
        claims,
        "emergency_grants",
        id="{grant_id}",
        indexes=[kw.Index("claim_id", unique=True)],
        kind="money",
        expected=300_000,
        active=0.01,
        keep_forever="accounting law: ten years, then archived by the finance job",
    )

    grant_id: UUID
    catastrophe_id: Annotated[UUID, kw.Ref(EmergencyFund, on_missing="fail", max_referrers=40_000)]
    claim_id: Annotated[ClaimId, kw.Ref(Claim, on_missing="fail", max_referrers=1)]
    amount_cents: Cents
    granted_at: AwareDatetime


open_fund = kw.Put(EmergencyFund, if_absent=True, rate="1/day", p99_ms=100)
fund_before_grant = kw.Get(EmergencyFund, eq="catastrophe_id", rate="2k/day", peak="30/s", p99_ms=30)
take_from_fund = kw.Increment(
    EmergencyFund,
    "remaining_cents",
    by=-50_000,
    where={"remaining_cents": kw.AtLeast(50_000)},
    rate="2k/day",
    peak="30/s",
    p99_ms=100,
)
record_grant = kw.Put(EmergencyGrant, if_absent=True, rate="2k/day", peak="30/s", p99_ms=100)
grant_of_claim = kw.Get(EmergencyGrant, eq="claim_id", consistency="strong", rate="5k/day", p99_ms=50)
