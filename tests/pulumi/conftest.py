"""The example as stacks of the real command line: tables in DynamoDB Local, everything else in real servers."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pymongo
import pytest
from tests.pulumi import program
from tests.pulumi.cleaning import emptied
from tests.pulumi.world import World
from tests.servers import Start
from tests.servers import start as start

SERVERS = ("sessions", "gate", "games", "games-jobs", "shop-cache", "shop-events")
"""The Redis servers of the example."""


@pytest.fixture(scope="module")
def endpoint(start: Start) -> str:
    """DynamoDB Local."""
    return start("dynamodb").url


@pytest.fixture(scope="module")
def addresses(start: Start) -> dict[str, str]:
    """Where the other stores are, by the end of the variable that says so."""
    redis = {f"REDIS_{name.upper().replace('-', '_')}": start("redis", name).url for name in SERVERS}
    return {"MONGODB": start("mongodb").url, "CASSANDRA": start("cassandra").url, **redis}


@pytest.fixture(scope="module")
def programs() -> Path:
    """The folder of the command line."""
    path = program.found()
    if path is None:
        is_required = os.environ.get("KEYWRIGHT_REQUIRE_ENGINES") == "all"
        pytest.fail(program.HINT) if is_required else pytest.skip(program.HINT)
    return path


@pytest.fixture
def world(programs: Path, endpoint: str, addresses: dict[str, str], tmp_path: Path) -> Iterator[World]:
    """A copy of the example, without any stack."""
    created = World(tmp_path / "shop", programs, endpoint, addresses)
    created.prepare()
    with emptied(created.dynamodb, addresses):
        yield created


@pytest.fixture
def dev(world: World) -> World:
    """With the stack of development, which is not up yet."""
    assert world.pulumi("stack", "init", "dev").code == 0
    return world


@pytest.fixture
def mongodb(addresses: dict[str, str]) -> Iterator[Any]:
    """A client of MongoDB."""
    with pymongo.MongoClient[Any](addresses["MONGODB"]) as client:
        yield client
