"""Members of a union that are added, changed and removed on a real mongod: which documents its validator accepts."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pymongo import MongoClient
from pymongo.errors import WriteError
from tests.engines.mongodb.designs import design_of
from tests.live.altering import becomes, survives
from tests.properties.unions import Members, model_of

from keywright.drivers.mongodb import driver as driver_of
from keywright.engines.interface import Driver
from keywright.engines.mongodb.engine import ENGINE
from keywright.engines.mongodb.schema.target import DatabaseTarget
from keywright.local import Running

pytestmark = pytest.mark.live

Client = MongoClient[dict[str, Any]]
CAT_AND_DOG: Members = {"cat": {"age": int}, "dog": {"owner": str}}
WITH_BIRD: Members = {**CAT_AND_DOG, "bird": {"born": int}}
OLDER_CAT: Members = {**CAT_AND_DOG, "cat": {"age": str}}


@pytest.fixture(scope="module")
def driver(start: Callable[..., Running]) -> Iterator[Driver]:
    connected = driver_of.connect(start("mongodb").url)
    yield connected
    connected.close()


@pytest.fixture
def client(start: Callable[..., Running]) -> Iterator[Client]:
    with MongoClient[dict[str, Any]](start("mongodb").url) as connected:
        connected.drop_database("zoo")
        yield connected
        connected.drop_database("zoo")


def placed(members: Members) -> DatabaseTarget:
    return ENGINE.place(ENGINE.lower(design_of(model_of("mongodb", members)))[0], ENGINE.localise(None, "6.0"))


def accepted(client: Client, *pets: dict[str, Any]) -> list[bool]:
    """Whether the validator accepts a document with each of the pets."""

    def is_accepted(at: int, pet: dict[str, Any]) -> bool:
        try:
            client.zoo.owners.insert_one({"_id": f"o{at}", "pet": pet, "pets": [pet]})
        except WriteError:
            return False
        return True

    client.zoo.owners.delete_many({})  # an equal replacement would not be validated
    return [is_accepted(at, pet) for at, pet in enumerate(pets)]


CAT = {"kind": "cat", "age": 3}
DOG = {"kind": "dog", "owner": "a"}
BIRD = {"kind": "bird", "born": 1}
WORDY_CAT = {"kind": "cat", "age": "3"}

CHANGES = [
    ("added", CAT_AND_DOG, WITH_BIRD, [True, True, False, False], [True, True, True, False]),
    ("removed", WITH_BIRD, CAT_AND_DOG, [True, True, True, False], [True, True, False, False]),
    ("changed", CAT_AND_DOG, OLDER_CAT, [True, True, False, False], [False, True, False, True]),
]


@pytest.mark.parametrize(("name", "before", "after", "first", "second"), CHANGES)
def test_the_validator_follows_the_members(
    name: str,
    before: Members,
    after: Members,
    first: list[bool],
    second: list[bool],
    client: Client,
    driver: Driver,
) -> None:
    pets = (CAT, DOG, BIRD, WORDY_CAT)
    start, end = placed(before), placed(after)
    assert becomes(ENGINE, start, start, driver) == ()
    assert accepted(client, *pets) == first, name
    assert becomes(ENGINE, start, end, driver) == ('alter collection "owners"',)
    assert accepted(client, *pets) == second, name
    survives(ENGINE, start, end, driver, lambda: client.drop_database("zoo"))
