"""Reads on a real Cassandra 5.0.9: answers as Python would give them, and the server's own evidence."""

import random
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
from cassandra.cluster import EXEC_PROFILE_DEFAULT
from cassandra.query import dict_factory, tuple_factory
from cassandra.util import uuid_from_time
from tests.engines.cassandra import library
from tests.engines.cassandra.library import NOON, Comment, Seen, Shelf
from tests.live.cassandra_world import World, a_world, named, series

from keywright import runtime
from keywright.access.path import AccessPath
from keywright.engines.cassandra.access.calls import Select
from keywright.errors import UsageError
from keywright.local import Running
from keywright.runtime.cassandra.calls import prepare
from keywright.runtime.given import Given

pytestmark = pytest.mark.live


@pytest.fixture(scope="module")
def world(start: Callable[..., Running]) -> Iterator[World]:
    with a_world(start("cassandra")) as made:
        yield made


def test_buckets_are_walked_and_their_shards_merged(world: World) -> None:
    found = world.planned("Series", "read", eq="s", range="at", span_seconds=345_600, order="-at", limit=7)
    assert isinstance(found.path, AccessPath)
    assert (found.path.order, found.path.fan_out) == ("merge", 15)
    items = world.pages(found, {"s": "a", "at": (NOON, NOON + timedelta(days=3))})
    assert [one.at for one in items] == sorted((one.at for one in items), reverse=True)
    assert named(items) == named(series(world, s="a"))


def test_the_newest_buckets_end_where_the_pattern_says(world: World) -> None:
    found = world.planned("Series", "read", eq="s", order="-at", limit=50, fan_out=3)
    items = world.pages(found, {"s": "b"}, now=NOON + timedelta(days=3))
    wanted = [one for one in series(world, s="b") if one.at.date() > NOON.date()]
    assert named(items) == named(wanted)


def test_a_page_resumes_behind_rows_that_came_meanwhile(world: World) -> None:
    found = world.planned("Shelf", "read", eq="shelf", order="-rank title", limit=2)
    first = world.call(found, {"shelf": "late"})
    assert first.items == ()
    books = [Shelf(shelf="late", rank=rank, title=title, owner="o", colour="red", pages=0, tags=set(), words=[])
             for rank in (3, 2, 1) for title in "ab"]  # fmt: skip
    world.put(*books)
    page = world.call(found, {"shelf": "late"})
    assert page.items == tuple(books[:2])
    world.put(books[0].model_copy(update={"rank": 9}))
    rest = world.call(found, {"shelf": "late"}, cursor=page.cursor)
    assert rest.items == tuple(books[2:4])


@pytest.mark.parametrize("limit", [1, 2, 3, 50, None])
def test_every_limit_gives_the_same_items(world: World, limit: int | None) -> None:
    found = world.planned("Texty", "read", eq="k kind", order="at", limit=limit)
    wanted = [one for one in world.rows["Texty"] if (one.k, one.kind) == ("a", "p")]  # type: ignore[attr-defined]
    items = world.pages(found, {"k": "a", "kind": "p"})
    assert named(items) == named(wanted)
    assert [one.at for one in items] == sorted(one.at for one in items)


def test_a_cursor_of_another_pattern_is_refused(world: World) -> None:
    found = world.planned("Shelf", "read", name="mine", eq="shelf", limit=1)
    other = world.planned("Shelf", "read", name="yours", eq="shelf", limit=1)
    page = world.call(found, {"shelf": "s1"})
    with pytest.raises(UsageError, match="none that a page"):
        world.call(other, {"shelf": "s1"}, cursor=page.cursor)
    for text in ("", "???", "e30", page.cursor[:-4]):
        with pytest.raises(UsageError, match="none that a page"):
            world.call(found, {"shelf": "s1"}, cursor=text)


def test_static_columns_without_a_row_are_no_item(world: World) -> None:
    session = world.observed.client
    session.execute(f"INSERT INTO {world.target.name}.shelf (shelf, owner) VALUES ('empty', 'nobody')")
    assert world.call(world.planned("Shelf", "read", eq="shelf"), {"shelf": "empty"}).items == ()
    assert world.call(world.planned("Shelf", "count", eq="shelf"), {"shelf": "empty"}) == 0
    assert world.call(world.planned("Shelf", "get", eq="shelf"), {"shelf": "empty"}) is None


def test_a_view_is_read_in_its_own_order(world: World) -> None:
    seen = [Seen(who="w", what=what, at=NOON + timedelta(hours=at)) for at, what in enumerate("badc")]
    world.put(*seen)
    found = world.planned("Seen", "read", eq="who", order="-at", limit=3)
    assert isinstance(found.path, AccessPath)
    assert str(found.path.by) == "view seen_by_time"
    for _ in range(50):  # the view follows its table
        if len(items := world.pages(found, {"who": "w"})) == len(seen):
            break
        time.sleep(0.02)
    assert items == seen[::-1]


def test_a_moment_in_a_key_is_its_order(world: World) -> None:
    draw = random.Random(5)
    comments = [Comment(post=draw.choice("ab"), id=uuid_from_time(NOON + timedelta(hours=at))) for at in range(40)]
    draw.shuffle(comments)
    world.put(*comments)
    found = world.planned("Comment", "read", one_of="post", order="-id", limit=7)
    items = world.pages(found, {"post": ["a", "b"]})
    assert items == sorted(comments, key=lambda one: -one.id.time)


def test_only_the_fields_that_are_needed_are_read(world: World) -> None:
    found = world.planned("Shelf", "read", eq="shelf", fields="tags owner", limit=3)
    assert isinstance(found.path, AccessPath)
    assert isinstance(found.path.call, Select)
    assert found.path.call.columns == ("shelf", "rank", "title", "owner", "tags")[1:]
    (one, *_) = world.call(found, {"shelf": "s1"}).items
    assert (one.owner, type(one.tags)) == ("of s1", set)
    assert not hasattr(one, "pages")


@pytest.mark.parametrize("factory", [dict_factory, tuple_factory])
def test_a_session_keeps_its_own_form_of_rows(world: World, factory: Any) -> None:
    session = world.observed.client._session
    clone = session.execution_profile_clone_update(EXEC_PROFILE_DEFAULT, row_factory=factory)
    found = world.planned("Plain", "get", eq="k")

    class Session:
        prepare = session.prepare

        def execute_async(self, query: Any) -> Any:
            return session.execute_async(query, execution_profile=clone)

    codecs = {"Plain": runtime.codec_of(library.Plain)}
    assert prepare(found, codecs)(Session(), Given({"k": "k1"})) == world.rows["Plain"][1]
