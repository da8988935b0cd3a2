"""Items that no longer fit their model, read by an application on real servers: raised, left out, or told."""

import asyncio
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import boto3
import pymongo
import pytest
import redis.asyncio
from tests.live import unfit
from tests.live.daily import Daily
from tests.projects import imported_alone
from tests.servers import Start

from keywright import runtime
from keywright.errors import UsageError

pytestmark = pytest.mark.live

UNFIT = {"longer": "tags", "negative": "age", "stateless": "state", "textual": "age", "inner": "part.name"}
"""The things that do not fit, each with its field."""


@pytest.fixture(params=unfit.STORED)
def app(request: Any, tmp_path: Path, start: Start, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[str, Any, Any]]:
    """(engine, module of models, store with items) on each server."""
    engine = request.param
    url = start(engine, "unfit" if engine == "redis" else "").url
    monkeypatch.setenv(f"KEYWRIGHT_{engine.upper()}_URL", url)
    stack = unfit.STACK.replace("{part}", unfit.PARTS[engine])
    project = Daily(tmp_path / "project", unfit.models(engine), stack=stack)
    said = project.keywright("apply", "--local")
    assert said.code == 0, said
    with unfit.STORED[engine](url, project.prefix) as stored, imported_alone(project.root):
        sys.path.insert(0, str(project.root))
        stored.fill({name: unfit.THINGS[name] for name in things(engine)})
        yield engine, import_module("models.library"), stored


def things(engine: str) -> list[str]:
    return ["good", *(name for name in UNFIT if name != "textual" or engine != "cassandra")]


def opened(app: tuple[str, Any, Any], **options: Any) -> runtime.Database:
    engine, models, stored = app
    return runtime.open(models, environment="dev", **{engine: stored.client}, **options)


def test_a_single_read_raises_with_key_and_field_or_gives_none(app: tuple[str, Any, Any]) -> None:
    engine, models, stored = app
    before, db = stored.everything(), opened(app)
    assert models.thing(db, group="g", thing_id="good").tags == ["a"]
    for name in things(engine)[1:]:
        with pytest.raises(runtime.InvalidItem) as raised:
            models.thing(db, group="g", thing_id=name)
        assert (raised.value.entity, name in str(raised.value.key)) == ("Thing", True)
        assert f'"{UNFIT[name]}"' in str(raised.value), name
        assert "s3cret" not in str(raised.value)
        assert models.thing(db, group="g", thing_id=name, on_invalid="skip") is None
    errors: list[runtime.InvalidItem] = []
    db = opened(app, on_invalid=errors.append)
    assert models.person(db, email="jane@example.org") is None
    assert "jane" not in str(errors[0])
    assert "jane@example.org" in str(errors[0].key)
    with pytest.raises(runtime.InvalidItem):
        models.person(db, email="jane@example.org", on_invalid="raise")
    assert stored.everything() == before


@pytest.mark.parametrize("app", ["mongodb", "dynamodb", "cassandra"], indirect=True)
def test_a_page_raises_or_has_the_items_that_fit_and_names_each_other(app: tuple[str, Any, Any]) -> None:
    engine, models, _ = app
    db = opened(app)
    with pytest.raises(runtime.InvalidItem):
        models.things(db, group="g")
    page = models.things(db, group="g", on_invalid="skip")
    assert [item.thing_id for item in page.items] == ["good"]
    errors: list[runtime.InvalidItem] = []
    result: list[str] = []
    cursor = None
    for _ in range(10):  # pages of two, of which some are empty
        page = models.things(db, group="g", limit=2, cursor=cursor, on_invalid=errors.append)
        result += [item.thing_id for item in page.items]
        cursor = page.cursor
        if cursor is None:
            break
    assert result == ["good"]
    assert sorted(next(name for name in UNFIT if name in str(error.key)) for error in errors) == sorted(
        things(engine)[1:]
    )


@pytest.mark.parametrize("app", ["redis"], indirect=True)
def test_an_entry_of_a_stream_that_does_not_fit_is_set_aside_and_blocks_nothing(app: tuple[str, Any, Any]) -> None:
    _, models, stored = app
    for age in ("1", "-1", "s3cret", "2"):
        stored.client.xadd("jobs", {"name": f"job{age}", "age": age})
    with models.jobs(opened(app), limit=10) as entries:
        assert [entry.age for entry in entries] == [1, 2]
        assert entries.set_aside == 2
    assert stored.client.xlen("{jobs}:dead") == 2
    assert stored.client.xpending("jobs", "workers")["pending"] == 0


@pytest.mark.parametrize("app", ["mongodb", "redis", "dynamodb"], indirect=True)
def test_asynchronous_clients_and_resources_of_the_real_drivers_are_refused_by_name(app: tuple[str, Any, Any]) -> None:
    engine, models, _ = app
    unreachable = {
        "mongodb": lambda: pymongo.AsyncMongoClient[Any]("mongodb://127.0.0.1:1"),
        "redis": lambda: redis.asyncio.Redis(port=1),
        "dynamodb": lambda: boto3.resource(
            "dynamodb", region_name="eu-central-1", aws_access_key_id="x", aws_secret_access_key="x"
        ),
    }
    names = {
        "mongodb": "an asynchronous client for mongodb=, pymongo.asynchronous.mongo_client.AsyncMongoClient",
        "redis": "an asynchronous client for redis=, redis.asyncio.client.Redis",
        "dynamodb": "a boto3 resource",
    }

    async def refused() -> None:
        client = unreachable[engine]()
        with pytest.raises(UsageError, match=names[engine].replace(".", r"\.")):
            runtime.open(models, environment="dev", **{engine: client})
        closing = getattr(client, "aclose", None) or getattr(client, "close", None)
        if closing is not None:
            await closing()

    asyncio.run(refused())
