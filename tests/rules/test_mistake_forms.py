"""Mistakes in other forms than those of the pages: each one beside the same model without it."""

from pathlib import Path
from typing import NamedTuple

import pytest
from tests.projects import findings_of, with_imports

HEAD = """
from uuid import UUID

ks = kw.Keyspace("ks")
db = kw.MongoDatabase("shop")
cache = kw.RedisServer("cache", role="cache")
facts = kw.RedisServer("facts", role="primary")

"""

CQL = 'from uuid import UUID\n\nks = kw.Keyspace("ks")\n'


class Form(NamedTuple):
    """A model with `@` where the mistaken and the sound one differ."""

    source: str
    mistaken: str
    sound: str
    finding: str
    """Code and object of the finding on the mistaken model."""


QUOTA = """
class Quota(BaseModel):
    __store__: ClassVar = kw.CqlTable(ks, "quotas", partition="tenant", counters="used")
    tenant: Annotated[str, Field(max_length=20)@]
    used: int

use = kw.Increment(Quota, "used", rate="300/s")
clear = kw.Delete(Quota, because="expiry", rate="9k/day")
"""

LOGS = """
class Log(BaseModel):
    __store__: ClassVar = kw.CqlTable(
        ks, "logs", partition=["host", "day"], clustering=["-at", "line_id"], computed={"day": "{at:date}"}, @
    )
    host: Annotated[str, Field(max_length=30), kw.Cardinality(distinct=300)]
    at: datetime
    line_id: UUID
    line: Annotated[str, kw.Size(avg=800, max=900)]

put = kw.Put(Log, rate="200/s")
"""

CALLS = """
class Call(BaseModel):
    __store__: ClassVar = kw.CqlTable(
        ks, "calls", partition=["line", "on"], clustering="-number", ttl=timedelta(days=60), compaction=@
    )
    line: Annotated[str, Field(max_length=8), kw.Cardinality(distinct=90_000)]
    on: date
    number: int

put = kw.Put(Call, rate="90/s")
"""

MESSAGES = """
class ChatMessage(BaseModel):
    __store__: ClassVar = kw.CqlTable(ks, "messages", partition="room", clustering=@, kind="event", ttl=timedelta(9))
    room: UUID
    at: datetime
    message: UUID

put = kw.Put(ChatMessage, rate="90/s")
"""

NICKS = """
class Nick(BaseModel):
    __store__: ClassVar = kw.CqlTable(ks, "nicks", partition="nick")
    nick: Annotated[str, Field(max_length=30)]
    owner: UUID

put = kw.Put(Nick, @rate="1/s")
"""

DESKS = """
class DeskBooking(BaseModel):
    __store__: ClassVar = kw.CqlTable(ks, "bookings", partition="desk", clustering="on", ttl=timedelta(days=400))
    desk: UUID
    on: date
    who: Annotated[str, Field(max_length=30)]

put = kw.Put(DeskBooking, @rate="1/s")
"""

FILMS = """
class Film(BaseModel):
    __store__: ClassVar = kw.CqlTable(ks, "films", partition="film", keep_forever="the catalogue")
    film: UUID
    year: Annotated[int, Field(ge=1900, le=2100)]
    title: Annotated[str, Field(max_length=90)]

class FilmOfYear(BaseModel):
    __store__: ClassVar = kw.CqlTable(ks, "films_of_year", partition="year", clustering="film", keep_forever="as above")
    year: Annotated[int, Field(ge=1900, le=2100)]
    film: UUID
    title: Annotated[str, Field(max_length=90)]

@
"""

APART = 'put = kw.Put(Film, rate="1/s")\ncopy = kw.Put(FilmOfYear, rate="1/s")'
TOGETHER = 'put = kw.Transact([kw.Put(Film), kw.Put(FilmOfYear)], rate="1/s")'

VOICES = """
class Voice(BaseModel):
    ogg: Annotated[bytes, Field(max_length=@)]

class Answer(BaseModel):
    __store__: ClassVar = kw.CqlTable(ks, "answers", partition="answer", expected=9_000)
    answer: UUID
    voice: Voice

put = kw.Put(Answer, rate="1/s")
"""

DEPOTS = """
class Depot(BaseModel):
    __store__: ClassVar = kw.CqlTable(ks, "depots", partition="sku", counters="@")
    sku: Annotated[str, Field(max_length=20)]
    @: int

add = kw.Increment(Depot, "@", rate="1/s")
"""

