"""Rules about keys, structures and calls of Redis: exact messages, and the boundary at which each rule is silent."""

from pathlib import Path

import pytest
from tests.rules.test_redis_rules import HASH, LIST, PARTS, SET, TEXT, findings_in, stack, thing

SOUND = "flavour: redis, ram: 8gb, replicas: 1"
CLUSTER = f"{SOUND}, cluster: true"
VALKEY = SOUND.replace("redis", "valkey")
SCORED = PARTS + "\n    n: int"
SORTED = 'RedisSortedSet(s, key="t:{name}", member="{part}", score="n")'


def tagged(constants: str, cluster: bool = True) -> tuple[str, str]:
    store = 'RedisHash(s, key="t:{app:tag}:{name}", expected=1_000)'
    source = thing("primary", store, fields=f"    app: Literal[{constants}]\n{TEXT}")
    return source, CLUSTER if cluster else SOUND


def one_key(rate: str, options: str = "") -> str:
    return thing("primary", 'RedisCounter(s, key="all", value="n")', rate, fields="    n: int", server=options).replace(
        "    name: Annotated[str, kw.Size(avg=20), kw.Cardinality(distinct=1_000)]\n", ""
    )


def bits(bound: str, options: str = "") -> str:
    return thing("primary", f'RedisBitmap(s, key="all", bit="n"{options})', fields=f"    n: {bound}").replace(
        "    name: Annotated[str, kw.Size(avg=20), kw.Cardinality(distinct=1_000)]\n", ""
    )


def lock(options: str = "", role: str = "primary", key: str = "lock:{name}", *patterns: str) -> str:
    return thing(
        role,
        f'RedisString(s, key="{key}", value="text"{options})',
        'kw.Put(Thing, if_absent=True, rate="9/s")',
        'kw.Delete(Thing, rate="9/s")',
        *patterns,
        fields=TEXT,
    )


def cached(fills: str, reads: str, key: str = "t:{name}", fields: str = TEXT) -> str:
    return thing(
        "cache",
        f'RedisString(s, key="{key}", value="text", ttl=timedelta(minutes=9), kind="cache")',
        f'kw.Put(Thing, rate="{fills}")',
        f'kw.Get(Thing, rate="{reads}")',
        fields=fields,
    )


def shared(rate: str, options: str, *patterns: str, key: str = "t:{name}", fields: str = PARTS) -> str:
    store = f'RedisSet(s, key="{key}", member="{{part}}", ttl=timedelta(days=10){options})'
    return thing("primary", store, f'kw.Put(Thing, rate="{rate}")', *patterns, fields=fields)


def limit(calls: str, window: str = "sliding") -> str:
    store = f'RedisRateLimit(s, key="t:{{name}}", limit={calls}, per=timedelta(minutes=1), window="{window}")'
    return thing("limiter", store)


LOGIN = """
class Login(BaseModel):
    __store__: ClassVar = kw.RedisHash(s, key="login:{login_id}", ttl=timedelta(hours=1), kind="session")

    login_id: Annotated[str, kw.Size(avg=20)]
    name: str


log_in = kw.Put(Login, rate="1/s")
login = kw.Get(Login, rate="1/s")
"""
DELETE = 'kw.Delete(Thing, rate="1/s")'
COUNT = 'kw.Count(Thing, eq="name", rate="1/s")'
FIELDS = "".join(
    f"""
class Part{number}(BaseModel):
    __store__: ClassVar = kw.RedisString(s, key="part{number}:{{name}}", value="text")

    name: str
    text: str
"""
    for number in range(2)
)
BACKLOG = ', settings={"repl-backlog-size": "64gb"}'
PUSHED = 'RedisList(s, key="t:{name}", ttl=timedelta(1))'
DAY = '    day: Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"), kw.Cardinality(distinct=90)]'
DAYS = 'RedisCounter(s, key="t:{name}:{day}", value="count", ttl=timedelta(90))'
DETAILS = 'RedisString(s, key="t:{place}:{name}:{detail}", value="text", ttl=timedelta(1))'
DETAIL = '    place: int\n    detail: Literal["a", "b", "c"]'

