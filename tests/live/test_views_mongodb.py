"""Views of MongoDB on a real server: proofs, migrations, adoption, and what the server rejects."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pymongo import MongoClient
from pymongo.errors import OperationFailure
from tests.adopt.laws import assert_is_as_a_person_writes, assert_law
from tests.live.altering import becomes, survives
from tests.live.conftest import Start
from tests.live.test_every_change import proved

from keywright.api.adopt.sources import from_address
from keywright.drivers.mongodb import driver as driver_of
from keywright.engines.interface import Driver
from keywright.engines.mongodb.declare.settings import MongoEnvironment
from keywright.engines.mongodb.engine import ENGINE
from keywright.engines.mongodb.schema.target import CollectionTarget, DatabaseTarget, IndexTarget, ViewOptions
from keywright.local import Running
from keywright.project.environments.environment import Environment

pytestmark = pytest.mark.live

HERE = ENGINE.localise(None, "6.0")
PART = MongoEnvironment(flavour="mongodb", version="6.0")
ADOPTED = "adopted_views"

MODELS = """
content = kw.MongoDatabase("content")

class Address(BaseModel):
    city: Annotated[str, Field(max_length=20)]
    street: Annotated[str, Field(max_length=20)] = "x"

class User(BaseModel):
    __store__: ClassVar = kw.Collection(content, "users", id="{user_id}", types={"born": "string"}, indexes=[
        kw.Index(["status", "team", "-joined_at"]),
        kw.Index("joined_at", where={"status": "active"}, name="newest"),
        kw.Index(["team", "hidden_tags"], name="tags"),
    ])
    user_id: str
    status: Literal["active", "invited", "off"]
    team: Annotated[str, kw.Cardinality(distinct=5)]
    joined_at: datetime
    level: Annotated[int, Field(ge=0, le=9)] = 0
    score: Annotated[int, Field(ge=0, le=9)] | None = None
    rank: Decimal = Decimal(0)
    born: date = date(2000, 1, 1)
    address: Address
    hidden_tags: Annotated[list[str], Field(max_length=3)] = []

put = kw.Put(User)
delete = kw.Delete(User)

class ActiveUser(BaseModel):
    __store__: ClassVar = kw.CollectionView(
        content, "active_users", on="users", where={"status": "active"}, id="{user_id}", types={"born": "string"}
    )
    user_id: str
    team: str
    joined_at: datetime
    rank: Decimal
    born: date
    address: Address

active = kw.Get(ActiveUser, eq="user_id")
active_of_team = kw.Read(ActiveUser, eq="team", order="-joined_at", limit=5)
active_of_teams = kw.Read(ActiveUser, one_of="team", order="-joined_at", limit=5)
active_since = kw.Read(ActiveUser, eq="team", range="joined_at", limit=5)
newest = kw.Read(ActiveUser, order="-joined_at", limit=5)
several = kw.Read(ActiveUser, one_of="user_id", limit=5)
number = kw.Count(ActiveUser, eq="team")
by_city = kw.Read(ActiveUser, eq="team", where={"address.city": kw.AtLeast("m")}, limit=5)
names = kw.Read(ActiveUser, eq="team", fields=["team", "joined_at"], limit=5)

class Scored(BaseModel):
    __store__: ClassVar = kw.CollectionView(
        content, "scored", on="users", project=True,
        where={"status": kw.OneOf(["active", "invited"]), "score": kw.Present(), "level": kw.Not(3),
               "rank": kw.AllOf([kw.AtLeast(Decimal("-5.5")), kw.Below(1000)])},
    )
    team: str
    score: int

scored = kw.Read(Scored, eq="team", limit=5)
scores = kw.Count(Scored, eq="team")

