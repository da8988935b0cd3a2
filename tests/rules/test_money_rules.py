"""Rules about money, counting, copies and streams: cases beside those of their pages, and models without findings."""

from pathlib import Path

import pytest
from tests.projects import findings_of, with_imports

BANK = """
bank = kw.DynamoTable("bank")


class Account(BaseModel):
    __store__: ClassVar = kw.Item(bank, pk="ACCOUNT#{account_id}", sk="BALANCE", kind="KIND")

    account_id: Annotated[str, Field(max_length=20)]
    NUMBERS


class Entry(BaseModel):
    __store__: ClassVar = kw.Item(bank, pk="ACCOUNT#{account_id}", sk="ENTRY#{request_id}", kind="money")

    account_id: Annotated[str, Field(max_length=20), kw.Ref(Account, on_missing="fail")]
    request_id: Annotated[str, Field(max_length=20)]


entry = kw.Get(Entry, consistency="strong", rate="1/s")
account = kw.Get(Account, consistency="strong", rate="1/s")
"""


def bank(*patterns: str, kind: str = "money", numbers: str = "balance: int") -> str:
    """An account with entries, and patterns p0, p1, … on them."""
    lines = (f"p{at} = {pattern}\n" for at, pattern in enumerate(patterns))
    return BANK.replace("KIND", kind).replace("NUMBERS", numbers) + "".join(lines)


ADD = 'kw.Increment(Account, "balance", by=800, rate="1/s")'
TAKE = 'kw.Increment(Account, "balance", by=-800, where={"balance": kw.AtLeast(800)}, rate="1/s")'
PUT = 'kw.Put(Entry, if_absent=True, rate="1/s")'

WORK = """
work = kw.RedisServer("work", role="ROLE")
group = kw.ConsumerGroup("g", idempotency="job_id", claim_after=timedelta(seconds=60)GROUP)


class Job(BaseModel):
    __store__: ClassVar = kw.STORE

    job_id: Annotated[str, Field(max_length=20)]
    text: Annotated[str, Field(max_length=20)] = ""


"""


def work(store: str, *patterns: str, role: str = "queue", group: str = "") -> str:
    """A job in a store of a Redis server, and patterns p0, p1, … on it."""
    lines = (f"p{at} = {pattern}\n" for at, pattern in enumerate(patterns))
    return WORK.replace("STORE", store).replace("ROLE", role).replace("GROUP", group) + "".join(lines)


CACHED = """
db = kw.MongoDatabase("db")
cache = kw.RedisServer("cache", role="cache")


class Airport(BaseModel):
    __store__: ClassVar = kw.Collection(db, "airports", id="{code}", expected=1_000)

    code: Annotated[str, Field(max_length=3)]


cached = kw.bind(Airport, kw.RedisCache(cache, key="a:{code}", ttl=TTL, source_of_truth=Airport))
save = kw.Put(Airport, rate="CHANGES")
shown = kw.Get(cached, eq="code", rate="2k/s")
"""


def cached(ttl: str, changes: str) -> str:
    return CACHED.replace("TTL", ttl).replace("CHANGES", changes)


CHANGES = """
db = kw.MongoDatabase("db")


class User(BaseModel):
    __store__: ClassVar = kw.Collection(db, "users", id="{user_id}", expected=1_000)

    user_id: Annotated[str, Field(max_length=20)]


class Order(BaseModel):
    __store__: ClassVar = kw.Collection(
        db, "orders", id="{order_id}", expected=EXPECTED, stream=kw.Stream(images="IMAGES", consumers=[CONSUMERS])
    )

    order_id: Annotated[str, Field(max_length=20)]
    user_id: Annotated[str, Field(max_length=20), kw.Ref(User, on_missing="ignore")]
    state: Literal["open", "closed"]
    day: Annotated[str, Field(max_length=10), kw.Cardinality(distinct=365)]
    at: datetime
    text: Annotated[str, Field(max_length=SIZE), kw.Size(avg=USUAL, max=SIZE)]


user = kw.Get(User, rate="1/s")
order = kw.Get(Order, rate="1/s")
put = kw.Put(Order, rate="100/s")
"""
CONSUMER = 'kw.Consumer("c", idempotency=["order_id", "at"], on_failure="queue")'


def changes(
    by: str = "", images: str = "keys", size: str = "100", usual: str = "100", consumers: str = CONSUMER
) -> str:
    """Orders with a stream of changes."""
    if by:
        consumers = f'kw.Consumer("c", idempotency={by}, on_failure="queue")'
    source = CHANGES.replace("IMAGES", images).replace("SIZE", size).replace("USUAL", usual)
    return source.replace("CONSUMERS", consumers).replace("EXPECTED", "1_000")


SHARED = "which many changes share: it skips different changes, or processes one twice"

ROWS = """
ks = kw.Keyspace("ks")


class Account(BaseModel):
    __store__: ClassVar = kw.CqlTable(ks, "accounts", partition="account_id"OPTIONS)

    account_id: Annotated[str, Field(max_length=20)]
    FIELDS


"""


def rows(fields: str, *patterns: str, options: str = "") -> str:
    """A table of Cassandra, and patterns p0, p1, … on it."""
    lines = (f"p{at} = {pattern}\n" for at, pattern in enumerate(patterns))
    return ROWS.replace("FIELDS", fields).replace("OPTIONS", options) + "".join(lines)


