"""`keywright check --live` on real servers: a healthy store is silent, and what is planted in it is found."""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from shutil import copyfile, copytree
from time import monotonic, sleep, time
from typing import Any

import pytest
from tests.projects import PYPROJECT, a_project, imported_alone, with_imports

from keywright.cli import main
from keywright.drivers.cassandra import driver as cassandra
from keywright.drivers.dynamodb import driver as dynamodb
from keywright.drivers.mongodb import driver as mongodb
from keywright.drivers.redis import driver as redis
from keywright.local import Running

pytestmark = pytest.mark.live

Start = Callable[..., Running]
NUMBERS = count()
SOON = datetime.now(UTC) + timedelta(days=30)

PARTS = {
    "dynamodb": 'dynamodb: {{flavour: dynamodb-local, name-prefix: "{prefix}", protect: false}}',
    "mongodb": 'mongodb: {{flavour: mongodb, version: "6.0", database-prefix: "{prefix}"}}',
    "cassandra": 'cassandra: {{flavour: cassandra, keyspace-prefix: "{prefix}", datacentres: {{datacenter1: 1}}}}',
    "redis": "redis: {{flavour: valkey, ram: 1gb, replicas: 1}}",
}

MODELS = {
    "mongodb": """
        blog = kw.MongoDatabase("blog")

        class Comment(BaseModel):
            text: str

        class Author(BaseModel):
            __store__: ClassVar = kw.Collection(blog, "authors", id="{author_id}")
            author_id: str
            name: str

        class Post(BaseModel):
            __store__: ClassVar = kw.Collection(
                blog, "posts", id="{post_id}", indexes=[kw.Index(["author_id", "-written_at"]), kw.Index("slug")]
            )
            post_id: str
            slug: str
            author_id: Annotated[str, kw.Ref(Author, on_missing="fail")]
            author_name: Annotated[str, kw.CopiedFrom(Author, "name", sync="job")]
            written_at: AwareDatetime
            comments: Annotated[list[Comment], Field(max_length=5)] = []

        class Token(BaseModel):
            __store__: ClassVar = kw.Collection(blog, "tokens", id="{token_id}", kind="token")
            token_id: str
            expires_at: Annotated[AwareDatetime, kw.Ttl()]

        class Note(BaseModel):
            __store__: ClassVar = kw.Collection(blog, "notes", id="{note_id}")
            note_id: str
            text: str

        class Badge(BaseModel):
            __store__: ClassVar = kw.Collection(blog, "badges", id="{badge_id}", indexes=[kw.Index("holder")])
            badge_id: str
            holder: str
            title: str

        held = kw.Join(Badge, on={"author_id": "holder"}, fields="title")
        badge = kw.Get(Badge, eq="badge_id", rate="1/s")
        posts_and_badges = kw.Read(Post, eq="author_id", order="-written_at", limit=20, rate="1/s", joins=[held])
        note = kw.Get(Note, eq="note_id", rate="1/s")
        author = kw.Get(Author, eq="author_id", rate="1/s")
        posts_of_author = kw.Read(Post, eq="author_id", order="-written_at", limit=20, rate="10/s")
        post_by_slug = kw.Read(Post, eq="slug", limit=5, rate="10/s")
        token = kw.Get(Token, eq="token_id", rate="1/s")
    """,
    "dynamodb": """
        by_mail = kw.Gsi("by_mail", pk="mail_key")
        shop = kw.DynamoTable("shop", gsis=[by_mail])

        class User(BaseModel):
            __store__: ClassVar = kw.Item(
                shop, pk="USER#{user_id}", sk="USER", gsis=[by_mail.key(pk="MAIL#{mail}")]
            )
            user_id: str
            mail: str
            points: int = 0

        class Login(BaseModel):
            __store__: ClassVar = kw.Item(shop, pk="USER#{user_id}", sk="LOGIN#{login_id}", kind="session")
            user_id: str
            login_id: str
            expires_at: Annotated[AwareDatetime, kw.Ttl()]

        user = kw.Get(User, eq="user_id", rate="1/s")
        user_by_mail = kw.Read(User, eq="mail", limit=1, rate="1/s")
        logins = kw.Read(Login, eq="user_id", limit=20, rate="1/s")
    """,
    "cassandra": """
        chat = kw.Keyspace("chat")

        class Message(BaseModel):
            __store__: ClassVar = kw.CqlTable(chat, "messages", partition="room", clustering="number")
            room: str
            number: int
            text: str

        messages = kw.Read(Message, eq="room", order="number", limit=50, rate="1/s")
        say = kw.Put(Message, rate="1/s")
    """,
    "redis": """
        web = kw.RedisServer("web", role="sessions")

        class Login(BaseModel):
            __store__: ClassVar = kw.RedisHash(web, key="login:{token}", ttl=timedelta(hours=24))
            token: str
            user_id: str

        class Page(BaseModel):
            __store__: ClassVar = kw.RedisString(web, key="page:{url}", value="text", ttl=timedelta(hours=1))
            url: str
            text: str

        mail = kw.ConsumerGroup("mail", idempotency="name", claim_after=timedelta(minutes=5))

        class Event(BaseModel):
            __store__: ClassVar = kw.RedisStream(web, key="events", keep=100, groups=[mail])
            name: str

        login = kw.Get(Login, eq="token", rate="1/s")
        page = kw.Get(Page, eq="url", rate="1/s")
        events = kw.Take(Event, group=mail, rate="1/s")
    """,
}

