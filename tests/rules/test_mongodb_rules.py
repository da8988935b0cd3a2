"""Rules of MongoDB: cases beside those of their pages, and models without findings."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.pages.resources import flaws as flaws_of_resources
from tests.projects import findings_of, with_imports
from tests.properties.mongodb import designs

from keywright.engines.findings.context import RuleContext, TargetInEnvironment
from keywright.engines.mongodb.declare.settings import MongoEnvironment
from keywright.engines.mongodb.schema.lower import lower
from keywright.errors import NOWHERE
from keywright.rules.options import RuleOptions
from keywright.rules.rule import Finding
from keywright.rules.run import run_rules

HEAD = 'db = kw.MongoDatabase("db")\n'
YEARS = 'orders_{} = kw.bind(Order, kw.Collection(db, "orders_{}", id="{key}"))\n'
LINES = """
class Line(BaseModel):
    __store__: ClassVar = kw.Collection(db, "lines", id="{{line_id}}", indexes=[kw.Index(["host", "at"])], kind="event")

    line_id: Annotated[str, kw.Size(avg=20, max=20)]
    host: Annotated[str, kw.Size(avg=20, max=20)]
    at: Annotated[datetime, kw.Ttl(after=timedelta(days=9))]
    received_at: datetime
    status: int


write_line = kw.Put(Line, rate="{rate}/s")
lines_of_host = kw.Read(Line, eq="host", range="at", limit=500, rate="1/s")
"""
LINKED = """
class Booking(BaseModel):
    __store__: ClassVar = kw.Collection(db, "bookings", id="{{number}}")

    number: str


class Seat(BaseModel):
    __store__: ClassVar = kw.Collection(db, "seats", id="{{seat}}")

    seat: str
    booking: Annotated[str, kw.Ref(Booking, on_missing="ignore", max_referrers=9)]


book = kw.Put(Booking, rate="50/s")
take = kw.Update(Seat, sets="booking", rate="{rate}")
"""
EXPIRES = ", ttl=timedelta(days=9)"


def findings_in(folder: Path, source: str) -> list[Finding]:
    """The findings of the rules for MongoDB."""
    return [finding for finding in findings_of(folder, with_imports(HEAD + source)) if finding.code.startswith("MDB")]


def codes_in(folder: Path, source: str) -> set[tuple[str, str]]:
    return {(finding.code, finding.object) for finding in findings_in(folder, source)}


def order(indexes: str, *patterns: str, fields: str = "", options: str = "") -> str:
    """An entity with these indexes, and patterns p0, p1, … on it."""
    lines = "\n".join(f"p{at} = {pattern}" for at, pattern in enumerate(patterns))
    return f"""
class Part(BaseModel):
    part_id: str
    amount: int


class Order(BaseModel):
    __store__: ClassVar = kw.Collection(db, "orders", id="{{order_id}}", indexes=[{indexes}]{options})

    order_id: str
    user: str
    status: Literal["open", "closed"]
    at: datetime
    parts: Annotated[list[Part], Field(max_length=20)] = []
    tags: Annotated[list[str], Field(max_length=20)] = []
    phone: Annotated[str | None, kw.Pii()] = None
{fields}

{lines}
"""


def words(average: int = 1_000, rate: str = "300/day", peak: str = "1/min") -> str:
    """An order with an index over up to 600 words of 15 characters, which take 20 bytes each."""
    text = "Annotated[str, Field(min_length=15, max_length=15)]"
    return order(
        'kw.Index("words")',
        'kw.Read(Order, contains="words", limit=9)',
        f'kw.Put(Order, rate="{rate}", peak="{peak}")',
        fields=f"    words: Annotated[list[{text}], Field(max_length=600), kw.Size(avg={average}, max=13_000)]",
    )


def level(pattern: str, *, granularity: str = "seconds", distinct: int = 20, options: str = EXPIRES) -> str:
    """A time series of so many sources, and a pattern p0 on it."""
    return f"""
class Level(BaseModel):
    __store__: ClassVar = kw.TimeSeries(
        db, "levels", time="at", meta="unit", granularity="{granularity}"{options}
    )

    unit: Annotated[str, kw.Cardinality(distinct={distinct})]
    at: datetime


