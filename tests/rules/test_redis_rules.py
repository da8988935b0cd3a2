"""Rules of Redis: cases beside those of their pages, and models without findings."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from tests.projects import SOUND, findings_of, with_imports
from tests.properties.redis import environments, targets

from keywright.engines.findings.context import TargetInEnvironment
from keywright.engines.redis.catalogue import RULES
from keywright.engines.redis.declare.settings import RedisEnvironment
from keywright.engines.redis.schema.place import place
from keywright.engines.redis.schema.target import ServerTarget
from keywright.rules.rule import Finding
from keywright.rules.run import run_finder


def findings_in(folder: Path, source: str, stack: str = SOUND) -> list[Finding]:
    """The findings of the rules for Redis."""
    files = {"models/case.py": with_imports(source), "stacks/Pulumi.dev.yaml": stack}
    return [finding for finding in findings_of(folder, files) if finding.code.startswith("RED")]


def codes_in(folder: Path, source: str, stack: str = SOUND) -> set[tuple[str, str]]:
    return {(finding.code, finding.object) for finding in findings_in(folder, source, stack)}


def stack(options: str) -> str:
    return f"config:\n  keywright:environment:\n    mode: dev\n    redis: {{{options}}}\n"


def thing(role: str, store: str, *patterns: str, server: str = "", fields: str = "") -> str:
    """An entity on a server in a role, and patterns p0, p1, … on it."""
    lines = "\n".join(f"p{at} = {pattern}" for at, pattern in enumerate(patterns))
    return f"""
s = kw.RedisServer("s", role="{role}"{server})


class Thing(BaseModel):
    __store__: ClassVar = kw.{store}

    name: Annotated[str, kw.Size(avg=20), kw.Cardinality(distinct=1_000)]
{fields}

{lines}
"""


TEXT = "    text: str"
COUNT = "    count: int"
LONG = "    text: Annotated[str, kw.Size(avg=2_000)]"
HUGE = "    text: Annotated[str, kw.Size(avg=3_000_000)]"
LIMIT = 'RedisRateLimit(s, key="t:{name}", limit=99, per=timedelta(1), window="fixed")'
SET = 'RedisSet(s, key="t:{name}", member="{part}")'
LIST = 'RedisList(s, key="t:{name}", max_length=9)'
SORTED = 'RedisSortedSet(s, key="t:{name}", member="{part}", score="n", max_length=100)'
HASH = 'RedisHash(s, key="thing:{name}", ttl=timedelta(hours=1))'
PARTS = "    part: Annotated[str, kw.Size(avg=20)]"
JOB = 'RedisHash(s, key="t:{number}", expected=10_000)'
STATE = '    number: Annotated[str, kw.Size(avg=26)]\n    state: Literal["new", "done"]'

SNAPSHOT = "    name: Annotated[str, kw.Size(avg=20, max=26)]\n    count: int\n    slowed: bool\n    at: datetime"

CACHE = """
s = kw.RedisServer("s", role="%s")
db = kw.MongoDatabase("db")


class Thing(BaseModel):
    __store__: ClassVar = kw.Collection(db, "things", id="{name}")

    name: Annotated[str, kw.Size(avg=20), kw.Cardinality(distinct=9_000_000)]
    text: Annotated[str, kw.Size(avg=4_000, max=8_000)]


cached = kw.bind(Thing, kw.RedisCache(s, key="t:{name}", ttl=timedelta(%s), source_of_truth=Thing))
read = kw.Get(cached, eq="name", rate="100/s", peak="900/s")
"""
LOGIN = """
class Login(BaseModel):
    __store__: ClassVar = kw.RedisHash(s, key="login:{login_id}", ttl=timedelta(hours=1), kind="session")

    login_id: Annotated[str, kw.Size(avg=20)]
    name: str


log_in = kw.Put(Login, rate="1/s")
"""

TOLD: dict[str, tuple[str, set[tuple[str, str]]]] = {
    "work that is dropped": (
        thing("queue", 'RedisList(s, key="q:{name}", max_length=9)', server=', eviction="allkeys-lru"', fields=TEXT),
        {("RED002", "s")},
    ),
    "a cache that drops by chance": (
        thing("cache", HASH, server=', eviction="allkeys-random"', fields=TEXT),
        {("RED002", "s"), ("RED005", "Thing")},
    ),
    "a policy for keys that expire, where none does": (
        thing("primary", 'RedisHash(s, key="t:{name}")', server=', eviction="volatile-lru"', fields=TEXT),
        {("RED007", "s")},
    ),
    "a primary whose replicas become empty": (
        thing("primary", HASH, server=", persistence=[]", fields=TEXT),
        {("RED006", "s")},
    ),
    "results of jobs that stay": (thing("queue", 'RedisHash(s, key="t:{name}")', fields=TEXT), {("RED004", "Thing")}),
    "copies that stay": (
        """
