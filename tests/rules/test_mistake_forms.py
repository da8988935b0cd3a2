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
    "three fields in two tables": Form(FILMS, APART, TOGETHER, "GEN028 copy"),
    "recordings in an embedded model": Form(VOICES, "6_000_000", "6_000", "CAS034 Answer.voice"),
    "a stock by the name of a counter": Form(DEPOTS, "on_hand", "views", "CAS063 Depot.on_hand"),
    "a span as the source of measurements": Form(LATENCIES, "span", "probe", "MDB029 Latency.span"),
    "two measurements at a time": Form(FLOWS, "2", "200", "MDB038 put"),
    "a number of bills that is unique in some": Form(BILLS, "serial", "policy", "MDB026 Bill.serial_1"),
    "numbered values without an amount": Form(BIDS, "level", "cents", "MDB015 Bid"),
    "a trace in the key of a cache": Form(MENUS, "{shop}:{trace_id}", "{shop}", "RED039 Menu"),
    "words of a search in the key of a cache": Form(MENUS, "{words}", "{shop}", "RED039 Menu"),
    "counters of each day": Form(SENT, "", ", ttl=timedelta(days=2)", "RED004 Sent"),
    "a card number by its name": Form(
        SEEN, "card_no: int", "card_no: Annotated[int, Field(ge=0, le=900_000)]", "GEN036 Seen.card_no"
    ),
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