{f"p0 = {pattern}" if pattern else ""}
"""


TOLD = {
    "embedded things that are changed alone": (
        order("", 'kw.Update(Order, eq="order_id", sets="parts.amount")'),
        {("MDB003", "p0")},
    ),
    "an array of models that is asked for by a field": (
        order("", 'kw.Read(Order, eq="parts.part_id", limit=9)'),
        {("MDB006", "p0")},
    ),
    "any of several elements": (order("", 'kw.Read(Order, one_of="tags", limit=9)'), {("MDB006", "p0")}),
    "a partial index that a count misses": (
        order('kw.Index("user", where={"status": "open"})', 'kw.Count(Order, eq="user")'),
        {("MDB012", "p0")},
    ),
    "an aggregate over elements of an array": (
        order("", 'kw.Aggregate(Order, contains="tags", group=["{user}"], measures={"n": kw.Distinct("order_id")})'),
        {("MDB019", "p0")},
    ),
    "a partial index over an array, once": (
        order('kw.Index("tags", where={"status": "open"})', 'kw.Read(Order, contains="tags", limit=9)'),
        {("MDB012", "p0")},
    ),
    "a sort that stands in front of the equality": (
        order('kw.Index(["at", "user"])', 'kw.Read(Order, eq="user", order="at", range="at", limit=9)'),
        {("MDB010", "Order.at_1_user_1")},
    ),
    "a field between two that are asked by equality": (
        order('kw.Index(["user", "at", "status"])', 'kw.Read(Order, eq=["user", "status"], limit=9)'),
        {("MDB010", "Order.user_1_at_1_status_1")},
    ),
    "an accepted scan that is asked for all the time": (
        order("", 'kw.Read(Order, eq="user", limit=9, rate="1/s", unserved="rare")', options=", expected=1_000_000"),
        {("MDB009", "p0")},
    ),
    "an expiry does not make the shorter index needed": (
        order('kw.Index("user"), kw.Index(["-user", "at"])', 'kw.Read(Order, eq="user", order="-at", limit=9)'),
        {("MDB106", "Order.user_1")},
    ),
    "a null in a compound unique index": (
        order('kw.Index(["user", "phone"], unique=True)', 'kw.Read(Order, eq="user", limit=9)'),
        {("MDB112", "Order.user_1_phone_1")},
    ),
    "writes of a transaction that nobody waits for": (
        order(
            "",
            'kw.Transact([kw.Put(Order, consistency="eventual")], rate="1/s")',
            'kw.Get(Order, consistency="strong")',
        ),
        {("MDB018", "p0")},
    ),
    "a read in a session that must see its write": (
        order("", 'kw.Put(Order, consistency="eventual")', 'kw.Get(Order, consistency="session", reads_back=[p0])'),
        {("MDB018", "p0")},
    ),
    "a list of keys without a bound, once": (
        order("", fields='    user_keys: list[Annotated[str, kw.Ref("Order", on_missing="hide")]]'),
        {("MDB004", "Order.user_keys")},
    ),
    "a bucket that is too long": (
        order("", fields="    reads: Annotated[list[Part], Field(max_length=5_000)]", options=', kind="reading"'),
        {("MDB015", "Order.reads")},
    ),
    "a list of models that a pattern appends to, once": (
        order("", 'kw.Update(Order, pushes="more", rate="1/s")', fields="    more: list[Part] = []"),
        {("MDB001", "Order.more")},
    ),
    "a list of models without a bound": (
        order("", fields="    more: list[Part]"),
        {("MDB001", "Order.more")},
    ),
    "a transaction with one write over the bound": (
        order("", 'kw.Transact([kw.Update(Order, sets="at", batch=1_000), kw.Put(Order)], rate="1/day")'),
        {("MDB021", "p0")},
    ),
    "an index of two fields with eight values": (
        order(
            'kw.Index(["status", "size"])',
            'kw.Read(Order, eq=["status", "size"], limit=9)',
            fields='    size: Literal["s", "m", "l", "xl"]',
            options=", expected=80_000",
        ),
        {("MDB022", "Order.status_1_size_1")},
    ),
    "a shard key where nothing is sharded": (
        order(
            "",
            "kw.Get(Order)",
            fields="    blob: Annotated[bytes, kw.Size(avg=3_000, max=3_000)]",
            options=', expected=1_000_000_000, shard_key=kw.ShardKey(on="user")',
        ),
        {("MDB023", "Order")},
    ),
    "validators of a database that only warn": (
        order("", "kw.Get(Order)").replace(
            "kw.Collection(db,", 'kw.Collection(kw.MongoDatabase("x", validation="warn"),'
        ),
        {("MDB024", "Order")},
    ),
    "a validator that only warns": (order("", "kw.Get(Order)", options=', validation="warn"'), {("MDB024", "Order")}),
    "an eventual write of a record": (
        order("", 'kw.Put(Order, consistency="eventual")', "kw.Get(Order)"),
        {("MDB025", "p0")},
    ),
    "a number that is unique in open orders, until they are closed": (
        order(
            'kw.Index("user", unique=True, where={"status": "open"})',
            'kw.Get(Order, eq="user", where={"status": "open"})',
            'kw.Update(Order, sets="status", where={"status": "open"})',
        ),
        {("MDB026", "Order.user_1")},
    ),
    "a frequent list of whole documents": (
        order(
            'kw.Index("user")',
            'kw.Read(Order, eq="user", limit=10, rate="100/s")',
            fields="    note: Annotated[str, kw.Size(avg=5_000, max=9_000)]",
        ),
        {("MDB027", "p0")},
    ),
    "documents with a time of expiry that the server does not know": (
        order("", 'kw.Put(Order, rate="1k/day")', fields="    valid_until: datetime"),
        {("MDB028", "Order")},
    ),
    "a time series whose meta field no read uses": (
        """
class Level(BaseModel):
    __store__: ClassVar = kw.TimeSeries(db, "levels", time="at", meta="key", ttl=timedelta(days=9))

    key: Annotated[str, Field(min_length=26, max_length=26)]
    unit: str
    at: datetime


