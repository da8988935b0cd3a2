"""Letters from practices that ask for an appointment, and the forms that patients fill in before they come."""

from datetime import timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.calendar import Appointment
from models.common import AppointmentKey, ClinicCode, PatientKey, StaffKey
from models.directory import Clinic, care
from models.people import Patient


class Referral(BaseModel):
    """A referral; the portal, the gateway of the practices and the intake of faxes write it."""

    __store__: ClassVar = kw.Collection(
        care,
        "referrals",
        id="{referral}",
        indexes=[
            kw.Index(["clinic", "urgency", "received_at"], where={"state": "new"}),
            kw.Index(["patient", "-received_at"]),
        ],
        validation="warn",
        expected=9_000_000,
        active=0.02,
    )

    referral: Annotated[UUID, kw.Cardinality(distinct=9_000_000)]
    patient: Annotated[PatientKey, kw.Ref(Patient, on_missing="hide", max_referrers=60)]
    clinic: Annotated[ClinicCode, kw.Ref(Clinic, on_missing="ignore", max_referrers=40_000)]
    practice: Annotated[str, Field(max_length=120)]
    urgency: Annotated[int, Field(ge=1, le=4)]
    question: Annotated[str, Field(max_length=1_000), kw.Size(avg=250, max=2_000), kw.Pii()]
    codes: Annotated[list[Annotated[str, Field(pattern=r"^[A-Z][0-9]{2}(\.[0-9]{1,2})?$")]], Field(max_length=12)] = []
    state: Literal["new", "accepted", "returned", "closed"] = "new"
    triaged_by: StaffKey | None = None
    received_at: Annotated[AwareDatetime, kw.Ttl(after=timedelta(days=1_095))]


receive_referral = kw.Put(Referral, if_absent=True, rate="8k/day", peak="2/s", p99_ms=200)
referrals_to_triage = kw.Read(
    Referral,
    eq="clinic",
    order=["urgency", "received_at"],
    limit=50,
    rate="12/s",
    peak="40/s",
    p99_ms=80,
)
referrals_of_patient = kw.Read(Referral, eq="patient", order="-received_at", limit=20, rate="8/s", p99_ms=60)
triage_referral = kw.Update(
    Referral, sets=["state", "urgency", "triaged_by"], where={"state": "new"}, rate="8k/day", peak="3/s", p99_ms=150
)


class FormAnswer(BaseModel):
    """An answer to a question."""

    question: Annotated[str, Field(max_length=24)]
    answer: Annotated[str, Field(max_length=600), kw.Size(avg=160, max=1_200), kw.Pii()]


class IntakeForm(BaseModel):
    """The questionnaire before a visit. Each saving drops the copy on the ward's tablets."""

    __store__: ClassVar = kw.Collection(
        care,
        "intake_forms",
        id="{appointment}",
        stream=kw.Stream(
            images="new_and_old",
            consumers=[kw.Consumer("tablet-cache-eviction", idempotency="appointment", on_failure="retry")],
        ),
        expected=2_500_000,
        active=0.1,
    )

    appointment: Annotated[AppointmentKey, kw.Ref(Appointment, on_missing="hide", max_referrers=1)]
    patient: Annotated[PatientKey, kw.Ref(Patient, on_missing="hide", max_referrers=60)]
    template: Annotated[str, Field(max_length=30)]
    answers: Annotated[list[FormAnswer], Field(max_length=140), kw.Size(avg=20_000, max=160_000)]
    complete: bool = False
    saved_at: Annotated[AwareDatetime, kw.Ttl(after=timedelta(days=21))]


save_form = kw.Put(IntakeForm, rate="60/s", peak="180/s", p99_ms=150)
form_of_visit = kw.Get(IntakeForm, eq="appointment", rate="10/s", peak="35/s", p99_ms=80)
