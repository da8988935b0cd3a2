"""Indexes of a collection with a collation that no model declares: they inherit it, as queries do, on a real mongod."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.live.daily import Daily
from tests.projects import with_imports

from keywright.local import Running

pytestmark = pytest.mark.live

RULES = {"locale": "en", "strength": 2}
EVERY_KIND = """kw.Index("author", unique=True), kw.Index("-plain", hidden=True), kw.Index(["-title", "author"]),
            kw.Index("nick", where={"nick": "n"}), kw.TextIndex("title"), kw.HashedIndex("nick"),
            kw.GeoIndex("at"), kw.WildcardIndex("*"), kw.Index("plain"),
            kw.Index("french", collation=kw.Collation(locale="fr"))"""
MODELS = """
    daily = kw.MongoDatabase("daily")

    class Point(BaseModel):
        type: Literal["Point"]
        coordinates: list[float]

    class Book(BaseModel):
        __store__: ClassVar = kw.Collection(
            daily, "books", id="{isbn}", validation="off", indexes=[INDEXES]
        )
        isbn: Annotated[str, Field(max_length=13)]
        author: str
        title: str
        nick: str | None = None
        plain: str
        french: str
        at: Point
        until: Annotated[datetime, kw.Ttl()] = datetime(2126, 1, 1)
"""


def books(indexes: str) -> str:
    return with_imports("    from typing import Literal\n" + MODELS.replace("INDEXES", indexes))


@pytest.fixture
def daily(tmp_path: Path, start: Callable[..., Running], monkeypatch: pytest.MonkeyPatch) -> Iterator[Daily]:
    """A project over a collection that was there first, whose indexes inherit its rules, but for one."""
    monkeypatch.setenv("KEYWRIGHT_MONGODB_URL", start("mongodb").url)
    created = Daily(tmp_path / "library", books('kw.Index("author"), kw.Index("plain")'))
    with created.collection() as collection:
        collection.database.create_collection("books", collation=RULES)
        collection.create_index("author")
        collection.create_index("title", name="of_a_dba")
        collection.create_index("until", expireAfterSeconds=0)
        collection.create_index("plain", collation={"locale": "simple"})
        collection.insert_one({"_id": "1", "author": "a", "title": "t", "nick": "n", "plain": "p", "french": "f"})
    succeed(created, "baseline", "--from", "live", "--local")
    assert created("diff", "--check").code == 0, "nothing is built anew"
    yield created
    created.forget()


def succeed(daily: Daily, *arguments: str) -> str:
    said = daily(*arguments)
    assert said.code == 0, said
    return said.out


def indexes(daily: Daily) -> dict[str, Any]:
    with daily.collection() as collection:
        return {index["name"]: index for index in collection.list_indexes()}


def rules(index: Any) -> str:
    return str(index.get("collation", {}).get("locale", "simple"))


def is_as_wanted(daily: Daily) -> bool:
    return daily.keywright("drift", "--local").out.startswith("every store matches its history\n")


def test_every_kind_of_index_is_built_altered_and_dropped(daily: Daily) -> None:
    before = indexes(daily)
    daily.becomes(books(EVERY_KIND))
    succeed(daily, "diff", "-m", "every kind")
    succeed(daily, "apply", "--local", "--ack", "0002/30")
    created = indexes(daily)
    assert {name: rules(entry) for name, entry in created.items()} == {
        "_id_": "en", "author_1": "en", "of_a_dba": "en", "until_1": "en", "plain_-1": "en", "title_-1_author_1": "en",
        "nick_1": "en", "title_text": "simple", "nick_hashed": "en", "at_2dsphere": "en", "$**_1": "en",
        "plain_1": "simple", "french_1": "fr",
    }  # fmt: skip
    assert created["plain_1"] == before["plain_1"]
    assert created["author_1"] == {**before["author_1"], "unique": True}, "by collMod"
    assert is_as_wanted(daily)
    daily.becomes(books('kw.Index("author", unique=True)'))
    succeed(daily, "diff", "-m", "fewer")
    succeed(daily, "apply", "--local", "--ack", "0003/10")
    assert indexes(daily).keys() == {"_id_", "author_1", "of_a_dba", "until_1"}
    assert is_as_wanted(daily)


def test_an_index_of_others_that_inherits_the_same_rules_is_the_declared_one(daily: Daily) -> None:
    before = indexes(daily)
    both = 'kw.Index("author"), kw.Index("plain")'
    daily.becomes(books(f'{both}, kw.Index("title")'))
    succeed(daily, "diff", "-m", "titles")
    plan = json.loads(daily("plan", "--local", "--format", "json").out)
    (step,) = [step for step in plan["steps"] if step["op"] == "alter"]
    assert step["equal"] == "of_a_dba"
    daily.becomes(books(f'{both}, kw.Index("title", name="of_a_dba")'))
    succeed(daily, "diff", "--amend")
    succeed(daily, "apply", "--local")
    assert (indexes(daily), is_as_wanted(daily)) == (before, True)


def test_an_index_that_is_taken_over_is_declared_without_a_collation(daily: Daily) -> None:
    before = indexes(daily)
    succeed(daily, "take-over", "mongodb/daily/indexes/books/of_a_dba", "--local")
    succeed(daily, "apply", "--local")
    daily.becomes(books('kw.Index("author"), kw.Index("plain"), kw.Index("title", name="of_a_dba")'))
    assert daily("diff", "--check").code == 0
    assert (indexes(daily), is_as_wanted(daily)) == (before, True)


def test_an_index_with_other_rules_is_no_inherited_one(daily: Daily) -> None:
    with daily.collection() as collection:
        collection.drop_index("author_1")
        collection.create_index("author", collation={"locale": "sv"})
    said = daily.keywright("drift", "--local")
    assert (said.code, "author_1" in said.out) == (1, True)
