"""Times with a declared precision on a real DynamoDB Local: the patterns are proved, and the items are as declared."""

import re
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from tests.live import formatted
from tests.live.conftest import Start
from tests.live.daily import Daily
from tests.projects import a_project, imported_alone, with_imports

from keywright import api, runtime
from keywright.api.live.local_servers import instance_of
from keywright.api.prove.prove import prove_on
from keywright.api.prove.scratch import Server
from keywright.drivers.dynamodb import driver as dynamodb

pytestmark = pytest.mark.live

MODELS = """
Millisecond = Annotated[AwareDatetime, kw.Precision("milliseconds")]
Second = Annotated[AwareDatetime, kw.Precision("seconds")]
Id = Annotated[str, Field(pattern="^[a-z0-9]{1,8}$"), kw.Cardinality(distinct=6)]

by_team = kw.Gsi("by_team", pk="team", sk="created_at")
by_change = kw.Gsi("by_change", pk="team", sk="changed_at")
by_moment = kw.Gsi("by_moment", pk="changed_at")
by_key = kw.Gsi("by_key", pk="gsi1pk", sk="gsi1sk")
app = kw.DynamoTable("app", gsis=[by_team, by_change, by_moment, by_key])


class Step(BaseModel):
    at: Millisecond
    done: Second | None = None


class Event(BaseModel):
    __store__: ClassVar = kw.Item(
        app,
        pk="USER#{user_id}",
        sk="EVENT#{created_at:iso}#{seen_at:iso}#{number}",
        gsis=[by_key.key(pk="TEAM#{team}", sk="AT#{changed_at:pad(13)}#{stamped_at:pad(10)}#{number}")],
        types={"changed_at": "N", "stamped_at": "N"},
    )

    user_id: Id
    team: Id
    number: Annotated[str, Field(pattern="^[0-9]{3}$")]
    created_at: Millisecond
    seen_at: Second
    changed_at: Millisecond
    stamped_at: Second
    read_at: Millisecond | None = None
    steps: Annotated[list[Step], Field(max_length=3)] = []
    times: Annotated[set[Millisecond], Field(max_length=3)] = set()
    by_time: Annotated[dict[Second, str], Field(max_length=2)] = {}


put_event = kw.Put(Event)
event = kw.Get(Event, eq=["user_id", "created_at", "seen_at", "number"])
events = kw.Read(Event, eq="user_id", range="created_at", order="created_at", limit=7)
newest = kw.Read(Event, eq="user_id", order="-created_at", limit=5)
seen = kw.Read(Event, eq=["user_id", "created_at"], range="seen_at", limit=7)
late = kw.Read(Event, eq="user_id", where={"stamped_at": kw.AtLeast(datetime(2026, 8, 1, tzinfo=UTC))}, limit=9)
changed = kw.Read(Event, eq="team", range="changed_at", order="-changed_at", limit=7)
changed_then = kw.Read(Event, eq="changed_at", limit=7)
created = kw.Read(Event, eq="team", range="created_at", order="created_at", limit=7)
mark = kw.Update(Event, sets="read_at")
mark_changed = kw.Update(Event, sets="read_at", where={"changed_at": datetime(2026, 1, 2, 3, 4, 5, 123999, tzinfo=UTC)})
unread = kw.Update(Event, unset="read_at")
add_time = kw.Update(Event, pushes="times")
drop = kw.Delete(Event)
"""
MODELS = "from datetime import UTC\n\n" + MODELS


