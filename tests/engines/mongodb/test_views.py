"""Views: what they become, what is refused, and what their collection's indexes serve."""

from datetime import UTC, datetime
from typing import Annotated, Any, ClassVar

import pytest
from pydantic import BaseModel
from tests.engines.mongodb.designs import SIX, database_of, design_of, refusals_of, shop, stored_in

import keywright as kw
from keywright.access.path import AccessPath
from keywright.access.search import plan
from keywright.engines.mongodb.declare.settings import MongoEnvironment
from keywright.engines.mongodb.engine import ENGINE
from keywright.engines.mongodb.migrate.diff import is_wider_view
from keywright.engines.mongodb.schema.target import ViewOptions
from keywright.engines.mongodb.schema.views import normal_pipeline


class User(BaseModel):
    __store__: ClassVar = kw.Collection(
        shop,
        "users",
        id="{user_id}",
        types={"born": "string"},
        indexes=[
            kw.Index(["status", "team", "-at"]),
            kw.Index("at", where={"status": "active"}, name="newest"),
            kw.Index("team", collation=kw.Collation(locale="en", strength=2), name="any_case"),
            kw.TextIndex("note"),
        ],
    )
    user_id: str
    status: str
    team: str
    at: datetime
    score: int | None = None
    tags: list[str] = []
    note: str = ""
    born: datetime | None = None


def a_view(fields: dict[str, Any], **options: Any) -> type[BaseModel]:
    view = stored_in(kw.CollectionView(shop, "active", **{"on": "users", **options}), fields, "Active")
    view.__module__ = __name__  # where the model of its collection is
    return view


def test_conditions_and_fields_become_stages() -> None:
    first = kw.AllOf([kw.AtLeast(datetime(2026, 1, 1, tzinfo=UTC))])
    where = {"status": kw.OneOf(["a", "b"]), "score": kw.Present(), "team": kw.Not("x"), "at": first}
    view = a_view({"user_id": str, "team": str}, id="{user_id}", where=where, project=True)
    active, _ = database_of(User, view).collections
    assert active.view == ViewOptions(
        "users",
        (
            {
                "$match": {
                    "status": {"$in": ["a", "b"]},
                    "score": {"$ne": None},
                    "team": {"$ne": "x"},
                    "at": {"$gte": {"$date": "2026-01-01T00:00:00Z"}},
                }
            },
            {"$project": {"team": 1}},
        ),
    )
    assert active.validator is None


def test_a_view_without_conditions_has_no_stage_and_reads_the_newest_generation() -> None:
    store = kw.Collection(shop, "users", id="{key}", generation=2, rebuild=kw.Rebuild(from_generation=1))
    source = stored_in(store, {"key": str}, "Source")
    source.__module__ = __name__
    active, _ = database_of(source, a_view({"key": str}, id="{key}")).collections
    assert active.view == ViewOptions("users_k2", ())


def test_a_view_inherits_the_collation_of_its_collection() -> None:
    store = kw.Collection(shop, "users", settings={"collation": {"locale": "de"}})
    source = stored_in(store, {"key": str}, "Source")
    source.__module__ = __name__
    active, users = database_of(source, a_view({"key": str})).collections
    assert active.collation == users.collation == {"locale": "de", "strength": 3}


REFUSED: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({"team": str}, {"on": "user"}, 'on="user" is no declared collection'),
    ({"teem": str}, {}, 'stores no field "teem"'),
    ({"team": int}, {}, '"team" is read as long, and "users" stores it as string'),
    ({"born": datetime}, {}, '"born" is read as date, and "users" stores it as string'),
    ({"score": int}, {}, '"score" may be null in "users"'),
    ({"user_id": str}, {}, 'stores no field "user_id"'),
    ({"at": Annotated[datetime, kw.Ttl()]}, {}, "stores no documents that could expire"),
    ({"team": str}, {"where": {"stat": 1}}, 'where= names "stat"'),
    ({"team": str}, {"where": {"status": kw.OfType("string")}}, "tests the stored type"),
    ({"team": str}, {"where": {"tags": "x"}}, "no single value"),
]


@pytest.mark.parametrize(("fields", "options", "words"), REFUSED)
def test_a_view_that_its_collection_cannot_fill_is_refused(
    fields: dict[str, Any], options: dict[str, Any], words: str
) -> None:
    (rejection,) = refusals_of(User, a_view(fields, **options))
    assert words in rejection.problem


WAYS_OUT: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"born": datetime | None}, {"types": {"born": "string"}}),
    ({"score": int | None}, {}),
    ({"score": int}, {"where": {"score": kw.Present()}}),
    ({"user_id": str}, {"id": "{user_id}"}),
]


@pytest.mark.parametrize(("fields", "options"), WAYS_OUT)
def test_the_ways_out_are_accepted(fields: dict[str, Any], options: dict[str, Any]) -> None:
    assert refusals_of(User, a_view(fields, **options)) == []


