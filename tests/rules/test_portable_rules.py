"""Rules of every engine: cases beside those of their pages, and models without findings."""

from datetime import date
from pathlib import Path

import pytest
from tests.projects import SOUND, a_project, findings_of, imported_alone, with_imports

from keywright import api
from keywright.api.check.evaluate import evaluate_models
from keywright.rules.options import RuleOptions
from keywright.rules.rule import Finding

MONGO = """
db = kw.MongoDatabase("db")


class User(BaseModel):
    __store__: ClassVar = kw.Collection(db, "users", id="{user_id}"USER)

    user_id: str
    email: Annotated[str, kw.Pii()]


class Order(BaseModel):
    __store__: ClassVar = kw.Collection(db, "orders", id="{order_id}"ORDER)

    order_id: str
    user_id: Annotated[str, kw.Ref(User, on_missing="ignore")]
FIELDS


user = kw.Get(User, rate="10/s")
order = kw.Get(Order, rate="10/s")
"""

TABLE = """
by_user = kw.Gsi("by_user", pk="gsi1pk", sk="gsi1sk")
table = kw.DynamoTable("table", gsis=[by_user])


class Order(BaseModel):
    __store__: ClassVar = kw.Item(
        table, pk="ORDER#{order_id}", sk="ORDER", gsis=[by_user.key(pk="USER#{user_id}", sk="{at:iso}")]ORDER
    )

    order_id: Annotated[str, Field(max_length=20)]
    user_id: Annotated[str, Field(max_length=20)]
    at: datetime
FIELDS


orders_of_user = kw.Read(Order, eq="user_id", order="-at", limit=20, rate="10/s")
"""


LINE = "class Line(BaseModel):\n    user_email: Annotated[str, kw.Pii()]\n\n\n"


def mongo(user: str = "", order: str = "", fields: str = "", more: str = "") -> str:
    return MONGO.replace("USER", user).replace("ORDER", order).replace("FIELDS", fields) + more


def table(order: str = "", fields: str = "", more: str = "") -> str:
    changed = TABLE.replace('"ORDER', '"O').replace("ORDER#", "O#")
    return changed.replace("ORDER", order).replace("FIELDS", fields) + more


def three(fields: str) -> str:
    """Three orders of a user, which are read by their user."""
    source = mongo(order=', indexes=[kw.Index("user_id")]', fields=fields)
    source = source.replace('"ignore")', '"ignore", max_referrers=3)')
    return source.replace("kw.Get(Order, rate", 'kw.Read(Order, eq="user_id", limit=3, rate')


COPY = mongo(
    fields='    mail: Annotated[str, kw.CopiedFrom(User, "email", sync="never"), kw.Pii()]',
    more='move = kw.Update(User, sets="email", rate="1/s")\nsave = kw.Put(Order, rate="1/s")\n',
)

PEOPLE = """
people = kw.MongoDatabase("people")


class Person(BaseModel):
    __store__: ClassVar = kw.Collection(people, "persons", id="{person_id}", expected=1_000OPTIONS)

    person_id: str
FIELDS


person = kw.Get(Person, eq="person_id", rate="10/s")
"""

NAME = "    name: Annotated[str, Field(max_length=80), kw.Pii()]\n"

ADD = 'add = kw.Put(Person, if_absent=True, rate="10/day")\n'
"""At which a thousand persons are reached in a hundred days."""


def people(fields: str, options: str = "", more: str = "") -> str:
    return PEOPLE.replace("FIELDS", fields).replace("OPTIONS", options) + more


def limiter(per: str) -> str:
    return f"""
gate = kw.RedisServer("gate", role="limiter")


class Login(BaseModel):
    __store__: ClassVar = kw.RedisRateLimit(
        gate, key="login:{{email:tag}}", limit=5, per=timedelta({per}), window="sliding"
    )

    email: Annotated[str, Field(pattern="^[^@:]+@[^@:]+$"), kw.Size(avg=24, max=254), kw.Pii()]


allow = kw.Take(Login, rate="1/s", p99_ms=5)
"""


def found_by(value: str = "email", fields: str = "", more: str = "") -> str:
    """A table of rows that leads from a personal value to a member."""
    return f"""
rows = kw.Keyspace("rows")


class Lookup(BaseModel):
    __store__: ClassVar = kw.CqlTable(rows, "lookups", partition="{value}")

    {value}: Annotated[str, kw.Size(avg=24, max=254), kw.Pii()]
    member_id: Annotated[str, kw.Ref("Member", on_missing="fail", max_referrers=1)]
{fields}

class Member(BaseModel):
    __store__: ClassVar = kw.CqlTable(rows, "members", partition="member_id")

    member_id: str
    level: int


member = kw.Get(Member, eq="member_id", rate="1/s")
{more}
lookup = kw.Get(Lookup, eq="{value}", rate="1/s")
"""


HASHED = """
class Block(BaseModel):
    __store__: ClassVar = kw.CqlTable(rows, "blocks", partition="number_hash")

    number_hash: str
    reason: str


block = kw.Get(Block, eq="number_hash", rate="1/s")
"""