REDIS = """
Millisecond = Annotated[AwareDatetime, kw.Precision("milliseconds")]
Second = Annotated[AwareDatetime, kw.Precision("seconds")]
Id = Annotated[str, Field(pattern="^[a-z0-9]{1,8}$"), kw.Cardinality(distinct=6)]
server = kw.RedisServer("app", role="primary", eviction="noeviction", persistence=[])


class Part(BaseModel):
    at: Millisecond
    done: Second | None = None


class Visit(BaseModel):
    __store__: ClassVar = kw.RedisHash(server, key="visit:{user_id}:{at:iso}", ttl=timedelta(days=1))
    user_id: Id
    at: Millisecond
    seen_at: Second
    read_at: Millisecond | None = None
    parts: Annotated[list[Part], Field(max_length=3)] = []


class Note(BaseModel):
    __store__: ClassVar = kw.RedisString(server, key="note:{user_id}:{at:pad(10)}", ttl=timedelta(days=1))
    user_id: Id
    at: Second
    changed_at: Millisecond
    part: Part
    by_time: Annotated[dict[Second, Millisecond], Field(max_length=2)] = {}


class Job(BaseModel):
    __store__: ClassVar = kw.RedisSortedSet(server, key="jobs:{queue}", member="{name}", score="due_at")
    queue: Id
    name: Annotated[str, Field(pattern="^[a-z0-9]{8}$")]
    due_at: Millisecond


class Login(BaseModel):
    __store__: ClassVar = kw.RedisSortedSet(server, key="logins:{user_id}", member="{at:iso}", score="count")
    user_id: Id
    at: Second
    count: Annotated[int, Field(ge=0, le=40)]


visit = kw.Get(Visit, eq=["user_id", "at"])
put_visit = kw.Put(Visit)
mark = kw.Update(Visit, sets="read_at")
note = kw.Get(Note, eq=["user_id", "at"])
put_note = kw.Put(Note)
put_job = kw.Put(Job)
jobs = kw.Read(Job, eq="queue", order="due_at", limit=7)
due = kw.Read(Job, eq="queue", range="due_at", order="due_at", limit=7)
late = kw.Read(Job, eq="queue", range="due_at", excludes="last", order="-due_at", limit=7)
count_due = kw.Count(Job, eq="queue", range="due_at")
logins = kw.Read(Login, eq="user_id", order="count", limit=7)
put_login = kw.Put(Login)
"""


@pytest.mark.parametrize(
    ("engine", "source"),
    [
        ("dynamodb", MODELS),
        ("redis", REDIS),
        ("dynamodb", f"{formatted.COMMON}{formatted.DYNAMODB}"),
        ("redis", f"{formatted.COMMON}{formatted.REDIS}"),
        ("cassandra", f"{formatted.COMMON}{formatted.CASSANDRA}"),
        ("mongodb", f"{formatted.COMMON}{formatted.MONGODB}"),
    ],
)
def test_every_pattern_is_served_and_proved(engine: str, source: str, start: Start, tmp_path: Path) -> None:
    with imported_alone(tmp_path):
        a_project(tmp_path, {"models/case.py": with_imports(source)})
        project = api.load(str(tmp_path))
        compiled = api.compile(project)
        instance = instance_of(compiled.targets[0])
        running = start(engine, instance.name)
        results = prove_on(project, compiled, [Server(instance, running.url, running.version)], scale=60)
    assert len(results) == len(project.design.patterns)
    problems = {
        result.row.pattern.name: result.proof.problems if result.proof else ["not served"] for result in results
    }
    assert not any(problems.values()), problems


