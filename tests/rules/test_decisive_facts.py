"""Declarations that decide: a sound model without a finding, and one change after which there is one."""

from pathlib import Path

import pytest
from tests.projects import findings_of, with_imports

COURSES = """
db = kw.MongoDatabase("db")
table = kw.DynamoTable("learners")


class Lesson(BaseModel):
    __store__: ClassVar = kw.Collection(db, "lessons", id="{lesson_id}")

    lesson_id: Annotated[str, Field(max_length=26)]
    number: Annotated[int, Field(ge=1, le=20)]


class Enrolment(BaseModel):
    __store__: ClassVar = kw.Item(table, pk="LEARNER#{learner_id}", sk="ENROLMENT")

    learner_id: Annotated[str, Field(max_length=26)]
    lesson_number: Annotated[int, Field(ge=1, le=20)]


lesson = kw.Get(Lesson, rate="1/s")
edit = kw.Put(Lesson, rate="1/day")
enrolment = kw.Get(Enrolment, rate="1/s")
"""

NEWEST = """
rows = kw.Keyspace("rows")
state = kw.RedisServer("state", role="primary")
Sensor = Annotated[str, Field(pattern="^[a-z0-9]+$"), kw.Size(avg=16, max=24), kw.Cardinality(distinct=5_000)]


class Sample(BaseModel):
    __store__: ClassVar = kw.CqlTable(
        rows, "samples", partition="sensor", clustering="-at", ttl=timedelta(days=9), kind="reading"
    )

    sensor: Sensor
    channel: Annotated[str, Field(pattern="^[a-z]+$"), kw.Size(avg=7, max=16)]
    at: datetime
    value: float


class Newest(BaseModel):
    __store__: ClassVar = kw.RedisHash(state, key="newest:{sensor}", ttl=timedelta(hours=6), kind="reading")

    sensor: Sensor
    channel: Annotated[str, Field(pattern="^[a-z]+$"), kw.Size(avg=7, max=16)]
    at: datetime
    value: float


record = kw.Put(Sample, rate="9/s")
keep = kw.Put(Newest, rate="9/s")
newest = kw.Get(Newest, rate="9/s")
samples = kw.Read(Sample, eq="sensor", order="-at", limit=9, rate="9/s")
"""

SEEN = """
state = kw.RedisServer("state", role="primary")


class Seen(BaseModel):
    __store__: ClassVar = kw.RedisSortedSet(
        state, key="seen:{site}", member="{device}", score="at", ttl=timedelta(days=7), expected=250_000
    )

    site: Annotated[str, kw.Size(avg=8), kw.Cardinality(distinct=400)]
    device: Annotated[str, kw.Size(avg=16), kw.Cardinality(distinct=250_000)]
    at: datetime


see = kw.Put(Seen, rate="800/s")
silent = kw.Read(Seen, eq="site", range="at", order="at", limit=9, rate="1/s")
"""

STATIONS = """
state = kw.RedisServer("state", role="primary")


class Served(BaseModel):
    __store__: ClassVar = kw.RedisCounter(
        state, key="served:{event}:{station}", value="portions", ttl=timedelta(days=2), expected=12_000
    )

    event: Annotated[str, Field(pattern="^[0-9A-Z]{26}$"), kw.Size(avg=26, max=26)]
    station: Literal["cold", "hot", "pastry"]
    portions: int


serve = kw.Increment(Served, "portions", rate="9/s")
served = kw.Get(Served, rate="9/s")
"""

AGENDA = """
table = kw.DynamoTable("table", discriminator=None)


class Event(BaseModel):
    __store__: ClassVar = kw.Item(table, pk="TENANT#{tenant}", sk="{at:iso}#{event_id}", expected=2_000_000)

    tenant: Annotated[str, Field(pattern="^[a-z]{8}$"), kw.Size(avg=8, max=8), kw.Cardinality(distinct=1_500)]
    event_id: Annotated[str, Field(pattern="^[0-9A-Z]{26}$"), kw.Size(avg=26, max=26)]
    at: datetime
    state: Literal["inquiry", "quoted", "confirmed", "served", "cancelled"]


inquire = kw.Put(Event, if_absent=True, rate="6k/day")
agenda = kw.Read(
    Event, eq="tenant", where={"state": "confirmed"}, range="at", span=timedelta(days=31), order="at", limit=100,
    rate="20/s"
)
"""

PLANS = """
db = kw.MongoDatabase("db")
table = kw.DynamoTable("table", discriminator=None)


class Event(BaseModel):
    __store__: ClassVar = kw.Item(table, pk="EVENT#{event_id}", sk="EVENT")

    event_id: Annotated[str, Field(max_length=26)]


class Plan(BaseModel):
    __store__: ClassVar = kw.Collection(db, "plans", id="{event_id}")

    event_id: Annotated[str, Field(max_length=26), kw.Ref(Event, on_missing="hide", max_referrers=1)]


class Shift(BaseModel):
    __store__: ClassVar = kw.Collection(db, "shifts", id="{shift_id}")

    shift_id: Annotated[str, Field(max_length=26)]
    event_id: Annotated[str, Field(max_length=26)]


event = kw.Get(Event, rate="1/s")
plan = kw.Get(Plan, rate="1/s")
drop = kw.Delete(Plan, rate="1/day")
shift = kw.Get(Shift, rate="1/s")
"""