s = kw.RedisServer("s", role="primary")
db = kw.MongoDatabase("db")


class Thing(BaseModel):
    __store__: ClassVar = kw.Collection(db, "things", id="{name}")

    name: str


cached = kw.bind(Thing, kw.RedisString(s, key="t:{name}"))
""",
        {("RED004", "cached")},
    ),
    "an endless ranking on a cache": (
        thing("cache", 'RedisSortedSet(s, key="all", member="{name}", score="n")', fields="    n: int").replace(
            "1_000", "90_000"
        ),
        {("RED011", "Thing")},
    ),
    "copies of hours beside logins": (CACHE % ("sessions", "hours=9") + LOGIN, {("RED003", "s")}),
    "many values that are too much together": (
        thing("primary", 'RedisString(s, key="t:{name}", expected=1_000_000)', fields=LONG),
        {("RED003", "s")},
    ),
    "many sets that are too much together": (
        thing("primary", SET[:-1] + ", expected=9_000_000)", fields=PARTS.replace("20", "100")),
        {("RED003", "s")},
    ),
    "a log of a cache": (
        thing("cache", LIMIT, server=", persistence=[kw.Aof()]"),
        {("RED006", "s")},
    ),
    "a log that waits": (
        thing("primary", HASH, server=', persistence=[kw.Aof(fsync="no")]', fields=TEXT),
        {("RED006", "s")},
    ),
    "a queue that is a hash": (thing("queue", HASH[:-1] + ', kind="queue")', fields=TEXT), {("RED009", "Thing")}),
    "a rank of a set": (
        thing("primary", SET, 'kw.Rank(Thing, eq=["name", "part"], order="part")', fields=PARTS),
        {("RED009", "p0")},
    ),
    "elements that are looked for": (
        thing("primary", LIST, 'kw.Delete(Thing, eq=["name", "part"])', fields=PARTS),
        {("RED009", "p0")},
    ),
    "a text that is read before each of its puts": (
        thing(
            "primary",
            'RedisString(s, key="t:{name}", ttl=timedelta(days=2), expected=90_000)',
            'kw.Put(Thing, rate="800/s")',
            'kw.Put(Thing, rate="100/s")',
            'kw.Get(Thing, eq="name", rate="950/s")',
            fields=SNAPSHOT,
        ),
        {("RED008", "Thing")},
    ),
    "a text without an end that is read before each of its puts": (
        thing(
            "primary",
            'RedisString(s, key="t:{name}", expected=9_000)',
            'kw.Put(Thing, rate="2/s")',
            'kw.Get(Thing, eq="name", rate="2/s")',
            fields=SNAPSHOT,
        ),
        {("RED008", "Thing")},
    ),
    "a number that is a text": (
        thing("primary", 'RedisString(s, key="t:{name}")', 'kw.Increment(Thing, "count")', fields=COUNT),
        {("RED009", "p0")},
    ),
    "a value of megabytes": (
        thing("primary", HASH, fields=HUGE),
        {("RED003", "s"), ("RED011", "Thing")},
    ),
    "a value beyond all bounds": (
        thing("primary", HASH, fields="    text: Annotated[str, kw.Size(avg=9, max=600_000_000)]"),
        {("RED011", "Thing")},
    ),
    "a counter that is never let go": (
        thing("limiter", 'RedisCounter(s, key="t:{name}", value="count", ttl=timedelta(minutes=1))', fields=COUNT),
        {("RED012", "Thing")},
    ),
    "sessions of sixteen minutes without a log": (
        thing("sessions", HASH.replace("hours=1", "minutes=16"), server=", persistence=[]", fields=TEXT),
        {("RED006", "s")},
    ),
    "nothing but copies where nothing is evicted": (
        thing("primary", HASH[:-1] + ', kind="cache")', server=", persistence=[]", fields=TEXT),
        {("RED002", "s")},
    ),
    "records among limits": (
        thing("limiter", 'RedisHash(s, key="t:{name}")', fields=f"{TEXT}\n    more: str"),
        {("RED005", "s")},
    ),
    "stock that is evicted": (
        thing("sessions", HASH[:-1] + ', kind="stock")', fields=TEXT),
        {("RED005", "Thing"), ("RED023", "s")},
    ),
    "several entities that never expire, where only what expires is evicted": (
        thing("sessions", 'RedisHash(s, key="t:{name}")', fields=TEXT)
        + """
class Other(BaseModel):
    __store__: ClassVar = kw.RedisHash(s, key="o:{name}")

    name: str
    text: str
