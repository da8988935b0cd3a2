"""Rules of Cassandra: cases beside those of their pages, and models without findings."""

from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from tests.projects import SOUND, findings_of, with_imports
from tests.properties.cassandra import designs, environments

from keywright.engines.cassandra.declare.settings import CassandraEnvironment
from keywright.engines.cassandra.schema.lower import lower
from keywright.engines.cassandra.schema.place import place
from keywright.engines.findings.context import RuleContext, TargetInEnvironment
from keywright.errors import NOWHERE
from keywright.ir.design import Design
from keywright.rules.options import RuleOptions
from keywright.rules.rule import Finding
from keywright.rules.run import run_rules

HEAD = 'from uuid import UUID\n\nks = kw.Keyspace("ks")\nKEY = ["tenant", "at", "event_id"]\n'


def findings_in(folder: Path, source: str, stack: str = SOUND) -> list[Finding]:
    """The findings of the rules for Cassandra."""
    files = {"models/case.py": with_imports(HEAD + source), "stacks/Pulumi.dev.yaml": stack}
    return [finding for finding in findings_of(folder, files) if finding.code.startswith("CAS")]


def codes_in(folder: Path, source: str, stack: str = SOUND) -> set[tuple[str, str]]:
    return {(finding.code, finding.object) for finding in findings_in(folder, source, stack)}


def event(options: str, *patterns: str) -> str:
    """An entity with these options, and patterns p0, p1, … on it."""
    lines = "\n".join(f"p{at} = {pattern}" for at, pattern in enumerate(patterns))
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
RUSH = 'kw.Put(Event, rate="1k/s")'
ENDING = "at: Annotated[datetime, kw.Ttl(after=timedelta(days=30))]"
ADMIT = (
    'kw.Put(Event, if_absent=True, rate="1.1k/s")',
    'kw.Get(Event, eq="event_id", consistency="strong", rate="1/s")',
)
TICKET = """
class Ticket(BaseModel):
    __store__: ClassVar = kw.CqlTable(ks, "tickets", partition="event_id")

    event_id: str
"""
VIEW = ', views=[kw.View("by_day", partition="day", clustering=["-at", "event_id", "tenant"])]'
TAKE = 'kw.Update(Event, where={"flag": True}, sets="text", rate="1/s")'
KEPT = ', keep_forever="auditors ask for them"'
OF_FLAG = 'kw.Read(Event, eq=["tenant", "flag"], limit=9, rate="1/s")'
SOME = 'kw.Put(Event, rate="5/s")'
EXPIRY = 'kw.Delete(Event, because="expiry", rate="10/s")'
FEW = 'kw.Read(Event, eq="tenant", limit=9, rate="1k/s")'
LATEST = 'kw.Read(Event, eq="tenant", order="-at", limit=9, rate="1/s")'
FIRST = 'kw.Read(Event, eq="tenant", order="at", limit=9, rate="9/s")'
OF_DAY = 'kw.Read(Event, eq=["tenant", "bucket"], order="-at", limit=9, rate="1/s")'
FRESH = 'kw.Get(Event, consistency="strong", rate="1/s")'
LOOSE = 'kw.Put(Event, consistency="eventual", rate="1/day")'
WINDOWS = "compaction=kw.TimeWindow(window=timedelta(days=1))"
WIDE = {("CAS002", "Event")}

USER = """
    __store__: ClassVar = kw.CqlTable(ks, "users", partition="name")
    name: str
    score: int
rise = kw.Update(User, eq="name", sets="score")
"""

HOLDER = """
class Holder(BaseModel):
    __store__: ClassVar = kw.CqlTable(ks, "holders", partition="holder_id")
    holder_id: str

"""

