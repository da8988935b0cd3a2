"""Reminders to patients: what was sent, to whom nothing may be sent, what hospitals pay for it; in Cassandra."""

from datetime import timedelta
from decimal import Decimal
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
        kind="event",
    )

    patient: PatientKey
    queued_at: AwareDatetime
    delivery: UUID
    appointment: AppointmentKey
    channel: Channel
    template: Annotated[str, Field(max_length=40)]
    provider_ref: Annotated[str, Field(pattern=r"^[0-9a-f]{32}$"), kw.Size(avg=32, max=32)]
    state: Literal["queued", "sent", "delivered", "failed"]


class ProviderRef(BaseModel):
    """Which delivery a receipt of the provider is about; receipts arrive within a few days."""

    __store__: ClassVar = kw.CqlTable(
        outreach,
        "deliveries_by_provider_ref",
        partition="provider_ref",
        ttl=timedelta(days=10),
        compaction=kw.TimeWindow(window=timedelta(hours=8)),
        kind="event",
    )

    provider_ref: Annotated[
        str, Field(pattern=r"^[0-9a-f]{32}$"), kw.Size(avg=32, max=32), kw.Cardinality(distinct=4_000_000)
    ]
    patient: PatientKey
    queued_at: AwareDatetime
    delivery: UUID


enter_delivery = kw.Put(Delivery)
enter_provider_ref = kw.Put(ProviderRef)
send_message = kw.Transact([enter_delivery, enter_provider_ref], rate="400k/day", peak="60/s", p99_ms=80)
delivery_of_receipt = kw.Get(
    ProviderRef, eq="provider_ref", consistency="strong", rate="400k/day", peak="80/s", p99_ms=60
)
report_state = kw.Put(Delivery, rate="400k/day", peak="80/s", p99_ms=60)
messages_to_patient = kw.Read(Delivery, eq=["patient", "month"], order="-queued_at", limit=50, rate="6/s", p99_ms=80)


class SuppressedNumber(BaseModel):
    """A telephone that asked a sender to stop; looked up before each message."""

    __store__: ClassVar = kw.CqlTable(
        outreach,
        "suppressed_numbers",
        partition=["sender", "number_hash"],
        compaction=kw.Leveled(),
        expected=700_000,
    )

    sender: HospitalCode
    number_hash: Annotated[Sha256, kw.Cardinality(distinct=500_000)]
    since: AwareDatetime
    keyword: Annotated[str, Field(max_length=12)]


is_suppressed = kw.Get(
    SuppressedNumber, eq=["sender", "number_hash"], consistency="strong", rate="300/s", peak="900/s", p99_ms=40
)
suppress_number = kw.Put(SuppressedNumber, rate="300/day", p99_ms=80)
allow_number = kw.Delete(SuppressedNumber, rate="20/day", p99_ms=80)


class PushDevice(BaseModel):
    """A telephone with the app; every start of the app renews its row."""

    __store__: ClassVar = kw.CqlTable(
        outreach,
        "push_devices",
        partition="account",
        clustering="device",
        ttl=timedelta(days=200),
        compaction=kw.Unified(scaling="L4"),
        settings={"bloom_filter_fp_chance": 0.01},
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


# Senders read the consent here; the projector writes it from the stream of the collection.
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
project_consent = kw.Put(consent_row, rate="6k/day", peak="3/s", p99_ms=100)
erase_consent_row = kw.Delete(consent_row, rate="60/day", p99_ms=100)


class TextCharge(BaseModel):
    """A text that a hospital is invoiced for at the end of the month; a row that is written again stays one row."""

    __store__: ClassVar = kw.CqlTable(
        outreach,
        "text_charges",
        partition=["hospital", "day"],
        clustering=["sent_at", "delivery"],
        computed={"day": "{sent_at:date}"},
        ttl=timedelta(days=3_653),
        compaction=kw.TimeWindow(window=timedelta(days=122)),
        kind="money",
    )

    hospital: HospitalCode
    sent_at: AwareDatetime
    delivery: UUID
    segments: Annotated[int, Field(ge=1, le=6)]
    price: Annotated[Decimal, Field(max_digits=6, decimal_places=4)]


charge_text = kw.Put(TextCharge, rate="220k/day", peak="40/s", p99_ms=80)
charges_to_invoice = kw.Read(
    TextCharge,
    eq=["hospital", "day"],
    order="sent_at",
    limit=1_000,
    consistency="strong",
    rate="600/day",
    p99_ms=800,
)


class FreedSlot(BaseModel):
    """A slot that somebody gave back, for the page of free places at short notice."""

    __store__: ClassVar = kw.CqlTable(
        outreach,
        "freed_slots",
        partition=["region", "specialty", "day"],
        clustering=["-freed_at", "slot"],
        computed={"day": "{freed_at:date}"},
        ttl=timedelta(days=5),
        compaction=kw.TimeWindow(window=timedelta(hours=4)),
        kind="feed",
    )

    region: Annotated[str, Field(pattern=r"^[a-z-]{3,30}$"), kw.Size(avg=10, max=30), kw.Cardinality(distinct=16)]
    specialty: Annotated[Specialty, kw.Cardinality(distinct=8)]
    freed_at: AwareDatetime
    slot: UUID
    clinic: ClinicCode
    starts_at: AwareDatetime


announce_freed = kw.Put(FreedSlot, rate="14k/day", peak="4/s", p99_ms=80)
freed_lately = kw.Read(
    FreedSlot,
    eq=["region", "specialty", "day"],
    order="-freed_at",
    limit=40,
    rate="120/s",
    peak="400/s",
    hot_key="20/s",
    p99_ms=50,
)