def numbers(owner: str = "    operator: str", kind: str = "record") -> str:
    """Telephone lines by their number."""
    return mongo(
        more=f"""

class Line(BaseModel):
    __store__: ClassVar = kw.Collection(db, "lines", id="{{number}}", kind="{kind}")

    number: Annotated[str, Field(pattern=r"^\\d{{8,15}}$"), kw.Pii()]
{owner}


line = kw.Get(Line, eq="number", rate="10/s")
"""
    )


def message(body: str) -> str:
    """Messages to telephones."""
    return f"""
work = kw.RedisServer("work", role="queue")
MINUTE = timedelta(minutes=1)
group = kw.ConsumerGroup("g", idempotency="message_id", claim_after=MINUTE)


class Message(BaseModel):
    __store__: ClassVar = kw.RedisStream(work, key="messages", keep=100_000, groups=[group], kind="event")

    message_id: Annotated[str, Field(max_length=26)]
    phone: Annotated[str, Field(max_length=15), kw.Pii()]
{body}


send = kw.Put(Message, rate="1/s")
"""


def lookup(project: str, fields: str) -> str:
    return f"""
by_city = kw.Gsi("by_city", pk="city", sk="person_id"{project})
people = kw.DynamoTable("people", gsis=[by_city])


class Person(BaseModel):
    __store__: ClassVar = kw.Item(people, pk="PERSON#{{person_id}}", sk="PERSON")

    person_id: Annotated[str, Field(max_length=26)]
    city: Annotated[str, Field(max_length=40)]
    diagnosis: Annotated[str, Field(max_length=2_000), kw.Size(avg=900, max=8_000), kw.Pii()]


person = kw.Get(Person, eq="person_id", rate="1/s")
persons_of_city = kw.Read(Person, eq="city", limit=20{fields}, rate="1/s")
"""


def rows(index: str) -> str:
    return f"""
payroll = kw.Keyspace("payroll")


class Employee(BaseModel):
    __store__: ClassVar = kw.CqlTable(payroll, "employees", partition="employee_id", indexes=[kw.CqlIndex("{index}")])

    employee_id: str
    badge: str
    ssn: Annotated[str, Field(max_length=16), kw.Pii()]


employees = kw.Read(Employee, eq="{index}", limit=20, rate="1/day")
"""


