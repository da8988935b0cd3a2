"""Rules that customers set, the alerts that follow, and firmware, in MongoDB."""

from datetime import datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw
from models.common import ULID, DeviceId, EventId, GeofenceId, Severity, TenantId, VehicleId
from models.registry import Customer, Device, Geofence, Vehicle, fleet


class AlertRule(BaseModel):
    """What a customer wants to hear of."""

    __store__: ClassVar = kw.Collection(
        fleet,
        "alert_rules",
        id="{rule_id}",
        indexes=[kw.Index(["tenant_id", "signal"], where={"enabled": True})],
        expected=15_000,
    )

    rule_id: Annotated[str, Field(max_length=26)]
    tenant_id: Annotated[TenantId, kw.Ref(Customer, on_missing="hide", max_referrers=200)]
    name: Annotated[str, Field(max_length=80)]
    signal: Literal["speed", "geofence", "fault", "temperature", "silence", "fuel"]
    threshold: float | None = None
    geofence_id: Annotated[GeofenceId | None, kw.Ref(Geofence, on_missing="ignore", max_referrers=50)] = None
    groups: Annotated[list[Annotated[str, Field(max_length=40)]], Field(max_length=20)] = []
    severity: Severity
    enabled: bool = True


rules_of_signal = kw.Read(
    AlertRule,
    eq=["tenant_id", "signal"],
    where={"enabled": True},
    limit=50,
    rate="40/s",
    p99_ms=30,
    cache_ttl=timedelta(minutes=1),
)
save_rule = kw.Put(AlertRule, rate="200/day", p99_ms=100)


class Alert(BaseModel):
    """An alert until somebody deals with it, and half a year afterwards."""

    __store__: ClassVar = kw.Collection(
        fleet,
        "alerts",
        id="{alert_id}",
        indexes=[
            kw.Index(["tenant_id", "-raised_at"], where={"state": kw.OneOf(["open", "acknowledged"])}),
            kw.Index(["vehicle_id", "-raised_at"]),
        ],
        kind="event",
        expected=40_000_000,
        active=0.02,
    )

    alert_id: EventId
    tenant_id: Annotated[TenantId, kw.Ref(Customer, on_missing="ignore", max_referrers=2_000_000)]
    vehicle_id: Annotated[VehicleId, kw.Ref(Vehicle, on_missing="ignore", max_referrers=20_000)]
    rule: Annotated[str, Field(max_length=80), kw.CopiedFrom(AlertRule, "name", sync="never")]
    severity: Annotated[Severity, kw.CopiedFrom(AlertRule, "severity", sync="never")]
    state: Literal["open", "acknowledged", "closed"]
    raised_at: Annotated[datetime, kw.Ttl(after=timedelta(days=180))]
    handled_by: Annotated[str | None, Field(max_length=26)] = None
    note: Annotated[str, Field(max_length=500)] = ""


record_alert = kw.Put(Alert, if_absent=True, rate="3/s", peak="40/s", p99_ms=100)
open_alerts = kw.Read(
    Alert,
    eq="tenant_id",
    where={"state": kw.OneOf(["open", "acknowledged"])},
    order="-raised_at",
    limit=100,
    rate="20/s",
    p99_ms=60,
)
alerts_of_vehicle = kw.Read(Alert, eq="vehicle_id", order="-raised_at", limit=50, rate="5/s", p99_ms=60)
handle_alert = kw.Update(Alert, sets=["state", "handled_by", "note"], rate="120k/day", peak="15/s", p99_ms=100)


class FirmwareUpdate(BaseModel):
    """The update of one unit; a campaign reads those that are still open, ten thousand units at a time."""

    __store__: ClassVar = kw.Collection(
        fleet,
        "firmware_updates",
        id="{campaign_id}-{device_id}",
        indexes=[
            kw.Index(["campaign_id", "state", "device_id"]),
        ],
        expected=1_500_000,
        active=0.02,
    )

    campaign_id: Annotated[str, Field(pattern=ULID)]
    device_id: Annotated[DeviceId, kw.Ref(Device, on_missing="ignore", max_referrers=60)]
    to_version: Annotated[str, Field(max_length=20)]
    state: Literal["waiting", "downloading", "installed", "failed"]
    attempts: Annotated[int, Field(ge=0, le=20)] = 0
    changed_at: datetime
    purge_at: Annotated[datetime, kw.Ttl()]


plan_update = kw.Put(FirmwareUpdate, if_absent=True, batch=200, rate="300/day", p99_ms=400)
updates_waiting = kw.Read(
    FirmwareUpdate,
    eq="campaign_id",
    where={"state": "waiting"},
    order="device_id",
    limit=500,
    rate="1k/day",
    p99_ms=300,
)
update_progress = kw.Update(
    FirmwareUpdate, sets=["state", "attempts", "changed_at"], rate="12k/day", peak="30/s", p99_ms=100
)
