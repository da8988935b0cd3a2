"""Riders, drivers, their vehicles and papers: one document each, in MongoDB."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

import keywright as kw
from pydantic import BaseModel, Field

people = kw.MongoDatabase("people", owner="identity")

RiderId = Annotated[UUID, kw.Cardinality(distinct=60_000_000)]
DriverId = Annotated[UUID, kw.Cardinality(distinct=1_500_000)]
VehicleId = Annotated[UUID, kw.Cardinality(distinct=1_400_000)]
CityId = Annotated[str, Field(pattern=r"^[a-z]{3}$"), kw.Size(avg=3, max=3), kw.Cardinality(distinct=400)]
Phone = Annotated[str, Field(pattern=r"^\+[0-9]{7,15}$"), kw.Size(avg=13, max=16), kw.Pii()]
Plate = Annotated[str, Field(pattern=r"^[A-Z0-9-]{2,12}$"), kw.Size(avg=8, max=12), kw.Pii()]

any_case = kw.Collation(locale="en", strength=2)


class Rider(BaseModel):
    """A person who orders trips; the account is erased within a day of the request."""

    __store__: ClassVar = kw.Collection(
        people,
        "riders",
        id="{rider_id}",
        indexes=[kw.Index("phone", unique=True), kw.Index("email", unique=True, collation=any_case)],
        stream=kw.Stream(
            images="new_and_old",
            consumers=[kw.Consumer("mailing-lists", idempotency=["rider_id", "revision"], on_failure="queue")],
        ),
        expected=60_000_000,
        active=0.08,
    )

    rider_id: RiderId
    phone: Phone
    email: Annotated[str, kw.Size(avg=24, max=254), kw.Pii()]
    name: Annotated[str, Field(max_length=120), kw.Size(avg=18, max=240), kw.Pii()]
    home_city: CityId
    created_at: datetime
    revision: Annotated[int, Field(ge=1)] = 1


rider = kw.Get(Rider, eq="rider_id", rate="3k/s", peak="9k/s", p99_ms=20)
rider_by_phone = kw.Get(Rider, eq="phone", rate="300/s", p99_ms=30)
rider_by_email = kw.Get(Rider, eq="email", collation=any_case, rate="20/s", p99_ms=50)
register_rider = kw.Put(Rider, if_absent=True, rate="40k/day", p99_ms=100)
change_rider = kw.Update(Rider, sets=["name", "email", "revision"], rate="30k/day", p99_ms=100)
erase_rider = kw.Delete(Rider, rate="900/day", p99_ms=500)


class EmailConfirmation(BaseModel):
    """The hash of a link that confirms an address or resets a passcode."""

    __store__: ClassVar = kw.Collection(
        people, "email_confirmations", id="{token_hash}", kind="token", expected=20_000_000, active=0.01
    )

    token_hash: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$"), kw.Size(avg=64, max=64)]
    rider_id: Annotated[RiderId, kw.Ref(Rider, on_missing="hide")]
    purpose: Literal["confirm", "reset"]
    issued_at: datetime


issue_confirmation = kw.Put(EmailConfirmation, if_absent=True, rate="60k/day", p99_ms=100)
confirmation = kw.Get(EmailConfirmation, eq="token_hash", consistency="strong", rate="50k/day", p99_ms=50)
spend_confirmation = kw.Delete(EmailConfirmation, rate="45k/day", p99_ms=100)


class Driver(BaseModel):
    """A person who drives; licence numbers are unique, so nobody registers twice."""

    __store__: ClassVar = kw.Collection(
        people,
        "drivers",
        id="{driver_id}",
        indexes=[
            kw.Index("phone", unique=True),
            kw.Index("licence_number", unique=True),
            kw.Index(["city_id", "status", "-joined_at"]),
        ],
        expected=1_500_000,
        active=0.4,
    )

    driver_id: DriverId
    phone: Phone
    licence_number: Annotated[str, Field(max_length=32), kw.Size(avg=14, max=32), kw.Pii()]
    name: Annotated[str, Field(max_length=120), kw.Size(avg=18, max=240), kw.Pii()]
    city_id: CityId
    status: Literal["applied", "active", "suspended", "left"]
    joined_at: datetime


driver = kw.Get(Driver, eq="driver_id", rate="2k/s", peak="6k/s", p99_ms=20)
driver_by_phone = kw.Get(Driver, eq="phone", rate="40/s", p99_ms=30)
drivers_of_city = kw.Read(Driver, eq=["city_id", "status"], order="-joined_at", limit=100, rate="2/s", p99_ms=100)
register_driver = kw.Put(Driver, if_absent=True, rate="4k/day", p99_ms=100)
change_driver_status = kw.Update(Driver, sets="status", rate="9k/day", p99_ms=100)
erase_driver = kw.Delete(Driver, rate="60/day", p99_ms=500)


class Vehicle(BaseModel):
    """A car, a van or a motorcycle, registered by the driver who uses it."""

    __store__: ClassVar = kw.Collection(
        people,
        "vehicles",
        id="{vehicle_id}",
        indexes=[kw.Index("plate", unique=True), kw.Index(["city_id", "driver_id"])],
        expected=1_400_000,
        active=0.4,
    )

    vehicle_id: VehicleId
    plate: Plate
    driver_id: Annotated[DriverId, kw.Ref(Driver, on_missing="hide", max_referrers=10)]
    city_id: CityId
    body: Literal["car", "van", "motorcycle"]
    model_year: Annotated[int, Field(ge=1990, le=2100)]
    seats: Annotated[int, Field(ge=1, le=8)]
    in_service: bool = True


vehicle = kw.Get(Vehicle, eq="vehicle_id", rate="1k/s", p99_ms=20)
vehicles_of_driver = kw.Read(Vehicle, eq="driver_id", limit=10, rate="250/s", p99_ms=30)
vehicle_by_plate = kw.Get(Vehicle, eq="plate", rate="5/s", p99_ms=50)
register_vehicle = kw.Put(Vehicle, if_absent=True, rate="4k/day", p99_ms=100)
retire_vehicle = kw.Update(Vehicle, sets="in_service", rate="2k/day", p99_ms=100)


class DriverDocument(BaseModel):
    """A licence, permit or certificate; onboarding, review and the nightly lapse job all write it."""

    __store__: ClassVar = kw.Collection(
        people,
        "driver_documents",
        id="{document_id}",
        indexes=[kw.Index(["driver_id", "type"]), kw.Index(["state", "valid_until"])],
        validation="warn",
        expected=6_000_000,
        active=0.02,
    )

    document_id: UUID
    driver_id: Annotated[DriverId, kw.Ref(Driver, on_missing="hide", max_referrers=60)]
    type: Literal["licence", "permit", "insurance", "background-check"]
    number: Annotated[str, Field(max_length=40), kw.Size(avg=14, max=40), kw.Pii()]
    file_key: Annotated[str, Field(max_length=80), kw.Size(avg=60, max=80)]
    state: Literal["submitted", "approved", "rejected", "lapsed"]
    valid_until: Annotated[datetime, kw.Ttl(after=timedelta(days=730))]


documents_of_driver = kw.Read(DriverDocument, eq="driver_id", order="type", limit=30, rate="20/s", p99_ms=50)
documents_to_lapse = kw.Read(
    DriverDocument,
    where={"state": "approved"},
    range="valid_until",
    span=timedelta(days=1),
    order="valid_until",
    limit=200,
    rate="200/day",
    p99_ms=500,
)
upload_document = kw.Put(DriverDocument, if_absent=True, rate="18k/day", p99_ms=100)
review_document = kw.Update(DriverDocument, sets="state", where={"state": "submitted"}, rate="18k/day", p99_ms=100)
lapse_document = kw.Update(DriverDocument, sets="state", where={"state": "approved"}, rate="9k/day", p99_ms=100)