COUNTER = ', counters="n"'
GET = 'kw.Get(Account, rate="1/s")'
STRONG = 'kw.Get(Account, consistency="strong", rate="1/s")'

COPIES = """
ks = kw.Keyspace("ks")


class Seen(BaseModel):
    __store__: ClassVar = kw.CqlTable(ks, "seen", partition="a", clustering="b")

    a: str
    b: str
    c: str
    d: str
    e: str


class SeenByB(BaseModel):
    __store__: ClassVar = kw.CqlTable(ks, "seen_by_b", partition="b", clustering="a")

    a: str
    b: str
    c: str
    d: str
    FIELD: str


seen = kw.Read(Seen, eq="a", limit=9, rate="1/s")
seen_by_b = kw.Read(SeenByB, eq="b", limit=9, rate="1/s")
put = kw.Put(Seen, rate="5/s")
put_by_b = kw.Put(SeenByB, rate="RATE")
"""


def copies(field: str = "e", rate: str = "5/s") -> str:
    return COPIES.replace("FIELD", field).replace("RATE", rate)


LOST = "to a value that the caller computes, without a condition: of two concurrent changes, one is lost"

LEDGER = """
db = kw.MongoDatabase("db")


class NAME(BaseModel):
    __store__: ClassVar = kw.Collection(db, "things", id="{number}", kind="KIND")

    number: Annotated[str, Field(max_length=20)]
    FIELDS


save = kw.Put(NAME, if_absent=True, rate="1/s")
thing = kw.Get(NAME, rate="1/s"CACHE)
"""


def ledger(fields: str, kind: str = "record", name: str = "Thing", keep: str = "") -> str:
    """A collection of records; callers keep answers for a time."""
    source = LEDGER.replace("FIELDS", fields).replace("KIND", kind).replace("NAME", name)
    return source.replace("CACHE", f", cache_ttl=timedelta({keep})" if keep else "")


PERSON = """


class Person(BaseModel):
    __store__: ClassVar = kw.Collection(db, "persons", id="{name}")

    name: Annotated[str, Field(max_length=20)]


person = kw.Get(Person, rate="1/s")
"""
AT = "at: Annotated[datetime, kw.Ttl(after=timedelta(days=DAYS))]"
CENTS = "cents: int"
LAW = "and is a record of money, which accounting law requires for 5 years or more"
OLD = "they use outdated prices, balances or rights"
FLOAT = "is a float, in which 0.1 + 0.2 is not 0.3"

TABLE_LEDGER = """
table = kw.DynamoTable(
    "money", stream=kw.Stream(consumers=[kw.Consumer("archive", idempotency="entry_id", on_failure="%s")])
)


class Entry(BaseModel):
    __store__: ClassVar = kw.Item(table, pk="OF#{account}", sk="ENTRY#{entry_id}", kind="money")

    account: Annotated[str, Field(max_length=20)]
    entry_id: Annotated[str, Field(max_length=20)]
    cents: int
    at: Annotated[datetime, kw.Ttl()]


save = kw.Put(Entry, if_absent=True, rate="1/s")
entries = kw.Read(Entry, eq="account", order="-entry_id", limit=20, rate="1/s")
"""

COPIED = """
db = kw.MongoDatabase("db")


class Product(BaseModel):
    __store__: ClassVar = kw.Collection(db, "products", id="{sku}", expected=1_000)

    sku: Annotated[str, Field(max_length=20)]
    price: int


class Basket(BaseModel):
    __store__: ClassVar = kw.Collection(db, "baskets", id="{basket_id}", expected=50_000_000)

    basket_id: Annotated[str, Field(max_length=20)]
    sku: Annotated[str, Field(max_length=20), kw.Ref(Product, on_missing="ignore", max_referrers=REFERRERS)]
    price: Annotated[int, kw.CopiedFrom(Product, "price", sync="job")]


basket = kw.Get(Basket, rate="5k/s")
product = kw.Get(Product, rate="1/s")
reprice = kw.Update(Product, sets="price", rate="1/s")
"""

STREAM = 'RedisStream(work, key="jobs", keep=3_600, groups=[group])'
LIST = 'RedisList(work, key="jobs", max_length=100)'
ADD_JOB = 'kw.Put(Job, rate="RATE/s")'
TAKE_JOB = 'kw.Take(Job, group=group, rate="1/s")'
LIMIT = 'RedisRateLimit(work, key="pin:{job_id}", limit=COUNT, per=timedelta(minutes=1), window="fixed")'
TEXT = '    text: Annotated[str, Field(max_length=20)] = ""\n'


def limit(calls: int) -> str:
    return work(LIMIT.replace("COUNT", str(calls)), role="limiter").replace(TEXT, "")


AGAIN = (
    "under a condition that holds again, without a record of the request, so that a retry after a time-out adds it "
    "twice"
)
RETRY = "without a condition or a record of the request, so that a retry after a time-out adds it twice"

STATE = 'state: Literal["open", "closed"]\n    balance: int'
PART = 'kw.Ref(Account, on_missing="fail", max_referrers=1)'