LATENCIES = """
class Latency(BaseModel):
    __store__: ClassVar = kw.TimeSeries(db, "latencies", time="at", meta="@", ttl=timedelta(days=9))
    span: UUID
    probe: UUID
    at: datetime
    ms: float

put = kw.Put(Latency, rate="9/s", batch=500)
of = kw.Read(Latency, eq="@", range="at", limit=9, rate="1/s")
"""

FLOWS = """
class Flow(BaseModel):
    __store__: ClassVar = kw.TimeSeries(db, "flows", time="at", meta="port", ttl=timedelta(days=9))
    port: Annotated[str, Field(max_length=12), kw.Cardinality(distinct=40_000)]
    at: datetime
    octets: int

put = kw.Put(Flow, rate="4k/s", batch=@)
of = kw.Read(Flow, eq="port", range="at", limit=9, rate="1/s")
"""

BILLS = """
class Bill(BaseModel):
    __store__: ClassVar = kw.Collection(
        db, "bills", id="{bill}", indexes=[kw.Index("@", unique=True, where={"is_paid": True})]
    )
    bill: UUID
    serial: Annotated[str, Field(pattern=r"^R\\d{10}$")]
    policy: Annotated[str, Field(pattern=r"^P\\d{10}$")]
    is_paid: bool

put = kw.Put(Bill, if_absent=True, rate="1/s")
of = kw.Get(Bill, eq="@", where={"is_paid": True}, rate="1/s")
"""

TICKETS = """
class Ticket(BaseModel):
    __store__: ClassVar = kw.Collection(
        db, "tickets", id="{ticket}", indexes=[kw.Index("seat", unique=True, where={"state": "sold"})]
    )
    ticket: UUID
    seat: Annotated[str, Field(max_length=60)]
    state: Literal["sold", "@"]

put = kw.Put(Ticket, if_absent=True, rate="1/s")
end = kw.Update(Ticket, sets="state", where={"state": "sold"}, rate="1/s")
of = kw.Get(Ticket, eq="seat", where={"state": "sold"}, rate="1/s")
"""

BIDS = """
class Bid(BaseModel):
    __store__: ClassVar = kw.Collection(db, "bids", id="{number}", keep_forever="auditors ask for them")
    number: Annotated[int, Field(ge=1)]
    @: int

put = kw.Put(Bid, if_absent=True, rate="700/s")
of = kw.Read(Bid, range="number", order="number", limit=500, rate="80/s")
"""

MENUS = """
class Menu(BaseModel):
    __store__: ClassVar = kw.RedisHash(cache, key="menu:@", kind="cache", ttl=timedelta(minutes=5), expected=90)
    shop: Annotated[str, Field(max_length=8), kw.Cardinality(distinct=90)]
    trace_id: UUID
    words: Annotated[str, Field(max_length=200)]
    html: Annotated[str, kw.Size(avg=900, max=5_000)]

put = kw.Put(Menu, rate="5/s")
of = kw.Get(Menu, rate="90/s")
"""

SENT = """
class Sent(BaseModel):
    __store__: ClassVar = kw.RedisCounter(facts, key="sent:{user}:{day:date}", value="n"@)
    user: UUID
    day: date
    n: int

count = kw.Increment(Sent, "n", rate="5/s")
of = kw.Get(Sent, rate="5/s")
"""

SEEN = """
class Seen(BaseModel):
    __store__: ClassVar = kw.RedisHash(facts, key="seen:{number}", keep_forever="it is asked for", expected=40)
    number: UUID
    @

put = kw.Put(Seen, if_absent=True, rate="5/s")
of = kw.Get(Seen, rate="5/s")
"""

APPLES = """
class Graded(BaseModel):
    grade: Annotated[int, Field(ge=1, le=@)]

class Apple(Graded):
    __store__: ClassVar = kw.Collection(
        db, "apples", id="{apple}", shard_key=kw.ShardKey(on="grade"), expected=2_000_000_000
    )
    apple: UUID

put = kw.Put(Apple, if_absent=True, rate="900/s")
"""