levels = kw.Read(Level, eq="unit", range="at", limit=9)
""",
        {("MDB029", "Level.key")},
    ),
    "a shard key of a state": (
        order("", "kw.Get(Order)", options=', shard_key=kw.ShardKey(on="status")'),
        {("MDB030", "Order")},
    ),
    "a shard key of a thousand values less one": (
        order(
            "",
            "kw.Get(Order)",
            fields="    shop: Annotated[str, kw.Cardinality(distinct=999)]",
            options=', shard_key=kw.ShardKey(on="shop", hashed=True)',
        ),
        {("MDB030", "Order")},
    ),
    "a shard key that begins with a ULID": (
        order(
            "",
            'kw.Put(Order, rate="5k/s")',
            fields='    event: Annotated[str, Field(pattern=r"^[0-9A-HJKMNP-TV-Z]{26}$")]',
            options=', shard_key=kw.ShardKey(on=["event", "user"])',
        ),
        {("MDB031", "Order")},
    ),
    "a shard key that begins with a ULID before its hash": (
        order(
            "",
            'kw.Put(Order, rate="5k/s")',
            fields='    event: Annotated[str, Field(pattern=r"^[0-9A-HJKMNP-TV-Z]{26}$")]',
            options=', shard_key=kw.ShardKey(on=["event", "user"], hashed="user")',
        ),
        {("MDB031", "Order")},
    ),
    "a shard key with a hot value": (
        order(
            'kw.Index("user")',
            'kw.Read(Order, eq="user", limit=9, rate="1k/s", hot_key="401/s")',
            options=', shard_key=kw.ShardKey(on="user")',
        ),
        {("MDB032", "Order")},
    ),
    "a range over a hashed shard key": (
        order(
            'kw.Index("user")',
            'kw.Read(Order, range="user", limit=9, rate="1/s")',
            options=', shard_key=kw.ShardKey(on="user", hashed=True)',
        ),
        {("MDB033", "p0")},
    ),
    "an index over an array one too long": (
        order(
            'kw.Index("words")',
            'kw.Read(Order, contains="words", limit=9)',
            fields="    words: Annotated[list[str], Field(max_length=201)]",
        ),
        {("MDB034", "Order.words_1")},
    ),
    "an index over an array that is long on average": (words(average=1_001), {("MDB034", "Order.words_1")}),
    "an index over an often written array": (words(rate="1/s", peak="1/s"), {("MDB034", "Order.words_1")}),
    "an index over an array that is often written in bulk": (words(peak="1/s"), {("MDB034", "Order.words_1")}),
    "an index over an array of which no write is declared": (
        words().replace("kw.Put(Order", "kw.Get(Order"),
        {("MDB034", "Order.words_1")},
    ),
    "a document of a shop by its number": (
        order('kw.Index(["user", "number"])', 'kw.Get(Order, eq=["user", "number"])', fields="    number: str"),
        {("MDB035", "Order.user_1_number_1")},
    ),
    "a document of a state by a number that old ones repeat": (
        order(
            'kw.Index("number", where={"status": "open"})',
            'kw.Get(Order, eq="number", where={"status": "open"})',
            fields="    number: Annotated[str, kw.Cardinality(distinct=500)]",
            options=", expected=9_000",
        ),
        {("MDB035", "Order.number_1")},
    ),
    "a read of a source among all": (
        level('kw.Read(Level, eq="unit", range="at", limit=9, rate="1/s")').replace('meta="unit", ', ""),
        {("MDB036", "p0")},
    ),
    "a read of all sources": (level('kw.Read(Level, range="at", limit=9, rate="51/s")'), {("MDB036", "p0")}),
    "a measurement each second in hours": (
        level('kw.Put(Level, rate="9/s", batch=3)', granularity="hours"),
        {("MDB037", "Level")},
    ),
    "a measurement each hour in seconds": (
        level('kw.Put(Level, rate="9/h", batch=9)'),
        {("MDB037", "Level")},
    ),
    "single inserts over the bound": (
        level('kw.Put(Level, rate="1.1k/s")', distinct=2_000),
        {("MDB038", "p0")},
    ),
    "a time series without an expiry": (level("", options=""), {("MDB039", "Level")}),
    "a count of the orders of one of many users": (
        order(
            'kw.Index("owner")',
            'kw.Count(Order, eq="owner", rate="1/s")',
            fields='    owner: Annotated[str, kw.Ref("Order", on_missing="ignore", max_referrers=10_001)]',
            options=", expected=9_000_000",
        ),
        {("MDB040", "p0")},
    ),
    "a transaction on one of a few documents": (
        order("", 'kw.Transact([kw.Update(Order, sets="at")], rate="101/s")', options=", expected=10"),
        {("MDB041", "p0")},
    ),
    "a transaction on the document of a day": (
        """
class Day(BaseModel):
    __store__: ClassVar = kw.Collection(db, "days", id="{day:date}", expected=4_000)

    day: date
    total: int


