"""Rules of Cassandra: what their pages do not show, and what they must not say."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from tests.projects import SOUND, findings_of, with_imports
from tests.properties.cassandra import designs, environments

from keywright.engines.cassandra.lower import lower
from keywright.engines.cassandra.place import place
from keywright.engines.cassandra.settings import CassandraEnvironment
from keywright.engines.flaws.context import Stored, Whole
from keywright.errors import NOWHERE
from keywright.ir.design import Design
from keywright.rules.asking import flaws
from keywright.rules.options import Options
from keywright.rules.rule import Finding

HEAD = 'ks = kw.Keyspace("ks")\n'


def found(folder: Path, source: str, stack: str = SOUND) -> list[Finding]:
    """What the rules of Cassandra say."""
    files = {"models/case.py": with_imports(HEAD + source), "stacks/Pulumi.dev.yaml": stack}
    return [one for one in findings_of(folder, files) if one.code.startswith("CAS")]


def said(folder: Path, source: str, stack: str = SOUND) -> set[tuple[str, str]]:
    return {(one.code, one.object) for one in found(folder, source, stack)}


def event(options: str, *patterns: str) -> str:
    """An entity with these options, and patterns p0, p1, … on it."""
    lines = "\n".join(f"p{at} = {one}" for at, one in enumerate(patterns))
    return f"""
class Event(BaseModel):
    __store__: ClassVar = kw.CqlTable(ks, "events", {options})

    tenant: Annotated[str, kw.Size(avg=8), kw.Cardinality(distinct=100)]
    day: str = ""
    at: datetime
    event_id: str
    text: Annotated[str, kw.Size(avg=200)] = ""

