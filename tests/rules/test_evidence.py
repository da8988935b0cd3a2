"""Rules that need evidence: the same shape with it, without it, and where only a question is left."""

from pathlib import Path

import pytest
from tests.projects import findings_of, with_imports

from keywright.pages.catalogue import page

PLACE = """
db = kw.MongoDatabase("db")


class {name}(BaseModel):
    __store__: ClassVar = kw.Collection(db, "things", id="{{thing_id}}")

    thing_id: str
    {fields}


thing = kw.Get({name}, rate="1/s")
"""
PHONE = "phone: str"

PAID = """
by_number = kw.Gsi("by_number", pk="number", project="all")
bills = kw.DynamoTable("bills", gsis=[by_number], discriminator=None)


class Bill(BaseModel):
    __store__: ClassVar = kw.Item(bills, pk="{{customer}}", sk="{{number}}", kind="money", keep_forever="law")

    customer: str
    number: str
    cents: int


by_its_number = kw.Get(Bill, eq="number", rate="1/s")
{more}
pay = kw.Update(Bill, sets="cents", rate="1/s")
"""

SERIES = """
ks = kw.Keyspace("ks")


class Step(BaseModel):
    __store__: ClassVar = kw.CqlTable(ks, "steps", partition="case_no", clustering="-at", kind="event"{options})

    case_no: {case}
    at: datetime
    text: Annotated[str, kw.Size(avg=100, max=900)]


add = kw.Put(Step, rate="{rate}")
steps = kw.Read(Step, eq="case_no", order="-at", limit=9, rate="1/s")
"""
HALL = "Annotated[str, kw.Cardinality(distinct=34)]"
KEPT = ', keep_forever="law"'
MERGED = ", ttl=timedelta(days=100), compaction=kw.Unified()"

HALLS = """
halls = kw.DynamoTable("halls", discriminator=None)


class Gate(BaseModel):
    __store__: ClassVar = kw.Item(halls, pk="HALL#{{hall}}", sk="{{gate}}")

    hall: {hall}
    gate: str


gate = kw.Get(Gate, eq=["hall", "gate"], rate="1/s")
build = kw.Put(Gate, if_absent=True, rate="{rate}")
"""

REPORTED = {
    "a telephone beside a name": (
        PLACE.format(name="Place", fields="phone: str\n    name: Annotated[str, kw.Pii()]"), "GEN037 Place.phone",
    ),
    "a telephone of a person by the name of the entity": (
        PLACE.format(name="TaxiDriver", fields=PHONE), "GEN037 TaxiDriver.phone",
    ),
    "money that only an index finds": (PAID.format(more=""), "GEN010 by_its_number"),
    "a series of counted keys": (
        SERIES.format(options=KEPT, case="Annotated[str, kw.Cardinality(distinct=200)]", rate="1/s"), "CAS002 Step",
    ),
    "an expiring series of many gigabytes": (
        SERIES.format(options=MERGED, case="Annotated[str, kw.Cardinality(distinct=9_000_000)]", rate="90/s"),
        "CAS006 Step",
    ),
    "few partitions that grow": (HALLS.format(hall=HALL, rate="1/s"), "DDB004 Gate"),
}  # fmt: skip

SILENT = {
    "the telephone of a place": PLACE.format(name="Place", fields=PHONE),
    "the day of birth of an animal": PLACE.format(name="Animal", fields="born_on: date"),
    "money that an index finds and the key reads": PAID.format(
        more='bill = kw.Get(Bill, consistency="strong", rate="1/s")'
    ),
    "an expiring series of keys that are not counted": SERIES.format(
        options=", ttl=timedelta(days=900)", case="str", rate="1/s"
    ),
    "an expiring series of few gigabytes": SERIES.format(
        options=MERGED, case="Annotated[str, kw.Cardinality(distinct=9_000_000)]", rate="9/s"
    ),
    "few partitions whose size nobody declares": HALLS.format(hall=HALL, rate="1/day"),
}

ASKED = {
    "few partitions of a closed set": (
        HALLS.format(hall='Literal["north", "south"]', rate="1/day"),
        "DDB004 Gate",
    ),
    "a series of keys that are not counted": (SERIES.format(options=KEPT, case="str", rate="1/s"), "CAS003 Step"),
}


def told(folder: Path, source: str, *, is_question: bool) -> set[str]:
    """Findings or questions."""
    return {
        f"{finding.code} {finding.object}"
        for finding in findings_of(folder, with_imports(source))
        if (finding.severity == "question") is is_question
    }


@pytest.mark.parametrize("title", REPORTED)
def test_a_mistake_with_evidence_is_reported(title: str, tmp_path: Path) -> None:
    source, expected = REPORTED[title]
    assert expected in told(tmp_path, source, is_question=False)