STACK = """\
config:
  keywright:environment:
    mode: dev
    dynamodb: {{flavour: dynamodb-local, name-prefix: "{prefix}", protect: false}}
"""
AT = datetime(2026, 1, 2, 4, 4, 5, 123456, tzinfo=timezone(timedelta(hours=1)))
CUT = datetime(2026, 1, 2, 3, 4, 5, 123000, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


class App:
    """A project whose tables are made, its models and its client."""

    def __init__(self, root: Path, url: str, source: str) -> None:
        self.client: Any = dynamodb.client(url)
        self.daily = Daily(root, with_imports(source), stack=STACK)
        for words in (("diff", "-m", "first"), ("apply", "--local")):
            said = self.daily(*words)
            assert said.code == 0, said
        sys.path.insert(0, str(root))

    def items(self) -> list[dict[str, Any]]:
        """Every item of the table, by its sort key."""
        found: list[dict[str, Any]] = self.client.scan(TableName=f"{self.daily.prefix}app")["Items"]
        return sorted(found, key=lambda item: item["sk"]["S"])


@pytest.fixture
def opened(start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[App, Any, Any]]:
    """(project, models, database) of the models."""
    url = start("dynamodb").url
    monkeypatch.setenv("KEYWRIGHT_DYNAMODB_URL", url)
    app = App(tmp_path, url, MODELS)
    with imported_alone(tmp_path):
        models: Any = import_module("models.library")
        yield app, models, runtime.open(models, environment="dev", dynamodb=app.client)
    app.client.close()


def event(models: Any, number: int, at: datetime) -> Any:
    times = {"created_at": at, "seen_at": at, "changed_at": at, "stamped_at": at}
    return models.Event(user_id="u1", team="t1", number=f"{number:03}", **times)


def test_times_are_cut_and_stored_as_javascript_writes_them(opened: tuple[App, Any, Any]) -> None:
    app, models, db = opened
    written = event(models, 1, AT)
    more = {"read_at": AT, "steps": [models.Step(at=AT, done=AT)], "times": {AT, CUT}, "by_time": {AT: "x"}}
    models.put_event(db, written.model_copy(update=more))
    (item,) = app.items()
    assert item == {
        "pk": {"S": "USER#u1"},
        "sk": {"S": "EVENT#2026-01-02T03:04:05.123Z#2026-01-02T03:04:05Z#001"},
        "gsi1pk": {"S": "TEAM#t1"},
        "gsi1sk": {"S": "AT#1767323045123#1767323045#001"},
        "entity_type": {"S": "Event"},
        "user_id": {"S": "u1"},
        "team": {"S": "t1"},
        "number": {"S": "001"},
        "created_at": {"S": "2026-01-02T03:04:05.123Z"},
        "seen_at": {"S": "2026-01-02T03:04:05Z"},
        "changed_at": {"N": "1767323045123"},
        "stamped_at": {"N": "1767323045"},
        "read_at": {"S": "2026-01-02T03:04:05.123Z"},
        "steps": {"L": [{"M": {"at": {"S": "2026-01-02T03:04:05.123Z"}, "done": {"S": "2026-01-02T03:04:05Z"}}}]},
        "times": {"SS": ["2026-01-02T03:04:05.123Z"]},
        "by_time": {"M": {"2026-01-02T03:04:05Z": {"S": "x"}}},
    }
    read = models.event(db, user_id="u1", created_at=AT, seen_at=AT, number="001")
    assert (read.created_at, read.changed_at, read.read_at, read.times) == (CUT, CUT, CUT, {CUT})
    assert (read.seen_at, read.stamped_at) == (CUT.replace(microsecond=0),) * 2
    models.put_event(db, read)
    assert app.items() == [item]


def test_ranges_pages_and_conditions_compare_the_cut_times(opened: tuple[App, Any, Any]) -> None:
    _, models, db = opened
    for number in range(20):
        models.put_event(db, event(models, number, AT + number * MINUTE))
    ends = (AT + 2 * MINUTE, AT + 12 * MINUTE)
    for read, key in ((models.events, {"user_id": "u1"}), (models.created, {"team": "t1"})):
        page = read(db, **key, created_at=ends)
        assert [found.number for found in page] == [f"{number:03}" for number in range(2, 9)]
        following = read(db, **key, created_at=ends, cursor=page.cursor)
        assert [found.number for found in following] == [f"{number:03}" for number in range(9, 13)]
    page = models.changed(db, team="t1", changed_at=ends)
    assert [found.number for found in page] == [f"{number:03}" for number in range(12, 5, -1)]
    assert [found.number for found in models.changed_then(db, changed_at=AT)] == ["000"]
    where = {"user_id": "u1", "created_at": AT, "seen_at": AT, "number": "000"}
    models.mark_changed(db, **where, read_at=AT)
    assert models.event(db, **where).read_at == CUT
    later = {"created_at": AT + MINUTE, "seen_at": AT + MINUTE, "number": "001"}
    with pytest.raises(runtime.ConditionFailed):
        models.mark_changed(db, **where | later, read_at=AT)


def test_times_before_1970_fit_in_no_digits(opened: tuple[App, Any, Any]) -> None:
    _, models, db = opened
    with pytest.raises(runtime.InvalidValue, match=r"pad\(13\)"):
        models.put_event(db, event(models, 1, datetime(1969, 1, 1, tzinfo=UTC)))


BEFORE = """
app = kw.DynamoTable("app", gsis=[kw.Gsi("by_day", pk="gsi1pk", sk="gsi1sk")])


class Note(BaseModel):
    __store__: ClassVar = kw.Item(app, pk="NOTE#{id}", sk="NOTE", gsis=[app.gsis[0].key(pk="NOTES", sk="KEY")]MORE)

    id: Annotated[str, Field(pattern="^[a-z0-9]+$")]
    made_at: TYPE
    seen_at: TYPE | None = None


note = kw.Get(Note, eq="id", rate="1/s")
"""


def notes(type: str, key: str, more: str = "") -> str:
    return BEFORE.replace("TYPE", type).replace("KEY", key).replace("MORE", more)


def test_texts_of_other_forms_become_times_of_one(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = start("dynamodb").url
    monkeypatch.setenv("KEYWRIGHT_DYNAMODB_URL", url)
    app = App(tmp_path, url, notes("str", "{made_at}"))
    table = f"{app.daily.prefix}app"
    texts = ("2026-01-02T03:04:05.123Z", "2026-01-02T04:04:05.123999+01:00", "2026-01-02T03:04:05Z")
    for number, text in enumerate(texts):
        key = {"pk": {"S": f"NOTE#{number}"}, "sk": {"S": "NOTE"}, "id": {"S": str(number)}}
        own = {"made_at": {"S": text}, "gsi1pk": {"S": "NOTES"}, "gsi1sk": {"S": text}, "entity_type": {"S": "Note"}}
        app.client.put_item(TableName=table, Item={**key, **own})
    upgrade = ', schema_version=2, upgrades={1: kw.Upgrade(cast={"made_at": "datetime", "seen_at": "datetime"})}'
    after = notes('Annotated[AwareDatetime, kw.Precision("milliseconds")]', "{made_at:iso}", upgrade)
    app.daily.becomes(with_imports(after))
    said = app.daily("diff", "-m", "times")
    assert said.code == 0, said
    acknowledged: list[str] = []
    while (said := app.daily("apply", "--local", *acknowledged)).code == 4:  # new code is deployed before its items
        step = re.findall(r"--ack (\S+)", said.err)[0]
        assert step not in acknowledged, said
        acknowledged = ["--ack", step, "--note", "done"]
    assert said.code == 0, said
    assert acknowledged
    forms = ["2026-01-02T03:04:05.123Z", "2026-01-02T03:04:05.123Z", "2026-01-02T03:04:05.000Z"]
    items = sorted(app.items(), key=lambda item: item["id"]["S"])
    assert [item["made_at"]["S"] for item in items] == forms
    assert [item["gsi1sk"]["S"] for item in items] == forms
    said = app.daily("diff", "-m", "again")
    assert "no difference" in said.out, said
    app.client.close()


def test_a_key_takes_another_format(start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = start("dynamodb").url
    monkeypatch.setenv("KEYWRIGHT_DYNAMODB_URL", url)
    type_ = 'Annotated[AwareDatetime, kw.Precision("seconds")]'
    app = App(tmp_path, url, notes(type_, "{made_at:iso}"))
    table = f"{app.daily.prefix}app"
    for number in range(3):
        key = {"pk": {"S": f"NOTE#{number}"}, "sk": {"S": "NOTE"}, "id": {"S": str(number)}}
        text = f"2026-01-0{number + 1}T03:04:05Z"
        own = {"made_at": {"S": text}, "gsi1pk": {"S": "NOTES"}, "gsi1sk": {"S": text}, "entity_type": {"S": "Note"}}
        app.client.put_item(TableName=table, Item={**key, **own})
    for format, expected in (
        ("%Y%m%dT%H%M%SZ", [f"2026010{day}T030405Z" for day in (1, 2, 3)]),
        ("%Y/%m/%d %H:%M:%S.%f", [f"2026/01/0{day} 03:04:05.000000" for day in (1, 2, 3)]),
        ("", [f"2026-01-0{day}T03:04:05Z" for day in (1, 2, 3)]),
    ):
        form = f"strftime({format})" if format else "iso"
        app.daily.becomes(with_imports(notes(type_, f"{{made_at:{form}}}")))
        said = app.daily("diff", "-m", "format")
        assert said.code == 0, said
        acknowledged: list[str] = []
        while (said := app.daily("apply", "--local", *acknowledged)).code == 4:
            step = re.findall(r"--ack (\S+)", said.err)[0]
            assert step not in acknowledged, said
            acknowledged = ["--ack", step, "--note", "done"]
        assert said.code == 0, said
        items = sorted(app.items(), key=lambda item: item["id"]["S"])
        assert [item["gsi1sk"]["S"] for item in items] == expected
        said = app.daily("diff", "-m", "again")
        assert "no difference" in said.out, said
    app.client.close()