CONTRACTS = """
class Contract(BaseModel):
    __store__: ClassVar = kw.@, expected=90)
    contract: UUID
    scan: bytes
    digest: Annotated[bytes, Field(max_length=32)]

put = kw.Put(Contract, if_absent=True, rate="1/s")
of = kw.Get(Contract, rate="1/s")
"""

REGIONS = """
class Event(BaseModel):
    at: Annotated[datetime, kw.Ttl(after=timedelta(days=90))]
    n: int

class EventOfEurope(Event):
    __store__: ClassVar = kw.Collection(db, "@_europe", kind="event")

class EventOfAsia(Event):
    __store__: ClassVar = kw.Collection(db, "@_asia", kind="event")

class EventOfAfrica(Event):
    __store__: ClassVar = kw.Collection(db, "events_africa", kind="event")

put_europe = kw.Put(EventOfEurope, rate="1/s")
put_asia = kw.Put(EventOfAsia, rate="1/s")
put_africa = kw.Put(EventOfAfrica, rate="1/s")
"""

CODES = """
class OneTimeCode(BaseModel):
    __store__: ClassVar = kw.Collection(db, "codes", id="{user}")
    user: UUID
    expires_at: @

put = kw.Put(OneTimeCode, rate="9/s")
of = kw.Get(OneTimeCode, rate="9/s")
"""

PAYMENTS = """
class Payment(BaseModel):
    __store__: ClassVar = kw.CqlTable(ks, "payments", partition="account", clustering=@, kind="money")
    account: UUID
    booked_at: datetime
    payment_id: UUID
    cents: int

put = kw.Put(Payment, if_absent=True, rate="9/s")
"""

ACCESSES = """
class @(BaseModel):
    __store__: ClassVar = kw.CqlTable(
        ks, "lines", partition=["host", "day"], clustering=["-at", "n"], computed={"day": "{at:date}"}
    )
    host: Annotated[str, Field(max_length=10), kw.Cardinality(distinct=90)]
    at: datetime
    n: UUID
    text: Annotated[str, Field(max_length=100)]

put = kw.Put(@, rate="40/s")
"""

USERS = """
class Account(BaseModel):
    __store__: ClassVar = kw.CqlTable(
        ks, "accounts", partition="account", indexes=[kw.CqlIndex(on="@", using="legacy")], expected=900_000
    )
    account: UUID
    iban_hash: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    seen_on: date
    town: Annotated[str, Field(max_length=30), kw.Cardinality(distinct=900)]

put = kw.Put(Account, rate="900/s")
of = kw.Read(Account, eq="@", limit=5, rate="1/s")
"""

PEOPLE = """
class Person(BaseModel):
    __store__: ClassVar = kw.CqlTable(ks, "people", partition="@", clustering="number")
    person: UUID
    number: UUID
    last_name: Annotated[str, Field(max_length=40)]

put = kw.Put(Person, rate="1/s")
"""