""",
        {("RED007", "s")},
    ),
    "jobs by state that are never removed": (
        thing("primary", JOB, 'kw.Put(Thing, rate="1/s")', 'kw.Update(Thing, sets="state", rate="2/s")', fields=STATE),
        {("RED004", "Thing")},
    ),
    "a token that never expires": (
        thing("primary", 'RedisHash(s, key="t:{token}")', fields="    token: str\n    user_id: str"),
        {("RED004", "Thing")},
    ),
    "ten years of entries": (
        thing(
            "queue",
            'RedisStream(s, key="log", keep=timedelta(days=3_650), groups=[])',
            'kw.Put(Thing, rate="9/s")',
            fields=TEXT,
        ),
        {("RED010", "Thing")},
    ),
}  # fmt: skip

SILENT = {
    "an index of known members beside records": thing(
        "primary", 'RedisHash(s, key="t:{name}", expected=1_000)', 'kw.Put(Thing, rate="1/s")', fields=TEXT
    )
    + """
class Spot(BaseModel):
    __store__: ClassVar = kw.RedisGeo(
        s, key="spots", member="{spot_id}", place="place", ttl=timedelta(hours=1), expected=900, kind="cache"
    )

    spot_id: Annotated[str, kw.Size(avg=20)]
    place: Place


show = kw.Put(Spot, rate="1/s")
hide = kw.Delete(Spot, rate="1/s")
""".replace(
        "class Spot",
        """class Place(BaseModel):
    longitude: float
    latitude: float


class Spot""",
    ),
    "more copies than fit into a cache": CACHE % ("cache", "hours=9"),
    "copies of a minute": CACHE % ("sessions", "minutes=1") + LOGIN,
    "a snapshot that is read far more often than it is put": thing(
        "primary",
        'RedisString(s, key="t:{name}", ttl=timedelta(days=2), expected=90_000)',
        'kw.Put(Thing, rate="800/s")',
        'kw.Get(Thing, eq="name", rate="3k/s")',
        fields=SNAPSHOT,
    ),
    "a text that is put once": thing(
        "primary",
        'RedisString(s, key="t:{name}", ttl=timedelta(hours=1), expected=90_000)',
        'kw.Put(Thing, rate="25/s")',
        'kw.Get(Thing, eq="name", rate="25/s")',
        fields=SNAPSHOT,
    ),
    "sessions of a quarter of an hour": thing(
        "sessions", HASH.replace("hours=1", "minutes=15"), server=", persistence=[]", fields=TEXT
    ),
    "nothing but copies, evicted as in a cache": thing(
        "sessions", HASH[:-1] + ', kind="cache")', server=', eviction="allkeys-lfu", persistence=[]', fields=TEXT
    ),
    "jobs that are removed": thing(
        "primary",
        JOB,
        'kw.Put(Thing, rate="1/s")',
        'kw.Update(Thing, sets="state", rate="2/s")',
        'kw.Delete(Thing, rate="1/s")',
        fields=STATE,
    ),
    "jobs of years": thing(
        "primary", JOB, 'kw.Put(Thing, rate="9/day")', 'kw.Update(Thing, sets="state", rate="9/day")', fields=STATE
    ),
    "an hour of entries": thing(
        "queue",
        'RedisStream(s, key="log", keep=timedelta(hours=1), groups=[])',
        'kw.Put(Thing, rate="9/s")',
        fields=TEXT,
    ),
    "a log of a second": thing("sessions", HASH, server=", persistence=[kw.Aof()]", fields=TEXT),
    "a cache of what is elsewhere": """
s = kw.RedisServer("s", role="cache")
db = kw.MongoDatabase("db")


class Thing(BaseModel):
    __store__: ClassVar = kw.Collection(db, "things", id="{name}")

    name: str


cached = kw.bind(Thing, kw.RedisString(s, key="t:{name}", ttl=timedelta(hours=1)))
""",
    "some keys that stay": thing("sessions", HASH, fields=TEXT)
    + """
class Flag(BaseModel):
    __store__: ClassVar = kw.RedisString(s, key="flag:{name}", value="on", keep_forever="until it is removed")

    name: str
    on: bool
