"""`check --live` on real servers: what is stored and does not fit, by field and key, and without any value."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.live import unfit
from tests.live.daily import Daily
from tests.projects import with_imports
from tests.servers import Start

from keywright.drivers.redis import driver as redis
from keywright.engines.redis.schema.delayed_entry import entry

pytestmark = pytest.mark.live

KEY = {
    "mongodb": "'g/{}'",
    "dynamodb": "pk='GROUP#g', sk='THING#{}'",
    "cassandra": "group='g', thing_id='{}'",
    "redis": "'thing:g:{}'",
}
SAMPLED = {
    "mongodb": "of all {} documents", "dynamodb": "of all {} items", "cassandra": "of {} rows sampled",
    "redis": "of all {} keys",
}  # fmt: skip


@pytest.fixture(params=unfit.STORED)
def store(
    request: Any, tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[str, Any, Any]]:
    """(engine, project, its store) on each server."""
    engine = request.param
    url = start(engine, "unfit" if engine == "redis" else "").url
    monkeypatch.setenv(f"KEYWRIGHT_{engine.upper()}_URL", url)
    project = Daily(
        tmp_path / "project", unfit.models(engine), stack=unfit.STACK.replace("{part}", unfit.PARTS[engine])
    )
    said = project.keywright("apply", "--local")
    assert said.code == 0, said
    with unfit.STORED[engine](url, project.prefix) as result:
        yield engine, project, result


def findings(project: Daily) -> dict[tuple[str, str], str]:
    said = project.keywright("check", "--live", "--local", "--format", "json")
    assert said.code in (0, 1), said.err
    messages: dict[tuple[str, str], str] = {}
    for load in json.loads(said.out)["findings"]:
        place = load["code"], load["entity"]
        messages[place] = "\n".join(filter(None, (messages.get(place), load["message"])))
    assert "s3cret" not in said.out + said.err
    assert "jane" not in said.out + said.err
    return messages


def test_what_does_not_fit_is_told_by_field_and_key_without_any_value(store: tuple[str, Daily, unfit.Unfit]) -> None:
    engine, project, stored = store
    things = dict(unfit.THINGS)
    if engine == "cassandra":  # which takes no such value, and has no such column
        stored.client.execute(f"ALTER TABLE {project.prefix}unfit.things ADD legacy text")
        del things["textual"]
        things["oldest"] = {"legacy": "s3cret-legacy"}
    stored.fill(things)
    before = stored.everything()
    result = findings(project)
    assert stored.everything() == before
    key: Callable[[str], str] = KEY[engine].format
    sampled = SAMPLED[engine].format(len(things))
    misfits, strange = result["GEN019", "Thing"], result["GEN023", "Thing"]
    lists = result["MDB001", "Thing"] if engine == "mongodb" else misfits
    assert '"tags" ' in lists
    assert f", such as {key('longer')}" in lists
    assert f'"age": greater than equal (1, such as {key("negative")})' in misfits
    assert f"at least 1 {sampled} does not match the model: " in misfits
    assert strange.startswith(f'Thing does not declare stored fields: "legacy" in 2 {sampled}')
    assert f"such as {key('older')}" in strange or f"such as {key('oldest')}" in strange
    if engine != "cassandra":
        assert f'"part.former" in 1 {sampled}, such as {key("oldest")}' in strange
    assert "such as *** (a personal key)" in result["GEN019", "Person"]


REDIS = """
    place = kw.RedisServer("unfit", role="primary")
    group = kw.ConsumerGroup("workers", idempotency="name", claim_after=timedelta(minutes=5))

    class Part(BaseModel):
        name: str

    class Job(BaseModel):
        __store__: ClassVar = kw.RedisStream(place, key="jobs", keep=100, groups=[group])
        name: str
        age: Annotated[int, Field(ge=0)]

    class Mail(BaseModel):
        __store__: ClassVar = kw.RedisStream(place, key="mails:{team}", keep=100, groups=[group])
        team: Annotated[str, Field(pattern="^[a-z]+$")]
        name: str

    class Note(BaseModel):
        __store__: ClassVar = kw.RedisString(place, key="note:{note_id}", keep_forever="all")
        note_id: Annotated[str, Field(pattern="^[a-z0-9]+$")]
        text: str
        part: Part | None = None

    class Task(BaseModel):
        __store__: ClassVar = kw.RedisList(place, key="tasks:{team}", max_length=50, keep_forever="all")
        team: Annotated[str, Field(pattern="^[a-z]+$")]
        name: Annotated[str, Field(max_length=30)]

    class Fan(BaseModel):
        __store__: ClassVar = kw.RedisSet(place, key="fans:{team}", member="{fan_id}", keep_forever="all")
        team: Annotated[str, Field(pattern="^[a-z]+$")]
        fan_id: Annotated[str, Field(pattern="^[a-z0-9]{1,9}$")]

    class Score(BaseModel):
        __store__: ClassVar = kw.RedisSortedSet(
            place, key="scores:{team}", member="{fan_id}", score="points", max_length=50, keep_forever="all"
        )
        team: Annotated[str, Field(pattern="^[a-z]+$")]
        fan_id: Annotated[str, Field(pattern="^[a-z0-9]{1,9}$")]
        points: Annotated[int, Field(ge=0, le=9)]

    class Visits(BaseModel):
        __store__: ClassVar = kw.RedisCounter(place, key="visits:{team}", value="visits", keep_forever="all")
        team: Annotated[str, Field(pattern="^[a-z]+$")]
        visits: Annotated[int, Field(ge=0)]

    class Session(BaseModel):
        __store__: ClassVar = kw.RedisHash(place, key="session:{session_id}", keep_forever="all")
        session_id: Annotated[str, Field(pattern="^[a-z0-9]+$")]
        age: Annotated[int, Field(ge=0)]

    jobs = kw.Take(Job, group=group, rate="1/s")
    mails = kw.Take(Mail, eq="team", group=group, rate="1/s")
    note = kw.Get(Note, eq="note_id", rate="1/s")
