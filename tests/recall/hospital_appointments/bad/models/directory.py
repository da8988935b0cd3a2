"""The hospitals, their clinics and the people who work there."""

from datetime import date, timedelta
from typing import Annotated, ClassVar

from pydantic import BaseModel, Field

import keywright as kw
from models.common import BY_NAME, ClinicCode, ClinicianKey, GeoPoint, HospitalCode, Language, Specialty

care = kw.MongoDatabase("care", owner="scheduling")


class Hospital(BaseModel):
    """A hospital of the network."""

    __store__: ClassVar = kw.Collection(care, "hospitals", id="{code}", expected=60)

    code: HospitalCode
    title: Annotated[str, Field(max_length=120)]
    region: Annotated[str, Field(max_length=30)]
    main_entrance: GeoPoint
    switchboard: Annotated[str, Field(max_length=20)]
    opened: date


hospital = kw.Get(Hospital, eq="code", rate="30/s", p99_ms=25, cache_ttl=timedelta(minutes=30))
save_hospital = kw.Put(Hospital, rate="5/day", p99_ms=200)


class OpeningHours(BaseModel):
    """One day of the week, from Monday as 1."""

    weekday: Annotated[int, Field(ge=1, le=7)]
    opens: Annotated[str, Field(pattern=r"^[0-2][0-9]:[0-5][0-9]$")]
    closes: Annotated[str, Field(pattern=r"^[0-2][0-9]:[0-5][0-9]$")]


class Clinic(BaseModel):
    """An outpatient clinic; patients search for the ones around them."""

    __store__: ClassVar = kw.Collection(
        care,
        "clinics",
        id="{clinic}",
        indexes=[kw.Index(["hospital", "title"]), kw.Index(["specialty", "title"]), kw.GeoIndex("entrance")],
        expected=1_800,
    )

    clinic: ClinicCode
    hospital: Annotated[HospitalCode, kw.Ref(Hospital, on_missing="fail", max_referrers=60)]
    title: Annotated[str, Field(max_length=120)]
    specialty: Specialty
    entrance: GeoPoint
    hours: Annotated[list[OpeningHours], Field(max_length=14)]
    online_booking: bool = True
    cancel_until_hours: Annotated[int, Field(ge=0, le=96)] = 24


clinic_page = kw.Get(Clinic, eq="clinic", rate="150/s", peak="400/s", p99_ms=25, cache_ttl=timedelta(minutes=5))
clinics_of_hospital = kw.Read(Clinic, eq="hospital", order="title", limit=60, rate="20/s", p99_ms=50)
clinics_of_specialty = kw.Read(Clinic, eq="specialty", order="title", limit=50, rate="15/s", p99_ms=50)
clinics_nearby = kw.Read(Clinic, near="entrance", limit=15, rate="25/s", p99_ms=60)
save_clinic = kw.Put(Clinic, rate="60/day", p99_ms=200)


class Clinician(BaseModel):
    """A doctor, nurse or therapist whom patients can book; the professional register's number is theirs for life."""

    __store__: ClassVar = kw.Collection(
        care,
        "clinicians",
        id="{clinician}",
        indexes=[
            kw.Index("register_number", unique=True, where={"practising": True}),
            kw.Index(["clinics", "family_name"], collation=BY_NAME),
        ],
        expected=14_000,
    )

    clinician: ClinicianKey
    register_number: Annotated[str, Field(pattern=r"^[0-9]{9}$"), kw.Size(avg=9, max=9)]
    given_name: Annotated[str, Field(max_length=80), kw.Pii()]
    family_name: Annotated[str, Field(max_length=80), kw.Pii()]
    academic_title: Annotated[str, Field(max_length=40)] = ""
    specialty: Specialty
    clinics: Annotated[
        list[Annotated[ClinicCode, kw.Ref(Clinic, on_missing="hide", max_referrers=120)]], Field(max_length=6)
    ]
    languages: Annotated[list[Language], Field(max_length=8)]
    practising: bool = True
    biography: Annotated[str, Field(max_length=900), kw.Size(avg=350, max=1_800)] = ""


clinician_page = kw.Get(Clinician, eq="clinician", rate="120/s", p99_ms=25, cache_ttl=timedelta(minutes=5))
clinician_in_register = kw.Get(Clinician, eq="register_number", where={"practising": True}, rate="2k/day", p99_ms=60)
clinicians_of_clinic = kw.Read(
    Clinician,
    contains="clinics",
    order="family_name",
    collation=BY_NAME,
    fields=["clinician", "academic_title", "given_name", "family_name", "specialty", "languages"],
    limit=60,
    rate="60/s",
    p99_ms=60,
)
employ_clinician = kw.Put(Clinician, if_absent=True, rate="15/day", p99_ms=200)
edit_clinician = kw.Update(
    Clinician,
    sets=["given_name", "family_name", "academic_title", "clinics", "languages", "practising", "biography"],
    rate="150/day",
    p99_ms=200,
)
erase_clinician = kw.Delete(Clinician, rate="4/day", p99_ms=200)


class Closure(BaseModel):
    """A day on which a clinic sees nobody."""

    __store__: ClassVar = kw.Collection(
        care, "closures", id="{clinic}|{day:date}", indexes=[kw.Index(["clinic", "day"])], expected=40_000
    )

    clinic: Annotated[ClinicCode, kw.Ref(Clinic, on_missing="ignore", max_referrers=120)]
    day: date
    reason: Annotated[str, Field(max_length=120)]


closures_ahead = kw.Read(Closure, eq="clinic", range="day", order="day", limit=40, rate="40/s", p99_ms=40)
close_clinic = kw.Put(Closure, rate="120/day", p99_ms=200)
reopen_clinic = kw.Delete(Closure, rate="10/day", p99_ms=200)
