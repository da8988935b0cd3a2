"""Reminders to patients: what was sent, to whom nothing may be sent, what hospitals pay for it; in Cassandra."""

from datetime import timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.common import AppointmentKey, Channel, ClinicCode, HospitalCode, PatientKey, Sha256, Specialty
from models.people import Consent

outreach = kw.Keyspace("outreach", owner="messaging")


class Delivery(BaseModel):
    """A message to a patient and how it fared; a later state writes the row again."""

    __store__: ClassVar = kw.CqlTable(
        outreach,
        "deliveries",
        partition=["patient", "month"],
        clustering=["-queued_at", "delivery"],
        computed={"month": "{queued_at:month}"},
        ttl=timedelta(days=180),
        compaction=kw.Unified(scaling="T4"),
        indexes=[kw.CqlIndex("provider_ref", using="legacy")],
        kind="event",
    )

    patient: PatientKey
    queued_at: AwareDatetime
    delivery: UUID
    appointment: AppointmentKey
    channel: Channel
    template: Annotated[str, Field(max_length=40)]
    provider_ref: Annotated[
        str, Field(pattern=r"^[0-9a-f]{32}$"), kw.Size(avg=32, max=32), kw.Cardinality(distinct=70_000_000)
    ]
    state: Literal["queued", "sent", "delivered", "failed"]


send_message = kw.Put(Delivery, rate="400k/day", peak="60/s", p99_ms=80)
delivery_of_receipt = kw.Get(Delivery, eq="provider_ref", consistency="strong", rate="400k/day", peak="80/s", p99_ms=60)
report_state = kw.Put(Delivery, rate="400k/day", peak="80/s", p99_ms=60)
messages_to_patient = kw.Read(Delivery, eq=["patient", "month"], order="-queued_at", limit=50, rate="6/s", p99_ms=80)


class SuppressionList(BaseModel):
    """The telephones that asked a sender to stop, up to thirty thousand; looked up before each message."""

    __store__: ClassVar = kw.CqlTable(
        outreach,
        "suppression_lists",
        partition="sender",
        compaction=kw.Leveled(),
        expected=60,
    )

    sender: HospitalCode
    number_hashes: Annotated[set[Sha256], Field(max_length=30_000), kw.Size(avg=760_000, max=1_950_000)]
    changed_at: AwareDatetime


suppressed_for = kw.Get(SuppressionList, eq="sender", consistency="strong", rate="300/s", peak="900/s", p99_ms=40)
store_suppressions = kw.Put(SuppressionList, rate="320/day", p99_ms=300)


class PushDevice(BaseModel):
    """A telephone with the app; every start of the app renews its row."""

    __store__: ClassVar = kw.CqlTable(
        outreach,
        "push_devices",
        partition="account",
        clustering="device",
        ttl=timedelta(days=200),
        compaction=kw.Unified(scaling="L4"),
        settings={"bloom_filter_fp_chance": 0.5},
        expected=3_400_000,
    )

    account: Annotated[
        str, Field(pattern=r"^A[0-9A-F]{20}$"), kw.Size(avg=21, max=21), kw.Cardinality(distinct=2_600_000)
    ]
    device: UUID
    platform: Literal["ios", "android"]
    token: Annotated[str, Field(max_length=200), kw.Size(avg=160, max=200), kw.Pii()]
    seen_at: AwareDatetime


devices_of_account = kw.Read(PushDevice, eq="account", limit=10, rate="1.2k/s", peak="4k/s", p99_ms=25)
renew_device = kw.Put(PushDevice, rate="25/s", peak="90/s", p99_ms=60)
forget_device = kw.Delete(PushDevice, rate="3k/day", p99_ms=80)


# Senders read the consent here; the portal stores it next to the document.
consent_row = kw.bind(
    Consent,
    kw.CqlTable(
        outreach,
        "consents",
        partition="patient",
        compaction=kw.Leveled(),
        expected=6_000_000,
    ),
)

consent_before_sending = kw.Get(consent_row, eq="patient", consistency="strong", rate="300/s", peak="900/s", p99_ms=30)
store_consent_row = kw.Put(consent_row, rate="6k/day", peak="3/s", p99_ms=100)
erase_consent_row = kw.Delete(consent_row, rate="60/day", p99_ms=100)


class TextUsage(BaseModel):
    """Texts of a hospital, counted with each one that is sent; the invoice at the end of the month is made from it."""

    __store__: ClassVar = kw.CqlTable(
        outreach,
        "text_usage",
        partition=["hospital", "month"],
        clustering="tariff",
        counters=["texts", "segments"],
        expected=15_000,
        kind="money",
    )

    hospital: HospitalCode
    month: Annotated[str, Field(pattern=r"^20[0-9]{2}-[01][0-9]$"), kw.Size(avg=7, max=7), kw.Cardinality(distinct=120)]
    tariff: Annotated[str, Field(pattern=r"^(domestic|abroad)$")]
    texts: int
    segments: int


count_text = kw.Increment(TextUsage, "texts", rate="220k/day", peak="40/s", p99_ms=80)
count_segments = kw.Increment(TextUsage, "segments", by=2, rate="220k/day", peak="40/s", p99_ms=80)
usage_to_invoice = kw.Read(
    TextUsage, eq=["hospital", "month"], order="tariff", limit=2, consistency="strong", rate="120/month", p99_ms=400
)


class FreedSlot(BaseModel):
    """A slot that somebody gave back, for the page of free places at short notice."""

    __store__: ClassVar = kw.CqlTable(
        outreach,
        "freed_slots",
        partition="page",
        clustering=["-freed_at", "slot"],
        ttl=timedelta(days=5),
        compaction=kw.TimeWindow(window=timedelta(hours=4)),
        kind="feed",
    )

    page: Literal["freed"] = "freed"
    freed_at: AwareDatetime
    region: Annotated[str, Field(max_length=30)]
    specialty: Specialty
    slot: UUID
    clinic: ClinicCode
    starts_at: AwareDatetime


announce_freed = kw.Put(FreedSlot, rate="14k/day", peak="4/s", p99_ms=80)
freed_lately = kw.Read(
    FreedSlot,
    eq="page",
    order="-freed_at",
    limit=40,
    rate="120/s",
    peak="400/s",
    p99_ms=50,
)