"""


@pytest.fixture
def server(tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Daily, Any]]:
    """A project of every readable structure, and its empty server."""
    url = start("redis", "unfit").url
    monkeypatch.setenv("KEYWRIGHT_REDIS_URL", url)
    stack = unfit.STACK.replace("{part}", unfit.PARTS["redis"])
    project = Daily(tmp_path / "project", with_imports(REDIS), stack=stack)
    with redis.client(url) as client:
        client.flushall()
        assert project.keywright("apply", "--local").code == 0
        yield project, client
        client.flushall()


OURS = ("GEN019", "GEN023", "RED009", "RED016", "RED017")


def told(project: Daily) -> dict[tuple[str, str], str]:
    return {where: message for where, message in findings(project).items() if where[0] in OURS}


def test_nothing_is_odd_about_what_keywright_writes_into_any_structure(server: tuple[Daily, Any]) -> None:
    project, client = server
    said = project.keywright("sample", "--load", "--local", "--scale", "20")
    assert said.code == 0, said
    assert client.dbsize() > 20
    assert told(project) == {}


def test_entries_that_wait_are_no_keys_of_others(server: tuple[Daily, Any]) -> None:
    project, client = server
    for key in ("{jobs}:delayed", "{mails:x}:delayed"):
        client.zadd(key, {entry("1", {"name": "n"}): 1})
    assert told(project) == {}
    client.zadd("{other}:delayed", {"x": 1})
    assert told(project).keys() == {("RED017", "unfit")}


def test_keys_of_others_dead_letters_and_values_of_each_structure_are_told(server: tuple[Daily, Any]) -> None:
    project, client = server
    client.set("tmp:1", "s3cret")
    client.set("kw:{redis/unfit}", "a history")
    client.lpush("session:abc", "s3cret")
    client.hset("session:abd", mapping={"age": "s3cret"})
    client.set("note:1", json.dumps({"text": "x", "extra": "s3cret", "part": {"name": "p", "inner": "s3cret"}}))
    client.set("note:2", "s3cret: no JSON")
    client.rpush("tasks:a", json.dumps({"name": "x" * 31, "extra": 1}), json.dumps({"name": "y" * 31}))
    client.sadd("fans:a", "S3CRET")
    client.zadd("scores:a", {"b": 12})
    client.set("visits:a", "s3cret")
    client.xadd("jobs", {"name": "n", "age": "1", "extra": "s3cret"})
    client.xadd("{jobs}:dead", {"name": "s3cret", "kw:id": "1-1"})
    client.xadd("{mails:x}:dead", {"name": "s3cret", "kw:id": "1-1"})
    before = {key: client.dump(key) for key in client.scan_iter()}
    result = told(project)
    assert {key: client.dump(key) for key in client.scan_iter()} == before
    assert result == {
        ("RED017", "unfit"): "1 of 10 keys sampled (of about 13) matches no template of the models, such as 'tmp:1'",
        ("RED016", "Job"): "dead letters wait: 1 in '{jobs}:dead'",
        ("RED016", "Mail"): "dead letters wait: 1 in '{mails:x}:dead'",
        ("RED009", "Session"): result["RED009", "Session"],
        ("GEN023", "Job"): "Job does not declare stored fields: \"extra\" in 1 of all 1 key, such as 'jobs'",
        (
            "GEN023",
            "Note",
        ): "Note does not declare stored fields: \"extra\" in 1 of 2 keys sampled (of about 3), such as 'note:1'; "
        "\"part.inner\" in 1 of 2 keys sampled (of about 3), such as 'note:1'",
        ("GEN023", "Task"): "Task does not declare stored fields: \"extra\" in 1 of all 1 key, such as 'tasks:a'",
        ("GEN019", "Session"): result["GEN019", "Session"],
        ("GEN019", "Note"): result["GEN019", "Note"],
        ("GEN019", "Task"): result["GEN019", "Task"],
        ("GEN019", "Fan"): result["GEN019", "Fan"],
        ("GEN019", "Score"): result["GEN019", "Score"],
        ("GEN019", "Visits"): result["GEN019", "Visits"],
    }
    assert "1 list, such as 'session:abc': what" in result["RED009", "Session"]
    assert (
        "\"age\": its stored form cannot be read (ValueError) (1, such as 'session:abd')" in result["GEN019", "Session"]
    )
    assert "(JSONDecodeError) (1, such as 'note:2')" in result["GEN019", "Note"]
    assert "\"name\": string too long (1, such as 'tasks:a')" in result["GEN019", "Task"]
    assert result["GEN019", "Score"].endswith("\"points\": less than equal (1, such as ('scores:a', 'b'))")
    assert "'visits:a'" in result["GEN019", "Visits"]
    shown = project.keywright("inspect", "--local", "--engine", "redis")
    assert "\n  dead letters: 1 in {jobs}:dead, 1 in {mails:x}:dead\n" in shown.out
    shown = project.keywright("inspect", "--local", "--engine", "redis", "--format", "json")
    assert json.loads(shown.out)["targets"][0]["dead_letters"] == {"{jobs}:dead": 1, "{mails:x}:dead": 1}


def test_keys_and_names_of_others_stay_on_their_line(server: tuple[Daily, Any]) -> None:
    project, client = server
    client.set(b"\xff\xfe\nerror: all is lost", "s3cret")
    client.hset("session:abc", mapping={"age": "1", "a\nb\u202e": "s3cret", b"\xff": b"\xfe"})
    client.set("note:1", json.dumps({"text": "x", "part": {"name": "p", "x" * 300 + "\n": 1}}))
    said = project.keywright("check", "--live", "--local")
    assert said.code in (0, 1), said
    assert "s3cret" not in said.out + said.err
    assert "\nerror: all" not in said.out
    assert "\u202e" not in said.out
    result = told(project)
    assert r"such as '\\xff\\xfe\nerror: all is lost'" in result["RED017", "unfit"]
    assert r'"a\u000ab\u202e" in 1 of' in result["GEN023", "Session"]
    assert len(result["GEN023", "Note"]) < 1000


SHAPES = {
    "mongodb": """
    place = kw.MongoDatabase("unfit")

    class Place(BaseModel):
        name: str
        at: datetime | None = None

    class Reading(BaseModel):
        __store__: ClassVar = kw.TimeSeries(
            place, "readings", time="at", meta="sensor", granularity="hours", ttl=timedelta(days=30)
        )
        sensor: str
        at: AwareDatetime
        celsius: float

    class Thing(BaseModel):
        __store__: ClassVar = kw.Collection(
            place, "things", id="{thing_id}", schema_version=2, upgrades={1: kw.Upgrade(set={"group": "g"})},
            computed={"whole": "{group}#{thing_id}"}
        )
        thing_id: Annotated[str, Field(pattern="^[a-z0-9]+$")]
        group: Annotated[str, Field(pattern="^[a-z0-9]+$")]
        size: Annotated[int, Field(alias="sizeOf")]
        places: dict[str, Place] = {}
