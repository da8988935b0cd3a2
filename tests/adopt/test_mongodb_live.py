"""Databases that plain clients made, adopted from a real server."""

import json
import os
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from bson import Decimal128, Int64, ObjectId, Regex
from bson.binary import Binary, UuidRepresentation
from pymongo import MongoClient
from tests.adopt.laws import assert_is_as_a_person_writes, assert_law
from tests.live.adopted import INDEXES, OPTIONS, documents

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


FILTERS: tuple[dict[str, Any], ...] = (
    {"big": {"$gt": 3}}, {"big": {"$lte": 3}}, {"big": {"$gte": 1, "$lt": 9}}, {"status": {"$eq": "new"}},
    {"status": {"$in": ["new", "paid"]}}, {"coupon": {"$exists": 1}}, {"mixed": {"$type": "string"}},
    {"mixed": {"$type": ["int", "string", 18]}}, {"mixed": {"$type": 16}}, {"address.city": {"$gt": "a"}},
    {"$and": [{"big": {"$gt": 1}}, {"status": "new"}]}, {"$and": [{"big": {"$gt": 1}}, {"big": {"$lt": 7}}]},
    {"$or": [{"big": 1}, {"status": "paid", "big": {"$gt": 3}}]}, {"class": "a", "$or": [{"big": 1}, {"big": 2}]},
    {"$and": [{"$or": [{"big": 5}, {"status": "paid"}]}, {"class": "a"}]}, {"note": None}, {"total": {"$lt": 0.5}},
    {"placedAt": {"$gt": FIRST, "$type": "date"}}, {"lines.sku": {"$in": ["s1", "s2"]}},
    {"$and": [{"big": {"$gt": 1}}, {"big": {"$gt": 3}}]}, {"customer_id": {"$exists": True, "$type": "objectId"}},
)  # fmt: skip
"""A filter with each operator, and their combinations."""


def orders(count: int) -> Iterator[dict[str, Any]]:
    drawn = random.Random(1)
    for number in range(count):
        yield {
            "customer_id": ObjectId(), "status": drawn.choice(["new", "paid", "sent"]), "class": "a",
            "email": f"a{number}@example.org", "placedAt": FIRST + timedelta(minutes=number), "total": drawn.random(),
            "lines": [{"sku": f"s{n}", "qty": n, "price": Decimal128("1.5")} for n in range(drawn.randint(0, 4))],
            "address": {"street": "x", "city": "y"}, "note": "long " * 60 if number % 3 else None,
            "mixed": number if number % 2 else str(number), "big": Int64(number), "parts": [[1, 2], [number]],
            "attrs": {f"k{drawn.randint(0, 500)}": "v"}, "owner": drawn.choice(["ann", "bob"]),
            "token": Binary.from_uuid(UUID(int=number), UuidRepresentation.STANDARD),
            **({"coupon": "c"} if number % 10 == 0 else {}),
        }  # fmt: skip


@pytest.fixture(scope="module")
def address(start: Callable[..., Running]) -> Iterator[str]:
    running = start("mongodb")
    client: MongoClient[Any] = MongoClient(running.url)
    client.drop_database(NAME)
    database = client[NAME]
    for number, options in enumerate(OPTIONS):
        database.create_collection(f"option{number}", **options)
    for number in range(30):
        collection = database[f"plain{number}"]
        collection.insert_many(documents(number))
        for keys, options in (INDEXES[number % len(INDEXES)], INDEXES[(number + 3) % len(INDEXES)]):
            collection.create_index(keys, **options)
    clustered = {"key": {"_id": 1}, "unique": True}
    database.create_collection("days", clusteredIndex=clustered, expireAfterSeconds=10**9)
    database.days.insert_one({"_id": FIRST, "n": 1})
    for number in range(12):
        database[f"empty{number}"].create_index([(f"field{number}", 1), ("at", -1)])
    database.orders.insert_many(list(orders(1000)))
    database.orders.create_index("email", unique=True)
    database.orders.create_index([("customer_id", 1), ("placedAt", -1)])
    database.orders.create_index("address.city")
    database.orders.create_index("lines.sku", name="by sku")
    database.orders.create_index("placedAt", expireAfterSeconds=10**9)
    database.orders.create_index("status", partialFilterExpression={"status": "new"})
    database.orders.create_index("total", partialFilterExpression={"total": {"$gte": 5.0}})
    for number, filter in enumerate(FILTERS):
        database.orders.create_index("owner", name=f"owner {number}", partialFilterExpression=filter)
    database.sessions.insert_many([{"_id": str(UUID(int=number)), "user": number} for number in range(50)])
    database.pairs.insert_many([{"_id": {"a": 1, "b": number}, "v": Regex("x")} for number in range(5)])
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
        "validator", "validationAction", "validationLevel", "option3", "option4", "pairs",
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