bound = kw.bind(User, kw.CollectionView(
    content, "invited", on="users", where={"status": "invited"}, id="{user_id}", types={"born": "string"}
))
invited = kw.Read(bound, eq="team", order="-joined_at", limit=5)
"""


def test_reads_of_views_are_proved(start: Start, tmp_path: Path) -> None:
    wrong, served = proved("mongodb", MODELS, start, tmp_path)
    assert wrong == {}
    assert served == 14


@pytest.fixture(scope="module")
def driver(start: Callable[..., Running]) -> Iterator[Driver]:
    connected = driver_of.connect(start("mongodb").url)
    yield connected
    connected.close()


@pytest.fixture
def client(start: Callable[..., Running]) -> Iterator[MongoClient[dict[str, Any]]]:
    with MongoClient[dict[str, Any]](start("mongodb").url) as connected:
        for name in ("viewed", ADOPTED):
            connected.drop_database(name)
        yield connected


def a_view(*stages: Any, on: str = "users") -> CollectionTarget:
    return CollectionTarget("active", view=ViewOptions(on, stages))


def a_database(*views: CollectionTarget) -> DatabaseTarget:
    users = CollectionTarget("users", indexes=(IndexTarget("team_1", (("team", 1),)),))
    return ENGINE.place(DatabaseTarget("viewed", (*views, users)), HERE)


MATCH = {"$match": {"status": "active"}}
PROJECT = {"$project": {"name": 1, "team": 1}}
CHANGES = [
    ([], [a_view(MATCH)], 'create view "active"'),
    ([a_view(MATCH)], [a_view(MATCH, PROJECT)], 'alter view "active"'),
    ([a_view(MATCH, PROJECT)], [a_view({"$match": {"status": {"$ne": None}}})], 'alter view "active"'),
    ([a_view(MATCH)], [a_view()], 'alter view "active"'),
    ([a_view(MATCH)], [a_view(MATCH, on="users_k2")], 'alter view "active"'),
    ([a_view(MATCH)], [], 'drop view "active"'),
]


@pytest.mark.parametrize(("before", "after", "summary"), CHANGES)
def test_a_view_changes_in_place(
    before: list[CollectionTarget], after: list[CollectionTarget], summary: str, driver: Driver, client: Any
) -> None:
    client.viewed.users.insert_one({"_id": 1, "status": "active"})
    assert becomes(ENGINE, a_database(*before), a_database(*after), driver) == (summary,)
    assert client.viewed.users.count_documents({}) == 1
    survives(ENGINE, a_database(*before), a_database(*after), driver, lambda: client.drop_database("viewed"))


def test_the_server_rejects_writes_another_collation_and_a_change_of_it(client: Any) -> None:
    client.viewed.command("create", "active", viewOn="users", pipeline=[MATCH])
    with pytest.raises(Exception, match="is a view, not a collection"):
        client.viewed.active.insert_one({"status": "active"})
    with pytest.raises(OperationFailure, match="Cannot override a view's default collation"):
        client.viewed.active.find_one({}, collation={"locale": "en", "strength": 2})
    with pytest.raises(OperationFailure, match="collation"):
        client.viewed.command("collMod", "active", viewOn="users", pipeline=[], collation={"locale": "en"})
    client.viewed.users.insert_one({"_id": 1})
    with pytest.raises(OperationFailure, match="only supported on a view"):
        client.viewed.command("collMod", "users", viewOn="other", pipeline=[])


def test_the_server_sorts_a_view_that_projects_in_memory(client: Any) -> None:
    users = client.viewed.users
    users.insert_many([{"_id": at, "status": "active", "team": "a", "n": at} for at in range(50)])
    users.create_index([("status", 1), ("team", 1), ("n", -1)])
    for name, stages in {"whole": [MATCH], "parts": [MATCH, {"$project": {"team": 1, "n": 1}}]}.items():
        client.viewed.command("create", name, viewOn="users", pipeline=stages)
    plans = {
        name: str(
            client.viewed.command("explain", {"find": name, "filter": {"team": "a"}, "sort": {"n": -1}, "limit": 3})
        )
        for name in ("whole", "parts")
    }
    assert {name: "'totalDocsExamined': 3" in plan for name, plan in plans.items()} == {"whole": True, "parts": False}
    assert "$sort" in plans["parts"]


def adopted(address: str) -> Any:
    environment = Environment("dev", engines={"mongodb": PART})
    return next(target.adopted for target in from_address(address, environment) if target.name == ADOPTED)


def test_views_are_adopted_or_listed_with_the_stage(client: Any, start: Start, driver: Driver, tmp_path: Path) -> None:
    database = client[ADOPTED]
    database.users.insert_many(
        [
            {
                "_id": f"u{at}",
                "status": "active",
                "team": "a",
                "n": at,
                "at": {"city": "x"},
                "more": None if at % 2 else 5,
            }
            for at in range(40)
        ]
    )
    for name, stages in {
        "whole": [],
        "active": [{"$match": {"status": {"$eq": "active"}, "more": {"$ne": None}}}],
        "some": [
            {"$match": {"n": {"$gte": 1, "$lt": 9}, "team": {"$in": ["a", "b"]}}},
            {"$project": {"_id": True, "n": 1.0}},
        ],
        "renamed": [{"$project": {"number": "$n"}}],
        "parts": [{"$project": {"at.city": 1}}],
        "counted": [{"$group": {"_id": "$team"}}],
        "late": [{"$project": {"n": 1}}, {"$match": {"n": 1}}],
    }.items():
        database.command("create", name, viewOn="users", pipeline=stages)
    database.command("create", "of_view", viewOn="active", pipeline=[])
    database.command("create", "accents", viewOn="users", pipeline=[], collation={"locale": "en"})
    result = adopted(start("mongodb").url)
    live = ENGINE.unplace(ENGINE.parse(driver.introspect([ADOPTED])[ADOPTED] or {}), PART)
    assert_law(ENGINE, live, result, PART)
    text = assert_is_as_a_person_writes(result, tmp_path)
    assert 'kw.CollectionView(\n        adopted_views,\n        "some",\n        on="users",' in text
    assert {part.object: part.reason for part in result.not_expressed} == {
        "collections/renamed": 'no word for the stage "$project" of a view, in this place or form',
        "collections/parts": 'no word for a view that projects the part "at.city" of a document',
        "collections/counted": 'no word for the stage "$group" of a view, in this place or form',
        "collections/late": 'no word for the stage "$match" of a view, in this place or form',
        "collections/of_view": 'no word for a view of "active", which no model declares',
        "collections/accents": "no word for its pipeline, or a collation other than that of its collection",
    }
