"""Estate agencies: their cards in DynamoDB, near readers in two regions, and valuations in MongoDB."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar

import keywright as kw
from pydantic import BaseModel, Field

from .accounts import Country
from .listings import AgencyId, AreaGuide, DistrictId, MinorUnits

directory = kw.DynamoTable(
    "directory",
    owner="agencies",
    stream=kw.Stream(
        consumers=[kw.Consumer("agency-search", idempotency=["agency_id", "revision"], on_failure="queue")]
    ),
)
brokerage = kw.MongoDatabase("brokerage", owner="agencies")


class AgencyCard(BaseModel):
    """What every detail page shows of an agency; its back office writes it as a whole."""

    __store__: ClassVar = kw.Item(directory, pk="AGENCY#{agency_id}", sk="CARD")

    agency_id: AgencyId
    revision: Annotated[int, Field(ge=1)]
    name: Annotated[str, Field(max_length=100)]
    logo_key: Annotated[str, Field(max_length=90)]
    office_phone: Annotated[str, Field(max_length=20), kw.Pii()]
    languages: Annotated[list[Annotated[str, Field(max_length=2)]], Field(max_length=8)] = []
    changed_at: datetime


agency_card = kw.Get(
    AgencyCard,
    eq="agency_id",
    consistency="strong",
    cache_ttl=timedelta(seconds=30),
    rate="8k/s",
    peak="14k/s",
    hot_key="400/s",
    p99_ms=15,
)
save_card = kw.Put(AgencyCard, rate="3k/day", p99_ms=60)


class ValuationRequest(BaseModel):
    """An owner who asks what the home is worth; forgotten after sixty days."""

    __store__: ClassVar = kw.Collection(
        brokerage,
        "valuation_requests",
        id="{request_id}",
        indexes=[kw.Index(["district_id", "-asked_at"])],
        expected=130_000_000,
        active=0.02,
    )

    request_id: Annotated[str, Field(pattern=r"^[0-9A-Z]{26}$"), kw.Size(avg=26, max=26)]
    country: Country
    district_id: Annotated[DistrictId, kw.Ref(AreaGuide, on_missing="ignore", max_referrers=300_000)]
    owner_name: Annotated[str, Field(max_length=100), kw.Pii()]
    owner_email: Annotated[str, Field(max_length=254), kw.Pii()]
    living_area_m2: Annotated[int, Field(ge=1, le=100_000)]
    estimate_minor: MinorUnits | None = None
    asked_at: Annotated[datetime, kw.Ttl(after=timedelta(days=60))]


class ValuationTally(BaseModel):
    """How many owners of a country asked on a day."""

    __store__: ClassVar = kw.Collection(
        brokerage,
        "valuation_tallies",
        id="{country}#{day}",
        expected=6_000,
        kind="analytics",
        keep_forever="four rows a day, compared over years",
    )

    country: Country
    day: Annotated[str, Field(pattern=r"^\d{4}-\d{2}-\d{2}$")]
    requests: Annotated[int, Field(ge=0)]


ask_valuation = kw.Transact(
    [kw.Put(ValuationRequest, if_absent=True), kw.Increment(ValuationTally, "requests")],
    rate="25/s",
    peak="300/s",
    p99_ms=120,
)
valuation_request = kw.Get(ValuationRequest, eq="request_id", consistency="session", rate="30/s", p99_ms=50)
valuations_in_district = kw.Read(
    ValuationRequest, eq="district_id", order="-asked_at", limit=25, rate="10/s", p99_ms=80
)
answer_valuation = kw.Update(ValuationRequest, sets="estimate_minor", rate="20/s", p99_ms=120)
valuation_tally = kw.Get(ValuationTally, eq=["country", "day"], rate="5/s", p99_ms=50)
open_valuation_day = kw.Put(ValuationTally, if_absent=True, rate="4/day", p99_ms=200)
