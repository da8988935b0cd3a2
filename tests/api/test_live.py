"""Applying, inspecting and loading, with a driver in memory instead of servers."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.projects import a_project, imported_alone, with_imports

from keywright import api, local
from keywright.api.local import apply as live
from keywright.api.local import load as data
from keywright.api.local.apply import apply_local, inspect_local
from keywright.engines.contract.plan import Statement
from keywright.engines.interface import Description, Driver, StatementFailed
from keywright.errors import Unavailable
from keywright.local import Running, WantedServer
from keywright.migrations.run.runner import ApplyError
from keywright.record import replace
from keywright.sample import GeneratedInstance

MODELS = """
content = kw.MongoDatabase("content")
sessions = kw.RedisServer("sessions", role="sessions")

class Post(BaseModel):
    __store__: ClassVar = kw.Collection(content, "posts")

    title: str

class Login(BaseModel):
    __store__: ClassVar = kw.RedisHash(sessions, key="login:{token}", ttl=timedelta(days=1), kind="session")

    token: str
"""
MONGODB, REDIS = WantedServer("mongodb", "mongodb"), WantedServer("redis", "sessions")


@pytest.fixture
def project(tmp_path: Path) -> Iterator[api.Project]:
    a_project(tmp_path, {"models/case.py": with_imports(MODELS)})
    with imported_alone(tmp_path):
        yield api.load(str(tmp_path))


def refuse(*args: object) -> None:
    raise StatementFailed("could not reach it: nobody there")


LOST = Driver(  # type: ignore[arg-type]
    **dict.fromkeys(("introspect", "names", "run", "load", "stored", "observe", "ledger", "pages", "drop"), refuse),
    close=lambda: None,
)


def play(monkeypatch: pytest.MonkeyPatch, drivers: dict[WantedServer, Driver]) -> None:
    """Replace running servers by these drivers."""
    versions = {"mongodb": "6.0.5", "redis": "7.0.15"}
    servers = tuple(Running(driver, 1, 1, "url", "here", versions[driver.engine]) for driver in drivers)

    @contextmanager
    def connected(server: Running) -> Iterator[Driver]:
        yield drivers[server.instance]

    monkeypatch.setattr(local, "running", lambda folder, instances=(): servers)
    for module in (live, data):
        monkeypatch.setattr(module, "connected", connected)


def apply(project: api.Project) -> list[live.Applied]:
    return apply_local(project, api.compile(project), tell=lambda target, done: None)


def load(project: api.Project, *samples: GeneratedInstance) -> data.Loaded:
    return data.load_local(project, api.compile(project), samples)


def test_without_a_server_nothing_is_applied(project: api.Project, monkeypatch: pytest.MonkeyPatch) -> None:
    play(monkeypatch, {})
    with pytest.raises(Unavailable, match="no local server is running"):
        apply(project)


def test_an_engine_that_is_required_may_not_be_left_out(project: api.Project, monkeypatch: pytest.MonkeyPatch) -> None:
    play(monkeypatch, {REDIS: LOST})
    monkeypatch.setenv("KEYWRIGHT_REQUIRE_ENGINES", "mongodb")
    with pytest.raises(Unavailable, match='"mongodb" must run'):
        apply(project)
    with pytest.raises(Unavailable, match='"mongodb" must run'):
        load(project)


def test_a_server_that_is_lost_names_the_step_that_could_not_be_done(
    project: api.Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(monkeypatch, {MONGODB: LOST})
    with pytest.raises(ApplyError) as error:
        apply(project)
    assert error.value.problem == (
        'mongodb/content: could not create collection "posts": could not reach it: nobody there'
    )


def test_a_server_that_is_lost_while_the_result_is_compared_is_named(
    project: api.Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: dict[str, object] = {}

    def introspect(names: Iterable[str]) -> dict[str, Description | None]:
        if held:
            refuse()
        return dict.fromkeys(names)

    def run(statement: Statement) -> None:
        held[statement.target] = statement

    monkeypatch.setattr(live, "run", lambda steps, driver, tell: [driver.run(step) for step in steps])
    play(monkeypatch, {MONGODB: replace(LOST, introspect=introspect, run=run)})
    with pytest.raises(Unavailable) as error:
        apply(project)
    assert error.value.problem == "mongodb: could not reach it: nobody there"


def test_what_a_store_refuses_to_hold_names_the_object(project: api.Project, monkeypatch: pytest.MonkeyPatch) -> None:
    def load_items(name: str, items: Iterable[object]) -> int:
        raise StatementFailed(f"{len(list(items))} are too many")

    play(monkeypatch, {REDIS: LOST, MONGODB: replace(LOST, load=load_items)})
    with pytest.raises(Unavailable) as error:
        load(project, GeneratedInstance("Post", ("Post",), {"title": "one"}))
    assert error.value.problem == "mongodb/content content.posts: 1 are too many"


def test_entities_of_servers_that_do_not_run_are_skipped(project: api.Project, monkeypatch: pytest.MonkeyPatch) -> None:
    play(monkeypatch, {MONGODB: replace(LOST, load=lambda name, items: len(list(items)))})
    samples = [
        GeneratedInstance("Post", ("Post",), {"title": "one"}),
        GeneratedInstance("Post", ("Post",), {"title": "two"}),
        GeneratedInstance("Login", ("Login",), {"token": "t"}),
    ]
    assert load(project, *samples) == data.Loaded(
        (data.LoadedObject("mongodb/content", "content.posts", 2),), 1, ("redis/sessions",)
    )


def test_many_samples_are_written_in_pages(project: api.Project, monkeypatch: pytest.MonkeyPatch) -> None:
    pages: list[int] = []

    def load_items(name: str, items: Iterable[object]) -> int:
        pages.append(len(list(items)))
        return pages[-1]

    monkeypatch.setattr(data, "PAGE", 2)
    play(monkeypatch, {MONGODB: replace(LOST, load=load_items)})
    load(project, *(GeneratedInstance("Post", ("Post",), {"title": title}) for title in "abcde"))
    assert pages == [2, 2, 1]


def test_a_redis_server_is_inspected_under_its_declared_name(
    project: api.Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    description: Description = {"name": "sessions", "generation": 1, "native": {}, "shape": {}}
    play(monkeypatch, {REDIS: replace(LOST, introspect=lambda names: dict.fromkeys(names, description))})
    assert [(inspected.store, inspected.description["name"]) for inspected in inspect_local(project.settings)] == [
        ("redis/sessions", "sessions")
    ]


def test_only_the_engines_that_were_asked_for_are_inspected(
    project: api.Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(monkeypatch, {REDIS: LOST})
    with pytest.raises(Unavailable, match="no local server is running"):
        inspect_local(project.settings, ["mongodb"])
    with pytest.raises(Unavailable, match="redis/sessions: could not reach it: nobody there"):
        inspect_local(project.settings, ["redis"])