USE = """
class Use(BaseModel):
    __store__: ClassVar = kw.CqlTable(ks, "uses", partition="trunk", counters="seconds")
    trunk: str
    seconds: int

"""

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
    "a bucket that is too long, by its name": (
        event('partition=["tenant", "year"], clustering=["-at", "event_id"]', PUT).replace("day: str", "year: int"),
        {("CAS002", "Event")},
    ),
    "events in the order of their ids": (
        event('partition=["tenant", "day"], clustering="event_id", kind="event", keep_forever="x"', RUSH),
        {("CAS002", "Event")},
    ),
    "a time behind a type": (
        event('partition=["tenant", "day"], clustering=["text", "-at", "event_id"]' + KEPT, RUSH),
        {("CAS002", "Event")},
    ),
    "a page of rows with their own partitions": (
        event('partition="event_id"', 'kw.Read(Event, one_of="event_id", limit=100, rate="5/s")'),
        {("CAS004", "p0")},
    ),
    "a week of minutes": (
        event(
            'partition=["tenant", "minute"], clustering=["-at", "event_id"]',
            'kw.Read(Event, eq="tenant", one_of="minute", range="at", span=timedelta(days=7), limit=9, rate="5/s")',
        ).replace("day: str", "minute: str"),
        {("CAS004", "p0")},
    ),
    "what is expected to be in a partition": (event(BARE + ", expected=100_000_000"), WIDE),
    "rows that are few and long": (
        event(DAYS + KEPT, 'kw.Put(Event, rate="100/s")').replace("avg=200", "avg=2_000"),
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
    "strong reads without read repair": (
        event(BARE + ', settings={"read_repair": "NONE"}', FRESH),
        {("CAS022", "Event")},
    ),
    "half of the blocks unchecked": (event(BARE + ', settings={"crc_check_chance": 0.49}'), {("CAS023", "Event")}),
    "a coarse filter of many reads": (
        event(BARE + ', settings={"bloom_filter_fp_chance": 0.2}', READ),
        {("CAS024", "Event")},
    ),
    "rows in a cache that writes discard": (
        event(DAYS + ", caching=kw.Caching(rows=10)", 'kw.Put(Event, rate="1/s")', OF_DAY),
        {("CAS025", "Event")},
    ),
    "texts of which nobody says how many there are": (event(BARE + ', compression="none"'), {("CAS026", "Event")}),
    "a strict target that waits for the slowest": (
        event(BARE + ', settings={"speculative_retry": "NONE"}', FEW.replace('"1k/s"', '"1k/s", p99_ms=100')),
        {("CAS027", "Event")},
    ),
    "rows in windows that are deleted": (
        event(DAYS + ", ttl=timedelta(days=9)", PUT, 'kw.Delete(Event, rate="0.6/s")'),
        {("CAS028", "Event")},
    ),
    "rows in windows with a state": (
        event(DAYS + ", ttl=timedelta(days=9)", PUT, PUT).replace("day: str", 'status: Literal["new", "done"]'),
        {("CAS028", "Event")},
    ),
    "one partition for all rows of an hour": (
        event('partition="hour", clustering=["-at", "event_id"], computed={"hour": "{at:hour}"}' + KEPT, RUSH),
        {("CAS029", "Event")},
    ),
    "one partition for each of a few types": (
        event('partition="day", clustering=["-at", "event_id"]', PUT).replace("day: str", 'day: Literal["a", "b"]'),
        {("CAS029", "Event")},
    ),
    "events of an item, each with its own id": (
        event('partition=["tenant", "day"], clustering="-at", kind="event", ttl=timedelta(days=9)', SOME).replace(
            "tenant: str", "tenant: UUID"
        ),
        {("CAS030", "Event")},
    ),
    "events that meet in a millisecond": (
        event('partition=["tenant", "day"], clustering="-at", kind="event", ttl=timedelta(days=9)', SOME).replace(
            "event_id: str", "source: str"
        ),
        {("CAS030", "Event")},
    ),
    "an order by a copy that changes": (
        event('partition="tenant", clustering=["score", "event_id"]')
        .replace("class Event", "class User(BaseModel):\n" + USER + "class Event")
        .replace("day: str", 'score: Annotated[int, kw.CopiedFrom(User, "score", sync="stream")]'),
        {("CAS031", "Event")},
    ),
    "an order by a state": (
        event('partition="tenant", clustering=["state", "event_id"]', PUT, 'kw.Delete(Event, rate="5/s")').replace(
            "day: str", 'state: Literal["new", "done"]'
        ),
        {("CAS031", "Event")},
    ),
    "an order by a state behind an id": (
        event('partition="tenant", clustering=["event_id", "state"]', PUT, 'kw.Delete(Event, rate="5/s")').replace(
            "day: str", 'state: Literal["new", "done"]'
        ),
        {("CAS031", "Event")},
    ),
    "as many partitions as a code has values": (
        event('partition="code", clustering="event_id", expected=70_000_000').replace(
            "day: str", 'code: Annotated[str, Field(pattern=r"^[A-Z]{2}$")]'
        ),
        {("CAS029", "Event")},
    ),
    "a static column of a partition that many write": (
        event(DAYS + ', static="day"', 'kw.Put(Event, rate="10/s", hot_key="11/s")'),
        {("CAS032", "Event")},
    ),
    "a map without bound in an embedded model": (
        event(BARE).replace("day: str", "labels: dict[str, str]"),
        {("CAS033", "Event.labels")},
    ),
    "a frequent read of many elements": (
        event(BARE, READ).replace("day: str", "labels: Annotated[set[str], Field(max_length=1_001)]"),
        {("CAS033", "p0")},
    ),
    "a value that a node may reject": (
        event(BARE).replace("avg=200", "avg=200, max=17_000_000"),
        {("CAS034", "Event.text")},
    ),
    "an index on a truth value": (
        event(BARE + ', indexes=[kw.CqlIndex("flag", using="legacy")]', OF_FLAG).replace("day: str", "flag: bool"),
        {("CAS035", "Event.flag")},
    ),
    "an index of the new kind on a truth value alone": (
        event(BARE + ', indexes=[kw.CqlIndex("flag")]', 'kw.Read(Event, eq="flag", limit=9, rate="1/s")').replace(
            "day: str", "flag: bool"
        ),
        {("CAS035", "Event.flag")},
    ),
    "an index on a column that updates change": (
        event(BARE + ', indexes=[kw.CqlIndex("text")]', 'kw.Update(Event, sets="text", rate="1/s")'),
        {("CAS035", "Event.text")},
    ),
    "a view": (
        event(BARE + ', views=[kw.View("by_day", partition="day", clustering=["-at", "event_id", "tenant"])]'),
        {("CAS037", "Event.by_day")},
    ),
    "a count of a partition that grows": (
        event(DAYS, 'kw.Put(Event, rate="20/s")', 'kw.Count(Event, eq=["tenant", "bucket"], rate="1/s")'),
        {("CAS038", "p1")},
    ),
    "changes of rows that compete": (
        event('partition="tenant", clustering="event_id"', 'kw.Update(Event, sets="text", rate="1/s", hot_key="51/s")'),
        {("CAS039", "p0")},
    ),
    "many rows put once each": (
        event('partition="event_id"', 'kw.Put(Event, if_absent=True, rate="1.1k/s")'),
        {("CAS039", "p0")},
    ),
    "rows with ids of their own, put once each and read strongly": (
        event('partition="event_id"', *ADMIT) + TICKET.replace("event_id", "ticket_id"),
        {("CAS039", "p0")},
    ),
    "rows whose key has the name of another entity's key, but not its type": (
        event('partition="event_id"', *ADMIT) + TICKET.replace("event_id: str", "event_id: int"),
        {("CAS039", "p0")},
    ),
    "rows of another entity's key, put once each, of which nobody asks": (
        event('partition="event_id"', ADMIT[0]) + TICKET,
        {("CAS039", "p0")},
    ),
    "rows of another entity's key that compete": (
        event('partition="event_id"', ADMIT[0].replace("rate", 'hot_key="51/s", rate'), ADMIT[1]) + TICKET,
        {("CAS039", "p0")},
    ),
    "a version that is read before it is compared": (
        event(BARE, 'kw.Get(Event, rate="1/s")', 'kw.Update(Event, eq=[*KEY, "day"], sets="text", rate="1/s")'),
        {("CAS040", "p0")},
    ),
    "a state that is read before it is compared": (
        event(BARE, 'kw.Get(Event, rate="5/s")', TAKE).replace("day: str", "flag: bool"),
        {("CAS040", "p0")},
    ),
    "a state that is read before other code compares it": (
        event(BARE + ", ttl=timedelta(days=9)", 'kw.Get(Event, rate="5/s")', TAKE).replace("day: str", "flag: bool"),
        {("CAS040", "p0"), ("CAS028", "Event")},
    ),
    "a slot that a second household takes": (
        event('partition="tenant", clustering="slot"', 'kw.Put(Event, rate="1/s")')
        .replace("day: str", "slot: str")
        .replace("Event", "Appointment"),
        {("CAS041", "p0")},
    ),
    "a seat that a second passenger takes": (
        event('partition="tenant", clustering="seat"', 'kw.Put(Event, rate="1/s")').replace("day: str", "seat: str"),
        {("CAS041", "p0")},
    ),
    "a batch of many small partitions": (
        event('partition="event_id"', 'kw.Transact([kw.Put(Event, batch=11)], rate="1/s")'),
        {("CAS114", "p0")},
    ),
    "levels under many writes that no pattern reads": (
        event('partition="event_id", compaction=kw.Unified(scaling="L10")', RUSH),
        {("CAS008", "Event")},
    ),
    "rows with their own expiry that are merged": (
        event(DAYS + ", compaction=kw.SizeTiered()").replace("at: datetime", ENDING),
        {("CAS006", "Event")},
    ),
    "too many windows of rows with their own expiry": (
        event(DAYS + ", compaction=kw.TimeWindow(window=timedelta(hours=1))").replace("at: datetime", ENDING),
        {("CAS009", "Event")},
    ),
    "a year by the pattern of its text": (
        event('partition=["tenant", "bucket"], clustering=["-at", "event_id"]', PUT).replace(
            "day: str", 'bucket: Annotated[str, Field(pattern=r"^[0-9]{4}$")]'
        ),
        {("CAS002", "Event")},
    ),
    "many rows in each of a hundred regions": (
        event('partition="tenant", clustering="event_id", expected=10_000_000').replace("distinct=100", "distinct=99"),
        {("CAS029", "Event")},
    ),
    "an index of the old kind on an address": (
        event(
            BARE + ', indexes=[kw.CqlIndex("email", using="legacy")]',
            'kw.Read(Event, eq="email", limit=9, rate="5/s")',
        ).replace("day: str", "email: str"),
        {("CAS035", "Event.email")},
    ),
    "a night that a second guest books": (
        event('partition=["tenant", "night"]', 'kw.Put(Event, rate="1/s")').replace("day: str", "night: date"),
        {("CAS041", "p0")},
    ),
    "an index on a figure that each put changes": (
        event(
            'partition="tenant", indexes=[kw.CqlIndex("level")]',
            'kw.Read(Event, eq=["tenant", "level"], limit=9, rate="1/s")',
            'kw.Put(Event, rate="1/s")',
        ).replace("day: str", "level: int"),
        {("CAS035", "Event.level")},
    ),
    "an account by its user name": (
        event('partition="username"', 'kw.Put(Event, rate="1/s")', 'kw.Update(Event, sets="text", rate="1/s")')
        .replace("day: str", "username: str")
        .replace("event_id: str", ""),
        {("CAS041", "p0")},
    ),
    "a table that grows by terabytes": (
        event(DAYS, 'kw.Put(Event, rate="110/s")').replace("avg=200", "avg=300"),
        {("CAS042", "Event")},
    ),
    "a day of many shards": (
        event(
            'partition=["tenant", "day", "shard"], clustering=["-at", "event_id"], '
            'computed={"day": "{at:date}", "shard": "{event_id:shard(26)}"}',
            'kw.Read(Event, eq="tenant", range="at", span=timedelta(hours=1), order="-at", limit=9, fan_out=52, '
            'rate="5/s")',
        ).replace('    day: str = ""\n', ""),
        {("CAS004", "p0")},
    ),
    "paragraphs in a list that are not compressed": (
        event(BARE + ', compression="none", expected=9_000_000')
        .replace("distinct=100", "distinct=90_000")
        .replace("day: str", "words: Annotated[list[Annotated[str, kw.Size(avg=900)]], Field(max_length=9)]")
        .replace("avg=200", "avg=1"),
        {("CAS026", "Event")},
    ),
    "a second replica after the target": (
        event(BARE + ', settings={"speculative_retry": "90ms"}', FEW.replace('"1k/s"', '"1k/s", p99_ms=90')),
        {("CAS027", "Event")},
    ),
    "shifts of all sites": (
        event(
            'partition="shift", clustering=["-at", "event_id"]' + KEPT, 'kw.Put(Event, rate="5/s", peak="101/s")'
        ).replace("day: str", 'shift: Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[ELN]$")]'),
        {("CAS029", "Event")},
    ),
    "many rows in each of a few floors": (
        event('partition="floor", clustering="event_id", expected=400_000').replace(
            "day: str", "floor: Annotated[int, Field(ge=0, le=6)]"
        ),
        {("CAS029", "Event")},
    ),
    "a time in a static column that each row of any partition writes": (
        event(DAYS + ', static="seen"' + KEPT, 'kw.Put(Event, batch=9, rate="200/s")')
        .replace("day: str", "seen: int")
        .replace("distinct=100", "distinct=1_000_000"),
        {("CAS032", "Event")},
    ),
    "scans in a list": (
        event(BARE).replace(
            "day: str", "scans: Annotated[list[Annotated[bytes, kw.Size(avg=300_000)]], Field(max_length=8)]"
        ),
        {("CAS034", "Event.scans")},
    ),
    "an index on a grade": (
        event(BARE + ', indexes=[kw.CqlIndex("grade")]', 'kw.Read(Event, eq="grade", limit=9, rate="1/s")').replace(
            "day: str", "grade: Annotated[int, Field(ge=0, le=2)]"
        ),
        {("CAS035", "Event.grade")},
    ),
    "a state that is read before a rush of writes": (
        event(BARE, 'kw.Get(Event, rate="6/s", peak="50/s")', TAKE.replace('"1/s"', '"1/s", peak="10/s"')).replace(
            "day: str", "flag: bool"
        ),
        {("CAS040", "p0")},
    ),
    "a job that removes as much as is added": (
        event(BARE + ", expected=1_000", PUT, 'kw.Delete(Event, batch=100, rate="5k/day")'),
        {("CAS005", "p1")},
    ),
    "a job that drops a day of each tenant": (
        event(DAYS, PUT, 'kw.Delete(Event, eq=["tenant", "bucket"], rate="90/day")'),
        {("CAS005", "p1")},
    ),
    "events that a number of a few values tells apart": (
        event(
            'partition=["tenant", "day"], clustering=["-at", "axles"], kind="event", ttl=timedelta(days=9)', RUSH
        ).replace("event_id: str", "axles: Annotated[int, Field(ge=2, le=12)]"),
        {("CAS002", "Event"), ("CAS030", "Event")},
    ),
    "a sign with one holder": (
        HOLDER
        + event('partition="sign"', 'kw.Put(Event, rate="1/s")').replace(
            "day: str", 'sign: str\n    held_by: Annotated[str, kw.Ref(Holder, on_missing="fail", max_referrers=1)]'
        ),
        {("CAS041", "p0")},
    ),
    "an amount in a counter": (USE.replace("seconds", "paid_in"), {("CAS063", "Use.paid_in")}),
    "a counter that an invoice copies": (
        USE
        + event(BARE + ', kind="money", keep_forever="books"').replace(
            "day: str", 'sold: Annotated[int, kw.CopiedFrom(Use, "seconds", sync="job")]'
        ),
        {("CAS063", "Use.seconds")},
    ),
    "what refers to one holder in a partition": (
        HOLDER
        + event('partition="tenant", clustering=["-at", "event_id"], ttl=timedelta(days=90)').replace(
            "kw.Cardinality(distinct=100)", 'kw.Ref(Holder, on_missing="ignore", max_referrers=200_000)'
        ),
        {("CAS002", "Event")},
    ),
    "a list in the order of its last change": (
        event(
            'partition="tenant", clustering=["-at", "event_id"], expected=9_000',
            'kw.Transact([kw.Delete(Event), kw.Put(Event)], rate="1/s")',
        ),
        {("CAS031", "Event")},
    ),
    "a collection with a bound that is none": (
        event(BARE).replace("day: str", "labels: Annotated[set[str], Field(max_length=1_000_000)]"),
        {("CAS033", "Event.labels")},
    ),
    "a queue of tenants of unknown number": (
        event(
            OLDEST,
            'kw.Put(Event, rate="30/s")',
            'kw.Read(Event, eq="tenant", order="at", limit=9, rate="5/s")',
            'kw.Delete(Event, rate="30/s")',
        ).replace(", kw.Cardinality(distinct=100)", ""),
        {("CAS012", "Event")},
    ),
    "a count of the rows of a city": (
        event(
            'partition="event_id", expected=9_000_000, indexes=[kw.CqlIndex("tenant")]',
            'kw.Count(Event, eq="tenant", rate="5/s")',
        ),
        {("CAS038", "p0")},
    ),
    "a desk that a second person books": (
        event('partition="desk_id", clustering="night"', 'kw.Put(DeskBooking, rate="1/s")')
        .replace("day: str", "desk_id: str\n    night: date\n    person_id: str")
        .replace("class Event", "class DeskBooking")
        .replace("    event_id: str\n", ""),
        {("CAS041", "p0")},
    ),
    "a frequent look-up by an index of the old kind, which is one mistake": (
        event(
            BARE + ', indexes=[kw.CqlIndex("email", using="legacy")]',
            'kw.Read(Event, eq="email", limit=9, rate="50/s")',
        ).replace("day: str", "email: str"),
        {("CAS035", "Event.email")},
    ),
    "one partition by the pattern of its key": (
        event('partition="day", clustering=["-at", "event_id"]', PUT).replace(
            "day: str", 'day: Annotated[str, Field(pattern="^all$")]'
        ),
        {("CAS029", "Event")},
    ),
    "a state that a page of one row shows": (
        event(BARE, 'kw.Read(Event, eq=KEY, limit=1, rate="5/s")', TAKE).replace("day: str", "flag: bool"),
        {("CAS040", "p0")},
    ),
    "a coarse filter under updates": (
        event(
            'partition="event_id", settings={"bloom_filter_fp_chance": 0.2}',
            'kw.Update(Event, sets="text", rate="90/s")',
        ),
        {("CAS024", "Event")},
    ),
    "an index of the old kind on an id of another kind": (
        event(
            BARE + ', indexes=[kw.CqlIndex("chip", using="legacy")]', 'kw.Read(Event, eq="chip", limit=9, rate="5/s")'
        ).replace("day: str", "chip: UUID"),
        {("CAS035", "Event.chip")},
    ),
    "a place that a second buyer takes": (
        event('partition=["tenant", "place"], kind="stock"', 'kw.Put(Event, rate="1/s")')
        .replace("day: str", "place: int\n    buyer: UUID")
        .replace("    event_id: str\n", ""),
        {("CAS041", "p0")},
    ),
    "a transaction that waits for one copy": (
        event(BARE, FRESH, 'kw.Transact([kw.Put(Event, consistency="eventual")], rate="1/day")'),
        {("CAS016", "p1")},
    ),
}