RECENT = """
keyspace = kw.Keyspace("recent")
recent = kw.bind(
    Thing, kw.CqlTable(keyspace, "recent", partition="number", ttl=timedelta(days=90), kind="money")
)
recent_thing = kw.Get(recent, rate="1/s")
"""
CONFIRMED = """
db = kw.MongoDatabase("db")


class Trade(BaseModel):
    __store__: ClassVar = kw.Collection(db, "trades", id="{trade_id}", kind="money", keep_forever="law")

    trade_id: Annotated[str, Field(max_length=20)]
    account_id: str
    side: int
    cents: int
    at: datetime


class Confirmation(BaseModel):
    __store__: ClassVar = kw.Collection(db, "confirmations", id="{trade_id}", kind="money")

    trade_id: Annotated[str, Field(max_length=20), kw.Ref(Trade, on_missing="ignore", max_referrers=1)]
    account_id: str
    cents: int
    side: int
    confirmed_at: Annotated[datetime, kw.Ttl(after=timedelta(days=9))]
"""

TOLD = {
    "money of which a consumer of the stream drops some": (
        TABLE_LEDGER % "drop",
        [
            'DDB025 money: consumer "archive" of table "money" drops a change that it cannot handle, by '
            'on_failure="drop"',
            f'GEN031 Entry: it expires at "at", without a declared time, {LAW}: is that time later?',
        ],
    ),
    "an increment of money under a condition on another field": (
        bank(ADD.replace("by=800,", 'by=800, where={"state": "open"},'), numbers=STATE),
        [f'GEN024 p0: it adds 800 to "balance" {AGAIN}'],
    ),
    "a state of stock that is taken apart from its record": (
        bank('kw.Update(Account, sets="state", where={"state": "open"}, rate="1/s")', PUT, kind="stock", numbers=STATE),
        ['GEN016 p0: it changes "state" apart from "p1", which stores the entry in "Entry": a failure between them '
         "leaves one without the other"],
    ),
    "two entries that belong together": (
        bank('kw.Put(Account, if_absent=True, rate="1/s")', PUT)
        .replace('kw.Ref(Account, on_missing="fail")', PART),
        ['GEN016 p1: it stores Entry apart from the Account of "p0", to which exactly one belongs: a failure between '
         "them leaves one without the other"],
    ),
    "a payment apart from the record of its table": (
        bank('kw.Put(Account, if_absent=True, rate="1/s")', PUT, kind="record")
        .replace('kw.Ref(Account, on_missing="fail")', PART),
        ['GEN016 p1: it stores Entry apart from the Account of "p0", to which exactly one belongs: a failure between '
         "them leaves one without the other"],
    ),
    "places that are used up whatever is left": (
        bank('kw.Increment(Account, "vacancies", by=-1, rate="1/s")', kind="record", numbers="vacancies: int"),
        ['GEN025 p0: it takes 1 from "vacancies" whatever is left: concurrent callers reduce it below zero, and more '
         "is sold than exists"],
    ),
    "an eventual read of the only item before an increment": (
        bank(TAKE, 'kw.Read(Account, eq="account_id", limit=1, rate="1/s")'),
        ['GEN010 p1: it may read stale money, with consistency="eventual", before "p0" changes the same item'],
    ),
    "an increment of money that a retry repeats": (
        bank(ADD),
        [f'GEN024 p0: it adds 800 to "balance" {RETRY}'],
    ),
    "an increment of an order's paid amount": (
        bank('kw.Increment(Account, "paid", by=5, rate="1/s")', kind="record",
             numbers="paid: Annotated[Decimal, Field(max_digits=9, decimal_places=2)]"),
        [f'GEN024 p0: it adds 5 to "paid" {RETRY}'],
    ),
    "a transfer without a record of its request": (
        bank('kw.Transact([kw.Increment(Account, "balance", by=-5), kw.Increment(Account, "balance", by=5)],\n'
             '    rate="1/s")'),
        [f'GEN024 p0: it adds -5 to "balance" {RETRY}', f'GEN024 p0: it adds 5 to "balance" {RETRY}'],
    ),
    "an increment apart from its entry": (
        bank(TAKE, PUT),
        ['GEN016 p0: it changes "balance" apart from "p1", which stores the entry in "Entry": a failure between them '
         "leaves one without the other"],
    ),
    "the halves of a transfer": (
        bank(TAKE, ADD.replace("by=800,", 'by=800, where={"balance": kw.Below(9_000)},')),
        ['GEN016 p0: it takes 800, and "p1" adds as much at the same rate: a failure between them loses the amount',
         f'GEN024 p1: it adds 800 to "balance" {AGAIN}'],
    ),
    "seats that are sold whatever is left": (
        bank('kw.Increment(Account, "seats_left", by=-2, rate="1/s")', kind="record", numbers="seats_left: int"),
        ['GEN025 p0: it takes 2 from "seats_left" whatever is left: concurrent callers reduce it below zero, and more '
         "is sold than exists"],
    ),
    "an eventual read before an increment": (
        bank(TAKE, 'kw.Get(Account, rate="1/s")'),
        ['GEN010 p1: it may read stale money, with consistency="eventual", before "p0" changes the same item'],
    ),
    "an eventual read before an amount is set": (
        bank('kw.Update(Account, sets="balance", where={"open": True}, rate="1/s")', 'kw.Get(Account, rate="1/s")',
             numbers="balance: int\n    open: bool"),
        ['GEN010 p1: it may read stale money, with consistency="eventual", before "p0" changes the same item'],
    ),
    "an eventual read of what the update compares": (
        bank('kw.Update(Account, sets="sold", where={"sold": False}, rate="1/s")',
             'kw.Get(Account, fields="sold", rate="1/s")', kind="stock", numbers="sold: bool"),
        ['GEN010 p1: it may read stale stock, with consistency="eventual", before "p0" changes the same item'],
    ),
    "an entry at another rate": (
        bank(ADD, PUT.replace("1/s", "4/s")),
        [f'GEN024 p0: it adds 800 to "balance" {RETRY}'],
    ),
    "a stream that is claimed too early": (
        work(STREAM, ADD_JOB.replace("RATE", "1"), TAKE_JOB).replace("seconds=60", "seconds=4"),
        ['RED061 Job: group "g" claims entries after 4 s, so that a second consumer processes entries that the first '
         "is still working on"],
    ),
    "a stream that delivers for ever": (
        work(STREAM, ADD_JOB.replace("RATE", "1"), TAKE_JOB, group=", max_deliveries=10_000"),
        ['RED061 Job: group "g" delivers an entry up to 10,000 times: entries that always fail occupy its consumers, '
         "and others wait"],
    ),
    "a stream that is trimmed after half an hour": (
        work(STREAM, ADD_JOB.replace("RATE", "2"), TAKE_JOB),
        ["RED062 Job: 3,600 entries are kept for 30 minutes: is an entry worthless when a consumer was down "
         "for longer?"],
    ),
    "a stream that is trimmed well before an hour": (
        work(STREAM.replace("3_600", "6_479"), ADD_JOB.replace("RATE", "2"), TAKE_JOB),
        ["RED062 Job: 6,479 entries are kept for 54 minutes: is an entry worthless when a consumer was down "
         "for longer?"],
    ),
    "a stream that is trimmed a minute before an hour": (
        work(STREAM.replace("3_600", "timedelta(minutes=59)"), TAKE_JOB),
        ["RED062 Job: entries are kept for 59 minutes: is an entry worthless when a consumer was down "
         "for longer?"],
    ),
    "a stream that is trimmed by time": (
        work(STREAM.replace("3_600", "timedelta(minutes=5)"), TAKE_JOB),
        ["RED062 Job: entries are kept for 5 minutes: consumers that are down longer lose entries that they did not "
         "process"],
    ),
    "jobs in a list": (
        work(LIST, 'kw.Take(Job, rate="1/s")'),
        ['RED063 p0: a job leaves the list of "Job" when it is taken, so that it is lost if the worker crashes before '
         "it has finished"],
    ),
    "a cache of a second": (
        cached("timedelta(seconds=1)", "20/day"),
        ["RED064 cached: it expires after 1 second, which sends up to 1000 reads a second to its source, although that "
         "changes 20 times a day"],
    ),
    "a bill by an estimate": (
        work('RedisHyperLogLog(work, key="invoiced:{job_id}", member="{text}", ttl=timedelta(1))', role="primary"),
        ["RED066 Job: it is a HyperLogLog, whose count is off by 0.81 % on average: no invoice from it is exact or can "
         "be explained"],
    ),
    "a limit of ten calls": (
        limit(10),
        ["RED067 Job: it allows 10 calls per minute in fixed windows: around the change of windows, 20 calls are "
         "possible within a moment"],
    ),
    "a consumer that retries for ever": (
        changes(images="new", consumers=CONSUMER.replace("queue", "retry")),
        ['GEN026 Order: consumer "c" retries a change that always fails without an end: those behind it wait until the '
         "log has dropped them"],
    ),
    "a consumer that drops what fails": (
        changes(consumers=CONSUMER.replace("queue", "drop")),
        ['GEN026 Order: consumer "c" drops a change that it cannot process: copies and notifications miss the change '
         "for ever"],
    ),
    "changes by time": (
        changes('"at"'),
        [f'GEN027 Order: consumer "c" recognizes a repeated change by "at", {SHARED}'],
    ),
    "changes by the key of an item that counts its changes": (
        changes('"order_id"').replace("    at: datetime", "    at: datetime\n    revision: int")
        + 'close = kw.Update(Order, sets=["state", "revision"], rate="1/s")\n',
        ['GEN027 Order: consumer "c" recognizes a repeated change by "order_id", which all changes of one item share: '
         "it skips different changes, or processes one twice"],
    ),
    "changes by a reference": (
        changes('"user_id"'),
        [f'GEN027 Order: consumer "c" recognizes a repeated change by "user_id", {SHARED}'],
    ),
    "changes by a day and a state": (
        changes('["day", "state"]'),
        ['GEN027 Order: consumer "c" recognizes a repeated change by "day", "state", of which 730 values exist for '
         "1,000 changes: it skips different changes, or processes one twice"],
    ),
    "changes by an identifier of something else": (
        changes('"poll_id"').replace("    day:", "    poll_id: Annotated[str, Field(max_length=20)]\n    day:"),
        ['GEN027 Order: consumer "c" recognizes a repeated change by "poll_id", which several items of Order may have: '
         "it skips different changes, or processes one twice"],
    ),
    "entries by what they refer to": (
        work(STREAM.replace("3_600", "4_000_000"), TAKE_JOB).replace('idempotency="job_id"', 'idempotency="text"')
        .replace('max_length=20)] = ""', 'max_length=20), kw.Cardinality(distinct=9)]'),
        ['GEN027 Job: consumer "g" recognizes a repeated change by "text" instead of "job_id", although entries may '
         "refer to the same text: it skips different changes, or processes one twice"],
    ),
    "three readers of a table's stream": (
        bank().replace('"bank")', '"bank", stream=kw.Stream(images="keys", consumers=[\n' + ",\n".join(
            f'kw.Consumer("c{at}", idempotency="account_id", on_failure="queue")' for at in range(3)
        ) + "]))"),
        ['DDB061 bank: the stream of table "bank" has 3 consumers, 2 may read a shard: more throttle each other and '
         "fall behind"],
    ),
    "images of many bytes": (
        changes(images="new_and_old", usual="20_000", size="30_000"),
        ['MDB061 Order: images="new_and_old" stores the document before each change: 2.0 MB a second, 174 GB a day '
         "until they expire with the log"],
    ),
    "an event of two large documents": (
        changes(images="new_and_old", size="9_000_000").replace('"100/s"', '"1/day"'),
        ["MDB062 Order: a change carries 2 images of up to 8.6 MiB, and an event may have 16 MiB: the stream fails at "
         "the first larger one"],
    ),
    "five change streams": (
        changes(consumers=", ".join([CONSUMER] * 5)),
        ["MDB063 Order: 5 consumers open a change stream each, 4 are recommended: each stream reads the whole log of "
         "the server"],
    ),
    "an append to a list": (
        rows("tags: list[str] = []\n    name: str", 'kw.Update(Account, pushes="tags", rate="1/s")', GET),
        ['CAS061 Account.tags: an append to the list "tags" is not idempotent: a retry after a time-out stores an '
         "element twice, and each read loads the whole list, which has no bound"],
    ),
    "a log of changes without a reader": (
        rows("name: str", GET, options=', settings={"cdc": True}'),
        ["CAS062 Account: cdc keeps all changes until a consumer deletes them, and none is declared: at 4,096 MiB of "
         "log, the node rejects writes to the table"],
    ),
    "invoices from a counter": (
        rows("n: int", 'kw.Increment(Account, "n", rate="1/s")', GET, options=COUNTER).replace(
            "    __store__", '    """Calls of a customer, of which the invoice is made."""\n\n    __store__'
        ),
        ['CAS063 Account.n: "n" is a counter: after a time-out, it is unknown whether an increment was applied, and a '
         "retry bills the use twice"],
    ),
    "a counter that is set back": (
        rows("n: int", 'kw.Increment(Account, "n", rate="1/s")', 'kw.Delete(Account, rate="1/day")', GET,
             options=COUNTER),
        ['CAS064 p1: it deletes counters that "p0" increments: after a delete, the value of a counter under the same '
         "key is undefined"],
    ),
    "two tables of the same fields": (
        copies(),
        ['GEN028 put_by_b: it writes the fields of Seen to "SeenByB" beside "put": a failure between the two writes '
         "leaves them different for good"],
    ),
    "a balance that is put back in Cassandra": (
        rows("cents: int", 'kw.Put(Account, rate="1/s")', STRONG, options=', kind="money"'),
        [f'GEN029 p0: it sets "cents" {LOST}'],
    ),
    "views that are put back": (
        bank('kw.Update(Account, sets="views", rate="1/s")', kind="record", numbers="views: int"),
        [f'GEN029 p0: it sets "views" {LOST}'],
    ),
    "minutes that remain, put back": (
        bank('kw.Update(Account, sets="remaining_minutes", rate="1/s")', kind="record",
             numbers="remaining_minutes: int"),
        [f'GEN029 p0: it sets "remaining_minutes" {LOST}'],
    ),
    "a counter from zero that is put back": (
        bank('kw.Update(Account, sets="lendings", rate="1/s")', kind="record",
             numbers="lendings: Annotated[int, Field(ge=0)] = 0"),
        [f'GEN029 p0: it sets "lendings" {LOST}'],
    ),
    "a handle that two may take": (
        ledger('owner: Annotated[str, Field(max_length=20), kw.Ref("Person", on_missing="fail", max_referrers=1)]'
               + PERSON).replace("kw.Put(Thing, if_absent=True", "kw.Put(Thing").replace("number", "handle"),
        ['GEN030 save: it puts Thing whether or not the key exists: who takes "handle" second replaces the first '
         "holder without an error"],
    ),
    "a flag that callers keep for a day": (
        ledger("banned: bool", keep="days=1") + 'ban = kw.Update(Thing, sets="banned", rate="1/s")\n',
        [f'GEN032 thing: callers decide by "banned" that may be 1 day old: {OLD}'],
    ),
    "entries by names and a day": (
        work(STREAM.replace("3_600", "4_000_000"), TAKE_JOB, 'kw.Put(Job, rate="9/s")')
        .replace('idempotency="job_id"', 'idempotency=["text", "day"]')
        .replace('max_length=20)] = ""', 'max_length=20), kw.Cardinality(distinct=9)]\n    day: date'),
        ['GEN027 Job: consumer "g" recognizes a repeated change by "text", "day", of which 270 values exist for '
         "23,328,000 changes: it skips different changes, or processes one twice"],
    ),
    "an entry that is put again": (
        bank(PUT.replace("if_absent=True, ", "")),
        ["GEN030 p0: it puts Entry whether or not the key exists: a second request with the same key replaces the "
         "first record without an error"],
    ),
    "a booking that is put again": (
        ledger("room: str", name="Booking").replace("if_absent=True, ", ""),
        ["GEN030 save: it puts Booking whether or not the key exists: a second request with the same key replaces the "
         "first record without an error"],
    ),
    "a status that a put sets back": (
        bank('kw.Update(Account, sets="state", where={"state": "open"}, rate="1/s")', 'kw.Put(Account, rate="1/s")',
             kind="record", numbers='state: Literal["open", "paid"]'),
        ['GEN030 p1: it puts Account whether or not the key exists: it replaces "state" of an item that exists, which '
         "updates change only under a condition"],
    ),
    "an invoice that expires": (
        ledger(f'{AT.replace("DAYS", "1_825")}\n    {CENTS}', name="Invoice"),
        [f"GEN031 Invoice: it expires after 1825 days, {LAW}"],
    ),
    "money that expires at some time": (
        ledger(f'{AT.replace("after=timedelta(days=DAYS)", "")}\n    {CENTS}', kind="money"),
        [f'GEN031 Thing: it expires at "at", without a declared time, {LAW}: is that time later?'],
    ),
    "rights that callers keep for a day": (
        ledger("roles: Annotated[list[str], Field(max_length=9)] = []", keep="days=1"),
        [f'GEN032 thing: callers decide by "roles" that may be 1 day old: {OLD}'],
    ),
    "a token that callers keep for two hours": (
        ledger("at: Annotated[datetime, kw.Ttl()]", kind="token", keep="hours=2"),
        [f'GEN032 thing: callers decide by data of kind "token" that may be 2 hours old: {OLD}'],
    ),
    "an amount of digits": (
        ledger(r'unit_price: Annotated[str, Field(pattern=r"^[0-9]+\.[0-9]{2}$")]'),
        ['GEN033 Thing.unit_price: "unit_price" is text, so that the store cannot add it, and compares "9" as more '
         'than "10"'],
    ),
    "a float beside a currency": (
        ledger("toll: float\n    litres: float\n    currency: str"),
        [f'GEN107 Thing.toll: "toll" {FLOAT}'],
    ),
    "a Decimal beside a currency that is added to": (
        bank(
            'kw.Increment(Account, "settled", rate="1/s")', kind="record", numbers="settled: Decimal\n    currency: str"
        ),
        ['GEN024 p0: it adds 1 to "settled" without a condition or a record of the request, so that a retry after a '
         "time-out adds it twice"],
    ),
    "a float beside an exact amount in a record of money": (
        bank(numbers="gross: Decimal\n    rounding: float\n    part: Annotated[float, Field(le=1)]"),
        [f'GEN107 Account.rounding: "rounding" {FLOAT}'],
    ),
    "a float of what the house takes": (
        ledger("house_take: float"),
        [f'GEN107 Thing.house_take: "house_take" {FLOAT}'],
    ),
    "floats of embedded charges": (
        "class Charges(BaseModel):\n    room: Annotated[float, Field(ge=0)]\n    food: float\n\n\n"
        + ledger("charges: Charges"),
        ['GEN107 Thing.charges: "charges.room", "charges.food" are floats, in which 0.1 + 0.2 is not 0.3'],
    ),
    "an amount by its pattern beside a currency": (
        ledger(r'due: Annotated[str, Field(pattern=r"^\d{1,5}[.]\d{2}$")]' + '\n    paid_in: Literal["EUR", "DKK"]'),
        ['GEN033 Thing.due: "due" is text, so that the store cannot add it, and compares "9" as more than "10"'],
    ),
    "a posting that expires": (
        ledger(f'{AT.replace("DAYS", "183")}\n    debit: Decimal\n    credit: Decimal'),
        [f"GEN031 Thing: it expires after 183 days, {LAW}"],
    ),
    "a float that is money": (
        ledger("premium: float", kind="money"),
        [f'GEN107 Thing.premium: "premium" {FLOAT}'],
    ),
    "a price in thousands of copies": (
        COPIED.replace("REFERRERS", "50_000"),
        ['GEN006 Basket.price: "Product.price" changes 1 time per second, and each change updates "price" in up to 50k '
         "items: 50k writes a second"],
    ),
    "a summary in each transaction": (
        bank(f"kw.Transact([{ADD}, {PUT}], rate='200/s', hot_key='100/s')".replace(', rate="1/s"', "")),
        ["DDB062 p0: 100 transactions a second write its busiest key, 50 are recommended: they conflict, are "
         "cancelled and retried, each at double cost"],
    ),
    "an import of stock by transactions": (
        bank("kw.Transact([kw.Put(Account, batch=50)], rate='1/s')", kind="stock"),
        ["DDB063 p0: it writes 50 items of Account in one transaction: each costs two writes, and a conflict on one "
         "rejects all"],
    ),
    "an import of entries by full transactions": (
        bank("kw.Transact([kw.Put(Entry, if_absent=True, batch=100)], rate='1/s')"),
        ["DDB063 p0: it writes 100 items of Entry in one transaction: each costs two writes, and a conflict on one "
         "rejects all"],
    ),
    "a refund that an index expires": (
        CONFIRMED.replace("Annotated[datetime, kw.Ttl(after=timedelta(days=9))]", "datetime").replace(
            'id="{trade_id}", kind="money")',
            'id="{trade_id}", kind="money", indexes=[kw.Index("confirmed_at", expire_after=timedelta(days=9))])',
        ).replace("cents: int\n    side: int", "cents: int\n    reason: str\n    asked_by: str"),
        [f"GEN031 Confirmation: it expires after 9 days, {LAW}"],
    ),
    "a refund of a payment that is kept": (
        CONFIRMED.replace("cents: int\n    side: int", "cents: int\n    reason: str\n    asked_by: str"),
        [f"GEN031 Confirmation: it expires after 9 days, {LAW}"],
    ),
    "a confirmation of a trade that expires": (
        CONFIRMED.replace('keep_forever="law"', "expected=9").replace(
            "    at: datetime", "    at: Annotated[datetime, kw.Ttl(after=timedelta(days=9))]"
        ),
        [f"GEN031 Confirmation: it expires after 9 days, {LAW}", f"GEN031 Trade: it expires after 9 days, {LAW}"],
    ),
    "an import by transactions": (
        bank("kw.Transact([kw.Put(Account, if_absent=True, batch=11)], rate='1/s')", kind="record"),
        ["DDB063 p0: it writes 11 items of Account in one transaction: each costs two writes, and a conflict on one "
         "rejects all"],
    ),
    "a summary of all orders in each transaction": (
        bank(f"kw.Transact([{ADD}, {PUT}], rate='100/s')".replace(', rate="1/s"', "")).replace(
            'pk="ACCOUNT#{account_id}", sk="BALANCE"', 'pk="SUMMARY", sk="BALANCE"'
        ),
        ["DDB062 p0: 100 transactions a second write the same item of Account, 50 are recommended: they conflict, "
         "are cancelled and retried, each at double cost"],
    ),
    "a counter of calls in a minute": (
        work('RedisCounter(work, key="calls:{minute}", value="n")', role="primary")
        .replace("    job_id: Annotated[str, Field(max_length=20)]\n" + TEXT, "    minute: str\n    n: int\n"),
        ['RED004 Job: its keys never expire, on server "work" in the role of primary'],
    ),
    "a float of an amount": (
        ledger("amount: float"),
        [f'GEN107 Thing.amount: "amount" {FLOAT}'],
    ),
}  # fmt: skip