TOLD = {
    "an e-mail address in the key of a limit": (limiter("minutes=6"), {("GEN035", "Login")}),
    "an address in the key of a row with contents": (found_by(fields="    note: str"), {("GEN035", "Lookup")}),
    "an address in a key of a project that hashes others": (found_by(more=HASHED), {("GEN035", "Lookup")}),
    "a number of somebody in a key": (numbers(owner='    owner: Annotated[str, kw.Ref(User, on_missing="ignore")]'),
        {("GEN035", "Line")}),
    "a number in the key of what somebody did": (numbers(kind="event"), {("GEN008", "Line"), ("GEN035", "Line")}),
    "a number beside a name": (numbers(owner=NAME[:-1]), {("GEN035", "Line")}),
    "a name and an address in a queue": (
        message("    name: Annotated[str, Field(max_length=80), kw.Pii()]"),
        {("GEN039", "Message")},
    ),
    "a message for two groups": (
        message("    text: Annotated[str, Field(max_length=480), kw.Pii()]").replace(
            "groups=[group]", 'groups=[group, kw.ConsumerGroup("h", idempotency="message_id", claim_after=MINUTE)]'
        ),
        {("GEN039", "Message")},
    ),
    "a passport number in a computed part of a partition key": (
        rows("badge").replace(
            'partition="employee_id"', 'partition="place", computed={"place": "{ssn}#"}'
        ),
        {("GEN035", "Employee")},
    ),
    "a card in an embedded model": (
        people("    cards: list[Card] = Field(max_length=3)").replace(
            "class Person", "class Card(BaseModel):\n    card_number: str\n    cvc: str\n\n\nclass Person"
        ),
        {("GEN036", "Person.cards")},
    ),
    "the number of an embedded card": (
        people("    card: Card").replace("class Person", "class Card(BaseModel):\n    number: str\n\n\nclass Person"),
        {("GEN036", "Person.card")},
    ),
    "a bank account in a session": (
        people("    iban: str\n    ends: Annotated[datetime, kw.Ttl()]", ', kind="session"'),
        {("GEN036", "Person.iban")},
    ),
    "personal fields without a mark": (
        people(
            "    contact_email: str\n    birth_date: date\n    phone: str | None = None\n    passport_number: str\n"
            "    billing_address: str"
        ),
        {
            ("GEN037", f"Person.{name}")
            for name in ("contact_email", "birth_date", "phone", "passport_number", "billing_address")
        },
    ),
    "a key without a mark": (
        people("").replace("person_id", "email"), {("GEN037", "Person.email")},
    ),
    "persons who are never removed": (people(NAME, more=ADD), {("GEN038", "Person")}),
    "images of persons who are erased": (
        people(NAME, ', stream=kw.Stream(images="new", consumers=[kw.Consumer("mail", idempotency="person_id", '
               'on_failure="queue")])', "erase = kw.Delete(Person, rate=\"1/day\")\n"),
        {("GEN039", "Person")},
    ),
    "images of persons whom a request gives an end": (
        people(
            f"{NAME}    ends: Annotated[datetime | None, kw.Ttl()] = None",
            ', stream=kw.Stream(images="old", consumers=[kw.Consumer("mail", idempotency="person_id", '
            'on_failure="queue")])',
            'forget = kw.Update(Person, sets="ends", rate="1/day")\n',
        ),
        {("GEN039", "Person")},
    ),
    "a read of a write by an index": (
        table(more='buy = kw.Put(Order, if_absent=True, rate="1/s")\nmine = kw.Read(Order, eq="user_id", '
                   'order="-at", limit=2, reads_back=[buy], rate="1/s")\n'),
        {("GEN009", "mine")},
    ),
    "events of a person's model": (
        "class Who(BaseModel):\n    name: str\n    email: str\n\n\n"
        + people("    who: Annotated[Who, kw.Pii()]", ', kind="queue"'),
        {("GEN039", "Person")},
    ),
    "telephone numbers and a day of birth": (
        people("    mobile_numbers: list[str]\n    birth: date"),
        {("GEN037", "Person.mobile_numbers"), ("GEN037", "Person.birth")},
    ),
    "a telephone number by its pattern": (
        people(r'    line: Annotated[str, Field(pattern=r"^\+[0-9]{7,15}$")]'), {("GEN037", "Person.line")},
    ),
    "a card number by its pattern": (
        people(r'    means: Annotated[str, Field(pattern=r"^[3-6][0-9]{12,18}$")]'), {("GEN036", "Person.means")},
    ),
    "a secret with the length of a password": (
        people("    login_secret: Annotated[str, Field(min_length=8, max_length=72)]"),
        {("GEN036", "Person.login_secret")},
    ),
    "a copy that nothing updates": (COPY, {("GEN007", "Order.mail")}),
    "answers that are cached for two days": (
        people(NAME).replace('rate="10/s"', 'rate="10/s", cache_ttl=timedelta(days=2)'), {("GEN040", "person")},
    ),
    "answers with one personal field": (
        people(NAME).replace('rate="10/s"', 'fields=["name"], rate="10/s", cache_ttl=timedelta(days=2)'),
        {("GEN040", "person")},
    ),
    "a card by its length": (
        people("    credit_card: Annotated[str, Field(max_length=19)]"), {("GEN036", "Person.credit_card")},
    ),
    "telephones by their length": (
        people("    mobile: Annotated[str, Field(max_length=20)]\n    line: Line\n").replace(
            "class Person", "class Line(BaseModel):\n    tel: Annotated[str, Field(max_length=16)]\n\n\nclass Person"
        ),
        {("GEN037", "Person.mobile"), ("GEN037", "Person.line")},
    ),
    "a link that is sent once": (
        people("").replace("person_id: str", 'person_id: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]')
        .replace("Person", "MagicLink"),
        {("GEN041", "MagicLink")},
    ),
    "an invitation by its code": (
        people(NAME).replace("person_id", "code").replace("Person", "TeamInvitation"),
        {("GEN041", "TeamInvitation")},
    ),
    "a token beside the key": (
        people("    token: str").replace("Person", "PasswordReset"), {("GEN041", "PasswordReset")},
    ),
    "an index that copies a diagnosis for nobody": (
        lookup("", ', fields=["person_id"]'), {("GEN042", "people.by_city")},
    ),
    "a lookup by a social security number": (rows("ssn"), {("GEN042", "Employee.ssn")}),
    "an index that serves nothing": (mongo(order=', indexes=[kw.Index("user_id")]'), {("GEN001", "Order.user_id_1")}),
    "an index that repeats the key": (
        table().replace(
            "gsis=[by_user])", 'gsis=[by_user, kw.Gsi("repeated", pk="order_id")])'
        ),
        {("GEN001", "table.repeated")},
    ),
    "a copy in an embedded model": (
        mongo(fields="    line: Line").replace("class Order", f"{LINE}class Order"),
        {("GEN007", "Order.line")},
    ),
    "a copy that follows a stream that is not there": (
        mongo(fields='    mail: Annotated[str, kw.CopiedFrom(User, "email", sync="stream"), kw.Pii()]'),
        {("GEN007", "Order.mail")},
    ),
    "a copy of the present that keeps its first value": (
        mongo(
            fields='    current_mail: Annotated[str, kw.CopiedFrom(User, "email", sync="never"), kw.Pii()]',
            more='move = kw.Update(User, sets="email", rate="9/day")\n',
        ),
        {("GEN007", "Order.current_mail")},
    ),
    "few that are read all at once": (
        three("    cents: int"), {("GEN020", "Order.user_id")},
    ),
    "a stage that is done before it runs": (
        mongo(order=', cut_over=kw.CutOver("SQL", stage="dual-write", done=["shadow-read"])'),
        {("GEN013", "Order")},
    ),
    "a gap among stored versions": (
        mongo(order=', schema_version=3, upgrades={1: kw.Upgrade(rename={"user_id": "old"})}'),
        {("GEN019", "Order")},
    ),
    "a document that comes near": (
        mongo(fields="    text: Annotated[str, Field(max_length=1_500_000)]").replace(
            'id: str\n    user_id: Annotated[str, ', 'id: Annotated[str, Field(max_length=20)]\n'
            "    user_id: Annotated[str, Field(max_length=20), "
        ),
        {("GEN011", "Order.text")},
    ),
    "a list that grows": (
        table(fields="    notes: list[str] = []", more='note = kw.Update(Order, pushes="notes", rate="1/s")\n'),
        {("GEN011", "Order.notes")},
    ),
    "a mapping of models that grows": (
        "class Note(BaseModel):\n    text: str\n\n\n"
        + table(fields="    notes: dict[str, Note] = {}", more='note = kw.Update(Order, sets="notes", rate="1/s")\n'),
        {("GEN011", "Order.notes")},
    ),
    "logins without a kind": (
        table(more='add = kw.Put(Order, if_absent=True, rate="1/s")\n')
        .replace("order_id: Annotated[str, Field(max_length=20)]", "order_id: Annotated[str, HASH]")
        .replace("HASH", 'Field(pattern=r"^[0-9a-f]{64}$")')
        .replace("Order", "UserSession"),
        {("GEN008", "UserSession")},
    ),
    "requests by their idempotency key": (
        table(more='add = kw.Put(Order, if_absent=True, rate="1/s")\n').replace("order_id", "idempotency_key"),
        {("GEN008", "Order")},
    ),
    "a search in DynamoDB": (
        table(more='found = kw.Read(Order, search=["user_id"], limit=5, rate="1/s")\n'),
        {("GEN004", "found"), ("GEN012", "found")},
    ),
    "a search of vectors in DynamoDB": (
        table(fields="    shape: Annotated[list[float], kw.Vector(3)]",
              more='found = kw.Read(Order, near="shape", limit=5, rate="1/s")\n'),
        {("GEN004", "found"), ("GEN012", "found")},
    ),
    "stock that is written weakly": (
        table(order=', kind="stock"', fields="    left: int",
              more='take = kw.Increment(Order, "left", by=-1, consistency="eventual", rate="1/s")\n'),
        {("GEN010", "take"), ("GEN025", "take")},
    ),
    "a feed that is read strongly": (
        table(order=', kind="feed"', more='one = kw.Get(Order, consistency="strong", rate="1/s")\n'),
        {("GEN010", "one")},
    ),
    "an increment of a number in a key": (
        table(fields="    place: Annotated[int, Field(ge=0, le=99)]",
              more='move = kw.Increment(Order, "place", rate="1/s")\n').replace("{at:iso}", "{place:pad(2)}{at:iso}"),
        {("GEN105", "move")},
    ),
}  # fmt: skip
"""A model file, and the codes and objects of its findings."""

