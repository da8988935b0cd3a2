"""Events that bring thousands of claims at once."""

from datetime import timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.claims import Claim
from models.common import claims


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