SILENT = {
    "a counter by which nothing is billed": USE.replace(
        "    __store__", '    """Seconds of a trunk, for charts; nothing is billed by them."""\n\n    __store__'
    ),
    "the row that decides who gets what another entity describes": event('partition="event_id"', *ADMIT) + TICKET,
    "somewhat more rows of few megabytes": event(DAYS + KEPT, 'kw.Put(Event, rate="125/s")').replace(
        "avg=200", "avg=95"
    ),
    "levels under rows that expire and are deleted one by one": event(
        BARE + ", ttl=timedelta(days=9), compaction=kw.Leveled()", 'kw.Delete(Event, rate="1/day")'
    ),
    "an index that is asked seldom": event(
        BARE + ', indexes=[kw.CqlIndex("text")]', 'kw.Read(Event, eq="text", limit=9, rate="5/s")'
    ),
    "an index inside a partition": event(
        BARE + ', indexes=[kw.CqlIndex("text")]', 'kw.Read(Event, eq=["tenant", "text"], limit=9, rate="5k/s")'
    ),
    "what nothing has to serve": event(BARE, 'kw.Get(Event, eq="text", rate="1/s", unserved="a tool asks")'),
    "partitions that fill slowly": event(BARE, 'kw.Put(Event, rate="20/day")'),
    "as many deleted as put": event(BARE, PUT, 'kw.Delete(Event, rate="10/s")').replace("100", "1_000_000"),
    "a bucket that is short enough, by its name": event(
        'partition=["tenant", "day"], clustering=["-at", "event_id"]', PUT
    ),
    "many partitions in a report": event(
        'partition="event_id"', 'kw.Read(Event, one_of="event_id", limit=100, rate="100/day")'
    ),
    "a short list of keys": event('partition="event_id"', 'kw.Read(Event, one_of="event_id", limit=25, rate="5/s")'),
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
    "no read repair for reads that see any value": event(BARE + ', settings={"read_repair": "NONE"}', READ),
    "every second block checked": event(BARE + ', settings={"crc_check_chance": 0.5}'),
    "a coarse filter of few reads": event(BARE + ', settings={"bloom_filter_fp_chance": 0.5}', LATEST),
    "rows in a cache that are seldom written": event(
        DAYS + ", caching=kw.Caching(rows=10)", 'kw.Put(Event, rate="1/s")', OF_DAY.replace("1/s", "1k/s")
    ),
    "a small table without compression": event(BARE + ', compression="none", expected=1_000'),
    "a target that leaves time to wait": event(
        BARE + ', settings={"speculative_retry": "NEVER"}', FEW.replace('"1k/s"', '"1k/s", p99_ms=500')
    ),
    "rows in windows of which few are deleted": event(
        DAYS + ", ttl=timedelta(days=9)", PUT, 'kw.Delete(Event, rate="0.5/s")'
    ),
    "rows with a state that change and are merged": event(
        DAYS + ", ttl=timedelta(days=9), compaction=kw.Unified()", PUT, PUT
    ).replace("day: str", 'status: Literal["new", "done"]'),
    "twenty partitions": event(
        'partition="tenant", clustering="event_id", expected=1_000', 'kw.Read(Event, eq="tenant", limit=9, rate="1k/s")'
    ).replace("distinct=100", "distinct=20"),
    "a few partitions that are seldom read": event(
        'partition="tenant", clustering="event_id", expected=1_000', LATEST.replace(', order="-at"', "")
    ).replace("distinct=100", "distinct=2"),
    "rows of full hours": event(
        'partition=["tenant", "day"], clustering="-hour", kind="event", ttl=timedelta(days=9)', SOME
    ).replace("at: datetime", "hour: datetime"),
    "numbers of events behind their time": event(
        'partition="tenant", clustering=["-at", "number"]',
        PUT.replace("10/s", "20/day"),
        'kw.Delete(Event, rate="20/day")',
    ).replace("day: str", "number: int"),
    "events that never meet": event(
        'partition=["tenant", "day"], clustering="-at", kind="event", ttl=timedelta(days=9)', SOME
    )
    .replace("event_id: str", "source: str")
    .replace("=100)", "=100_000)"),
    "a priority before an id, of few deleted rows": event(
        'partition="tenant", clustering=["score", "event_id"]', PUT, 'kw.Delete(Event, rate="1/day")'
    ).replace("day: str", "score: int"),
    "the number of a node before an id, of deleted rows": event(
        'partition="tenant", clustering=["node_id", "event_id"], expected=1_000', PUT, 'kw.Delete(Event, rate="10/s")'
    ).replace("day: str", "node_id: int"),
    "a static column that is seldom written": event(DAYS + ', static="day"', 'kw.Put(Event, rate="1/s")'),
    "a rare read of many elements": event(BARE, LATEST.replace('"-at"', '"at"')).replace(
        "day: str", "labels: Annotated[set[str], Field(max_length=5_000)]"
    ),
    "a frequent read without the elements": event(BARE, READ.replace("limit=20", 'limit=20, fields=["text"]')).replace(
        "day: str", "labels: Annotated[set[str], Field(max_length=5_000)]"
    ),
    "an index of the old kind inside a partition": event(
        BARE + ', indexes=[kw.CqlIndex("text", using="legacy")]',
        'kw.Read(Event, eq=["tenant", "text"], limit=1, rate="5/s")',
    ),
    "a truth value beside another index": event(
        BARE + ', indexes=[kw.CqlIndex("flag"), kw.CqlIndex("text")]',
        'kw.Read(Event, eq=["flag", "text"], limit=9, rate="1/s")',
    ).replace("day: str", "flag: bool"),
    "a count of few rows": event(
        DAYS, 'kw.Put(Event, rate="10/s")', 'kw.Count(Event, eq=["tenant", "bucket"], rate="1/s")'
    ),
    "changes of rows that seldom meet": event(
        'partition="tenant", clustering="event_id"', 'kw.Update(Event, sets="text", rate="1/s", hot_key="50/s")'
    ),
    "a state that many pages show": event(BARE, 'kw.Get(Event, rate="6/s")', TAKE).replace("day: str", "flag: bool"),
    "folders that are emptied": event(
        'partition="tenant", clustering=["folder", "event_id"]', PUT, 'kw.Delete(Event, rate="8/s")'
    ).replace("day: str", 'folder: Literal["inbox", "sent"]'),
    "a few partitions that each have few calls": event(
        'partition="tenant", clustering="event_id", expected=1_000', 'kw.Read(Event, eq="tenant", limit=9, rate="1k/s")'
    ).replace("distinct=100", "distinct=10"),
    "a version that is read with a quorum": event(
        BARE, FRESH, 'kw.Update(Event, eq=[*KEY, "day"], sets="text", rate="1/s")'
    ),
    "a seat that is put if it is free": event(
        'partition="tenant", clustering="seat"', 'kw.Put(Event, if_absent=True, rate="1/s")'
    ).replace("day: str", "seat: str"),
    "a name beside the id": event('partition="name", clustering="event_id"', PUT).replace("day: str", "name: str"),
    "a batch of rows in one partition": event(
        'partition="tenant", clustering="event_id"', 'kw.Transact([kw.Put(Event, batch=11)], rate="1/s")'
    ),
    "many rows that are kept for a reason": event(DAYS + KEPT, 'kw.Put(Event, rate="110/s")'),
    "rows of which few are added": event(DAYS, 'kw.Put(Event, rate="90/s")'),
    "an index on a figure that is put once": event(
        'partition="tenant", indexes=[kw.CqlIndex("level")]',
        'kw.Read(Event, eq=["tenant", "level"], limit=9, rate="1/s")',
        'kw.Put(Event, rate="90/day")',
    ).replace("day: str", "level: int"),
    "fifty tenants with days": event(DAYS, 'kw.Put(Event, rate="50/s")').replace("distinct=100", "distinct=50"),
    "an hour in several shards": event(
        'partition=["tenant", "hour", "shard"], clustering=["-at", "event_id"], '
        'computed={"hour": "{at:hour}", "shard": "{event_id:shard(8)}"}',
        'kw.Read(Event, eq="tenant", range="at", span=timedelta(minutes=9), order="-at", limit=9, fan_out=16, '
        'rate="5/s")',
    ).replace('    day: str = ""\n', ""),
    "a second replica before the target": event(
        BARE + ', settings={"speculative_retry": "20ms"}', FEW.replace('"1k/s"', '"1k/s", p99_ms=90')
    ),
    "rows of a few years that are hardly any": event(
        DAYS + ", ttl=timedelta(days=900), compaction=kw.Unified()", 'kw.Put(Event, rate="2k/day")'
    ),
    "a moment that finds the bucket of a row": event(
        'partition=["tenant", "bucket"], clustering="event_id", computed={"bucket": "{at:month}"}',
        'kw.Get(Event, rate="700/s")',
        'kw.Update(Event, sets="text", rate="1/s")',
    ),
    "an erasure of a few rows": event(BARE + ", expected=1_000", PUT, 'kw.Delete(Event, batch=100, rate="300/day")'),
    "a counter of calls": USE,
    "a text with an owner of many": HOLDER
    + event('partition="sign"', 'kw.Put(Event, rate="1/s")').replace(
        "day: str", 'sign: str\n    held_by: Annotated[str, kw.Ref(Holder, on_missing="fail", max_referrers=9)]'
    ),
    "rows of a few keys that are put and deleted": event(
        'partition="tenant", clustering="number"', 'kw.Delete(Event, rate="9/s")', FEW
    ).replace("day: str", "number: Annotated[int, Field(ge=1, le=200)]"),
    "a few events of each holder": HOLDER
    + event(BARE + ', kind="event", keep_forever="x"', PUT).replace(
        "kw.Cardinality(distinct=100)", 'kw.Ref(Holder, on_missing="ignore", max_referrers=50)'
    ),
    "a basket that is emptied": event(
        BARE, 'kw.Put(Event, rate="30/s")', LATEST, 'kw.Delete(Event, rate="30/s")'
    ).replace(", kw.Cardinality(distinct=100)", ""),
    "many small rows": event(
        'partition="tenant", clustering="number", expected=15_000_000', LATEST.replace(', order="-at"', "")
    )
    .replace("day: str", "number: int")
    .replace("    event_id: str\n", "")
    .replace('    text: Annotated[str, kw.Size(avg=200)] = ""\n', ""),
    "pieces of which a place has many": event(
        'partition=["tenant", "place"], kind="stock"', 'kw.Put(Event, rate="1/s")'
    )
    .replace("day: str", "place: int\n    product: UUID\n    pieces: int")
    .replace("    event_id: str\n", ""),
    "a write that nobody has to see": event(BARE, LOOSE, READ),
    "rows with an id that their table names in the plural": event('partition="queue_name", clustering="event_id"', SOME)
    .replace("day: str", "queue_name: str\n    lease_id: int")
    .replace("Event", "Events"),
    "an index on a set that grows by an element": event(
        BARE + ', indexes=[kw.CqlIndex("labels")]', 'kw.Update(Event, pushes="labels", rate="1/s")'
    ).replace("day: str", "labels: Annotated[set[str], Field(max_length=50)]"),
}