@pytest.mark.parametrize("title", SILENT)
def test_nothing_is_reported_without_evidence(title: str, tmp_path: Path) -> None:
    codes = {expected.split()[0] for _, expected in REPORTED.values()}
    found = told(tmp_path, SILENT[title], is_question=False) | told(tmp_path, SILENT[title], is_question=True)
    assert not {entry for entry in found if entry.split()[0] in codes}


@pytest.mark.parametrize("title", ASKED)
def test_a_fact_that_no_declaration_says_is_asked_for(title: str, tmp_path: Path) -> None:
    source, expected = ASKED[title]
    assert expected in told(tmp_path, source, is_question=True)


COUNTED = """
db = kw.MongoDatabase("db")


class Fund(BaseModel):
    __store__: ClassVar = kw.Collection(db, "funds", id="{fund_id}")

    fund_id: str
    backers: Annotated[int, Field(ge=0)] = 0
    cents: Annotated[int, Field(ge=0)] = 0


fund = kw.Get(Fund, rate="1/s")
total = kw.Update(Fund, sets=SETS, rate="1/s")
"""

LEASES = """
ks = kw.Keyspace("ks")


class Lease(BaseModel):
    __store__: ClassVar = kw.CqlTable(ks, "leases", partition="address", clustering=["TIME", "port"])

    address: str
    TIME: datetime
    port: int
    line_id: str


lend = kw.Put(Lease, rate="1/s")
leases = kw.Read(Lease, eq="address", limit=9, rate="1/s")
"""

RESULTS = """
cache = kw.RedisServer("cache", role="cache")


class Answer(BaseModel):
    __store__: ClassVar = kw.RedisString(cache, key="answer:{question}", value="text", ttl=timedelta(TTL))

    question: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
    text: Annotated[str, kw.Size(avg=900, max=9_000)]


answer = kw.Get(Answer, rate="9/s")
keep = kw.Put(Answer, rate="1/s")
"""

DEFINITE = {
    "a count that is set alone": (COUNTED.replace("SETS", '"backers"'), "GEN029 total"),
    "a lease of a time that begins": (LEASES.replace("TIME", "begins_at"), "CAS041 lend"),
    "a record of days on a cache": (RESULTS.replace("TTL", "days=2"), "RED005 Answer"),
}

OPEN = {
    "a count that is set with another number": (COUNTED.replace("SETS", '["backers", "cents"]'), "GEN029 total"),
    "a result of minutes on a cache": (RESULTS.replace("TTL", "minutes=2"), "RED005 Answer"),
}


@pytest.mark.parametrize("title", DEFINITE)
def test_what_the_declarations_tell_is_reported(title: str, tmp_path: Path) -> None:
    source, expected = DEFINITE[title]
    assert expected in told(tmp_path, source, is_question=False)


@pytest.mark.parametrize("title", OPEN)
def test_what_they_leave_open_is_a_question(title: str, tmp_path: Path) -> None:
    source, expected = OPEN[title]
    assert expected in told(tmp_path, source, is_question=True)


def test_a_lease_with_the_time_at_which_it_was_made_replaces_none(tmp_path: Path) -> None:
    found = told(tmp_path, LEASES.replace("TIME", "leased_at"), is_question=False)
    assert "CAS041 lend" not in found


SELDOM = {
    "writes to many indexes at a low rate": ("DDB011", 'if_absent=True, rate="50/s"', 'if_absent=True, rate="1/s"'),
    "a settings item that is read at a low rate": ("DDB019", 'rate="2k/s"', 'rate="200/s"'),
    "peaks that need not coincide with others": (
        "DDB034", "on-demand-limits: {read: 500, write: 50}", "on-demand-limits: {read: 2000, write: 120}",
    ),
    "a hot key far below what a partition serves": ("DDB037", 'hot_key="800/s"', 'hot_key="150/s"'),
    "an index of few items": ("DDB044", "expected=9_000_000", "expected=90_000"),
    "a few reads against the order": ("CAS013", 'rate="10/s"', 'rate="1/s"'),
    "a join at a low rate": ("GEN005", 'rate="5/s"', 'rate="4/s"'),
    "small reads at a low rate": ("GEN018", 'rate="500/s"', 'rate="21/s"'),
    "the busiest read of an entity that is read seldom": ("GEN003", 'rate="5k/s"', 'rate="900/s"'),
}  # fmt: skip


@pytest.mark.parametrize("title", SELDOM)
def test_nothing_is_reported_at_a_rate_without_harm(title: str, tmp_path: Path) -> None:
    code, frequent, seldom = SELDOM[title]
    bad = page(code).bad
    harmless = {file: text.replace(frequent, seldom) for file, text in bad.items()}
    assert harmless != bad
    assert code in {finding.code for finding in findings_of(tmp_path / "bad", bad)}
    assert code not in {finding.code for finding in findings_of(tmp_path / "harmless", harmless)}