RANKED = SORTED[:-1] + ", expected=COUNTOPTIONS)"
FEED = 'RedisStream(s, key="feed", keep=timedelta(hours=2), groups=[one, two], kind="event")'
ONE = 'one = kw.ConsumerGroup("one", idempotency="text", claim_after=timedelta(minutes=1))\n'
TWO = ONE.replace("one", "two")


def ranked(count: str, options: str, *patterns: str, fields: str = SCORED) -> str:
    """Sorted sets of a thousand names with so many members in all."""
    return thing("primary", RANKED.replace("COUNT", count).replace("OPTIONS", options), *patterns, fields=fields)


def feed(rate: str, limit: int) -> str:
    """A stream of one key with two groups that take entries in batches."""
    takes = (f'kw.Take(Thing, group={name}, limit={limit}, rate="9/s")' for name in ("one", "two"))
    source = thing("queue", FEED, f'kw.Put(Thing, rate="{rate}")', *takes, fields=TEXT, server=BACKLOG)
    return source.replace("\n\nclass", f"\n{ONE}{TWO}\n\nclass", 1)


TOLD: dict[str, tuple[str, str, str, str, str]] = {
    "a ranking that never ends": (
        ranked("20_000_000", ""),
        SOUND,
        "RED011",
        "Thing",
        "a key comes to hold 20,000 elements, 10,000 are allowed without a bound",
    ),
    "a ranking of millions that ends": (
        ranked("1_000_001_000", ", ttl=timedelta(days=9)"),
        SOUND.replace("8gb", "900gb").replace("replicas: 1", "replicas: 1, cluster: true"),
        "RED011",
        "Thing",
        "a key comes to hold 1,000,001 elements, 1,000,000 are allowed without a bound",
    ),
    "a feed whose expiry each write renews": (
        ranked("20_000_000", ', ttl=timedelta(days=9), kind="feed"'),
        SOUND,
        "RED011",
        "Thing",
        "a key comes to hold 20,000 elements, 10,000 are allowed without a bound",
    ),
    "a stream that is taken by few": (
        feed("13k/s", 10),
        SOUND,
        "RED031",
        "Thing",
        'one key, "feed", receives up to 26,018 calls a second, 25,000 are recommended: it is on one core, and a '
        "cluster does not divide it",
    ),
    "five calls in a minute": (
        limit("5", "fixed"),
        SOUND,
        "RED067",
        "Thing",
        "it allows 5 calls per minute in fixed windows: around the change of windows, 10 calls are possible within a "
        "moment; is that too many?",
    ),
    "ten calls in five minutes": (
        limit("10", "fixed").replace("minutes=1", "minutes=5"),
        SOUND,
        "RED067",
        "Thing",
        "it allows 10 calls per 5 minutes in fixed windows: around the change of windows, 20 calls are possible within "
        "a moment; is that too many?",
    ),
    "a counter of all": (
        one_key('kw.Increment(Thing, "n", rate="9k/s", peak="25001/s")'),
        VALKEY,
        "RED031",
        "Thing",
        'one key, "all", receives up to 25,001 calls a second, 25,000 are recommended: it is on one core, '
        "and a cluster does not divide it",
    ),
    "a hot key of many": (
        thing("primary", HASH, 'kw.Get(Thing, eq="name", rate="30k/s", hot_key="26k/s")', fields=TEXT),
        SOUND,
        "RED031",
        "Thing",
        'one key, "thing:{name}", receives up to 26,000 calls a second, 25,000 are recommended: it is on one core, '
        "and a cluster does not divide it",
    ),
    "one slot": (
        *tagged('"shop"'),
        "RED032",
        "Thing",
        "all its keys have the hash tag {shop}: they are in one slot, so that one node of the cluster has them all",
    ),
    "a list that is only pushed to": (
        thing("primary", 'RedisList(s, key="t:{name}")', 'kw.Put(Thing, rate="1/s")', fields=PARTS),
        SOUND,
        "RED033",
        "Thing",
        '"p0" adds elements to each list "t:{name}", and nothing removes any: they grow without end, and so does each '
        "read of all",
    ),
    "a sorted set that is only added to": (
        thing("sessions", SORTED, 'kw.Put(Thing, rate="1/s")', fields=SCORED),
        SOUND,
        "RED033",
        "Thing",
        '"p0" adds elements to each sorted set "t:{name}", and nothing removes any: they grow without end, and so does '
        "each read of all",
    ),
    "few bits, far apart": (
        bits("Annotated[int, Field(ge=0, lt=1_000_000_000)]", ", expected=9_999_999"),
        SOUND,
        "RED034",
        "Thing",
        '"n" goes to 999,999,999: the last bit allocates 119 MiB for 9,999,999 set bits, 16 are allowed, and blocks '
        "the server meanwhile",
    ),
    "a bit without a bound": (
        bits("int"),
        SOUND,
        "RED034",
        "Thing",
        '"n" has no upper bound: the last bit allocates 512 MiB, 16 are allowed, and blocks the server meanwhile',
    ),
    "members that should end": (
        shared("10k/day", ", expected=100_000"),
        SOUND,
        "RED035",
        "Thing",
        "each write renews the 10 days of the whole key, 100,000 writes in this time: a member stays as long as others "
        "are added",
    ),
    "members that also leave by request": (
        shared("200/day", ", expected=2_000", DELETE),
        SOUND,
        "RED035",
        "Thing",
        "each write renews the 10 days of the whole key, 2,000 writes in this time: a member stays as long as others "
        "are added",
    ),
    "members that also leave by request, of a hot key": (
        shared('199/day", hot_key="20/day', ", expected=2_000", DELETE),
        SOUND,
        "RED035",
        "Thing",
        "each write renews the 10 days of the whole key, 1,990 writes in this time: a member stays as long as others "
        "are added",
    ),
    "figures of minutes": (
        shared("10k/h", ", kind='analytics', expected=1_600").replace("timedelta(days=10)", "timedelta(minutes=10)"),
        SOUND,
        "RED035",
        "Thing",
        "each write renews the 10 minutes of the whole key, 1,667 writes in this time: a member stays as long as "
        "others are added",
    ),
    "a key that never pauses": (
        shared("12/s", ", expected=100_000"),
        SOUND,
        "RED035",
        "Thing",
        "each write renews the 10 days of the whole key, 10,368 writes to one key in this time: a member stays as long "
        "as others are added",
    ),
    "a window of megabytes": (
        limit("50_000"),
        SOUND,
        "RED036",
        "Thing",
        "a sliding window stores each of 50,000 calls, 10,000 are allowed: each key grows to about 5.4 MiB",
    ),
    "a long key": (
        thing("primary", 'RedisHash(s, key="t:{url}")', fields=f"    url: Annotated[str, kw.Size(avg=300)]\n{TEXT}"),
        SOUND,
        "RED037",
        "Thing",
        'its key "t:{url}" takes about 302 bytes, 256 are recommended: each lookup hashes and compares all of them',
    ),
    "fields as keys": (
        thing("primary", 'RedisString(s, key="first:{name}", value="text")', fields=TEXT) + FIELDS,
        SOUND,
        "RED038",
        "Thing",
        '"Thing", "Part0", "Part1" store one value each by the same key fields: a record takes several times the '
        "memory of a hash, and a round trip for each field",
    ),
    "names of fields in keys": (
        thing(
            "primary",
            'RedisString(s, key="t:{name}:{field}", value="text")',
            fields=f'    field: Literal["a", "b", "c"]\n{TEXT}',
        ),
        SOUND,
        "RED038",
        "Thing",
        'each of the 3 fields of a record is a key, "t:{name}:{field}": a record takes several times the memory of a '
        "hash, and a round trip for each field",
    ),
    "a cache without hits": (
        cached("81/s", "100/s"),
        SOUND,
        "RED039",
        "Thing",
        '"t:{name}" is filled 81 times and read 100 times a second: at most 19% of reads hit, 20 % are recommended',
    ),
    "an instant in the key": (
        cached("1/s", "100/s", "t:{name}:{at:iso}", f"    at: datetime\n{TEXT}"),
        SOUND,
        "RED039",
        "Thing",
        'its key contains the time "at" in full: nearly every request has a key of its own',
    ),
    "a page of thousands": (
        thing("primary", SET, 'kw.Read(Thing, eq="name", limit=5_001, rate="1/s")', fields=PARTS),
        SOUND,
        "RED040",
        "p0",
        "one call returns up to 5,001 items, about 0.1 MiB, 5,000 are allowed: the only thread runs nothing else "
        "meanwhile",
    ),
    "a hash as a whole": (
        thing(
            "primary",
            HASH,
            'kw.Get(Thing, eq="name", rate="3k/s")',
            fields="    text: Annotated[str, kw.Size(avg=4_096)]",
        ),
        SOUND,
        "RED041",
        "p0",
        "it reads all 1 field of a hash, 4,096 bytes, up to 3,000 times a second: 12 MiB a second, 10 are recommended",
    ),
    "members that are only counted": (
        thing("primary", SET[:-1] + ", expected=1_000_000)", COUNT, fields=PARTS),
        SOUND,
        "RED042",
        "Thing",
        '"p0" only counts its members, and a key keeps them all: 55 KiB for 1,000 members, where 12 KiB would do',
    ),
    "a lock for ever": (
        lock(),
        SOUND,
        "RED043",
        "Thing",
        '"lock:{name}" is put if absent and never expires: if its holder stops before it deletes the key, '
        "nobody obtains it again",
    ),
    "a lock that nothing reads": (
        lock(key="busy:{name}"),
        SOUND,
        "RED043",
        "Thing",
        '"busy:{name}" is put if absent and never expires: if its holder stops before it deletes the key, '
        "nobody obtains it again",
    ),
    "a lock that nothing releases": (
        thing(
            "primary",
            'RedisString(s, key="report-lock:{name}", value="text")',
            'kw.Put(Thing, if_absent=True, rate="9/s")',
            fields=TEXT,
        ),
        SOUND,
        "RED043",
        "Thing",
        '"report-lock:{name}" is put if absent and never expires: if its holder stops before it deletes the key, '
        "nobody obtains it again",
    ),
    "a lock beside sessions": (
        lock(", ttl=timedelta(minutes=1)", "sessions"),
        SOUND,
        "RED044",
        "Thing",
        'the lock "lock:{name}" is on server "s", which evicts by "volatile-ttl" when memory is full: a second holder '
        "then starts beside the first",
    ),
    "a lock whose holder is read": (
        lock("", "primary", "owner:{name}", 'kw.Get(Thing, eq="name", rate="9/s")'),
        SOUND,
        "RED043",
        "Thing",
        '"owner:{name}" is put if absent and never expires: if its holder stops before it deletes the key, nobody '
        "obtains it again",
    ),
    "a list that never pauses": (
        thing("primary", PUSHED, 'kw.Put(Thing, rate="12/s")', fields=TEXT),
        SOUND,
        "RED033",
        "Thing",
        '"p0" adds elements to each list "t:{name}", and renews its 1 day, in which 1,037 more come: it never '
        "expires, and nothing trims it",
    ),
    "a feed from which its owner deletes": (
        thing(
            "primary",
            SORTED[:-1] + ', kind="feed", expected=3_000)',
            'kw.Increment(Thing, "n", rate="9/s")',
            'kw.Delete(Thing, rate="9/s")',
            fields=f"    n: int\n{PARTS}",
        ),
        SOUND,
        "RED033",
        "Thing",
        '"p0" adds elements to each sorted set "t:{name}", and no write trims it: what its owner does not delete '
        "stays for ever",
    ),
    "counters of the day": (
        thing(
            "primary",
            DAYS,
            'kw.Increment(Thing, "count", rate="30M/s")',
            server=BACKLOG,
            fields=f"{DAY}\n    count: int",
        ),
        CLUSTER,
        "RED031",
        "Thing",
        'one key, "t:{name}:{day}", receives up to 30,000 calls a second, 25,000 are recommended: it is on one core, '
        "and a cluster does not divide it",
    ),
    "values of several keys that one call writes": (
        thing("primary", DETAILS, 'kw.Put(Thing, batch=3, rate="1/s")', fields=f"{DETAIL}\n{TEXT}"),
        SOUND,
        "RED038",
        "Thing",
        'each of the 3 fields of a record is a key, "t:{place}:{name}:{detail}": a record takes several times the '
        "memory of a hash, and a round trip for each field",
    ),
}

