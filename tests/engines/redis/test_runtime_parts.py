"""Items that lack fields become instances that lack them too; cursors and sources without a server."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from tests.engines.redis import everything
from tests.engines.redis.everything import VALUES

from keywright import runtime
from keywright.errors import NOWHERE, UsageError
from keywright.ir.pattern import Pattern
from keywright.runtime.redis.execute import cursor
from keywright.runtime.redis.execute.sources import ListSource, ScoreSource, SetSource

CODEC = runtime.codec_of(everything.Hashed)
WHOLE = everything.Hashed(**VALUES)


@pytest.mark.parametrize("name", sorted(set(VALUES) - {"name", "optional", "given"}))
def test_a_part_of_a_hash_is_read_like_the_whole(name: str) -> None:
    item = runtime.to_item(WHOLE)
    part = CODEC.from_part((item.key, {name: item.value[name]}))
    assert getattr(part, name) == getattr(WHOLE, name)
    assert type(getattr(part, name)) is type(getattr(WHOLE, name))
    assert part.model_fields_set == {"name", name}
    assert set(part.__dict__) == {"name", name}


def test_a_field_that_was_asked_for_and_is_not_there_is_none() -> None:
    part = CODEC.from_part(("hash:n", {"optional": None, "given": None, "text": None}))
    assert part.__dict__ == {"name": "n", "optional": None, "given": None}


def test_a_part_is_not_validated() -> None:
    part = CODEC.from_part(("hash:n", {b"exact": b"1.20", b"word": b"off"}))
    assert (part.exact, part.word) == (Decimal("1.20"), "off")
    with pytest.raises(AttributeError):
        _ = part.text


def test_a_whole_item_is_a_part_too() -> None:
    item = runtime.to_item(WHOLE)
    assert CODEC.from_part(item).__dict__.keys() >= WHOLE.__dict__.keys() - {"optional", "given"}


PATTERN = Pattern("page", "read", "", "Thing", NOWHERE)


@pytest.mark.parametrize("state", [5, ["key", [1.5, "m", 3]], {"a": False, "b": ["0", 4]}, ["ü", None]])
def test_a_cursor_is_read_back_and_safe_in_a_url(state: object) -> None:
    written = cursor.written(PATTERN, state)
    assert all(sign.isalnum() or sign in "-_" for sign in written)
    assert cursor.read(PATTERN, written) == state
    with pytest.raises(UsageError):
        cursor.read(Pattern("other", "read", "", "Thing", NOWHERE), written)


def test_a_score_is_read_on_from_its_last_member_and_again_if_that_has_moved() -> None:
    source = ScoreSource((float("-inf"), False, 9.0, False), is_backward=False)
    chunk = source.read([["a", 1.0], ["b", 1.0]], None, 2)
    assert chunk.behind == [1.0, "b", 2]
    assert source.ask("z", chunk.behind, 2) == ("ZRANGE", "z", "1.0", "9.0", "BYSCORE", "LIMIT", 1, 3, "WITHSCORES")
    assert [entry for entry, _ in source.read([["b", 1.0], ["c", 1.0], ["d", 2.0]], chunk.behind, 2).elements] == [
        ("c", 1.0), ("d", 2.0),
    ]  # fmt: skip
    again = source.read([["c", 1.0], ["d", 2.0]], chunk.behind, 2)  # b is gone
    assert (again.elements, again.behind) == ([], [1.0, "b", 0])
    assert source.ask("z", again.behind, 2)[5:8] == ("LIMIT", 0, 2)
    more = source.read([["a", 1.0], ["a2", 1.0]], again.behind, 2)
    assert (more.elements, more.behind) == ([], [1.0, "b", -2])
    assert source.ask("z", more.behind, 2)[5:8] == ("LIMIT", 2, 2)
    last = source.read([["c", 1.0], ["d", 2.0]], more.behind, 2)
    assert last.elements == [(("c", 1.0), [1.0, "c", 3]), (("d", 2.0), [2.0, "d", 1])]


def test_a_set_that_is_answered_whole_is_given_in_pages() -> None:
    source = SetSource()
    assert source.ask("s", None, 2) == ("SSCAN", "s", "0", "COUNT", 2)
    chunk = source.read((0, ["a", "b", "c"]), None, 2)
    assert [place for _, place in chunk.elements] == [["0", 1], ["0", 2], None]
    assert [entry for entry, _ in source.read((0, ["a", "b", "c"]), ["0", 2], 2).elements] == ["c"]
    assert source.read((b"17", [b"a"]), ["0", 3], 2).behind == ["17", 2]


def test_a_list_ends_where_the_answer_is_short() -> None:
    assert ListSource().read(["a", "b"], 4, 2).behind == 6
    assert ListSource().read(["a"], 4, 2).behind is None


def test_a_moment_keeps_its_place_as_score() -> None:
    from keywright.runtime.redis.execute.scores import written
    from keywright.runtime.redis.values import from_score, score

    moment = datetime(2241, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)
    assert from_score(written(score(moment))) == moment
