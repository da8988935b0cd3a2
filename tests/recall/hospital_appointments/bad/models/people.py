"""Patients, the relatives who book for them, their accounts and what they agreed to."""

from datetime import date, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.common import BY_NAME, Channel, HospitalCode, Language, PatientKey, PersonName, Phone, Sha256
from models.directory import Hospital, care


class Insurance(BaseModel):
    """Who pays for a patient."""

    insurer: Annotated[str, Field(max_length=60)]
    member_number: Annotated[str, Field(max_length=24), kw.Pii()]
    valid_until: date | None = None


class Patient(BaseModel):
    """A patient; the health number is stored in full for the hospitals, and as a keyed hash for finding it."""

    __store__: ClassVar = kw.Collection(
        care,
        "patients",
        id="{patient}",
        indexes=[
            kw.Index("health_number_hash", unique=True),
            kw.Index(["family_name", "birth_date", "given_name"], collation=BY_NAME),
        ],
        expected=6_000_000,
        active=0.05,
    )

    patient: PatientKey
    health_number: Annotated[str, Field(pattern=r"^[A-Z][0-9]{9}$"), kw.Pii()]
    health_number_hash: Sha256
    given_name: PersonName
    family_name: PersonName
    birth_date: Annotated[date, kw.Pii()]
    mobile: Phone | None = None
    email: Annotated[str | None, Field(max_length=254), kw.Pii()] = None
    language: Language = "de"
    home_hospital: Annotated[HospitalCode, kw.Ref(Hospital, on_missing="ignore", max_referrers=250_000)]
    insurances: Annotated[list[Insurance], Field(max_length=3)] = []
    needs: Annotated[list[Literal["wheelchair", "interpreter", "hearing-loop", "escort"]], Field(max_length=4)] = []
    registered_at: AwareDatetime


patient_file = kw.Get(Patient, eq="patient", rate="180/s", peak="500/s", p99_ms=25)
patient_by_number = kw.Get(Patient, eq="health_number_hash", rate="40/s", peak="120/s", p99_ms=30)
patients_at_desk = kw.Read(
    Patient,
    eq=["family_name", "birth_date"],
    order="given_name",
    collation=BY_NAME,
    fields=["patient", "given_name", "family_name", "birth_date", "home_hospital"],
    limit=20,
    rate="6/s",
    p99_ms=80,
)
register_patient = kw.Put(Patient, if_absent=True, rate="2k/day", p99_ms=150)
change_details = kw.Update(
    Patient, sets=["mobile", "email", "language", "insurances", "needs"], rate="9k/day", p99_ms=150
)
erase_patient = kw.Delete(Patient, rate="60/day", p99_ms=300)


class Caregiver(BaseModel):
    """A relative or guardian who may book for patients; the desk has seen an identity card."""

    __store__: ClassVar = kw.Collection(
        care,
        "caregivers",
        id="{identity_card}",
        indexes=[kw.Index("patients")],
        expected=420_000,
        active=0.05,
    )

    identity_card: Annotated[str, Field(pattern=r"^[A-Z0-9]{9}$"), kw.Pii(), kw.Cardinality(distinct=420_000)]
    given_name: PersonName
    family_name: PersonName
    mobile: Phone
    patients: Annotated[
        list[Annotated[PatientKey, kw.Ref(Patient, on_missing="hide", max_referrers=6)]], Field(max_length=12)
    ]
    verified_at: AwareDatetime
    valid_until: Annotated[AwareDatetime, kw.Ttl(after=timedelta(days=90))]


caregiver = kw.Get(Caregiver, eq="identity_card", rate="8/s", p99_ms=30)
caregivers_of_patient = kw.Read(Caregiver, contains="patients", limit=6, rate="10/s", p99_ms=50)
verify_caregiver = kw.Put(Caregiver, rate="700/day", p99_ms=150)
revoke_caregiver = kw.Delete(Caregiver, rate="80/day", p99_ms=150)


class PortalAccount(BaseModel):
    """The account of a patient in the portal."""

    __store__: ClassVar = kw.Collection(
        care,
        "portal_accounts",
        id="{account}",
        indexes=[kw.Index("email_hash", unique=True), kw.Index("patient", unique=True)],
        expected=2_600_000,
        active=0.06,
    )

    account: Annotated[
        str, Field(pattern=r"^A[0-9A-F]{20}$"), kw.Size(avg=21, max=21), kw.Cardinality(distinct=2_600_000)
    ]
    patient: Annotated[PatientKey, kw.Ref(Patient, on_missing="fail", max_referrers=1)]
    email_hash: Sha256
    password_hash: Annotated[str, Field(max_length=120)]
    second_factor: Literal["app", "sms"] = "sms"
    last_login_at: AwareDatetime | None = None


account_by_email = kw.Get(PortalAccount, eq="email_hash", consistency="strong", rate="12/s", peak="60/s", p99_ms=60)
account_of_patient = kw.Get(PortalAccount, eq="patient", rate="5/s", p99_ms=40)
open_account = kw.Put(PortalAccount, if_absent=True, rate="2k/day", p99_ms=150)
change_password = kw.Update(PortalAccount, sets="password_hash", rate="900/day", p99_ms=150)
note_login = kw.Update(PortalAccount, sets="last_login_at", rate="12/s", peak="60/s", p99_ms=100)
close_account = kw.Delete(PortalAccount, rate="200/day", p99_ms=150)


class PasswordLink(BaseModel):
    """A link for a new password, for an hour."""

    __store__: ClassVar = kw.Collection(care, "password_links", id="{token_hash}", kind="token", expected=500)

    token_hash: Sha256
    account: Annotated[
        str, Field(pattern=r"^A[0-9A-F]{20}$"), kw.Ref(PortalAccount, on_missing="fail", max_referrers=3)
    ]
    ends_at: Annotated[AwareDatetime, kw.Ttl()]


send_link = kw.Put(PasswordLink, if_absent=True, rate="900/day", p99_ms=150)
follow_link = kw.Get(PasswordLink, eq="token_hash", consistency="strong", rate="900/day", p99_ms=100)
use_link = kw.Delete(PasswordLink, rate="700/day", p99_ms=150)


class Consent(BaseModel):
    """What a patient agreed to."""

    __store__: ClassVar = kw.Collection(
        care,
        "consents",
        id="{patient}",
        expected=6_000_000,
        active=0.03,
    )

    patient: Annotated[PatientKey, kw.Ref(Patient, on_missing="fail", max_referrers=1)]
    reminders: bool
    research: bool
    sharing: bool
    channels: Annotated[list[Channel], Field(max_length=3)]
    wording: Annotated[str, Field(max_length=12)]
    decided_at: AwareDatetime


consent_of_patient = kw.Get(Consent, eq="patient", consistency="strong", rate="15/s", p99_ms=60)
decide_consent = kw.Put(Consent, rate="6k/day", peak="3/s", p99_ms=150)
erase_consent = kw.Delete(Consent, rate="60/day", p99_ms=300)