p0 = kw.Transact([kw.Increment(Day, "total")], rate="11/s")
""",
        {("MDB041", "p0")},
    ),
    "jobs that are done": (
        order("", 'kw.Put(Order, rate="1k/day")', fields='    state: Literal["queued", "done"]'),
        {("MDB028", "Order")},
    ),
    "a wildcard index below an embedded model": (
        order(
            'kw.WildcardIndex("size")',
            'kw.Read(Order, eq="size.part_id", limit=9)',
            fields="    size: Part",
        ),
        {("MDB044", "Order.size.$**_1")},
    ),
    "a text index of texts that are changed": (
        order(
            'kw.TextIndex("note")',
            'kw.Read(Order, search="note", limit=9)',
            'kw.Update(Order, sets="note", rate="1k/s")',
            fields="    note: Annotated[str, kw.Size(avg=130, max=900)]",
        ),
        {("MDB045", "Order.note_text")},
    ),
    "four indexes with a hundred writes a second": (
        order(
            'kw.Index("user"), kw.Index("status"), kw.Index("at"), kw.Index("tags")',
            'kw.Put(Order, rate="100/s")',
            'kw.Read(Order, eq="user", limit=9, rate="10/s")',
        ),
        {("MDB046", "Order")},
    ),
    "collections of two years": (
        order("", "kw.Get(Order)").replace('"orders"', '"orders_24"') + YEARS.format(25, 25, key="{order_id}"),
        {("MDB047", "Order")},
    ),
    "a collection for each of three regions": (
        order("", "kw.Get(Order)") + YEARS.format(25, 25, key="{order_id}") + YEARS.format(24, 24, key="{order_id}"),
        {("MDB047", "Order")},
    ),
    "log lines that are only read in groups": (LINES.format(rate=300), {("MDB015", "Line")}),
    "an update that belongs to a new document": (LINKED.format(rate="50/s"), {("MDB048", "take")}),
    "a long list of models": (
        order("", "kw.Put(Order)", fields="    more: Annotated[list[Part], Field(max_length=3_000)] = []"),
        {("MDB002", "Order.more")},
    ),
    "an increment beside another write at its rate": (
        LINKED.format(rate="50/s").replace("seat: str\n", "seat: str\n    uses: int = 0\n")
        + 'free = kw.Delete(Booking, rate="50/s")\ncount = kw.Increment(Seat, "uses", rate="50/s")\n',
        {("MDB048", "count")},
    ),
    "a count of a long time": (
        order(
            'kw.Index("at")',
            'kw.Put(Order, rate="1/s")',
            'kw.Count(Order, range="at", span=timedelta(seconds=10_001), rate="1/s")',
            options=", expected=9_000_000",
        ),
        {("MDB040", "p1")},
    ),
    "measurements that end with their time": (
        LINES.format(rate=9).replace('kind="event"', 'kind="reading"'),
        {("MDB015", "Line")},
    ),
    "a shard key of a number that an index sorts": (
        order(
            'kw.Index(["user", "-number"])',
            'kw.Put(Order, rate="5k/s")',
            fields="    number: Annotated[int, Field(ge=1)]",
            options=', shard_key=kw.ShardKey(on="number")',
        ),
        {("MDB031", "Order")},
    ),
    "documents that must go somewhere": (
        order("", 'kw.Put(Order, if_absent=True, rate="1k/day")', options=", expected=24_999"),
        {("MDB028", "Order")},
    ),
    "a file of a bounded document, once": (
        order("", "kw.Get(Order)", fields="    scan: Annotated[bytes, kw.Size(avg=900_000, max=9_000_000)]"),
        {("MDB049", "Order.scan")},
    ),
    "a state that is not, among many": (
        order(
            'kw.Index(["shop", "at"])',
            'kw.Read(Order, eq="shop", where={"status": kw.Not("closed")}, order="at", limit=9, rate="1/s")',
            fields="    shop: Annotated[str, kw.Cardinality(distinct=9)]",
            options=", expected=9_009",
        ),
        {("MDB050", "p0")},
    ),
    "a number that each document has, unique in some": (
        order(
            'kw.Index("number", unique=True, where={"status": "open"})',
            'kw.Get(Order, eq="number", where={"status": "open"})',
            fields="    number: Annotated[int, kw.Cardinality(distinct=500)]",
            options=", expected=500",
        ),
        {("MDB026", "Order.number_1")},
    ),
    "a meta field of two values, of which one is that of the measurement": (
        level('kw.Put(Level, rate="9/s", batch=9)')
        .replace("unit: Annotated[str", "unit: Annotated[Part")
        .replace("class Level", "class Part(BaseModel):\n    place: str\n    number: int\n\n\nclass Level")
        .replace("distinct=20", "distinct=90_000_000"),
        {("MDB029", "Level.unit")},
    ),
    "two documents that are created together": (
        LINKED.format(rate="9/day")
        .replace('on_missing="ignore"', 'on_missing="fail"')
        .replace('}"', '}", expected=900')
        + 'seat = kw.Put(Seat, rate="50/s")\n',
        {("MDB048", "book")},
    ),
    "a mapping that grows": (
        order("", 'kw.Update(Order, sets="votes")', fields="    votes: dict[str, bool] = {}"),
        {("MDB001", "Order.votes")},
    ),
    "a list of pictures": (
        order(
            "",
            "kw.Get(Order)",
            fields="    scans: Annotated[list[Annotated[bytes, kw.Size(avg=9, max=500_000)]], Field(max_length=8)]",
        ),
        {("MDB049", "Order.scans")},
    ),
    "collections of two years with nearly the same fields": (
        "".join(
            f"""
class Bill{year}(BaseModel):
    __store__: ClassVar = kw.Collection(db, "bills_{year}", id="{{bill}}")

    bill: str
    due: date
    {field}: str
    text: str
"""
            for year, field in ((25, "note"), (26, "remark"))
        ),
        {("MDB047", "Bill25")},
    ),
    "events that are many terabytes until they expire": (
        order("", 'kw.Put(Order, rate="9k/s")', options=', kind="event"').replace(
            "    at: datetime", "    at: Annotated[datetime, kw.Ttl(after=timedelta(days=900))]"
        ),
        {("MDB023", "Order")},
    ),
    "a list of keys by their name": (
        LINKED.format(rate="9/day").replace("number", "booking_id")
        + """
class Guest(BaseModel):
    __store__: ClassVar = kw.Collection(db, "guests", id="{guest}")

    guest: str
    booking_ids: Annotated[list[str], Field(max_length=201)]