@pytest.mark.parametrize(
    "options",
    [
        {"schema_version": 2},
        {"computed": {"x": "{team}"}},
        {"schema_version": 2, "upgrades": {1: kw.Upgrade(unset=["x"])}},
    ],
)
def test_a_view_has_no_stored_form_of_its_own(options: dict[str, Any]) -> None:
    with pytest.raises(kw.DeclarationError, match="a view has no") as error:
        kw.CollectionView(shop, "active", on="users", **options)
    assert error.value.code == "E0501"


def verdict(view: type[BaseModel], pattern: Any) -> str:
    """The index of a pattern, or the reasons why none serves."""
    design = design_of(User, view, pattern)
    (database,) = ENGINE.lower(design)
    binding = next(binding for binding in design.bindings if binding.name == "Active")
    planned = plan(ENGINE, ENGINE.place(database, SIX), binding, design.patterns[0])
    if isinstance(planned.path, AccessPath):
        return planned.path.by.name
    return " / ".join(candidate.reason for candidate in planned.others) or str(planned.path)


ACTIVE = a_view({"user_id": str, "team": str, "at": datetime, "note": str}, id="{user_id}", where={"status": "active"})
PROJECTED = a_view({"team": str, "at": datetime}, where={"status": "active"}, project=True)
UNFILTERED = a_view({"team": str, "at": datetime})


@pytest.mark.parametrize(
    ("view", "pattern", "words"),
    [
        (ACTIVE, kw.Read(ACTIVE, eq="team", order="-at", limit=5), "status_1_team_1_at_-1"),
        (ACTIVE, kw.Read(ACTIVE, order="-at", limit=5), "newest"),
        (ACTIVE, kw.Get(ACTIVE, eq="user_id"), "active"),
        (ACTIVE, kw.Count(ACTIVE, eq="team"), "status_1_team_1_at_-1"),
        (PROJECTED, kw.Read(PROJECTED, eq="team", limit=5), "status_1_team_1_at_-1"),
        (PROJECTED, kw.Read(PROJECTED, eq="team", order="-at", limit=5), "sorts a view with project=True in memory"),
        (UNFILTERED, kw.Read(UNFILTERED, eq="team", limit=5), "another collation than the view"),
        (ACTIVE, kw.Put(ACTIVE), "takes no writes"),
        (ACTIVE, kw.Delete(ACTIVE), "takes no writes"),
        (ACTIVE, kw.Read(ACTIVE, search="note", limit=5), "a view does not search"),
        (ACTIVE, kw.Read(ACTIVE, eq="team", limit=5, collation=kw.Collation(locale="en", strength=2)), "one collation"),
    ],
)
def test_a_view_is_served_by_the_indexes_of_its_collection(view: Any, pattern: Any, words: str) -> None:
    assert words in verdict(view, pattern)


def test_the_conditions_of_a_view_are_planned_with_and_not_sent() -> None:
    design = design_of(User, ACTIVE, kw.Read(ACTIVE, eq="team", order="-at", limit=5))
    (database,) = ENGINE.lower(design)
    binding = next(binding for binding in design.bindings if binding.name == "Active")
    planned = plan(ENGINE, ENGINE.place(database, SIX), binding, design.patterns[0])
    assert ENGINE.query(planned) == {
        "find": "active", "filter": {"team": ":team"}, "sort": {"at": -1}, "limit": 5, "hint": "status_1_team_1_at_-1",
    }  # fmt: skip


def test_documentdb_has_views_from_8_0_on() -> None:
    database = database_of(User, ACTIVE)

    def lacks(flavour: Any, version: str | None) -> bool:
        environment = MongoEnvironment(flavour=flavour, version=version)
        problems = ENGINE.refuse(ENGINE.place(database, environment), environment)
        return any("needs views" in rejection.problem for rejection in problems)

    assert [lacks("documentdb", version) for version in ("5.0", "8.0")] == [True, False]
    assert lacks("documentdb-elastic", None)
    assert not lacks("mongodb", "6.0")


def test_a_live_pipeline_has_the_form_of_a_declared_one() -> None:
    live: list[Any] = [
        {"$match": {"a": {"$eq": 1}}},
        {"$project": {"_id": True, "b": 1.0, "a": 1}},
        {"$project": {"c": 0}},
    ]
    assert normal_pipeline(live) == [{"$match": {"a": 1}}, {"$project": {"a": 1, "b": 1}}, {"$project": {"c": 0}}]


MATCH: Any = {"$match": {"a": 1}}


@pytest.mark.parametrize(
    ("before", "after", "is_wider"),
    [
        ([MATCH, {"$project": {"a": 1}}], [MATCH, {"$project": {"a": 1, "b": 1}}], True),
        ([MATCH, {"$project": {"a": 1}}], [MATCH], True),
        ([MATCH], [MATCH, {"$project": {"a": 1}}], False),
        ([MATCH], [], False),
        ([MATCH], [{"$match": {"a": 2}}], False),
        ([MATCH, {"$limit": 1}], [MATCH], False),
        (None, [MATCH], False),
    ],
)
def test_more_fields_of_the_same_documents_are_a_safe_change(before: Any, after: Any, is_wider: bool) -> None:
    assert is_wider_view(before, after) is is_wider
