"""Parts of calls that need no server: cursors, ends of ranges, instances with some fields, judged conditions."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from cassandra.cqltypes import DateType, UTF8Type
from hypothesis import given
from hypothesis import strategies as st
from tests.engines.cassandra.everything import EVERYTHING, Everything
from tests.engines.cassandra.library import NOON, Shelf

from keywright import runtime
from keywright.access.query import Condition
from keywright.errors import NOWHERE
from keywright.ir.pattern import Pattern
from keywright.runtime.cassandra.execute.cursor import PageEnd, read, written
from keywright.runtime.cassandra.execute.filled import following
from keywright.runtime.cassandra.execute.residual_filter import residual_filter
from keywright.runtime.validate.arguments import Arguments

MINE = Pattern("mine", "read", "models.case", "Case", NOWHERE)

TYPES = [DateType, UTF8Type]
"""The driver's types of a time and a text."""


def test_a_place_is_read_as_it_was_written() -> None:
    place = PageEnd(NOON, 3, {0: (NOON.replace(tzinfo=None), "é"), 2: (datetime(1969, 1, 1), "")})
    assert read(written(place, MINE, TYPES, 5), MINE, TYPES, 5) == place


@given(st.text(min_size=1), st.text())
def test_every_text_that_begins_so_comes_before_what_follows(beginning: str, rest: str) -> None:
    after = following(beginning)
    assert after is None or beginning + rest < after
    assert after is None or after.encode() > (beginning + rest).encode()


def test_nothing_follows_the_last_character() -> None:
    assert following("\U0010ffff") is None
    assert following("a\U0010ffff") == "b"
    assert following("\ud7ff") == "\ue000"
    assert following("") is None


def test_an_instance_has_the_fields_that_were_read() -> None:
    codec = runtime.codec_of(Everything)
    row = codec.to_items(EVERYTHING)[0]
    part = codec.from_part({name: row[name] for name in ("text", "chosen", "colour", "optional", "Select", "url")})
    assert part.model_fields_set == {"text", "chosen", "colour", "optional", "select", "url"}
    for name in part.model_fields_set:
        assert getattr(part, name) == getattr(EVERYTHING, name)
        assert type(getattr(part, name)) is type(getattr(EVERYTHING, name))
    assert not hasattr(part, "number")


def test_a_whole_row_read_in_parts_is_the_instance() -> None:
    codec = runtime.codec_of(Shelf)
    book = Shelf(shelf="s", rank=1, title="t", owner="o", colour="red", pages=0, tags={"a"}, words=["b"], note=None)
    assert codec.from_part(codec.to_items(book)[0]) == book


BOOK = Shelf(shelf="s", rank=3, title="title", owner="o", colour="red", pages=0, tags={"a", "b"}, words=["b"])


@pytest.mark.parametrize(
    ("asked", "value", "holds"),
    [
        (Condition("rank", "equals"), 3, True),
        (Condition("rank", "one_of"), [1, 2], False),
        (Condition("rank", "between"), (None, 3), True),
        (Condition("rank", "between"), (4, None), False),
        (Condition("rank", "at_least", (3,)), None, True),
        (Condition("rank", "below", (3,)), None, False),
        (Condition("rank", "not", (3,)), None, False),
        (Condition("note", "not", ("x",)), None, True),
        (Condition("note", "at_least", ("x",)), None, False),
        (Condition("note", "present"), None, False),
        (Condition("note", "equals", (None,)), None, True),
        (Condition("title", "prefix"), "ti", True),
        (Condition("tags", "contains"), "c", False),
        (Condition("tags", "all_of"), ["a"], True),
        (Condition("tags", "exactly"), ["a"], False),
        (Condition("tags", "exactly"), ["b", "a", "a"], True),
    ],
    ids=str,
)
def test_a_condition_is_judged_as_python_would(asked: Condition, value: Any, holds: bool) -> None:
    created = residual_filter((asked,), frozenset())
    assert created is not None
    assert created(Arguments({asked.field: value}))(BOOK) is holds


@pytest.mark.parametrize(("exact", "holds"), [(frozenset[str](), True), (frozenset({"moment"}), False)])
def test_times_are_compared_as_they_are_kept(exact: frozenset[str], holds: bool) -> None:
    created = residual_filter((Condition("moment", "equals"),), exact)
    assert created is not None
    moment = datetime(2026, 11, 21, 16, 30, 0, 123_000, tzinfo=UTC) + timedelta(microseconds=7)
    assert created(Arguments({"moment": moment}))(EVERYTHING) is holds
