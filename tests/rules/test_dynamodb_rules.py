"""Rules of DynamoDB: cases beside those of their pages, and models without findings."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.projects import findings_of, with_imports
from tests.properties.dynamodb import environments, targets

from keywright.engines.dynamodb.catalogue import RULES
from keywright.engines.dynamodb.declare.settings import DynamoEnvironment
from keywright.engines.dynamodb.schema.place import place
from keywright.engines.dynamodb.schema.target import TableTarget
from keywright.engines.findings.context import TargetInEnvironment
from keywright.record import replace
from keywright.rules.rule import Finding
from keywright.rules.run import run_finder


def findings_in(folder: Path, source: str) -> list[Finding]:
    """The findings of the rules for DynamoDB."""
    return [finding for finding in findings_of(folder, with_imports(source)) if finding.code.startswith("DDB")]


def order(*patterns: str, item: str = "", gsis: str = "", fields: str = "", pk: str = "ORDER#{order_id}") -> str:
    """An entity with these keys and fields, and patterns p0, p1, … on it."""
    lines = "\n".join(f"p{at} = {pattern}" for at, pattern in enumerate(patterns))
    return f"""
table = kw.DynamoTable("orders", discriminator=None, gsis=[{gsis}])


class Order(BaseModel):
    __store__: ClassVar = kw.Item(table, pk="{pk}", sk="ORDER#{{at:iso}}"{item})

    order_id: Annotated[str, kw.Size(avg=20, max=26)]
    user: Annotated[str, kw.Size(avg=10, max=20)]
    status: Literal["open", "closed"]
    at: datetime
{fields}

{lines}
"""


TENANT = "    tenant: Annotated[str, kw.Cardinality(distinct=200)]"
NOTES = "    notes: Annotated[list[Annotated[str, Field(max_length=5_000)]], Field(max_length=100)]"
BY_USER = 'kw.Read(Order, eq="user", order="-at", limit=50, rate="RATE")'
OF_DAY = 'by_day = kw.Gsi("by_day", pk="gsi1pk", sk="gsi1sk", project="keys")'
DAY = ', gsis=[by_day.key(pk="DAY#{at:date}", sk="{at:iso}")]'
SHARDED = ', gsis=[by_day.key(pk="DAY#{at:date}#{order_id:shard(10)}", sk="{at:iso}")]'
READ_DAY = 'kw.Read(Order, range="at", span=timedelta(days=1), order="at", limit=9, fan_out=20, rate="1/s")'

BY_DRIVER = 'by_driver = kw.Gsi("by_driver", pk="k1", sk="k2", project="keys")\n'
OF_DRIVER = ', gsis=[by_driver.key(pk="DRIVER#{driver}", sk="{taken:iso}")]'
DRIVER = "    driver: Annotated[str, kw.Size(avg=9, max=9)] | None = None\n    taken: datetime | None = None"
REQUEST = 'kw.Put(Order, if_absent=True, rate="170/s")'
ACCEPT = 'kw.Update(Order, sets=["status", "driver", "taken"], where={"status": "open"}, rate="150/s")'
DRIVEN = (
    'kw.Read(Order, eq="driver", where={"taken": kw.Present()}, order="-taken", fields="order_id", limit=9, rate="1/s")'
)


def accepted(*patterns: str, fields: str = DRIVER) -> str:
    """An order whose driver is known later, in an index by driver."""
    return BY_DRIVER + order(*patterns, DRIVEN, gsis="by_driver", fields=fields, item=OF_DRIVER)


SWEEP = """
due = kw.Gsi("due", pk="k1", sk="k2", project=["hold_id", "state"])
table = kw.DynamoTable("holds", discriminator=None, gsis=[due])


class Hold(BaseModel):
    __store__: ClassVar = kw.Item(
        table,
        pk="HOLD#{hold_id}",
        sk="HOLD",
        kind="token",
        gsis=[due.key(pk="DUE#{hold_id:shard(2)}", sk="{until:iso}", where={"state": "open"})],
    )

    hold_id: Annotated[str, kw.Size(avg=20, max=26)]
    state: Literal["open", "paid", "lapsed"]
    until: datetime
    purge_at: Annotated[datetime, kw.Ttl()]