@pytest.mark.parametrize("title", TOLD)
def test_a_problem_is_reported(title: str, tmp_path: Path) -> None:
    source, expected = TOLD[title]
    assert codes_in(tmp_path, source) == expected


@pytest.mark.parametrize("title", SILENT)
def test_a_sound_model_has_no_findings(title: str, tmp_path: Path) -> None:
    assert [
        f"{finding.code} {finding.object}: {finding.message}" for finding in findings_in(tmp_path, SILENT[title])
    ] == []


def stack(options: str) -> str:
    return f"config:\n  keywright:environment:\n    mode: dev\n    cassandra: {{{options}}}\n"


def test_a_service_sees_to_files_tombstones_and_repairs(tmp_path: Path) -> None:
    source = event(BARE + ', ttl=timedelta(days=730), kind="event"', READ, EXPIRY.replace("10/s", "1/s"))
    (deleting,) = findings_in(tmp_path, source, stack("flavour: keyspaces"))
    assert deleting.code == "CAS005"
    assert "windows" not in deleting.help


def test_one_copy_needs_no_repair_and_no_quorum(tmp_path: Path) -> None:
    source = event(BARE, FRESH, LOOSE)
    assert codes_in(tmp_path, source, stack("flavour: cassandra, datacentres: {dc1: 1}")) == {("CAS015", "ks")}