""",
        {("MDB004", "Guest.booking_ids")},
    ),
    "lines that are read by their number": (
        LINES.format(rate=300).replace('"at"', '"status"').replace("    received_at: datetime\n", ""),
        {("MDB015", "Line")},
    ),
    "a read of one document": (
        order('kw.Index("user")', 'kw.Read(Order, eq="user", limit=1)'),
        {("MDB035", "Order.user_1")},
    ),
    "two updates of which one sets a reference": (
        LINKED.format(rate="50/s")
        .replace('kw.Put(Booking, rate="50/s")', 'kw.Update(Booking, sets="state", rate="50/s")')
        .replace("    number: str\n", "    number: str\n    state: str\n"),
        {("MDB048", "book")},
    ),
    "an eventual change of a text": (
        order("", 'kw.Update(Order, sets="user", consistency="eventual")'),
        {("MDB025", "p0")},
    ),
    "an eventual change of a state": (
        order("", 'kw.Update(Order, sets=["at", "status"], consistency="eventual")'),
        {("MDB025", "p0")},
    ),
    "a file of a typical megabyte": (
        order("", "kw.Get(Order)", fields="    scan: Annotated[bytes, kw.Size(avg=1_000_000)]"),
        {("MDB049", "Order.scan")},
    ),
}

SILENT = {
    "a page of keys that is written once and expires": LINKED.format(rate="9/day").replace("number", "booking_id")
    + """
class Page(BaseModel):
    __store__: ClassVar = kw.Collection(db, "pages", id="{page}")

    page: str
    built_at: Annotated[datetime, kw.Ttl(after=timedelta(days=45))]
    booking_ids: Annotated[list[str], Field(max_length=201)]
""",
    "documents of periods": order(
        "", 'kw.Put(Order, rate="1k/day")', fields="    starts_at: datetime\n    ends_at: datetime"
    ),
    "a collection that is stricter than its database": order(
        "", "kw.Get(Order)", options=', validation="strict"'
    ).replace("kw.Collection(db,", 'kw.Collection(kw.MongoDatabase("x", validation="off"),'),
    "a read of all values of a time series without sources": level(
        'kw.Read(Level, range="at", limit=9, rate="51/s")'
    ).replace('meta="unit", ', ""),
    "a read of one source": level('kw.Read(Level, eq="unit", range="at", limit=9, rate="1/s")', granularity="hours"),
    "documents that an index expires": order(
        'kw.Index("valid_until", expire_after=timedelta(0), where={"status": "closed"})',
        'kw.Put(Order, rate="1k/day")',
        fields="    valid_until: datetime",
    ),
    "a document by a number that others repeat": order(
        'kw.Index("number")',
        'kw.Get(Order, eq="number")',
        fields="    number: Annotated[str, kw.Cardinality(distinct=500)]",
        options=", expected=9_000",
    ),
    "two documents of which one comes later": (
        LINKED.format(rate="9/day")
        .replace('on_missing="ignore"', 'on_missing="fail"')
        .replace('id="{number}"', 'id="{number}", expected=1_000', 1)
        .replace('id="{seat}"', 'id="{seat}", expected=2_000', 1)
        + 'seat = kw.Put(Seat, rate="50/s")\n'
    ),
    "a mapping that is written once": order("", "kw.Get(Order)", fields="    votes: dict[str, bool] = {}"),
    "the latest of some documents": order(
        'kw.Index(["user", "at"])', 'kw.Read(Order, eq="user", order="-at", limit=1)'
    ),
    "documents that are read for their one large field": """
class Canvas(BaseModel):
    __store__: ClassVar = kw.Collection(db, "canvases", id="{canvas_id}")

    canvas_id: str
    strokes: Annotated[bytes, kw.Size(avg=200_000)]