SILENT = {
    "a stream that keeps about an hour": work(STREAM.replace("3_600", "6_480"), ADD_JOB.replace("RATE", "2"), TAKE_JOB),
    "money whose every entry a consumer of the stream gets": TABLE_LEDGER % "queue",
    "an entry that is written far less often than the balance changes": bank(TAKE, PUT.replace("1/s", "1/day")),
    "stock whose title changes after an eventual read": bank(
        'kw.Get(Account, rate="9/s")',
        'kw.Update(Account, sets="title", rate="1/s")',
        'kw.Increment(Account, "left", by=-1, where={"left": kw.AtLeast(1)}, rate="1/s")',
        kind="stock",
        numbers="left: int\n    title: str",
    ),
    "stock that is given back after an eventual read": bank(
        'kw.Get(Account, rate="1/s")',
        'kw.Increment(Account, "left", by=1, rate="1/s")',
        kind="stock",
        numbers="left: int",
    ),
    "a version that an update sets": bank(
        'kw.Update(Account, sets="revision", rate="1/s")',
        kind="record",
        numbers="revision: Annotated[int, Field(ge=0)] = 0",
    ),
    "a popularity that a job computes": bank(
        'kw.Update(Account, sets="popularity", rate="1/s")',
        kind="record",
        numbers="popularity: Annotated[int, Field(ge=0)] = 0",
    ),
    "a number that is refreshed from other data": bank(
        'kw.Update(Account, sets="sold", rate="1/s")',
        kind="record",
        numbers="sold: Annotated[int, Field(ge=0)] = 0",
    ).replace(
        "class Account(BaseModel):", 'class Account(BaseModel):\n    """A show; `sold` is refreshed each minute."""\n'
    ),
    "a number of a version with two places": ledger(r'version: Annotated[str, Field(pattern=r"^\d+[.]\d{2}$")]'),
    "floats of embedded coordinates in records of money": (
        "class Spot(BaseModel):\n    lat: float\n    lon: float\n\n\n" + ledger("spot: Spot\n    cents: int", "money")
    ),
    "stock that is given back": bank(
        'kw.Increment(Account, "left", rate="1/s")', 'kw.Get(Account, rate="1/s")', kind="stock", numbers="left: int"
    ),
    "a status that another update sets freely": bank(
        'kw.Update(Account, sets="state", where={"state": "open"}, rate="1/s")',
        'kw.Update(Account, sets="state", rate="1/s")',
        'kw.Put(Account, rate="1/s")',
        kind="record",
        numbers='state: Literal["open", "paid"]',
    ),
    "an amount of a unit": ledger("amount: float\n    unit: str"),
    "an invoice that is kept for six years": ledger(f"{AT.replace('DAYS', '2_200')}\n    {CENTS}", kind="money"),
    "rights that callers keep for a while": ledger(
        "roles: Annotated[list[str], Field(max_length=9)] = []", keep="hours=12"
    ),
    "an amount in words": ledger(r'amount: Annotated[str, Field(pattern=r"^(small|large)$")]'),
    "measures beside an exact amount": ledger(
        "weight: float\n    cents: int\n    share_of_bill: float\n    currency: str", kind="money"
    ),
    "a price in a few copies": COPIED.replace("REFERRERS", "900"),
    "a small transaction": bank("kw.Transact([kw.Put(Account, if_absent=True, batch=10)], rate='1/s')", kind="record"),
    "a confirmation of a trade that is kept": CONFIRMED,
    "recent entries of what another store keeps": ledger(CENTS, kind="money") + RECENT,
    "the entries of a posting": bank("kw.Transact([kw.Put(Entry, if_absent=True, batch=50)], rate='1/s')"),
    "an append to a set": rows(
        "tags: Annotated[set[str], Field(max_length=9)] = set()\n    name: str", GET, 'kw.Put(Account, rate="1/s")'
    ),
    "counters for a badge": rows("n: int", 'kw.Increment(Account, "n", rate="1/s")', GET, options=COUNTER).replace(
        "    __store__", '    """Plays, never the basis of an invoice."""\n\n    __store__'
    ),
    "old counters that are deleted": rows(
        "n: int",
        'kw.Increment(Account, "n", rate="1/s")',
        'kw.Delete(Account, because="expiry", rate="1/day")',
        GET,
        options=COUNTER,
    ),
    "two tables with few fields in common": copies(field="f"),
    "two tables that are written at other rates": copies(rate="6/s"),
    "a count that a job sets once a day": bank(
        'kw.Update(Account, sets="views", rate="1/day")', kind="record", numbers="views: int"
    ),
    "a balance that is set under a condition": bank(
        'kw.Update(Account, sets=["balance", "version"], where={"version": 1}, rate="1/s")',
        numbers="balance: int\n    version: int",
    ),
    "changes by key and time": changes(),
    "keys of changes that are tried again": changes(consumers=CONSUMER.replace("queue", "retry")),
    "money that expires after as many days as the expected number tells": ledger(
        f"{AT.replace('after=timedelta(days=DAYS)', '')}\n    {CENTS}", kind="money"
    ).replace('kind="money"', 'kind="money", expected=200_000_000'),
    "increments that a transaction runs alone": bank(
        ADD.replace(', rate="1/s"', ""), f"kw.Transact([p0, {PUT}], rate='1/s')".replace(', rate="1/s"', "")
    ),
    "changes by their own identifier": changes('"event_id"').replace(
        "    day:", "    event_id: Annotated[str, Field(max_length=20)]\n    day:"
    ),
    "changes by user and time": changes('["user_id", "at"]'),
    "images of few bytes": changes(images="new_and_old"),
    "four change streams": changes(consumers=", ".join([CONSUMER] * 4)),
    "a stream that keeps an hour": work(STREAM, ADD_JOB.replace("RATE", "1"), TAKE_JOB, group=", max_deliveries=100"),
    "a stream that is claimed after five seconds": work(STREAM, TAKE_JOB).replace("seconds=60", "seconds=5"),
    "recent things in a list": work(LIST, 'kw.Take(Job, rate="1/s")', role="primary")
    .replace("Job", "View")
    .replace("job", "view"),
    "jobs that expire": work(LIST.replace("=100", "=100, ttl=timedelta(hours=1)"), 'kw.Take(Job, rate="1/s")'),
    "a cache of a second of what changes each second": cached("timedelta(seconds=1)", "11/s"),
    "a cache of six seconds": cached("timedelta(seconds=6)", "20/day"),
    "a limit of twenty-one calls": limit(21),
    "money in a log that is forced to the disk": work(
        'RedisHash(work, key="m:{job_id}", kind="money", expected=100)', role="primary"
    ).replace(
        'role="primary"',
        'role="primary", persistence=[kw.Aof(fsync="always")], settings={"min-replicas-to-write": 1}',
    ),
    "an increment with its entry": bank(f"kw.Transact([{ADD}, {PUT}], rate='1/s')".replace(', rate="1/s"', "")),
    "an increment with a condition": bank(TAKE),
    "an increment of figures": bank(ADD, kind="analytics").replace(
        'account = kw.Get(Account, consistency="strong", ', "account = kw.Get(Account, "
    ),
    "an increment of a count": bank(
        'kw.Increment(Account, "visits", rate="1/s")', kind="record", numbers="visits: int"
    ),
    "a decrement of a number with a minimum": bank(
        ADD.replace("by=800", "by=-1"), kind="stock", numbers="balance: Annotated[int, Field(ge=0)]"
    ),
    "an eventual list of money": bank(PUT, 'kw.Read(Entry, eq="account_id", limit=9, rate="1/s")'),
    "an eventual read of what only conditions change": bank(
        'kw.Get(Account, rate="1/s")',
        'kw.Update(Account, sets="state", where={"state": "open"}, rate="1/s")',
        numbers='state: Literal["open", "paid"]',
    ),
}


def messages(folder: Path, source: str) -> list[str]:
    return sorted(
        f"{finding.code} {finding.object}: {finding.message}" for finding in findings_of(folder, with_imports(source))
    )


@pytest.mark.parametrize("title", TOLD)
def test_a_problem_is_reported(title: str, tmp_path: Path) -> None:
    source, expected = TOLD[title]
    assert messages(tmp_path, source) == expected


@pytest.mark.parametrize("title", SILENT)
def test_a_sound_model_has_no_findings(title: str, tmp_path: Path) -> None:
    assert messages(tmp_path, SILENT[title]) == []