SILENT = {
    "a network address in the key of a limit": limiter("minutes=15")
    .replace("email", "address")
    .replace('Field(pattern="^[^@:]+@[^@:]+$"), kw.Size(avg=24, max=254)', "Field(max_length=45)"),
    "a row that leads from an address to a member": found_by(),
    "a copy whose source is read through a cache": """
rows = kw.Keyspace("rows")
cache = kw.RedisServer("cache", role="cache")


class Track(BaseModel):
    __store__: ClassVar = kw.CqlTable(rows, "tracks", partition="track_id")

    track_id: str
    title: str


class AlbumTrack(BaseModel):
    __store__: ClassVar = kw.CqlTable(rows, "album_tracks", partition="album_id", clustering="track_id")

    album_id: str
    track_id: str
    title: Annotated[str, kw.CopiedFrom(Track, "title", sync="job")]


cached = kw.bind(
    Track, kw.RedisCache(cache, key="track:{track_id}", ttl=timedelta(hours=1), source_of_truth=Track, expected=1_000)
)
write = kw.Put(Track, rate="1/s")
write_album = kw.Put(AlbumTrack, rate="1/s")
fill = kw.Put(cached, rate="700/s")
track = kw.Get(cached, eq="track_id", rate="7k/s")
album = kw.Read(AlbumTrack, eq="album_id", limit=50, rate="900/s")
""",
    "a mapping of texts that is replaced": table(
        fields="    labels: dict[str, str] = {}", more='label = kw.Update(Order, sets="labels", rate="1/s")\n'
    ),
    "sessions of training": table(
        fields="    minutes: int", more='add = kw.Put(Order, rate="1/s")\n'
    ).replace("Order", "Session"),
    "cached answers without the personal field": people(NAME).replace(
        'rate="10/s"', 'fields=["person_id"], rate="10/s", cache_ttl=timedelta(days=2)'
    ),
    "a card and a telephone that are things": people(
        "    debit_card: Annotated[str, Field(max_length=120)]\n    mobile: bool = False\n"
        "    tel: Annotated[str, Field(max_length=2)]"
    ),
    "a reset of a machine": people("").replace("Person", "MachineReset"),
    "ids of the length of a bank account in a session": people(
        '    device: Annotated[str, Field(pattern="^[0-9A-Za-z]{22}$")]\n    ends: Annotated[datetime, kw.Ttl()]',
        ', kind="session"',
    ),
    "a code that replaces the former one": people(
        "    used: bool = False\n    ends: Annotated[datetime, kw.Ttl()]",
        ', kind="token"',
        'send = kw.Put(Person, rate="1/s")\nuse = kw.Update(Person, sets="used", where={"used": False}, rate="1/s")\n',
    ),
    "rows that a group of consumers writes": """
taps = kw.RedisServer("taps", role="queue")
rows = kw.Keyspace("rows")
engine = kw.ConsumerGroup("engine", idempotency="tap_id", claim_after=timedelta(minutes=1))


class Tap(BaseModel):
    __store__: ClassVar = kw.RedisStream(taps, key="taps", keep=1_000, groups=[engine])

    tap_id: str
    gate: str
    line: str
    fare: int


class TapRow(BaseModel):
    __store__: ClassVar = kw.CqlTable(rows, "taps", partition="tap_id", keep_forever="statistics")

    tap_id: str
    gate: str
    line: str
    fare: int


publish = kw.Put(Tap, rate="9/s")
take = kw.Take(Tap, group=engine, limit=10, rate="1/s")
record = kw.Put(TapRow, rate="9/s")
row = kw.Get(TapRow, eq="tap_id", rate="1/s")
""",
    "images of records that end when they are closed": people(
        f'{NAME}    state: Literal["open", "closed"]\n    ends: Annotated[datetime | None, kw.Ttl()] = None',
        ', stream=kw.Stream(consumers=[kw.Consumer("mail", idempotency="person_id", on_failure="queue")])',
        'close = kw.Update(Person, sets=["state", "ends"], rate="1/day")\n',
    ),
    "images of persons who expire": people(
        f"{NAME}    ends: Annotated[datetime, kw.Ttl()]",
        ', stream=kw.Stream(consumers=[kw.Consumer("mail", idempotency="person_id", on_failure="queue")])',
    ),
    "few that are read more rarely than their parent": three("    cents: int").replace(
        'limit=3, rate="', 'limit=3, rate="0.'
    ),
    "few that expire": three("    cents: int\n    ends: Annotated[datetime, kw.Ttl()]"),
    "few whose request must not repeat": three("    cents: int")
    + 'buy = kw.Put(Order, if_absent=True, rate="1/day")\n',
    "few that are large": three("    text: Annotated[str, Field(max_length=20_000)]"),
    "few of which a read loads the latest": three("    cents: int").replace("max_referrers=3", "max_referrers=4"),
    "the index that a server creates for a time series": """
db = kw.MongoDatabase("db")


class Reading(BaseModel):
    __store__: ClassVar = kw.TimeSeries(db, "readings", time="at", meta="probe", ttl=timedelta(days=2), kind="reading")

    at: AwareDatetime
    probe: str


record = kw.Put(Reading, rate="1/s")
""",
    "a message on its way": message("    text: Annotated[str, Field(max_length=480), kw.Pii()]"),
    "the number of a line": numbers(),
    "the number of a line that somebody may use": numbers(
        owner='    owner: Annotated[str | None, kw.Ref(User, on_missing="ignore")] = None'
    ),
    "the number of a device": numbers(owner=NAME[:-1]).replace("number", "imei"),
    "an address in a key for five minutes": limiter("minutes=5"),
    "a pseudonym in the key": people("").replace('person_id: str', 'person_id: Annotated[str, kw.Pii()]'),
    "a hash of a password, a token of a card and its last digits": people(
        "    password_hash: str\n    card_token: str\n    card_last4: str\n    "
        'password: Annotated[str, Field(pattern=r"^\\$argon2id\\$.+$")]'
    ),
    "sixteen digits, a date and any text": people(
        '    number: Annotated[str, Field(pattern=r"^[0-9]{16}$")]\n'
        '    day: Annotated[str, Field(pattern=r"^[0-9-]{10}$")]\n    line: Annotated[str, Field(pattern=r"^.+$")]'
    ),
    "a secret of a machine": people("    secret: Annotated[str, Field(min_length=40, max_length=200)]"),
    "a copy in what is written once": COPY.replace("kw.Put(Order", "kw.Put(Order, if_absent=True"),
    "a text of fixed length": people("    password: Annotated[str, Field(min_length=60, max_length=60)]"),
    "a card that pays nothing": people("    card_number: str").replace("Person", "LoyaltyAccount"),
    "a reset that ends": people("    token: str\n    expires_at: datetime").replace("Person", "PasswordReset"),
    "the code of a confirmation": people("").replace("person_id", "code").replace("Person", "OrderConfirmation"),
    "a bank account of an entity that lasts": people("    iban: str"),
    "names that are no addresses": people(
        "    email_hash: str\n    email_verified: bool\n    phone_type: str\n    mail: Literal['on', 'off']\n"
        "    email_id: str"
    ),
    "persons who expire": people(f"{NAME}    left_at: Annotated[datetime, kw.Ttl()]", more=ADD),
    "persons who are kept for a reason": people(NAME, ', keep_forever="law"', ADD),
    "persons who are erased": people(NAME, more=f'{ADD}erase = kw.Delete(Person, rate="1/day")\n'),
    "persons who are made anonymous": people(NAME, more=f'{ADD}mask = kw.Update(Person, sets="name", rate="1/day")\n'),
    "persons who are reached in more than a year": people(NAME, more=ADD.replace("10/day", "2/day")),
    "persons who may be written again": people(NAME, more=ADD.replace("if_absent=True, ", "")),
    "answers that are cached for a day": people(NAME).replace('"10/s"', '"10/s", cache_ttl=timedelta(days=1)'),
    "an index whose query returns the diagnosis": lookup("", ""),
    "an index of keys": lookup(', project="keys"', ', fields=["person_id"]'),
    "an index on a badge": rows("badge"),
    "a unique index that no pattern asks": mongo(user=', indexes=[kw.Index("email", unique=True)]'),
    "an index that a join looks up": mongo(user=', indexes=[kw.Index("email")]', more=(
        'totals = kw.Aggregate(Order, group=["{user_id}"], measures={"n": kw.Distinct("order_id")}, rate="1/day",\n'
        '    joins=[kw.Join(User, on={"user_id": "user_id"}, fields="email")])\n'
    )),
    "the key of another entity": mongo(fields="    user_user_id: str"),
    "a name like that of another kind": mongo(fields="    user_email: int"),
    "the value of a moment": mongo(
        fields='    mail: Annotated[str, kw.CopiedFrom(User, "email", sync="never"), kw.Pii()]'
    ),
    "a copy that follows a stream": mongo(
        user=', stream=kw.Stream(consumers=[kw.Consumer("mails", idempotency="user_id", on_failure="queue")])',
        fields='    mail: Annotated[str, kw.CopiedFrom(User, "email", sync="stream"), kw.Pii()]',
    ),
    "sessions that stay for a reason": mongo(user=', kind="session", keep_forever="the law"'),
    "a busy index over what changes": table(more=(
        'touch = kw.Update(Order, sets=["at", "user_id"], rate="1/s")\n'
    )).replace('rate="10/s"', 'rate="900/s"'),
    "an index that is asked as often as the key": table(
        more='one = kw.Get(Order, rate="900/s")\n').replace('rate="10/s"', 'rate="900/s"'),
    "text without a bound": mongo(fields="    text: str"),
    "few of which each is changed alone": mongo(
        order=', indexes=[kw.Index("user_id")]', more='change = kw.Update(Order, sets="user_id", rate="1/s")\n'
    ).replace('"ignore")', '"ignore", max_referrers=3)').replace(
        "kw.Get(Order, rate", 'kw.Read(Order, eq="user_id", limit=3, rate'
    ),
    "few that are found by their own key": mongo().replace('"ignore")', '"ignore", max_referrers=3)'),
    "a pattern that nothing serves for a reason": table(
        more='found = kw.Read(Order, search=["user_id"], unserved="asked elsewhere")\n'),
    "all of a key in an update": table(
        fields="    place: Annotated[int, Field(ge=0, le=99)]",
        more='move = kw.Update(Order, sets=["place", "at"], rate="1/s")\n',
    ).replace("{at:iso}", "{place:pad(2)}{at:iso}"),
}  # fmt: skip
"""Model files without findings."""