hold = kw.Get(Hold, eq="hold_id", rate="1/s")
put = kw.Put(Hold, if_absent=True, rate="1/s")
lapse = kw.Update(Hold, sets="state", where={"state": "open"}, rate="1/s")
lapsed = kw.Read(
    Hold, where={"state": "open"}, range="until", order="until", limit=9, fan_out=2, fields="hold_id", rate="1/s"
)
"""

TOLD = {
    "a key of an index that is set again": (
        accepted(REQUEST, ACCEPT, 'kw.Update(Order, sets="driver", where={"status": "closed"}, rate="1/s")'),
        {("DDB109", "orders.by_driver")},
    ),
    "a key of an index that is set more often than there are new items": (
        accepted(REQUEST.replace("170", "140"), ACCEPT),
        {("DDB109", "orders.by_driver")},
    ),
    "a key of an index that is set in any state": (
        accepted(REQUEST, ACCEPT.replace('where={"status": "open"}, ', "")),
        {("DDB109", "orders.by_driver")},
    ),
    "a key of an index that every item has": (
        accepted(REQUEST, ACCEPT, fields=DRIVER.replace(" | None = None", "")),
        {("DDB109", "orders.by_driver")},
    ),
    "open items with an expiry, the earliest first, that nothing ends": (
        SWEEP.replace('sets="state", where={"state": "open"}', 'sets="state"'),
        {("DDB024", "lapsed")},
    ),
    "open items with an expiry, the latest first": (
        SWEEP.replace('order="until"', 'order="-until"'),
        {("DDB024", "lapsed")},
    ),
    "a range over a partition key is no query": (
        order('kw.Read(Order, prefix="order_id", limit=9, rate="1/s")', 'kw.Put(Order, rate="1/s")'),
        {("DDB003", "p0")},
    ),
    "a day alone in an index is hot, and the table is not": (
        OF_DAY + order('kw.Put(Order, rate="2k/s")', READ_DAY, gsis="by_day", item=DAY),
        {("DDB005", "Order.by_day")},
    ),
    "too few shards of an index": (
        OF_DAY + order('kw.Put(Order, rate="20k/s")', READ_DAY, gsis="by_day", item=SHARDED),
        {("DDB010", "Order.by_day")},
    ),
    "too few shards of the table": (
        order('kw.Put(Order, rate="1k/s", hot_key="50k/s")', pk="ORDER#{order_id}#{:shard(10)}"),
        {("DDB006", "Order")},
    ),
    "a rate over few known values": (
        order('kw.Put(Order, rate="500k/s")', pk="T#{tenant}", fields=TENANT),
        {("DDB007", "Order")},
    ),
    "strong reads of one item are twice as dear": (
        order('kw.Read(Order, eq="order_id", limit=1, consistency="strong", rate="1/s", hot_key="4k/s")'),
        {("DDB006", "Order")},
    ),
    "events of which many are of one source": (
        order(
            'kw.Put(Order, rate="100/s")',
            pk="T#{tenant}",
            item=', kind="event", keep_forever="the law"',
            fields="    tenant: Annotated[str, kw.Cardinality(distinct=500)]",
        ),
        {("DDB009", "Order")},
    ),
    "a transaction of large items": (
        order(
            "kw.Transact([kw.Put(Order, batch=60)], rate='1/s')",
            fields="    scan: Annotated[bytes, kw.Size(avg=90_000, max=100_000)]",
        ),
        {("DDB021", "p0")},
    ),
    "a field inside a model may make an item too large": (
        order('kw.Put(Order, rate="1/s")', fields=NOTES),
        {("DDB001", "Order")},
    ),
    "a consumer that knows changes by what they do not carry": (
        order('kw.Put(Order, rate="1/s")').replace(
            "gsis=[]",
            'stream=kw.Stream(images="keys", consumers=[kw.Consumer("a", idempotency="user", on_failure="queue")])',
        ),
        {("DDB025", "orders")},
    ),
    "an order that a field in an index does not give": (
        'by_user = kw.Gsi("by_user", pk="user", sk="status")\n'
        + order('kw.Put(Order, rate="1/s")', BY_USER.replace("RATE", "1/s"), gsis="by_user"),
        {("DDB015", "p1")},
    ),
    "an index that lacks what is read all the time": (
        'by_user = kw.Gsi("by_user", pk="user", sk="at", project="keys")\n'
        + order('kw.Put(Order, rate="1/s")', BY_USER.replace("RATE", "2k/s"), gsis="by_user"),
        {("DDB012", "orders.by_user")},
    ),
    "an index that lacks what is read all the time, and a write within a transaction": (
        'by_user = kw.Gsi("by_user", pk="user", sk="at", project="keys")\n'
        + order("kw.Put(Order)", BY_USER.replace("RATE", "2k/s"), "kw.Transact([p0], rate='1/s')", gsis="by_user"),
        {("DDB012", "orders.by_user")},
    ),
    "numbers that are stored as text": (
        order('kw.Put(Order, rate="1/s")', item=', types={"count": "S"}', fields="    count: int"),
        {("DDB023", "Order.count")},
    ),
    "an amount inside of an embedded model": (
        "class Line(BaseModel):\n    price: str\n\n\n"
        + order('kw.Put(Order, rate="1/s")', fields="    lines: Annotated[list[Line], Field(max_length=20)]"),
        {("DDB023", "Order.lines")},
    ),
    "reads of a local index are of the table's partition": (
        'by_status = kw.Lsi("by_status", sk="status")\n'
        + order(
            'kw.Put(Order, rate="1/s")', 'kw.Read(Order, eq=["user", "status"], limit=9, rate="1/s", hot_key="9k/s")',
            pk="USER#{user}",
        ).replace("gsis=[]", "lsis=[by_status]"),
        {("DDB006", "Order")},
    ),
    "files of unknown size": (
        order('kw.Put(Order, rate="1/s")', fields="    scan: Annotated[bytes, Field(max_length=200_000)]"),
        {("DDB001", "Order.scan")},
    ),
    "a write that is a part of a transaction": (
        order("kw.Transact([kw.Update(Order, sets='at')], rate='1/s')"),
        {("DDB022", "p0")},
    ),
}  # fmt: skip

SILENT = {
    "a key of an index that is set once, when the item leaves its first state": accepted(REQUEST, ACCEPT),
    "a key of an index that is set where it is absent": accepted(
        ACCEPT.replace('"status": "open"', '"driver": None'),
        'kw.Update(Order, sets="driver", where={"status": "closed"}, rate="1/s")',
    ),
    "items that are due, to be ended whether they have expired or not": SWEEP,
    "a reference that completes the key of another index": """
marks = kw.Gsi("marks", pk="pk1", sk="sk1", project="keys")
exams = kw.Gsi("exams", pk="pk2", sk="sk2", project=["state"])
people = kw.Gsi("people", pk="person", sk="at", project=["state"])
table = kw.DynamoTable("sittings", gsis=[marks, exams, people])


class Exam(BaseModel):
    __store__: ClassVar = kw.Item(table, pk="EXAM#{exam_id}", sk="EXAM")

    exam_id: Annotated[str, kw.Size(avg=20, max=26)]


class Sitting(BaseModel):
    __store__: ClassVar = kw.Item(
        table,
        pk="SITTING#{sitting_id}",
        sk="SITTING",
        gsis=[
            marks.key(pk="MARK#{exam_id}", sk="{sent:iso}", where={"state": "sent"}),
            exams.key(pk="EXAM#{exam_id}", sk="{sitting_id}"),
        ],
    )

    sitting_id: Annotated[str, kw.Size(avg=20, max=26)]
    exam_id: Annotated[str, kw.Size(avg=20, max=26), kw.Ref(Exam, on_missing="fail", max_referrers=900)]
    person: Annotated[str, kw.Size(avg=10, max=20)]
    state: Literal["open", "sent"]
    at: datetime
    sent: datetime


put = kw.Put(Sitting, if_absent=True, rate="1/s")
send = kw.Update(Sitting, sets=["state", "sent", "exam_id"], where={"state": "open"}, rate="1/s")
to_mark = kw.Read(
    Sitting, eq="exam_id", where={"state": "sent"}, order="sent", limit=9, rate="1/s", fields=["sitting_id", "sent"]
)
of_exam = kw.Read(Sitting, eq="exam_id", limit=9, rate="1/s", fields=["sitting_id", "state"])
of_person = kw.Read(Sitting, eq="person", order="-at", limit=9, rate="1/s", fields=["sitting_id", "state"])
""",
    "an order that an index has for items with the time": """
tasks = kw.Gsi("tasks", pk="pk1", sk="sk1", project="keys")
table = kw.DynamoTable("tasks", gsis=[tasks])


class Task(BaseModel):
    __store__: ClassVar = kw.Item(
        table, pk="OWNER#{owner}", sk="{task_id}", gsis=[tasks.key(pk="DONE#{owner}", sk="{done:iso}")]
    )

    owner: Annotated[str, kw.Size(avg=10, max=20)]
    task_id: Annotated[str, kw.Size(avg=20, max=26)]
    done: datetime | None = None


