"""Reads on a real Cassandra 5.0.9: answers as Python would give them, and the server's own evidence."""

import random
import time
from datetime import timedelta
from typing import Any

import pytest
from cassandra.cluster import EXEC_PROFILE_DEFAULT
from cassandra.query import dict_factory, tuple_factory
from cassandra.util import uuid_from_time
from tests.engines.cassandra import library
from tests.engines.cassandra.library import NOON, Comment, Seen, Shelf
from tests.live.cassandra_world import World, named, series
from tests.live.cassandra_world import world as world

from keywright import runtime
from keywright.access.path import AccessPath
from keywright.engines.cassandra.access.calls import Select
from keywright.runtime import InvalidCursor
from keywright.runtime.cassandra.execute import prepare
from keywright.runtime.validate.arguments import Arguments

pytestmark = pytest.mark.live


def test_buckets_are_walked_and_their_shards_merged(world: World) -> None:
    planned = world.planned("Series", "read", eq="s", range="at", span_seconds=345_600, order="-at", limit=7)
    assert isinstance(planned.path, AccessPath)
    assert (planned.path.order, planned.path.fan_out) == ("merge", 15)
    items = world.pages(planned, {"s": "a", "at": (NOON, NOON + timedelta(days=3))})
    assert [item.at for item in items] == sorted((item.at for item in items), reverse=True)
    assert named(items) == named(series(world, s="a"))


def test_the_newest_buckets_end_where_the_pattern_says(world: World) -> None:
    planned = world.planned("Series", "read", eq="s", order="-at", limit=50, fan_out=3)
    items = world.pages(planned, {"s": "b"}, now=NOON + timedelta(days=3))
    expected = [entry for entry in series(world, s="b") if entry.at.date() > NOON.date()]
    assert named(items) == named(expected)


def test_a_page_resumes_behind_rows_that_came_meanwhile(world: World) -> None:
    planned = world.planned("Shelf", "read", eq="shelf", order="-rank title", limit=2)
    first = world.call(planned, {"shelf": "late"})
    assert first.items == ()
    books = [Shelf(shelf="late", rank=rank, title=title, owner="o", colour="red", pages=0, tags=set(), words=[])
             for rank in (3, 2, 1) for title in "ab"]  # fmt: skip
    world.put(*books)
    page = world.call(planned, {"shelf": "late"})
    assert page.items == tuple(books[:2])
    world.put(books[0].model_copy(update={"rank": 9}))
    rest = world.call(planned, {"shelf": "late"}, cursor=page.cursor)
    assert rest.items == tuple(books[2:4])


@pytest.mark.parametrize("limit", [1, 2, 3, 50, None])
def test_every_limit_gives_the_same_items(world: World, limit: int | None) -> None:
    planned = world.planned("Texty", "read", eq="k kind", order="at", limit=limit)
    instances = [row for row in world.rows["Texty"] if (row.k, row.kind) == ("a", "p")]  # type: ignore[attr-defined]
    items = world.pages(planned, {"k": "a", "kind": "p"})
    assert named(items) == named(instances)
    assert [item.at for item in items] == sorted(item.at for item in items)


def test_a_cursor_of_another_pattern_is_refused(world: World) -> None:
    planned = world.planned("Shelf", "read", name="mine", eq="shelf", limit=1)
    other = world.planned("Shelf", "read", name="yours", eq="shelf", limit=1)
    page = world.call(planned, {"shelf": "s1"})
    with pytest.raises(InvalidCursor):
        world.call(other, {"shelf": "s1"}, cursor=page.cursor)
    for text in ("", "???", "e30", page.cursor[:-4]):
        with pytest.raises(InvalidCursor):
            world.call(planned, {"shelf": "s1"}, cursor=text)


def test_static_columns_without_a_row_are_no_item(world: World) -> None:
    session = world.observed.client
    session.execute(f"INSERT INTO {world.target.name}.shelf (shelf, owner) VALUES ('empty', 'nobody')")
    assert world.call(world.planned("Shelf", "read", eq="shelf"), {"shelf": "empty"}).items == ()
    assert world.call(world.planned("Shelf", "count", eq="shelf"), {"shelf": "empty"}) == 0
    assert world.call(world.planned("Shelf", "get", eq="shelf"), {"shelf": "empty"}) is None


def test_a_view_is_read_in_its_own_order(world: World) -> None:
    seens = [Seen(who="w", what=what, at=NOON + timedelta(hours=at)) for at, what in enumerate("badc")]
    world.put(*seens)
    planned = world.planned("Seen", "read", eq="who", order="-at", limit=3)
    assert isinstance(planned.path, AccessPath)
    assert str(planned.path.by) == "view seen_by_time"
    for _ in range(50):  # the view follows its table
        if len(items := world.pages(planned, {"who": "w"})) == len(seens):
            break
        time.sleep(0.02)
    assert items == seens[::-1]


def test_a_moment_in_a_key_is_its_order(world: World) -> None:
    draw = random.Random(5)
    comments = [Comment(post=draw.choice("ab"), id=uuid_from_time(NOON + timedelta(hours=at))) for at in range(40)]
    draw.shuffle(comments)
    world.put(*comments)
    planned = world.planned("Comment", "read", one_of="post", order="-id", limit=7)
    items = world.pages(planned, {"post": ["a", "b"]})
    assert items == sorted(comments, key=lambda comment: -comment.id.time)


def test_only_the_fields_that_are_needed_are_read(world: World) -> None:
    planned = world.planned("Shelf", "read", eq="shelf", fields="tags owner", limit=3)
    assert isinstance(planned.path, AccessPath)
    assert isinstance(planned.path.call, Select)
    assert planned.path.call.columns == ("shelf", "rank", "title", "owner", "tags")[1:]
    (entry, *_) = world.call(planned, {"shelf": "s1"}).items
    assert (entry.owner, type(entry.tags)) == ("of s1", set)
    assert not hasattr(entry, "pages")


@pytest.mark.parametrize("factory", [dict_factory, tuple_factory])
def test_a_session_keeps_its_own_form_of_rows(world: World, factory: Any) -> None:
    session = world.observed.client._session
    clone = session.execution_profile_clone_update(EXEC_PROFILE_DEFAULT, row_factory=factory)
    planned = world.planned("Plain", "get", eq="k")

    class Session:
        prepare = session.prepare

        def execute_async(self, query: Any) -> Any:
            return session.execute_async(query, execution_profile=clone)

    codecs = {"Plain": runtime.codec_of(library.Plain)}
    assert prepare(planned, codecs)(Session(), Arguments({"k": "k1"})) == world.rows["Plain"][1]