def findings_in(folder: Path, source: str) -> list[Finding]:
    """What the rules of every engine say of a model file."""
    return [finding for finding in findings_of(folder, with_imports(source)) if finding.code.startswith("GEN")]


@pytest.mark.parametrize("title", TOLD)
def test_a_problem_is_reported(title: str, tmp_path: Path) -> None:
    source, expected = TOLD[title]
    assert {(finding.code, finding.object) for finding in findings_in(tmp_path, source)} == expected


@pytest.mark.parametrize("title", SILENT)
def test_a_sound_model_has_no_findings(title: str, tmp_path: Path) -> None:
    assert [
        f"{finding.code} {finding.object}: {finding.message}" for finding in findings_in(tmp_path, SILENT[title])
    ] == []


def test_what_comes_near_a_limit_is_a_warning_and_what_passes_it_is_worse(tmp_path: Path) -> None:
    source = with_imports(TOLD["a document that comes near"][0])
    assert severities(tmp_path / "near", source) == {"GEN011": "warning"}
    assert severities(tmp_path / "far", source.replace("1_500_000", "9_500_000")) == {"MDB049": "error"}


def test_a_project_without_patterns_is_reported_unless_it_need_not_have_any(tmp_path: Path) -> None:
    source = with_imports(mongo().partition("\nuser = ")[0])
    assert severities(tmp_path / "required", source) == {"GEN001": "error"}
    rule_options = RuleOptions(parameters={"GEN001": {"require_patterns": False}})
    assert severities(tmp_path / "not", source, rule_options) == {}