{lines}
"""


BARE = 'partition="tenant", clustering=["-at", "event_id"]'
OLDEST = 'partition="tenant", clustering=["at", "event_id"]'
DAYS = 'partition=["tenant", "bucket"], clustering=["-at", "event_id"], computed={"bucket": "{at:date}"}'
READ = 'kw.Read(Event, eq="tenant", order="-at", limit=20, rate="1k/s")'
PUT = 'kw.Put(Event, rate="10/s")'
EXPIRY = 'kw.Delete(Event, because="expiry", rate="10/s")'
FEW = 'kw.Read(Event, eq="tenant", limit=9, rate="1k/s")'
LATEST = 'kw.Read(Event, eq="tenant", order="-at", limit=9, rate="1/s")'
FIRST = 'kw.Read(Event, eq="tenant", order="at", limit=9, rate="9/s")'
OF_DAY = 'kw.Read(Event, eq=["tenant", "bucket"], order="-at", limit=9, rate="1/s")'
FRESH = 'kw.Get(Event, consistency="strong", rate="1/s")'
LOOSE = 'kw.Put(Event, consistency="eventual", rate="1/day")'
WINDOWS = "compaction=kw.TimeWindow(window=timedelta(days=1))"
WIDE = {("CAS002", "Event"), ("CAS003", "Event")}

TOLD: dict[str, tuple[str, set[tuple[str, str]]]] = {
    "an index that is asked often without a partition": (
        event(BARE + ', indexes=[kw.CqlIndex("text")]', 'kw.Read(Event, eq="text", limit=9, rate="50/s")'),
        {("CAS001", "p0")},
    ),
    "a row of which the partition is not known": (
        event(BARE, 'kw.Delete(Event, eq=["at", "event_id"], rate="1/s")'),
        {("CAS001", "p0")},
    ),
    "partitions that grow for ever": (event(BARE, PUT), WIDE),
    "what is expected to be in a partition": (event(BARE + ", expected=100_000_000"), WIDE),
    "rows that are few and long": (
        event(DAYS, 'kw.Put(Event, rate="100/s")').replace("avg=200", "avg=2_000"),
        {("CAS002", "Event")},
    ),
    "a series of which nobody says how much there is": (event(BARE + ', kind="feed"'), {("CAS003", "Event")}),
    "old rows that are walked over from the oldest end": (
        event(OLDEST, FEW, EXPIRY),
        {("CAS005", "p1"), ("CAS010", "p0")},
    ),
    "rows of any age of which many are gone": (
        event(BARE + ", expected=1_000", FEW, 'kw.Delete(Event, rate="20/s")'),
        {("CAS010", "p0")},
    ),
    "levels under rows that expire in the order of time": (
        event(BARE + ", ttl=timedelta(days=9), compaction=kw.Leveled()"),
        {("CAS006", "Event")},
    ),
    "tombstones that go before hints do": (event(BARE + ", gc_grace=timedelta(hours=1)"), {("CAS011", "Event")}),
    "rows that expire and are deleted too": (
        event(DAYS + ", ttl=timedelta(days=9), gc_grace=timedelta(hours=5)", 'kw.Delete(Event, rate="1/s")'),
        {("CAS011", "Event")},
    ),
    "a declared queue": (event(BARE + ', kind="queue"', 'kw.Delete(Event, rate="1/s")'), {("CAS012", "Event")}),
    "mostly the latest first": (
        event(OLDEST, READ, 'kw.Read(Event, eq="tenant", order="at", limit=9, rate="1/s")'),
        {("CAS013", "Event")},
    ),
    "a transaction that waits for one copy": (
        event(BARE, FRESH, 'kw.Transact([kw.Put(Event, consistency="eventual")], rate="1/day")'),
        {("CAS016", "p1")},
    ),
}

SILENT = {
    "an index that is asked seldom": event(
        BARE + ', indexes=[kw.CqlIndex("text")]', 'kw.Read(Event, eq="text", limit=9, rate="5/s")'
    ),
    "an index inside a partition": event(
        BARE + ', indexes=[kw.CqlIndex("text")]', 'kw.Read(Event, eq=["tenant", "text"], limit=9, rate="5k/s")'
    ),
    "what nothing has to serve": event(BARE, 'kw.Get(Event, eq="text", rate="1/s", unserved="a tool asks")'),
    "partitions that fill slowly": event(BARE, 'kw.Put(Event, rate="20/day")'),
    "as many deleted as put": event(BARE, PUT, 'kw.Delete(Event, rate="10/s")').replace("100", "1_000_000"),
    "a series that expires within a month": event(BARE + ', ttl=timedelta(days=30), kind="event"'),
    "a bucket that a field holds": event(
        'partition=["tenant", "day"], clustering=["-at", "event_id"], kind="event", keep_forever="it is asked for"'
    ),
    "rows that may be there already": event('partition="tenant", clustering="event_id"', 'kw.Put(Event, rate="9k/s")'),
    "old rows behind the latest": event(BARE + ", expected=1_000", READ, 'kw.Delete(Event, rate="0.001/s")'),
    "windows whose rows say when they end": event(f"{DAYS}, {WINDOWS}").replace(
        "at: datetime", "at: Annotated[datetime, kw.Ttl(after=timedelta(days=30))]"
    ),
    "tombstones of what only expires": event(DAYS + ", ttl=timedelta(days=9), gc_grace=timedelta(hours=5)"),
    "an order by a part of what rows are kept by": event(DAYS, OF_DAY),
    "as many the other way round": event(OLDEST, LATEST, FIRST),
    "a write that nobody has to see": event(BARE, LOOSE, READ),
}


@pytest.mark.parametrize("title", TOLD)
def test_it_is_told(title: str, tmp_path: Path) -> None:
    source, expected = TOLD[title]
    assert said(tmp_path, source) == expected


@pytest.mark.parametrize("title", SILENT)
def test_it_is_right(title: str, tmp_path: Path) -> None:
    assert [f"{one.code} {one.object}: {one.message}" for one in found(tmp_path, SILENT[title])] == []


def stack(told: str) -> str:
    return f"config:\n  keywright:environment:\n    mode: dev\n    cassandra: {{{told}}}\n"


def test_a_service_sees_to_files_tombstones_and_repairs(tmp_path: Path) -> None:
    source = event(BARE + ', ttl=timedelta(days=730), kind="event"', READ, EXPIRY.replace("10/s", "1/s"))
    series, deleting = sorted(found(tmp_path, source, stack("flavour: keyspaces")), key=lambda one: one.code)
    assert (series.code, deleting.code) == ("CAS003", "CAS005")
    assert "windows" not in deleting.help


def test_one_copy_needs_no_repair_and_no_quorum(tmp_path: Path) -> None:
    source = event(BARE, FRESH, LOOSE)
    assert said(tmp_path, source, stack("flavour: cassandra, datacentres: {dc1: 1}")) == {("CAS015", "ks")}


def test_it_is_told_why_an_index_does_not_help(tmp_path: Path) -> None:
    asked = 'kw.Read(Event, eq="text", order="-at", limit=9, rate="1/s")'
    (one,) = found(tmp_path, event(BARE + ', indexes=[kw.CqlIndex("text")]', asked))
    assert one.message == (
        'its partition is not known: the pattern does not say "tenant" by equality, and index events_text_idx: '
        'an index over all partitions keeps no order, and "at" is wanted'
    )


def test_a_bucket_is_proposed_that_is_short_enough(tmp_path: Path) -> None:
    (one,) = found(tmp_path, event(DAYS, 'kw.Put(Event, rate="1k/s")'))
    assert one.help == 'cut the partition by time, with computed={"bucket": "{at:hour}"} in partition='


@settings(max_examples=60)
@given(designs(), environments())
def test_no_rule_fails_on_generated_entities(design: Design, environment: CassandraEnvironment) -> None:
    targets = tuple(Stored("cassandra", one, place(one, environment), environment) for one in lower(design))
    whole = Whole(design=design, targets=targets, plans=(), stack=NOWHERE)
    crashed = [flaw.problem for rule, _, flaw in flaws(whole, Options(), follows_models=True) if rule.code == "RUN001"]
    assert crashed == []