""",
    "a document that is put whole": thing("primary", 'RedisString(s, key="t:{name}")', "kw.Put(Thing)", fields=TEXT),
    "members by other fields than the time": thing(
        "limiter",
        'RedisRateLimit(s, key="t:{name}", limit=9, per=timedelta(1), window="sliding", member="{part}")',
        fields=PARTS,
    ),
    "a window in the key": thing(
        "limiter",
        'RedisCounter(s, key="t:{name}:{day:date}", value="count", ttl=timedelta(days=2))',
        fields="    day: date\n" + COUNT,
    ),
    "a text of a minute in the key": thing(
        "limiter",
        'RedisCounter(s, key="t:{name}:{at}", value="count", ttl=timedelta(minutes=2))',
        fields='    at: Annotated[str, Field(pattern=r"^[0-9]{8}T[0-9]{4}$")]\n' + COUNT,
    ),
    "a number of a window in the key": thing(
        "limiter",
        'RedisCounter(s, key="t:{name}:{time_bucket}", value="count", ttl=timedelta(minutes=2))',
        fields="    time_bucket: int\n" + COUNT,
    ),
    "results of jobs that are deleted": thing(
        "queue", 'RedisHash(s, key="t:{name}")', "kw.Delete(Thing)", fields=TEXT
    ),
    "a bound that somebody has chosen": thing(
        "primary", 'RedisList(s, key="all", max_length=1_000_000)', fields=PARTS
    ),
    "few under one key": thing("primary", 'RedisSet(s, key="all", member="{name}", expected=500)'),
    "an update that says when the key ends": thing(
        "primary",
        'RedisHash(s, key="t:{name}")',
        'kw.Update(Thing, sets="text")',
        fields="    until: Annotated[datetime, kw.Ttl()]\n" + TEXT,
    ),
    "a short set": thing("primary", SORTED, fields=PARTS + "\n    n: int"),
}  # fmt: skip


@pytest.mark.parametrize("title", TOLD)
def test_a_problem_is_reported(title: str, tmp_path: Path) -> None:
    source, expected = TOLD[title]
    assert codes_in(tmp_path, source) == expected


@pytest.mark.parametrize("title", SILENT)
def test_a_sound_model_has_no_findings(title: str, tmp_path: Path) -> None:
    assert [
        f"{finding.code} {finding.object}: {finding.message}" for finding in findings_in(tmp_path, SILENT[title])
    ] == []


@pytest.mark.parametrize(
    ("options", "codes"),
    [
        ("flavour: redis, ram: 1gb", ["RED015"]),
        ("flavour: redis, ram: 1gb, replicas: 1", []),
        ("flavour: memorydb", []),
    ],
)
def test_sessions_survive_a_machine(options: str, codes: list[str], tmp_path: Path) -> None:
    assert [
        finding.code for finding in findings_in(tmp_path, thing("sessions", HASH, fields=TEXT), stack(options))
    ] == codes


@pytest.mark.parametrize(
    ("role", "consequence"),
    [
        ("sessions", "all users are logged out"),
        ("queue", "all workers stop, and work that is not on disk is lost"),
        ("primary", "its records are unavailable, and perhaps lost"),
    ],
)
def test_data_survives_a_machine(role: str, consequence: str, tmp_path: Path) -> None:
    gated = stack("flavour: redis, ram: 1gb").replace("mode: dev", "mode: gated\n    history: redis/s")
    (finding,) = findings_in(tmp_path / "gated", thing(role, HASH, fields=TEXT), gated)
    assert (finding.code, finding.message) == (
        "RED015",
        f'server "s" in the role of {role} has 0 replicas, 1 is required: when its machine stops, {consequence}',
    )
    part = gated.replace("ram: 1gb", "ram: 1gb, data-percent: 10")
    assert len(findings_in(tmp_path / "part", thing(role, HASH, fields=TEXT), part)) == (role == "sessions")


@pytest.mark.parametrize(
    ("options", "codes"),
    [
        ("flavour: elasticache", ["RED015"]),
        ("flavour: elasticache, replicas: 1", []),
        ("flavour: elasticache-serverless", []),
    ],
)
def test_a_service_keeps_copies_in_place_of_a_log(options: str, codes: list[str], tmp_path: Path) -> None:
    source = thing("sessions", HASH, server=', persistence=[], eviction="volatile-lru"', fields=TEXT)
    assert [finding.code for finding in findings_in(tmp_path, source, stack(options))] == codes


def test_an_environment_may_hold_a_part_of_the_design_size(tmp_path: Path) -> None:
    source = TOLD["many values that are too much together"][0]
    part = stack("flavour: redis, ram: 1gb, replicas: 1, data-percent: 10")
    assert findings_in(tmp_path / "part", source, part) == []
    (finding,) = findings_in(tmp_path / "whole", source)
    assert finding.message == ('data of server "s" takes about 2.0 GiB, of which "Thing" 2.0; it may take 0.75 GiB')


@settings(max_examples=60)
@given(targets(), environments())
def test_no_rule_fails_on_generated_servers(server: ServerTarget, environment: RedisEnvironment) -> None:
    target = TargetInEnvironment("redis", server, place(server, environment), environment)
    for rule in RULES:
        finder = rule.finder("stored")
        if finder is not None:
            assert [
                draft.problem for reporter, draft in run_finder(rule, finder, target, {}) if reporter is not rule
            ] == []
