"""The live map, sessions, limits and work in progress, in Redis."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.common import DeviceId, DriverId, EventId, Latitude, Longitude, Severity, TenantId, VehicleId

live = kw.RedisServer("live", role="primary", owner="live-map", eviction="allkeys-lru")
portal = kw.RedisServer("portal-sessions", role="sessions", owner="portal")
gate = kw.RedisServer("gate", role="limiter", owner="ingestion", settings={"notify-keyspace-events": "KEA"})
pipeline = kw.RedisServer("pipeline", role="queue", owner="ingestion")


class VehicleState(BaseModel):
    """The latest known state of a vehicle; one that is silent for a month leaves the map."""

    __store__: ClassVar = kw.RedisHash(live, key="state:{vehicle_id}", ttl=timedelta(days=31), expected=80_000)

    vehicle_id: VehicleId
    tenant_id: TenantId
    at: datetime
    longitude: Longitude
    latitude: Latitude
    speed_kmh: Annotated[int, Field(ge=0, le=250)]
    ignition: bool
    driver_id: DriverId | None = None
    odometer_m: Annotated[int, Field(ge=0)]


update_state = kw.Put(VehicleState, rate="3k/s", peak="7.5k/s", p99_ms=10)
vehicle_state = kw.Get(VehicleState, eq="vehicle_id", rate="2k/s", peak="5k/s", p99_ms=5)


class Place(BaseModel):
    """A place on the globe."""

    longitude: Longitude
    latitude: Latitude


class VehiclePlace(BaseModel):
    """Where the vehicles of a customer are, for the map and for the nearest vehicle to a job."""

    __store__: ClassVar = kw.RedisGeo(
        live,
        key="places:{tenant_id:tag}",
        member="{vehicle_id}",
        place="place",
        ttl=timedelta(days=31),
        expected=80_000,
    )

    tenant_id: TenantId
    vehicle_id: VehicleId
    place: Place


move_vehicle = kw.Put(VehiclePlace, rate="3k/s", peak="7.5k/s", hot_key="450/s", p99_ms=10)
nearest_vehicles = kw.Read(VehiclePlace, eq="tenant_id", near="place", limit=20, rate="40/s", peak="150/s", p99_ms=20)
remove_place = kw.Delete(VehiclePlace, rate="200/day", p99_ms=10)


class LastContact(BaseModel):
    """When each vehicle of a customer last reported, to find the silent ones."""

    __store__: ClassVar = kw.RedisSortedSet(
        live,
        key="contact:{tenant_id:tag}",
        member="{vehicle_id}",
        score="at",
        ttl=timedelta(days=31),
        expected=80_000,
    )

    tenant_id: TenantId
    vehicle_id: VehicleId
    at: datetime


note_contact = kw.Put(LastContact, rate="1.2k/s", peak="1.4k/s", p99_ms=10)
silent_vehicles = kw.Read(
    LastContact, eq="tenant_id", range="at", span=timedelta(days=7), order="at", limit=100, rate="5/s", p99_ms=20
)
forget_contact = kw.Delete(LastContact, rate="200/day", p99_ms=10)


class SeenMessage(BaseModel):
    """The number of a message that was accepted; a unit that sends it again within two hours is ignored."""

    __store__: ClassVar = kw.RedisString(
        live,
        key="seen:{platform:tag}:{device_id}:{sequence:pad(10)}",
        value="received_at",
        ttl=timedelta(hours=2),
        expected=25_000_000,
        kind="token",
    )

    platform: Literal["fleet"] = "fleet"
    device_id: DeviceId
    sequence: Annotated[int, Field(ge=0, le=4_294_967_295)]
    received_at: datetime


accept_message = kw.Put(SeenMessage, if_absent=True, rate="3.5k/s", peak="9k/s", p99_ms=5)


class ShareLink(BaseModel):
    """A link with which a recipient follows one delivery until it arrives."""

    __store__: ClassVar = kw.RedisString(
        live, key="share:{token}", ttl=timedelta(hours=24), expected=30_000, kind="token"
    )

    token: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{32}$"), kw.Size(avg=32, max=32)]
    vehicle_id: VehicleId
    destination: Place
    expires_at: datetime


share = kw.Put(ShareLink, if_absent=True, rate="30k/day", peak="5/s", p99_ms=10)
shared_vehicle = kw.Get(ShareLink, eq="token", rate="60/s", peak="300/s", p99_ms=10)
end_share = kw.Delete(ShareLink, rate="20k/day", p99_ms=10)


class DispatchNote(BaseModel):
    """What dispatchers of a customer wrote lately, newest first."""

    __store__: ClassVar = kw.RedisList(
        live, key="notes:{tenant_id:tag}", max_length=10_000, ttl=timedelta(days=31), expected=4_000_000, kind="feed"
    )

    tenant_id: TenantId
    vehicle_id: VehicleId
    at: datetime
    text: Annotated[str, kw.Size(avg=60, max=200)]


write_note = kw.Put(DispatchNote, rate="3/s", peak="20/s", p99_ms=10)
recent_notes = kw.Read(DispatchNote, eq="tenant_id", rate="20/s", peak="80/s", p99_ms=20)


class PortalSession(BaseModel):
    """A login to the portal; it ends eight hours after its last use."""

    __store__: ClassVar = kw.RedisHash(
        portal, key="session:{token}", ttl=timedelta(hours=8), expected=20_000, kind="session"
    )

    token: Annotated[str, Field(pattern=r"^[A-Za-z0-9_-]{43}$"), kw.Size(avg=43, max=43)]
    user_id: Annotated[str, Field(max_length=26)]
    tenant_id: TenantId
    role: Literal["viewer", "dispatcher", "manager", "administrator"]
    seen_at: datetime


portal_session = kw.Get(PortalSession, eq="token", rate="600/s", peak="1.5k/s", p99_ms=5)
log_in = kw.Put(PortalSession, rate="2/s", peak="40/s", p99_ms=10)
stay_logged_in = kw.Update(PortalSession, sets="seen_at", rate="100/s", p99_ms=10)
log_out = kw.Delete(PortalSession, rate="1/s", p99_ms=10)


class ApiAllowance(BaseModel):
    """Calls of a customer's integration: six hundred in a calendar minute."""

    __store__: ClassVar = kw.RedisRateLimit(
        gate, key="limit:api:{tenant_id:tag}", limit=600, per=timedelta(minutes=1), window="fixed"
    )

    tenant_id: TenantId


