"""What is insured, and for whom: copies of the policy system that claims are checked against."""

from datetime import date, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.common import Address, Coverage, Money, PartyId, PersonName, PolicyId, ProductCode, policies


class CoverageTerm(BaseModel):
    """A coverage with its limit and what the holder pays first."""

    coverage: Coverage
    limit: Money
    deductible: Money


class Product(BaseModel):
    """A tariff: one document for each version, since a policy keeps the version that it was sold with."""

    __store__: ClassVar = kw.Collection(
        policies,
        "products",
        id="{product_code}@{version:pad(4)}",
        expected=900,
    )

    product_code: ProductCode
    version: Annotated[int, Field(ge=1, le=9_999)]
    name: Annotated[str, Field(max_length=80)]
    line: Literal["motor", "home", "liability"]
    terms: Annotated[list[CoverageTerm], Field(max_length=15)]
    sold_from: date
    sold_until: date | None = None


product = kw.Get(Product, eq=["product_code", "version"], rate="20/s", p99_ms=20, cache_ttl=timedelta(minutes=10))
publish_product = kw.Put(Product, if_absent=True, rate="5/day", p99_ms=100)


class Party(BaseModel):
    """A person or company: holder of a policy, claimant or witness."""

    __store__: ClassVar = kw.Collection(
        policies,
        "parties",
        id="{party_id}",
        indexes=[
            kw.Index("email", collation=kw.Collation(locale="en", strength=2), where={"email": kw.Present()}),
            kw.Index(["last_name", "birth_date"], collation=kw.Collation(locale="de", strength=1)),
        ],
        stream=kw.Stream(
            consumers=[kw.Consumer("copy-holder-names", idempotency=["party_id", "revision"], on_failure="queue")]
        ),
        expected=6_500_000,
        active=0.02,
        keep_forever="erased by the privacy job ten years after the last contract",
    )

    party_id: PartyId
    kind: Literal["person", "company"]
    first_name: Annotated[str, Field(max_length=80), kw.Size(avg=8, max=120), kw.Pii()] = ""
    last_name: Annotated[str, Field(max_length=120), kw.Size(avg=9, max=200), kw.Pii()]
    full_name: PersonName
    birth_date: Annotated[date, kw.Pii()] | None = None
    email: Annotated[str, Field(max_length=254), kw.Size(avg=24, max=254), kw.Pii()] | None = None
    phone: Annotated[str, Field(max_length=20)] | None = None
    addresses: Annotated[list[Address], Field(max_length=4)] = []
    language: Literal["de", "fr", "it", "en"] = "de"
    revision: Annotated[int, Field(ge=1)] = 1


party = kw.Get(Party, eq="party_id", rate="120/s", p99_ms=20)
parties_by_name = kw.Read(
    Party,
    eq=["last_name", "birth_date"],
    limit=20,
    collation=kw.Collation(locale="de", strength=1),
    rate="3/s",
    p99_ms=50,
)
party_by_email = kw.Read(
    Party,
    eq="email",
    where={"email": kw.Present()},
    limit=5,
    collation=kw.Collation(locale="en", strength=2),
    rate="2/s",
    p99_ms=50,
)
import_party = kw.Put(Party, rate="40k/day", peak="200/s", p99_ms=200)


class Vehicle(BaseModel):
    """An insured vehicle."""

    plate: Annotated[str, Field(max_length=12), kw.Pii()]
    vin: Annotated[str, Field(min_length=17, max_length=17), kw.Pii()]
    make: Annotated[str, Field(max_length=40)]
    model: Annotated[str, Field(max_length=60)]
    first_registered: date


class Policy(BaseModel):
    """A contract with its coverages, which are always read with it."""

    __store__: ClassVar = kw.Collection(
        policies,
        "policies",
        id="{policy_id}",
        indexes=[
            kw.Index("number", unique=True),
            kw.Index(["holder_id", "-valid_from"]),
            kw.Index("vehicle.plate", where={"vehicle.plate": kw.Present()}),
        ],
        expected=5_200_000,
        active=0.02,
        keep_forever="erased by the privacy job ten years after the end of the contract",
    )

    policy_id: PolicyId
    number: Annotated[str, Field(pattern=r"^[0-9]{10}$", min_length=10, max_length=10)]
    holder_id: Annotated[PartyId, kw.Ref(Party, on_missing="ignore", max_referrers=40)]
    holder_name: Annotated[PersonName, kw.CopiedFrom(Party, "full_name", sync="never")]
    product_code: ProductCode
    product_version: Annotated[int, Field(ge=1, le=9_999)]
    terms: Annotated[list[CoverageTerm], Field(max_length=15)]
    vehicle: Vehicle | None = None
    insured_address: Address | None = None
    valid_from: date
    valid_until: date
    state: Literal["active", "suspended", "cancelled", "lapsed"]
    synced_at: AwareDatetime


policy = kw.Get(Policy, eq="policy_id", rate="90/s", p99_ms=20)
policy_by_number = kw.Get(Policy, eq="number", rate="10/s", p99_ms=30)
policies_of_holder = kw.Read(Policy, eq="holder_id", order="-valid_from", limit=40, rate="15/s", p99_ms=50)
policies_of_plate = kw.Read(
    Policy, eq="vehicle.plate", where={"vehicle.plate": kw.Present()}, limit=10, rate="2/s", p99_ms=50
)
import_policy = kw.Put(Policy, rate="60k/day", peak="300/s", p99_ms=200)