put = kw.Put(Task, rate="1/s")
done = kw.Read(Task, eq="owner", order="done", limit=9, rate="1/s", fields=["task_id", "done"])
""",
    "texts that are usually short": order(
        'kw.Put(Order, rate="1/s")',
        fields="    text: Annotated[str, Field(max_length=200_000), kw.Size(avg=2_000, max=200_000)]",
    ),
    "a transaction of gets on a busy key, which no write cancels": order(
        'kw.TransactGet(kw.Get(Order), kw.Get(Order), rate="500/s", hot_key="100/s")'
    ),
    "readings that expire, of an unknown number in a key": order(
        'kw.Put(Order, rate="100/s")',
        pk="T#{tenant}",
        item=', kind="reading"',
        fields="    tenant: str\n    until: Annotated[datetime, kw.Ttl()]",
    ),
    "rates without a known number of values": order('kw.Put(Order, rate="500k/s")', pk="U#{user}"),
    "a hot key whose answers callers keep": order(
        'kw.Get(Order, eq=["order_id", "at"], rate="1k/s", hot_key="50k/s", cache_ttl=timedelta(seconds=1))'
    ),
    "enough read copies": order(
        'kw.Get(Order, eq=["order_id", "at"], rate="1k/s", hot_key="50k/s")', item=", read_copies=9"
    ),
    "a day in an index that is sharded": OF_DAY
    + order('kw.Put(Order, rate="2k/s")', READ_DAY, gsis="by_day", item=SHARDED),
    "days that few items are written to": OF_DAY
    + order('kw.Put(Order, rate="5/s")', READ_DAY, gsis="by_day", item=DAY),
    "few events of each source": order(
        'kw.Put(Order, rate="1/s")',
        pk="T#{tenant}",
        item=', kind="event", keep_forever="the law"',
        fields="    tenant: Annotated[str, kw.Cardinality(distinct=500)]",
    ),
    "what is accepted as not served": order('kw.Read(Order, range="at", limit=9, rate="1/s", unserved="by export")'),
    "a key that all entities of a table share": """
table = kw.DynamoTable("saas")


class User(BaseModel):
    __store__: ClassVar = kw.Item(table, pk="{tenant}", sk="USER#{user_id}")
    tenant: str
    user_id: str


class Project(BaseModel):
    __store__: ClassVar = kw.Item(table, pk="{tenant}", sk="PROJECT#{project_id}")
    tenant: str
    project_id: str
""",
    "keys that are one id under two names": """
table = kw.DynamoTable("shop")


class User(BaseModel):
    __store__: ClassVar = kw.Item(table, pk="{user_id}", sk="PROFILE")
    user_id: str


class Order(BaseModel):
    __store__: ClassVar = kw.Item(table, pk="{customer}", sk="ORDER#{order_id}")
    customer: Annotated[str, kw.Ref(User, on_missing="ignore")]
    order_id: str