@pytest.mark.parametrize("columns", [*permutations(("-at", "event_id", "text"))])
def test_partitions_are_judged_in_every_order_of_rows(columns: tuple[str, ...], tmp_path: Path) -> None:
    key = f'partition="tenant", clustering={list(columns)}'
    assert codes_in(tmp_path / "a", event(key, PUT)) == WIDE
    merged = event(key + ", ttl=timedelta(days=9), compaction=kw.SizeTiered()")
    assert codes_in(tmp_path / "b", merged) == {("CAS006", "Event")}
    one_key = key.replace('"tenant"', '"shape"') + KEPT
    few = event(one_key, RUSH).replace("day: str", 'shape: Literal["round", "square"]')
    assert codes_in(tmp_path / "c", few) == {("CAS029", "Event")}


@pytest.mark.parametrize("template", ["{at:iso}#{event_id}", "{event_id}#{at:iso}"])
def test_a_time_is_seen_anywhere_in_a_computed_column(template: str, tmp_path: Path) -> None:
    key = f'partition="tenant", clustering="order", computed={{"order": "{template}"}}'
    assert codes_in(tmp_path, event(key, PUT)) == WIDE


BOARD = event('partition="event_id"', 'kw.Get(Event, rate="5k/s")', 'kw.Update(Event, sets="text", rate="20/s")')
"""A table that is rewritten and read, without a declared compaction."""