FORMS = {
    "counters of a fixed number of tenants that a job deletes again and again": Form(
        QUOTA, ", kw.Cardinality(distinct=9_000)", "", "CAS064 clear"
    ),
    "logs whose declared number is passed within days": Form(LOGS, "expected=90_000", "expected=90**9", "CAS042 Log"),
    "size tiers of calls whose day is in the partition": Form(
        CALLS, "kw.SizeTiered()", "kw.TimeWindow(window=timedelta(days=2))", "CAS006 Call"
    ),
    "messages whose UUID has the name of the entity": Form(
        MESSAGES, '"-at"', '["-at", "message"]', "CAS030 ChatMessage"
    ),
    "a text that a second owner takes over": Form(NICKS, "", "if_absent=True, ", "CAS041 put"),
    "a desk on a day": Form(DESKS, "", "if_absent=True, ", "CAS041 put"),
    "three fields in two tables": Form(FILMS, APART, TOGETHER, "GEN028 copy"),
    "recordings in an embedded model": Form(VOICES, "6_000_000", "6_000", "CAS034 Answer.voice"),
    "a stock by the name of a counter": Form(DEPOTS, "on_hand", "views", "CAS063 Depot.on_hand"),
    "a span as the source of measurements": Form(LATENCIES, "span", "probe", "MDB029 Latency.span"),
    "two measurements at a time": Form(FLOWS, "2", "200", "MDB038 put"),
    "a number of bills that is unique in some": Form(BILLS, "serial", "policy", "MDB026 Bill.serial_1"),
    "a value that ended documents may repeat": Form(TICKETS, "archived", "returned", "MDB026 Ticket.seat_1"),
    "numbered values without an amount": Form(BIDS, "level", "cents", "MDB015 Bid"),
    "a trace in the key of a cache": Form(MENUS, "{shop}:{trace_id}", "{shop}", "RED039 Menu"),
    "words of a search in the key of a cache": Form(MENUS, "{words}", "{shop}", "RED039 Menu"),
    "counters of each day": Form(SENT, "", ", ttl=timedelta(days=2)", "RED004 Sent"),
    "a card number by its name": Form(
        SEEN, "card_no: int", "card_no: Annotated[int, Field(ge=0, le=900_000)]", "GEN036 Seen.card_no"
    ),
    "a grade from one to five as a shard key": Form(APPLES, "5", "5_000_000", "MDB030 Apple"),
    "scans of any size in documents": Form(
        CONTRACTS,
        'Collection(db, "contracts", id="{contract}"',
        'CqlTable(ks, "contracts", partition="contract"',
        "MDB049 Contract.scan",
    ),
    "scans of any size in rows": Form(
        CONTRACTS,
        'CqlTable(ks, "contracts", partition="contract"',
        'Collection(db, "contracts", id="{contract}"',
        "CAS034 Contract.scan",
    ),
    "two fields in a collection for each region": Form(REGIONS, "events", "visits", "MDB047 EventOfEurope"),
    "codes that say when they end": Form(CODES, "datetime", "Annotated[datetime, kw.Ttl()]", "MDB028 OneTimeCode"),
    "payments by their time": Form(PAYMENTS, '"-booked_at"', '["-booked_at", "payment_id"]', "CAS030 Payment"),
    "logs by the name of the entity": Form(ACCESSES, "AccessLog", "Purchase", "CAS042 AccessLog"),
    "an index on digests": Form(USERS, "iban_hash", "town", "CAS035 Account.iban_hash"),
    "an index on a day that changes": Form(USERS, "seen_on", "town", "CAS035 Account.seen_on"),
    "the name of a person in a key": Form(PEOPLE, "last_name", "person", "GEN037 Person.last_name"),
    "an e-mail address by its name": Form(
        SEEN, "mail: str", "mail: Annotated[str, Field(max_length=12)]", "GEN037 Seen.mail"
    ),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_mistake_is_found_in_this_form_and_not_in_the_sound_model(form: Form, tmp_path: Path) -> None:
    code = form.finding.partition(" ")[0]
    mistaken, sound = (
        {
            f"{finding.code} {finding.object}"
            for finding in findings_of(tmp_path / name, with_imports(HEAD + form.source.replace("@", value)))
            if finding.code == code
        }
        for name, value in (("mistaken", form.mistaken), ("sound", form.sound))
    )
    assert mistaken == {form.finding}
    assert sound == set()


def test_a_keyspace_is_alone_in_its_region_beside_a_table_in_two(tmp_path: Path) -> None:
    source = """
table = kw.DynamoTable("offers", pk="offer", sk=None, discriminator=None)

class Offer(BaseModel):
    __store__: ClassVar = kw.Item(table, expected=90)
    offer: UUID

class Order(BaseModel):
    __store__: ClassVar = kw.CqlTable(ks, "orders", partition="order", expected=90)
    order: UUID
"""
    stack = (
        "config:\n  keywright:environment:\n    mode: dev\n"
        "    cassandra: {{flavour: cassandra, datacentres: {{dc1: 3{}}}}}\n"
        "    mongodb: {{flavour: atlas}}\n    redis: {{flavour: redis, ram: 1gb, replicas: 1}}\n"
        "    dynamodb: {{flavour: dynamodb, replicas: [{{region: eu-west-1}}]}}\n"
    )
    alone, both = (
        [
            finding.message
            for finding in findings_of(
                tmp_path / name,
                {"models/case.py": with_imports(CQL + source), "stacks/Pulumi.dev.yaml": stack.format(centres)},
            )
            if finding.code == "CAS020"
        ]
        for name, centres in (("alone", ""), ("both", ", dc2: 3"))
    )
    assert alone == [
        'may an outage of data centre "dc1" stop keyspace "ks", while dynamodb "offers" goes on in a second region?'
    ]
    assert both == []
