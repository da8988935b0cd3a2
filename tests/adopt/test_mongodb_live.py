"""Databases that plain clients made, adopted from a real server."""

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from pymongo import MongoClient
from tests.adopt.laws import assert_is_as_a_person_writes, assert_law
from tests.adopt.stores import fill_mongodb

from keywright.api.adopt.sources import from_address
from keywright.engines.mongodb.declare.settings import MongoEnvironment
from keywright.engines.registry import engine_named
from keywright.local import Running
from keywright.project.environments.environment import Environment

pytestmark = pytest.mark.live

ENGINE = engine_named("mongodb")
PART = MongoEnvironment(flavour="mongodb", version="6.0")
ENVIRONMENT = Environment("dev", engines={"mongodb": PART})
NAME = "adopted_by_test"
FIRST = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture(scope="module")
def address(start: Callable[..., Running]) -> Iterator[str]:
    running = start("mongodb")
    client: MongoClient[Any] = MongoClient(running.url)
    client.drop_database(NAME)
    fill_mongodb(client[NAME])
    yield running.url
    client.drop_database(NAME)
    client.close()


def adopted(address: str) -> Any:
    return next(target.adopted for target in from_address(address, ENVIRONMENT) if target.name == NAME)


def live_target(address: str) -> Any:
    module: Any = sys.modules["keywright.drivers.mongodb.driver"]
    driver = module.connect(address)
    try:
        return ENGINE.unplace(ENGINE.parse(driver.introspect([NAME])[NAME]), PART)
    finally:
        driver.close()


def test_every_collection_and_index_is_expressed_or_its_gap_is_listed(address: str, tmp_path: Path) -> None:
    database = adopted(address)
    assert_law(ENGINE, live_target(address), database, PART)
    text = assert_is_as_a_person_writes(database, tmp_path)
    gaps = {part.object.split("/")[-1] for part in database.not_expressed}
    assert gaps == {
        "validator", "validationAction", "validationLevel", "option3", "pairs",
    }  # fmt: skip
    assert 'status: Literal["new", "paid", "sent"]' in text
    assert "email: Annotated[str, kw.Pii()]" in text
    assert "ann" not in text
    assert "coupon: str | None = None  # in 10 % of 1000 items" in text
    assert "mixed: Any  # integer 50 %, string 50 %" in text or "mixed: Any  # string 50 %, integer 50 %" in text


def keywright(folder: Path, address: str, *words: str, exit_code: int = 0) -> str:
    environment = {**os.environ, "KEYWRIGHT_STORE_MONGODB": address, "NO_COLOR": "1"}
    command = [sys.executable, "-m", "keywright", *words]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == exit_code, done.stdout + done.stderr
    return done.stdout


def test_the_first_migration_is_empty_and_the_stored_items_decode(address: str, tmp_path: Path) -> None:
    keywright(tmp_path, address, "adopt", address)
    assert 'version: "6.0"' in (tmp_path / "stacks" / "Pulumi.dev.yaml").read_text()
    assert "127.0.0.1" not in "".join(path.read_text() for path in tmp_path.rglob("*.py"))
    keywright(tmp_path, address, "compile")
    keywright(tmp_path, address, "--env", "dev", "migrate", "baseline", "--from", "live")
    assert "no difference" in keywright(tmp_path, address, "migrate", "diff", "-m", "next")
    assert "every store matches" in keywright(tmp_path, address, "--env", "dev", "drift")
    assert "0 new entities" in keywright(tmp_path, address, "adopt", address)
    live = keywright(tmp_path, address, "--env", "dev", "check", "--live", "--format", "json", exit_code=1)
    assert "GEN019" not in {finding["code"] for finding in json.loads(live)["findings"]}