def test_the_strict_profile_asks_every_pattern_for_its_target(tmp_path: Path) -> None:
    source = with_imports(mongo())
    assert severities(tmp_path / "default", source) == {}
    assert severities(tmp_path / "strict", source, RuleOptions(profile="strict")) == {"GEN002": "error"}
    rule_options = RuleOptions(profile="strict", parameters={"GEN002": {"required": ("rate",)}})
    assert severities(tmp_path / "optional", source, rule_options) == {}


def severities(folder: Path, source: str, options: RuleOptions | None = None) -> dict[str, str]:
    """Severities of the findings by code, in a gated environment."""
    folder.mkdir()
    stack = SOUND.replace("mode: dev", "mode: gated") + "    history: mongodb/db\n"
    with imported_alone(folder):
        settings = a_project(folder, {"models/case.py": source, "stacks/Pulumi.dev.yaml": stack})
        compiled = api.compile(api.load(str(settings.root)), "dev")
        report = evaluate_models(compiled, date(2026, 11, 22), options or RuleOptions())
        return {finding.code: finding.severity for finding in report.findings}


def test_a_part_of_a_transaction_is_not_asked_for_a_rate_that_is_refused_there(tmp_path: Path) -> None:
    source = """
    shop = kw.DynamoTable("shop")


    class User(BaseModel):
        __store__: ClassVar = kw.Item(shop, pk="USER#{user_id}", sk="PROFILE")

        user_id: str
        name: str


    put_user = kw.Put(User)
    rename = kw.Update(User, sets="name")
    both = kw.Transact([put_user, kw.Delete(User)], rate="1/s")
    """
    findings = findings_of(tmp_path, with_imports(source))
    assert [finding.object for finding in findings if finding.code == "GEN002"] == ["rename"]