THREE = "flavour: cassandra, repair-every-days: 7, datacentres: {dc1: 3}"
"""A cluster without findings."""


@pytest.mark.parametrize(
    ("source", "settings", "expected"),
    [
        (event(BARE + ', kind="session", ttl=timedelta(days=1)'), f"{THREE}, durable-writes: false", set()),
        (event(BARE), f"{THREE}, keyspaces: {{ks: {{durable-writes: false}}}}", {("CAS019", "ks")}),
        (event(BARE), THREE.replace("{dc1: 3}", "{dc1: 3, dc2: 3}"), set()),
        (event(BARE), f"{THREE}, keyspaces: {{ks: {{datacentres: {{dc1: 3}}}}}}", set()),
        (event(BARE), f"{THREE}, keyspaces: {{ks: {{datacentres: {{dc2: 3}}}}}}", {("CAS020", "ks")}),
        (
            event(DAYS + ', kind="event", ttl=timedelta(days=9)', OF_DAY),
            f"{THREE}, keyspaces: {{ks: {{datacentres: {{dc2: 3}}}}}}",
            set(),
        ),
        (BOARD, f"{THREE}, version: '4.1'", {("CAS008", "Event")}),
        (BOARD.replace("20/s", "0.5/s"), f"{THREE}, version: '4.1'", set()),
        (BOARD, f"{THREE}, version: '5.0'", set()),
        (event(BARE), "flavour: cassandra, repair-every-days: 7, datacentres: {dc1: 1, dc2: 1}", {("CAS015", "ks")}),
        (event(BARE), "flavour: cassandra, repair-every-days: 0, datacentres: {dc1: 3}", {("CAS018", "ks")}),
        (event(BARE + VIEW), THREE.replace("flavour: cassandra", "flavour: scylla"), set()),
        (event(BARE), f"{THREE}, alerts: {{tombstones: 10000, pending-compactions: 500}}", set()),
        (event(BARE), f"{THREE}, alerts: {{pending-compactions: 501, tombstones: null}}", {("CAS021", "ks")}),
    ],
)
def test_settings_of_an_environment(source: str, settings: str, expected: set[tuple[str, str]], tmp_path: Path) -> None:
    assert codes_in(tmp_path, source, stack(settings)) == expected