canvas = kw.Get(Canvas, rate="200/s")
""",
    "two documents that are created at the same rate, and perhaps not together": LINKED.format(rate="9/day").replace(
        'on_missing="ignore"', 'on_missing="fail"'
    )
    + 'seat = kw.Put(Seat, rate="50/s")\n',
    "an address that is changed as often as something of it is created": LINKED.format(rate="9/day")
    .replace("    number: str\n", "    number: str\n    street: Annotated[str, kw.Pii()]\n")
    .replace(
        'kw.Put(Booking, rate="50/s")',
        'kw.Put(Seat, rate="50/s")\nmove = kw.Update(Booking, sets="street", rate="50/s")',
    ),
    "a state that changes as often as what it belongs to is created": LINKED.format(rate="9/day").replace(
        "    seat: str\n", "    seat: str\n    hidden: bool = False\n"
    )
    + 'hide = kw.Update(Seat, sets="hidden", rate="50/s")\n',
    "two documents that are created seldom": LINKED.format(rate="9/day")
    .replace('on_missing="ignore"', 'on_missing="fail"')
    .replace('rate="50/s"', 'rate="99/day"')
    + 'seat = kw.Put(Seat, rate="99/day")\n',
    "a state that is not, among a few": order(
        'kw.Index(["shop", "at"])',
        'kw.Read(Order, eq="shop", where={"status": kw.Not("closed")}, order="at", limit=9, rate="1/s")',
        fields="    shop: Annotated[str, kw.Cardinality(distinct=9)]",
        options=", expected=9_000",
    ),
    "a flag that is not, among many": order(
        'kw.Index(["shop", "at"])',
        'kw.Read(Order, eq="shop", where={"hidden": kw.Not(True)}, order="at", limit=9, rate="1/s")',
        fields="    hidden: bool\n    shop: Annotated[str, kw.Cardinality(distinct=9)]",
        options=", expected=90_000",
    ),
    "a long list of small models": order(
        "", 'kw.Update(Order, pushes="more")', fields="    more: Annotated[list[Part], Field(max_length=300)] = []"
    ),
    "a long list that is written once": order(
        "",
        "kw.Put(Order, if_absent=True)",
        fields="    more: Annotated[list[Part], Field(max_length=3_000)] = []",
    ),
    "sources that send all in one batch": level('kw.Put(Level, rate="9/day", batch=600)', distinct=100).replace(
        'granularity="seconds"', 'granularity="seconds", expected=60_000'
    ),
    "sources that are read by the minute": level(
        'kw.Read(Level, eq="unit", range="at", span=timedelta(minutes=1), limit=600)', distinct=100
    ).replace('granularity="seconds"', 'granularity="seconds", expected=60_000'),
    "an update beside another write at its rate": LINKED.format(rate="50/s")
    + 'free = kw.Delete(Booking, rate="50/s")\n',
    "a count of a short time": order(
        'kw.Index("at")',
        'kw.Put(Order, rate="1/s")',
        'kw.Count(Order, range="at", span=timedelta(seconds=10_000), rate="1/s")',
        options=", expected=9_000_000",
    ),
    "log lines that are read by two sources": LINES.format(rate=300)
    + 'lines_of_status = kw.Read(Line, eq="status", range="at", limit=9, unserved="rare")\n',
    "a shard key of a whole document": order(
        "",
        'kw.Get(Order, eq=["user", "order_id"], rate="5/s", hot_key="4/s")',
        options=', shard_key=kw.ShardKey(on=["user", "order_id"])',
    ),
    "documents that last": order("", 'kw.Put(Order, if_absent=True, rate="1k/day")', options=", expected=25_000"),
    "a shard key of a number of another document": order(
        'kw.Index(["shop", "at"])',
        'kw.Read(Order, eq="shop", order="at", limit=9)',
        fields="    shop: int",
        options=', shard_key=kw.ShardKey(on="shop")',
    ),
    "an index that a shard key begins": order(
        'kw.Index(["amount", "user"])',
        'kw.Read(Order, eq="user", range="amount", limit=9)',
        fields="    amount: int",
        options=', shard_key=kw.ShardKey(on="amount")',
    ),
    "elements that are pushed": order("", 'kw.Update(Order, eq="order_id", pushes="parts")'),
    "a document that is found by an element": order(
        'kw.Index("parts.part_id")', 'kw.Read(Order, eq="parts.part_id", limit=9)'
    ),
    "an array that is judged on what another index finds": order(
        'kw.Index("user")', 'kw.Read(Order, eq="user", contains="tags", limit=9)'
    ),
    "a pattern that an index of all documents serves": order(
        'kw.Index("user"), kw.Index(["user", "at"], where={"status": "open"})',
        'kw.Read(Order, eq="user", limit=9)',
        'kw.Read(Order, eq="user", where={"status": "open"}, order="at", limit=9)',
    ),
    "an order of fields that another pattern needs": order(
        'kw.Index(["at", "user"])',
        'kw.Read(Order, eq="user", range="at", limit=9)',
        'kw.Read(Order, order="at", limit=9)',
    ),
    "an accepted scan once a day": order(
        "", 'kw.Read(Order, eq="user", limit=9, rate="1/day", unserved="rare")', options=", expected=1_000_000"
    ),
    "an accepted scan of a few": order(
        "", 'kw.Read(Order, eq="user", limit=9, rate="9/s", unserved="there are two hundred")', options=", expected=200"
    ),
    "an index that is unique, and one that goes on with an array": order(
        'kw.Index("user", unique=True), kw.Index(["user", "at"]), kw.Index("status"), kw.Index(["status", "tags"])',
        'kw.Read(Order, eq="status", limit=9)',
    ),
    "a shorter index of other documents": order(
        'kw.Index("user", where={"status": "open"}), kw.Index(["user", "at"])',
        'kw.Read(Order, eq="user", where={"status": "open"}, limit=9)',
    ),
    "a null that is left out": order(
        'kw.Index(["user", "phone"], unique=True, where={"phone": kw.Present()})',
        'kw.Get(Order, eq=["user", "phone"])',
    ),
    "a strong read behind writes that a majority has": order(
        "", 'kw.Put(Order, consistency="strong")', 'kw.Get(Order, consistency="strong")'
    ),
    "a strong read behind one strong write of a transaction, whose record a majority has": order(
        "",
        'kw.Transact([kw.Put(Order, consistency="eventual"), kw.Delete(Order)], rate="1/s")',
        'kw.Get(Order, consistency="strong")',
    ),
    "an eventual read behind an eventual write of what may be lost": order(
        "", 'kw.Put(Order, consistency="eventual")', "kw.Get(Order)", options=', kind="event"'
    ),
    "a bucket of an hour": order(
        "", fields="    reads: Annotated[list[Part], Field(max_length=360)]", options=', kind="reading"'
    ),
    "two references between entities that are no list": """
class City(BaseModel):
    __store__: ClassVar = kw.Collection(db, "cities", id="{city}")

    city: str
    mayor: Annotated[str, kw.Ref("Person", on_missing="hide")]


class Person(BaseModel):
    __store__: ClassVar = kw.Collection(db, "people", id="{person}")

    person: str
    home: Annotated[str, kw.Ref(City, on_missing="ignore")]
""",
    "a link with a reason for both ways": """
class Author(BaseModel):
    __store__: ClassVar = kw.Collection(db, "authors", id="{author}")

    author: str
    books: Annotated[
        list[Annotated[str, kw.Ref("Book", on_missing="hide", two_way="both pages are read")]], Field(max_length=9)
    ]