SILENT: dict[str, tuple[str, str]] = {
    "a busy counter": (one_key('kw.Increment(Thing, "n", rate="25k/s")'), VALKEY),
    "an answer that callers keep": (
        one_key('kw.Get(Thing, rate="99k/s", cache_ttl=timedelta(seconds=1))'),
        SOUND,
    ),
    "members that leave by request, of keys that pause": (shared("199/day", ", expected=2_000", DELETE), SOUND),
    "four tags": tagged('"shop", "web", "app", "desk"'),
    "one tag without a cluster": tagged('"shop"', cluster=False),
    "a list with an end": (
        thing("primary", 'RedisList(s, key="t:{name}", ttl=timedelta(1))', 'kw.Put(Thing, rate="1/s")', fields=PARTS),
        SOUND,
    ),
    "a list that is taken from": (
        thing("primary", 'RedisList(s, key="t:{name}")', 'kw.Take(Thing, eq="name", rate="1/s")', fields=PARTS),
        SOUND,
    ),
    "a trimmed list": (thing("primary", LIST, 'kw.Put(Thing, rate="1/s")', fields=PARTS), SOUND),
    "members that are removed": (thing("primary", SORTED, 'kw.Put(Thing, rate="1/s")', DELETE, fields=SCORED), SOUND),
    "few different members": (
        thing(
            "primary",
            SORTED,
            'kw.Put(Thing, rate="1/s")',
            fields="    part: Annotated[str, kw.Cardinality(distinct=10_000)]\n    n: int",
        ),
        SOUND,
    ),
    "a dense row": (bits("Annotated[int, Field(ge=0, lt=1_000_000_000)]", ", expected=10_000_000"), SOUND),
    "a short row": (bits("Annotated[int, Field(ge=0, lt=100_000_000)]"), SOUND),
    "members that are written again and again": (shared("12/s", ", expected=100_000", DELETE), SOUND),
    "a key that pauses": (shared("11/s", ", expected=100_000"), SOUND),
    "members of a day": (
        shared("10k/day", ", expected=100_000", key="t:{name}:{day:date}", fields=f"    day: date\n{PARTS}"),
        SOUND,
    ),
    "a ranking that ends": (ranked("20_000_000", ', ttl=timedelta(days=9), kind="analytics"'), SOUND),
    "members that are taken out": (
        ranked("20_000_000", ', kind="queue"', 'kw.Put(Thing, rate="9/s")', DELETE),
        SOUND,
    ),
    "a ranking of a day": (
        thing(
            "primary",
            RANKED.replace("COUNT", "30_000_000").replace("OPTIONS", ', kind="feed"').replace("{name}", "{name}:{day}"),
            fields=DAY.replace("90", "2") + "\n" + SCORED,
        ),
        SOUND,
    ),
    "a stream that is taken by many": (feed("13k/s", 100), SOUND),
    "six calls in a minute": (limit("6", "fixed"), SOUND),
    "ten calls in each quarter of an hour": (
        limit("10", "fixed")
        .replace("minutes=1", "minutes=15")
        .replace(
            "class Thing(BaseModel):", 'class Thing(BaseModel):\n    """Logins: ten in each quarter of an hour."""\n'
        ),
        SOUND,
    ),
    "a code that is read and used up": (
        lock(
            ', ttl=timedelta(days=9), kind="token"', "sessions", "code:{name}", 'kw.Get(Thing, eq="name", rate="9/s")'
        ),
        SOUND,
    ),
    "a window of a limit": (limit("10_000"), SOUND),
    "a number of calls": (limit("50_000", "fixed"), SOUND),
    "two values by one key": (
        thing("primary", 'RedisString(s, key="first:{name}", value="text")', fields=TEXT)
        + FIELDS.partition("class Part1")[0],
        SOUND,
    ),
    "a cache with hits": (cached("80/s", "100/s"), SOUND),
    "a value that its source writes": (
        cached("100/s", "90/s").replace('role="cache"', 'role="sessions"') + LOGIN,
        SOUND,
    ),
    "a day in the key": (cached("1/s", "100/s", "t:{name}:{at:date}", f"    at: date\n{TEXT}"), SOUND),
    "a large page": (thing("primary", SET, 'kw.Read(Thing, eq="name", limit=5_000, rate="1/s")', fields=PARTS), SOUND),
    "one field of a hash": (
        thing(
            "primary",
            HASH,
            'kw.Get(Thing, eq="name", fields="text", rate="3k/s")',
            fields="    text: Annotated[str, kw.Size(avg=4_096)]",
        ),
        SOUND,
    ),
    "members that are also tested": (
        thing("primary", SET, COUNT, 'kw.Get(Thing, eq=["name", "part"], rate="1/s")', fields=PARTS),
        SOUND,
    ),
    "a few that are counted": (thing("primary", SET[:-1] + ", expected=999_000)", COUNT, fields=PARTS), SOUND),
    "a unique name": (
        lock("", "primary", "owner:{name}", 'kw.Get(Thing, eq="name", rate="9/s")').replace(
            'kw.Delete(Thing, rate="9/s")', 'kw.Delete(Thing, rate="8/s")'
        ),
        SOUND,
    ),
    "a list that pauses": (
        thing("primary", PUSHED, 'kw.Put(Thing, rate="10/s")', fields=TEXT),
        SOUND,
    ),
    "a list of a day": (
        thing(
            "primary", PUSHED.replace("{name}", "{name}:{day}"), 'kw.Put(Thing, rate="90/s")', fields=f"{DAY}\n{TEXT}"
        ),
        SOUND,
    ),
    "calls of many keys of a day": (
        thing(
            "primary",
            DAYS,
            'kw.Increment(Thing, "count", rate="50k/s")',
            server=BACKLOG,
            fields=f"{DAY}\n    count: int",
        ),
        SOUND,
    ),
    "values of several keys that are written one by one": (
        thing("primary", DETAILS, 'kw.Put(Thing, rate="1/s")', fields=f"{DETAIL}\n{TEXT}"),
        SOUND,
    ),
    "a clock of blocks": (lock(key="clock:block:{name}").replace("kw.Delete", "kw.Get"), SOUND),
    "a lock that ends": (lock(", ttl=timedelta(minutes=1)"), SOUND),
}


@pytest.mark.parametrize("title", TOLD)
def test_a_problem_is_reported(title: str, tmp_path: Path) -> None:
    source, options, code, subject, message = TOLD[title]
    assert [
        (finding.code, finding.object, finding.message) for finding in findings_in(tmp_path, source, stack(options))
    ] == [(code, subject, message)]


@pytest.mark.parametrize("title", SILENT)
def test_a_sound_model_has_no_findings(title: str, tmp_path: Path) -> None:
    source, options = SILENT[title]
    assert [
        f"{finding.code} {finding.object}: {finding.message}"
        for finding in findings_in(tmp_path, source, stack(options))
    ] == []


def test_a_tag_of_all_entities_is_one_finding_of_the_server(tmp_path: Path) -> None:
    source, options = tagged('"shop"')
    other = source.partition("class Thing")[2].replace('"t:', '"other:')
    (finding,) = findings_in(tmp_path, f"{source}\n\nclass Other{other}", stack(options))
    assert (finding.code, finding.object, finding.message) == (
        "RED032",
        "s",
        'all keys of server "s" have the hash tag {shop}: they are in one slot, so that one node of the cluster does '
        "all the work",
    )