""",
    "dynamodb": """
    by_group = kw.Gsi("by_group", pk="gsi1pk", sk="gsi1sk")
    place = kw.DynamoTable("unfit", gsis=[by_group], lsis=[kw.Lsi("by_size", sk="size")])

    class Place(BaseModel):
        name: str

    class Thing(BaseModel):
        __store__: ClassVar = kw.Item(
            place, pk="THING#{thing_id}", sk="THING", schema_version=2, upgrades={1: kw.Upgrade(set={"group": "g"})},
            gsis=[by_group.key(pk="GROUP#{group}", sk="{thing_id}")], computed={"whole": "{group}#{thing_id}"}
        )
        thing_id: Annotated[str, Field(pattern="^[a-z0-9]+$")]
        group: Annotated[str, Field(pattern="^[a-z0-9]+$")]
        size: Annotated[int, Field(alias="sizeOf")]
        places: dict[str, Place] = {}
""",
    "cassandra": """
    place = kw.Keyspace("unfit")

    class Place(BaseModel):
        name: str

    class Thing(BaseModel):
        __store__: ClassVar = kw.CqlTable(
            place, "things", partition="thing_id", clustering="size", static=["group"], schema_version=2,
            upgrades={1: kw.Upgrade(set={"group": "g"})}
        )
        thing_id: str
        group: str | None = None
        size: int
        places: dict[str, Place] = {}
""",
}


@pytest.mark.parametrize("engine", SHAPES)
def test_nothing_is_odd_about_what_keywright_writes_of_any_shape(
    engine: str, tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"KEYWRIGHT_{engine.upper()}_URL", start(engine).url)
    stack = unfit.STACK.replace("{part}", unfit.PARTS[engine])
    project = Daily(tmp_path / "project", with_imports(SHAPES[engine]), stack=stack)
    for words in (("apply", "--local"), ("sample", "--load", "--local", "--scale", "20")):
        said = project.keywright(*words)
        assert said.code == 0, said
    with unfit.STORED[engine](start(engine).url, project.prefix):
        assert told(project) == {}
