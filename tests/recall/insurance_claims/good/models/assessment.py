"""Who looks at the damage, when, and what it will cost: adjusters, appointments, assessments, repair shops."""

from datetime import timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.claims import Claim, ClaimDocument
from models.common import Address, AdjusterId, Cents, ClaimId, PersonName, Point, ShopId, claims


class Adjuster(BaseModel):
    """A person who decides about claims, up to an authority."""

    __store__: ClassVar = kw.Collection(
        claims, "adjusters", id="{adjuster_id}", indexes=[kw.Index(["region", "skills"])], expected=1_800
    )

    adjuster_id: AdjusterId
    name: PersonName
    region: Annotated[str, Field(max_length=20), kw.Cardinality(distinct=16)]
    skills: Annotated[
        list[Literal["motor", "glass", "fire", "water", "theft", "injury", "liability"]], Field(max_length=7)
    ]
    authority_cents: Cents
    active: bool = True


adjuster = kw.Get(Adjuster, eq="adjuster_id", rate="30/s", p99_ms=20)
adjusters_with_skill = kw.Read(Adjuster, eq="region", contains="skills", limit=200, rate="2/s", p99_ms=50)
save_adjuster = kw.Put(Adjuster, rate="20/day", p99_ms=100)


class Appointment(BaseModel):
    """An inspection; the unique index lets an adjuster have one at a time."""

    __store__: ClassVar = kw.Collection(
        claims,
        "appointments",
        id="{appointment_id}",
        indexes=[kw.Index(["adjuster_id", "starts_at"], unique=True)],
        expected=500_000,
        active=0.1,
    )

    appointment_id: UUID
    claim_id: Annotated[ClaimId, kw.Ref(Claim, on_missing="hide", max_referrers=10)]
    adjuster_id: Annotated[AdjusterId, kw.Ref(Adjuster, on_missing="fail", max_referrers=2_000)]
    starts_at: Annotated[AwareDatetime, kw.Ttl(after=timedelta(days=730))]
    minutes: Annotated[int, Field(ge=15, le=240)]
    address: Address
    state: Literal["booked", "confirmed", "done", "missed"] = "booked"


book_appointment = kw.Put(Appointment, if_absent=True, rate="700/day", p99_ms=150)
appointments_of_week = kw.Read(
    Appointment,
    eq="adjuster_id",
    range="starts_at",
    span=timedelta(days=7),
    order="starts_at",
    limit=60,
    consistency="strong",
    reads_back=[book_appointment],
    rate="1/s",
    p99_ms=60,
)


class AssessedItem(BaseModel):
    """A damaged part or thing, with its price."""

    description: Annotated[str, Field(max_length=120)]
    quantity: Annotated[int, Field(ge=1, le=999)]
    parts_cents: Cents
    labour_cents: Cents
    decision: Literal["repair", "replace", "reject"]


class Assessment(BaseModel):
    """The report of an expert; a later one replaces none, it has a higher number."""

    __store__: ClassVar = kw.Collection(
        claims,
        "assessments",
        id="{claim_id}#{number:pad(3)}",
        indexes=[kw.Index(["claim_id", "-number"], unique=True)],
        expected=4_500_000,
        active=0.02,
    )

    claim_id: Annotated[ClaimId, kw.Ref(Claim, on_missing="ignore", max_referrers=20)]
    number: Annotated[int, Field(ge=1, le=999)]
    expert_id: AdjusterId
    items: Annotated[list[AssessedItem], Field(max_length=300)]
    photos: Annotated[list[Annotated[UUID, kw.Ref(ClaimDocument, on_missing="ignore")]], Field(max_length=60)] = []
    total_cents: Cents
    total_loss: bool = False
    signed_at: AwareDatetime
    erase_at: Annotated[AwareDatetime | None, kw.Ttl()] = None


file_assessment = kw.Put(Assessment, if_absent=True, rate="1.3k/day", p99_ms=200)
latest_assessments = kw.Read(Assessment, eq="claim_id", order="-number", limit=3, rate="4/s", p99_ms=60)


class RepairShop(BaseModel):
    """A garage or craftsman of the network."""

    __store__: ClassVar = kw.Collection(
        claims,
        "repair_shops",
        id="{shop_id}",
        indexes=[kw.GeoIndex("place")],
        expected=14_000,
    )

    shop_id: ShopId
    name: Annotated[str, Field(max_length=120)]
    trade: Literal["bodywork", "glass", "plumbing", "roofing", "electrical", "cleaning"]
    postcode: Annotated[str, Field(max_length=10), kw.Cardinality(distinct=6_000)]
    place: Point
    rating: Annotated[float, Field(ge=0, le=5)]
    network: bool = True


shop = kw.Get(RepairShop, eq="shop_id", rate="5/s", p99_ms=20)
shops_near = kw.Read(RepairShop, near="place", limit=20, rate="2/s", p99_ms=80)
save_shop = kw.Put(RepairShop, rate="50/day", p99_ms=100)
