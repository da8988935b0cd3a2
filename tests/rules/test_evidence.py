"""Rules that need evidence: the same shape with it, without it, and where only a question is left."""

from pathlib import Path

import pytest
from tests.projects import findings_of, with_imports

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