MODES = """
    mode: {mode}
    tags: {{{tags}}}
    monitoring: {{alarms: true, topic: "arn:aws:sns:eu-west-1:123456789012:on-call"}}
    dynamodb: {{flavour: dynamodb, billing: on-demand, encryption: aws-managed, point-in-time-recovery: true}}
"""


@pytest.mark.parametrize(
    ("mode", "tags", "codes"),
    [
        ("dev", "stage: prod", ["GEN043"]), ("dev", "env: production", ["GEN043"]),
        ("dev", "stage: live2", ["GEN043"]), ("gated", "stage: prod", []),
        ("dev", "stage: non-production-like", []), ("dev", "product: prod", []), ("dev", "stage: preprod", []),
    ],
)  # fmt: skip
def test_production_by_a_label_does_not_follow_its_models(
    mode: str, tags: str, codes: list[str], tmp_path: Path
) -> None:
    stack = f"config:\n  keywright:environment:{MODES.format(mode=mode, tags=tags)}"
    files = {"models/case.py": with_imports(table()), "stacks/Pulumi.dev.yaml": stack}
    assert [finding.code for finding in findings_of(tmp_path, files)] == codes


@pytest.mark.parametrize(("tag", "codes"), [("prod", ["GEN043", "DDB029"]), ("test", [])])
def test_production_is_judged_as_production_whatever_its_mode(tag: str, codes: list[str], tmp_path: Path) -> None:
    modes = MODES.format(mode="dev", tags=f"stage: {tag}").replace("recovery: true", "recovery: false")
    stack = f"config:\n  keywright:environment:{modes}"
    files = {"models/case.py": with_imports(table()), "stacks/Pulumi.dev.yaml": stack}
    found = findings_of(tmp_path, files)
    assert {finding.code for finding in found} == {*codes}
    assert {finding.severity for finding in found} <= {"error"}


def test_production_that_follows_its_models_is_judged_as_production(tmp_path: Path) -> None:
    limits = "on-demand-limits: {{read: 5000, write: 50}}, billing"
    stack = "config:\n  keywright:environment:" + MODES.replace("billing", limits)
    source = with_imports(table(more='add = kw.Put(Order, if_absent=True, rate="90/s")\n'))

    def severities_of(tags: str) -> dict[str, str]:
        files = {"models/case.py": source, "stacks/Pulumi.dev.yaml": stack.format(mode="dev", tags=tags)}
        return {finding.code: finding.severity for finding in findings_of(tmp_path, files)}

    assert severities_of("stage: test") == {}
    assert severities_of("stage: prod") == {"DDB034": "error", "GEN043": "error"}


@pytest.mark.parametrize(
    ("config", "codes"),
    [
        ("", ["GEN044"]),
        ("  aws:region: eu-west-1\n", []),
        ("  aws:profile: development\n", []),
        ("  topic: arn:aws:sns:eu-west-1:123456789012:calls\n", ["GEN044"]),
    ],
)
def test_environments_are_apart_by_region_account_or_prefix(config: str, codes: list[str], tmp_path: Path) -> None:
    stack = "config:\n{}  keywright:environment:" + MODES
    files = {
        "models/case.py": with_imports(table()),
        "stacks/Pulumi.dev.yaml": stack.format(config, mode="dev", tags=""),
        "stacks/Pulumi.prod.yaml": stack.format("", mode="gated", tags=""),
        "stacks/Pulumi.broken.yaml": "config: [",
    }
    assert [finding.code for finding in findings_of(tmp_path, files)] == codes


