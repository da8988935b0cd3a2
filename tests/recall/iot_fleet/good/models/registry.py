"""Customers, people, vehicles and devices, in MongoDB; what every message needs is cached in Redis."""

from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.common import DeviceId, DriverId, GeofenceId, Point, TenantId, VehicleId

fleet = kw.MongoDatabase("fleet", owner="fleet-core")
cache = kw.RedisServer("fleet-cache", role="cache", owner="ingestion")


# Names are compared without regard to case.
NAMES = kw.Collation(locale="en", strength=2)


class Customer(BaseModel):
    """A company whose vehicles are on the platform."""

    __store__: ClassVar = kw.Collection(
        fleet, "customers", id="{tenant_id}", indexes=[kw.Index("name", collation=NAMES)], expected=1_200
    )

    tenant_id: TenantId
    name: Annotated[str, Field(max_length=120)]
    country: Annotated[str, Field(pattern=r"^[A-Z]{2}$")]
    time_zone: Annotated[str, Field(max_length=40)]
    plan: Literal["track", "comply", "complete"]
    position_days: Annotated[int, Field(ge=30, le=90)] = 90
    created_at: datetime


customer = kw.Get(Customer, eq="tenant_id", rate="60/s", p99_ms=20, cache_ttl=timedelta(minutes=5))
customers_by_name = kw.Read(Customer, order="name", collation=NAMES, limit=100, rate="500/day", p99_ms=100)
save_customer = kw.Put(Customer, rate="50/day", p99_ms=100)


class UserAccount(BaseModel):
    """Somebody who uses the portal."""

    __store__: ClassVar = kw.Collection(
        fleet,
        "users",
        id="{user_id}",
        indexes=[kw.Index("email_hash", unique=True), kw.Index(["tenant_id", "user_id"])],
        expected=25_000,
    )

    user_id: Annotated[str, Field(max_length=26)]
    tenant_id: Annotated[TenantId, kw.Ref(Customer, on_missing="fail", max_referrers=500)]
    email: Annotated[str, kw.Size(avg=26, max=254), kw.Pii()]
    email_hash: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    name: Annotated[str, Field(max_length=120), kw.Pii()]
    role: Literal["viewer", "dispatcher", "manager", "administrator"]


user_by_email = kw.Get(UserAccount, eq="email_hash", rate="2/s", p99_ms=30)
users_of_customer = kw.Read(UserAccount, eq="tenant_id", order="user_id", limit=100, rate="1/s", p99_ms=60)
invite_user = kw.Put(UserAccount, if_absent=True, rate="80/day", p99_ms=100)


class Vehicle(BaseModel):
    """A truck, van or trailer."""

    __store__: ClassVar = kw.Collection(
        fleet,
        "vehicles",
        id="{vehicle_id}",
        indexes=[
            kw.Index(["tenant_id", "plate"], unique=True),
            kw.Index(["tenant_id", "groups", "plate"]),
            kw.Index("vin", unique=True),
        ],
        expected=80_000,
        active=0.7,
    )

    vehicle_id: VehicleId
    tenant_id: Annotated[TenantId, kw.Ref(Customer, on_missing="fail", max_referrers=5_000)]
    vin: Annotated[str, Field(pattern=r"^[A-HJ-NPR-Z0-9]{17}$")]
    plate: Annotated[str, Field(max_length=12)]
    type: Literal["truck", "van", "trailer", "bus"]
    make: Annotated[str, Field(max_length=40)]
    model_name: Annotated[str, Field(max_length=60)]
    first_registered_on: date
    groups: Annotated[list[Annotated[str, Field(max_length=40)]], Field(max_length=8)] = []
    driver_id: Annotated[DriverId | None, kw.Ref("Driver", on_missing="ignore", max_referrers=3)] = None
    retired: bool = False


cached_vehicle = kw.bind(
    Vehicle, kw.RedisCache(cache, key="vehicle:{vehicle_id}", ttl=timedelta(minutes=10), source_of_truth=Vehicle)
)

vehicle = kw.Get(Vehicle, eq="vehicle_id", rate="80/s", p99_ms=20)
vehicle_of_message = kw.Get(cached_vehicle, eq="vehicle_id", rate="3.5k/s", peak="9k/s", p99_ms=5)
vehicles_by_plate = kw.Read(Vehicle, eq="tenant_id", prefix="plate", order="plate", limit=50, rate="15/s", p99_ms=50)
vehicles_of_group = kw.Read(
    Vehicle, eq="tenant_id", contains="groups", order="plate", limit=100, rate="20/s", p99_ms=60
)
add_vehicle = kw.Put(Vehicle, if_absent=True, rate="150/day", p99_ms=100)
assign_driver = kw.Update(Vehicle, sets="driver_id", rate="40k/day", peak="10/s", p99_ms=100)