RULES = """
[tool.keywright.rules]
GEN002 = {severity = "off"}
CAS002 = {max_mb = 1}
CAS010 = {warn = 500}
MDB009 = {max_scanned = 0}
RED010 = {max_pending = 10}
"""


class Live:
    """A project whose stores are made on one server."""

    def __init__(self, engine: str, root: Path, server: Running, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> None:
        self.root, self.server, self.capsys = root, server, capsys
        self.prefix = f"live{next(NUMBERS)}{os.getpid()}_"
        for name in [name for name in os.environ if name.startswith("KEYWRIGHT_")]:
            monkeypatch.delenv(name)
        monkeypatch.setenv(f"KEYWRIGHT_{engine.upper()}_URL", server.url)
        stack = f"config:\n  keywright:environment:\n    mode: dev\n    {PARTS[engine].format(prefix=self.prefix)}\n"
        files = {
            "models/case.py": with_imports(MODELS[engine]),
            "stacks/Pulumi.dev.yaml": stack,
            "pyproject.toml": PYPROJECT + RULES,
        }
        a_project(root, files)
        code, out, err = self.run("apply", "--local")
        assert code == 0, out + err

    def run(self, *arguments: str) -> tuple[int, str, str]:
        """(exit code, stdout, stderr) of one command."""
        self.capsys.readouterr()
        with imported_alone(self.root):
            code = main.run(["--project", str(self.root), *arguments])
        out, err = self.capsys.readouterr()
        return code, out, err

    def findings(self, *arguments: str) -> dict[tuple[str, str], str]:
        """The message of each finding by code and object."""
        code, out, err = self.run("check", "--format", "json", *arguments)
        assert code in (0, 1), err
        return {
            (load["code"], load["entity"] or load["pattern"]): load["message"] for load in json.loads(out)["findings"]
        }

    def found(self, *arguments: str) -> dict[tuple[str, str], str]:
        """What is found live alone."""
        plain = self.findings()
        return {
            key: text for key, text in self.findings("--live", "--local", *arguments).items() if key not in plain
        }  # fmt: skip


@pytest.fixture
def live(tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch, capsys: Any) -> Callable[[str], Live]:
    """`live("mongodb")`: a project whose stores are made on a real server."""
    return lambda engine: Live(
        engine, tmp_path, start(engine, "web" if engine == "redis" else ""), monkeypatch, capsys
    )  # fmt: skip


@pytest.mark.parametrize("engine", MODELS)
def test_a_healthy_store_is_silent(engine: str, live: Callable[[str], Live]) -> None:
    project = live(engine)
    assert project.run("sample", "--load", "--local", "--scale", "20")[0] == 0
    assert project.found() == {}
    _, _, output = project.run("check", "--live", "--local")
    assert "observed 1 store: " in output
    assert "nothing was written" in output
    assert "not observed" not in output
    emptied(engine, project)


def emptied(engine: str, project: Live) -> None:
    if engine == "redis":
        with redis.client(project.server.url) as client:
            client.flushall()


def test_what_is_planted_in_mongodb_is_found(live: Callable[[str], Live]) -> None:
    project = live("mongodb")
    with mongodb.client(project.server.url) as client:
        blog = client[f"{project.prefix}blog"]
        blog["authors"].insert_one({"_id": "a-1", "name": "Ada"})
        entry: dict[str, Any] = {"author_id": "a-1", "author_name": "Ada", "written_at": SOON, "comments": []}
        posts = [{"_id": f"p-{n}", "slug": f"s-{n}", **entry} for n in range(20)]
        posts[3]["comments"] = [{"text": "+1"}] * 120
        posts[4]["author_id"] = "nobody"
        posts[5]["slug"] = 5
        posts[6]["author_name"] = "Ida"
        blog["posts"].insert_many(posts, bypass_document_validation=True)
        blog["tokens"].insert_many(
            [{"_id": "t-1", "expires_at": SOON}, {"_id": "t-2", "expires_at": SOON.isoformat()}],
            bypass_document_validation=True,
        )
        blog["notes"].insert_many([{"_id": "n-1", "text": "x" * 5 * 2**20}, {"_id": "n-2", "text": "y", "_kw_v": 3}],
                                  bypass_document_validation=True)  # fmt: skip
        blog["posts"].create_index("author_id")
        blog["posts"].drop_index("slug_1")
        blog["badges"].insert_many([{"_id": f"b-{n}", "holder": "a-1", "title": "x"} for n in range(3)])
        blog["badges"].drop_index("holder_1")
        blog.command({"profile": 2})
        list(blog["authors"].find({"name": "Ada"}))
        blog.command({"profile": 0})
        before = blog.command("dbHash")["md5"]
        result = project.found()
        assert blog.command("dbHash")["md5"] == before
    assert set(result) == {
        ("MDB001", "Post"),
        ("MDB008", "Post"),
        ("MDB009", "Author"),
        ("GEN007", "Post"),
        ("MDB106", "Post"),
        ("MDB020", "posts_and_badges"),
        ("GEN004", "post_by_slug"),
        ("GEN008", "Token"),
        ("GEN011", "Note"),
        ("GEN019", "Post"),
        ("GEN019", "Token"),
        ("GEN019", "Note"),
        ("MDB002", "Post"),
    }
    assert result["MDB001", "Post"].startswith('"comments" holds up to 120, and its bound is 5: 1 such')
    assert result["MDB008", "Post"].startswith('"author_id" leads nowhere for 1 of 2 values looked up')
    assert result["GEN007", "Post"].startswith('"author_name" differs from its source in 1 of 19 items compared')
    assert result["GEN008", "Token"].startswith("1 of all 2 documents has no time")
    assert "1 of version 3" in result["GEN019", "Note"]


def test_a_sample_says_how_much_it_is(live: Callable[[str], Live]) -> None:
    project = live("mongodb")
    with mongodb.client(project.server.url) as client:
        notes = client[f"{project.prefix}blog"]["notes"]
        notes.insert_many(
            [{"_id": f"n-{n}", "text": n} for n in range(500)], bypass_document_validation=True
        )  # fmt: skip
        result = project.found("--sample", "50")
    assert result["GEN019", "Note"].startswith(
        "at least 50 of 50 documents sampled (of about 500) do not match the model"
    )


def test_what_is_planted_in_dynamodb_is_found(live: Callable[[str], Live]) -> None:
    project = live("dynamodb")
    client, table = dynamodb.client(project.server.url), f"{project.prefix}shop"

    def put(**values: Any) -> None:
        client.put_item(TableName=table, Item=values)

    for n in range(110):  # none is in the index that it belongs into
        put(pk={"S": f"USER#{n}"}, sk={"S": "USER"}, user_id={"S": str(n)}, mail={"S": "m"}, points={"N": "1"},
            entity_type={"S": "User"})  # fmt: skip
    put(pk={"S": "USER#a"}, sk={"S": "USER"}, user_id={"S": "a"}, mail={"S": "m" * 150_000}, points={"S": "1"},
        entity_type={"S": "User"})  # fmt: skip
    put(pk={"S": "LEGACY"}, sk={"S": "1"})
    put(pk={"S": "bare"}, sk={"S": "USER"}, user_id={"S": "bare"}, mail={"S": "m"}, points={"N": "1"},
        entity_type={"S": "User"})  # fmt: skip
    now = int(time())
    for number, expiry in enumerate(({"N": str(now * 1000)}, {"S": "2030"}, {"N": "86400"}, {"N": str(now + 9999)})):
        put(pk={"S": "USER#1"}, sk={"S": f"LOGIN#{number}"}, user_id={"S": "1"}, login_id={"S": str(number)},
            expires_at=expiry, entity_type={"S": "Login"})  # fmt: skip
    before = client.scan(TableName=table)["Items"]
    result = project.found()
    assert client.scan(TableName=table)["Items"] == before
    assert set(result) == {
        ("DDB001", "User"),
        ("DDB013", "User"),
        ("DDB014", "User"),
        ("DDB016", "shop"),
        ("DDB023", "User"),
        ("DDB024", "Login"),
        ("DDB112", "Login"),
        ("GEN019", "User"),
        ("GEN019", "Login"),
    }
    assert result["DDB016", "shop"].startswith("1 of all 117 items in table")
    assert "1 in milliseconds, 1 as text" in result["DDB024", "Login"]
    client.update_table(TableName=table, GlobalSecondaryIndexUpdates=[{"Delete": {"IndexName": "by_mail"}}])
    assert ("GEN004", "user_by_mail") in project.found()


def test_what_is_planted_in_cassandra_is_found(live: Callable[[str], Live]) -> None:
    project = live("cassandra")
    session, keyspace = cassandra.client(project.server.url), f"{project.prefix}chat"
    table = f"{keyspace}.messages"
    try:
        session.execute(f"ALTER TABLE {table} WITH gc_grace_seconds = 60 AND memtable_flush_period_in_ms = 500")
        put = session.prepare(f"INSERT INTO {table} (room, number, text) VALUES (?, ?, ?)")
        for n in range(30):
            session.execute(put, ("wide", n, os.urandom(50_000).hex()))
        for n in range(800):
            session.execute(put, ("queue", n, "x"))
        for n in range(799):
            session.execute(f"DELETE FROM {table} WHERE room = 'queue' AND number = {n}")
        for _ in range(20):
            list(session.execute(f"SELECT * FROM {table} WHERE room = 'queue'"))
        with until("partition size", 20) as is_over:
            query = f"SELECT mebibytes FROM system_views.max_partition_size WHERE keyspace_name = '{keyspace}'"
            while not is_over() and not any(row.mebibytes > 1 for row in session.execute(query + " ALLOW FILTERING")):
                sleep(0.2)
        result = project.found()
    finally:
        session.cluster.shutdown()
    assert set(result) == {("CAS002", "Message"), ("CAS010", "Message"), ("CAS011", "Message")}
    assert "on the live server, " in result["CAS011", "Message"]


@contextmanager
def until(what: str, seconds: float) -> Iterator[Callable[[], bool]]:
    """`while not is_over() and …`: fails when the time is over."""
    ends = monotonic() + seconds

    def is_over() -> bool:
        if monotonic() > ends:
            pytest.fail(f"{what}: not within {seconds} s")
        return False

    yield is_over


def test_what_is_planted_in_redis_is_found_by_a_user_who_may_only_read(
    live: Callable[[str], Live], monkeypatch: pytest.MonkeyPatch
) -> None:
    project = live("redis")
    with redis.client(project.server.url) as client:
        try:
            client.hset("login:1", mapping={"user_id": "u"})
            client.set("login:2", "text", ex=900)
            client.set("page:a", "x" * 3 * 2**20, ex=900)
            for n in range(500):
                client.xadd("events", {"name": str(n)})
            client.config_set("maxmemory-policy", "noeviction")
            client.config_set("maxmemory", 0)
            may = {"categories": ["+@read", "+@connection"], "commands": ["+info", "+config|get", "+xinfo"]}
            client.acl_setuser("reader", enabled=True, passwords=["+pw"], keys=["*"], **may)
            address = project.server.url.replace("redis://", "redis://reader:pw@")
            monkeypatch.setenv("KEYWRIGHT_REDIS_URL", address)
            result = project.found()
            output = project.run("check", "--live", "--local")[2]
            client.acl_setuser("reader", enabled=True, commands=["-memory"])
            blind, unseen = project.found(), project.run("check", "--live", "--local")[2]
        finally:
            monkeypatch.setenv("KEYWRIGHT_REDIS_URL", project.server.url)
            client.acl_deluser("reader")
            client.flushall()
            client.config_set("maxmemory", 768 * 2**20)
            client.config_set("maxmemory-policy", "volatile-ttl")
    expected = {("RED004", "Login"), ("RED009", "Login"), ("RED010", "Event"), ("RED011", "Page")}
    assert set(result) == {*expected, ("RED001", "web")}
    assert result["RED004", "Login"] == "1 of all 2 keys never expires, and all should"
    assert "not observed" not in output
    assert set(blind) == {("RED001", "web"), ("MON005", "web")}
    assert "not observed: items of redis/web: " in unseen


def test_a_server_that_is_down_is_said_in_a_sentence(
    live: Callable[[str], Live], monkeypatch: pytest.MonkeyPatch
) -> None:
    project = live("mongodb")
    monkeypatch.setenv("KEYWRIGHT_STORE_MONGODB", "mongodb://127.0.0.1:1/?serverSelectionTimeoutMS=300")
    code, _, output = project.run("--env", "dev", "check", "--live")
    assert code == 3
    assert output.startswith("error: mongodb/blog ")
    assert "could not reach it" in output


def test_the_example_has_no_live_findings(
    tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    for name in [name for name in os.environ if name.startswith("KEYWRIGHT_")]:
        monkeypatch.delenv(name)
    for engine in ("dynamodb", "mongodb", "cassandra"):
        monkeypatch.setenv(f"KEYWRIGHT_{engine.upper()}_URL", start(engine).url)
    for name in ("models", "stacks", "policies", "pyproject.toml"):
        source = Path(__file__).parents[2] / name
        (copytree if source.is_dir() else copyfile)(source, tmp_path / name)
    stack = tmp_path / "stacks" / "Pulumi.dev.yaml"
    stack.write_text(stack.read_text().replace("dev_", f"dev{os.getpid()}_").replace("dev-", f"dev{os.getpid()}-"))
    answers: list[set[tuple[str, str]]] = []
    with imported_alone(tmp_path):
        try:
            for command in (["local", "up"], ["apply", "--local"], ["sample", "--load", "--local", "--scale", "30"]):
                assert main.run(["--project", str(tmp_path), *command]) == 0, capsys.readouterr().err
            for live in ([], ["--live", "--local"]):
                capsys.readouterr()
                main.run(["--project", str(tmp_path), "check", "--format", "json", *live])
                out, err = capsys.readouterr()
                answers.append(
                    {(load["code"], load["entity"] or load["pattern"]) for load in json.loads(out)["findings"]}
                )
                assert "not observed" not in err
        finally:
            main.run(["--project", str(tmp_path), "local", "down"])
    assert answers[1] == answers[0]