""",
    "plain letters in a long key": order(
        'kw.Put(Order, rate="1/s")',
        pk="ORDER#{order_id}#{hash}",
        fields='    hash: Annotated[str, Field(pattern=r"^[0-9a-f]+$", max_length=1_500)]',
    ),
    "temperatures": order('kw.Put(Order, rate="1/s")', fields="    temperature: float"),
    "sessions that are read whole": order(
        'kw.Get(Order, eq=["order_id", "at"], rate="1/s")',
        item=', kind="session"',
        fields="    expires_at: Annotated[datetime, kw.Ttl()]",
    ),
    "an index that few fetch from, and that changes often": 'by_user = kw.Gsi("by_user", pk="user", project="keys")\n'
    + order('kw.Put(Order, rate="500/s")', 'kw.Read(Order, eq="user", limit=50, rate="1/s")', gsis="by_user"),
}


@pytest.mark.parametrize("title", TOLD)
def test_a_problem_is_reported(title: str, tmp_path: Path) -> None:
    source, expected = TOLD[title]
    assert {(finding.code, finding.object) for finding in findings_in(tmp_path, source)} == expected


@pytest.mark.parametrize("title", SILENT)
def test_a_sound_model_has_no_findings(title: str, tmp_path: Path) -> None:
    assert [
        f"{finding.code} {finding.object}: {finding.message}" for finding in findings_in(tmp_path, SILENT[title])
    ] == []


def test_what_nothing_serves_is_an_error_whichever_rule_tells_it(tmp_path: Path) -> None:
    source, _ = TOLD["an order that a field in an index does not give"]
    (finding,) = findings_in(tmp_path, source)
    assert (finding.code, finding.severity) == ("DDB015", "error")


def test_hot_reads_are_told_with_enough_copies(tmp_path: Path) -> None:
    source = order('kw.Get(Order, eq=["order_id", "at"], rate="1k/s", hot_key="50k/s"%s)')
    (eventual, strong) = (
        next(
            finding.help
            for finding in findings_in(tmp_path / option[:3].strip(" ,"), source.replace("%s", option))
            if finding.code == "DDB020"
        )
        for option in ("", ', consistency="strong"')
    )
    assert "read_copies=9" in eventual
    assert "read_copies=17" in strong


FIXED = "      billing: provisioned\n      capacity: {read: 5, write: 5}\n"
SCALED = "      billing: provisioned\n      autoscaling: {read: {min: 5, max: 50}, write: {min: 5, max: 50}}\n"


@pytest.mark.parametrize(
    ("flavour", "settings", "peak", "codes"),
    [
        ("dynamodb-local", "      protect: false\n" + FIXED, "", []),
        ("dynamodb", FIXED, "", ["DDB026"]),
        ("dynamodb", SCALED, "", []),
        ("dynamodb", SCALED, ', peak="20/s"', ["DDB026"]),
        ("dynamodb", "", ', peak="20/s"', []),
    ],
)
def test_capacity_is_to_follow_the_load(
    tmp_path: Path, flavour: str, settings: str, peak: str, codes: list[str]
) -> None:
    source = with_imports(order(f'kw.Put(Order, rate="1/s"{peak})'))
    head = f"config:\n  keywright:environment:\n    mode: dev\n    dynamodb:\n      flavour: {flavour}\n"
    files = {"models/case.py": source, "stacks/Pulumi.dev.yaml": head + settings}
    assert [finding.code for finding in findings_of(tmp_path, files) if finding.code.startswith("DDB")] == codes


SHARED = "ORDER#{order_id}#{:shard(10)}"
TENANTS = "T#{tenant}#{order_id:shard(%s)}"
OF_TENANT = 'kw.Read(Order, eq="tenant", limit=9, fan_out=%s, rate="5/s")'
LATE = "    valid_until: Annotated[datetime, kw.Ttl()]"
OF_DATE = "    day: date\n    sold: int"
TEXT = "    sold: int\n    text: Annotated[str, kw.Size(avg=%s, max=60_000)]"
BY_STATE = 'by_state = kw.Gsi("by_state", pk="k1", sk="k2", project="keys")\n'
IN_STATE = ', expected=%s, gsis=[by_state.key(pk="S#{status}#{order_id:shard(2)}", sk="{at:iso}"%s)]'
OPEN = 'kw.Read(Order, where={"status": "open"}, order="at", fields="order_id", limit=9, fan_out=2, rate="1/s")'
LEVEL = "    level: Annotated[int, Field(ge=1, le=5)]"
DAY_TEXT = '    day: Annotated[str, Field(pattern=r"^\\d{4}-\\d{2}-\\d{2}$")]'
DIGITS = '    day: Annotated[str, Field(pattern=r"^[0-9-]{10}$")]'
OWNER = '    owner: Annotated[str, kw.Ref("Order", on_missing="ignore", max_referrers=%s)]'
QUEUE = 'queue = kw.Gsi("queue", pk="k1", sk="k2", project="keys")\n'
IN_QUEUE = ', gsis=[queue.key(pk="WAITING", sk="{at:iso}", where={"status": "open"})]'
WAITING = 'kw.Read(Order, where={"status": "open"}, order="at", fields="order_id", limit=9, rate="1/s")'

PROBLEMS = {
    "a random shard of a single item": (
        order('kw.Get(Order, eq=["order_id", "at"], rate="1/s")', pk=SHARED),
        [
            'DDB038: pk="ORDER#{order_id}#{:shard(10)}" contains a shard that its caller does not know: one item takes '
            "queries of 10 shards"
        ],
    ),
    "a shard of the id of a single item": (
        order('kw.Get(Order, eq=["order_id", "at", "tenant"], rate="1/s")', pk=TENANTS % 10, fields=TENANT),
        [],
    ),
    "random shards of a counter": (
        order(
            'kw.Get(Order, eq=["order_id", "at"], rate="1/s")',
            'kw.Increment(Order, "sold", eq=["order_id", "at"], rate="1/s")',
            pk=SHARED,
            fields="    sold: int",
        ),
        [],
    ),
    "more than ten times the shards that are needed": (
        order('kw.Put(Order, rate="10/s")', OF_TENANT % 21, pk=TENANTS % 21, fields=TENANT),
        [
            'DDB039: pk="T#{tenant}#{order_id:shard(21)}" has 21 shards and its writes need 1: each call of "p1" '
            "queries 21 partitions"
        ],
    ),
    "few shards, although fewer are needed": (
        order('kw.Put(Order, rate="10/s")', OF_TENANT % 19, pk=TENANTS % 19, fields=TENANT),
        [],
    ),
    "shards of a key whose traffic is unknown": (
        order('kw.Put(Order, rate="9k/s")', OF_TENANT % 90, pk=TENANTS % 90, fields="    tenant: str"),
        [],
    ),
    "a count of a large partition": (
        order('kw.Count(Order, eq="tenant", rate="50/s")', pk="T#{tenant}", fields=TENANT, item=", expected=200_000"),
        [
            "DDB040: each call reads about 1,000 items for one number, 50,000 a second",
        ],
    ),
    "a count of a small partition": (
        order('kw.Count(Order, eq="tenant", rate="50/s")', pk="T#{tenant}", fields=TENANT, item=", expected=100_000"),
        [],
    ),
    "a rare count of a large partition": (
        order('kw.Count(Order, eq="tenant", rate="9/s")', pk="T#{tenant}", fields=TENANT, item=", expected=200_000"),
        [],
    ),
    "a scan of a large table every minute": (
        order('kw.Count(Order, scan=True, rate="1/min")', item=", expected=5_000_000"),
        [
            'DDB045: it scans table "orders", whose items take 88,501 read units: 1,475 units a second, about $485 a '
            "month on demand"
        ],
    ),
    "a scan of a large table once a day": (
        order('kw.Count(Order, scan=True, rate="1/day")', item=", expected=5_000_000"),
        [],
    ),
    "pages of a scan": (
        order('kw.Read(Order, scan=True, limit=100, rate="1/s")', item=", expected=5_000_000"),
        [],
    ),
    "a scan whose callers keep its result": (
        order(
            'kw.Read(Order, scan=True, limit=500_000, rate="1/min", cache_ttl=timedelta(hours=1))',
            item=", expected=5_000_000",
        ),
        [],
    ),
    "more segments than pages": (
        order('kw.Read(Order, scan=True, segments=64, limit=100, rate="1/day")', item=", expected=50_000"),
        ['DDB045: it has 64 segments, and table "orders" has 7 pages of 1 MB'],
    ),
    "a scan that a key serves": (
        order('kw.Read(Order, eq="order_id", scan=True, limit=9, rate="1/s")', item=", expected=50_000"),
        ["DDB114: it scans, and table orders serves it by its key"],
    ),
    "a counter in a large item": (
        order('kw.Increment(Order, "sold", rate="10/s")', fields=TEXT % "20_000"),
        [
            "DDB041: it changes about 8 bytes of an item of 20,157, and pays for the whole: 20.0 write units, "
            "200 a second",
        ],
    ),
    "a time that is set often in an item of some kilobytes": (
        order('kw.Update(Order, sets="sold", rate="120/s")', fields=TEXT % "9_000"),
        [
            "DDB041: it changes about 8 bytes of an item of 9,157, and pays for the whole: 9.0 write units, "
            "1,080 a second",
        ],
    ),
    "the same in a transaction": (
        order('kw.Transact([kw.Update(Order, sets="sold")], rate="120/s")', fields=TEXT % "5_000"),
        [
            "DDB041: it changes about 8 bytes of an item of 5,157, and pays for the whole: 12.0 write units, "
            "1,440 a second",
        ],
    ),
    "a time that is set seldom in an item of some kilobytes": (
        order('kw.Update(Order, sets="sold", rate="90/s")', fields=TEXT % "9_000"),
        [],
    ),
    "a state that an index needs in a large item": (
        BY_STATE
        + order(
            'kw.Update(Order, eq=["order_id", "at"], sets="status", rate="300/s")',
            OPEN,
            gsis="by_state",
            item=', gsis=[by_state.key(pk="OPEN#{order_id:shard(2)}", sk="{at:iso}", where={"status": "open"})]',
            fields=TEXT % "9_000",
        ),
        [],
    ),
    "a counter of the current day": (
        order('kw.Increment(Order, "sold", rate="900/s", peak="3k/s")', pk="DAY#{day:date}", fields=OF_DATE),
        ['DDB007: "p0" takes 3,000 write units a second of one key pk="DAY#{day:date}", and a partition serves 1,000'],
    ),
    "a counter of the current hour in a transaction": (
        order(
            'kw.Transact([kw.Increment(Order, "sold"), kw.Put(Order, if_absent=True)], rate="600/s")',
            pk="H#{at:hour}",
            fields=OF_DATE,
        ),
        [
            'DDB005: pk="H#{at:hour}" is time alone, and 600 items a second are written: all of now go to one '
            "partition",
            "DDB062: 600 transactions a second write the same item of Order, 50 are recommended: they conflict, are "
            "cancelled and retried, each at double cost",
        ],
    ),
    "what is left of any day": (
        order('kw.Increment(Order, "sold", rate="3k/s")', pk="DAY#{day:date}", fields=OF_DATE, item=', kind="stock"'),
        [],
    ),
    "a place of any day, as long as there is one": (
        order(
            'kw.Increment(Order, "sold", where={"status": "open"}, rate="3k/s")',
            pk="DAY#{day:date}",
            fields=OF_DATE,
        ),
        [],
    ),
    "a small part of a large item": (
        order('kw.Get(Order, eq=["order_id", "at"], fields=["user"], rate="40/s")', fields=TEXT % "20_000"),
        ["DDB041: it needs about 14 bytes of an item of 20,157, and pays for the whole: 2.5 read units, 100 a second"],
    ),
    "a rare read of a small part of a large item": (
        order('kw.Get(Order, eq=["order_id", "at"], fields=["user"], rate="39/s")', fields=TEXT % "20_000"),
        [],
    ),
    "a counter in a small item": (
        order('kw.Increment(Order, "sold", rate="90/s")', fields=TEXT % "9_000"),
        [],
    ),
    "deletions because of age": (
        order('kw.Put(Order, rate="1/s")', 'kw.Delete(Order, because="expiry", rate="1/s")'),
        [
            'DDB042: it deletes items of "Order" because they are old: each call takes 1 write unit, 86,400 a day, and '
            "expiry takes none"
        ],
    ),
    "deletions by request": (order('kw.Put(Order, rate="1/s")', 'kw.Delete(Order, rate="1/s")'), []),
    "a strong read at a high rate": (
        order('kw.Get(Order, eq=["order_id", "at"], consistency="strong", rate="2k/s")'),
        [
            "DDB043: it reads 2,000 times a second with strong consistency, which takes 2,000 read units instead of "
            "1,000: about $328 a month on demand"
        ],
    ),
    "a strong read whose result is kept": (
        order(
            'kw.Get(Order, eq=["order_id", "at"], consistency="strong", rate="300/s", cache_ttl=timedelta(seconds=30))'
        ),
        [
            "DDB043: it reads with strong consistency, which takes 150 read units a second more, and its callers keep "
            "the result for 30 seconds"
        ],
    ),
    "a strong read at a high rate that decides": (
        order('kw.Get(Order, eq=["order_id", "at"], consistency="strong", rate="2k/s")', item=', kind="stock"'),
        [],
    ),
    "an index of every state for one of them": (
        BY_STATE + order('kw.Put(Order, rate="9/s")', OPEN, gsis="by_state", item=IN_STATE % ("100_000", "")),
        [
            'DDB044: index "by_state" contains all 100,000 items, and its readers ask for 1 of 2 values of "status": '
            'it is as large as the table, for "open"'
        ],
    ),
    "an index of every state, which begins its sort key": (
        BY_STATE
        + order(
            'kw.Read(Order, eq="user", where={"status": "open"}, limit=20)',
            gsis="by_state",
            item=', expected=900_000, gsis=[by_state.key(pk="OF#{user}", sk="{status}#{at:iso}#{order_id}")]',
        ),
        [
            'DDB044: index "by_state" contains all 900,000 items, and its readers ask for 1 of 2 values of "status": '
            'it is as large as the table, for "open"'
        ],
    ),
    "an index by a flag for one of its values": (
        'by_flag = kw.Gsi("by_flag", pk="user", sk=["status", "at"])\n'
        + order(
            'kw.Put(Order, rate="9/s")',
            'kw.Read(Order, eq="user", where={"status": "open"}, order="at", limit=20, rate="1/s")',
            gsis="by_flag",
            item=", expected=100_000",
        ),
        [
            'DDB044: index "by_flag" contains all 100,000 items, and its readers ask for 1 of 2 values of "status": '
            'it is as large as the table, for "open"'
        ],
    ),
    "an index by one of several states": (
        'by_flag = kw.Gsi("by_flag", pk="user", sk=["status", "at"])\n'
        + order(
            'kw.Put(Order, rate="9/s")',
            'kw.Read(Order, eq="user", where={"status": "open"}, order="at", limit=20, rate="1/s")',
            gsis="by_flag",
            item=", expected=100_000",
        ).replace('Literal["open", "closed"]', 'Literal["open", "shut", "closed"]'),
        [],
    ),
    "an index of a state that no pattern changes": (
        BY_STATE
        + order(
            'kw.Put(Order, if_absent=True, rate="9/s")', OPEN, gsis="by_state", item=IN_STATE % ("100_000", "")
        ).replace('status: Literal["open", "closed"]', 'status: Literal["open", "closed"] = "open"'),
        [],
    ),
    "an index of a state that a put may change": (
        BY_STATE
        + order('kw.Put(Order, rate="9/s")', OPEN, gsis="by_state", item=IN_STATE % ("100_000", "")).replace(
            'status: Literal["open", "closed"]', 'status: Literal["open", "closed"] = "open"'
        ),
        [
            'DDB044: index "by_state" contains all 100,000 items, and its readers ask for 1 of 2 values of "status": '
            'it is as large as the table, for "open"'
        ],
    ),
    "a sparse index of a state": (
        BY_STATE
        + order(
            'kw.Put(Order, rate="9/s")',
            OPEN,
            gsis="by_state",
            item=IN_STATE % ("100_000", ', where={"status": "open"}'),
        ),
        [],
    ),
    "an index of every state of few items": (
        BY_STATE + order('kw.Put(Order, rate="9/s")', OPEN, gsis="by_state", item=IN_STATE % ("9_000", "")),
        [],
    ),
    "an index of a state that callers choose": (
        BY_STATE
        + order(
            'kw.Put(Order, rate="9/s")',
            'kw.Read(Order, eq="status", order="at", fields="order_id", limit=9, fan_out=2, rate="1/s")',
            gsis="by_state",
            item=IN_STATE % ("100_000", ""),
        ),
        [],
    ),
    "a busy collection under one key": (
        order('kw.Get(Order, eq=["at"], rate="700/s")', pk="ORDERS"),
        [
            'DDB004: pk="ORDERS" takes one value, so that all items are one partition, of which the declared traffic '
            "takes 12%: the entity cannot grow beyond it"
        ],
    ),
    "a busy collection under one key, of whose items each is quiet": (
        order('kw.Get(Order, eq=["at"], rate="700/s", hot_key="5/s")', pk="ORDERS"),
        [
            'DDB004: pk="ORDERS" takes one value, so that all items are one partition, of which the declared traffic '
            "takes 12%: the entity cannot grow beyond it"
        ],
    ),
    "a quiet collection under one key": (order('kw.Get(Order, eq=["at"], rate="500/s")', pk="ORDERS"), []),
    "a part of an item whose validity ends": (
        order('kw.Get(Order, eq=["order_id", "at"], fields=["user"], rate="1/s")', fields=LATE),
        ['DDB024: it does not read "valid_until", and items stay for days after it: may it return them?'],
    ),
    "a part of an item that is purged": (
        order(
            'kw.Get(Order, eq=["order_id", "at"], fields=["user"], rate="1/s")',
            fields=LATE.replace("valid_until", "purge_at"),
        ),
        [],
    ),
    "a count of expired items": (
        order('kw.Count(Order, eq="order_id", rate="1/s")', fields=LATE),
        ['DDB024: it has no condition on "valid_until" and counts items that expired up to days ago'],
    ),
    "a part of a record that is stored for a time": (
        order(
            'kw.Get(Order, eq=["order_id", "at"], fields=["user"], rate="1/s")',
            fields=LATE.replace("valid_until", "expires_at"),
        ),
        [],
    ),
    "few values of a bounded number": (
        order('kw.Put(Order, rate="80/s")', pk="LEVEL#{level:pad(1)}", fields=LEVEL, item=", expected=2_000_000"),
        ['DDB004: pk="LEVEL#{level:pad(1)}" takes 5 values, and each is one partition'],
    ),
    "few values with little traffic and few items": (
        order(
            'kw.Put(Order, rate="9/s")',
            'kw.Delete(Order, rate="1/s")',
            pk="LEVEL#{level:pad(1)}",
            fields=LEVEL,
            item=", expected=50_000",
        ),
        [],
    ),
    "a collection under one key that grows": (
        order('kw.Put(Order, if_absent=True, rate="300/day")', pk="ORDERS", item=", expected=9_000"),
        [
            'DDB004: pk="ORDERS" takes one value, so that 109,500 items are one partition after a year; 100,000 are '
            "recommended"
        ],
    ),
    "a collection under one key from which items are deleted": (
        order(
            'kw.Put(Order, if_absent=True, rate="300/day")',
            'kw.Delete(Order, rate="300/day")',
            pk="ORDERS",
            item=", expected=9_000",
        ),
        [],
    ),
    "a day as text": (
        order('kw.Put(Order, rate="100/s")', pk="DAY#{day}", fields=DAY_TEXT),
        [
            'DDB005: pk="DAY#{day}" is time alone, and 100 items a second are written: all of now go to one partition',
        ],
    ),
    "a text of digits of the same length": (
        order('kw.Put(Order, rate="100/s")', pk="DAY#{day}", fields=DIGITS),
        [],
    ),
    "a read of one item that asks every shard": (
        order('kw.Read(Order, eq="order_id", limit=1, fan_out=10, rate="1/s")', pk=SHARED),
        [
            'DDB038: pk="ORDER#{order_id}#{:shard(10)}" contains a shard that its caller does not know: one item takes '
            "queries of 10 shards"
        ],
    ),
    "the latest item of all shards": (
        order('kw.Read(Order, eq="order_id", order="-at", limit=1, fan_out=10, rate="1/s")', pk=SHARED),
        [],
    ),
    "far more shards than all writes need": (
        order('kw.Put(Order, rate="900/s")', OF_TENANT % 90, pk=TENANTS % 90, fields="    tenant: str"),
        [
            'DDB039: pk="T#{tenant}#{order_id:shard(90)}" has 90 shards and its writes need 1: each call of "p1" '
            "queries 90 partitions"
        ],
    ),
    "a count of the referrers of an item": (
        order('kw.Count(Order, eq="owner", rate="1/s")', pk="O#{owner}", fields=OWNER % "10_000"),
        ["DDB040: a call reads up to 10,000 items for one number, 1 time a second"],
    ),
    "a count of few referrers": (
        order('kw.Count(Order, eq="owner", rate="1/s")', pk="O#{owner}", fields=OWNER % "9_999"),
        [],
    ),
    "a read of a small part of large items": (
        order(
            'kw.Read(Order, eq="order_id", fields=["user"], limit=10, rate="40/s")',
            fields=TEXT % "20_000",
            item=", expected=50",
        ),
        [
            "DDB041: it needs about 14 bytes of an item of 20,157, and pays for the whole: 25.0 read units, "
            "1,000 a second"
        ],
    ),
    "a part of records in a state": (
        order(
            'kw.Read(Order, eq="order_id", where={"status": "open"}, fields=["user"], limit=9, rate="1/s")',
            fields=LATE,
        ),
        [],
    ),
    "a part of an event that is kept for a time": (
        order(
            'kw.Get(Order, eq=["order_id", "at"], fields=["user"], rate="1/s")',
            fields=LATE,
            item=', kind="event"',
        ),
        [],
    ),
    "records that are written once and kept under one key": (
        order(
            'kw.Put(Order, rate="24/s")',
            pk="T#{tenant}",
            fields=TENANT,
        ),
        ['DDB009: pk="T#{tenant}" has no time in it: all items of one, 10,368 a day, gather under it for ever'],
    ),
    "a queue of one key in an index": (
        QUEUE + order('kw.Put(Order, rate="100/s")', WAITING, gsis="queue", item=IN_QUEUE),
        [
            'DDB010: pk="WAITING" of index "queue" takes one value, of which the declared traffic takes 10% of what a '
            "partition serves"
        ],
    ),
    "a quiet queue of one key in an index": (
        QUEUE + order('kw.Put(Order, rate="90/s")', WAITING, gsis="queue", item=IN_QUEUE),
        [],
    ),
}


@pytest.mark.parametrize("title", PROBLEMS)
def test_a_problem_is_reported_with_its_figures(title: str, tmp_path: Path) -> None:
    source, problems = PROBLEMS[title]
    assert [f"{finding.code}: {finding.message}" for finding in findings_in(tmp_path, source)] == problems


GATED = """\
config:
  keywright:environment:
    mode: gated
    monitoring: {alarms: true, topic: "arn:aws:sns:eu-west-1:123456789012:on-call"}
    dynamodb:
      flavour: dynamodb
