"""The directory: schools, classes, pupils, guardians, staff, and the logins of all of them."""

from datetime import date, datetime, timedelta
from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, Field

import keywright as kw

Ulid = Annotated[str, Field(pattern=r"^[0-9A-HJKMNP-TV-Z]{26}$"), kw.Size(avg=26, max=26)]
SchoolId = Annotated[str, Field(pattern=r"^[a-z0-9]{8}$"), kw.Size(avg=8, max=8), kw.Cardinality(distinct=2_400)]
ClassId = Annotated[Ulid, kw.Cardinality(distinct=55_000)]
PupilId = Annotated[Ulid, kw.Cardinality(distinct=1_200_000)]
GuardianId = Annotated[Ulid, kw.Cardinality(distinct=1_500_000)]
StaffId = Annotated[Ulid, kw.Cardinality(distinct=120_000)]
PersonId = Annotated[Ulid, kw.Cardinality(distinct=2_300_000)]
LoginHash = Annotated[
    str, Field(pattern=r"^[0-9a-f]{64}$"), kw.Size(avg=64, max=64), kw.Cardinality(distinct=2_300_000)
]
SchoolYear = Annotated[str, Field(pattern=r"^\d{4}-\d{2}$"), kw.Size(avg=7, max=7), kw.Cardinality(distinct=6)]
PersonName = Annotated[str, Field(max_length=80), kw.Size(avg=10, max=160), kw.Pii()]
Email = Annotated[str, Field(max_length=254), kw.Size(avg=26, max=254), kw.Pii()]
Role = Literal["guardian", "staff", "pupil"]

class_list = kw.Gsi("class_list", pk="class_id", sk="register_no", project=["pupil_id", "display_name"])
wards = kw.Gsi("wards", pk="guardian_id", sk="pupil_id", project=["pupil_name", "relation", "may_collect"])

directory = kw.DynamoTable(
    "directory",
    owner="identity",
    gsis=[class_list, wards],
    stream=kw.Stream(
        consumers=[
            kw.Consumer("copy-display-names", idempotency=["pupil_id", "display_name"], on_failure="queue"),
            kw.Consumer("pupil-search", idempotency=["pupil_id", "changed_at"], on_failure="queue"),
        ]
    ),
)
search = kw.MongoDatabase("search", owner="identity")
cache = kw.RedisServer("portal-cache", role="cache", owner="platform")
events = kw.RedisServer(
    "portal-events",
    role="queue",
    owner="platform",
    persistence=[kw.Aof(fsync="everysec"), kw.Rdb()],
    settings={"min-replicas-to-write": 1, "min-replicas-max-lag": 10},
)


class School(BaseModel):
    """A school with the settings that every page of it needs."""

    __store__: ClassVar = kw.Item(directory, pk="SCHOOL#{school_id}", sk="PROFILE", expected=2_400)

    school_id: SchoolId
    name: Annotated[str, Field(max_length=120), kw.Size(avg=32, max=240)]
    city: Annotated[str, Field(max_length=80), kw.Size(avg=12, max=160)]
    timezone: Annotated[str, Field(max_length=40), kw.Size(avg=13, max=40)]
    current_year: SchoolYear
    modules: Annotated[list[Annotated[str, Field(max_length=24)]], Field(max_length=20)]
    changed_at: datetime


cached_school = kw.bind(
    School,
    kw.RedisCache(cache, key="school:{school_id}", ttl=timedelta(minutes=10), source_of_truth=School, expected=2_400),
)

school = kw.Get(School, eq="school_id", rate="4/s", peak="20/s", p99_ms=20)
school_page = kw.Get(cached_school, eq="school_id", rate="900/s", peak="4k/s", p99_ms=5)
admit_school = kw.Put(School, if_absent=True, rate="3/day", p99_ms=50)


class SchoolClass(BaseModel):
    """A class of one school year."""

    __store__: ClassVar = kw.Item(
        directory, pk="SCHOOL#{school_id}", sk="CLASS#{school_year}#{class_id}", expected=330_000, active=0.2
    )

    school_id: Annotated[SchoolId, kw.Ref(School, on_missing="fail", max_referrers=600)]
    school_year: SchoolYear
    class_id: ClassId
    label: Annotated[str, Field(max_length=12), kw.Size(avg=3, max=24)]
    tutor_id: Annotated[StaffId, kw.Ref("StaffMember", on_missing="hide", max_referrers=20)]


classes_of_year = kw.Read(
    SchoolClass,
    eq=["school_id", "school_year"],
    order="class_id",
    limit=100,
    rate="20/s",
    peak="120/s",
    p99_ms=50,
)
open_class = kw.Put(SchoolClass, if_absent=True, rate="300/day", peak="20/s", p99_ms=50)


class StaffMember(BaseModel):
    """A teacher or another employee of a school."""

    __store__: ClassVar = kw.Item(directory, pk="SCHOOL#{school_id}", sk="STAFF#{staff_id}", expected=120_000)

    school_id: Annotated[SchoolId, kw.Ref(School, on_missing="fail", max_referrers=300)]
    staff_id: StaffId
    first_name: PersonName
    last_name: PersonName
    email: Email
    subjects: Annotated[list[Annotated[str, Field(max_length=24)]], Field(max_length=8)] = []
    job: Literal["teacher", "office", "kitchen", "librarian", "head"]