class Book(BaseModel):
    __store__: ClassVar = kw.Collection(db, "books", id="{book}")

    book: str
    authors: Annotated[list[Annotated[str, kw.Ref(Author, on_missing="hide")]], Field(max_length=9)]
""",
    "two entities under one key": """
class User(BaseModel):
    __store__: ClassVar = kw.Collection(db, "users", id="{user_id}")

    user_id: str


class Settings(BaseModel):
    __store__: ClassVar = kw.Collection(db, "settings", id="{user_id}")

    user_id: str


class Visit(BaseModel):
    __store__: ClassVar = kw.Collection(db, "visits")

    user_id: str
""",
    "a transaction of a thousand documents": order(
        "", 'kw.Transact([kw.Update(Order, sets="at", batch=999), kw.Put(Order)], rate="1/day")'
    ),
    "a flag in a small collection": order(
        'kw.Index("status")',
        'kw.Read(Order, eq="status", limit=9)',
        options=", expected=19_999",
    ),
    "the rare value of a flag": order(
        'kw.Index("status", where={"status": "open"})',
        'kw.Read(Order, where={"status": "open"}, limit=9)',
        options=", expected=1_000_000_000",
    ),
    "a moderate validator": order("", "kw.Get(Order)", options=', validation="moderate"'),
    "a number that is unique in published orders, which stay so": order(
        'kw.Index("user", unique=True, where={"status": "open"})',
        'kw.Get(Order, eq="user", where={"status": "open"})',
        'kw.Update(Order, sets="status", where={"status": "closed"})',
    ),
    "a frequent list of two fields, and a rare one of whole documents": order(
        'kw.Index("user")',
        'kw.Read(Order, eq="user", limit=10, fields=["user", "at"], rate="100/s")',
        'kw.Read(Order, eq="user", limit=10, rate="99/s")',
        fields="    note: Annotated[str, kw.Size(avg=5_000, max=9_000)]",
    ),
    "documents with a time of expiry that a pattern deletes": order(
        "", 'kw.Put(Order, rate="1k/day")', "kw.Delete(Order)", fields="    valid_until: datetime"
    ),
    "a time series with ten measurements of each source": """
class Level(BaseModel):
    __store__: ClassVar = kw.TimeSeries(
        db, "levels", time="at", meta="unit", granularity="hours", ttl=timedelta(days=9), expected=90
    )

    unit: Annotated[str, kw.Cardinality(distinct=9)]
    at: datetime


levels = kw.Read(Level, eq="unit", range="at", limit=9)
""",
    "a shard key of a thousand values, by two fields": order(
        "",
        "kw.Get(Order)",
        fields="    shop: Annotated[str, kw.Cardinality(distinct=500)]",
        options=', shard_key=kw.ShardKey(on=["shop", "status"])',
    ),
    "a hashed time": order("", 'kw.Put(Order, rate="5k/s")', options=', shard_key=kw.ShardKey(on="at", hashed=True)'),
    "a shard key without a hot value": order(
        'kw.Index("user")',
        'kw.Read(Order, eq="user", limit=9, rate="1k/s", hot_key="400/s")',
        options=', shard_key=kw.ShardKey(on="user")',
    ),
    "a rare read of every shard": order(
        'kw.Index("user"), kw.Index("at")',
        'kw.Read(Order, eq="user", limit=9, rate="90/s")',
        'kw.Read(Order, order="at", limit=9, rate="10/s")',
        options=', shard_key=kw.ShardKey(on="user")',
    ),
    "an index over an array that is short on average, and seldom written": words(),
    "an index over an array of two hundred": order(
        'kw.Index("words")',
        'kw.Read(Order, contains="words", limit=9)',
        fields="    words: Annotated[list[str], Field(max_length=200)]",
    ),
    "one document of several with the same state": order('kw.Index("status")', 'kw.Get(Order, eq="status")'),
    "one document by a field that a longer unique key contains, and another": order(
        'kw.Index("user", unique=True), kw.Index(["user", "status"])', 'kw.Get(Order, eq=["user", "status"])'
    ),
    "a rare read of all sources": level('kw.Read(Level, range="at", limit=9, rate="50/s")'),
    "a read of a few sources": level('kw.Read(Level, range="at", limit=9, rate="9/s")', distinct=10),
    "a measurement each minute, by the rate of calls or of measurements": level(
        'kw.Put(Level, rate="1/s", batch=60)', granularity="minutes", distinct=60
    ),
    "single inserts within the bound": level('kw.Put(Level, rate="1k/s")', distinct=2_000),
    "a time series that is kept": level("", options=', keep_forever="a law"'),
    "a count of a range": order(
        'kw.Index(["user", "at"])',
        'kw.Count(Order, eq="user", range="at", rate="9/s")',
        options=", expected=9_000_000",
    ),
    "a transaction on one of several documents": order(
        "", 'kw.Transact([kw.Update(Order, sets="at")], rate="100/s")', options=", expected=10"
    ),
    "a wildcard index over a mapping": order(
        'kw.WildcardIndex("sizes")', fields="    sizes: Annotated[dict[str, str], Field(max_length=9)]"
    ),
    "a text index of texts that are seldom written": order(
        'kw.TextIndex("note")',
        'kw.Read(Order, search="note", limit=9)',
        'kw.Put(Order, rate="9/s")',
        'kw.Update(Order, sets="at", rate="9k/s")',
        fields="    note: Annotated[str, kw.Size(avg=130, max=900)]",
    ),
    "four indexes with a read for nine writes": order(
        'kw.Index("user"), kw.Index("status"), kw.Index("at"), kw.Index("tags")',
        'kw.Put(Order, rate="99/s")',
        'kw.Read(Order, eq="user", limit=9, rate="11/s")',
    ),
    "two collections with the same fields": order("", "kw.Get(Order)") + YEARS.format(25, "old", key="{order_id}"),
    "log lines of which there are few": LINES.format(rate=299),
    "log lines that are read singly": LINES.format(rate=300) + "line = kw.Get(Line)\n",
    "an update at another rate": LINKED.format(rate="49/s"),
    "an update of a hot document": LINKED.format(rate="50/s")
    .replace("{seat}", "{day:date}")
    .replace("seat: str", "day: date"),
    "the state of a payment": order(
        "", 'kw.Put(Order, rate="1k/day")', fields='    state: Literal["pending", "captured", "failed"]'
    ),
    "a hot value of a shard key that another field divides": order(
        "",
        'kw.Put(Order, rate="1k/s", hot_key="900/s")',
        options=', shard_key=kw.ShardKey(on=["user", "order_id"])',
    ),
    "an eventual change of a time": order("", 'kw.Update(Order, sets="at", consistency="eventual")'),
    "a picture of a few megabytes": order(
        "", "kw.Get(Order)", fields="    scan: Annotated[bytes, kw.Size(avg=999_999, max=3_999_999)]"
    ),
    "the meta field of a time series": """
