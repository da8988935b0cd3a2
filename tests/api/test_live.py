"""Applying, inspecting and loading where the servers are played by a driver in memory."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from tests.projects import a_project, imported_alone, with_imports

from keywright import api, local
from keywright.api import data, live
from keywright.api.live import apply_local, inspect_local
from keywright.engines.interface import Description, Driver, StatementFailed
from keywright.engines.plan import Step
from keywright.errors import Unavailable
from keywright.history.runner import ApplyError
from keywright.local import Instance, Running
from keywright.sample import Sample

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
MONGODB, REDIS = Instance("mongodb", "mongodb"), Instance("redis", "sessions")


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


def play(monkeypatch: pytest.MonkeyPatch, drivers: dict[Instance, Driver]) -> None:
    """Have these servers run, each behind its driver."""
    versions = {"mongodb": "6.0.5", "redis": "7.0.15"}
    servers = tuple(Running(one, 1, 1, "url", "here", versions[one.engine]) for one in drivers)

    @contextmanager
    def connected(server: Running) -> Iterator[Driver]:
        yield drivers[server.instance]

    monkeypatch.setattr(local, "running", lambda folder, instances=(): servers)
    for module in (live, data):
        monkeypatch.setattr(module, "connected", connected)


def apply(project: api.Project) -> list[live.Applied]:
    return apply_local(project, api.compile(project), tell=lambda target, done: None)


def load(project: api.Project, *samples: Sample) -> data.Loaded:
    return data.load_local(project, api.compile(project), samples)


def test_without_a_server_nothing_is_applied(project: api.Project, monkeypatch: pytest.MonkeyPatch) -> None:
    play(monkeypatch, {})
    with pytest.raises(Unavailable, match="no local server runs"):
        apply(project)


def test_an_engine_that_is_required_may_not_be_left_out(project: api.Project, monkeypatch: pytest.MonkeyPatch) -> None:
    play(monkeypatch, {REDIS: LOST})
    monkeypatch.setenv("KEYWRIGHT_REQUIRE_ENGINES", "mongodb")
    with pytest.raises(Unavailable, match='"mongodb" must run, and does not'):
        apply(project)
    with pytest.raises(Unavailable, match='"mongodb" must run, and does not'):
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

    def run(step: Step) -> None:
        held[step.target] = step

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
        load(project, Sample("Post", ("Post",), {"title": "one"}))
    assert error.value.problem == "mongodb/content content.posts: 1 are too many"


def test_entities_of_servers_that_do_not_run_are_skipped(project: api.Project, monkeypatch: pytest.MonkeyPatch) -> None:
    play(monkeypatch, {MONGODB: replace(LOST, load=lambda name, items: len(list(items)))})
    samples = [
        Sample("Post", ("Post",), {"title": "one"}),
        Sample("Post", ("Post",), {"title": "two"}),
        Sample("Login", ("Login",), {"token": "t"}),
    ]
    assert load(project, *samples) == data.Loaded(
        (data.Written("mongodb/content", "content.posts", 2),), 1, ("redis/sessions",)
    )


def test_many_samples_are_written_in_pages(project: api.Project, monkeypatch: pytest.MonkeyPatch) -> None:
    pages: list[int] = []

    def load_items(name: str, items: Iterable[object]) -> int:
        pages.append(len(list(items)))
        return pages[-1]

    monkeypatch.setattr(data, "PAGE", 2)
    play(monkeypatch, {MONGODB: replace(LOST, load=load_items)})
    load(project, *(Sample("Post", ("Post",), {"title": title}) for title in "abcde"))
    assert pages == [2, 2, 1]


def test_a_redis_server_is_inspected_under_its_declared_name(
    project: api.Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: Description = {"name": "sessions", "generation": 1, "native": {}, "shape": {}}
    play(monkeypatch, {REDIS: replace(LOST, introspect=lambda names: dict.fromkeys(names, found))})
    assert [(one.store, one.description["name"]) for one in inspect_local(project.settings)] == [
        ("redis/sessions", "sessions")
    ]


def test_only_the_engines_that_were_asked_for_are_inspected(
    project: api.Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    play(monkeypatch, {REDIS: LOST})
    with pytest.raises(Unavailable, match="no local server runs"):
        inspect_local(project.settings, ["mongodb"])
    with pytest.raises(Unavailable, match="redis/sessions: could not reach it: nobody there"):
        inspect_local(project.settings, ["redis"])
