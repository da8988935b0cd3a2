"""Alerts in MongoDB: rules, incidents, probes of the networks, and the audit trail."""

from datetime import timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.common import Cdn, MemberId, TenantId, console
from models.console import Member, Tenant

UNRESOLVED = kw.OneOf(["open", "acknowledged"])
RuleId = Annotated[UUID, kw.Cardinality(distinct=18_000)]


class AlertRule(BaseModel):
    """A bound of a figure, and who is told when it is passed."""

    __store__: ClassVar = kw.Collection(
        console,
        "alert_rules",
        id="{rule_id}",
        indexes=[kw.Index(["tenant_id", "name"]), kw.Index(["shard", "rule_id"], where={"enabled": True})],
        expected=18_000,
    )

    rule_id: RuleId
    tenant_id: Annotated[TenantId, kw.Ref(Tenant, on_missing="hide", max_referrers=300)]
    name: Annotated[str, Field(max_length=80)]
    metric: Annotated[str, Field(max_length=40)]
    above: float
    minutes: Annotated[int, Field(ge=1, le=60)]
    receivers: Annotated[list[Annotated[str, Field(max_length=254), kw.Pii()]], Field(max_length=20)]
    enabled: bool = True
    shard: Annotated[int, Field(ge=0, le=31), kw.Cardinality(distinct=32)]


save_rule = kw.Put(AlertRule, rate="400/day", p99_ms=100)
rules_of_tenant = kw.Read(AlertRule, eq="tenant_id", order="name", limit=100, rate="2k/day", p99_ms=80)
rules_to_evaluate = kw.Read(
    AlertRule, eq="shard", where={"enabled": True}, order="rule_id", limit=500, rate="1/s", p99_ms=150
)


class Incident(BaseModel):
    """A rule that was broken, from its beginning to its end."""

    __store__: ClassVar = kw.Collection(
        console,
        "incidents",
        id="{incident_id}",
        indexes=[
            kw.Index("rule_id", unique=True, where={"state": UNRESOLVED}, name="one_unresolved_for_each_rule"),
            kw.Index(["tenant_id", "-began_at"]),
        ],
        stream=kw.Stream(
            images="new",
            consumers=[kw.Consumer("incident-messages", idempotency=["incident_id", "state"], on_failure="queue")],
        ),
        expected=1_500_000,
        active=0.02,
    )

    incident_id: UUID
    rule_id: Annotated[RuleId, kw.Ref(AlertRule, on_missing="ignore", max_referrers=5_000)]
    rule_name: Annotated[str, Field(max_length=80), kw.CopiedFrom(AlertRule, "name", sync="never")]
    tenant_id: Annotated[TenantId, kw.Ref(Tenant, on_missing="hide", max_referrers=100_000)]
    state: Literal["open", "acknowledged", "resolved"] = "open"
    value: float
    began_at: Annotated[AwareDatetime, kw.Ttl(after=timedelta(days=400))]
    ended_at: AwareDatetime | None = None


open_incident = kw.Put(Incident, if_absent=True, rate="4k/day", peak="20/s", p99_ms=100)
unresolved_of_rule = kw.Get(Incident, eq="rule_id", where={"state": UNRESOLVED}, rate="5/s", p99_ms=40)
incidents_of_tenant = kw.Read(Incident, eq="tenant_id", order="-began_at", limit=50, rate="3/s", p99_ms=60)
change_incident = kw.Update(Incident, sets=["state", "ended_at"], rate="8k/day", p99_ms=100)


class ProbeSample(BaseModel):
    """What a probe measured on the way to a delivery network, once a minute."""

    __store__: ClassVar = kw.TimeSeries(
        console,
        "probe_samples",
        time="at",
        meta="probe",
        granularity="minutes",
        ttl=timedelta(days=60),
        kind="reading",
        expected=170_000_000,
        active=0.03,
    )

    probe: Annotated[str, Field(pattern=r"^[a-z]{3}-[a-z]+-[0-9]{1,3}$", max_length=24), kw.Cardinality(distinct=2_000)]
    at: AwareDatetime
    cdn: Cdn
    first_byte_ms: Annotated[float, Field(ge=0)]
    throughput_kbps: Annotated[float, Field(ge=0)]
    failed: bool = False


record_probe = kw.Put(ProbeSample, rate="33/s", batch=50, p99_ms=200)
samples_of_probe = kw.Read(
    ProbeSample, eq="probe", range="at", span=timedelta(hours=6), order="-at", limit=360, rate="2/s", p99_ms=150
)


class AuditEntry(BaseModel):
    """What a member changed in the console."""

    __store__: ClassVar = kw.Collection(
        console,
        "audit_entries",
        id="{entry_id}",
        indexes=[kw.Index(["tenant_id", "-at"])],
        kind="event",
        expected=12_000_000,
        active=0.01,
    )

    entry_id: UUID
    tenant_id: Annotated[TenantId, kw.Ref(Tenant, on_missing="ignore", max_referrers=900_000)]
    actor_id: Annotated[MemberId, kw.Ref(Member, on_missing="ignore", max_referrers=40_000)]
    action: Annotated[str, Field(pattern=r"^[a-z]+\.[a-z_]+$", max_length=50)]
    target: Annotated[str, Field(max_length=80)]
    at: Annotated[AwareDatetime, kw.Ttl(after=timedelta(days=3 * 365))]


write_audit = kw.Put(AuditEntry, rate="12k/day", peak="10/s", p99_ms=100)
audit_of_tenant = kw.Read(AuditEntry, eq="tenant_id", order="-at", limit=100, rate="300/day", p99_ms=150)