"""
SPIKY = """\
      billing: provisioned
      autoscaling: {read: {min: 5, max: 900}, write: {min: 5, max: 900, target: 90}%s}
"""
MORNING = ", schedules: [{name: am, schedule: 'cron(0 6 * * ? *)', write: {min: 300, max: 900}}]"
REPLICA = "      replicas: [{region: us-east-1%s}]\n"


def put(load: str = "", gets: str = "1/s", item: str = "") -> str:
    """A small item that is put and read at some rates."""
    return order(f'kw.Put(Order, rate="10/s"{load})', f'kw.Get(Order, eq=["order_id", "at"], rate="{gets}")', item=item)


TAKEOVER = "      tables: {orders: {replicas: [{region: us-east-1}]}}\n"


def paid(*patterns: str, fields: str = "") -> str:
    """An order that changes in one transaction with a bill in another table."""
    return (
        order(*patterns, fields=fields)
        + """
bills = kw.DynamoTable("bills", discriminator=None)


class Bill(BaseModel):
    __store__: ClassVar = kw.Item(bills, pk="BILL#{number}", sk="BILL")

    number: Annotated[str, kw.Size(avg=20, max=26)]
    status: Literal["open", "paid"]


pay = kw.Transact(
    [
        kw.Update(Bill, sets="status", where={"status": "open"}),
        kw.Update(Order, sets="status", where={"status": "open"}),
    ],
    rate="1/s",
)
"""
    )


PRODUCTION = {
    "increments in two regions": (
        REPLICA % "",
        order('kw.Increment(Order, "sold", rate="1/s")', fields="    sold: int"),
        [
            'DDB032: table "orders" has replicas with consistency: eventual, so that of writes in two regions the last '
            'one wins: increments of "p0" are lost'
        ],
    ),
    "a few increments of a table that perhaps one region writes": (
        REPLICA % "",
        order('kw.Increment(Order, "sold", rate="30/min")', fields="    sold: int"),
        [
            'DDB032: table "orders" has replicas with consistency: eventual, so that of writes in two regions the last '
            'one wins: increments of "p0" are lost; is it written in one region only?'
        ],
    ),
    "puts of whole items in two regions": (REPLICA % "", put(), []),
    "a transaction that only one region can run": (TAKEOVER, paid('kw.Put(Order, if_absent=True, rate="1/s")'), []),
    "tables with replicas in different regions": (
        "      tables: {orders: {replicas: [{region: us-east-1}]}, bills: {replicas: [{region: us-west-2}]}}\n",
        paid(),
        [
            f'DDB032: table "{name}" has replicas with consistency: eventual, so that of writes in two regions the '
            'last one wins: where= of "pay" holds in both, other regions see parts of "pay"; '
            "is it written in one region only?"
            for name in ("bills", "orders")
        ],
    ),
    "a transaction that each region can run": (
        REPLICA % "",
        paid(),
        [
            f'DDB032: table "{name}" has replicas with consistency: eventual, so that of writes in two regions the '
            'last one wins: where= of "pay" holds in both, other regions see parts of "pay"; '
            "is it written in one region only?"
            for name in ("bills", "orders")
        ],
    ),
    "an increment beside a transaction that only one region can run": (
        TAKEOVER,
        paid('kw.Increment(Order, "sold", rate="1/s")', fields="    sold: int"),
        [
            'DDB032: table "orders" has replicas with consistency: eventual, so that of writes in two regions the last '
            'one wins: increments of "p0" are lost'
        ],
    ),
    "strong consistency between regions": (
        "      consistency: strong\n      witness: us-west-2\n" + REPLICA % "",
        order('kw.Increment(Order, "sold", rate="1/s")', fields="    sold: int"),
        [],
    ),
    "a replica without protection": (
        REPLICA % ", protect: false, point-in-time-recovery: false",
        put(),
        [
            'DDB029: the replica of table "orders" in us-east-1 has point-in-time-recovery: false: after a disaster, '
            "nothing lost there can be restored",
            'DDB030: the replica of table "orders" in us-east-1 has protect: false: one call deletes the copy that '
            "takes over in a disaster",
        ],
    ),
    "a busy table in the class for archives": (
        "      table-class: standard-infrequent-access\n",
        put(gets="1k/s"),
        [
            'DDB033: table "orders" is in the infrequent-access class: its traffic costs $45 a month more; 301 GB '
            "would pay for that"
        ],
    ),
    "an archive in the class for busy tables": (
        "",
        put(item=", expected=20_000_000_000"),
        [
            'DDB033: table "orders" is in the standard class: its 2,900 GB cost $435 a month more than in the '
            "infrequent-access class, whose requests would add $4"
        ],
    ),
    "an archive whose capacity costs more than it saves": (
        "      billing: provisioned\n      autoscaling: {read: {min: 900, max: 9000}, write: {min: 3000, max: 9000}}\n",
        put(item=", expected=20_000_000_000"),
        [],
    ),
    "an archive with little capacity": (
        "      billing: provisioned\n      autoscaling: {read: {min: 5, max: 900}, write: {min: 15, max: 900}}\n",
        put(item=", expected=20_000_000_000"),
        [
            'DDB033: table "orders" is in the standard class: its 2,900 GB cost $435 a month more than in the '
            "infrequent-access class, whose capacity would add $2"
        ],
    ),
    "an archive whose schedules raise the capacity": (
        "      billing: provisioned\n      autoscaling:\n        read: {min: 5, max: 900}\n"
        "        write: {min: 15, max: 9000}\n        schedules:\n"
        '          - {name: evening, schedule: "cron(0 17 * * ? *)", timezone: UTC, write: {min: 4000, max: 9000}}\n',
        put(item=", expected=20_000_000_000"),
        [],
    ),
    "a quiet archive in its class": (
        "      table-class: standard-infrequent-access\n",
        put(item=", expected=20_000_000_000"),
        [],
    ),
    "a limit below the peak": (
        "      on-demand-limits: {read: 100, write: 100}\n",
        put(', peak="500/s"'),
        [
            'DDB034: table "orders" serves at most 100 write units a second by on-demand-limits, and its patterns need '
            "500 at their peak: the rest is throttled"
        ],
    ),
    "a limit as high as the peak": ("      on-demand-limits: {read: 100, write: 500}\n", put(', peak="500/s"'), []),
    "a launch beyond the first throughput": (
        "",
        put(', peak="10k/s"'),
        [
            'DDB035: table "orders" has a peak of 10,000 write units a second, serves 4,000 at first, and doubles '
            "within 30 minutes: a sudden peak is throttled"
        ],
    ),
    "a peak that doubling serves": ("", put(', peak="8k/s"'), []),
    "a steady load on demand": (
        "      warm-throughput: {read: 12000, write: 4000}\n",
        put(gets='20k/s", peak="20k/s'),
        [
            'DDB036: table "orders" has a steady load of 10,000 read and 10 write units a second: about $3,301 a month '
            "on demand, and $1,362 with provisioned capacity"
        ],
    ),
    "a load with peaks on demand": ("", put(gets='5k/s", peak="20k/s'), []),
    "a hot key": (
        "",
        put(', hot_key="200/s"'),
        [
            'DDB037: "p0" uses one key 200 times a second, and table "orders" has contributor-insights: false: nothing '
            "names the key that is throttled"
        ],
    ),
    "a hot key that is read": ("", put(gets='900/s", hot_key="400/s'), []),
    "a hot key that is recorded": ("      contributor-insights: true\n", put(', hot_key="200/s"'), []),
    "a late start of scaling": (
        SPIKY % "",
        put(', peak="30/s"'),
        [
            'DDB026: "p0" surges to 3 times its usual rate, and scaling of table "orders" starts at 90 % of its '
            "capacity: requests are throttled for minutes"
        ],
    ),
    "a late start of scaling without spikes": (SPIKY % "", put(', peak="15/s"'), []),
    "a lower bound of scaling that covers the peak": (
        SPIKY.replace("min: 5", "min: 500") % "",
        put(', peak="500/s"'),
        [],
    ),
    "a unique put in two regions": (
        REPLICA % "",
        order('kw.Put(Order, if_absent=True, rate="1/s")'),
        [
            'DDB032: table "orders" has replicas with consistency: eventual, so that of writes in two regions the last '
            'one wins: if_absent= of "p0" succeeds in both; is it written in one region only?'
        ],
    ),
    "a put of an item with its own generated id": (
        REPLICA % "",
        order('kw.Put(Order, if_absent=True, rate="1/s")').replace(
            "order_id: Annotated[str, kw.Size(avg=20, max=26)]",
            'order_id: Annotated[str, Field(pattern="^[0-9A-Z]{26}$")]',
        ),
        [],
    ),
    "a unique put that hardly ever happens": (
        REPLICA % "",
        order('kw.Put(Order, if_absent=True, rate="20/day")'),
        [],
    ),
    "a state that is taken in two regions": (
        REPLICA % "",
        order('kw.Update(Order, sets="status", where={"status": "open"}, rate="1/s")'),
        [
            'DDB032: table "orders" has replicas with consistency: eventual, so that of writes in two regions the last '
            'one wins: where= of "p0" holds in both; is it written in one region only?'
        ],
    ),
    "a limit of reads far below the peak": (
        "      on-demand-limits: {read: 9, write: 10}\n",
        put(gets="300/s"),
        [
            'DDB034: table "orders" serves at most 9 read units a second by on-demand-limits, and its patterns need '
            "150 at their peak: the rest is throttled"
        ],
    ),
    "a load whose peak is unknown": (
        "      warm-throughput: {read: 12000, write: 4000}\n",
        put(gets="20k/s"),
        [],
    ),
    "a surge of many beside a larger surge of few": (
        SPIKY % "",
        order('kw.Put(Order, rate="1/day", peak="1/s")', 'kw.Update(Order, sets="user", rate="1/s", peak="500/s")'),
        [
            'DDB026: "p1" surges to 500 times its usual rate, and the provisioned capacity of table "orders" follows '
            "within minutes, from 90 % of use on"
        ],
    ),
    "a surge that is scheduled": (SPIKY.replace("90", "70") % MORNING, put(', peak="300/s"'), []),
    "a late start of scaling beyond what is scheduled": (
        SPIKY % MORNING,
        put(', peak="300/s"'),
        [
            'DDB026: "p0" surges to 30 times its usual rate, and scaling of table "orders" starts at 90 % of its '
            "capacity: requests are throttled for minutes"
        ],
    ),
}


@pytest.mark.parametrize("title", PRODUCTION)
def test_settings_of_production_follow_the_declared_traffic(title: str, tmp_path: Path) -> None:
    lines, source, problems = PRODUCTION[title]
    files = {"models/case.py": with_imports(source), "stacks/Pulumi.dev.yaml": GATED + lines}
    assert sorted(f"{finding.code}: {finding.message}" for finding in findings_of(tmp_path, files)) == problems


@pytest.mark.parametrize("others", [0, 1])
def test_limits_far_below_the_peak_are_those_of_tests_beside_a_larger_environment(tmp_path: Path, others: int) -> None:
    files = {
        "models/case.py": with_imports(put(', peak="20k/s"', gets="60k/s")),
        "stacks/Pulumi.dev.yaml": GATED + "      on-demand-limits: {read: 1, write: 5}\n",
    }
    if others:
        files["stacks/Pulumi.prod.yaml"] = GATED + "      warm-throughput: {read: 30000, write: 20000}\n"
    codes = ["DDB034"][others:]
    assert [finding.code for finding in findings_of(tmp_path, files) if finding.code.startswith("DDB")] == codes


@pytest.mark.parametrize("monitoring", ["", "    monitoring: {alarms: true}\n"])
def test_an_environment_has_alarms_that_notify_somebody(tmp_path: Path, monitoring: str) -> None:
    head = "config:\n  keywright:environment:\n    mode: gated\n" + monitoring
    files = {
        "models/case.py": with_imports(put()),
        "stacks/Pulumi.dev.yaml": head + "    dynamodb: {flavour: dynamodb}\n",
    }
    assert [(finding.code, finding.severity, finding.object) for finding in findings_of(tmp_path, files)] == [
        ("MON001", "info", "orders")
    ]


@pytest.mark.parametrize(("alerts", "objects"), [("", []), (", consumed-percent: null", ["orders"])])
def test_an_environment_has_alarms_of_throttled_requests(tmp_path: Path, alerts: str, objects: list[str]) -> None:
    stack = (
        "config:\n  keywright:environment:\n    mode: gated\n"
        '    monitoring: {alarms: true, topic: "arn:aws:sns:eu-west-1:123456789012:on-call"}\n'
        f"    dynamodb: {{flavour: dynamodb, alerts: {{throttled: null{alerts}}}}}\n"
    )
    found = findings_of(tmp_path, {"models/case.py": with_imports(put()), "stacks/Pulumi.dev.yaml": stack})
    assert [finding.object for finding in found if finding.code == "MON001"] == objects


@settings(max_examples=60)
@given(targets(), environments(), st.booleans())
def test_no_rule_fails_on_generated_tables(table: TableTarget, environment: DynamoEnvironment, is_alone: bool) -> None:
    declared = replace(table, shape=()) if is_alone else table
    target = TargetInEnvironment("dynamodb", declared, place(declared, environment), environment)
    for rule in RULES:
        finder = rule.finder("stored")
        if finder is not None:
            assert [
                draft.problem for reporter, draft in run_finder(rule, finder, target, {}) if reporter is not rule
            ] == []
