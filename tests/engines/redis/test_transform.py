"""The arguments of the scripts, and which keys are an entity's."""

from datetime import UTC, datetime

import pytest

from keywright.engines.contract.discriminators import is_of
from keywright.engines.contract.pages import Work
from keywright.engines.redis.migrate.transform import form, hash_arguments, match


def test_the_arguments_of_a_hash_say_what_is_compared_set_and_removed() -> None:
    result = hash_arguments({"name": b"Ada", "_kw_v": None}, {"first": "Ada", "_kw_v": "2"}, ("name",), "_kw_v")
    assert result == [2, "name", 1, b"Ada", "_kw_v", 0, "", "_kw_v", 2, "first", "Ada", "_kw_v", "2", "name"]


def test_a_scan_asks_for_keys_that_begin_alike() -> None:
    assert match("a*b[1]:{id}:cart") == r"a\*b\[1\]:*"


@pytest.mark.parametrize(
    ("value", "held"),
    [
        (5, "5"),
        (True, "true"),
        ([1, "é"], '[1,"é"]'),
        (datetime(2026, 3, 14, tzinfo=UTC), "2026-03-14T00:00:00.000000Z"),
    ],
)
def test_a_hash_holds_text(value: object, held: str) -> None:
    assert form("f", value, is_json=False) == held


def test_json_holds_what_json_has() -> None:
    assert form("f", [1], is_json=True) == [1]
    with pytest.raises(ValueError, match="bytes"):
        form("f", b"x", is_json=True)


@pytest.mark.parametrize(
    ("key", "is_ours"), [("user:1", True), ("user:1:cart", False), ("order:1", False), ("user:", True)]
)
def test_a_key_is_that_of_the_template_that_says_the_most(key: str, is_ours: bool) -> None:
    others = ((("key", "user:{id}:cart"),), (("key", "order:{id}"),))
    work = Work(object="server", reads=(), writes=(), keys=(("key", "user:{id}"),), others=others)
    assert is_of({"key": key}, work) == is_ours