class Unit(BaseModel):
    __store__: ClassVar = kw.Collection(db, "units", id="{unit_id}")

    unit_id: str


class Level(BaseModel):
    __store__: ClassVar = kw.TimeSeries(db, "levels", time="at", meta="unit_id", ttl=timedelta(days=9))

    unit_id: str
    at: datetime
""",
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


def test_a_granularity_follows_from_the_measurements_of_a_batch(tmp_path: Path) -> None:
    source = level('kw.Put(Level, rate="9/s", batch=3)', granularity="hours")
    (finding,) = (finding for finding in findings_in(tmp_path, source) if finding.code == "MDB037")
    assert finding.help == 'set granularity="seconds"'


def test_what_nothing_serves_is_an_error_whichever_rule_tells_it(tmp_path: Path) -> None:
    (finding,) = findings_in(tmp_path, order("", 'kw.Read(Order, contains="tags", limit=9)'))
    assert (finding.code, finding.severity) == ("MDB006", "error")


def test_where_there_are_no_time_series_an_hour_is_a_document(tmp_path: Path) -> None:
    source = with_imports(
        HEAD
        + """
class Reading(BaseModel):
    __store__: ClassVar = kw.Collection(db, "readings", kind="reading", validation="off")

    at: datetime
    value: float
"""
    )
    stack = "config:\n  keywright:environment:\n    mode: dev\n    mongodb: {flavour: documentdb}\n"
    files = {"models/case.py": source, "stacks/Pulumi.dev.yaml": stack}
    (finding,) = (finding for finding in findings_of(tmp_path, files) if finding.code == "MDB015")
    assert finding.help == "keep an hour of one source in one document, as a bounded list with its figures"


@settings(max_examples=40)
@given(designs(), st.sampled_from(["mongodb", "documentdb"]))
def test_no_rule_fails_on_generated_entities(design: object, flavour: str) -> None:
    environment = MongoEnvironment(flavour=flavour)  # type: ignore[arg-type]  # one of its values
    targets = tuple(TargetInEnvironment("mongodb", database, database, environment) for database in lower(design))  # type: ignore[arg-type]
    context = RuleContext(design=design, targets=targets, plans=(), stack=NOWHERE)  # type: ignore[arg-type]
    crashed = [
        draft.problem
        for rule, _, draft in run_rules(context, RuleOptions(), follows_models=True)
        if rule.code == "RUN001"
    ]
    assert crashed == []


def test_a_collection_that_a_program_makes_by_itself_is_judged_too() -> None:
    keys = ("{name: a, key: [[user, 1]]}", "{name: b, key: [[user, 1], [at, 1]]}")
    inputs = f"{{database: shop, name: orders, indexes: [{', '.join(keys)}]}}"
    findings = flaws_of_resources(f"- {{type: 'keywright:mongodb:Collection', name: orders, inputs: {inputs}}}")
    assert [(code, problem) for code, problem, _ in findings] == [
        ("MDB106", 'index "a" is the beginning of "b", and every write keeps both')
    ]


@pytest.mark.parametrize(
    ("setting", "code"),
    [
        ('version: "6.0"', "MDB042"),
        ('version: "7.0"', None),
        ("alerts: {connections-percent: 91}", "MDB043"),
        ("alerts: {cache-hits-percent: 69}", "MDB043"),
        ("alerts: {lag-seconds: null, connections-percent: null, cache-hits-percent: null}", "MDB043"),
        ("alerts: {lag-seconds: null, connections-percent: 90, cache-hits-percent: 70}", None),
    ],
)
def test_settings_of_production_are_checked(setting: str, code: str | None, tmp_path: Path) -> None:
    stack = (
        "config:\n  keywright:environment:\n    mode: gated\n    history: mongodb/db\n"
        f"    mongodb: {{flavour: mongodb, {setting}}}\n"
    )
    files = {"models/case.py": with_imports(HEAD + order("", "kw.Get(Order)")), "stacks/Pulumi.dev.yaml": stack}
    codes = [finding.code for finding in findings_of(tmp_path, files) if finding.code.startswith("MDB")]
    assert codes == ([code] if code else [])