def test_one_finding_names_every_threshold(tmp_path: Path) -> None:
    settings = stack(f"{THREE}, alerts: {{tombstones: 1000000, dropped-mutations: 5000}}")
    (finding,) = findings_in(tmp_path, event(BARE), settings)
    assert (finding.message, finding.help) == (
        "the alerts on tombstones at 1000000 (at most 10,000 is useful), dropped-mutations at 5000 (at most 100 is "
        "useful) fire only after requests have begun to time out",
        "say alerts: {tombstones: 1000, dropped-mutations: 0} in the stack file, which are the defaults",
    )


def test_one_interval_of_repairs_is_one_finding(tmp_path: Path) -> None:
    tables = "".join(event(BARE.replace("-at", "at")).replace("Event", f"Event{at}").replace("events", f"events{at}")
                     for at in range(5))  # fmt: skip
    settings = "flavour: cassandra, datacentres: {dc1: 3}, repair-every-days: 14"
    (finding,) = findings_in(tmp_path, tables, stack(settings))
    assert (finding.code, finding.object, finding.message) == (
        "CAS011",
        "ks",
        "repairs are 14 days apart, and tombstones are kept 10 days: deleted rows return in "
        '"events0", "events1", "events2" and 2 others',
    )


def test_rows_that_expire_and_are_deleted_are_in_the_finding_of_the_interval(tmp_path: Path) -> None:
    settings = stack("flavour: cassandra, datacentres: {dc1: 3}, repair-every-days: 14")
    source = event(DAYS + ", ttl=timedelta(days=9)", 'kw.Delete(Event, rate="1/day")')
    assert codes_in(tmp_path / "a", source, settings) == {("CAS011", "ks")}
    other = event(BARE).replace("Event", "Other").replace("events", "others")
    assert len(findings_in(tmp_path / "b", source + other, settings)) == 1