class Driver(BaseModel):
    """A driver of a customer, with what law and duty of care need."""

    __store__: ClassVar = kw.Collection(
        fleet,
        "drivers",
        id="{driver_id}",
        indexes=[kw.Index(["tenant_id", "personnel_number"], unique=True), kw.Index("card_hash", unique=True)],
        expected=110_000,
        active=0.5,
    )

    driver_id: DriverId
    tenant_id: Annotated[TenantId, kw.Ref(Customer, on_missing="fail", max_referrers=8_000)]
    personnel_number: Annotated[str, Field(max_length=20)]
    card_hash: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    name: Annotated[str, Field(max_length=120), kw.Pii()]
    phone: Annotated[str | None, Field(max_length=20), kw.Pii()] = None
    licence_number: Annotated[str, Field(max_length=24), kw.Pii()]
    licence_expires_on: date
    birth_date: Annotated[date | None, kw.Pii()] = None


driver_by_card = kw.Get(Driver, eq="card_hash", rate="5/s", peak="40/s", p99_ms=30)
drivers_of_customer = kw.Read(
    Driver,
    eq="tenant_id",
    order="personnel_number",
    fields=["driver_id", "personnel_number", "name"],
    limit=100,
    rate="4/s",
    p99_ms=60,
)
add_driver = kw.Put(Driver, if_absent=True, rate="200/day", p99_ms=100)
change_driver = kw.Update(
    Driver, sets=["name", "phone", "licence_number", "licence_expires_on"], rate="600/day", p99_ms=100
)
forget_driver = kw.Delete(Driver, rate="40/day", p99_ms=100)


class Device(BaseModel):
    """A unit in a vehicle or a box in the store room."""

    __store__: ClassVar = kw.Collection(
        fleet,
        "devices",
        id="{device_id}",
        indexes=[
            kw.Index("vehicle_id", unique=True, where={"vehicle_id": kw.Present()}),
            kw.Index(["hardware", "firmware", "device_id"]),
        ],
        expected=90_000,
        active=0.8,
    )

    device_id: DeviceId
    vehicle_id: Annotated[VehicleId | None, kw.Ref(Vehicle, on_missing="ignore", max_referrers=1)] = None
    tenant_id: Annotated[TenantId, kw.Ref(Customer, on_missing="fail", max_referrers=6_000)]
    hardware: Annotated[str, Field(max_length=20), kw.Cardinality(distinct=14)]
    firmware: Annotated[str, Field(max_length=20), kw.Cardinality(distinct=30)]
    public_key: Annotated[str, Field(max_length=120)]
    installed_on: date | None = None


cached_device = kw.bind(
    Device, kw.RedisCache(cache, key="device:{device_id}", ttl=timedelta(minutes=10), source_of_truth=Device)
)

device_of_message = kw.Get(cached_device, eq="device_id", rate="3.5k/s", peak="9k/s", p99_ms=5)
device = kw.Get(Device, eq="device_id", rate="20/s", p99_ms=20)
device_of_vehicle = kw.Get(Device, eq="vehicle_id", where={"vehicle_id": kw.Present()}, rate="15/s", p99_ms=20)
devices_on_firmware = kw.Read(
    Device,
    eq=["hardware", "firmware"],
    order="device_id",
    fields=["device_id", "tenant_id"],
    limit=500,
    rate="2k/day",
    p99_ms=300,
)
register_device = kw.Put(Device, if_absent=True, rate="300/day", p99_ms=100)
install_device = kw.Update(Device, sets=["vehicle_id", "installed_on"], rate="200/day", p99_ms=100)
report_firmware = kw.Update(Device, sets="firmware", rate="4k/day", peak="30/s", p99_ms=100)


class Geofence(BaseModel):
    """A circle that a customer has drawn: a depot, a customer's yard, a forbidden area."""

    __store__: ClassVar = kw.Collection(
        fleet,
        "geofences",
        id="{geofence_id}",
        indexes=[kw.Index(["tenant_id", "name"]), kw.GeoIndex("centre")],
        expected=60_000,
    )

    geofence_id: GeofenceId
    tenant_id: Annotated[TenantId, kw.Ref(Customer, on_missing="fail", max_referrers=2_000)]
    name: Annotated[str, Field(max_length=80)]
    purpose: Literal["depot", "customer", "forbidden", "parking"]
    centre: Point
    radius_metres: Annotated[int, Field(ge=50, le=20_000)]


geofences_of_customer = kw.Read(Geofence, eq="tenant_id", order="name", limit=200, rate="6/s", p99_ms=60)
geofences_near = kw.Read(Geofence, near="centre", limit=20, rate="5/s", p99_ms=60)
save_geofence = kw.Put(Geofence, rate="600/day", p99_ms=100)
remove_geofence = kw.Delete(Geofence, rate="60/day", p99_ms=100)