class MessageCount(BaseModel):
    """Messages of a unit in a minute; the gateway refuses more than a hundred and twenty."""

    __store__: ClassVar = kw.RedisCounter(gate, key="messages:{device_id:tag}:{minute}", value="count")

    device_id: DeviceId
    minute: Annotated[str, Field(pattern=r"^[0-9]{8}T[0-9]{4}$"), kw.Size(avg=13, max=13)]
    count: Annotated[int, Field(ge=0)]


count_message = kw.Increment(MessageCount, "count", rate="3.5k/s", peak="9k/s", p99_ms=5)


class LoginAllowance(BaseModel):
    """Attempts to log in to one account: ten in any quarter of an hour."""

    __store__: ClassVar = kw.RedisRateLimit(
        gate, key="limit:login:{email:tag}", limit=10, per=timedelta(minutes=15), window="sliding"
    )

    email: Annotated[
        str, Field(pattern=r"^[^@:]+@[^@:]+$"), kw.Size(avg=26, max=254), kw.Cardinality(distinct=25_000), kw.Pii()
    ]


allow_login = kw.Take(LoginAllowance, rate="2/s", peak="40/s", p99_ms=5)
allow_call = kw.Take(ApiAllowance, rate="400/s", peak="1.2k/s", p99_ms=5)

gateways = kw.ConsumerGroup("gateways", idempotency="command_id", claim_after=timedelta(seconds=30))


class CommandJob(BaseModel):
    """A command on its way to a gateway; the record in Cassandra says what became of it."""

    __store__: ClassVar = kw.RedisStream(pipeline, key="jobs:commands", keep=200_000, groups=[gateways], kind="queue")

    command_id: EventId
    vehicle_id: VehicleId
    device_id: DeviceId
    type: Literal["lock", "unlock", "immobilise", "request_position", "configure"]
    issued_at: datetime


queue_command = kw.Put(CommandJob, rate="30k/day", peak="10/s", p99_ms=10)
next_commands = kw.Take(CommandJob, group=gateways, limit=10, rate="10/s", peak="20/s", p99_ms=20)

notifiers = kw.ConsumerGroup("notifiers", idempotency="alert_id", claim_after=timedelta(minutes=1))


class AlertRaised(BaseModel):
    """An alert that somebody must hear of."""

    __store__: ClassVar = kw.RedisStream(
        pipeline, key="events:alerts", keep=timedelta(days=2), groups=[notifiers], kind="event"
    )

    alert_id: EventId
    tenant_id: TenantId
    vehicle_id: VehicleId
    severity: Severity
    rule: Annotated[str, Field(max_length=60)]


raise_alert = kw.Put(AlertRaised, rate="3/s", peak="40/s", p99_ms=10)
next_alerts = kw.Take(AlertRaised, group=notifiers, limit=20, rate="5/s", p99_ms=20)