def test_a_finding_gives_the_share_of_needless_reads(tmp_path: Path) -> None:
    (finding,) = findings_in(tmp_path, event(BARE + ', settings={"bloom_filter_fp_chance": 0.5}', READ))
    assert finding.message == (
        "bloom_filter_fp_chance is 0.5: of 1,000 reads a second, 500 open each file that does not contain the row"
    )


def test_a_finding_gives_the_reason_against_an_index(tmp_path: Path) -> None:
    pattern = 'kw.Read(Event, eq="text", order="-at", limit=9, rate="1/s")'
    (finding,) = findings_in(tmp_path, event(BARE + ', indexes=[kw.CqlIndex("text")]', pattern))
    assert finding.message == (
        'its partition is not known: the pattern has no equality on "tenant", and index events_text_idx: '
        'an index over all partitions has no order, and the pattern orders by "at"'
    )


def test_a_collection_without_a_bound_is_an_error_if_a_pattern_adds_to_it(tmp_path: Path) -> None:
    settings = stack(THREE).replace("mode: dev", "mode: gated")
    push = 'kw.Update(Event, pushes="labels", rate="1/s")'
    both = [
        finding
        for at, patterns in enumerate(((), (push,)))
        for finding in findings_in(
            tmp_path / str(at), event(BARE, *patterns).replace("day: str", "labels: set[str]"), settings
        )
    ]
    assert [(finding.severity, finding.message) for finding in both] == [
        ("warning", '"labels" has no bound: a read of one element loads the whole collection'),
        ("error", '"labels" has no bound and grows with each "p0": a read of one element loads the whole collection'),
    ]


def test_no_more_rows_are_lost_than_are_written(tmp_path: Path) -> None:
    key = 'partition=["tenant", "day"], clustering="-at", kind="event", ttl=timedelta(days=9)'
    source = event(key, 'kw.Put(Event, rate="1M/s")').replace("event_id: str", "source: str")
    (figure,) = (finding.message for finding in findings_in(tmp_path, source) if finding.code == "CAS030")
    # Ten rows arrive in each millisecond of each of 100 partitions, and one of them stays.
    assert figure.endswith("the later overwrites the earlier, about 77.8G a day at this rate")


def test_a_collection_in_a_collection_is_one_finding(tmp_path: Path) -> None:
    source = event(BARE).replace("day: str", "labels: list[Label]")
    label = "class Label(BaseModel):\n    names: list[str] = []\n"
    (finding,) = findings_in(tmp_path, label + source)
    assert finding.message == '"labels" has no bound: a read of one element loads the whole collection'


def test_a_bucket_is_proposed_that_is_short_enough(tmp_path: Path) -> None:
    (finding,) = findings_in(tmp_path, event(DAYS + KEPT, 'kw.Put(Event, rate="1k/s")'))
    assert finding.help == 'cut the partition by time, with computed={"bucket": "{at:hour}"} in partition='


def test_a_bucket_of_few_long_rows_is_proposed_by_their_bytes(tmp_path: Path) -> None:
    source, _ = TOLD["rows that are few and long"]
    (finding,) = findings_in(tmp_path, source)
    assert finding.help == 'cut the partition by time, with computed={"bucket": "{at:hour}"} in partition='


@settings(max_examples=60)
@given(designs(), environments())
def test_no_rule_fails_on_generated_entities(design: Design, environment: CassandraEnvironment) -> None:
    targets = tuple(
        TargetInEnvironment("cassandra", keyspace, place(keyspace, environment), environment)
        for keyspace in lower(design)
    )
    context = RuleContext(design=design, targets=targets, plans=(), stack=NOWHERE)
    crashed = [
        draft.problem
        for rule, _, draft in run_rules(context, RuleOptions(), follows_models=True)
        if rule.code == "RUN001"
    ]
    assert crashed == []