FACTORS = """
table = kw.DynamoTable("factors", discriminator=None)


class Factor(BaseModel):
    __store__: ClassVar = kw.Item(table, pk="ACCOUNT#{account}", sk="FACTOR#{factor_id}")

    account: Annotated[str, Field(max_length=26)]
    factor_id: Annotated[str, Field(max_length=26)]
    sign_count: Annotated[int, Field(ge=0)] = 0
    used_at: datetime | None = None


factors = kw.Read(Factor, eq="account", limit=9, rate="1/s")
use = kw.Update(Factor, sets=["sign_count", "used_at"], rate="1/s")
"""

CODES = """
table = kw.DynamoTable("codes", discriminator=None)


class RecoveryCode(BaseModel):
    __store__: ClassVar = kw.Item(table, pk="ACCOUNT#{account}", sk="CODE#{digest}")

    account: Annotated[str, Field(max_length=26)]
    digest: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    used_at: datetime | None = None
    ends_at: Annotated[datetime, kw.Ttl()]


make = kw.Put(RecoveryCode, batch=10, rate="1/s")
spend = kw.Update(RecoveryCode, sets="used_at", where={"used_at": None}, rate="1/s")
codes = kw.Read(RecoveryCode, eq="account", limit=20, rate="1/s")
"""

TOKENS = """
of_family = kw.Gsi("of_family", pk="family", sk=None, project="keys")
table = kw.DynamoTable("tokens", pk="digest", sk=None, gsis=[of_family], discriminator=None)


class RefreshToken(BaseModel):
    __store__: ClassVar = kw.Item(table, kind="token", expected=300_000_000)

    digest: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    family: Annotated[str, Field(max_length=26), kw.Size(avg=26), kw.Cardinality(distinct=50_000_000)]
    state: Literal["live", "rotated", "revoked"]
    ends_at: Annotated[datetime, kw.Ttl()]


rotate = kw.Transact(
    [kw.Update(RefreshToken, sets="state", where={"state": "live"}), kw.Put(RefreshToken, if_absent=True)],
    rate="1k/s",
)
token = kw.Get(RefreshToken, eq="digest", consistency="strong", rate="1k/s")
of = kw.Read(RefreshToken, eq="family", fields=["digest", "family"], limit=100, rate="1/s")
"""

CASES = {
    "a number that does not say whose it is": (
        COURSES,
        "    lesson_number:",
        "    lesson_id: str\n    lesson_number:",
        "GEN007",
    ),
    "the newest of what has a history": (NEWEST, 'clustering="-at"', 'clustering="-value"', "GEN028"),
    "the last time of every device": (SEEN, "250_000)]", "900_000)]", "RED035"),
    "the last time that nobody reads by": (SEEN, ' range="at",', "", "RED035"),
    "few counters of each station": (STATIONS, "12_000", "1_200_000", "RED038"),
    "a month that is no full page": (AGENDA, "6k/day", "60k/day", "GEN022"),
    "a key that is itself a reference": (PLANS, ', kw.Ref(Event, on_missing="hide", max_referrers=1)', "", "MDB008"),
    "puts of a batch": (CODES, "batch=10, ", "", "GEN030"),
    "a key that is named as its table's": (TOKENS, "expected=300_000_000", "expected=10", "DDB062"),
    "a page of keys": (TOKENS, 'project="keys"', 'project=["state"]', "DDB024"),
}
"""Title: a sound model, a text in it and what replaces it, and the rule that then reports it."""


@pytest.mark.parametrize("title", CASES)
def test_one_declaration_decides(title: str, tmp_path: Path) -> None:
    source, old, new, code = CASES[title]
    changed = source.replace(old, new)
    if code == "DDB024":
        changed = changed.replace('fields=["digest", "family"]', 'fields=["digest", "family", "state"]')
    assert changed != source
    assert code not in {finding.code for finding in findings_of(tmp_path / "sound", with_imports(source))}
    assert code in {finding.code for finding in findings_of(tmp_path / "not", with_imports(changed))}


def test_a_count_beside_other_news_is_a_question(tmp_path: Path) -> None:
    alone = FACTORS.replace('["sign_count", "used_at"]', '"sign_count"')
    asked, told = (
        findings_of(tmp_path / str(number), with_imports(text)) for number, text in enumerate((FACTORS, alone))
    )
    assert [(finding.severity, finding.object) for finding in asked if finding.code == "GEN029"] == [
        ("question", "use")
    ]
    assert [(finding.severity, finding.object) for finding in told if finding.code == "GEN029"] == [("warning", "use")]
