"""Reports of laboratories and radiology, letters, and messages between patients and clinics."""

from datetime import timedelta
from typing import Annotated, ClassVar, Literal
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, Field

import keywright as kw
from models.common import ClinicCode, HospitalCode, PatientKey, StaffKey
from models.directory import Clinic, care
from models.people import Patient


class Finding(BaseModel):
    """One value of a report."""

    code: Annotated[str, Field(max_length=12)]
    value: Annotated[str, Field(max_length=40), kw.Pii()]
    unit: Annotated[str, Field(max_length=16)] = ""
    abnormal: bool = False


class ResultReport(BaseModel):
    """A finished report, for the ten years of the law; the shards divide the patients among them."""

    __store__: ClassVar = kw.Collection(
        care,
        "result_reports",
        id="{report}",
        indexes=[kw.Index(["patient", "-issued_at"])],
        shard_key=kw.ShardKey(on="patient", hashed=True),
        expected=420_000_000,
        active=0.005,
    )

    report: Annotated[UUID, kw.Cardinality(distinct=420_000_000)]
    patient: Annotated[PatientKey, kw.Ref(Patient, on_missing="hide", max_referrers=2_500)]
    hospital: HospitalCode
    laboratory: Annotated[str, Field(max_length=12), kw.Cardinality(distinct=90)]
    category: Literal["blood", "tissue", "imaging", "heart", "other"]
    findings: Annotated[list[Finding], Field(max_length=120), kw.Size(avg=1_600, max=14_000)]
    summary: Annotated[str, Field(max_length=2_000), kw.Size(avg=300, max=4_000), kw.Pii()] = ""
    issued_at: Annotated[AwareDatetime, kw.Ttl(after=timedelta(days=3_653))]
    released_at: AwareDatetime | None = None


file_report = kw.Put(ResultReport, if_absent=True, rate="115k/day", peak="20/s", p99_ms=150)
reports_of_patient = kw.Read(
    ResultReport,
    eq="patient",
    order="-issued_at",
    fields=["report", "patient", "category", "laboratory", "issued_at", "released_at"],
    limit=25,
    rate="240/s",
    peak="700/s",
    p99_ms=60,
)
report = kw.Get(ResultReport, eq=["patient", "report"], rate="150/s", peak="400/s", p99_ms=40)
release_report = kw.Update(
    ResultReport, eq=["patient", "report"], sets="released_at", rate="110k/day", peak="20/s", p99_ms=150
)


class ClinicLetter(BaseModel):
    """A letter to a patient or a practice; the document itself is in the archive of files."""

    __store__: ClassVar = kw.Collection(
        care,
        "clinic_letters",
        id="{letter}",
        indexes=[kw.Index(["patient", "-issued_at"])],
        expected=60_000_000,
        active=0.01,
    )

    letter: Annotated[UUID, kw.Cardinality(distinct=60_000_000)]
    patient: Annotated[PatientKey, kw.Ref(Patient, on_missing="hide", max_referrers=800)]
    clinic: Annotated[ClinicCode, kw.Ref(Clinic, on_missing="ignore", max_referrers=200_000)]
    subject: Annotated[str, Field(max_length=120), kw.Pii()]
    file_key: Annotated[str, Field(max_length=80)]
    pages: Annotated[int, Field(ge=1, le=80)]
    signed_by: StaffKey
    issued_at: Annotated[AwareDatetime, kw.Ttl(after=timedelta(days=3_653))]


sign_letter = kw.Put(ClinicLetter, if_absent=True, rate="20k/day", peak="4/s", p99_ms=150)
letters_of_patient = kw.Read(ClinicLetter, eq="patient", order="-issued_at", limit=30, rate="35/s", p99_ms=60)
letter = kw.Get(ClinicLetter, eq="letter", rate="20/s", p99_ms=40)


class CareThread(BaseModel):
    """What a patient and a clinic write to each other about one matter."""

    __store__: ClassVar = kw.Collection(
        care,
        "care_threads",
        id="{thread}",
        indexes=[kw.Index(["patient", "-last_at"]), kw.Index(["clinic", "-last_at"], where={"unanswered": True})],
        expected=3_500_000,
        active=0.02,
    )

    thread: Annotated[UUID, kw.Cardinality(distinct=3_500_000)]
    patient: Annotated[PatientKey, kw.Ref(Patient, on_missing="hide", max_referrers=80)]
    clinic: Annotated[ClinicCode, kw.Ref(Clinic, on_missing="ignore", max_referrers=15_000)]
    subject: Annotated[str, Field(max_length=120), kw.Pii()]
    unanswered: bool = True
    last_at: Annotated[AwareDatetime, kw.Ttl(after=timedelta(days=730))]


class CareMessage(BaseModel):
    """One message of a thread."""

    __store__: ClassVar = kw.Collection(
        care,
        "care_messages",
        id="{message}",
        indexes=[kw.Index(["thread", "-sent_at"])],
        expected=25_000_000,
        active=0.01,
    )

    message: Annotated[UUID, kw.Cardinality(distinct=25_000_000)]
    thread: Annotated[UUID, kw.Ref(CareThread, on_missing="hide", max_referrers=300)]
    author: Literal["patient", "caregiver", "clinic"]
    text: Annotated[str, Field(max_length=2_000), kw.Size(avg=260, max=4_000), kw.Pii()]
    sent_at: Annotated[AwareDatetime, kw.Ttl(after=timedelta(days=730))]


start_thread = kw.Put(CareThread, if_absent=True, rate="5k/day", p99_ms=150)
threads_of_patient = kw.Read(CareThread, eq="patient", order="-last_at", limit=20, rate="10/s", p99_ms=60)
threads_to_answer = kw.Read(
    CareThread, eq="clinic", where={"unanswered": True}, order="-last_at", limit=50, rate="8/s", p99_ms=60
)
add_message = kw.Put(CareMessage, if_absent=True)
touch_thread = kw.Update(CareThread, sets=["last_at", "unanswered"])
write_message = kw.Transact([add_message, touch_thread], rate="34k/day", peak="5/s", p99_ms=200)
messages_of_thread = kw.Read(CareMessage, eq="thread", order="-sent_at", limit=30, rate="15/s", p99_ms=60)