CLUSTERS = """
config:
  aws:region: eu-west-1
  keywright:environment:
    mode: {mode}
    history: mongodb/db
    mongodb: {{flavour: atlas, version: "8.0", database-prefix: "{database}"}}
    cassandra: {{flavour: cassandra, version: "5.0", datacentres: {{{datacentre}: 3}}, keyspace-prefix: "{keyspace}"}}
"""


@pytest.mark.parametrize(
    ("database", "datacentre", "keyspace", "told"),
    [
        ("dev_", "eu", "dev_", ""),
        ("dev_", "other", "", ""),
        ("", "other", "dev_", "mongodb (eu-west-1)"),
        ("", "eu", "", "cassandra (eu) and mongodb (eu-west-1)"),
    ],
)
def test_environments_are_apart_by_prefix_in_one_cluster(
    database: str, datacentre: str, keyspace: str, told: str, tmp_path: Path
) -> None:
    given = {"database": database, "datacentre": datacentre, "keyspace": keyspace}
    rows = """
        ks = kw.Keyspace("rows")

        class Row(BaseModel):
            __store__: ClassVar = kw.CqlTable(ks, "rows", partition="row_id")

            row_id: str
            text: str

        row = kw.Get(Row, eq="row_id", rate="1/s", p99_ms=9)
        """
    files = {
        "models/case.py": with_imports(people(""), rows).replace('"people"', '"db"'),
        "stacks/Pulumi.dev.yaml": CLUSTERS.format(mode="dev", **given),
        "stacks/Pulumi.prod.yaml": CLUSTERS.format(mode="gated", database="", datacentre="eu", keyspace=""),
    }
    found = [finding.message for finding in findings_of(tmp_path, files) if finding.code == "GEN044"]
    problem = f'it has the same flavour, place and names as "prod" for {told}: a test run that gets its address'
    assert [message.partition(" changes the data")[0] for message in found] == ([problem] if told else [])


def test_accounts_in_names_of_resources_tell_environments_apart(tmp_path: Path) -> None:
    stack = "config:\n  keywright:environment:" + MODES.replace("123456789012", "{account}")
    files = {
        "models/case.py": with_imports(table()),
        "stacks/Pulumi.dev.yaml": stack.format(account="123456789012", mode="dev", tags=""),
        "stacks/Pulumi.prod.yaml": stack.format(account="210987654321", mode="gated", tags=""),
    }
    assert findings_of(tmp_path, files) == ()


@pytest.mark.parametrize(
    ("config", "codes"),
    [
        ("app:databasePassword: hunter2", ["GEN045"]),
        ("app:search: 'https://search.example.com/?user=a&password=p4ss'", ["GEN045"]),
        ("app:password: arn:aws:secretsmanager:eu-west-1:1:secret:a", []),
        ("app:urls: [{search: 'https://u:p4ss@search.example.com'}]", ["GEN045"]),
        ("app:url: 'mongodb://app:p4ss@localhost/db'", []),
        ("app:url: 'mongodb://app:${PASSWORD}@db.example.com/db'", []),
        ("app:url: 'mongodb://db.example.com/db'", []),
        ("app:databasePassword: {secure: v1:AAAA}", []),
    ],
)
def test_a_password_in_a_stack_file_is_reported(config: str, codes: list[str], tmp_path: Path) -> None:
    files = {
        "models/case.py": with_imports(mongo()),
        "stacks/Pulumi.dev.yaml": SOUND.replace("config:\n", f"config:\n  {config}\n", 1),
    }
    findings = findings_of(tmp_path, files)
    assert [finding.code for finding in findings] == codes
    assert not any("p4ss" in str(finding) or "hunter2" in str(finding) for finding in findings)


REASONS = {
    "no text index": (
        mongo(order=', indexes=[kw.Index("user_id")]', fields="    text: str",
              more='found = kw.Read(Order, search=["text"], limit=5, rate="1/s")\n'),
        '"orders" has no text index, which a search needs',
    ),
    "an order without a condition": (
        mongo(fields="    at: datetime", more='found = kw.Read(Order, order="-at", limit=5, rate="1/s")\n'),
        'neither "_id" nor an index of "orders" starts with "at"',
    ),
    "a field in no key": (
        table(fields="    note: str", more='found = kw.Read(Order, eq="note", limit=5, rate="1/s")\n'),
        'no key or index of "table" starts with "note"',
    ),
    "another order": (
        table(fields="    note: str", more='found = kw.Read(Order, eq="user_id", order="note", limit=5, rate="1/s")\n'),
        'gsi by_user has the order of "at", and the pattern needs "note"',
    ),
}  # fmt: skip
"""A pattern that nothing serves, and the reason of the nearest key or index."""


@pytest.mark.parametrize("title", REASONS)
def test_an_unserved_pattern_is_reported_with_the_nearest_reason(title: str, tmp_path: Path) -> None:
    source, reason = REASONS[title]
    messages = [finding.message for finding in findings_of(tmp_path, with_imports(source)) if finding.code == "GEN004"]
    assert messages == [f"it is not served: {reason}"]