staff_of_school = kw.Read(StaffMember, eq="school_id", order="staff_id", limit=100, rate="10/s", peak="60/s", p99_ms=50)
hire = kw.Put(StaffMember, if_absent=True, rate="100/day", p99_ms=50)


class Pupil(BaseModel):
    """A pupil; the place in the class list is a number, so that no key contains a name."""

    __store__: ClassVar = kw.Item(directory, pk="PUPIL#{pupil_id}", sk="PROFILE", expected=1_200_000)

    pupil_id: PupilId
    school_id: Annotated[SchoolId, kw.Ref(School, on_missing="fail", max_referrers=3_000)]
    class_id: Annotated[ClassId, kw.Ref(SchoolClass, on_missing="hide", max_referrers=40)]
    register_no: Annotated[int, Field(ge=1, le=99)]
    display_name: Annotated[str, Field(max_length=120), kw.Size(avg=18, max=240), kw.Pii()]
    search_name: Annotated[str, Field(max_length=120), kw.Size(avg=18, max=240), kw.Pii()]
    born_on: Annotated[date, kw.Pii()]
    health_note: Annotated[str | None, Field(max_length=400), kw.Size(avg=60, max=800), kw.Pii()] = None
    changed_at: datetime


searchable_pupil = kw.bind(
    Pupil,
    kw.Collection(
        search, "pupils", id="{pupil_id}", indexes=[kw.Index(["school_id", "search_name"])], expected=1_200_000
    ),
)

pupil = kw.Get(Pupil, eq="pupil_id", rate="600/s", peak="2.5k/s", p99_ms=20, cache_ttl=timedelta(seconds=30))
pupils_of_class = kw.Read(
    Pupil,
    eq="class_id",
    order="register_no",
    limit=40,
    fields=["pupil_id", "register_no", "display_name"],
    rate="60/s",
    peak="600/s",
    p99_ms=50,
)
enrol = kw.Put(Pupil, if_absent=True, rate="1k/day", peak="30/s", p99_ms=50)
change_pupil = kw.Update(
    Pupil,
    sets=["class_id", "register_no", "display_name", "search_name", "changed_at"],
    rate="5k/day",
    peak="40/s",
    p99_ms=50,
)
find_pupil = kw.Read(
    searchable_pupil,
    eq="school_id",
    prefix="search_name",
    order="search_name",
    limit=20,
    rate="10/s",
    peak="80/s",
    p99_ms=80,
)
index_pupil = kw.Put(searchable_pupil, rate="6k/day", peak="70/s", p99_ms=100)


class Guardian(BaseModel):
    """A parent or another person who has custody."""

    __store__: ClassVar = kw.Item(directory, pk="GUARDIAN#{guardian_id}", sk="PROFILE", expected=1_500_000)

    guardian_id: GuardianId
    full_name: Annotated[str, Field(max_length=120), kw.Size(avg=18, max=240), kw.Pii()]
    email: Email
    phone: Annotated[str | None, Field(max_length=20), kw.Size(avg=14, max=20), kw.Pii()] = None
    language: Annotated[str, Field(pattern=r"^[a-z]{2}$"), kw.Size(avg=2, max=2)]


class LoginName(BaseModel):
    """The claim of an e-mail address, as a keyed hash: at most one person has it."""

    __store__: ClassVar = kw.Item(directory, pk="LOGIN#{login_hash}", sk="LOGIN", expected=2_300_000)

    login_hash: LoginHash
    person_id: PersonId
    role: Role


guardian = kw.Get(Guardian, eq="guardian_id", rate="60/s", peak="500/s", p99_ms=20)
register_guardian = kw.Transact(
    [kw.Put(Guardian, if_absent=True), kw.Put(LoginName, if_absent=True)], rate="2k/day", peak="40/s", p99_ms=100
)
person_of_login = kw.Get(LoginName, eq="login_hash", consistency="strong", rate="20/s", peak="250/s", p99_ms=20)


class Guardianship(BaseModel):
    """Who stands for which pupil; asked from both sides."""

    __store__: ClassVar = kw.Item(directory, pk="PUPIL#{pupil_id}", sk="GUARDIAN#{guardian_id}", expected=2_200_000)

    pupil_id: Annotated[PupilId, kw.Ref(Pupil, on_missing="hide", max_referrers=6)]
    guardian_id: Annotated[GuardianId, kw.Ref(Guardian, on_missing="hide", max_referrers=12)]
    pupil_name: Annotated[
        str,
        Field(max_length=120),
        kw.Size(avg=18, max=240),
        kw.CopiedFrom(Pupil, "display_name", sync="stream"),
        kw.Pii(),
    ]
    relation: Literal["mother", "father", "foster", "other"]
    may_collect: bool = True


link_guardian = kw.Put(Guardianship, if_absent=True, rate="2k/day", peak="40/s", p99_ms=50)
guardians_of_pupil = kw.Read(
    Guardianship, eq="pupil_id", order="guardian_id", limit=10, rate="20/s", peak="150/s", p99_ms=50
)
pupils_of_guardian = kw.Read(
    Guardianship, eq="guardian_id", order="pupil_id", limit=12, rate="80/s", peak="900/s", p99_ms=50
)
